//! HTTP routes: symbols that a web framework calls by a method and a path.
//!
//! A language module reports routers (applications, blueprints, groups), what is registered on them, and where one is
//! mounted under another. Names are made when the file is done, because a router is often mounted behind its routes. A
//! prefix that is not a literal of this file is left out: the path is then kept as it is written.

use super::{Builder, end_line, line, span};
use crate::text::one_line;
use crate::{Expr, ExprId, RawRef, RawSymbol, RefKind, ScopeId, Span, SymbolKind};
use tree_sitter::Node;

/// How far names are followed to where their values come from.
const MAX_STEPS: u32 = 24;

/// A router in [`Routes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RouterId(usize);

struct Router {
    prefix: String,
    mounts: Vec<Mount>,
}

struct Mount {
    parent: Option<RouterId>,
    /// `None` when it is not a literal.
    prefix: Option<String>,
    /// It stands for the prefix that the router has of its own.
    replaces: bool,
}

struct Pending {
    symbol: usize,
    router: Option<RouterId>,
    method: String,
    path: String,
    joins: Joins,
}

/// What becomes of a slash where a prefix and a path meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joins {
    /// The path is put behind the prefix as it is.
    Whole,
    /// The path `/` behind a prefix is the prefix.
    Trimmed,
}

/// The routers and routes of one file while it is read.
#[derive(Default)]
pub(crate) struct Routes {
    routers: Vec<Router>,
    /// Where a name is visible, the name, and the router that it stands for.
    holders: Vec<(String, String, RouterId)>,
    later: Vec<(String, Mount)>,
    pending: Vec<Pending>,
}

impl Routes {
    /// A router with a prefix of its own, which may be empty.
    pub(crate) fn router(&mut self, prefix: &str) -> RouterId {
        self.routers.push(Router { prefix: prefix.to_owned(), mounts: Vec::new() });
        RouterId(self.routers.len() - 1)
    }

    /// A router below another.
    pub(crate) fn below(&mut self, parent: Option<RouterId>, prefix: Option<&str>) -> RouterId {
        let id = self.router("");
        self.mount(id, parent, prefix, false);
        id
    }

    /// Puts a router below another one or below the application.
    pub(crate) fn mount(
        &mut self,
        id: RouterId,
        parent: Option<RouterId>,
        prefix: Option<&str>,
        replaces: bool,
    ) {
        if parent != Some(id) {
            self.routers[id.0].mounts.push(Mount { parent, prefix: prefix.map(str::to_owned), replaces });
        }
    }

    /// The same for what a name of the file stands for when it is done.
    pub(crate) fn mount_later(&mut self, holder: &str, parent: Option<RouterId>, prefix: Option<&str>) {
        let mount = Mount { parent, prefix: prefix.map(str::to_owned), replaces: false };
        self.later.push((holder.to_owned(), mount));
    }

    /// How many names are known: a mark for [`Routes::forget`].
    pub(crate) fn mark(&self) -> usize {
        self.holders.len()
    }

    /// Forgets names that were given since a mark.
    pub(crate) fn forget(&mut self, mark: usize) {
        self.holders.truncate(mark);
    }

    fn full(&self, id: RouterId, depth: usize) -> String {
        let router = &self.routers[id.0];
        match router.mounts.as_slice() {
            [Mount { parent, prefix: Some(prefix), replaces }] if depth < 12 => {
                let above = parent.map_or(String::new(), |parent| self.full(parent, depth + 1));
                let own = if *replaces { "" } else { &router.prefix };
                joined(&joined(&above, prefix, Joins::Trimmed), own, Joins::Trimmed)
            }
            _ => router.prefix.clone(),
        }
    }
}

/// A prefix and a path with one slash between them.
fn joined(prefix: &str, path: &str, joins: Joins) -> String {
    let prefix = prefix.trim_end_matches('/');
    match path {
        "" => prefix.to_owned(),
        "/" if joins == Joins::Trimmed && !prefix.is_empty() => prefix.to_owned(),
        _ if prefix.is_empty() => path.to_owned(),
        _ if path.starts_with('/') => format!("{prefix}{path}"),
        _ => format!("{prefix}/{path}"),
    }
}

