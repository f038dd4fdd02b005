//! A plan: everything a refactoring will do, before anything is done.

use crate::edit::Edit;
use serde::{Deserialize, Serialize};

/// What will happen, as data. Nothing in it depends on the file system any more.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// As a person would say it: `rename symbol:a.rs#f:function to g`.
    pub title: String,
    /// What the refactoring is about, before.
    pub subject: String,
    /// By path.
    pub files: Vec<FileChange>,
    /// For the operation log.
    pub entries: Vec<Entry>,
    /// What a person should look at: it was not changed, or only for a reason that is given.
    pub review: Vec<Review>,
}

impl Plan {
    /// How many places change.
    pub fn edits(&self) -> usize {
        self.files.iter().map(|file| file.edits.len().max(1)).sum()
    }
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Relative to the worktree.
    pub path: String,
    /// `None` for a new file.
    pub before: Option<Vec<u8>>,
    /// `None` for a file that goes.
    pub after: Option<Vec<u8>>,
    /// How the one becomes the other, when both are there.
    pub edits: Vec<Edit>,
}

/// A place that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Review {
    /// Relative to the worktree.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// What it is.
    pub reason: String,
    /// Whether it is changed.
    pub edited: bool,
}

/// Where a symbol is: the name is qualified inside the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct At {
    /// Relative to the worktree.
    pub file: String,
    /// Qualified inside the file, with `#2` for a second definition.
    pub name: String,
    /// As selectors have it.
    pub kind: String,
}

/// One thing that is done to one symbol or group, for the operation log. Ids come in when it is committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are addresses before and after")]
pub enum Entry {
    Create { post: At },
    Delete { pre: At },
    Rename { pre: At, post: At },
    Move { pre: At, post: At },
    ChangeSignature { at: At },
    ChangeBody { at: At },
    Split { pre: At, post: Vec<At> },
    Merge { pre: Vec<At>, post: At },
}

impl Entry {
    /// The word for it in logs.
    pub fn name(&self) -> &'static str {
        match self {
            Entry::Create { .. } => "create",
            Entry::Delete { .. } => "delete",
            Entry::Rename { .. } => "rename",
            Entry::Move { .. } => "move",
            Entry::ChangeSignature { .. } => "change_signature",
            Entry::ChangeBody { .. } => "change_body",
            Entry::Split { .. } => "split",
            Entry::Merge { .. } => "merge",
        }
    }
}
