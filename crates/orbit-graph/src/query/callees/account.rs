//! Every call that is written in a symbol, by what is known of it.

use super::CallSite;
use crate::error::GraphError;
use crate::query::Reader;
use crate::query::symbol::Symbol;
use crate::store::stored::Stored;
use orbit_extract::{Family, Lang, Span, ValueCall, value_calls};
use rusqlite::Connection;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// How many calls nobody can follow are listed.
const MOST_LISTED: usize = 10;

/// The calls of a symbol, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CalleesAccount {
    /// Nothing of the repository is called that is not listed.
    pub complete: bool,
    /// Calls that are written, those of nested definitions included.
    pub calls: usize,
    /// Lead to a symbol of the repository.
    pub resolved: usize,
    /// Lead out of the repository: by an import, or because nothing in the repository has the name.
    pub external: usize,
    /// Could call something of the repository.
    pub uncertain: usize,
}

/// A call that nobody can follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenCall {
    /// What is called, as written; `null` for a value without a name.
    pub name: Option<String>,
    /// 1-based.
    pub line: u32,
    /// Why nobody knows.
    pub reason: &'static str,
}

/// Counts the calls of these symbols, and lists the first that are uncertain. `None` when a file cannot be read.
pub(super) fn account(
    reader: &Reader<'_>,
    callers: &[Symbol],
    sites: &[CallSite],
) -> Result<Option<(CalleesAccount, Vec<OpenCall>)>, GraphError> {
    let Some(of_values) = of_values(reader, callers)? else { return Ok(None) };
    let mut account = CalleesAccount::default();
    let mut open = Vec::new();
    let mut names = Definitions::default();
    let family = callers.first().map_or(Family::Prose, Symbol::family);
    for site in sites {
        account.calls += 1;
        if site.target.is_some() {
            account.resolved += 1;
        } else if site.is_external || !names.has(reader.connection, &site.name, family)? {
            account.external += 1;
        } else {
            let name = Some(site.name.clone());
            open.push(OpenCall { name, line: site.line, reason: "not resolved" });
        }
    }
    account.calls += of_values.len();
    open.extend(of_values);
    account.uncertain = open.len();
    account.complete = open.is_empty();
    open.sort_by_key(|call| call.line);
    open.truncate(MOST_LISTED);
    Ok(Some((account, open)))
}

/// The calls of variables, elements and results, which are no references.
fn of_values(reader: &Reader<'_>, callers: &[Symbol]) -> Result<Option<Vec<OpenCall>>, GraphError> {
    let mut texts: BTreeMap<&str, Option<Vec<u8>>> = BTreeMap::new();
    let mut found = Vec::new();
    for caller in callers {
        let path = caller.address.path.as_str();
        let text = texts.entry(path).or_insert_with(|| std::fs::read(reader.root.join(path)).ok());
        let Some(text) = text.as_deref() else { return Ok(None) };
        let places = named_places(reader.connection, caller)?;
        if !may_call_values(text, caller, &places) {
            continue;
        }
        let span = Span { start: caller.span.0, end: caller.span.1 };
        let Some(calls) = value_calls(path, caller.lang, text, span) else { return Ok(None) };
        let is_reference =
            |call: &&ValueCall| call.name.is_some_and(|start| places.binary_search(&start).is_ok());
        for call in calls.iter().filter(|call| !is_reference(call)) {
            let name = call.name.map(|start| word_at(text, start as usize));
            if !name.as_deref().is_some_and(|name| is_of_the_language(caller.lang, name)) {
                found.push(OpenCall { name, line: call.line, reason: "calls a value" });
            }
        }
    }
    Ok(Some(found))
}

/// Whether a parenthesis stands behind a value, or behind a plain name that is not a reference. Parsing the file for the
/// answer takes longer than all the rest, and most functions call nothing of the kind.
fn may_call_values(text: &[u8], caller: &Symbol, places: &[u32]) -> bool {
    let start = caller.span.0 as usize;
    let body = text.get(start..caller.span.1 as usize).unwrap_or_default();
    body.iter().enumerate().filter(|(_, byte)| **byte == b'(').any(|(at, _)| {
        let before = body[..at].trim_ascii_end();
        let name = before.len() - before.iter().rev().take_while(|byte| is_part(**byte)).count();
        let word = &before[name..];
        let is_member = before[..name].ends_with(b".") || before[..name].ends_with(b"::");
        match word.first() {
            None => before.last().is_some_and(|byte| b")]>".contains(byte)),
            Some(_) if is_member || word == caller.name.as_bytes() || KEYWORDS.contains(&word) => false,
            Some(first) => {
                !first.is_ascii_uppercase() && places.binary_search(&((start + name) as u32)).is_err()
            }
        }
    })
}

/// Words that parentheses follow although nothing is called.
const KEYWORDS: &[&[u8]] = &[
    b"if",
    b"elif",
    b"while",
    b"for",
    b"switch",
    b"match",
    b"catch",
    b"return",
    b"and",
    b"or",
    b"not",
    b"in",
    b"is",
    b"await",
    b"yield",
    b"with",
    b"assert",
    b"func",
    b"fn",
    b"function",
    b"lambda",
    b"when",
    b"sizeof",
    b"typeof",
];

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 128
}

/// Where references of any kind begin in a symbol: a variable of the repository that is called is read.
fn named_places(connection: &Connection, caller: &Symbol) -> Result<Vec<u32>, GraphError> {
    let (first, last) = caller.file_rows();
    let mut statement = connection.prepare_cached(
        "SELECT span_start FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND span_start >= ?3 AND span_end <= ?4
         ORDER BY span_start",
    )?;
    let rows = statement
        .query_map(rusqlite::params![first, last, caller.span.0, caller.span.1], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn word_at(text: &[u8], start: usize) -> String {
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len());
    String::from_utf8_lossy(&rest[..end]).into_owned()
}

/// Words that look like a call and are none.
fn is_of_the_language(lang: Lang, name: &str) -> bool {
    match lang.family() {
        Family::Script => matches!(name, "import" | "super" | "require"),
        Family::Native => matches!(name, "sizeof" | "defined" | "alignof" | "decltype"),
        Family::Python => name == "super",
        _ => false,
    }
}

/// Whether the repository defines a name in a family of languages, asked once for each.
#[derive(Default)]
struct Definitions {
    known: HashMap<String, bool>,
}

impl Definitions {
    fn has(&mut self, connection: &Connection, name: &str, family: Family) -> Result<bool, GraphError> {
        if let Some(known) = self.known.get(name) {
            return Ok(*known);
        }
        let mut statement = connection.prepare_cached(
            "SELECT DISTINCT f.lang FROM symbol_rows s JOIN file_rows f ON f.id = s.id >> 22
             WHERE s.name = ?1 COLLATE NOCASE AND s.name = ?1",
        )?;
        let langs = statement.query_map([name], |row| row.get::<_, Stored<Lang>>(0))?;
        let langs: Vec<Stored<Lang>> = langs.collect::<Result<_, _>>()?;
        let is_there = langs.iter().any(|Stored(lang)| lang.family() == family);
        self.known.insert(name.to_owned(), is_there);
        Ok(is_there)
    }
}
