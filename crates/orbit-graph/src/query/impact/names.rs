//! The names of everything that was followed, and which of their occurrences nobody understood: what the walk may have
//! missed.

use crate::error::GraphError;
use crate::query::reach::Reach;
use crate::query::symbol::{Cache, Symbol};
use crate::query::{Reader, account};
use crate::store::{unread, words};
use orbit_extract::{Family, SymbolKind, occurrences, word_key, word_of};
use rusqlite::Connection;
use serde::Serialize;
use std::collections::BTreeMap;

/// How many names are told.
const MOST_TOLD: usize = 5;

/// What the search may have missed: the account of every name that it followed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ImpactAccount {
    /// Nothing that could be reached within the depth is left out.
    pub complete: bool,
    /// Different names that were followed.
    pub names: usize,
    /// Occurrences of these names that could be uses.
    pub uncertain: usize,
    /// Occurrences in code that the parser could not read, and files that hold one of the names and have no parser.
    pub unread: usize,
    /// The names with the most of both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenName>,
    /// Members that the language or a type of another package calls without their name, so that nobody can list all
    /// of their users.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_unnamed: Vec<String>,
}

/// A name that was followed and that has occurrences which nobody understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenName {
    /// The first symbol of the name that was followed.
    pub selector: String,
    /// Occurrences that could be uses.
    pub uncertain: usize,
    /// Occurrences and files that could not be read.
    pub unread: usize,
}

/// The names of what is followed, as the walk goes on.
#[derive(Default)]
pub(super) struct Names {
    followed: BTreeMap<(String, Family), Followed>,
    unnamed: Vec<i64>,
}

struct Followed {
    /// The first symbol of the name.
    symbol: i64,
    reach: Reach,
    /// Uses that were followed although only their name is known.
    by_name: usize,
    /// How many symbols of the name were followed.
    symbols: usize,
    /// One of them is a member of an interface that any object may have.
    is_structural: bool,
}

impl Names {
    /// Takes a symbol in. True when its name is new.
    pub(super) fn follow(
        &mut self,
        connection: &Connection,
        symbol: &Symbol,
        overrides: bool,
    ) -> Result<bool, GraphError> {
        if is_called_unnamed(symbol, overrides) {
            self.unnamed.push(symbol.id);
        }
        let Some(word) = word_of(&symbol.name).filter(|_| has_uses(symbol.address.kind)) else {
            return Ok(false);
        };
        let reach = Reach::of_symbol(connection, symbol)?;
        let is_structural = account::is_structural(connection, std::slice::from_ref(symbol))?;
        let key = (word.to_owned(), symbol.family());
        if let Some(known) = self.followed.get_mut(&key) {
            known.reach = known.reach.or(reach);
            known.symbols += 1;
            known.is_structural |= is_structural;
            return Ok(false);
        }
        let (symbol, by_name, symbols) = (symbol.id, 0, 1);
        self.followed.insert(key, Followed { symbol, reach, by_name, symbols, is_structural });
        Ok(true)
    }

    /// Counts uses of a name that were followed by that name alone.
    pub(super) fn follow_by_name(&mut self, symbol: &Symbol, uses: usize) {
        let Some(word) = word_of(&symbol.name) else { return };
        if let Some(known) = self.followed.get_mut(&(word.to_owned(), symbol.family())) {
            known.by_name += uses;
        }
    }

    /// What nobody understood of all names.
    pub(super) fn account(self, reader: &Reader<'_>, cache: &mut Cache) -> Result<ImpactAccount, GraphError> {
        let connection = reader.connection;
        let words: Vec<&str> = self.followed.keys().map(|(word, _)| word.as_str()).collect();
        let mut files = vec![0; words.len()];
        for at in unread::holding_any(connection, &words)? {
            files[at] += 1;
        }
        for (path, _) in account::skipped_code(reader)? {
            let text = std::fs::read(reader.root.join(path)).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let holds = |word: &str| occurrences(&text, word) > 0;
            files.iter_mut().zip(&words).filter(|(_, word)| holds(word)).for_each(|(count, _)| *count += 1);
        }
        let mut account = ImpactAccount { names: words.len(), ..ImpactAccount::default() };
        for (((word, family), name), files) in self.followed.iter().zip(files) {
            let sums = words::sums(connection, word_key(word))?;
            let Some((_, sums)) = sums.into_iter().find(|(of, _)| *of == *family as u8) else { continue };
            let mut uncertain = name.reach.uncertain(&sums).saturating_sub(name.by_name);
            if name.is_structural {
                uncertain += usize::try_from(sums.definitions).unwrap_or(0).saturating_sub(name.symbols);
            }
            let unread = usize::try_from(sums.damaged).unwrap_or(0) + files;
            account.uncertain += uncertain;
            account.unread += unread;
            if uncertain + unread > 0
                && let Some(symbol) = cache.get(connection, name.symbol)?
            {
                account.open.push(OpenName { selector: symbol.selector(), uncertain, unread });
            }
        }
        account.open.sort_by(|a, b| {
            (b.uncertain + b.unread, &a.selector).cmp(&(a.uncertain + a.unread, &b.selector))
        });
        account.open.truncate(MOST_TOLD);
        for id in self.unnamed.iter().take(MOST_TOLD) {
            account.called_unnamed.extend(cache.get(connection, *id)?.map(Symbol::selector));
        }
        account.complete = account.uncertain == 0 && account.unread == 0 && self.unnamed.is_empty();
        Ok(account)
    }
}

/// Whether code can name such a thing. A test or a heading is used by nothing, a module by its path.
fn has_uses(kind: SymbolKind) -> bool {
    !matches!(kind, SymbolKind::Module | SymbolKind::Heading | SymbolKind::Impl | SymbolKind::Test)
}

/// Whether something calls it without writing its name: operators, protocols of the language, traits of other packages.
/// A constructor is called by the name of its class.
fn is_called_unnamed(symbol: &Symbol, overrides: bool) -> bool {
    let (name, kind) = (symbol.name.as_str(), symbol.address.kind);
    if !kind.is_callable() || kind == SymbolKind::Constructor {
        return false;
    }
    match symbol.family() {
        Family::Python => name.len() > 4 && name.starts_with("__") && name.ends_with("__"),
        Family::Native => name.starts_with('~') || name.starts_with("operator"),
        // A method of `impl Trait for Type`; the uses of a trait of the repository are followed.
        Family::Rust => symbol.qualified.contains(" as ") && !overrides,
        _ => false,
    }
}
