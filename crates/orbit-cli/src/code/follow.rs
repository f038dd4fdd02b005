//! Where things went that are not where they were. Known by the history (operation logs, its own matching), by git's
//! renamed files, or inferred from a print that nothing else has. What fits several places is not guessed.

use super::files::Files;
use super::git::{self, Changed};
use orbit_extract::{Lang, Print, SymbolKind};
use orbit_history::History;
use orbit_knowledge::SymbolMark;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that are searched for a print.
const SEARCHED: usize = 2_000;
/// A definition of fewer bytes says too little to be recognised by.
const LEAST_BYTES: u32 = 48;

/// What became of a symbol.
pub(super) enum Fate {
    /// It is here; several places when it was split.
    At(Vec<Place>),
    /// It may be at one of these.
    Unclear(Vec<String>),
    /// Nowhere.
    Gone,
}

/// Where a symbol is, and what it looks like there.
pub(super) struct Place {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) known_by: String,
    pub(super) signature: u64,
    pub(super) body: u64,
}

/// Paths and names by kind, signature and body.
type ByPrints = BTreeMap<(String, u64, u64), Vec<(String, String)>>;

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
    pub(super) fn renamed(&mut self, base: Option<&str>, path: &str) -> Option<(String, &'static str)> {
        let base = base?;
        if let Some(new) = self.changed(base).renamed.get(path) {
            return Some((new.clone(), "matched"));
        }
        if !self.renamed.contains_key(base) {
            let since = self.history().and_then(|history| history.since(base).ok().flatten());
            let renamed = since.and_then(|since| since.renamed_files().ok()).unwrap_or_default();
            self.renamed.insert(base.to_owned(), renamed);
        }
        let new = self.renamed.get(base)?.get(path)?;
        self.files.get(new).map(|_| (new.clone(), "matched"))
    }

    /// Where a symbol went.
    pub(super) fn find(&mut self, base: Option<&str>, path: &str, symbol: &SymbolMark) -> Fate {
        let id = symbol.stable_id.clone().or_else(|| self.id_at(path, symbol));
        let known = id.map(|id| self.by_history(&id, path)).unwrap_or_default();
        if !known.is_empty() {
            return Fate::At(known);
        }
        if let Some((new, known_by)) = self.renamed(base, path)
            && let Some(place) = self.at(&new, &symbol.name, &symbol.kind, known_by)
        {
            return Fate::At(vec![place]);
        }
        let Some(base) = base.filter(|_| symbol.body != 0) else { return Fate::Gone };
        let key = (symbol.kind.clone(), symbol.signature, symbol.body);
        let mut found = self.printed(base).get(&key).cloned().unwrap_or_default();
        // What was there before is a twin, not the symbol itself.
        found.retain(|(path, name)| !self.was_there(base, path, name, &symbol.kind));
        // A symbol of the same name elsewhere is the better one of several.
        let last = |name: &str| name.rsplit([':', '.', '/']).next().unwrap_or(name).to_owned();
        if found.len() > 1 {
            let same: Vec<_> =
                found.iter().filter(|(_, name)| last(name) == last(&symbol.name)).cloned().collect();
            if same.len() == 1 {
                found = same;
            }
        }
        match &found[..] {
            [] => Fate::Gone,
            [(path, name)] => {
                let place = self.at(path, name, &symbol.kind, "inferred");
                place.map_or(Fate::Gone, |place| Fate::At(vec![place]))
            }
            several => {
                let selector =
                    |(path, name): &(String, String)| format!("symbol:{path}#{name}:{}", symbol.kind);
                Fate::Unclear(several.iter().take(8).map(selector).collect())
            }
        }
    }

    /// The id that the history has for what was at an address last: an atom may be older than the history.
    fn id_at(&self, path: &str, symbol: &SymbolMark) -> Option<String> {
        let ids = self.history()?.ids_of_file(path).ok()?;
        let is_it =
            |(name, kind): &(String, SymbolKind)| *name == symbol.name && kind.as_str() == symbol.kind;
        ids.into_iter().find(|(address, _)| is_it(address)).map(|(_, id)| id)
    }

    /// Whether a commit has a symbol.
    fn was_there(&self, commit: &str, path: &str, name: &str, kind: &str) -> bool {
        let bytes = git::blob(&self.root, commit, path);
        let lang = Lang::of_path(path);
        let prints = bytes.zip(lang).and_then(|(bytes, lang)| orbit_extract::prints(path, lang, &bytes).ok());
        prints
            .is_some_and(|prints| prints.symbols.iter().any(|it| it.name == name && it.kind.as_str() == kind))
    }

    /// Where the history has a symbol, or what it was split into or merged with.
    fn by_history(&self, stable_id: &str, path: &str) -> Vec<Place> {
        let Some(found) = self.history().and_then(|history| history.whereabouts(stable_id).ok()) else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for it in found {
            let known_by = it.known_by.unwrap_or("matched");
            let is_elsewhere = it.change.is_some() || it.path != path;
            if is_elsewhere && let Some(place) = self.at(&it.path, &it.name, it.kind.as_str(), known_by) {
                places.push(place);
                if !matches!(it.change, Some("split")) {
                    break;
                }
            }
        }
        places
    }

    /// A place, if the worktree has the symbol there.
    fn at(&self, path: &str, name: &str, kind: &str, known_by: &str) -> Option<Place> {
        let prints = self.files.prints(path)?;
        let is_it = |it: &&Print| it.name == name && it.kind.as_str() == kind;
        let print = prints.symbols.iter().find(is_it)?;
        Some(Place {
            path: path.to_owned(),
            name: print.name.clone(),
            kind: print.kind.as_str().to_owned(),
            known_by: known_by.to_owned(),
            signature: print.signature,
            body: print.body,
        })
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
                        let key = (print.kind.as_str().to_owned(), print.signature, print.body);
                        found.entry(key).or_default().push((path.clone(), print.name.clone()));
                    }
                }
            }
            self.printed.insert(base.to_owned(), found);
        }
        &self.printed[base]
    }
}

/// Kinds that are recognised by what they look like.
fn is_told(kind: SymbolKind) -> bool {
    kind.is_callable() || kind.is_type()
}
