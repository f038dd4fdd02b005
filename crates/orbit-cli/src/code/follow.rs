//! Where things went that are not where they were. Known by the history (operation logs, its own matching), by git's
//! renamed files, or inferred from a print that nothing else has. What fits several places is not guessed.

use super::files::Files;
use super::git::{self, Changed};
use orbit_extract::{Lang, Print, Prints, SymbolAddress, SymbolKind};
use orbit_history::{Change, History};
use orbit_knowledge::{KnownBy, SymbolMark};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that are searched for a print.
const SEARCHED: usize = 2_000;
/// A definition of fewer bytes says too little to be recognised by.
const LEAST_BYTES: u32 = 48;

/// What became of a symbol.
pub(super) enum Fate {
    /// It is here; several symbols when it was split.
    At(Vec<Found>),
    /// It may be one of these.
    Unclear(Vec<SymbolAddress>),
    /// Nowhere.
    Gone,
}

/// Where a symbol is, and what it looks like there.
pub(super) struct Found {
    pub(super) address: SymbolAddress,
    pub(super) known_by: KnownBy,
    pub(super) signature: u64,
    pub(super) body: u64,
}

/// Addresses by kind, signature and body.
type ByPrints = BTreeMap<(SymbolKind, u64, u64), Vec<SymbolAddress>>;

/// Looks for things, and keeps what it learnt from git.
pub(super) struct Follower<'f> {
    root: PathBuf,
    files: &'f Files,
    history: OnceCell<Option<History>>,
    changed: BTreeMap<String, Changed>,
    /// What files are called now, as the history has it, per commit.
    renamed: BTreeMap<String, BTreeMap<String, String>>,
    /// Symbols of changed files by kind and prints, per commit.
    printed: BTreeMap<String, ByPrints>,
}

