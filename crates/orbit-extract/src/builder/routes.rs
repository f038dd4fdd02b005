//! HTTP routes: symbols that a web framework calls by a method and a path.
//!
//! A language module reports routers (applications, blueprints, groups), what is registered on them, and where one is
//! mounted under another. Names are made when the file is done, because a router is often mounted behind its routes. A
//! prefix that is not a literal of this file is left out: the path is then kept as it is written, and [`RawRouter`] says how
//! it goes on in other files.

use super::{Builder, end_line, line, span};
use crate::text::one_line;
use crate::{Expr, RawRef, RawSymbol, RefKind, ScopeId, Span, SymbolKind};
use crate::{Mounted, RawRouter, RouterName};
use tree_sitter::Node;

/// A router in [`Routes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RouterId(usize);

struct Router {
    prefix: String,
    mounts: Vec<Mount>,
}

#[derive(Clone)]
struct Mount {
    parent: Option<RouterId>,
    /// Where the name of the parent ends, when it is not a router of this file.
    parent_at: Option<u32>,
    /// `None` when it is not a literal.
    prefix: Option<String>,
    /// It stands for the prefix that the router has of its own.
    replaces: bool,
}

/// A mount of what another name stands for.
struct Later {
    /// What the name is, where it may be one of this file.
    holder: Option<String>,
    child: Mounted,
    mount: Mount,
}

struct Pending {
    symbol: usize,
    router: Option<RouterId>,
    /// Where the name of the router ends, when it is not one of this file.
    at: Option<u32>,
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
    later: Vec<Later>,
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
            let prefix = prefix.map(str::to_owned);
            self.routers[id.0].mounts.push(Mount { parent, parent_at: None, prefix, replaces });
        }
    }

    /// Says where the name of what the last mount of a router is below ends: it is not a router of this file.
    pub(crate) fn mounted_at(&mut self, id: RouterId, parent_at: u32) {
        if let Some(mount) = self.routers[id.0].mounts.last_mut().filter(|mount| mount.parent.is_none()) {
            mount.parent_at = Some(parent_at);
        }
    }

    /// The same for what a name, which ends at `at`, stands for when the file is done; or for what it means in another file.
    pub(crate) fn mount_later(
        &mut self,
        holder: &str,
        at: usize,
        parent: Option<RouterId>,
        prefix: Option<&str>,
    ) {
        let (parent_at, prefix) = (None, prefix.map(str::to_owned));
        let mount = Mount { parent, parent_at, prefix, replaces: false };
        self.later.push(Later { holder: Some(holder.to_owned()), child: Mounted::At(at as u32), mount });
    }

    /// Mounts what is made in another file on a router of this file, or on one whose name ends at a byte.
    pub(crate) fn mount_elsewhere(
        &mut self,
        child: Mounted,
        parent: Option<RouterId>,
        parent_at: Option<usize>,
        prefix: Option<&str>,
        replaces: bool,
    ) {
        let parent_at = parent_at.map(|at| at as u32).filter(|_| parent.is_none());
        let mount = Mount { parent, parent_at, prefix: prefix.map(str::to_owned), replaces };
        self.later.push(Later { holder: None, child, mount });
    }

    /// Says where the name of the router of the last routes ends: it is not one of this file.
    pub(crate) fn registered_at(&mut self, routes: &[ScopeId], at: usize) {
        for route in self.pending.iter_mut().rev().take(routes.len()) {
            if route.router.is_none() {
                route.at = Some(at as u32);
            }
        }
    }

    /// Whether a name may stand for a router.
    pub(crate) fn is_empty(&self) -> bool {
        self.holders.is_empty()
    }

    /// How many names are known: a mark for [`Routes::forget`].
    pub(crate) fn mark(&self) -> usize {
        self.holders.len()
    }

    /// Forgets names that were given since a mark.
    pub(crate) fn forget(&mut self, mark: usize) {
        self.holders.truncate(mark);
    }

    /// The path of a router from what it is below, as far as this file says, and what that is.
    fn full(&self, id: RouterId, depth: usize) -> (RouterName, String) {
        let router = &self.routers[id.0];
        match router.mounts.as_slice() {
            [Mount { parent, parent_at, prefix: Some(prefix), replaces }] if depth < 12 => {
                let (on, above) = match parent {
                    Some(parent) => self.full(*parent, depth + 1),
                    None => (parent_at.map_or(RouterName::Here(id.0 as u32), RouterName::At), String::new()),
                };
                let own = if *replaces { "" } else { &router.prefix };
                (on, joined(&joined(&above, prefix, Joins::Trimmed), own, Joins::Trimmed))
            }
            _ => (RouterName::Here(id.0 as u32), router.prefix.clone()),
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
        self.routes.pending.push(Pending { symbol, router, at: None, method, path, joins });
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
        for Later { holder, child, mount } in std::mem::take(&mut routes.later) {
            let is_holder = |(_, held, _): &&(String, String, RouterId)| Some(held) == holder.as_ref();
            let found = routes.holders.iter().rev().find(is_holder).map(|(.., id)| *id);
            match found {
                Some(id) if mount.parent != Some(id) => routes.routers[id.0].mounts.push(mount),
                Some(_) => {}
                None => self.mounted_elsewhere(&routes, child, mount),
            }
        }
        self.hold_symbols(&routes);
        for route in &routes.pending {
            let (on, prefix) = match (route.router, route.at) {
                (Some(made), _) => routes.full(made, 0),
                (None, at) => (at.map_or(RouterName::Unknown, RouterName::At), String::new()),
            };
            let path = joined(&prefix, &route.path, route.joins);
            let is_bare = !path.starts_with(['/', '^', '*', '(', '\\']);
            let slash = if is_bare { "/" } else { "" };
            let name = self.intern(&format!("{} {slash}{path}", route.method));
            let overload = self.overload_of(name);
            let symbol = &mut self.file.symbols[route.symbol];
            (symbol.name, symbol.local, symbol.overload) = (name, name, overload);
            if on != RouterName::Unknown {
                self.file.routers.push(RawRouter::Route { symbol: route.symbol as u32, on });
            }
        }
    }

    fn mounted_elsewhere(&mut self, routes: &Routes, child: Mounted, mount: Mount) {
        let (on, above) = match (mount.parent, mount.parent_at) {
            (Some(parent), _) => routes.full(parent, 0),
            (None, at) => (at.map_or(RouterName::Unknown, RouterName::At), String::new()),
        };
        let prefix = mount.prefix.map(|prefix| joined(&above, &prefix, Joins::Trimmed).into());
        self.file.routers.push(RawRouter::Mount { child, on, prefix, replaces: mount.replaces });
    }

    /// Tells which symbols stand for routers.
    fn hold_symbols(&mut self, routes: &Routes) {
        let separator = self.separator;
        for (here, name, id) in &routes.holders {
            let path = if here.is_empty() { name.clone() } else { format!("{here}{separator}{name}") };
            let is_it = |symbol: &RawSymbol| self.file.names.get(symbol.local) == path;
            let Some(symbol) = self.file.symbols.iter().position(is_it) else { continue };
            let (on, prefix) = routes.full(*id, 0);
            let (symbol, prefix) = (symbol as u32, prefix.into());
            self.file.routers.push(RawRouter::Held { router: id.0 as u32, symbol, on, prefix });
        }
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
