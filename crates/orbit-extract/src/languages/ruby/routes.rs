//! Routes of Rails: what `Rails.application.routes.draw` holds.

use super::{Kind, Ruby};
use crate::builder::{Joins, verb};
use crate::builder::{line, span};
use crate::{Expr, ExprId, RawRef, RefKind, ScopeId};
use tree_sitter::Node;

/// Where a line of the routes stands.
#[derive(Clone, Debug, Default)]
struct Around {
    path: String,
    /// Modules of controllers, outermost first.
    modules: Vec<String>,
    /// The controller that lines without one mean.
    controller: Option<String>,
    /// Inside of `member do`, `collection do` or directly inside of resources.
    resource: Option<Resource>,
}

#[derive(Clone, Debug)]
struct Resource {
    /// With the parameter of one member.
    member: String,
    collection: String,
}

impl<'s> Ruby<'s> {
    /// `Rails.application.routes.draw do … end`.
    pub(super) fn rails_routes(&mut self, call: Node<'_>) {
        let f = &self.t.fields;
        let method = call.child_by_field_id(f.method).map_or("", |method| self.b.text(method));
        let receiver = call.child_by_field_id(f.receiver).map_or("", |receiver| self.b.text(receiver));
        if method != "draw"
            || !(receiver.ends_with(".routes") && receiver.contains("application")
                || receiver.ends_with("Engine.routes"))
        {
            return;
        }
        self.lines_of(call, &Around::default(), 0);
    }

    fn lines_of(&mut self, call: Node<'_>, around: &Around, depth: u32) {
        let Some(block) = call.child_by_field_id(self.t.fields.block).filter(|_| depth < 40) else { return };
        let body = block.child_by_field_name("body").unwrap_or(block);
        let mut cursor = body.walk();
        let lines: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
        for line in lines {
            self.line(line, around, depth);
        }
    }

    fn line(&mut self, node: Node<'_>, around: &Around, depth: u32) {
        if self.kind(node) != Kind::Call {
            // Conditions round lines.
            if depth < 40
                && matches!(
                    node.kind(),
                    "if" | "unless" | "then" | "else" | "if_modifier" | "unless_modifier"
                )
            {
                let mut cursor = node.walk();
                let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                for inner in inner {
                    self.line(inner, around, depth + 1);
                }
            }
            return;
        }
        let f = &self.t.fields;
        if node.child_by_field_id(f.receiver).is_some() {
            return;
        }
        let role = node.child_by_field_id(f.method).map_or("", |method| self.b.text(method));
        match role {
            "resources" | "resource" => self.resources(node, role == "resources", around, depth),
            "namespace" | "scope" | "controller" => self.lines_within(node, role, around, depth),
            "member" | "collection" => {
                let Some(resource) = &around.resource else { return };
                let path = if role == "member" { &resource.member } else { &resource.collection };
                let inner = Around { path: path.clone(), ..around.clone() };
                self.lines_of(node, &inner, depth + 1);
            }
            "constraints" | "defaults" | "concern" | "with_options" | "authenticate" | "authenticated" => {
                self.lines_of(node, around, depth + 1);
            }
            "root" => self.single(node, "GET", "/", around),
            "match" => {
                let verbs = self.via(node);
                let Some(path) = self.first_path(node) else { return };
                for verb in &verbs {
                    self.single(node, verb, path, around);
                }
            }
            _ => {
                let is_verb = role.chars().all(char::is_lowercase);
                if let (Some(verb), Some(path)) = (verb(role).filter(|_| is_verb), self.first_path(node)) {
                    self.single(node, verb, path, around);
                }
            }
        }
    }

    /// Lines behind a path, in a module, or for one controller.
    fn lines_within(&mut self, node: Node<'_>, role: &str, around: &Around, depth: u32) {
        let mut inner = around.clone();
        let first = self.first_path(node);
        match role {
            "namespace" => {
                let Some(name) = first else { return };
                inner.path = join(&around.path, self.option_text(node, "path").unwrap_or(name));
                inner.modules.push(self.option_text(node, "module").unwrap_or(name).to_owned());
                (inner.resource, inner.controller) = (None, None);
            }
            "scope" => {
                let path = first.or_else(|| self.option_text(node, "path"));
                inner.path = join(&around.path, path.unwrap_or(""));
                inner.modules.extend(self.option_text(node, "module").map(str::to_owned));
                inner.controller =
                    self.option_text(node, "controller").map(str::to_owned).or(inner.controller);
            }
            _ => inner.controller = first.map(str::to_owned),
        }
        self.lines_of(node, &inner, depth + 1);
    }

