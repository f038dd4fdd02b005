//! The symbols a log speaks of, from where they were to where they end up. Several operations on one symbol are
//! followed in order; the trees are asked about the first and the last address only.

use super::claims::{Claims, Descent, Ended, KnownIds, Placed, Subject};
use super::schema::Address;
use crate::facts::Change;
use crate::identity::{At, FilePair};
use crate::outline::Outline;
use orbit_extract::SymbolKind;
use std::collections::{BTreeMap, HashMap};

/// How a symbol comes into a log.
#[derive(Clone, Debug)]
pub(super) enum Start {
    /// It was there.
    Old(At),
    Created,
    Split(At),
    Merged {
        inherited: Option<At>,
        sources: Vec<At>,
    },
}

/// How a symbol ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Deleted,
    Split,
    Merged,
}

/// A symbol on its way through the log.
#[derive(Clone, Debug)]
pub(super) struct Life {
    /// The operation that spoke of it last.
    entry: usize,
    start: Start,
    file: String,
    name: String,
    kind: SymbolKind,
    pub(super) changes_signature: Option<usize>,
    pub(super) changes_body: Option<usize>,
}

impl Life {
    pub(super) fn at(entry: usize, address: &Address, start: Start) -> Result<Life, String> {
        let kind = kind(&address.kind)?;
        let (file, name) = (address.file.clone(), address.qualified_name.clone());
        Ok(Life { entry, start, file, name, kind, changes_signature: None, changes_body: None })
    }

    pub(super) fn rename(&mut self, name: &str) -> Result<(), String> {
        if names(name, &self.name) {
            return Err(format!("`{name}` is the name it has"));
        }
        name.clone_into(&mut self.name);
        Ok(())
    }

    pub(super) fn relocate(&mut self, file: &str) -> Result<(), String> {
        if self.file == file {
            return Err(format!("`{file}` is the file it is in"));
        }
        file.clone_into(&mut self.file);
        Ok(())
    }

    pub(super) fn expect_name(&self, name: &str) -> Result<(), String> {
        if names(name, &self.name) || names(&self.name, name) {
            return Ok(());
        }
        Err(format!("the symbol is called `{}`, not `{name}`", self.name))
    }

    pub(super) fn expect_parts(&self, file: Option<&str>, kind: Option<&str>) -> Result<(), String> {
        if let Some(file) = file.filter(|file| *file != self.file) {
            return Err(format!("the symbol is in `{}`, not `{file}`", self.file));
        }
        if let Some(given) = kind.filter(|kind| *kind != self.kind.as_str()) {
            return Err(format!("the symbol is a {}, not a {given}", self.kind.as_str()));
        }
        Ok(())
    }
}

/// All symbols of a log.
pub(super) struct Lives<'l> {
    files: &'l [FilePair],
    by_path: HashMap<&'l str, usize>,
    known: &'l KnownIds,
    living: BTreeMap<String, Life>,
    ended: BTreeMap<String, (Life, Ending)>,
}

