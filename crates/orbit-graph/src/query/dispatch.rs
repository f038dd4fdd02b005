//! What reaches a symbol besides the uses that name it: calls of what it overrides, places that construct its class.

use super::implementors::structural;
use super::symbol::{self, Symbol};
use crate::error::GraphError;
use crate::facts;
use crate::resolve::Confidence;
use crate::store::stored::Stored;
use crate::store::{file_of_row, first_row};
use orbit_extract::{Family, Lang, RefKind, RelationKind, SymbolKind, unnumbered};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;

/// How many classes may inherit a constructor before the search for more ends.
const MAX_HEIRS: usize = 200;
/// How many interfaces with a method of the same name are tried.
const MAX_INTERFACES: usize = 30;

/// A symbol whose uses may mean another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) symbol: i64,
    /// Only calls count: they construct the class.
    pub(crate) is_constructed: bool,
    /// How sure a use of `symbol` is one of the other at best.
    pub(crate) confidence: Confidence,
}

/// The symbols whose uses also reach `id`.
pub(crate) fn also_reached_by(connection: &Connection, id: i64) -> Result<Vec<Alias>, GraphError> {
    let Some(symbol) = symbol::select(connection, "WHERE s.id = ?1", [id])?.pop() else {
        return Ok(Vec::new());
    };
    if symbol.address.kind == SymbolKind::Constructor {
        return constructed(connection, &symbol);
    }
    if symbol.lang == Lang::Java && symbol.address.kind == SymbolKind::Class {
        return constructors(connection, &symbol);
    }
    let alias = |symbol, confidence| Alias { symbol, is_constructed: false, confidence };
    let mut found: Vec<Alias> =
        twins(connection, &symbol)?.into_iter().map(|twin| alias(twin, Confidence::Exact)).collect();
    let bases = declarations(connection, &symbol, MAX_INTERFACES)?;
    found.extend(bases.into_iter().map(|base| alias(base, Confidence::Dispatch)));
    Ok(found)
}

/// The other places of a function that is declared and defined apart, or defined once for each platform; in Python and
/// scripts the signatures that are written before it.
pub(crate) fn twins(connection: &Connection, symbol: &Symbol) -> Result<Vec<i64>, GraphError> {
    let is_in_pieces = match symbol.family() {
        Family::Native | Family::Go | Family::Rust | Family::Python | Family::Script => true,
        // Here functions of one name are overloads, each with a body of its own.
        _ => false,
    };
    // Alternatives of `#if`, of build tags and of `#[cfg]` are one symbol, whatever its kind; so are the declaration and the
    // definition of a variable.
    let is_alternative = matches!(symbol.family(), Family::Native | Family::Go | Family::Rust)
        && !matches!(symbol.address.kind, SymbolKind::Module | SymbolKind::Impl);
    // What reads a property and what writes it are one attribute.
    let is_property = symbol.family() == Family::Python && symbol.address.kind == SymbolKind::Property;
    if !is_in_pieces || !(symbol.address.kind.is_callable() || is_alternative || is_property) {
        return Ok(Vec::new());
    }
    let tail = "WHERE s.key = (SELECT key FROM symbol_rows WHERE id = ?1) AND s.id <> ?1 ORDER BY s.id";
    let mut others = symbol::select(connection, tail, [symbol.id])?;
    let is_same_kind = |other: &Symbol| {
        other.address.kind == symbol.address.kind
            || other.address.kind.is_callable() && symbol.address.kind.is_callable()
    };
    others.retain(|other| other.family() == symbol.family() && is_same_kind(other));
    if symbol.family() == Family::Rust {
        // The same path in another crate is another thing.
        let own = unnumbered(&symbol.qualified);
        others.retain(|other| unnumbered(&other.qualified) == own);
    }
    match symbol.family() {
        _ if !symbol.address.kind.is_callable() && !is_property => {}
        Family::Native => native_pieces(connection, symbol, &mut others)?,
        Family::Python | Family::Script => others.retain(|other| other.address.path == symbol.address.path),
        _ => {}
    }
    Ok(others.into_iter().map(|other| other.id).collect())
}