/// Where a value comes from: an import, and the names behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The module as it is imported.
    pub(crate) module: String,
    /// What is taken from it, and then members and calls of that, outermost last.
    pub(crate) path: Vec<String>,
}

impl Origin {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path.iter().any(|part| part == name)
    }
}

impl Builder<'_> {
    /// The name stands for a router from now on, as far as the symbol round here goes.
    pub(crate) fn hold_router(&mut self, name: &str, id: RouterId) {
        let here = self.path_here().to_owned();
        self.routes.holders.push((here, name.to_owned(), id));
    }

    /// The function or method round here stands for a router.
    pub(crate) fn hold_router_of_file(&mut self, name: &str, id: RouterId) {
        self.routes.holders.push((String::new(), name.to_owned(), id));
    }

    /// The router that a name stands for here.
    pub(crate) fn held_router(&self, name: &str) -> Option<RouterId> {
        let here = self.path_here();
        let is_seen =
            |at: &str| here.strip_prefix(at).is_some_and(|rest| at.is_empty() || !rest.starts_with('_'));
        let mut holders = self.routes.holders.iter().rev();
        holders.find(|(at, held, _)| held == name && is_seen(at)).map(|(.., id)| *id)
    }

    /// Records a route that `at` registers.
    pub(crate) fn route(
        &mut self,
        at: Node<'_>,
        router: Option<RouterId>,
        method: &str,
        path: &str,
        joins: Joins,
    ) -> ScopeId {
        self.route_at(span(at), (line(at), end_line(at)), router, method, path, joins)
    }

    /// The same for a registration that is not a node of its own.
    pub(crate) fn route_at(
        &mut self,
        span: Span,
        lines: (u32, u32),
        router: Option<RouterId>,
        method: &str,
        path: &str,
        joins: Joins,
    ) -> ScopeId {
        let text = self.source.get(span.start as usize..span.end as usize).unwrap_or("");
        let first = text.lines().next().unwrap_or("").trim_end_matches(['{', ' ']);
        let (signature, name) = (Some(one_line(first)), self.intern(""));
        self.file.symbols.push(RawSymbol {
            name,
            local: name,
            overload: 0,
            kind: SymbolKind::Route,
            parent: self.scope(),
            span,
            line: lines.0,
            end_line: lines.1,
            signature,
            ty: None,
            params: None,
            type_params: None,
            receiver: None,
            decorators: None,
            inactive: false,
            condition: None,
            known_as: None,
            is_virtual: false,
            bodiless: false,
            exported: false,
        });
        let symbol = self.file.symbols.len() - 1;
        let (method, path) = (method.to_owned(), path.to_owned());
        self.routes.pending.push(Pending { symbol, router, method, path, joins });
        ScopeId::of_symbol(symbol)
    }

    /// A route is handled by the function that is defined under it.
    pub(crate) fn handled_by(&mut self, route: ScopeId, handler: ScopeId, name: Node<'_>) {
        let Some(index) = handler.symbol() else { return };
        let base = Some(self.expr(Expr::Own(index as u32)));
        let (span, line, name) = (span(name), line(name), self.name(name));
        let kind = RefKind::Call;
        self.file.refs.push(RawRef { defines: true, ..RawRef::new(span, line, name, kind, base, route) });
    }

    /// What was found since `mark` inside of `part` belongs to the route, which calls what ends where one of the
    /// `handlers` does. Further routes of the same registration call the same.
    pub(crate) fn registered(
        &mut self,
        routes: &[ScopeId],
        mark: usize,
        part: Node<'_>,
        handlers: &[Node<'_>],
    ) {
        let Some((route, others)) = routes.split_first() else { return };
        let (outer, part) = (self.scope(), span(part));
        let ends: Vec<u32> = handlers.iter().map(|handler| handler.end_byte() as u32).collect();
        for at in mark..self.file.refs.len() {
            let row = &mut self.file.refs[at];
            if row.scope != outer || row.span.start < part.start || row.span.end > part.end {
                continue;
            }
            row.scope = *route;
            if row.kind == RefKind::Value && ends.contains(&row.span.end) {
                row.kind = RefKind::Call;
                let row = *row;
                self.file.refs.extend(others.iter().map(|scope| RawRef {
                    scope: *scope,
                    defines: true,
                    ..row
                }));
            }
        }
    }

    /// Gives the routes their names, when all prefixes are known.
    pub(crate) fn name_routes(&mut self) {
        let mut routes = std::mem::take(&mut self.routes);
        for (holder, mount) in std::mem::take(&mut routes.later) {
            let found = routes.holders.iter().rev().find(|(_, held, _)| *held == holder).map(|(.., id)| *id);
            if let Some(id) = found.filter(|id| mount.parent != Some(*id)) {
                routes.routers[id.0].mounts.push(mount);
            }
        }
        for route in &routes.pending {
            let prefix = route.router.map_or(String::new(), |router| routes.full(router, 0));
            let path = joined(&prefix, &route.path, route.joins);
            let is_bare = !path.starts_with(['/', '^', '*', '(', '\\']);
            let slash = if is_bare { "/" } else { "" };
            let name = self.intern(&format!("{} {slash}{path}", route.method));
            let overload = self.overload_of(name);
            let symbol = &mut self.file.symbols[route.symbol];
            (symbol.name, symbol.local, symbol.overload) = (name, name, overload);
        }
    }

    /// Where a value comes from, through variables, parameters and fields whose types or values are written here.
    pub(crate) fn origin(&self, expr: ExprId) -> Option<Origin> {
        self.origin_within(expr, MAX_STEPS)
    }

    fn origin_within(&self, expr: ExprId, steps: u32) -> Option<Origin> {
        let steps = steps.checked_sub(1)?;
        match self.file.exprs[expr.0 as usize] {
            Expr::Name(name) => self.origin_of_name(name, steps),
            Expr::Member(base, name) => {
                if let Expr::This = self.file.exprs[base.0 as usize] {
                    return self.origin_of_field(name, steps);
                }
                let mut origin = self.origin_within(base, steps)?;
                origin.path.push(self.file.names.get(name).to_owned());
                Some(origin)
            }
            Expr::Call(inner)
            | Expr::Instance(inner)
            | Expr::With(inner, _)
            | Expr::Giving(inner, _)
            | Expr::Generic(inner, _)
            | Expr::Apply(inner, _)
            | Expr::Element(inner) => self.origin_within(inner, steps),
            _ => None,
        }
    }

    fn origin_of_name(&self, name: crate::NameId, steps: u32) -> Option<Origin> {
        let import = self.file.imports.iter().rev().find(|import| import.binds == Some(name));
        if let Some(import) = import {
            let module = self.file.names.get(import.module).to_owned();
            let path = import.symbol.iter().map(|symbol| self.file.names.get(*symbol).to_owned()).collect();
            return Some(Origin { module, path });
        }
        let is_value = |kind| matches!(kind, SymbolKind::Variable | SymbolKind::Const | SymbolKind::Static);
        let symbols = self.file.symbols.iter().rev();
        let ty = symbols
            .filter(|symbol| symbol.name == name && is_value(symbol.kind))
            .find_map(|symbol| symbol.ty);
        self.origin_within(ty?, steps)
    }

    fn origin_of_field(&self, name: crate::NameId, steps: u32) -> Option<Origin> {
        let is_field = |kind| matches!(kind, SymbolKind::Field | SymbolKind::Property);
        let symbols = self.file.symbols.iter().rev();
        let ty = symbols
            .filter(|symbol| symbol.name == name && is_field(symbol.kind))
            .find_map(|symbol| symbol.ty);
        self.origin_within(ty?, steps)
    }
}

/// The method that a function of a framework stands for, in whatever case: `get`, `Get`, `GET`.
pub(crate) fn verb(name: &str) -> Option<&'static str> {
    const VERBS: [&str; 9] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT"];
    VERBS.into_iter().find(|verb| verb.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_paths_meet_in_one_slash() {
        for (prefix, path, joins, whole) in [
            ("", "/x", Joins::Whole, "/x"),
            ("/api", "/x", Joins::Whole, "/api/x"),
            ("/api/", "x", Joins::Whole, "/api/x"),
            ("/api", "/", Joins::Whole, "/api/"),
            ("/api", "/", Joins::Trimmed, "/api"),
            ("/api", "", Joins::Whole, "/api"),
        ] {
            assert_eq!(joined(prefix, path, joins), whole);
        }
    }
}
