//! Stable ids: `node:` and 21 characters, 126 bits that say nothing about what they name.
//!
//! The id of a symbol is made from where it was first seen: the commit, the path, the name and the kind. Every clone
//! of the same history so gives the same ids, without asking the others. From then on the id stays, whatever becomes
//! of path, name and kind.

use orbit_extract::SymbolKind;

/// What every stable id begins with.
const PREFIX: &str = "node:";
/// Characters behind the prefix.
const LENGTH: usize = 21;

const ALPHABET: &[u8; 64] = b"_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Whether a text has the form of a stable id.
pub fn is_stable_id(text: &str) -> bool {
    text.strip_prefix(PREFIX)
        .is_some_and(|id| id.len() == LENGTH && id.bytes().all(|byte| ALPHABET.contains(&byte)))
}

/// A random stable id, for a symbol that no commit has yet.
pub fn new_stable_id() -> String {
    let mut bytes = [0; LENGTH];
    random(&mut bytes);
    spell(&bytes)
}

fn random(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the system has random numbers");
}

/// The id of a symbol that is seen for the first time in a commit. `name` is qualified inside the file, with `#2` for
/// a second definition; `sha` is the commit in full, lowercase.
pub fn first_sight_id(sha: &str, path: &str, name: &str, kind: SymbolKind) -> String {
    numbered(sha, path, name, kind, 0)
}

/// As [`first_sight_id`]; another number gives another id, for when one is taken.
pub(crate) fn numbered(sha: &str, path: &str, name: &str, kind: SymbolKind, number: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [sha, path, name, kind.as_str()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&number.to_le_bytes());
    spell(&hasher.finalize().as_bytes()[..LENGTH])
}

fn spell(bytes: &[u8]) -> String {
    let id = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 64)]));
    PREFIX.chars().chain(id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_have_their_form_and_differ() {
        let ids: BTreeSet<String> = (0..1000).map(|_| new_stable_id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| is_stable_id(id)));
        assert!(!is_stable_id("node:short") && !is_stable_id("V1StGXR8_Z5jdHi6B-myT"));
        assert!(!is_stable_id("node:V1StGXR8_Z5jdHi6B-my!"));
    }

    #[test]
    fn an_id_follows_from_where_a_symbol_is_first_seen() {
        let id = first_sight_id("ab", "a.py", "f", SymbolKind::Function);
        assert!(is_stable_id(&id));
        assert_eq!(id, first_sight_id("ab", "a.py", "f", SymbolKind::Function));
        let others = [
            first_sight_id("ac", "a.py", "f", SymbolKind::Function),
            first_sight_id("ab", "a.p", "yf", SymbolKind::Function),
            first_sight_id("ab", "a.py", "f", SymbolKind::Class),
            numbered("ab", "a.py", "f", SymbolKind::Function, 1),
        ];
        assert!(others.iter().all(|other| *other != id));
    }
}
