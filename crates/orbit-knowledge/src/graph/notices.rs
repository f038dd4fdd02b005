//! Which atoms belong to some files, and whether those files are still as they were affirmed: what an answer about code
//! can afford to say. Other files of an atom's area are not looked at, so this is cheap however large the area is.

use super::{atoms, stamps};
use crate::code::{Freshness, Stamp};
use crate::error::KnowledgeError;
use crate::glob::index::GlobIndex;
use crate::id::Id;
use crate::store::{Session, Store};

/// An atom that some files belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The atom.
    pub id: Id,
    /// What it is called.
    pub name: String,
    /// How those files stand; `None` when none of them was part of what was affirmed.
    pub freshness: Option<Freshness>,
}

impl Store {
    /// The confirmed atoms of all projects that cover paths, in the order of their names. Writes nothing.
    pub fn notices(&self, paths: &[String]) -> Result<Vec<Notice>, KnowledgeError> {
        let found = self.read(|session| covering(session, paths))?;
        let mut notices = Vec::new();
        for (id, name, kept) in found {
            let freshness = match kept {
                Err(_) => Some(Freshness::NotChecked),
                Ok(stamps) if stamps.is_empty() => None,
                Ok(stamps) => Some(self.stand(&stamps)),
            };
            notices.push(Notice { id, name, freshness });
        }
        Ok(notices)
    }

    /// How files stand. Those with the bytes of a stamp hold, without a question to git.
    fn stand(&self, stamps: &[Stamp]) -> Freshness {
        let is_as = |stamp: &Stamp| {
            let mut files = stamp.files.iter();
            files.all(|file| self.code().content(&file.path).as_ref() == Some(&file.content))
        };
        if stamps.iter().any(is_as) {
            return Freshness::Fresh;
        }
        let found = self.code().check(&[stamps]);
        found.first().map_or(Freshness::NotChecked, |finding| finding.freshness)
    }
}

/// The stamps of an atom, reduced to some paths, or why there is none.
type Reduced = Result<Vec<Stamp>, String>;

fn covering(session: &Session<'_>, paths: &[String]) -> Result<Vec<(Id, String, Reduced)>, KnowledgeError> {
    let areas = atoms::all_globs(session)?;
    let mut index = GlobIndex::new();
    for (at, (_, _, patterns)) in areas.iter().enumerate() {
        for pattern in patterns {
            index.add(at, pattern);
        }
    }
    let hits = paths.iter().flat_map(|path| index.matches(path)).map(|(at, _)| at);
    let mut hits: Vec<usize> = hits.collect();
    hits.sort_unstable();
    hits.dedup();
    let reduced = |at: usize| {
        let (id, name, _) = &areas[at];
        Ok((*id, name.clone(), stamps::of_paths(session, *id, paths)?))
    };
    hits.into_iter().map(reduced).collect()
}
