//! What the text of files says about definitions, where the index is silent: it has no reads that lead nowhere.

use super::reach::Row;
use orbit_extract::{Family, Lang, SymbolKind};
use rayon::prelude::*;
use std::cell::{Ref, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The text of files, the last one kept: definitions are looked at file by file.
pub(super) struct Sources<'r> {
    root: &'r Path,
    last: RefCell<(String, Vec<u8>)>,
}

impl<'r> Sources<'r> {
    pub(super) fn below(root: &'r Path) -> Sources<'r> {
        Sources { root, last: RefCell::default() }
    }

    /// Those of the words, each of a family of languages, that stand in files: with the files.
    pub(super) fn files_with<'w>(
        &self,
        files: &[(u32, &str)],
        words: &BTreeSet<(Family, &'w str)>,
    ) -> Vec<(Family, &'w str, u32)> {
        let root = self.root;
        let found = files.par_iter().flat_map_iter(|(file, path)| {
            let family = Lang::of_path(path).map_or(Family::Prose, Lang::family);
            let text = if family == Family::Prose { None } else { std::fs::read(root.join(path)).ok() };
            let text = text.unwrap_or_default();
            let own: HashSet<&str> = text
                .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
                .filter_map(|word| std::str::from_utf8(word).ok())
                .collect();
            let is_there = |(of, word): &&(Family, &'w str)| *of == family && own.contains(word);
            words.iter().filter(is_there).map(|(of, word)| (*of, *word, *file)).collect::<Vec<_>>()
        });
        found.collect()
    }

    /// Whether a definition is handed on where it stands: to a decorator or annotation, or as a value in a script.
    pub(super) fn is_handed_on(&self, row: &Row, path: &str) -> bool {
        if matches!(row.lang, Lang::Rust | Lang::Go | Lang::Ruby | Lang::C | Lang::Cpp) {
            return false;
        }
        let (text, start) = (self.text(path), row.span.0 as usize);
        let before = text.get(..start).unwrap_or_default();
        let above = before.rsplit(|byte| *byte == b'\n').nth(1).unwrap_or_default();
        let begins = |sign: u8| above.trim_ascii().first() == Some(&sign);
        let last = before.trim_ascii_end();
        let is_value = row.lang.family() == Family::Script
            && row.kind == SymbolKind::Function
            && (last.ends_with(b"return") || last.last().is_some_and(|byte| b"(,=:?|&[>".contains(byte)));
        is_value
            || text.get(start) == Some(&b'@')
            || begins(b'@')
            || (row.lang == Lang::CSharp && begins(b'['))
    }

    /// How often a name stands in the file outside of its definition, in whatever way.
    pub(super) fn count(&self, row: &Row, path: &str, name: &str) -> usize {
        let text = self.text(path);
        let is_part =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let own = row.span.0 as usize..row.span.1 as usize;
        let mut count = 0;
        for (at, found) in text.windows(name.len().max(1)).enumerate() {
            let is_word = found == name.as_bytes()
                && !is_part(at.checked_sub(1).and_then(|before| text.get(before)))
                && !is_part(text.get(at + name.len()));
            count += usize::from(is_word && !own.contains(&at));
        }
        count
    }

    fn text(&self, path: &str) -> Ref<'_, Vec<u8>> {
        if self.last.borrow().0 != path {
            let text = std::fs::read(self.root.join(path)).unwrap_or_default();
            *self.last.borrow_mut() = (path.to_owned(), text);
        }
        Ref::map(self.last.borrow(), |(_, text)| text)
    }
}