    /// `get 'x', to: 'users#index'`, `get 'users/index'`, `get :preview, on: :member`.
    fn single(&mut self, node: Node<'_>, verb: &str, path: &str, around: &Around) {
        let on = self.option_text(node, "on");
        let base = match (&around.resource, on) {
            (Some(resource), Some("member")) => resource.member.as_str(),
            (Some(resource), Some("collection")) => resource.collection.as_str(),
            _ => around.path.as_str(),
        };
        let target = self.option_node(node, "to").or_else(|| self.arrow_target(node)).or_else(|| {
            (self.b.text(node.child_by_field_id(self.t.fields.method)?) == "root")
                .then(|| self.first_argument(node))?
        });
        let route = self.b.route(node, None, verb, &join(base, path), Joins::Whole);
        let text = target.map(|target| self.word(target));
        let (controller, action) = match text {
            Some(Some(text)) => match text.split_once('#') {
                Some((controller, action)) => (Some(controller.to_owned()), action),
                None => (around.controller.clone(), text),
            },
            Some(None) => return,
            None => {
                let trimmed = path.trim_matches('/');
                let named = self.option_text(node, "action");
                match trimmed.rsplit_once('/') {
                    Some((controller, action)) if around.controller.is_none() => {
                        (Some(controller.to_owned()), named.unwrap_or(action))
                    }
                    _ => (around.controller.clone(), named.unwrap_or(trimmed)),
                }
            }
        };
        let controller = self.option_text(node, "controller").map(str::to_owned).or(controller);
        if let Some(controller) = controller {
            self.action(route, &controller, action, node, around);
        }
    }

    /// `resources :users`: seven routes, or those that are asked for; what is inside stands behind one of them.
    fn resources(&mut self, node: Node<'_>, is_plural: bool, around: &Around, depth: u32) {
        let names = self.words_of(node);
        for name in names {
            let path = self.option_text(node, "path").unwrap_or(name);
            let collection = join(&around.path, path);
            let parameter = self.option_text(node, "param").unwrap_or("id");
            let member = if is_plural { format!("{collection}/:{parameter}") } else { collection.clone() };
            let plural = if is_plural { name.to_owned() } else { plural(name) };
            let controller = self.option_text(node, "controller").map_or(plural, str::to_owned);
            let (only, except) = (self.option_words(node, "only"), self.option_words(node, "except"));
            let mut inner = around.clone();
            inner.modules.extend(self.option_text(node, "module").map(str::to_owned));
            for (action, verb, on_member, suffix) in ACTIONS {
                let is_left_out = only.as_ref().is_some_and(|only| !only.contains(action))
                    || except.as_ref().is_some_and(|except| except.contains(action))
                    || !is_plural && *action == "index";
                if is_left_out {
                    continue;
                }
                let base = if *on_member { &member } else { &collection };
                let route = self.b.route(node, None, verb, &join(base, suffix), Joins::Whole);
                self.action(route, &controller, action, node, &inner);
            }
            let nested = if is_plural {
                format!("{collection}/:{}_{parameter}", singular(name))
            } else {
                collection.clone()
            };
            inner.path = nested;
            inner.controller = Some(controller);
            inner.resource = Some(Resource { member, collection });
            self.lines_of(node, &inner, depth + 1);
        }
    }

    /// A route is handled by a method of a controller.
    fn action(&mut self, route: ScopeId, controller: &str, action: &str, at: Node<'_>, around: &Around) {
        let class = self.controller_class(controller, around);
        let base = Some(self.b.expr(Expr::Instance(class)));
        // The whole line says it: the name of the action is part of a string, or not written at all.
        let name = self.b.intern(action);
        let (span, line, kind) = (span(at), line(at), RefKind::Call);
        self.b.file.refs.push(RawRef { defines: true, ..RawRef::new(span, line, name, kind, base, route) });
    }

    /// `admin/users` is `Admin::UsersController`.
    fn controller_class(&mut self, controller: &str, around: &Around) -> ExprId {
        let modules = around.modules.iter().map(String::as_str);
        let parts: Vec<String> =
            modules.chain([controller]).flat_map(|part| part.split('/')).map(camel).collect();
        let text = format!("{}Controller", parts.join("::"));
        self.b.path_expr(&text, "::")
    }

