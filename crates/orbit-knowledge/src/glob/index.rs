//! Many globs at once: a path is only tried against those whose fixed beginning it shares. Globs are compiled when
//! the first path comes near them.

use super::Glob;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Globs by the directory that all their matches lie in.
#[derive(Default)]
pub(crate) struct GlobIndex<K> {
    /// Globs without a wildcard, by path.
    fixed: HashMap<String, Vec<K>>,
    by_directory: HashMap<String, Vec<Entry<K>>>,
}

struct Entry<K> {
    key: K,
    pattern: String,
    glob: OnceCell<Option<Glob>>,
}

impl<K: Copy + Ord> GlobIndex<K> {
    pub(crate) fn new() -> GlobIndex<K> {
        GlobIndex { fixed: HashMap::new(), by_directory: HashMap::new() }
    }

    pub(crate) fn add(&mut self, key: K, pattern: &str) {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let Some(wild) = pattern.find(['*', '?', '[', '{', '\\']) else {
            self.fixed.entry(pattern.to_owned()).or_default().push(key);
            return;
        };
        let directory = pattern[..wild].rfind('/').map_or("", |end| &pattern[..end]);
        let entry = Entry { key, pattern: pattern.to_owned(), glob: OnceCell::new() };
        self.by_directory.entry(directory.to_owned()).or_default().push(entry);
    }

    /// The keys whose globs a path lies in, each once, with the longest fixed beginning among its matching globs.
    pub(crate) fn matches(&self, path: &str) -> Vec<(K, u32)> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut found: Vec<(K, u32)> = Vec::new();
        // A glob that names the file says more than any that does not.
        found.extend(self.fixed.get(path).into_iter().flatten().map(|key| (*key, u32::MAX)));
        let ends = path.match_indices('/').map(|(at, _)| at).rev().chain([0]);
        for directory in ends.map(|end| &path[..end]) {
            for entry in self.by_directory.get(directory).into_iter().flatten() {
                let glob = entry.glob.get_or_init(|| Glob::new(&entry.pattern));
                if glob.as_ref().is_some_and(|glob| glob.matches(path)) {
                    found.push((entry.key, specificity(&entry.pattern)));
                }
            }
        }
        found.sort_by_key(|(key, specificity)| (*key, std::cmp::Reverse(*specificity)));
        found.dedup_by_key(|(key, _)| *key);
        found
    }
}

/// How much a glob pins down: fixed segments count most, then fixed characters.
pub(crate) fn specificity(pattern: &str) -> u32 {
    let is_wild = |part: &str| part.contains(['*', '?', '[', '{']);
    let segments = pattern.split('/').filter(|part| !is_wild(part)).count() as u32;
    let letters = pattern.chars().filter(|c| !matches!(c, '*' | '?')).count() as u32;
    segments * 1_000 + letters.min(999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn segment() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => "[a-c]{1,2}",
            1 => Just("*".to_owned()),
            1 => Just("**".to_owned()),
            1 => "[a-c]\\*",
            1 => Just("{a,b}".to_owned()),
            1 => Just("[ab]".to_owned()),
            1 => Just("?".to_owned()),
        ]
    }

    proptest! {
        #[test]
        fn the_index_finds_what_trying_every_glob_finds(
            patterns in prop::collection::vec(prop::collection::vec(segment(), 1..4), 0..12),
            paths in prop::collection::vec(prop::collection::vec("[a-c]{1,2}", 1..5), 1..8),
        ) {
            let patterns: Vec<String> = patterns.iter().map(|parts| parts.join("/")).collect();
            let mut index = GlobIndex::new();
            for (key, pattern) in patterns.iter().enumerate() {
                index.add(key, pattern);
            }
            for path in paths.iter().map(|parts| parts.join("/")) {
                let found: Vec<usize> = index.matches(&path).into_iter().map(|(key, _)| key).collect();
                let tried: Vec<usize> = (0..patterns.len())
                    .filter(|at| Glob::new(&patterns[*at]).is_some_and(|glob| glob.matches(&path)))
                    .collect();
                prop_assert_eq!(found, tried, "{:?} {}", patterns, path);
            }
        }
    }
}
