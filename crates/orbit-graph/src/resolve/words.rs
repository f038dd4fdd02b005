//! What became of a file's references, by the word that they are written with.

use super::surface::Surface;
use super::{Outcome, ResolvedRef};
use orbit_extract::{RawRef, word_key, word_of};

/// What became of the references that a file writes with one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordOutcome {
    /// As [`word_key`] has it.
    pub(crate) key: u64,
    /// Lead to a symbol of the repository.
    pub(crate) resolved: u32,
    /// Known to come from outside the repository.
    pub(crate) external: u32,
    /// A name on its own that nobody could resolve.
    pub(crate) open_plain: u32,
    /// A member of something that nobody could resolve.
    pub(crate) open_member: u32,
}

/// How the name of a reference is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// On its own.
    Plain,
    /// Behind what it is a member of.
    Member,
    /// Not as a reference: the variable that a whole module is bound to.
    Elsewhere,
}

impl Written {
    pub(super) fn of(row: &RawRef) -> Written {
        match row.base {
            _ if row.defines => Written::Elsewhere,
            Some(_) => Written::Member,
            None => Written::Plain,
        }
    }
}

/// The outcomes of references that are sorted by place, in the order of keys.
pub(super) fn outcomes(surface: &Surface, refs: &[ResolvedRef]) -> Vec<WordOutcome> {
    let mut by_name = vec![[0u32; 4]; surface.names.len()];
    let counted = |row: &&ResolvedRef| row.written != Written::Elsewhere;
    // A word is one occurrence, whatever it is used for: the reference that says most stands for it.
    let rows: Vec<&ResolvedRef> = refs.iter().filter(counted).collect();
    for same_place in rows.chunk_by(|a, b| a.span.start == b.span.start) {
        if let Some(row) = same_place.iter().min_by_key(|row| class(row)) {
            by_name[row.name.0 as usize][class(row)] += 1;
        }
    }
    let mut found: Vec<WordOutcome> = Vec::new();
    for (index, counts) in by_name.iter().enumerate().filter(|(_, counts)| **counts != [0; 4]) {
        let name = orbit_extract::NameId(index as u32);
        let Some(word) = word_of(surface.names.as_written(name)) else { continue };
        let [resolved, external, open_plain, open_member] = *counts;
        found.push(WordOutcome { key: word_key(word), resolved, external, open_plain, open_member });
    }
    found.sort_unstable_by_key(|outcome| outcome.key);
    // `save` and `save!` are written with the same word.
    found.dedup_by(|next, first| {
        let is_same = next.key == first.key;
        if is_same {
            first.resolved += next.resolved;
            first.external += next.external;
            first.open_plain += next.open_plain;
            first.open_member += next.open_member;
        }
        is_same
    });
    found
}

fn class(row: &ResolvedRef) -> usize {
    match row.outcome {
        Outcome { target: Some(_), .. } => 0,
        Outcome { external: true, .. } => 1,
        _ if row.written == Written::Plain => 2,
        _ => 3,
    }
}
