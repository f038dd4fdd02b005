//! Routes of ASP.NET: attributes of controllers, and `app.MapGet("/x", handler)`.

use super::{CSharp, Kind};
use crate::ScopeId;
use crate::builder::{Joins, verb};
use tree_sitter::Node;

impl<'s> CSharp<'s> {
    /// `[HttpGet("{id}")]` on a method, behind what `[Route("api/[controller]")]` on its class says.
    pub(super) fn routes_of_method(&mut self, node: Node<'_>, method: ScopeId, name: Node<'_>) {
        let attributes = self.attributes_of(node);
        let verbs: Vec<(&str, Node<'_>, Option<&'s str>)> = attributes
            .iter()
            .filter_map(|(name, at, path)| Some((verb(name.strip_prefix("Http")?)?, *at, *path)))
            .collect();
        let own = attributes.iter().find(|(name, ..)| *name == "Route").map(|(_, at, path)| (*at, *path));
        let class =
            node.parent().and_then(|body| body.parent()).filter(|class| class.kind() == "class_declaration");
        let Some(class) = class else { return };
        let outer = self.attributes_of(class);
        let is_controller =
            outer.iter().any(|(name, ..)| matches!(*name, "ApiController" | "Route" | "Controller"))
                || self.name_of(class).is_some_and(|name| self.b.text(name).ends_with("Controller"));
        if !is_controller {
            return;
        }
        if verbs.iter().all(|(_, _, path)| path.is_none())
            && own.is_none()
            && self.is_conventional(node, class, &outer)
        {
            return self.conventional(node, class, (method, name), &verbs, &outer);
        }
        if verbs.is_empty() && own.is_none() {
            return;
        }
        let class_name = self.name_of(class).map_or("", |name| self.b.text(name));
        let controller = class_name.strip_suffix("Controller").unwrap_or(class_name);
        let action = self.b.text(name);
        let filled = |path: &str| path.replace("[controller]", controller).replace("[action]", action);
        let prefix =
            outer.iter().find(|(name, ..)| *name == "Route").and_then(|(.., path)| *path).map(filled);
        let registrations =
            if verbs.is_empty() { own.map(|(at, _)| ("ANY", at, None)).into_iter().collect() } else { verbs };
        for (verb, at, path) in registrations {
            // Without a template the path follows from conventions that are set up elsewhere.
            if prefix.is_none() && path.or_else(|| own.and_then(|(_, path)| path)).is_none() {
                continue;
            }
            let path = path.or_else(|| own.and_then(|(_, path)| path)).map(filled).unwrap_or_default();
            // A path from the root is not behind that of the class.
            let is_whole = path.starts_with(['/', '~']);
            let router = prefix.as_deref().filter(|_| !is_whole).map(|prefix| self.b.routes.router(prefix));
            let route = self.b.route(at, router, verb, path.trim_start_matches('~'), Joins::Whole);
            self.b.handled_by(route, method, name);
        }
    }