/// Keeps the declarations and definitions of one function of C or C++. A function of one file belongs to that file alone, and
/// definitions in several files are one function only where a declaration binds them: alternatives for other systems.
fn native_pieces(
    connection: &Connection,
    symbol: &Symbol,
    others: &mut Vec<Symbol>,
) -> Result<(), GraphError> {
    retain_by_parameters(symbol, others, |is_same| is_same);
    let is_elsewhere = |other: &Symbol| other.address.path != symbol.address.path;
    if !others.iter().any(is_elsewhere) {
        return Ok(());
    }
    let own = Linkage::of(connection, symbol)?;
    let mut linkages = Vec::new();
    for other in others.iter() {
        linkages.push(Linkage::of(connection, other)?);
    }
    let is_declared = own == Linkage::Declared || linkages.contains(&Linkage::Declared);
    let mut linkage = linkages.into_iter();
    others.retain(|other| {
        let theirs = linkage.next().unwrap_or(Linkage::File);
        !is_elsewhere(other) || own != Linkage::File && theirs != Linkage::File && is_declared
    });
    Ok(())
}

/// From where a function of C or C++ can be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linkage {
    /// `static`, or in an unnamed namespace: from its own file.
    File,
    /// A declaration without a body.
    Declared,
    Defined,
}

impl Linkage {
    fn of(connection: &Connection, symbol: &Symbol) -> Result<Linkage, GraphError> {
        let file = file_of_row(symbol.id);
        let mut statement = connection.prepare_cached("SELECT surface FROM fact_rows WHERE file = ?1")?;
        let blob: Vec<u8> = statement.query_row([file], |row| row.get(0))?;
        let surface = facts::decode_surface(&blob)?;
        let fact = surface.symbols.iter().find(|fact| first_row(file) + i64::from(fact.slot) == symbol.id);
        Ok(match fact {
            Some(fact) if fact.kind == SymbolKind::Function && !fact.exported => Linkage::File,
            Some(fact) if fact.bodiless => Linkage::Declared,
            _ => Linkage::Defined,
        })
    }
}

/// Keeps the functions of one name whose parameters are those of a function, or are not. C has no overloads, however the
/// parameters are written; a header alone does not say which language it is.
fn retain_by_parameters(symbol: &Symbol, others: &mut Vec<Symbol>, keep: impl Fn(bool) -> bool) {
    let is_in_c = |symbol: &Symbol| symbol.address.path.rsplit('.').next() == Some("c");
    let all = || others.iter().chain([symbol]);
    let is_c = all().any(is_in_c) && all().all(|symbol| symbol.lang == Lang::C);
    let own = parameter_types(symbol);
    others.retain(|other| keep(is_c || parameter_types(other) == own));
}

/// The other functions of the same name that a call of C++ might mean: which one is decided by types that are not all
/// known here.
pub(crate) fn overloads(connection: &Connection, symbol: &Symbol) -> Result<Vec<i64>, GraphError> {
    if symbol.family() != Family::Native || !symbol.address.kind.is_callable() {
        return Ok(Vec::new());
    }
    let tail = "WHERE s.key = (SELECT key FROM symbol_rows WHERE id = ?1) AND s.id <> ?1 ORDER BY s.id";
    let mut others = symbol::select(connection, tail, [symbol.id])?;
    others.retain(|other| other.address.kind.is_callable());
    retain_by_parameters(symbol, &mut others, |is_same| !is_same);
    Ok(others.into_iter().map(|other| other.id).collect())
}

