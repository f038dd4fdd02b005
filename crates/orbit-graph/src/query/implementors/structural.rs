//! Types that implement an interface without saying so, as in Go: those whose methods, own or promoted from embedded
//! types, include all of the interface's.
//!
//! Signatures are compared as written, by the types of parameters and results without package names and parameter
//! names. Types whose methods have the right names but other signatures are not listed.

use crate::error::GraphError;
use crate::query::symbol::{self, Symbol};
use crate::store::stored::Stored;
use crate::store::{file_of_row, first_row};
use orbit_extract::{Lang, RelationKind, SymbolKind};
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, BTreeSet};

/// Embedding deeper than this is not followed.
const MAX_DEPTH: usize = 8;

/// The types that implement `interface` by having its methods.
pub(crate) fn implicit(connection: &Connection, interface: &Symbol) -> Result<Vec<Symbol>, GraphError> {
    if interface.lang != Lang::Go || interface.address.kind != SymbolKind::Interface {
        return Ok(Vec::new());
    }
    let Some(wanted) = methods_of(connection, interface)? else { return Ok(Vec::new()) };
    let mut common: Option<BTreeSet<i64>> = None;
    for (name, shape) in &wanted {
        let having = types_with(connection, name, shape)?;
        let both = match common {
            None => having,
            Some(common) => common.intersection(&having).copied().collect(),
        };
        if both.is_empty() {
            return Ok(Vec::new());
        }
        common = Some(both);
    }
    let mut found = Vec::new();
    for id in common.into_iter().flatten() {
        found.append(&mut symbol::select(connection, "WHERE s.id = ?1", [id])?);
    }
    found.retain(|symbol| symbol.address.kind != SymbolKind::Interface);
    Ok(found)
}

/// Whether a type of Go embeds one that is not of this repository.
pub(crate) fn embeds_unknown(connection: &Connection) -> Result<bool, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM relation_rows r JOIN file_rows f ON f.id = r.id >> 22
         WHERE r.kind = ?1 AND r.to_symbol IS NULL AND f.lang = ?2 LIMIT 1",
    )?;
    Ok(statement.exists(params![Stored(RelationKind::Extends), Stored(Lang::Go)])?)
}

/// Names and shapes of an interface's methods, with those of the interfaces in it. `None` when there are none, or
/// when one of those is not of this repository: nobody knows then what is missing.
fn methods_of(
    connection: &Connection,
    interface: &Symbol,
) -> Result<Option<BTreeMap<String, String>>, GraphError> {
    let mut methods = BTreeMap::new();
    let mut open = vec![interface.id];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let file = file_of_row(id);
        let tail = "WHERE s.id BETWEEN ?1 AND ?2 AND s.parent = ?3 AND s.kind = ?4";
        let params = params![first_row(file), first_row(file + 1) - 1, id, Stored(SymbolKind::Method)];
        for method in symbol::select(connection, tail, params)? {
            methods.insert(method.name.clone(), shape(&method));
        }
        let mut statement = connection
            .prepare_cached("SELECT to_symbol FROM relation_rows WHERE from_symbol = ?1 AND kind = ?2")?;
        let embedded = statement
            .query_map(params![id, Stored(RelationKind::Extends)], |row| row.get::<_, Option<i64>>(0))?;
        for to in embedded {
            match to? {
                Some(to) => open.push(to),
                None => return Ok(None),
            }
        }
    }
    Ok((!methods.is_empty()).then_some(methods))
}

