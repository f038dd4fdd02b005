//! Routes of axum: `Router::new().route("/x", get(show).post(change))`.

use super::{Kind, Rust};
use crate::builder::{Joins, RouterId, verb};
use crate::builder::{end_line, line};
use crate::{ScopeId, Span};
use tree_sitter::Node;

/// A method of a route with the arguments that name its handler.
struct Handled<'t> {
    method: &'static str,
    name: Node<'t>,
    arguments: Node<'t>,
}

impl<'s> Rust<'s> {
    /// What a call registers, with the arguments that its handlers stand in. Called before they are read.
    pub(super) fn routes_of_call<'t>(&mut self, call: Node<'t>) -> Vec<(ScopeId, Node<'t>)> {
        let f = &self.t.fields;
        let callee =
            call.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::FieldExpression);
        let field = callee.and_then(|callee| callee.child_by_field_id(f.field));
        let Some(arguments) = call.child_by_field_id(f.arguments) else { return Vec::new() };
        let role = field.map_or("", |field| self.b.text(field));
        if !matches!(role, "route" | "nest" | "merge") || !self.names_axum() {
            return Vec::new();
        }
        let mut cursor = arguments.walk();
        let parts: Vec<Node<'t>> =
            arguments.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
        match (role, parts.as_slice()) {
            ("route", [path, handlers]) => self.route_call(call, *path, *handlers),
            ("nest", [path, router]) => {
                self.mount(call, self.path_literal(*path), *router);
                Vec::new()
            }
            ("merge", [router]) => {
                self.mount(call, Some(""), *router);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn route_call<'t>(
        &mut self,
        call: Node<'t>,
        path: Node<'t>,
        handlers: Node<'t>,
    ) -> Vec<(ScopeId, Node<'t>)> {
        let Some(text) = self.path_literal(path) else { return Vec::new() };
        let Some(handled) = self.handled(handlers) else { return Vec::new() };
        let router = self.chain_router(call, 0);
        let mut found = Vec::new();
        for (at, Handled { method, name, arguments }) in handled.into_iter().enumerate() {
            let from = if at == 0 { path } else { name };
            let span = Span { start: from.start_byte() as u32, end: arguments.end_byte() as u32 };
            let lines = (line(from), end_line(arguments));
            let route = self.b.route_at(span, lines, Some(router), method, text, Joins::Trimmed);
            found.push((route, arguments));
        }
        found
    }

    /// `get(show).post(change)`, in the order of the text; `None` unless it begins with a function of `axum::routing`.
    fn handled<'t>(&mut self, node: Node<'t>) -> Option<Vec<Handled<'t>>> {
        let f = &self.t.fields;
        if self.kind(node) != Kind::Call {
            return None;
        }
        let (callee, arguments) = (node.child_by_field_id(f.function)?, node.child_by_field_id(f.arguments)?);
        if self.kind(callee) == Kind::FieldExpression {
            let name = callee.child_by_field_id(f.field)?;
            let mut found = self.handled(callee.child_by_field_id(f.value)?)?;
            if let Some(method) = method_of(self.b.text(name)) {
                found.push(Handled { method, name, arguments });
            }
            return Some(found);
        }
        let text = self.b.text(callee);
        let name = text.rsplit("::").next().unwrap_or(text);
        let method = method_of(name)?;
        let is_axum = match text.rsplit_once("::") {
            Some((path, _)) => path == "axum::routing" || path == "routing",
            None => self.b.file.imports.iter().any(|import| {
                let module = self.b.file.names.get(import.module);
                import.binds.is_some_and(|binds| self.b.file.names.get(binds) == name)
                    && module == "axum::routing"
                    || import.kind == crate::ImportKind::Glob && module.starts_with("axum::routing")
            }),
        };
        is_axum.then(|| vec![Handled { method, name: callee, arguments }])
    }

    /// The router that the chain of calls round a registration makes: it is known by the variable that gets it, by the
    /// function that returns it, or by where it is nested in place.
    fn chain_router(&mut self, call: Node<'_>, depth: u32) -> RouterId {
        let mut top = call;
        while let Some(parent) = top.parent() {
            let goes_on = match parent.kind() {
                "field_expression" | "try_expression" | "parenthesized_expression" => true,
                "call_expression" => parent.child_by_field_id(self.t.fields.function) == Some(top),
                _ => false,
            };
            if !goes_on {
                break;
            }
            top = parent;
        }
        let around = top.parent();
        if let Some(declaration) = around.filter(|parent| parent.kind() == "let_declaration")
            && let Some(pattern) = declaration.child_by_field_id(self.t.fields.pattern)
        {
            return self.router_called(self.b.text(pattern).trim_start_matches("mut ").to_owned(), false);
        }
        let outer =
            around.filter(|parent| parent.kind() == "arguments" && depth < 8).and_then(|list| list.parent());
        if let Some(outer) = outer
            && let Some(field) = outer.child_by_field_id(self.t.fields.function)
            && let Some(field) = field.child_by_field_id(self.t.fields.field)
        {
            let arguments = outer.child_by_field_id(self.t.fields.arguments);
            let path =
                arguments.and_then(|list| list.named_child(0)).and_then(|path| self.path_literal(path));
            match self.b.text(field) {
                "nest" => {
                    let above = self.chain_router(outer, depth + 1);
                    return self.b.routes.below(Some(above), path);
                }
                "merge" => return self.chain_router(outer, depth + 1),
                _ => {}
            }
        }
        // A registration on a variable that is assigned again, or the function itself.
        if let Some(assigned) = around.filter(|parent| parent.kind() == "assignment_expression")
            && let Some(left) = assigned.child_by_field_id(self.t.fields.left)
        {
            return self.router_called(self.b.text(left).to_owned(), false);
        }
        let function = self.b.enclosing().next().map(|symbol| self.b.file.names.get(symbol.name).to_owned());
        self.router_called(function.unwrap_or_default(), true)
    }

    fn router_called(&mut self, name: String, is_function: bool) -> RouterId {
        let known = self.b.held_router(&name);
        known.unwrap_or_else(|| {
            let id = self.b.routes.router("");
            if is_function {
                self.b.hold_router_of_file(&name, id);
            } else {
                self.b.hold_router(&name, id);
            }
            id
        })
    }

    /// `.nest("/x", other)`, `.nest("/x", other())`, `.nest("/x", users::router())`; what is written in place is nested already.
    fn mount(&mut self, call: Node<'_>, prefix: Option<&str>, router: Node<'_>) {
        let named = match self.kind(router) {
            Kind::Call => match router.child_by_field_id(self.t.fields.function) {
                Some(callee) => callee,
                None => return,
            },
            _ => router,
        };
        if !matches!(self.kind(named), Kind::Identifier | Kind::ScopedIdentifier) {
            return;
        }
        let parent = self.chain_router(call, 0);
        let text = self.b.text(named);
        match self.b.held_router(text) {
            Some(id) => self.b.routes.mount(id, Some(parent), prefix, false),
            None => self.b.routes.mount_later(text, named.end_byte(), Some(parent), prefix),
        }
    }

    /// What was read since `mark` inside of the arguments belongs to the routes.
    pub(super) fn registered(&mut self, routes: &[(ScopeId, Node<'_>)], mark: usize) {
        for (route, arguments) in routes {
            let mut cursor = arguments.walk();
            let handlers: Vec<Node<'_>> = arguments
                .named_children(&mut cursor)
                .filter_map(|child| match self.kind(child) {
                    Kind::Identifier | Kind::ScopedIdentifier | Kind::FieldExpression => Some(child),
                    Kind::GenericFunction => child.child_by_field_id(self.t.fields.function),
                    _ => None,
                })
                .collect();
            self.b.registered(&[*route], mark, *arguments, &handlers);
        }
    }

    fn path_literal(&self, node: Node<'_>) -> Option<&'s str> {
        (self.kind(node) == Kind::StringLiteral).then(|| self.b.text(node).trim_matches('"'))
    }

    fn names_axum(&self) -> bool {
        let imports = &self.b.file.imports;
        imports.iter().any(|import| self.b.file.names.get(import.module).starts_with("axum"))
            || self.b.source.contains("axum::")
    }
}

fn method_of(name: &str) -> Option<&'static str> {
    match name {
        "any" => Some("ANY"),
        name if name.chars().all(char::is_lowercase) => verb(name),
        _ => None,
    }
}
