//! Routes of gin, chi, gorilla/mux, echo, fiber and net/http.

use super::exprs::unquoted;
use super::{Go, Kind};
use crate::ScopeId;
use crate::builder::Walk;
use crate::builder::{Joins, RouterId, verb};
use tree_sitter::Node;

/// A library that routes requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Library {
    /// `r.GET("/x", h)`: gin, echo.
    Upper,
    /// `r.Get("/x", h)`: chi, fiber.
    Title,
    /// `r.HandleFunc("/x", h).Methods("GET")`.
    Mux,
    /// `mux.HandleFunc("GET /x", h)`.
    Http,
}

impl Library {
    fn of_module(module: &str) -> Option<Library> {
        let module = module
            .rsplit_once("/v")
            .filter(|(_, n)| n.parse::<u32>().is_ok())
            .map_or(module, |(path, _)| path);
        match module {
            "github.com/gin-gonic/gin" | "github.com/labstack/echo" => Some(Library::Upper),
            "github.com/go-chi/chi" | "github.com/gofiber/fiber" => Some(Library::Title),
            "github.com/gorilla/mux" => Some(Library::Mux),
            "net/http" => Some(Library::Http),
            _ => None,
        }
    }

    /// Whether routes are registered on what a package gives under a name.
    fn is_router(self, made: &str) -> bool {
        match self {
            Library::Upper => matches!(
                made,
                "Default" | "New" | "Engine" | "RouterGroup" | "IRouter" | "IRoutes" | "Echo" | "Group"
            ),
            Library::Title => {
                matches!(made, "NewRouter" | "NewMux" | "Router" | "Mux" | "New" | "App" | "Group")
            }
            Library::Mux => matches!(made, "NewRouter" | "Router" | "Route"),
            Library::Http => {
                matches!(made, "NewServeMux" | "ServeMux" | "HandleFunc" | "Handle" | "DefaultServeMux")
            }
        }
    }
}

impl<'s> Go<'s> {
    /// What a call registers; reads the arguments, too, where it is a registration or a group of them.
    pub(super) fn route_of_call(&mut self, node: Node<'_>, callee: Node<'_>, arguments: Node<'_>) -> bool {
        if self.kind(callee) != Kind::Selector {
            self.pass_routers(callee, arguments);
            return false;
        }
        let f = &self.t.fields;
        let (operand, field) = (callee.child_by_field_id(f.operand), callee.child_by_field_id(f.field));
        let (Some(operand), Some(field)) = (operand, field) else { return false };
        let role = self.b.text(field);
        let known = verb(role).is_some()
            || matches!(
                role,
                "Any"
                    | "All"
                    | "Handle"
                    | "HandleFunc"
                    | "Method"
                    | "MethodFunc"
                    | "Route"
                    | "Group"
                    | "Mount"
                    | "Handler"
                    | "HandlerFunc"
            );
        if !known {
            self.pass_routers(callee, arguments);
            return false;
        }
        let Some(library) = self.router_library(operand, role) else { return false };
        let parts = self.expressions(arguments);
        if matches!(role, "Route" | "Group") {
            return self.group(library, operand, arguments, &parts);
        }
        if role == "Mount" {
            self.mount(operand, &parts);
            return false;
        }
        let found = match role {
            "Handler" | "HandlerFunc" if library == Library::Mux => self.chained_route(node, operand, &parts),
            _ => self.registration(library, node, role, &parts),
        };
        let Some((methods, path, handlers)) = found else {
            return false;
        };
        let root = self.chain_root(operand);
        let on = self.held_router(operand).or_else(|| self.hold_parameter(root));
        let routes: Vec<ScopeId> =
            methods.iter().map(|method| self.b.route(node, on, method, path, Joins::Whole)).collect();
        self.b.routes.registered_at(&routes, root.end_byte());
        let mark = self.b.mark();
        self.visit_children_of(arguments);
        let handlers: Vec<Node<'_>> =
            handlers.iter().copied().filter(|node| self.kind(*node) != Kind::FuncLiteral).collect();
        self.b.registered(&routes, mark, arguments, &handlers);
        true
    }

    fn router_library(&mut self, operand: Node<'_>, role: &str) -> Option<Library> {
        let receiver = self.expr_of(operand, 0);
        let origin = self.b.origin(receiver)?;
        let library = Library::of_module(&origin.module)?;
        let made = origin.path.first().map_or(role, String::as_str);
        library.is_router(made).then_some(library)
    }

