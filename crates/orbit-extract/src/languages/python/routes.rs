//! Routes of Flask and its kin, `FastAPI` and Django.

use super::{Kind, Python};
use crate::builder::Walk;
use crate::builder::{Joins, RouterId, verb};
use crate::{Mounted, ScopeId};
use tree_sitter::Node;

/// Packages whose applications and routers have decorators for routes.
const FRAMEWORKS: [&str; 10] = [
    "flask",
    "quart",
    "fastapi",
    "starlette",
    "sanic",
    "bottle",
    "apiflask",
    "flask_openapi3",
    "litestar",
    "robyn",
];

/// Their classes that routes are registered on.
const ROUTERS: [&str; 9] =
    ["Flask", "Quart", "FastAPI", "Starlette", "Blueprint", "APIBlueprint", "APIRouter", "Sanic", "Bottle"];

impl<'s> Python<'s> {
    /// `@app.route("/x", methods=[…])`, `@router.get("/x")`: the function under it is the handler.
    pub(super) fn routes_of_function(&mut self, function: ScopeId, name: Node<'_>, decorators: &[Node<'_>]) {
        for decorator in decorators {
            let Some(call) = decorator.named_child(0).filter(|inner| self.kind(*inner) == Kind::Call) else {
                continue;
            };
            let Some((object, role)) = self.receiver_and_method(call) else { continue };
            let Some(arguments) = call.child_by_field_id(self.t.fields.arguments) else { continue };
            let Some(methods) = self.route_methods(role, arguments) else { continue };
            let Some(path) = self.route_path(arguments) else { continue };
            let receiver = self.expr_of(object, 0);
            let is_framework = match self.b.origin(receiver) {
                Some(origin) if is_framework(&origin.module) => true,
                // What another file made is a router when it decorates a function with a path.
                _ => path.starts_with('/') && self.kind(object) != Kind::Call,
            };
            if !is_framework {
                continue;
            }
            let router = self.b.held_router(self.b.text(object));
            for method in methods {
                let route = self.b.route(*decorator, router, &method, path, Joins::Whole);
                self.b.routes.registered_at(&[route], object.end_byte());
                self.b.handled_by(route, function, name);
            }
        }
    }

    /// `app = Flask(__name__)`, `bp = Blueprint("x", __name__, url_prefix="/x")`, `router = APIRouter(prefix="/x")`.
    pub(super) fn router_of_assignment(
        &mut self,
        left: Option<Node<'_>>,
        right: Node<'_>,
    ) -> Option<RouterId> {
        let holder = left.filter(|left| matches!(self.kind(*left), Kind::Identifier | Kind::Attribute))?;
        let holder = self.b.text(holder);
        if matches!(self.kind(right), Kind::List | Kind::Binary) && self.imports_from("django") {
            let id = self.b.routes.router("");
            self.b.hold_router(holder, id);
            return Some(id);
        }
        if self.kind(right) != Kind::Call {
            return None;
        }
        let made = self.expr_of(right, 0);
        let origin = self.b.origin(made).filter(|origin| is_framework(&origin.module))?;
        if !ROUTERS.iter().any(|class| origin.has(class)) {
            return None;
        }
        let prefix = ["url_prefix", "prefix"].into_iter().find_map(|key| self.call_keyword(right, key));
        let id = self.b.routes.router(prefix.unwrap_or(""));
        self.b.hold_router(holder, id);
        None
    }

    /// `app.register_blueprint(bp, url_prefix="/x")`, `app.include_router(router, prefix="/x")`, `app.mount("/x", other)`.
    pub(super) fn mount_of_call(&mut self, call: Node<'_>) {
        let Some((object, role)) = self.receiver_and_method(call) else { return };
        if !matches!(role, "register_blueprint" | "include_router" | "mount") {
            return;
        }
        let Some(arguments) = call.child_by_field_id(self.t.fields.arguments) else { return };
        let parent = self.b.held_router(self.b.text(object));
        let is_mount = role == "mount";
        if is_mount && parent.is_none() {
            return;
        }
        let Some(child) = positional(arguments, usize::from(is_mount)) else { return };
        let given = if is_mount {
            positional(arguments, 0)
        } else {
            ["url_prefix", "prefix"].into_iter().find_map(|key| self.keyword(arguments, key))
        };
        let prefix = match given {
            Some(given) => self.literal_or_empty(given),
            None => Some(""),
        };
        let replaces = given.is_some() && role == "register_blueprint";
        if let Some(child) = self.b.held_router(self.b.text(child)) {
            self.b.routes.mount(child, parent, prefix, replaces);
            self.b.routes.mounted_at(child, object.end_byte() as u32);
        } else if matches!(self.kind(child), Kind::Identifier | Kind::Attribute) {
            let child = Mounted::At(child.end_byte() as u32);
            self.b.routes.mount_elsewhere(child, parent, Some(object.end_byte()), prefix, replaces);
        }
    }

    /// `app.add_url_rule("/x", view_func=f)`, `app.add_api_route("/x", f)`, and `path("x/", view)` of Django: reads the
    /// arguments, too.
    pub(super) fn route_of_call(&mut self, call: Node<'_>) -> bool {
        let Some(arguments) = call.child_by_field_id(self.t.fields.arguments) else { return false };
        let Some(callee) = call.child_by_field_id(self.t.fields.function) else { return false };
        let expr = self.expr_of(callee, 0);
        let Some(origin) = self.b.origin(expr) else { return false };
        if origin.module.starts_with("django.") {
            return self.django_path(call, arguments, origin.path.last().map_or("", String::as_str));
        }
        let role = self.receiver_and_method(call).map_or("", |(_, role)| role);
        if !is_framework(&origin.module) || !matches!(role, "add_url_rule" | "add_api_route") {
            return false;
        }
        let methods = self.methods_keyword(arguments).unwrap_or_else(|| vec!["GET".to_owned()]);
        let Some(path) = self.route_path(arguments) else { return false };
        let place = if role == "add_url_rule" { 2 } else { 1 };
        let handler = ["view_func", "endpoint"].into_iter().find_map(|key| self.keyword(arguments, key));
        let handler =
            handler.filter(|node| self.kind(*node) != Kind::String).or_else(|| positional(arguments, place));
        let object = callee.child_by_field_id(self.t.fields.object);
        let on = object.and_then(|object| self.b.held_router(self.b.text(object)));
        let routes: Vec<ScopeId> =
            methods.iter().map(|method| self.b.route(call, on, method, path, Joins::Whole)).collect();
        if let Some(object) = object {
            self.b.routes.registered_at(&routes, object.end_byte());
        }
        self.registered_view(&routes, arguments, handler);
        true
    }

    /// `path("x/", view)`, `re_path("^x/$", view)`, `path("x/", include([…]))`.
    fn django_path(&mut self, call: Node<'_>, arguments: Node<'_>, role: &str) -> bool {
        if !matches!(role, "path" | "re_path" | "url") {
            return false;
        }
        let path = self.keyword(arguments, "route").or_else(|| positional(arguments, 0));
        let Some(path) = path.and_then(|path| self.literal_or_empty(path)) else { return false };
        let view = self.keyword(arguments, "view").or_else(|| positional(arguments, 1));
        let Some(view) = view else { return false };
        let outer = self.list_router;
        let included =
            (self.kind(view) == Kind::Call).then(|| view.child_by_field_id(self.t.fields.function));
        if included.flatten().is_some_and(|callee| self.b.text(callee) == "include") {
            let prefix = (role == "path").then_some(path);
            let list = view.child_by_field_id(self.t.fields.arguments).and_then(|list| positional(list, 0));
            let list =
                list.and_then(
                    |list| if self.kind(list) == Kind::Tuple { list.named_child(0) } else { Some(list) },
                );
            match list {
                Some(list) if self.kind(list) == Kind::Identifier => {
                    self.b.routes.mount_later(self.b.text(list), list.end_byte(), outer, prefix);
                    self.visit_children_of(arguments);
                }
                Some(list) if self.kind(list) == Kind::Attribute => {
                    let child = Mounted::At(list.end_byte() as u32);
                    self.b.routes.mount_elsewhere(child, outer, None, prefix, false);
                    self.visit_children_of(arguments);
                }
                // `include("polls.urls")` takes the list of another module.
                Some(list) if let Some(module) = self.literal_or_empty(list) => {
                    let child = Mounted::Module(module.into());
                    self.b.routes.mount_elsewhere(child, outer, None, prefix, false);
                    self.visit_children_of(arguments);
                }
                _ => {
                    self.list_router = Some(self.b.routes.below(outer, prefix));
                    self.visit_children_of(arguments);
                    self.list_router = outer;
                }
            }
            return true;
        }
        let route = self.b.route(call, outer, "ANY", path, Joins::Whole);
        self.registered_view(&[route], arguments, Some(view));
        true
    }

    /// Reads the arguments of a registration; a class is handled by what `as_view` makes of it.
    fn registered_view(&mut self, routes: &[ScopeId], arguments: Node<'_>, handler: Option<Node<'_>>) {
        let mark = self.b.mark();
        self.visit_children_of(arguments);
        let handler = handler.map(|handler| {
            let class = (self.kind(handler) == Kind::Call).then(|| {
                handler.child_by_field_id(self.t.fields.function)?.child_by_field_id(self.t.fields.object)
            });
            class.flatten().unwrap_or(handler)
        });
        self.b.registered(routes, mark, arguments, handler.as_slice());
    }

    /// The methods that a decorator is for.
    fn route_methods(&self, role: &str, arguments: Node<'_>) -> Option<Vec<String>> {
        let of_list = || Some(self.methods_keyword(arguments).unwrap_or_else(|| vec!["GET".to_owned()]));
        match role {
            "route" | "api_route" => of_list(),
            "websocket" => Some(vec!["WEBSOCKET".to_owned()]),
            _ if role.chars().all(char::is_lowercase) => Some(vec![verb(role)?.to_owned()]),
            _ => None,
        }
    }

    /// `methods=["GET", "POST"]`; `ANY` when the list is not written there.
    fn methods_keyword(&self, arguments: Node<'_>) -> Option<Vec<String>> {
        let list = self.keyword(arguments, "methods")?;
        let mut cursor = list.walk();
        let methods: Option<Vec<String>> =
            list.named_children(&mut cursor).map(|item| Some(self.literal(item)?.to_uppercase())).collect();
        Some(methods.filter(|methods| !methods.is_empty()).unwrap_or_else(|| vec!["ANY".to_owned()]))
    }

    fn route_path(&self, arguments: Node<'_>) -> Option<&'s str> {
        let named = ["path", "rule"].into_iter().find_map(|key| self.keyword(arguments, key));
        self.literal_or_empty(named.or_else(|| positional(arguments, 0))?)
    }

    /// The text of a plain string, which may be empty or raw.
    fn literal_or_empty(&self, node: Node<'_>) -> Option<&'s str> {
        if self.kind(node) != Kind::String {
            return None;
        }
        let mut cursor = node.walk();
        if node.named_children(&mut cursor).any(|child| child.kind() == "interpolation") {
            return None;
        }
        let text = self.b.text(node).trim_start_matches(['r', 'R', 'b', 'u', 'f']);
        Some(text.trim_matches(['"', '\'']))
    }

    fn receiver_and_method<'t>(&self, call: Node<'t>) -> Option<(Node<'t>, &'s str)> {
        let callee = call.child_by_field_id(self.t.fields.function)?;
        if self.kind(callee) != Kind::Attribute {
            return None;
        }
        let object = callee.child_by_field_id(self.t.fields.object)?;
        Some((object, self.b.text(callee.child_by_field_id(self.t.fields.attribute)?)))
    }

    fn imports_from(&self, package: &str) -> bool {
        self.b
            .file
            .imports
            .iter()
            .any(|import| self.b.file.names.get(import.module).split('.').next() == Some(package))
    }
}

fn is_framework(module: &str) -> bool {
    module.split('.').next().is_some_and(|package| FRAMEWORKS.contains(&package))
}

/// The argument at a place, those with names aside.
fn positional(arguments: Node<'_>, at: usize) -> Option<Node<'_>> {
    let mut cursor = arguments.walk();
    let mut plain = arguments
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "keyword_argument" && !child.is_extra());
    plain.nth(at)
}
