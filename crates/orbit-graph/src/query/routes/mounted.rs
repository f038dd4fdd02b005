//! The whole paths of routes whose routers are mounted in other files.
//!
//! ```text
//! route ─its router (a reference leads there)─▶ symbol ─where that is mounted─▶ prefix + … + path
//! ```
//!
//! Files say what they mount by references; what those mean is known once all files are resolved, so paths are put together
//! when a question is asked.

use crate::error::GraphError;
use crate::store::file_of_row;
use crate::store::routers::{self, On, Role, RouterRow};
use orbit_extract::{Family, Lang};
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// How many routers may be mounted in each other.
const MOST_LEVELS: usize = 8;
/// How many paths one route may have.
const MOST_PATHS: usize = 16;

/// Stands for a prefix that is not a literal, and for all that stands before it.
pub(super) const OPEN: &str = "…";

/// How routers hang together.
pub(crate) struct Mounts<'c> {
    connection: &'c Connection,
    /// The router that a symbol stands for.
    held: HashMap<i64, Held>,
    /// What a router of a file is mounted on.
    places: HashMap<(u32, u32), Vec<Mount>>,
    /// The routes, with what they are on.
    routes: Vec<(i64, On)>,
}

#[derive(Clone)]
struct Held {
    router: (u32, u32),
    on: On,
    prefix: String,
}

#[derive(Clone)]
struct Mount {
    on: On,
    prefix: String,
    /// The prefix that the router has of its own and that does not count here.
    replaced: Option<String>,
}

/// What stands before the path of a route, and what of its own path that replaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Prefix {
    path: String,
    replaced: Option<String>,
}