    /// Whether an action has its path by the convention of `MapControllerRoute`: a public method of a class that extends
    /// `Controller` and says nothing about routes.
    fn is_conventional(
        &self,
        node: Node<'_>,
        class: Node<'_>,
        outer: &[(&'s str, Node<'_>, Option<&'s str>)],
    ) -> bool {
        let bases = self.child_of(class, Kind::BaseList).map_or("", |bases| self.b.text(bases));
        let mut bases = bases.trim_start_matches(':').split(',').map(str::trim);
        let is_mvc = bases.any(|base| base == "Controller" || base.ends_with(".Controller"));
        let mut cursor = node.walk();
        let modifiers: Vec<&str> = node
            .named_children(&mut cursor)
            .filter(|child| child.kind() == "modifier")
            .map(|child| self.b.text(child))
            .collect();
        let is_action = modifiers.contains(&"public") && !modifiers.contains(&"static");
        let says_nothing = !outer.iter().any(|(name, ..)| matches!(*name, "ApiController" | "Route"));
        is_mvc
            && is_action
            && says_nothing
            && self.attributes_of(node).iter().all(|(name, ..)| *name != "NonAction")
    }

    /// `/Home/Index` of `HomeController.Index`, behind its area.
    fn conventional(
        &mut self,
        node: Node<'_>,
        class: Node<'_>,
        (method, name): (ScopeId, Node<'_>),
        verbs: &[(&str, Node<'_>, Option<&'s str>)],
        outer: &[(&'s str, Node<'_>, Option<&'s str>)],
    ) {
        let class = self.name_of(class).map_or("", |name| self.b.text(name));
        let controller = class.strip_suffix("Controller").unwrap_or(class);
        let area = outer.iter().find(|(name, ..)| *name == "Area").and_then(|(.., area)| *area);
        let area = area.map_or(String::new(), |area| format!("/{area}"));
        let path = format!("{area}/{controller}/{}", self.b.text(name));
        let any = [("ANY", node, None)];
        for (verb, at, _) in if verbs.is_empty() { &any[..] } else { verbs } {
            let at = if at.id() == node.id() { name } else { *at };
            let route = self.b.route(at, None, verb, &path, Joins::Whole);
            self.b.handled_by(route, method, name);
        }
    }

    /// The attributes of a declaration: names without `Attribute`, and their first literal.
    fn attributes_of<'t>(&self, node: Node<'t>) -> Vec<(&'s str, Node<'t>, Option<&'s str>)> {
        let mut found = Vec::new();
        let mut cursor = node.walk();
        for list in node.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::AttributeList)
        {
            let mut inner = list.walk();
            for attribute in
                list.named_children(&mut inner).filter(|child| self.kind(*child) == Kind::Attribute)
            {
                let name = self.name_of(attribute).map_or("", |name| self.b.text(name));
                let name = name.rsplit('.').next().unwrap_or(name);
                let name = name.strip_suffix("Attribute").unwrap_or(name);
                let arguments = self.child_of(attribute, Kind::AttributeArguments);
                let first =
                    arguments.and_then(|list| list.named_child(0)).and_then(|first| first.named_child(0));
                found.push((name, attribute, first.and_then(|first| self.path_literal(first))));
            }
        }
        found
    }

    /// `app.MapGet("/x", handler)`, `app.MapGroup("/x")`: the routes that a call registers.
    pub(super) fn routes_of_call(&mut self, node: Node<'_>) -> Vec<ScopeId> {
        self.read_routes(node).unwrap_or_default()
    }

    fn read_routes(&mut self, node: Node<'_>) -> Option<Vec<ScopeId>> {
        let f = &self.t.fields;
        let callee =
            node.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::MemberAccess)?;
        let role = self.b.text(callee.child_by_field_id(f.name)?);
        let own = role.split('<').next()?.strip_prefix("Map")?;
        let methods: Vec<String> = match own {
            "" => vec!["ANY".to_owned()],
            "Methods" => self.method_names(node),
            own => vec![verb(own).filter(|verb| verb.len() == own.len())?.to_owned()],
        };
        let receiver = callee.child_by_field_name("expression")?;
        if !self.is_endpoint_builder(receiver) {
            return None;
        }
        let arguments = node.child_by_field_id(f.arguments)?;
        let parts: Vec<Node<'_>> = argument_values(arguments);
        if parts.len() < 2 {
            return None;
        }
        let path = self.path_literal(parts[0])?;
        let router = self.group_of(receiver);
        Some(methods.iter().map(|method| self.b.route(node, router, method, path, Joins::Trimmed)).collect())
    }

    fn method_names(&self, node: Node<'_>) -> Vec<String> {
        let arguments = node.child_by_field_id(self.t.fields.arguments);
        let list = arguments.map(argument_values).and_then(|parts| parts.get(1).copied());
        let text = list.map_or("", |list| self.b.text(list));
        let names: Vec<String> =
            text.split('"').skip(1).step_by(2).filter_map(|name| verb(name).map(str::to_owned)).collect();
        if names.is_empty() { vec!["ANY".to_owned()] } else { names }
    }

    /// Whether routes can be mapped on an expression: an application that was built here, a group of one, or a
    /// parameter of such a type.
    fn is_endpoint_builder(&mut self, receiver: Node<'_>) -> bool {
        let text = self.b.text(receiver);
        if text.contains(".MapGroup(") || self.b.held_router(text).is_some() {
            return true;
        }
        let expr = self.expr_of(receiver, 0);
        let mut known = expr;
        for _ in 0..12 {
            known = match self.b.file.exprs[known.0 as usize] {
                crate::Expr::Name(name) => {
                    let name = self.b.file.names.get(name);
                    return matches!(
                        name,
                        "WebApplication"
                            | "IEndpointRouteBuilder"
                            | "RouteGroupBuilder"
                            | "IApplicationBuilder"
                    );
                }
                crate::Expr::Member(inner, _)
                | crate::Expr::Call(inner)
                | crate::Expr::Instance(inner)
                | crate::Expr::With(inner, _) => inner,
                _ => return false,
            };
        }
        false
    }

    fn group_of(&mut self, receiver: Node<'_>) -> Option<crate::builder::RouterId> {
        if let Some(held) = self.b.held_router(self.b.text(receiver)) {
            return Some(held);
        }
        let f = &self.t.fields;
        let mut at = receiver;
        while self.kind(at) == Kind::Invocation {
            let callee =
                at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::MemberAccess)?;
            let inner = callee.child_by_field_name("expression")?;
            if self.b.text(callee.child_by_field_id(f.name)?) == "MapGroup" {
                let parts = argument_values(at.child_by_field_id(f.arguments)?);
                let prefix = parts.first().and_then(|path| self.path_literal(*path));
                let above = self.group_of(inner);
                return Some(self.b.routes.below(above, prefix));
            }
            at = inner;
        }
        self.b.held_router(self.b.text(at))
    }

    /// `var group = app.MapGroup("/x")`.
    pub(super) fn hold_router(&mut self, name: &str, value: Node<'_>) {
        if self.b.text(value).contains(".MapGroup(")
            && let Some(id) = self.group_of(value)
        {
            self.b.hold_router(name, id);
        }
    }

    /// What handles a registration.
    pub(super) fn registered(&mut self, routes: &[ScopeId], mark: usize, arguments: Node<'_>) {
        let handlers: Vec<Node<'_>> = argument_values(arguments)
            .into_iter()
            .filter(|value| matches!(self.kind(*value), Kind::Identifier | Kind::MemberAccess))
            .collect();
        self.b.registered(routes, mark, arguments, &handlers);
    }

    fn path_literal(&self, node: Node<'_>) -> Option<&'s str> {
        let text = self.b.text(node);
        (matches!(node.kind(), "string_literal" | "verbatim_string_literal"))
            .then(|| text.trim_start_matches('@').trim_matches('"'))
    }
}

fn argument_values(arguments: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = arguments.walk();
    arguments
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "argument")
        .filter_map(super::typing::last_named_child)
        .collect()
}