    fn via(&self, node: Node<'_>) -> Vec<String> {
        let words = self.option_words(node, "via").unwrap_or_default();
        let named: Vec<String> = words.iter().filter_map(|word| verb(word).map(str::to_owned)).collect();
        if named.is_empty() { vec!["ANY".to_owned()] } else { named }
    }

    fn first_path(&self, node: Node<'_>) -> Option<&'s str> {
        self.word(self.first_argument(node)?)
    }

    /// The first argument; of `'x' => 'y#z'` what stands before the arrow.
    fn first_argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let first = node.child_by_field_id(self.t.fields.arguments)?.named_child(0)?;
        match first.kind() {
            "pair" => first.named_child(0).filter(|key| key.kind() == "string"),
            _ => Some(first),
        }
    }

    fn arrow_target<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let first = node.child_by_field_id(self.t.fields.arguments)?.named_child(0)?;
        let is_arrow = first.kind() == "pair" && first.named_child(0)?.kind() == "string";
        is_arrow.then(|| first.named_child(1))?
    }

    /// All words before the options: `resources :a, :b`.
    fn words_of(&self, node: Node<'_>) -> Vec<&'s str> {
        let Some(arguments) = node.child_by_field_id(self.t.fields.arguments) else { return Vec::new() };
        let mut cursor = arguments.walk();
        arguments.named_children(&mut cursor).filter_map(|child| self.word(child)).collect()
    }

    fn option_node<'t>(&self, node: Node<'t>, key: &str) -> Option<Node<'t>> {
        let arguments = node.child_by_field_id(self.t.fields.arguments)?;
        let mut cursor = arguments.walk();
        let pair =
            arguments.named_children(&mut cursor).filter(|child| child.kind() == "pair").find(|pair| {
                let name = pair.named_child(0).map_or("", |name| self.b.text(name));
                name.trim_matches([':', '"', '\'']) == key
            })?;
        pair.named_child(1)
    }

    fn option_text(&self, node: Node<'_>, key: &str) -> Option<&'s str> {
        self.word(self.option_node(node, key)?)
    }

    fn option_words(&self, node: Node<'_>, key: &str) -> Option<Vec<&'s str>> {
        let value = self.option_node(node, key)?;
        if let Some(word) = self.word(value) {
            return Some(vec![word]);
        }
        let mut cursor = value.walk();
        Some(value.named_children(&mut cursor).filter_map(|item| self.word(item)).collect())
    }

    /// The text of a symbol or of a plain string.
    fn word(&self, node: Node<'_>) -> Option<&'s str> {
        let text = self.b.text(node);
        match node.kind() {
            "simple_symbol" => Some(text.trim_start_matches(':')),
            "string" if !text.contains("#{") => Some(text.trim_matches(['"', '\''])),
            "bare_symbol" | "bare_string" => Some(text),
            _ => None,
        }
    }
}

/// Action, method, whether it is about one member, and what its path ends with.
const ACTIONS: &[(&str, &str, bool, &str)] = &[
    ("index", "GET", false, ""),
    ("new", "GET", false, "new"),
    ("create", "POST", false, ""),
    ("show", "GET", true, ""),
    ("edit", "GET", true, "edit"),
    ("update", "PATCH", true, ""),
    ("update", "PUT", true, ""),
    ("destroy", "DELETE", true, ""),
];

fn join(prefix: &str, path: &str) -> String {
    let path = path.trim_start_matches('/');
    if path.is_empty() { prefix.to_owned() } else { format!("{}/{path}", prefix.trim_end_matches('/')) }
}

fn camel(part: &str) -> String {
    part.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

/// The usual forms of English, which Rails begins with, too.
fn singular(name: &str) -> String {
    match () {
        () if name.ends_with("ies") => format!("{}y", &name[..name.len() - 3]),
        () if ["sses", "shes", "ches", "xes", "uses"].iter().any(|end| name.ends_with(end)) => {
            name[..name.len() - 2].to_owned()
        }
        () if name.ends_with('s') && !name.ends_with("ss") => name[..name.len() - 1].to_owned(),
        () => name.to_owned(),
    }
}

fn plural(name: &str) -> String {
    match () {
        () if name.ends_with('y') && !name.ends_with(['a', 'e', 'o']) => {
            format!("{}ies", &name[..name.len() - 1])
        }
        () if ["s", "sh", "ch", "x"].iter().any(|end| name.ends_with(end)) => format!("{name}es"),
        () => format!("{name}s"),
    }
}
