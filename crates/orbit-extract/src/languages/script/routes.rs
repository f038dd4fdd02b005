//! Routes of Express, Hono and their kin, and of Nest's controllers.

use super::{Kind, Script};
use crate::builder::{Joins, RouterId, verb};
use crate::builder::{end_line, line};
use crate::{Mounted, ScopeId, Span};
use tree_sitter::Node;

/// Which of a module's things routes are registered on; the empty name is what the module itself makes when called.
fn is_router(module: &str, made: &str) -> bool {
    match module {
        "express" => {
            matches!(made, "" | "default" | "Router" | "Express" | "Application" | "IRouter" | "IRoute")
        }
        "hono" | "hono/quick" | "hono/tiny" => matches!(made, "Hono"),
        "@hono/zod-openapi" => matches!(made, "OpenAPIHono"),
        "@koa/router" | "koa-router" | "find-my-way" | "express-promise-router" => true,
        "fastify" => matches!(made, "" | "default" | "fastify" | "Fastify" | "FastifyInstance"),
        "polka" | "restana" | "itty-router" => true,
        _ => false,
    }
}

impl<'s> Script<'s> {
    /// `app.get('/x', handler)`: the routes that a call registers, with the node that their handlers stand in.
    pub(super) fn routes_of_call(&mut self, node: Node<'_>) -> Vec<ScopeId> {
        self.read_routes(node).unwrap_or_default()
    }

