//! Which words a file says something with: enough to know that it does not have one.
//!
//! A filter after Bloom over the first letters of all words in comments, strings and names of definitions. It may say yes of
//! a word that is not there, and never no of one that is.

use super::{Role, WordCount};
use crate::hash::hash_name;

/// Words are told apart by so many letters: what begins with a word begins with its first letters.
const LETTERS: usize = 4;
/// Bits for each beginning; with two of them set, about one of twenty answers is yes by chance.
const BITS: usize = 8;

/// The beginnings of words, as they are met.
#[derive(Default)]
pub(super) struct Beginnings {
    hashes: Vec<u64>,
}

impl Beginnings {
    /// Adds a word that is about to be counted as said, the first time.
    pub(super) fn say(&mut self, count: &WordCount, word: &str) {
        if count.text + count.definitions == 0 {
            self.add(word);
        }
    }

    /// The same for a word that defines something, and for no other.
    pub(super) fn define(&mut self, role: Role, count: &WordCount, word: &str) {
        if role == Role::Definition {
            self.say(count, word);
        }
    }

    /// Adds every part of a word that a name may be looked up by: `run` and `jobs` of `run_jobs` and `runJobs`.
    fn add(&mut self, word: &str) {
        let mut last = '_';
        for (at, letter) in word.char_indices() {
            let begins = letter.is_alphanumeric()
                && (!last.is_alphanumeric()
                    || letter.is_uppercase()
                    || letter.is_numeric() != last.is_numeric());
            if begins && let Some(hash) = beginning(&word[at..]) {
                self.hashes.push(hash);
            }
            last = letter;
        }
    }

    pub(super) fn signature(mut self) -> Vec<u8> {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        if self.hashes.is_empty() {
            return Vec::new();
        }
        let mut bits = vec![0_u8; (self.hashes.len() * BITS).div_ceil(8).next_power_of_two()];
        for hash in self.hashes {
            for place in places(hash, bits.len()) {
                bits[place / 8] |= 1 << (place % 8);
            }
        }
        bits
    }
}

/// Whether a file with this signature may say a word that begins so. Short words are everywhere.
pub fn may_say(signature: &[u8], word: &str) -> bool {
    let Some(hash) = beginning(word) else { return true };
    !signature.is_empty()
        && places(hash, signature.len()).into_iter().all(|place| signature[place / 8] & 1 << (place % 8) != 0)
}

fn places(hash: u64, bytes: usize) -> [usize; 2] {
    let bits = bytes as u64 * 8;
    [(hash % bits) as usize, ((hash >> 32) % bits) as usize]
}

/// The first letters in lower case; `None` for what is shorter.
fn beginning(word: &str) -> Option<u64> {
    let letters: String = word
        .chars()
        .take(LETTERS)
        .take_while(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    (letters.chars().count() >= LETTERS).then(|| hash_name(&letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_never_denied() {
        let mut beginnings = Beginnings::default();
        let words = ["run_due_jobs", "runDueHTTPServers", "Größenwahn", "v2parcel", "Recalculates"];
        for word in words {
            beginnings.add(word);
        }
        let signature = beginnings.signature();
        for word in ["jobs", "serv", "servers", "größe", "parcel", "recalc", "run", "http"] {
            assert!(may_say(&signature, word), "{word}");
        }
        let others =
            ["zebra", "quilt", "mango", "oxide", "fjord", "lunar", "nymph", "pixel", "tulip", "vivid"];
        assert!(others.iter().filter(|word| may_say(&signature, word)).count() < 5);
        assert!(!may_say(&[], "zebra"));
    }
}
