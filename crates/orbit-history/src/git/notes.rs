//! Operation logs kept as git notes, so that they are pushed and fetched with the repository.

use super::Oid;
use orbit_git::Git;
use std::collections::BTreeMap;

/// Where the logs are, as a ref and as git's `--ref` takes it.
pub const NOTES_REF: &str = "refs/notes/orbit-operations";

/// Which blob holds the note of which commit.
pub(crate) fn list(git: &Git) -> BTreeMap<Oid, Oid> {
    let Ok(output) = git.output(&["notes", "--ref", NOTES_REF, "list"]) else { return BTreeMap::new() };
    let text = String::from_utf8_lossy(&output);
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs
        .filter_map(|(note, commit)| Some((Oid::parse(commit.as_bytes())?, Oid::parse(note.as_bytes())?)))
        .collect()
}
