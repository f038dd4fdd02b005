//! The code of a worktree as the store of knowledge asks for it: here the planes meet.
//!
//! ```text
//! globs, anchors ─files, prints─▶ Stamp      Stamp ─compare─▶ drift ─follow (history, git, prints)─▶ Finding
//! ```
//!
//! Reads only. Git is asked once per call for what a check needs, and only when something changed.

mod causes;
mod check;
mod files;
mod follow;
mod git;
mod places;
mod stamp;
mod survey;
#[cfg(test)]
mod tests;

use crate::failure::Failure;
use files::Files;
use orbit_knowledge::{
    Area, CodeFacts, Finding, FollowedAtom, Places, Question, Stamp, StampError, Store, Survey,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Makes the anchors of all atoms follow what happened to the code, and says what became of them: the one call that a
/// command makes after it has moved code. Needs the history to be up to HEAD for operations to be known.
pub(crate) fn follow_anchors(store: &Store) -> Result<Value, Failure> {
    let followed = store.follow_code()?;
    let atom = |it: &FollowedAtom| {
        let mut value = json!({"atomId": it.id.to_string(), "name": it.name, "rewritten": it.is_rewritten});
        it.finding.put_into(&mut value);
        value
    };
    Ok(json!({"atoms": followed.atoms.iter().map(atom).collect::<Value>()}))
}

/// The code of one worktree.
pub(crate) struct WorktreeCode {
    root: PathBuf,
    files: Files,
}

impl WorktreeCode {
    pub(crate) fn new(root: &Path) -> WorktreeCode {
        WorktreeCode { root: root.to_owned(), files: Files::new(root) }
    }
}

impl CodeFacts for WorktreeCode {
    fn stamp(&self, area: &Area) -> Result<Stamp, StampError> {
        stamp::stamp(&self.root, &self.files, area)
    }

    fn check(&self, stamps: &[&Stamp]) -> Vec<Finding> {
        check::check(&self.root, &self.files, stamps)
    }

    fn places(&self, question: &Question) -> Result<Places, String> {
        places::places(&self.root, question)
    }

    fn survey(&self) -> Result<Survey, String> {
        survey::survey(&self.root)
    }
}