impl<'f> Follower<'f> {
    pub(super) fn new(root: &Path, files: &'f Files) -> Follower<'f> {
        Follower {
            root: root.to_owned(),
            files,
            history: OnceCell::new(),
            changed: BTreeMap::new(),
            renamed: BTreeMap::new(),
            printed: BTreeMap::new(),
        }
    }

    /// What a file is called now.
    pub(super) fn renamed(&mut self, base: Option<&str>, path: &str) -> Option<String> {
        let base = base?;
        if let Some(new) = self.changed(base).renamed.get(path) {
            return Some(new.clone());
        }
        if !self.renamed.contains_key(base) {
            let since = self.history().and_then(|history| history.since(base).ok().flatten());
            let renamed = since.and_then(|since| since.renamed_files().ok()).unwrap_or_default();
            self.renamed.insert(base.to_owned(), renamed);
        }
        let new = self.renamed.get(base)?.get(path)?;
        self.files.get(new).map(|_| new.clone())
    }

    /// Where a symbol went.
    pub(super) fn find(&mut self, base: Option<&str>, path: &str, symbol: &SymbolMark) -> Fate {
        let id = symbol.stable_id.clone().or_else(|| self.id_at(path, symbol));
        let known = id.map(|id| self.by_history(&id, path)).unwrap_or_default();
        if !known.is_empty() {
            return Fate::At(known);
        }
        // A kind that is not known was stamped by another version of this program; nothing here has it.
        let Some(kind) = SymbolKind::parse(&symbol.kind) else { return Fate::Gone };
        if let Some(path) = self.renamed(base, path)
            && let Some(found) =
                self.at(&SymbolAddress { path, local: symbol.local.clone(), kind }, KnownBy::Matched)
        {
            return Fate::At(vec![found]);
        }
        let Some(base) = base.filter(|_| symbol.body != 0) else { return Fate::Gone };
        let key = (kind, symbol.signature, symbol.body);
        let mut found = self.printed(base).get(&key).cloned().unwrap_or_default();
        // What was there before is a twin, not the symbol itself.
        found.retain(|address| !self.was_there(base, address));
        // A symbol of the same name elsewhere is the better one of several.
        let last = |name: &str| name.rsplit([':', '.', '/']).next().unwrap_or(name).to_owned();
        if found.len() > 1 {
            let is_same = |address: &&SymbolAddress| last(&address.local) == last(&symbol.local);
            let same: Vec<_> = found.iter().filter(is_same).cloned().collect();
            if same.len() == 1 {
                found = same;
            }
        }
        match &found[..] {
            [] => Fate::Gone,
            [only] => self.at(only, KnownBy::Inferred).map_or(Fate::Gone, |found| Fate::At(vec![found])),
            several => Fate::Unclear(several.iter().take(8).cloned().collect()),
        }
    }

    /// The id that the history has for what was at an address last: an atom may be older than the history.
    fn id_at(&self, path: &str, symbol: &SymbolMark) -> Option<String> {
        let ids = self.history()?.ids_of_file(path).ok()?;
        let is_it =
            |(local, kind): &(String, SymbolKind)| *local == symbol.local && kind.as_str() == symbol.kind;
        ids.into_iter().find(|(address, _)| is_it(address)).map(|(_, id)| id)
    }

    /// Whether a commit has a symbol.
    fn was_there(&self, commit: &str, address: &SymbolAddress) -> bool {
        let path = &address.path;
        let bytes = git::blob(&self.root, commit, path);
        let lang = Lang::of_path(path);
        let prints = bytes.zip(lang).and_then(|(bytes, lang)| orbit_extract::prints(path, lang, &bytes).ok());
        prints.is_some_and(|prints| print_of(&prints, address).is_some())
    }

    /// Where the history has a symbol, or what it was split into or merged with.
    fn by_history(&self, stable_id: &str, path: &str) -> Vec<Found> {
        let Some(found) = self.history().and_then(|history| history.whereabouts(stable_id).ok()) else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for it in found {
            let is_elsewhere = it.hop.is_some() || it.address.path != path;
            let (change, known_by) = it.hop.unzip();
            let known_by = known_by.map_or(KnownBy::Matched, known);
            if is_elsewhere && let Some(found) = self.at(&it.address, known_by) {
                places.push(found);
                if change != Some(Change::Split) {
                    break;
                }
            }
        }
        places
    }

    /// What an address holds, if the worktree has the symbol there.
    fn at(&self, address: &SymbolAddress, known_by: KnownBy) -> Option<Found> {
        let prints = self.files.prints(&address.path)?;
        let print = print_of(&prints, address)?;
        let (signature, body) = (print.signature, print.body);
        Some(Found { address: address.clone(), known_by, signature, body })
    }

    fn history(&self) -> Option<&History> {
        let root = &self.root;
        self.history.get_or_init(|| History::open(root, None).ok()).as_ref()
    }

    fn changed(&mut self, base: &str) -> &Changed {
        let root = &self.root;
        self.changed.entry(base.to_owned()).or_insert_with(|| git::changed_since(root, base))
    }

    /// The symbols of files that changed since a commit, by what they look like.
    fn printed(&mut self, base: &str) -> &ByPrints {
        if !self.printed.contains_key(base) {
            let paths: Vec<String> = self.changed(base).files.iter().take(SEARCHED).cloned().collect();
            let mut found = ByPrints::new();
            for path in paths {
                for print in self.files.prints(&path).iter().flat_map(|prints| &prints.symbols) {
                    if print.body != 0
                        && print.span.end - print.span.start >= LEAST_BYTES
                        && is_told(print.kind)
                    {
                        let (path, local) = (path.clone(), print.local.clone());
                        let address = SymbolAddress { path, local, kind: print.kind };
                        let key = (print.kind, print.signature, print.body);
                        found.entry(key).or_default().push(address);
                    }
                }
            }
            self.printed.insert(base.to_owned(), found);
        }
        &self.printed[base]
    }
}

/// The symbol of a file's prints at an address.
fn print_of<'p>(prints: &'p Prints, address: &SymbolAddress) -> Option<&'p Print> {
    prints.symbols.iter().find(|it| it.local == address.local && it.kind == address.kind)
}

/// How the history knows a hop, in the words of the store.
fn known(by: orbit_history::KnownBy) -> KnownBy {
    match by {
        orbit_history::KnownBy::Operation => KnownBy::Operation,
        orbit_history::KnownBy::Matched => KnownBy::Matched,
        orbit_history::KnownBy::Inferred => KnownBy::Inferred,
    }
}

/// Kinds that are recognised by what they look like.
fn is_told(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type()
}