    /// Methods, path and handlers of a registration.
    fn registration<'t, 'p>(
        &self,
        library: Library,
        node: Node<'_>,
        role: &str,
        parts: &'p [Node<'t>],
    ) -> Option<(Vec<String>, &'s str, &'p [Node<'t>])> {
        let (first, rest) = parts.split_first()?;
        let path = self.text_literal(*first)?;
        let title = |verb: &str| verb[..1].to_owned() + &verb[1..].to_lowercase();
        let method = verb(role).filter(|verb| match library {
            Library::Upper => *verb == role,
            Library::Title => title(verb) == role,
            Library::Mux | Library::Http => false,
        });
        if let Some(method) = method {
            return (!rest.is_empty()).then(|| (vec![method.to_owned()], path, rest));
        }
        let any = vec!["ANY".to_owned()];
        match (library, role) {
            (Library::Upper, "Any") | (Library::Title, "All" | "Handle" | "HandleFunc") => {
                Some((any, path, rest))
            }
            (Library::Upper, "Handle") | (Library::Title, "Method" | "MethodFunc") => {
                let (second, rest) = rest.split_first()?;
                Some((vec![path.to_uppercase()], self.text_literal(*second)?, rest))
            }
            (Library::Mux, "Handle" | "HandleFunc") => {
                Some((self.chained_methods(node).unwrap_or(any), path, rest))
            }
            (Library::Http, "Handle" | "HandleFunc") => match path.split_once(' ') {
                Some((method, path)) => Some((vec![method.to_owned()], path.trim_start(), rest)),
                None => Some((any, path, rest)),
            },
            _ => None,
        }
    }

    /// `r.Methods("GET").Path("/x").HandlerFunc(h)`: the handler comes last.
    fn chained_route<'t, 'p>(
        &self,
        node: Node<'_>,
        operand: Node<'_>,
        parts: &'p [Node<'t>],
    ) -> Option<(Vec<String>, &'s str, &'p [Node<'t>])> {
        let f = &self.t.fields;
        let (mut path, mut methods) = (None, self.chained_methods(node));
        let mut at = operand;
        while self.kind(at) == Kind::Call {
            let callee =
                at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Selector)?;
            let arguments = self.expressions(at.child_by_field_id(f.arguments)?);
            match self.b.text(callee.child_by_field_id(f.field)?) {
                "Path" | "PathPrefix" => path = arguments.first().and_then(|first| self.text_literal(*first)),
                "Methods" => methods = self.method_names(&arguments),
                _ => {}
            }
            at = callee.child_by_field_id(f.operand)?;
        }
        Some((methods.unwrap_or_else(|| vec!["ANY".to_owned()]), path?, parts))
    }

    fn method_names(&self, names: &[Node<'_>]) -> Option<Vec<String>> {
        let names = names.iter().map(|node| {
            let text = self.text_literal(*node).or_else(|| self.b.text(*node).strip_prefix("http.Method"));
            text.map(str::to_uppercase)
        });
        names.collect()
    }

    /// `.Methods("GET", "POST")` behind a registration.
    fn chained_methods(&self, node: Node<'_>) -> Option<Vec<String>> {
        let f = &self.t.fields;
        let mut at = node;
        loop {
            let selector = at.parent().filter(|parent| self.kind(*parent) == Kind::Selector)?;
            let call = selector.parent().filter(|parent| self.kind(*parent) == Kind::Call)?;
            if self.b.text(selector.child_by_field_id(f.field)?) == "Methods" {
                let arguments = call.child_by_field_id(f.arguments)?;
                return self.method_names(&self.expressions(arguments));
            }
            at = call;
        }
    }

    /// `r.Route("/x", func(r chi.Router) { … })`, `r.Group(func(r chi.Router) { … })`.
    fn group(
        &mut self,
        library: Library,
        operand: Node<'_>,
        arguments: Node<'_>,
        parts: &[Node<'_>],
    ) -> bool {
        let function = parts.last().copied().filter(|last| self.kind(*last) == Kind::FuncLiteral);
        let Some(function) = function.filter(|_| library == Library::Title) else { return false };
        let prefix = if parts.len() > 1 { self.text_literal(parts[0]) } else { Some("") };
        let parent = self.held_router(operand);
        let id = self.b.routes.below(parent, prefix);
        let mark = self.b.routes.mark();
        let parameters = function.child_by_field_id(self.t.fields.parameters);
        let parameter = parameters.and_then(|list| list.named_child(0));
        if let Some(name) = parameter.and_then(|parameter| parameter.child_by_field_id(self.t.fields.name)) {
            self.b.hold_router(self.b.text(name), id);
        }
        self.visit_children_of(arguments);
        self.b.routes.forget(mark);
        true
    }

    /// `r.Mount("/x", other)`, `r.Mount("/x", other())`, `r.Mount("/x", admin.Router())`.
    fn mount(&mut self, operand: Node<'_>, parts: &[Node<'_>]) {
        let [path, child] = parts else { return };
        let (parent, prefix) = (self.held_router(operand), self.text_literal(*path));
        let child = match self.kind(*child) {
            Kind::Call => child.child_by_field_id(self.t.fields.function).unwrap_or(*child),
            _ => *child,
        };
        if !matches!(self.kind(child), Kind::Identifier | Kind::Selector) {
            return;
        }
        let text = self.b.text(child);
        match self.b.held_router(text) {
            Some(id) => self.b.routes.mount(id, parent, prefix, false),
            None => self.b.routes.mount_later(text, child.end_byte(), parent, prefix),
        }
    }

    /// `users.Register(v1)`, `users.Register(r.Group("/users"))`: what the function registers is below that router.
    fn pass_routers(&mut self, callee: Node<'_>, arguments: Node<'_>) {
        if self.b.routes.is_empty() {
            return;
        }
        for argument in self.expressions(arguments) {
            let router = match self.kind(argument) {
                Kind::Identifier => self.b.held_router(self.b.text(argument)),
                Kind::Call => self.group_in_place(argument),
                _ => None,
            };
            if let Some(router) = router {
                self.b.routes.mount_later(self.b.text(callee), callee.end_byte(), Some(router), Some(""));
            }
        }
    }

    /// `r.Group("/users")` as an argument.
    fn group_in_place(&mut self, call: Node<'_>) -> Option<RouterId> {
        let f = &self.t.fields;
        let callee =
            call.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Selector)?;
        let operand = callee.child_by_field_id(f.operand)?;
        if self.b.text(callee.child_by_field_id(f.field)?) != "Group" {
            return None;
        }
        let parent = self.b.held_router(self.b.text(operand))?;
        let arguments = self.expressions(call.child_by_field_id(f.arguments)?);
        let prefix = arguments.first().and_then(|first| self.text_literal(*first));
        Some(self.b.routes.below(Some(parent), prefix))
    }

    /// What a chain of calls begins with.
    fn chain_root<'t>(&self, operand: Node<'t>) -> Node<'t> {
        let f = &self.t.fields;
        let mut at = operand;
        while self.kind(at) == Kind::Call {
            let callee =
                at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Selector);
            match callee.and_then(|callee| callee.child_by_field_id(f.operand)) {
                Some(inner) => at = inner,
                None => break,
            }
        }
        at
    }

    /// A router that a function is given: the function stands for it.
    fn hold_parameter(&mut self, root: Node<'_>) -> Option<RouterId> {
        if self.kind(root) != Kind::Identifier {
            return None;
        }
        let text = self.b.text(root);
        if let Some(held) = self.b.held_router(text) {
            return Some(held);
        }
        let name = self.b.intern(text);
        self.b.local(name)?;
        let maker = self.b.enclosing().next().map(|symbol| self.b.file.names.get(symbol.local).to_owned())?;
        if self.b.held_router(&maker).is_some() {
            return None;
        }
        let id = self.b.routes.router("");
        self.b.hold_router(text, id);
        self.b.hold_router_of_file(&maker, id);
        Some(id)
    }

    /// The router that an expression is; `r.With(middleware)` is `r`.
    fn held_router(&self, operand: Node<'_>) -> Option<RouterId> {
        let f = &self.t.fields;
        let mut at = operand;
        while self.kind(at) == Kind::Call {
            let callee =
                at.child_by_field_id(f.function).filter(|callee| self.kind(*callee) == Kind::Selector)?;
            if self.b.text(callee.child_by_field_id(f.field)?) != "With" {
                return None;
            }
            at = callee.child_by_field_id(f.operand)?;
        }
        self.b.held_router(self.b.text(at))
    }

    /// `v1 := r.Group("/v1")`, `s := r.PathPrefix("/x").Subrouter()`, `r := chi.NewRouter()`.
    pub(super) fn hold_router(&mut self, holder: &str, value: Node<'_>) {
        let f = &self.t.fields;
        let Some(callee) = value.child_by_field_id(f.function).filter(|_| self.kind(value) == Kind::Call)
        else {
            return;
        };
        if self.kind(callee) != Kind::Selector {
            return;
        }
        let (operand, field) = (callee.child_by_field_id(f.operand), callee.child_by_field_id(f.field));
        let (Some(operand), Some(field)) = (operand, field) else { return };
        let role = self.b.text(field);
        if self.router_library(value, role).is_none() {
            return;
        }
        let first = |call: Node<'_>| {
            let arguments = call.child_by_field_id(f.arguments)?;
            self.text_literal(arguments.named_child(0)?)
        };
        let id = match role {
            "Group" => {
                let (parent, prefix) = (self.held_router(operand), first(value));
                let parent = parent.or_else(|| self.hold_parameter(self.chain_root(operand)));
                self.b.routes.below(parent, prefix)
            }
            "Subrouter" => {
                let inner = operand
                    .child_by_field_id(f.function)
                    .and_then(|callee| callee.child_by_field_id(f.operand));
                let (parent, prefix) = (inner.and_then(|inner| self.held_router(inner)), first(operand));
                let parent = parent.or_else(|| self.hold_parameter(self.chain_root(operand)));
                self.b.routes.below(parent, prefix)
            }
            "With" => match self.held_router(operand) {
                Some(id) => id,
                None => return,
            },
            _ => self.b.routes.router(""),
        };
        self.b.hold_router(holder, id);
        // A function that returns a router stands for the first that it makes.
        let maker = self.b.enclosing().next().map(|symbol| self.b.file.names.get(symbol.name).to_owned());
        if let Some(maker) = maker.filter(|maker| self.b.held_router(maker).is_none()) {
            self.b.hold_router_of_file(&maker, id);
        }
    }

    fn text_literal(&self, node: Node<'_>) -> Option<&'s str> {
        matches!(self.kind(node), Kind::String | Kind::RawString).then(|| unquoted(self.b.text(node)))
    }
}
