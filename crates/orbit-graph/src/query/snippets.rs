//! Source lines beside the rows of an answer.

use super::Reader;
use std::collections::BTreeMap;

/// A line of generated code may be as long as its file.
const MAX_BYTES: usize = 160;

/// Source lines of files that have not changed.
pub(super) struct Snippets<'r> {
    reader: &'r Reader<'r>,
    stale: &'r [String],
    texts: BTreeMap<String, Vec<String>>,
}

impl<'r> Snippets<'r> {
    pub(super) fn new(reader: &'r Reader<'r>, stale: &'r [String]) -> Snippets<'r> {
        Snippets { reader, stale, texts: BTreeMap::new() }
    }

    /// The line without its indentation; `None` when the file changed.
    pub(super) fn get(&mut self, path: &str, line: u32) -> Option<String> {
        if self.stale.iter().any(|stale| stale == path) {
            return None;
        }
        if !self.texts.contains_key(path) {
            let text = std::fs::read_to_string(self.reader.root.join(path)).ok()?;
            self.texts.insert(path.to_owned(), text.lines().map(str::to_owned).collect());
        }
        let text = self.texts.get(path)?.get(line as usize - 1)?.trim();
        let end = text.floor_char_boundary(MAX_BYTES);
        Some(text[..end].to_owned())
    }
}
