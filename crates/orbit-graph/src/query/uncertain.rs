//! The occurrences of a name that could be uses of a symbol, each with the reason why nobody knows.

use super::Reader;
use super::reach::Reach;
use super::symbol::{self, Symbol};
use crate::error::GraphError;
use crate::facts::{self, DecodedSurface};
use crate::store::stored::Stored;
use crate::store::{first_row, words};
use orbit_extract::{Expr, Family, Lang, NameId, RawRef, SymbolKind, WordRole, word_key, word_of};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeMap;

/// Files that are read again for what extraction could not explain.
const MOST_READ: usize = 8;

/// With more definitions of one name than this, not all are named.
const MOST_CANDIDATES: usize = 60;

/// The definitions of a name, and how each can be written: what an uncertain occurrence could mean.
pub(super) struct Candidates {
    definitions: Vec<(String, Reach)>,
    /// The name is also one of something outside of the repository, or of more definitions than are looked at.
    is_open: bool,
}

impl Candidates {
    /// The definitions that share the name and a language with these symbols.
    pub(super) fn of(connection: &Connection, symbols: &[Symbol]) -> Result<Candidates, GraphError> {
        let mut found = Candidates { definitions: Vec::new(), is_open: false };
        let Some(first) = symbols.first() else { return Ok(found) };
        let tail = "AND s.kind <> ?2 ORDER BY s.id LIMIT ?3";
        let params = params![first.name, Stored(SymbolKind::Impl), MOST_CANDIDATES as i64 + 1];
        let mut named = symbol::select_named(connection, tail, params)?;
        named.retain(|other| symbols.iter().any(|symbol| symbol.family() == other.family()));
        found.is_open = named.len() > MOST_CANDIDATES;
        if let Some(word) = word_of(&first.name) {
            let of_other_packages = |(family, sums): &(u8, words::Sums)| {
                sums.external > 0 && symbols.iter().any(|symbol| symbol.family() as u8 == *family)
            };
            found.is_open |= words::sums(connection, word_key(word))?.iter().any(of_other_packages);
        }
        for symbol in &named {
            found.definitions.push((symbol.selector(), Reach::of_symbol(connection, symbol)?));
        }
        Ok(found)
    }

    /// What can be written as this occurrence is.
    pub(super) fn fitting(&self, why: Why) -> Vec<String> {
        let fits = |reach: &Reach| match why {
            Why::Receiver => reach.member,
            Why::Name => reach.plain,
            Why::Key => reach.key,
            Why::Path => reach.path,
            Why::Role | Why::Overload => true,
        };
        self.definitions
            .iter()
            .filter(|(_, reach)| fits(reach))
            .map(|(selector, _)| selector.clone())
            .collect()
    }

    /// Whether an occurrence that fits one definition can mean nothing else that is known.
    pub(super) fn is_decided_by_name(&self, fitting: &[String]) -> bool {
        !self.is_open && fitting.len() == 1
    }
}

/// One occurrence that could be a use.
#[derive(Clone, Debug)]
pub(super) struct Uncertain {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) scope: Option<i64>,
    pub(super) why: Why,
    /// The module, as written, that an import should have brought it from, where nobody knows which that is.
    pub(super) module: Option<String>,
}

impl Uncertain {
    /// Why it is uncertain, in words.
    pub(super) fn reason(&self) -> String {
        match &self.module {
            Some(module) => format!("import not resolved: `{module}`"),
            None => self.why.as_str().to_owned(),
        }
    }
}

/// Why an occurrence is uncertain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Receiver,
    Name,
    Key,
    Path,
    Role,
    Overload,
}

impl Why {
    fn as_str(self) -> &'static str {
        match self {
            Why::Receiver => "type of the receiver unknown",
            Why::Name => "name not resolved",
            Why::Key => "key of an unknown type",
            Why::Path => "part of a path",
            Why::Role => "not understood",
            Why::Overload => "several overloads or constructors fit",
        }
    }
}

/// The uncertain occurrences of the name of these symbols, in the order of files and lines. All of them, unless too many
/// files had to be read again.
pub(super) fn uncertain(
    reader: &Reader<'_>,
    symbols: &[Symbol],
    most: usize,
) -> Result<Vec<Uncertain>, GraphError> {
    let connection = reader.connection;
    let Some(word) = symbols.first().and_then(|symbol| word_of(&symbol.name)) else { return Ok(Vec::new()) };
    let mut families: Vec<Family> = symbols.iter().map(Symbol::family).collect();
    families.sort_unstable();
    families.dedup();
    let mut found = Vec::new();
    let mut left = MOST_READ;
    for family in families {
        let reach = Reach::of(connection, symbols, family)?;
        for file in words::open_files(connection, word_key(word), family)? {
            if found.len() >= most {
                break;
            }
            in_file(reader, file, word, reach, &mut left, &mut found)?;
        }
    }
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    found.truncate(most);
    Ok(found)
}