impl<'l> Lives<'l> {
    pub(super) fn new(files: &'l [FilePair], known: &'l KnownIds) -> Lives<'l> {
        let by_path = files.iter().enumerate().map(|(at, file)| (file.path_text.as_str(), at)).collect();
        Lives { files, by_path, known, living: BTreeMap::new(), ended: BTreeMap::new() }
    }

    /// A new id must be new.
    pub(super) fn fresh(&self, stable_id: &str) -> Result<(), String> {
        let is_taken = self.known.contains_key(stable_id)
            || self.living.contains_key(stable_id)
            || self.ended.contains_key(stable_id);
        if is_taken { Err(format!("{stable_id} is taken already")) } else { Ok(()) }
    }

    pub(super) fn begin(&mut self, stable_id: &str, life: Life) {
        self.ended.remove(stable_id);
        self.living.insert(stable_id.to_owned(), life);
    }

    pub(super) fn end(&mut self, stable_id: &str, ending: Ending) {
        if let Some(life) = self.living.remove(stable_id) {
            self.ended.insert(stable_id.to_owned(), (life, ending));
        }
    }

    /// A symbol that lives at this point of the log.
    pub(super) fn find_living(&mut self, stable_id: &str, entry: usize) -> Result<&mut Life, String> {
        if self.ended.contains_key(stable_id) {
            return Err(format!("{stable_id} ends earlier in this log"));
        }
        if !self.living.contains_key(stable_id) {
            let life = self.find_old(stable_id, entry)?;
            self.living.insert(stable_id.to_owned(), life);
        }
        let life = self.living.get_mut(stable_id).ok_or("it is not there")?;
        life.entry = entry;
        Ok(life)
    }

    /// As [`Lives::find_living`], at this address, in the old tree.
    pub(super) fn living_at(&mut self, stable_id: &str, pre: &Address, entry: usize) -> Result<At, String> {
        let life = self.find_living(stable_id, entry)?;
        life.expect_parts(Some(&pre.file), Some(&pre.kind))?;
        life.expect_name(&pre.qualified_name)?;
        match life.start {
            Start::Old(at) => Ok(at),
            _ => Err(format!("{stable_id} begins in this log")),
        }
    }

    fn find_old(&self, stable_id: &str, entry: usize) -> Result<Life, String> {
        let Some(&symbol) = self.known.get(stable_id) else {
            return Err(format!("{stable_id} is not known before this commit"));
        };
        let found = self.files.iter().enumerate().find_map(|(file, pair)| {
            let side = pair.old.as_ref()?;
            let at = side.ids.iter().position(|id| *id == symbol)?;
            Some((file, at, &side.outline.symbols[at]))
        });
        let (file, at, row) =
            found.ok_or_else(|| format!("{stable_id} is in no file that this commit changes"))?;
        Ok(Life {
            entry,
            start: Start::Old((file, at)),
            file: self.files[file].path_text.clone(),
            name: row.local.to_string(),
            kind: row.kind,
            changes_signature: None,
            changes_body: None,
        })
    }

    /// Holds the ends of all lives against the trees.
    pub(super) fn settle(self) -> Result<Claims, (usize, String)> {
        let mut claims = Claims::default();
        let mut taken: HashMap<At, &str> = HashMap::new();
        for (stable_id, life) in &self.living {
            let fail = |reason| (life.entry, reason);
            let new = self.find_new(life).ok_or_else(|| {
                fail(format!(
                    "{} `{}` is not in {} after this commit",
                    life.kind.as_str(),
                    life.name,
                    life.file
                ))
            })?;
            if let Some(other) = taken.insert(new, stable_id) {
                return Err(fail(format!("{stable_id} and {other} both end up as `{}`", life.name)));
            }
        }
        let vacated = self.vacated();
        for (stable_id, life) in &self.living {
            let new = self.find_new(life).ok_or((life.entry, String::new()))?;
            self.check(life, new, &taken, &vacated)?;
            self.claim(stable_id, life, new, &mut claims);
        }
        for (life, ending) in self.ended.values() {
            let Start::Old(old) = life.start else { continue };
            if let Some(still) = self.still_there(old).filter(|new| !taken.contains_key(new)) {
                return Err((
                    life.entry,
                    format!("`{}` is still there after this commit", self.name_of(still)),
                ));
            }
            let change = match ending {
                Ending::Deleted => Change::Deleted,
                Ending::Split => Change::Split,
                Ending::Merged => Change::Merged,
            };
            claims.ended.push(Ended { old, change });
        }
        Ok(claims)
    }

    /// Symbols of the old tree whose address is free, or somebody else's, afterwards.
    fn vacated(&self) -> Vec<At> {
        let starts = self.living.values().filter(|life| match life.start {
            Start::Old(old) => self.still_there(old) != self.find_new(life),
            _ => false,
        });
        let ends = self.ended.values().map(|(life, _)| life);
        starts
            .chain(ends)
            .filter_map(|life| if let Start::Old(old) = life.start { Some(old) } else { None })
            .collect()
    }

    fn check(
        &self,
        life: &Life,
        new: At,
        taken: &HashMap<At, &str>,
        vacated: &[At],
    ) -> Result<(), (usize, String)> {
        let fail = |reason: String| Err((life.entry, reason));
        match &life.start {
            Start::Old(old) => {
                let still = self.still_there(*old);
                let is_moved = still != Some(new);
                if let Some(still) = still.filter(|still| is_moved && !taken.contains_key(still)) {
                    return fail(format!("`{}` is still there after this commit", self.name_of(still)));
                }
                let says_moved =
                    life.file != self.files[old.0].path_text || !self.is_same_name(*old, &life.name);
                if !is_moved && says_moved {
                    return fail(format!("`{}` is where it was", life.name));
                }
                self.check_text(life, *old, new, is_moved)
            }
            Start::Created | Start::Split(_) => match self.in_old(new) {
                Some(old) if !vacated.contains(&old) => fail(format!("`{}` was there before", life.name)),
                _ => Ok(()),
            },
            Start::Merged { .. } => Ok(()),
        }
    }

    fn check_text(&self, life: &Life, old: At, new: At, is_moved: bool) -> Result<(), (usize, String)> {
        let (Some(from), Some(to)) = (&self.files[old.0].old, &self.files[new.0].new) else { return Ok(()) };
        let (from, to) = (&from.outline.symbols[old.1], &to.symbols[new.1]);
        if let Some(entry) = life.changes_signature
            && from.signature == to.signature
        {
            return Err((entry, format!("the signature of `{}` is what it was", life.name)));
        }
        let Some(entry) = life.changes_body else { return Ok(()) };
        if from.text == to.text {
            return Err((entry, format!("the body of `{}` is what it was", life.name)));
        }
        let is_only_body = !is_moved && life.changes_signature.is_none();
        if is_only_body && from.signature != to.signature {
            return Err((entry, format!("the signature of `{}` changed as well", life.name)));
        }
        Ok(())
    }

    fn claim(&self, stable_id: &str, life: &Life, new: At, claims: &mut Claims) {
        let fresh = || Subject::Fresh(stable_id.to_owned());
        let known = || self.known.get(stable_id).map_or_else(fresh, |symbol| Subject::Known(*symbol));
        let (subject, from, change) = match &life.start {
            Start::Old(old) => (known(), Some(*old), None),
            Start::Created => (fresh(), None, Some(Change::Added)),
            Start::Split(source) => {
                claims.descents.push(Descent {
                    subject: fresh(),
                    change: Change::Split,
                    from: *source,
                    to: new,
                });
                (fresh(), None, Some(Change::Split))
            }
            Start::Merged { inherited, sources } => {
                let subject = if inherited.is_some() { known() } else { fresh() };
                claims.descents.extend(sources.iter().map(|from| Descent {
                    subject: subject.clone(),
                    change: Change::Merged,
                    from: *from,
                    to: new,
                }));
                (subject, *inherited, Some(Change::Merged))
            }
        };
        let is_new_address = from.is_none_or(|old| self.still_there(old) != Some(new));
        claims.placed.push(Placed { new, subject, from, is_new_address, change });
    }

    fn find_new(&self, life: &Life) -> Option<At> {
        let file = *self.by_path.get(life.file.as_str())?;
        Some((file, find(self.files[file].new.as_deref()?, &life.name, life.kind)?))
    }

    /// The symbol of the new tree that has the address an old one had.
    fn still_there(&self, old: At) -> Option<At> {
        let pair = &self.files[old.0];
        let row = &pair.old.as_ref()?.outline.symbols[old.1];
        let found = pair
            .new
            .as_ref()?
            .symbols
            .iter()
            .position(|new| new.local == row.local && new.kind == row.kind)?;
        Some((old.0, found))
    }

    /// The symbol of the old tree that had the address a new one has.
    fn in_old(&self, new: At) -> Option<At> {
        let pair = &self.files[new.0];
        let row = &pair.new.as_ref()?.symbols[new.1];
        let old = &pair.old.as_ref()?.outline.symbols;
        Some((new.0, old.iter().position(|old| old.local == row.local && old.kind == row.kind)?))
    }

    fn is_same_name(&self, old: At, name: &str) -> bool {
        let row = self.files[old.0].old.as_ref().map(|side| &side.outline.symbols[old.1]);
        row.is_some_and(|row| names(name, &row.local))
    }

    fn name_of(&self, new: At) -> &str {
        self.files[new.0].new.as_ref().map_or("", |outline| &outline.symbols[new.1].local)
    }
}

fn kind(text: &str) -> Result<SymbolKind, String> {
    SymbolKind::parse(text).ok_or_else(|| format!("`{text}` is not a kind of symbol"))
}

/// Whether a name as a producer writes it, perhaps with its module before it, means the name inside the file.
fn names(given: &str, local: &str) -> bool {
    given.strip_suffix(local).is_some_and(|module| module.is_empty() || module.ends_with([':', '.', '/']))
}

/// The symbol that a producer's name means: the longest name that fits.
fn find(outline: &Outline, name: &str, kind: SymbolKind) -> Option<usize> {
    let fitting =
        outline.symbols.iter().enumerate().filter(|(_, row)| row.kind == kind && names(name, &row.local));
    fitting.max_by_key(|(_, row)| row.local.len()).map(|(at, _)| at)
}
