//! Where every occurrence of a name belongs: the proof that an answer about uses is whole.
//!
//! ```text
//! word ─sums (per family of languages)─▶ here + definitions + elsewhere + uncertain + text + unread = occurrences
//! ```
//!
//! Occurrences are counted in the bytes of files while they are extracted, by nobody who knows what they mean. What
//! is neither resolved nor explained is uncertain, so a gap in extraction or resolution shows here and hides nothing.

use super::Reader;
use super::reach::Reach;
use super::symbol::{self, Symbol};
use crate::error::GraphError;
use crate::store::stored::Stored;
use crate::store::unread;
use crate::store::words;
use crate::walk::markup::code_in;
use orbit_extract::{Family, Lang, SymbolKind, occurrences, word_key, word_of};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

/// How many other definitions of the name are named.
const MOST_OTHERS: usize = 3;
/// With more definitions of one name than this, their uses are not counted one by one.
const MANY_OTHERS: usize = 60;

/// Every occurrence of a name in the files of the repository, by where it belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Account {
    /// Nothing is uncertain, unread or out of date: what `here` counts is all there is.
    pub complete: bool,
    /// How often the name is written, as `grep -w -o` counts it.
    pub occurrences: usize,
    /// Uses of what was asked for.
    pub here: usize,
    /// Definitions of what was asked for.
    pub definitions: usize,
    /// Definitions and uses of something else: of other symbols, of other packages, local variables, keywords, and code
    /// in languages that cannot mean it.
    pub elsewhere: usize,
    /// Could be a use of what was asked for.
    pub uncertain: usize,
    /// In comments, strings, documentation and configuration.
    pub text: usize,
    /// In code that could not be read.
    pub unread: usize,
    /// The files behind `unread`, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread_files: Vec<UnreadFile>,
    /// Other symbols of the name with the most uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherDefinition>,
}

/// A file with occurrences that nobody could read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadFile {
    /// Relative to the worktree.
    pub file: String,
    /// `no_parser`, `oversize`, `damaged`, or why the file was skipped.
    pub reason: String,
    /// How often the name is written there; 0 when nobody could look.
    pub occurrences: usize,
    /// How often it is written there outside of code: in the text of a page.
    #[serde(skip)]
    pub beside_code: usize,
}

/// Another symbol of the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherDefinition {
    /// The canonical selector, which means this symbol alone.
    pub selector: String,
    /// How many uses are resolved to it.
    pub uses: usize,
}

/// What is known of the occurrences of a name that have to do with the symbols that are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    /// Resolved to them.
    pub(super) here: usize,
    /// Define them.
    pub(super) definitions: usize,
    /// Resolved to one of several constructors or overloads, where another may be meant.
    pub(super) undecided: usize,
    /// A constructor may be meant where the name of its class is written: by calls of a class that has several, and by
    /// what nobody understands. Those are no occurrences of the constructor's name.
    pub(super) is_open_elsewhere: bool,
}

/// The account of the name that these symbols share; `None` when it is not one word.
pub(super) fn account(
    reader: &Reader<'_>,
    symbols: &[Symbol],
    own: Own,
) -> Result<Option<Account>, GraphError> {
    let connection = reader.connection;
    let Some(word) = symbols.first().and_then(|symbol| word_of(&symbol.name)) else { return Ok(None) };
    // A module is used by its path, and a heading by nothing.
    let has_uses = |symbol: &Symbol| {
        !matches!(symbol.address.kind, SymbolKind::Module | SymbolKind::Heading | SymbolKind::Route)
    };
    // An import may have led to something of another name.
    let has_word = |symbol: &Symbol| word_of(&symbol.name) == Some(word);
    if !symbols.iter().all(|symbol| has_uses(symbol) && has_word(symbol)) {
        return Ok(None);
    }
    let mut account = Account { here: own.here, ..Account::default() };
    let (mut own_definitions, mut code) = (0, 0);
    for (family, sums) in words::sums(connection, word_key(word))? {
        account.occurrences += count(sums.total);
        account.text += count(sums.text);
        let Some(family) = Family::ALL.get(usize::from(family)).copied() else { continue };
        if symbols.iter().any(|symbol| symbol.family() == family) {
            account.uncertain += Reach::of(connection, symbols, family)?.uncertain(&sums);
            if sums.damaged > 0 {
                account.unread += count(sums.damaged);
                account.unread_files.append(&mut damaged(connection, word, family)?);
            }
            own_definitions += count(sums.definitions);
            if family == Family::Script && is_structural(connection, symbols)? {
                account.uncertain += count(sums.definitions).saturating_sub(own.definitions);
            }
        }
        code += count(sums.total - sums.text);
    }
    // A word that defines one of the symbols and uses another, as an embedded field of Go does, is one occurrence.
    let left = code.saturating_sub(account.here + account.unread);
    account.definitions = own.definitions.min(own_definitions).min(left);
    // An occurrence that is uncertain for two reasons is one occurrence.
    let certain = account.here + account.definitions + account.unread;
    account.uncertain = (account.uncertain + own.undecided).min(code.saturating_sub(certain));
    account.elsewhere = code.saturating_sub(certain + account.uncertain);
    if account.elsewhere > 0 {
        account.others = others(connection, symbols)?;
    }
    for file in without_parser(reader, word)? {
        account.occurrences += file.occurrences + file.beside_code;
        account.unread += file.occurrences;
        account.text += file.beside_code;
        account.unread_files.push(file);
    }
    account.complete = account.uncertain == 0 && account.unread_files.is_empty() && !own.is_open_elsewhere;
    Ok(Some(account))
}

