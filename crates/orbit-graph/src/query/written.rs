//! Names as they are written in code, where no definition has them as its own: handed on by a module (`flask.Flask`,
//! `tokio::spawn`), inherited (`Session.rebuild_auth`), behind the type that an extension is for (`String.shout`), or behind the
//! name of a package or directory (`React.useState`).

use super::names::{is_tail, parts};
use super::symbol::{self, Symbol, is_test};
use crate::error::GraphError;
use crate::layout::Manifest;
use crate::store::stored::Stored;
use orbit_extract::{Family, Lang, RelationKind, SymbolKind, unnumbered};
use rusqlite::{Connection, params};
use std::collections::{BTreeSet, HashSet};

/// What a written name leads to.
pub(crate) struct Written {
    /// At least one.
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) through: Through,
}

/// How it leads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Through {
    /// A module that imports it, or the type that has it, and hands it on.
    Module,
    /// A supertype that defines it.
    Supertype,
    /// A package or directory that it is somewhere in.
    Place,
}

/// What is meant by a name of several parts.
pub(crate) fn find(connection: &Connection, text: &str) -> Result<Option<Written>, GraphError> {
    // The last part of a path is no name.
    if Lang::of_path(text).is_some() {
        return Ok(None);
    }
    lookup(connection, &parts(text))
}

fn lookup(connection: &Connection, written: &[&str]) -> Result<Option<Written>, GraphError> {
    let Some((name, prefix)) = written.split_last().filter(|(_, prefix)| !prefix.is_empty()) else {
        return Ok(None);
    };
    for way in [handed_on, members, extensions, in_place] {
        let (mut symbols, through) = way(connection, prefix, name)?;
        let is_code = |symbol: &Symbol| !is_test(&symbol.address.path, symbol.address.kind);
        if symbols.iter().any(is_code) {
            symbols.retain(is_code);
        }
        if !symbols.is_empty() {
            return Ok(Some(Written { symbols, through }));
        }
    }
    Ok(None)
}

/// What was found, and how.
type Found = (Vec<Symbol>, Through);

/// What the modules of a name have or hand on under a name: those of exactly this name, else of a name that ends so.
fn handed_on(connection: &Connection, prefix: &[&str], name: &str) -> Result<Found, GraphError> {
    let mut exports = Exports { connection, seen: HashSet::new(), found: BTreeSet::new() };
    for files in modules(connection, prefix)? {
        for file in files {
            exports.collect(file, name)?;
        }
        if !exports.found.is_empty() {
            break;
        }
    }
    Ok((read(connection, exports.found)?, Through::Module))
}

/// The files that are a module of exactly this name, and those of a name that ends so. `src/index` is `src` as well.
fn modules(connection: &Connection, prefix: &[&str]) -> Result<[Vec<i64>; 2], GraphError> {
    let mut statement = connection
        .prepare_cached("SELECT id, module, lang FROM file_rows WHERE module <> '' ORDER BY path")?;
    let mut rows = statement.query([])?;
    let (mut exact, mut ending) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let Stored(lang): Stored<Lang> = row.get(2)?;
        let module: String = row.get(1)?;
        let mut own = parts(&module);
        if lang.family() == Family::Script && own.last() == Some(&"index") {
            own.pop();
        }
        if lang.family() == Family::Prose || !own.ends_with(prefix) {
            continue;
        }
        let same = own.len() == prefix.len();
        if same { &mut exact } else { &mut ending }.push(row.get(0)?);
    }
    Ok([exact, ending])
}

/// Follows imports that hand a name on.
struct Exports<'c> {
    connection: &'c Connection,
    seen: HashSet<(i64, String)>,
    found: BTreeSet<i64>,
}

