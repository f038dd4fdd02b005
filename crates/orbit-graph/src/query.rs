//! Answers from the index: one file per question. Read only.

pub(crate) mod overview;
pub(crate) mod search;