impl<'c> Mounts<'c> {
    /// Reads what all files say; `None` when no file has a router.
    pub(crate) fn read(connection: &'c Connection) -> Result<Option<Mounts<'c>>, GraphError> {
        if !routers::are_known(connection)? {
            return Ok(None);
        }
        let rows = routers::rows(connection)?;
        let mut known =
            Mounts { connection, held: HashMap::new(), places: HashMap::new(), routes: Vec::new() };
        for row in &rows {
            match (row.role, row.symbol, row.router) {
                (role, Some(symbol), Some(router)) if role == Role::Held as u8 => {
                    let prefix = row.prefix.clone().unwrap_or_default();
                    let held = Held { router: (row.file, router), on: row.on, prefix };
                    known.held.entry(symbol).or_insert(held);
                }
                (role, Some(symbol), _) if role == Role::Route as u8 => known.routes.push((symbol, row.on)),
                _ => {}
            }
        }
        for row in rows.iter().filter(|row| row.role == Role::Mount as u8) {
            known.mount(row)?;
        }
        Ok(Some(known))
    }

    fn mount(&mut self, row: &RouterRow) -> Result<(), GraphError> {
        let Some(child) = self.child(row)? else { return Ok(()) };
        let prefix = row.prefix.as_deref().unwrap_or(OPEN);
        // What is mounted in its own file already is named by that.
        if child.on != On::Router(child.router.0, child.router.1) || row.on == child.on {
            return Ok(());
        }
        let replaced = row.replaces.then_some(child.prefix);
        let mount = Mount { on: row.on, prefix: prefix.to_owned(), replaced };
        self.places.entry(child.router).or_default().push(mount);
        Ok(())
    }

    /// The router that a mount names.
    fn child(&self, row: &RouterRow) -> Result<Option<Held>, GraphError> {
        if let Some(end) = row.child_at {
            let symbol = routers::meant_at(self.connection, row.file, end)?;
            return Ok(symbol.and_then(|symbol| self.held.get(&symbol)).cloned());
        }
        let Some(module) = &row.child_module else { return Ok(None) };
        let Some(file) = self.file_of_module(row.file, module)? else { return Ok(None) };
        let mut here: Vec<(&i64, &Held)> =
            self.held.iter().filter(|(symbol, _)| file_of_row(**symbol) == file).collect();
        here.sort_by_key(|(symbol, _)| **symbol);
        let is_whole = |held: &&Held| held.on == On::Router(held.router.0, held.router.1);
        let mut whole: Vec<&Held> = here.into_iter().map(|(_, held)| held).filter(is_whole).collect();
        whole.dedup_by_key(|held| held.router);
        Ok(if let [only] = whole[..] { Some(only.clone()) } else { None })
    }

    /// The file of `polls.urls`, or of `./users` beside a file.
    fn file_of_module(&self, from: u32, module: &str) -> Result<Option<u32>, GraphError> {
        let mut path = self.connection.prepare_cached("SELECT path FROM file_rows WHERE id = ?1")?;
        let from: String = path.query_row([from], |row| row.get(0))?;
        let mut by_path = self.connection.prepare_cached("SELECT id FROM file_rows WHERE path = ?1")?;
        if module.starts_with('.') {
            let base = beside(&from, module);
            let ends = ["", ".js", ".ts", ".mjs", ".cjs", ".tsx", "/index.js", "/index.ts"];
            for end in ends {
                let found = by_path.query_row([format!("{base}{end}")], |row| row.get(0)).optional()?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            return Ok(None);
        }
        let tail = format!("{}.py", module.replace('.', "/"));
        let mut by_tail = self.connection.prepare_cached(
            "SELECT id FROM file_rows WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1 LIMIT 2",
        )?;
        let found: Vec<u32> = by_tail.query_map([tail], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(if let [only] = found[..] { Some(only) } else { None })
    }

    /// What stands before what is registered on something.
    fn above(&self, on: On, levels: usize) -> Result<Vec<Prefix>, GraphError> {
        let bare = vec![Prefix::default()];
        if levels == 0 {
            return Ok(bare);
        }
        match on {
            On::Unknown => Ok(bare),
            On::At(file, end) => {
                let symbol = routers::meant_at(self.connection, file, end)?;
                let Some(held) = symbol.and_then(|symbol| self.held.get(&symbol)) else { return Ok(bare) };
                let mut found = self.above(held.on, levels - 1)?;
                for prefix in &mut found {
                    let own = if prefix.replaced.take().is_some() { "" } else { &held.prefix };
                    prefix.path = joined(&prefix.path, own);
                }
                Ok(found)
            }
            On::Router(file, router) => {
                let mut found = Vec::new();
                for mount in self.places.get(&(file, router)).into_iter().flatten() {
                    for above in self.above(mount.on, levels - 1)? {
                        let path = joined(&above.path, &mount.prefix);
                        found.push(Prefix { path, replaced: mount.replaced.clone() });
                    }
                }
                found.truncate(MOST_PATHS);
                Ok(if found.is_empty() { bare } else { found })
            }
        }
    }

    /// Every route with the names that it has by where it is mounted: `GET /api/users/{id}`. Those that are mounted nowhere
    /// have the name of their symbol.
    pub(crate) fn names(&self) -> Result<Vec<(i64, Vec<String>)>, GraphError> {
        let mut names = Vec::new();
        let mut symbol = self.connection.prepare_cached(
            "SELECT s.name, f.lang FROM symbol_rows s JOIN file_rows f ON f.id = s.id >> 22 WHERE s.id = ?1",
        )?;
        for (route, on) in &self.routes {
            let found = symbol.query_row([route], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u8>(1)?)));
            let Some((name, lang)) = found.optional()? else { continue };
            let family = Lang::from_u8(lang).map(Lang::family);
            let is_trimmed = matches!(family, Some(Family::Script | Family::Rust));
            let all = self.above(*on, MOST_LEVELS)?;
            names.push((*route, all.iter().map(|prefix| prefix.before(&name, is_trimmed)).collect()));
        }
        Ok(names)
    }
}

impl Prefix {
    /// The name of a route behind this prefix.
    fn before(&self, name: &str, is_trimmed: bool) -> String {
        let Some((method, path)) = name.split_once(' ') else { return name.to_owned() };
        let own = self.replaced.as_deref().unwrap_or("");
        let path = path.strip_prefix(own.trim_end_matches('/')).unwrap_or(path);
        let whole = match (self.path.trim_end_matches('/'), path) {
            ("", "") => "/".to_owned(),
            ("", path) => path.to_owned(),
            (prefix, "" | "/") if is_trimmed || path.is_empty() => prefix.to_owned(),
            (prefix, path) => joined(prefix, path),
        };
        let slash = if whole.starts_with(['/', '^', '*', '(', '\\', '…']) { "" } else { "/" };
        format!("{method} {slash}{whole}")
    }
}

/// A prefix and a path with one slash between them.
fn joined(prefix: &str, path: &str) -> String {
    match (prefix.trim_end_matches('/'), path) {
        (_, path) if path.starts_with(OPEN) => path.to_owned(),
        (prefix, "" | "/") => prefix.to_owned() + if prefix.is_empty() { "" } else { path },
        ("", path) => path.to_owned(),
        (prefix, path) if path.starts_with('/') => format!("{prefix}{path}"),
        (prefix, path) => format!("{prefix}/{path}"),
    }
}

/// `./users` and `../users` as a path of the repository.
fn beside(from: &str, module: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in module.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_goes_before_the_path_of_a_route() {
        let prefix = |path: &str, replaced: Option<&str>| Prefix {
            path: path.to_owned(),
            replaced: replaced.map(str::to_owned),
        };
        for (before, name, is_trimmed, whole) in [
            (prefix("", None), "GET /x", false, "GET /x"),
            (prefix("/api", None), "GET /x", false, "GET /api/x"),
            (prefix("/api", None), "GET /", false, "GET /api/"),
            (prefix("/api", None), "GET /", true, "GET /api"),
            (prefix("polls/", None), "ANY /<int:id>/", false, "ANY /polls/<int:id>/"),
            (prefix("/v2", Some("/own")), "GET /own/x", false, "GET /v2/x"),
            (prefix("…", None), "GET /x", false, "GET …/x"),
        ] {
            assert_eq!(before.before(name, is_trimmed), whole);
        }
    }

    #[test]
    fn a_module_is_named_from_where_it_is_mounted() {
        assert_eq!(beside("src/app.js", "./routes/users"), "src/routes/users");
        assert_eq!(beside("src/web/app.js", "../users.js"), "src/users.js");
    }
}
