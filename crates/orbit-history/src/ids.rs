//! Stable ids: `node:` and 21 random characters, 126 bits that say nothing about what they name.

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

/// A new stable id, for a producer of operation logs.
pub fn new_stable_id() -> String {
    IdSource::default().next()
}

/// Where new ids come from: the system's random numbers, asked for in portions.
#[derive(Debug)]
pub(crate) struct IdSource {
    random: Box<[u8; 4200]>,
    used: usize,
}

impl Default for IdSource {
    fn default() -> IdSource {
        let random = Box::new([0; 4200]);
        IdSource { used: random.len(), random }
    }
}

impl IdSource {
    pub(crate) fn next(&mut self) -> String {
        if self.used + LENGTH > self.random.len() {
            getrandom::fill(&mut self.random[..]).expect("the system has random numbers");
            self.used = 0;
        }
        let bytes = &self.random[self.used..self.used + LENGTH];
        self.used += LENGTH;
        let id = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 64)]));
        PREFIX.chars().chain(id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_have_their_form_and_differ() {
        let mut source = IdSource::default();
        let ids: BTreeSet<String> = (0..1000).map(|_| source.next()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| is_stable_id(id)));
        assert!(!is_stable_id("node:short") && !is_stable_id("V1StGXR8_Z5jdHi6B-myT"));
        assert!(!is_stable_id("node:V1StGXR8_Z5jdHi6B-my!"));
    }
}