    fn read_routes(&mut self, node: Node<'_>) -> Option<Vec<ScopeId>> {
        let f = &self.t.fields;
        let callee = node.child_by_field_id(f.function).filter(|node| self.kind(*node) == Kind::Member)?;
        let (object, property) = (callee.child_by_field_id(f.object)?, callee.child_by_field_id(f.property)?);
        let role = self.b.text(property);
        let is_registration = verb(role).is_some_and(|verb| verb.to_lowercase() == role)
            || matches!(role, "all" | "use" | "route" | "del" | "on");
        if !is_registration {
            return None;
        }
        if !self.is_router(object, role) {
            return None;
        }
        let arguments =
            node.child_by_field_id(f.arguments).filter(|list| self.kind(*list) == Kind::Arguments)?;
        let arguments: Vec<Node<'_>> = {
            let mut cursor = arguments.walk();
            arguments.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect()
        };
        if matches!(role, "use" | "route") && !self.is_path_of_route(object) {
            self.mount_of_call(object, role, &arguments);
            return None;
        }
        let (path_node, path) = match self.chained_path(object) {
            Some(found) => found,
            None if role == "on" => (*arguments.get(1)?, self.path_literal(*arguments.get(1)?)?),
            None => (*arguments.first()?, self.path_literal(*arguments.first()?)?),
        };
        let mut handlers = arguments.iter().filter(|argument| argument.id() != path_node.id());
        handlers.next()?;
        let method = match role {
            "all" => "ANY".to_owned(),
            "del" => "DELETE".to_owned(),
            "on" => self.literal(*arguments.first()?)?.to_uppercase(),
            _ => verb(role)?.to_owned(),
        };
        let router = self.router_of(object);
        // In a chain of registrations each begins with its method.
        let from = if self.kind(object) == Kind::Call { property } else { node };
        let span = Span { start: from.start_byte() as u32, end: node.end_byte() as u32 };
        let lines = (line(from), end_line(node));
        let route = self.b.route_at(span, lines, router, &method, path, Joins::Trimmed);
        self.b.routes.registered_at(&[route], self.chain_root(object).end_byte());
        Some(vec![route])
    }

    /// Whether routes are registered on an expression: by what is imported, or because a function takes what can only be a
    /// router, which nobody wrote the type of.
    fn is_router(&mut self, object: Node<'_>, role: &str) -> bool {
        if self.made_routers.is_some() {
            let receiver = self.expr_of(object, 0);
            if let Some(origin) = self.b.origin(receiver) {
                return is_router(&origin.module, origin.path.first().map_or("", String::as_str));
            }
        }
        let root = self.chain_root(object);
        let is_called_so = matches!(self.b.text(root), "app" | "router" | "server" | "api" | "fastify");
        self.kind(root) == Kind::Identifier
            && is_called_so
            && is_untyped_parameter(root, self.b.text(root), self.b.source)
            && self.hands_over_handlers(object, role)
    }

    /// Whether a call on something that nobody knows is written as a registration is: a path that begins with a slash,
    /// and functions behind it.
    fn hands_over_handlers(&self, object: Node<'_>, role: &str) -> bool {
        let call = object.parent().and_then(|callee| callee.parent());
        let Some(arguments) = call.and_then(|call| call.child_by_field_id(self.t.fields.arguments)) else {
            return false;
        };
        let mut cursor = arguments.walk();
        let parts: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| self.kind(*child) != Kind::Comment)
            .collect();
        let is_path = |node: &Node<'_>| self.literal(*node).is_some_and(|path| path.starts_with('/'));
        if role == "route" {
            return parts.first().is_some_and(is_path);
        }
        if self.is_path_of_route(object) {
            return true;
        }
        let is_function = |node: &Node<'_>| {
            let is_named =
                matches!(self.kind(*node), Kind::Identifier | Kind::Member | Kind::Call | Kind::Array);
            is_named || matches!(node.kind(), "arrow_function" | "function_expression")
        };
        parts.len() > 1 && parts.first().is_some_and(is_path) && parts[1..].iter().all(is_function)
    }

    /// `app.route('/x').get(handler)`: the path stands before.
    fn chained_path<'t>(&self, object: Node<'t>) -> Option<(Node<'t>, &'s str)> {
        let f = &self.t.fields;
        let mut at = object;
        while self.kind(at) == Kind::Call {
            let callee =
                at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Member)?;
            let arguments = at.child_by_field_id(f.arguments)?;
            if self.b.text(callee.child_by_field_id(f.property)?) == "route"
                && arguments.named_child_count() == 1
            {
                let path = arguments.named_child(0)?;
                return Some((path, self.path_literal(path)?));
            }
            at = callee.child_by_field_id(f.object)?;
        }
        None
    }

    fn is_path_of_route(&self, object: Node<'_>) -> bool {
        self.chained_path(object).is_some()
    }

    /// `app.use('/x', router)`, `app.route('/x', router)`.
    fn mount_of_call(&mut self, object: Node<'_>, role: &str, arguments: &[Node<'_>]) {
        let (path, routers) = match arguments.split_first() {
            Some((first, rest)) if matches!(self.kind(*first), Kind::String | Kind::Template) => {
                (self.literal(*first), rest)
            }
            _ if role == "use" => (Some(""), arguments),
            _ => return,
        };
        let parent = self.router_of(object);
        let at = Some(self.chain_root(object).end_byte());
        for router in routers {
            let end = router.end_byte();
            match self.kind(*router) {
                Kind::Identifier => match self.b.held_router(self.b.text(*router)) {
                    Some(child) => self.b.routes.mount(child, parent, path, false),
                    None => self.b.routes.mount_later(self.b.text(*router), end, parent, path),
                },
                Kind::Member => {
                    let child = Mounted::At(end as u32);
                    self.b.routes.mount_elsewhere(child, parent, at, path, false);
                }
                Kind::Call => self.mount_made(*router, parent, at, path),
                _ => {}
            }
        }
    }

    /// `app.use('/x', require('./x'))`, `app.use('/x', makeRouter())`.
    fn mount_made(
        &mut self,
        call: Node<'_>,
        parent: Option<RouterId>,
        at: Option<usize>,
        path: Option<&str>,
    ) {
        let f = &self.t.fields;
        let Some(callee) = call.child_by_field_id(f.function) else { return };
        let first = call.child_by_field_id(f.arguments).and_then(|list| list.named_child(0));
        let child = match first.and_then(|first| self.literal(first)) {
            Some(module) if self.b.text(callee) == "require" => Mounted::Module(module.into()),
            _ => Mounted::At(callee.end_byte() as u32),
        };
        self.b.routes.mount_elsewhere(child, parent, at, path, false);
    }

    /// The router that a chain of calls begins with.
    fn router_of(&mut self, node: Node<'_>) -> Option<RouterId> {
        let root = self.chain_root(node);
        if let Some((_, id)) = self.made_routers.iter().flatten().rev().find(|(made, _)| *made == root.id()) {
            return Some(*id);
        }
        match self.kind(root) {
            Kind::Identifier | Kind::Member => self.b.held_router(self.b.text(root)),
            Kind::New | Kind::Call => {
                let prefix = self.base_path(node);
                let id = self.b.routes.router(prefix.unwrap_or(""));
                self.made_routers.get_or_insert_default().push((root.id(), id));
                Some(id)
            }
            _ => None,
        }
    }

    fn chain_root<'t>(&self, node: Node<'t>) -> Node<'t> {
        let f = &self.t.fields;
        let mut at = self.unwrapped(node);
        while self.kind(at) == Kind::Call {
            let callee = at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Member);
            let Some(object) = callee.and_then(|callee| callee.child_by_field_id(f.object)) else { break };
            // `express.Router()` begins a chain.
            if self.kind(object) == Kind::Identifier && self.b.held_router(self.b.text(object)).is_none() {
                break;
            }
            at = self.unwrapped(object);
        }
        at
    }

    /// `new Hono().basePath('/api')`, `new Router({ prefix: '/api' })`.
    fn base_path(&self, node: Node<'_>) -> Option<&'s str> {
        let f = &self.t.fields;
        let mut at = self.unwrapped(node);
        loop {
            let arguments = at.child_by_field_id(f.arguments);
            let first = arguments.and_then(|arguments| arguments.named_child(0));
            let callee = at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Member);
            let Some(callee) = callee.filter(|_| self.kind(at) == Kind::Call) else {
                let options = first.filter(|first| self.kind(*first) == Kind::Object)?;
                return self.literal(self.object_field(options, "prefix")?);
            };
            if self.b.text(callee.child_by_field_id(f.property)?) == "basePath" {
                return self.literal(first?);
            }
            at = self.unwrapped(callee.child_by_field_id(f.object)?);
        }
    }

    /// The variable `name` holds a router when its value makes one.
    pub(super) fn hold_router(&mut self, name: Node<'_>, value: Node<'_>) {
        let value = self.unwrapped(value);
        if self.made_routers.is_none() || !matches!(self.kind(value), Kind::Call | Kind::New) {
            return;
        }
        let made = self.expr_of(value, 0);
        let Some(origin) = self.b.origin(made) else { return };
        if !is_router(&origin.module, origin.path.first().map_or("", String::as_str)) {
            return;
        }
        let base = self.base_path(value);
        let above = self.router_of(value);
        let root = self.chain_root(value);
        let id = match (base, self.kind(root)) {
            (Some(base), Kind::Identifier | Kind::Member) => self.b.routes.below(above, Some(base)),
            _ => above.unwrap_or_else(|| self.b.routes.router("")),
        };
        self.b.hold_router(self.b.text(name), id);
    }

    /// A path as it is written: a literal, a regular expression, or the first of several.
    fn path_literal(&self, node: Node<'_>) -> Option<&'s str> {
        match self.kind(node) {
            Kind::Array => self.path_literal(node.named_child(0)?),
            _ if node.kind() == "regex" => Some(self.b.text(node)),
            _ => self.literal(node),
        }
    }

    /// What handles a registration: functions that are named behind the path.
    pub(super) fn registered(&mut self, routes: &[ScopeId], mark: usize, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        let handlers: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| matches!(self.kind(*child), Kind::Identifier | Kind::Member))
            .collect();
        self.b.registered(routes, mark, arguments, &handlers);
    }

    /// `@Get(':id')` on a method of a class with `@Controller('users')`, of Nest.
    pub(super) fn routes_of_method(&mut self, node: Node<'_>, method: ScopeId, name: Node<'_>) {
        if self.made_routers.is_none() {
            return;
        }
        let Some(body) = node.parent() else { return };
        for decorator in self.decorators_of(node) {
            let Some((role, path)) = self.nest_decorator(decorator) else { continue };
            let verb = match role.as_str() {
                "All" => "ANY",
                "Sse" => "GET",
                role => match verb(role) {
                    Some(verb) => verb,
                    None => continue,
                },
            };
            let class = body.parent().map(|class| self.decorators_of(class)).unwrap_or_default();
            let class = class.into_iter().find_map(|found| {
                self.nest_decorator(found).filter(|(role, _)| role == "Controller").map(|(_, path)| path)
            });
            let Some(prefix) = class else { continue };
            let router = self.b.routes.router(prefix.map_or("", |prefix| prefix.trim_start_matches('/')));
            let route = self.b.route(decorator, Some(router), verb, path.unwrap_or(""), Joins::Trimmed);
            self.b.handled_by(route, method, name);
        }
    }

    fn decorators_of<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        let mut found: Vec<Node<'t>> =
            node.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::Decorator).collect();
        let mut before = node.prev_named_sibling();
        while let Some(sibling) =
            before.filter(|node| matches!(self.kind(*node), Kind::Decorator | Kind::Comment))
        {
            found.extend(Some(sibling).filter(|node| self.kind(*node) == Kind::Decorator));
            before = sibling.prev_named_sibling();
        }
        // `@Controller() export class X`: the decorator stands outside of the class.
        if found.is_empty()
            && let Some(parent) = node.parent().filter(|parent| parent.kind() == "export_statement")
        {
            let mut cursor = parent.walk();
            found.extend(
                parent.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::Decorator),
            );
        }
        found
    }

    /// The name of a decorator of Nest and its path, which is empty when none is written.
    fn nest_decorator(&mut self, decorator: Node<'_>) -> Option<(String, Option<&'s str>)> {
        let f = &self.t.fields;
        let call = decorator.named_child(0).filter(|inner| self.kind(*inner) == Kind::Call)?;
        let callee = call.child_by_field_id(f.function)?;
        let expr = self.expr_of(callee, 0);
        let origin = self.b.origin(expr).filter(|origin| origin.module == "@nestjs/common")?;
        let first = call.child_by_field_id(f.arguments).and_then(|arguments| arguments.named_child(0));
        let first = first.and_then(|first| match self.kind(first) {
            Kind::Object => self.object_field(first, "path"),
            _ => Some(first),
        });
        Some((origin.path.last()?.clone(), first.and_then(|first| self.path_literal(first))))
    }
}

/// Whether a name is a parameter without a type of a function round a node.
fn is_untyped_parameter(node: Node<'_>, name: &str, source: &str) -> bool {
    let mut around = node.parent();
    while let Some(outer) = around {
        let lists = [outer.child_by_field_name("parameters"), outer.child_by_field_name("parameter")];
        for list in lists.into_iter().flatten() {
            let mut cursor = list.walk();
            let alone = (list.kind() == "identifier").then_some(list);
            for parameter in list.named_children(&mut cursor).chain(alone) {
                let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
                if source.get(pattern.byte_range()) == Some(name) {
                    return parameter.child_by_field_name("type").is_none();
                }
            }
        }
        around = outer.parent();
    }
    false
}

/// Whether a module brings routers or controllers.
pub(super) fn brings_routers(module: &str) -> bool {
    module == "@nestjs/common"
        || is_router(module, "Hono")
        || is_router(module, "")
        || is_router(module, "OpenAPIHono")
}