impl Exports<'_> {
    /// Adds what a file defines under a name, else what it hands on by this name, else what comes with everything of
    /// another file.
    fn collect(&mut self, file: i64, name: &str) -> Result<(), GraphError> {
        if !self.seen.insert((file, name.to_owned())) {
            return Ok(());
        }
        let own = self.defined(file, name)?;
        if !own.is_empty() {
            self.found.extend(own);
            return Ok(());
        }
        let (mut named, mut whole) = (Vec::new(), Vec::new());
        let mut statement = self.connection.prepare_cached(
            "SELECT resolved_file, target_symbol, alias FROM import_rows
             WHERE id BETWEEN ?1 << 22 AND ((?1 + 1) << 22) - 1 AND resolved_file IS NOT NULL AND reexport <> 0
               AND coalesce(alias, target_symbol, ?2) = ?2 ORDER BY id",
        )?;
        let mut rows = statement.query(params![file, name])?;
        while let Some(row) = rows.next()? {
            let (target, alias): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
            match target {
                Some(target) => named.push((row.get(0)?, target)),
                None if alias.is_none() => whole.push((row.get(0)?, name.to_owned())),
                // The name is that of a module.
                None => {}
            }
        }
        let before = self.found.len();
        for (file, name) in named {
            self.collect(file, &name)?;
        }
        if self.found.len() == before {
            for (file, name) in whole {
                self.collect(file, &name)?;
            }
        }
        Ok(())
    }

    fn defined(&self, file: i64, name: &str) -> Result<Vec<i64>, GraphError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM symbol_rows WHERE id BETWEEN ?1 << 22 AND ((?1 + 1) << 22) - 1 AND name = ?2
               AND parent IS NULL AND kind NOT IN (?3, ?4)",
        )?;
        let params = params![file, name, Stored(SymbolKind::Module), Stored(SymbolKind::Impl)];
        Ok(statement.query_map(params, |row| row.get(0))?.collect::<Result<_, _>>()?)
    }
}

/// The members of a type that have a name: its own, else those of the nearest supertypes.
fn members(connection: &Connection, prefix: &[&str], name: &str) -> Result<Found, GraphError> {
    let mut level = types(connection, prefix)?;
    let mut through = Through::Module;
    let mut seen: HashSet<i64> = level.iter().map(|symbol| symbol.id).collect();
    while !level.is_empty() {
        let mut found = Vec::new();
        for container in &level {
            found.append(&mut own_members(connection, container, name)?);
        }
        if !found.is_empty() {
            return Ok((found, through));
        }
        through = Through::Supertype;
        let mut above = BTreeSet::new();
        for container in &level {
            above.extend(supertypes(connection, container.id)?.into_iter().filter(|id| seen.insert(*id)));
        }
        level = read(connection, above)?;
    }
    Ok((Vec::new(), through))
}

/// What extends a type from outside: extension functions and properties of Kotlin, extension methods of C#. The type need not
/// be one of the repository.
fn extensions(connection: &Connection, prefix: &[&str], name: &str) -> Result<Found, GraphError> {
    let Some(wanted) = prefix.last().map(|wanted| own_name(wanted)) else {
        return Ok((Vec::new(), Through::Module));
    };
    let mut found = symbol::select_named(connection, "ORDER BY f.path, s.span_start, s.id", [name])?;
    found.retain(|symbol| {
        let signature = symbol.signature.as_deref().unwrap_or_default();
        match symbol.lang {
            Lang::Kotlin => receiver(signature, name).is_some_and(|receiver| own_name(receiver) == wanted),
            Lang::CSharp => {
                let first = signature.split_once("(this ").map(|(_, rest)| rest);
                first.is_some_and(|first| first.split([' ', '<', '?']).next().map(own_name) == Some(wanted))
            }
            _ => false,
        }
    });
    Ok((found, Through::Module))
}

/// The type before the name in a signature of Kotlin: `fun <T> List<T>.second(): T` is for `List<T>`.
fn receiver<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let is_name = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let dotted = format!(".{name}");
    let at = signature.match_indices(&dotted).find(|(at, _)| is_name(&signature[at + dotted.len()..]))?.0;
    let before = &signature[..at];
    // The type begins behind the last space that no angle bracket is around.
    let mut depth = 0_i32;
    let start = before.char_indices().rev().find(|(_, sign)| {
        depth += i32::from(*sign == '>') - i32::from(*sign == '<');
        *sign == ' ' && depth == 0
    });
    Some(&before[start.map_or(0, |(at, _)| at + 1)..])
}

/// The last name of a type without what is in angle brackets and without the sign that it may be null.
fn own_name(ty: &str) -> &str {
    let bare = ty.split('<').next().unwrap_or(ty).trim_matches(['(', ')', '?', ' ']);
    bare.rsplit('.').next().unwrap_or(bare)
}

/// The types of a name, which may be a written one itself.
fn types(connection: &Connection, prefix: &[&str]) -> Result<Vec<Symbol>, GraphError> {
    let Some(name) = prefix.last() else { return Ok(Vec::new()) };
    let mut found = symbol::select_named(connection, "ORDER BY f.path, s.id", [name])?;
    found.retain(|symbol| is_tail(&symbol.qualified, &prefix.join(".")));
    if found.is_empty() {
        found = lookup(connection, prefix)?.map_or_else(Vec::new, |written| written.symbols);
    }
    found.retain(|symbol| symbol.address.kind.is_type());
    Ok(found)
}

