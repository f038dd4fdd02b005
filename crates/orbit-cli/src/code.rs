//! The code of a worktree as the store of knowledge asks for it: here the planes meet.
//!
//! ```text
//! globs, anchors ─files, prints─▶ Stamp      Stamp ─compare─▶ drift ─follow (history, git, prints)─▶ Finding
//! ```
//!
//! Reads only. Git is asked once per call for what a check needs, and only when something changed.

mod branches;
mod causes;
mod check;
mod cited;
mod files;
mod follow;
mod git;
mod older;
mod places;
mod stamp;
mod survey;
#[cfg(test)]
mod tests;

use files::Files;
use orbit_knowledge::{Area, CodeFacts, Finding, Places, Question, Stamp, StampError, Survey};
use std::path::{Path, PathBuf};

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

    fn check(&self, areas: &[&[Stamp]]) -> Vec<Finding> {
        check::check(&self.root, &self.files, areas)
    }

    fn content(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|seen| seen.content.clone())
    }

    fn places(&self, question: &Question) -> Result<Places, String> {
        places::places(&self.root, question)
    }

    fn survey(&self) -> Result<Survey, String> {
        survey::survey(&self.root)
    }
}