/// The types of a C or C++ function's parameters as written, without names and default values.
fn parameter_types(function: &Symbol) -> Vec<String> {
    let signature = function.signature.as_deref().unwrap_or("");
    let name = function.name.rsplit("::").next().unwrap_or(&function.name);
    let Some(start) = signature.find(&format!("{name}(")).map(|at| at + name.len() + 1) else {
        return Vec::new();
    };
    let (mut depth, mut from, mut parts) = (0, start, Vec::new());
    for (at, letter) in signature[start..].char_indices().map(|(at, letter)| (start + at, letter)) {
        match letter {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                parts.push(&signature[from..at]);
                break;
            }
            ')' | '>' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&signature[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    let types = parts.into_iter().map(|part| {
        let declared = part.split('=').next().unwrap_or(part).trim();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let unnamed = declared.trim_end_matches(is_word);
        // `int` alone is a type, `int n` has a name, `unsigned int` does not.
        let last = &declared[unnamed.len()..];
        // Behind these alone a word is the type: `enum Color`, `const Foo`.
        let is_qualified = unnamed
            .split_whitespace()
            .all(|word| matches!(word, "enum" | "struct" | "union" | "class" | "const" | "volatile"));
        let is_type = is_qualified
            || matches!(
                last,
                "int" | "char" | "long" | "short" | "double" | "float" | "const" | "bool" | "void"
            )
            || unnamed.trim_end().ends_with("::");
        let written = if is_type { declared } else { unnamed };
        written.chars().filter(|c| !c.is_whitespace()).collect::<String>()
    });
    types.filter(|ty| !ty.is_empty() && ty != "void").collect()
}

/// The declarations of supertypes that a member overrides or implements, however far up; of Go, at most so many methods of
/// the same name are tried.
pub(crate) fn declarations(
    connection: &Connection,
    member: &Symbol,
    most: usize,
) -> Result<Vec<i64>, GraphError> {
    let mut found = BTreeSet::new();
    let mut open = vec![member.id];
    let mut statement = connection.prepare_cached(
        "SELECT to_symbol FROM relation_rows WHERE from_symbol = ?1 AND kind = ?2 AND to_symbol IS NOT NULL",
    )?;
    while let Some(id) = open.pop() {
        let bases =
            statement.query_map(params![id, Stored(RelationKind::Overrides)], |row| row.get::<_, i64>(0))?;
        for base in bases {
            let base = base?;
            if base != member.id && found.insert(base) {
                open.push(base);
            }
        }
    }
    if member.lang == Lang::Go && member.address.kind == SymbolKind::Method {
        found.extend(interface_methods(connection, member, most)?);
    }
    Ok(found.into_iter().collect())
}

/// The methods of interfaces that a Go method implements: those of its name in interfaces that its type satisfies.
fn interface_methods(connection: &Connection, method: &Symbol, most: usize) -> Result<Vec<i64>, GraphError> {
    let Some(own) = structural::owner(connection, method)? else { return Ok(Vec::new()) };
    let tail = "AND s.kind = ?2 AND s.id <> ?3 AND s.parent IS NOT NULL ORDER BY s.id LIMIT ?4";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let params = params![method.name, Stored(SymbolKind::Method), method.id, most];
    let mut found = Vec::new();
    for candidate in symbol::select_named(connection, tail, params)? {
        let parent = symbol::select(
            connection,
            "WHERE s.id = (SELECT parent FROM symbol_rows WHERE id = ?1) AND s.kind = ?2",
            params![candidate.id, Stored(SymbolKind::Interface)],
        )?;
        let Some(interface) = parent.into_iter().next().filter(|parent| parent.lang == Lang::Go) else {
            continue;
        };
        if structural::implicit(connection, &interface)?.iter().any(|ty| ty.id == own) {
            found.push(candidate.id);
        }
    }
    Ok(found)
}

/// The class of a constructor, and the classes that inherit it because they have none of their own.
fn constructed(connection: &Connection, constructor: &Symbol) -> Result<Vec<Alias>, GraphError> {
    let mut parent = connection.prepare_cached("SELECT parent FROM symbol_rows WHERE id = ?1")?;
    let class: Option<i64> = parent.query_row([constructor.id], |row| row.get(0))?;
    let Some(class) = class else { return Ok(Vec::new()) };
    // Elsewhere a class that declares no constructor has an empty one of its own.
    let is_inherited = matches!(constructor.family(), Family::Python | Family::Script | Family::Ruby);
    let mut heirs = connection.prepare_cached(
        "SELECT r.from_symbol FROM relation_rows r WHERE r.to_symbol = ?1 AND r.kind = ?2 AND r.from_symbol IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM symbol_rows c WHERE c.parent = r.from_symbol AND c.kind = ?3
             AND c.id BETWEEN (r.from_symbol >> 22) << 22 AND (((r.from_symbol >> 22) + 1) << 22) - 1)",
    )?;
    let mut classes = vec![class];
    let mut at = 0;
    while is_inherited && at < classes.len() && classes.len() < MAX_HEIRS {
        let kinds = (Stored(RelationKind::Extends), Stored(SymbolKind::Constructor));
        let rows = heirs.query_map(params![classes[at], kinds.0, kinds.1], |row| row.get::<_, i64>(0))?;
        for heir in rows {
            let heir = heir?;
            if !classes.contains(&heir) {
                classes.push(heir);
            }
        }
        at += 1;
    }
    let mut count = connection.prepare_cached(
        "SELECT count(*) FROM symbol_rows WHERE parent = ?1 AND kind = ?2 AND id BETWEEN ?3 AND ?4",
    )?;
    let (first, last) = constructor.file_rows();
    let own: i64 =
        count.query_row(params![class, Stored(SymbolKind::Constructor), first, last], |row| row.get(0))?;
    // Of several constructors, which one a call of the class means was left open.
    let confidence = if own > 1 { Confidence::Dispatch } else { Confidence::Exact };
    let alias = |symbol| Alias { symbol, is_constructed: true, confidence };
    Ok(classes.into_iter().map(alias).collect())
}

/// The constructors of a Java class, one of several of which `new` means: it writes the name of the class.
fn constructors(connection: &Connection, class: &Symbol) -> Result<Vec<Alias>, GraphError> {
    let (first, last) = class.file_rows();
    let mut statement = connection.prepare_cached(
        "SELECT id FROM symbol_rows WHERE parent = ?1 AND kind = ?2 AND id BETWEEN ?3 AND ?4 ORDER BY id",
    )?;
    let rows = statement
        .query_map(params![class.id, Stored(SymbolKind::Constructor), first, last], |row| row.get(0))?;
    let alias = |symbol| Alias { symbol, is_constructed: false, confidence: Confidence::Exact };
    Ok(rows.map(|row| row.map(alias)).collect::<Result<_, _>>()?)
}

/// How many members override or implement a member, however far down.
pub(crate) fn overriders(connection: &Connection, member: i64) -> Result<Vec<i64>, GraphError> {
    let mut found = Vec::new();
    let mut open = vec![member];
    let mut statement = connection.prepare_cached(
        "SELECT from_symbol FROM relation_rows WHERE to_symbol = ?1 AND kind = ?2 AND from_symbol IS NOT NULL",
    )?;
    while let Some(id) = open.pop() {
        let rows =
            statement.query_map(params![id, Stored(RelationKind::Overrides)], |row| row.get::<_, i64>(0))?;
        for overrider in rows {
            let overrider = overrider?;
            if overrider != member && !found.contains(&overrider) {
                found.push(overrider);
                open.push(overrider);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// A use of a name that leads nowhere.
pub(crate) struct OpenUse {
    pub(crate) row: i64,
    pub(crate) line: u32,
    pub(crate) kind: RefKind,
    pub(crate) scope: Option<i64>,
}

/// The uses of a name in files of a family that nobody could resolve.
pub(crate) fn unresolved_uses(
    connection: &Connection,
    name: &str,
    family: Family,
) -> Result<Vec<OpenUse>, GraphError> {
    // `confidence = 5` is written out for the partial index `ref_name`, which has the same condition.
    let mut statement = connection.prepare_cached(
        "SELECT r.id, r.line, r.kind, r.scope, f.lang FROM ref_rows r JOIN file_rows f ON f.id = r.id >> 22
         WHERE r.name = ?1 AND r.target IS NULL AND r.confidence = 5 ORDER BY r.id",
    )?;
    let mut rows = statement.query([name])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if Lang::from_u8(row.get(4)?).is_some_and(|lang| lang.family() == family) {
            found.push(OpenUse {
                row: row.get(0)?,
                line: row.get(1)?,
                kind: row.get::<_, Stored<RefKind>>(2)?.0,
                scope: row.get(3)?,
            });
        }
    }
    Ok(found)
}