fn in_file(
    reader: &Reader<'_>,
    file: u32,
    word: &str,
    reach: Reach,
    left: &mut usize,
    found: &mut Vec<Uncertain>,
) -> Result<(), GraphError> {
    let connection = reader.connection;
    let blobs = connection
        .prepare_cached(
            "SELECT f.path, f.lang, x.surface, x.uses FROM file_rows f JOIN fact_rows x ON x.file = f.id WHERE f.id = ?1",
        )?
        .query_row([file], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Stored<Lang>>(1)?, row.get::<_, Vec<u8>>(2)?, row.get::<_, Vec<u8>>(3)?)))
        .optional()?;
    let Some((path, Stored(lang), surface, uses)) = blobs else { return Ok(()) };
    let (surface, uses) = (facts::decode_surface(&surface)?, facts::decode_uses(&uses)?);
    let known = resolved_places(connection, file, word)?;
    let mut seen: Vec<u32> = Vec::new();
    for row in &uses.refs {
        if row.defines
            || word_of(surface.names.as_written(row.name)) != Some(word)
            || seen.contains(&row.span.start)
        {
            continue;
        }
        seen.push(row.span.start);
        let is_member = row.base.is_some();
        let is_meant = if is_member { reach.member } else { reach.plain };
        if is_meant && !known.get(&row.span.start).is_some_and(|is_known| *is_known) {
            let why = if is_member { Why::Receiver } else { Why::Name };
            let scope = row.within.symbol().and_then(|index| surface.symbols.get(index));
            let scope = scope.map(|symbol| first_row(file) + i64::from(symbol.slot));
            let module = unresolved_module(connection, file, &surface, row)?;
            found.push(Uncertain { file: path.clone(), line: row.line, scope, why, module });
        }
    }
    let count = words::count_in_file(connection, file, word_key(word))?.unwrap_or_default();
    let is_open = count.open() > 0 || count.key_of_value > 0 && reach.key || count.path > 0 && reach.path;
    if *left > 0 && is_open {
        *left -= 1;
        let Ok(bytes) = std::fs::read(reader.root.join(&path)) else { return Ok(()) };
        let Ok(facts) = orbit_extract::extract(&path, lang, &bytes) else { return Ok(()) };
        for open in facts.open_words.iter().filter(|open| open.key == word_key(word)) {
            let why = match open.role {
                WordRole::Key if !reach.key => continue,
                WordRole::Path if !reach.path => continue,
                WordRole::Key => Why::Key,
                WordRole::Path => Why::Path,
                WordRole::Unknown => Why::Role,
            };
            let before = bytes.get(..open.start as usize).unwrap_or_default();
            let line = 1 + before.split(|byte| *byte == b'\n').count() as u32 - 1;
            found.push(Uncertain { file: path.clone(), line, scope: None, why, module: None });
        }
    }
    Ok(())
}

/// The module that the name at the beginning of a reference is imported from, where that is not a file of the repository.
/// What comes from other packages is known not to be uncertain, so that nobody knows which module this is.
fn unresolved_module(
    connection: &Connection,
    file: u32,
    surface: &DecodedSurface,
    row: &RawRef,
) -> Result<Option<String>, GraphError> {
    let Some(name) = first_name(surface, row) else { return Ok(None) };
    let Some(place) = surface.imports.iter().position(|import| import.binds == Some(name)) else {
        return Ok(None);
    };
    let mut is_resolved =
        connection.prepare_cached("SELECT resolved_file IS NOT NULL FROM import_rows WHERE id = ?1")?;
    let is_resolved: Option<bool> =
        is_resolved.query_row([first_row(file) + place as i64], |row| row.get(0)).optional()?;
    let module = surface.names.as_written(surface.imports[place].module);
    Ok((is_resolved == Some(false)).then(|| module.to_owned()))
}

/// The name that a reference begins with: `a` of `a.b().c`.
fn first_name(surface: &DecodedSurface, row: &RawRef) -> Option<NameId> {
    let Some(mut base) = row.base else { return Some(row.name) };
    // Each step goes inward, and an expression has no more steps than the file has expressions.
    for _ in 0..surface.exprs.len() {
        base = match surface.exprs.get(base.0 as usize)? {
            Expr::Name(name) => return Some(*name),
            Expr::Member(inner, _)
            | Expr::Call(inner)
            | Expr::Instance(inner)
            | Expr::With(inner, _)
            | Expr::Generic(inner, _) => *inner,
            _ => return None,
        };
    }
    None
}

/// Where rows of the word stand in a file, and whether each leads somewhere.
fn resolved_places(
    connection: &Connection,
    file: u32,
    word: &str,
) -> Result<BTreeMap<u32, bool>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT span_start, name, target IS NOT NULL OR confidence = ?3 FROM ref_rows WHERE id BETWEEN ?1 AND ?2",
    )?;
    let mut rows =
        statement.query(params![first_row(file), first_row(file + 1) - 1, crate::store::schema::EXTERNAL])?;
    let mut found = BTreeMap::new();
    while let Some(row) = rows.next()? {
        if word_of(row.get_ref(1)?.as_str().unwrap_or("")) == Some(word) {
            let is_known: bool = row.get(2)?;
            *found.entry(row.get(0)?).or_insert(false) |= is_known;
        }
    }
    Ok(found)
}