/// Whether an occurrence of a symbol's name could be a use that nobody found.
pub(super) fn is_open(reader: &Reader<'_>, symbol: &Symbol) -> Result<bool, GraphError> {
    let Some(word) = word_of(&symbol.name) else { return Ok(true) };
    let sums = words::sums(reader.connection, word_key(word))?;
    let own = sums.iter().find(|(family, _)| *family == symbol.family() as u8);
    let reach = Reach::of_symbol(reader.connection, symbol)?;
    let is_uncertain = own.is_some_and(|(_, sums)| reach.uncertain(sums) > 0 || sums.damaged > 0);
    Ok(is_uncertain || !without_parser(reader, word)?.is_empty())
}

/// Whether one of the symbols is a member of an interface of a script: any object may have it without saying so, and to
/// define such a member is to use the interface's.
pub(super) fn is_structural(connection: &Connection, symbols: &[Symbol]) -> Result<bool, GraphError> {
    let mut parent = connection.prepare_cached(
        "SELECT p.kind FROM symbol_rows s JOIN symbol_rows p ON p.id = s.parent WHERE s.id = ?1",
    )?;
    for symbol in symbols.iter().filter(|symbol| symbol.family() == Family::Script) {
        let kind: Option<Stored<SymbolKind>> = parent.query_row([symbol.id], |row| row.get(0)).optional()?;
        if matches!(kind, Some(Stored(SymbolKind::Interface | SymbolKind::TypeAlias))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The files with the word in code that the parser could not read.
fn damaged(connection: &Connection, word: &str, family: Family) -> Result<Vec<UnreadFile>, GraphError> {
    let mut found = Vec::new();
    let mut path = connection.prepare_cached("SELECT path FROM file_rows WHERE id = ?1")?;
    for file in words::open_files(connection, word_key(word), family)? {
        let counts = words::count_in_file(connection, file, word_key(word))?.unwrap_or_default();
        if counts.damaged > 0 {
            let file = path.query_row([file], |row| row.get(0))?;
            let occurrences = counts.damaged as usize;
            found.push(UnreadFile { file, reason: "damaged".to_owned(), occurrences, beside_code: 0 });
        }
    }
    Ok(found)
}

/// The files with the word that have no parser, or that were skipped.
fn without_parser(reader: &Reader<'_>, word: &str) -> Result<Vec<UnreadFile>, GraphError> {
    let mut candidates = unread::holding(reader.connection, word)?;
    candidates.extend(skipped_code(reader)?.into_iter().map(|(path, reason)| (path, reason, true)));
    let mut found = Vec::new();
    for (file, reason, is_known) in candidates {
        let bytes = if is_known { std::fs::read(reader.root.join(&file)).ok() } else { None };
        let text = bytes.as_deref().map(String::from_utf8_lossy);
        let counted = text.as_ref().map(|text| occurrences(&code_in(&file, text), word));
        if counted != Some(0) {
            let whole = text.as_ref().map_or(0, |text| occurrences(text, word));
            let in_code = counted.unwrap_or(0);
            let beside_code = whole.saturating_sub(in_code);
            found.push(UnreadFile { file, reason, occurrences: in_code, beside_code });
        }
    }
    Ok(found)
}

/// Files that look like code by their names and were skipped, with the reason. What is large and binary is no code.
pub(super) fn skipped_code(reader: &Reader<'_>) -> Result<Vec<(String, String)>, GraphError> {
    const LARGE: i64 = 1 << 20;
    let mut skipped = reader.connection.prepare_cached("SELECT path, reason, byte_len FROM skipped_rows")?;
    let mut rows = skipped.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (path, reason, length): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let is_code = Lang::of_path(&path).is_some_and(|lang| lang.family() != Family::Prose);
        if is_code && (reason != "binary" || length <= LARGE) {
            found.push((path, reason));
        }
    }
    Ok(found)
}

fn count(sum: impl TryInto<usize>) -> usize {
    sum.try_into().unwrap_or(0)
}

/// The other symbols of the name with the most uses.
fn others(connection: &Connection, symbols: &[Symbol]) -> Result<Vec<OtherDefinition>, GraphError> {
    let Some(first) = symbols.first() else { return Ok(Vec::new()) };
    let tail = "AND s.kind <> ?2 ORDER BY s.id LIMIT ?3";
    let limit = (MANY_OTHERS + symbols.len()) as i64;
    let params = params![first.name, SymbolKind::Impl as u8, limit];
    let mut named = symbol::select_named(connection, tail, params)?;
    named.retain(|other| symbols.iter().all(|symbol| symbol.id != other.id));
    let mut uses = connection.prepare_cached("SELECT count(*) FROM ref_rows WHERE target = ?1")?;
    let mut found = Vec::new();
    for other in named.iter().take(MANY_OTHERS) {
        let uses: i64 = uses.query_row([other.id], |row| row.get(0))?;
        if uses > 0 {
            found.push(OtherDefinition { selector: other.selector(), uses: count(uses) });
        }
    }
    found.sort_by(|a, b| (b.uses, &a.selector).cmp(&(a.uses, &b.selector)));
    found.truncate(MOST_OTHERS);
    Ok(found)
}