/// The types that have a method, and those that embed them.
fn types_with(connection: &Connection, name: &str, shape_wanted: &str) -> Result<BTreeSet<i64>, GraphError> {
    let mut found = BTreeSet::new();
    let methods =
        symbol::select_named(connection, "AND s.kind = ?2", params![name, Stored(SymbolKind::Method)])?;
    for method in methods.iter().filter(|method| method.lang == Lang::Go && shape(method) == shape_wanted) {
        found.extend(owner(connection, method)?);
    }
    let mut newest: Vec<i64> = found.iter().copied().collect();
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        let mut statement = connection.prepare_cached(
            "SELECT from_symbol FROM relation_rows WHERE to_symbol = ?1 AND kind = ?2 AND from_symbol IS NOT NULL",
        )?;
        for id in newest {
            let rows = statement.query_map(params![id, Stored(RelationKind::Extends)], |row| row.get(0))?;
            for embedding in rows {
                let embedding: i64 = embedding?;
                if found.insert(embedding) {
                    next.push(embedding);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        newest = next;
    }
    Ok(found)
}

/// The type a method belongs to: around it, or in another file of its package.
pub(crate) fn owner(connection: &Connection, method: &Symbol) -> Result<Option<i64>, GraphError> {
    let Some((path, _)) = method.qualified.rsplit_once('.') else { return Ok(None) };
    let name = path.rsplit('.').next().unwrap_or(path);
    let types = symbol::select_named(connection, "", [name])?;
    Ok(types
        .iter()
        .find(|symbol| symbol.qualified == path && symbol.address.kind.is_type())
        .map(|symbol| symbol.id))
}

/// The types of parameters and results: `(Request,any)error`.
fn shape(method: &Symbol) -> String {
    let signature = method.signature.as_deref().unwrap_or("");
    let rest = match signature.strip_prefix("func ") {
        Some(rest) => behind_group(rest.trim_start()).trim_start(), // the receiver
        None => signature,
    };
    let rest = rest.strip_prefix(method.name.as_str()).unwrap_or(rest).trim_start();
    let parameters = group(rest);
    let results = behind_group(rest).trim();
    let results = if results.starts_with('(') { group(results) } else { results };
    format!("({}){}", types(parameters), types(results))
}

/// What stands in the parentheses that a text begins with.
fn group(text: &str) -> &str {
    let behind = behind_group(text);
    let whole = &text[..text.len() - behind.len()];
    whole.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(whole)
}

/// What stands behind the parentheses that a text begins with.
fn behind_group(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return &text[at + 1..];
                }
            }
            _ if depth == 0 => return text,
            _ => {}
        }
    }
    ""
}

/// The types of a list of parameters, without their names: `a, b int` are two.
fn types(list: &str) -> String {
    let parts = split(list);
    let is_named = parts.iter().any(|part| names_a_type(part).is_some());
    let mut out: Vec<String> = Vec::new();
    let mut written_behind = String::new();
    for part in parts.iter().rev() {
        if is_named {
            if let Some(written) = names_a_type(part) {
                written_behind = plain(written);
            }
            out.push(written_behind.clone());
        } else {
            out.push(plain(part));
        }
    }
    out.reverse();
    out.join(",")
}

/// The type behind a parameter's name, if it has one.
fn names_a_type(part: &str) -> Option<&str> {
    let (name, written) = part.split_once(' ')?;
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let is_keyword = matches!(name, "func" | "map" | "chan" | "struct" | "interface");
    (is_name && !is_keyword).then_some(written.trim())
}

/// Splits at commas that are in no brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A type without the names of packages and without spaces.
fn plain(written: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for letter in written.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
        } else if letter == '.' && !word.is_empty() {
            word.clear(); // it was a package
        } else {
            out.push_str(&word);
            word.clear();
            if !letter.is_whitespace() {
                out.push(letter);
            }
        }
    }
    out.push_str(&word);
    out.replace("interface{}", "any")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_types_whatever_their_names() {
        for (list, expected) in [
            ("", ""),
            ("w http.ResponseWriter", "ResponseWriter"),
            ("http.ResponseWriter", "ResponseWriter"),
            ("a, b int, c ...string", "int,int,...string"),
            ("*http.Request, any", "*Request,any"),
            ("fn func(a int) error, m map[string][]byte", "func(aint)error,map[string][]byte"),
            ("n int, err error", "int,error"),
            ("v interface{}", "any"),
        ] {
            assert_eq!(types(list), expected, "{list}");
        }
    }

    #[test]
    fn results_are_found_behind_the_parameters() {
        assert_eq!(group("(a int) (n int, err error)"), "a int");
        assert_eq!(behind_group("(a func(b int)) error"), " error");
        assert_eq!(behind_group("error"), "error");
    }
}