fn own_members(connection: &Connection, container: &Symbol, name: &str) -> Result<Vec<Symbol>, GraphError> {
    let mut found = symbol::select_named(connection, "ORDER BY f.path, s.id", [name])?;
    let around = parts(unnumbered(&container.qualified));
    found.retain(|symbol| {
        let own = parts(unnumbered(&symbol.qualified));
        symbol.lang.family() == container.lang.family()
            && own.split_last().is_some_and(|(_, rest)| rest == around)
    });
    Ok(found)
}

fn supertypes(connection: &Connection, id: i64) -> Result<Vec<i64>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT to_symbol FROM relation_rows WHERE from_symbol = ?1 AND to_symbol IS NOT NULL AND kind <> ?2 ORDER BY id",
    )?;
    let rows = statement.query_map(params![id, Stored(RelationKind::Overrides)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What is exported under a name below the packages and directories that the parts before it name.
fn in_place(connection: &Connection, prefix: &[&str], name: &str) -> Result<Found, GraphError> {
    // Whether a macro is exported may be said outside of the macro that defines it.
    let tail = "AND (s.exported <> 0 OR s.kind = ?5) AND s.kind NOT IN (?2, ?3, ?4)
         AND (s.parent IS NULL OR (SELECT p.kind FROM symbol_rows p WHERE p.id = s.parent) = ?2)
         ORDER BY f.path, s.span_start, s.id";
    // In C++ the definition of a method may stand outside of its class.
    let kinds = [SymbolKind::Module, SymbolKind::Method, SymbolKind::Heading].map(Stored);
    let mut found = symbol::select_named(
        connection,
        tail,
        params![name, kinds[0], kinds[1], kinds[2], Stored(SymbolKind::Macro)],
    )?;
    if found.is_empty() {
        return Ok((found, Through::Place));
    }
    let packages = packages(connection)?;
    found.retain(|symbol| {
        let path = &symbol.address.path;
        let package = packages.iter().filter(|(dir, _)| path.starts_with(dir.as_str()));
        let package = package.max_by_key(|(dir, _)| dir.len()).map_or("", |(_, name)| name.as_str());
        let container = symbol.qualified.strip_suffix(symbol.name.as_str()).unwrap_or(&symbol.qualified);
        let around: HashSet<String> =
            parts(container).into_iter().chain(parts(path)).chain(parts(package)).map(plain).collect();
        symbol.address.kind != SymbolKind::Impl && prefix.iter().all(|part| around.contains(&plain(part)))
    });
    Ok((found, Through::Place))
}

/// `React` is the package `react`, and `tokio_util` is `tokio-util`.
fn plain(name: &str) -> String {
    name.trim_start_matches('@').replace('-', "_").to_lowercase()
}

/// Directories with the names of their packages; a directory ends with `/` unless it is the root.
fn packages(connection: &Connection) -> Result<Vec<(String, String)>, GraphError> {
    let mut statement =
        connection.prepare_cached("SELECT path, facts FROM manifest_rows WHERE facts IS NOT NULL")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (path, facts): (String, String) = (row.get(0)?, row.get(1)?);
        let name = match serde_json::from_str(&facts) {
            Ok(Manifest::Cargo { package, .. }) => package,
            Ok(Manifest::Package { name, .. }) => name,
            Ok(Manifest::Go { module }) => Some(module),
            _ => None,
        };
        let dir = path.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
        found.extend(name.map(|name| (dir, name)));
    }
    Ok(found)
}

fn read(connection: &Connection, ids: BTreeSet<i64>) -> Result<Vec<Symbol>, GraphError> {
    let mut found = Vec::new();
    for id in ids {
        found.append(&mut symbol::select(connection, "WHERE s.id = ?1", [id])?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{own_name, receiver};

    #[test]
    fn the_receiver_of_an_extension_is_before_its_name() {
        for (signature, name, wanted) in [
            ("fun String.shout(): String", "shout", Some("String")),
            ("inline fun <reified T : Any> List<Map<String, T>>.second(): T", "second", Some("List")),
            ("val String?.size: Int", "size", Some("String")),
            ("fun java.io.File.lines2(): Int", "lines2", Some("File")),
            ("fun plain(text: String.Companion)", "plain", None),
            ("fun String.shouted(): String", "shout", None),
        ] {
            assert_eq!(receiver(signature, name).map(own_name), wanted, "{signature}");
        }
    }
}
