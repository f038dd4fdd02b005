//! Config files: the keys of YAML, TOML and JSON, the variables of `.env`, the header of CSV and TSV.
//!
//! Nested keys are dotted. An array adds nothing to a path, so the keys of all its elements share one; each
//! path is kept once, where it is first written. Values are never looked at.

mod json;
mod lines;
mod toml;
mod yaml;

use crate::parse::{Grammar, parse};
use crate::words::words_of_text;
use crate::{ConfigKind, ExtractError, ExtractedFile, Lang, RawConfig};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use tree_sitter::{Node, TreeCursor};

/// Longer paths are data, not configuration, and would make the rows of a deep file grow as its square.
const MAX_KEY: usize = 512;
/// How deep keys are followed.
const MAX_DEPTH: usize = 64;

pub(super) fn extract(path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let mut file = keys(path, source)?;
    file.words = words_of_text(source);
    Ok(file)
}

fn keys(path: &str, source: &str) -> Result<ExtractedFile, ExtractError> {
    let Some(grammar) = Grammar::of(path, Lang::Config) else {
        return Ok(match path.rsplit('.').next() {
            Some("csv") => lines::table(source, b','),
            Some("tsv") => lines::table(source, b'\t'),
            _ => lines::env(source),
        });
    };
    if grammar == Grammar::Yaml && yaml::is_too_deep(source) {
        let mut keys = yaml::by_indentation(source);
        keys.has_errors = true;
        return Ok(keys);
    }
    let tree = parse(grammar, source)?;
    let root = tree.root_node();
    let mut keys = match grammar {
        Grammar::Json => json::keys(root, source),
        Grammar::Toml => toml::keys(root, source),
        _ => yaml::keys(root, source),
    };
    keys.has_errors |= root.has_error();
    Ok(keys)
}

/// A place to come back to in the path of a [`Keys`].
#[derive(Clone, Copy)]
struct Mark {
    path: usize,
    depth: usize,
}

const HASHER: FixedState = FixedState::with_seed(0x636f_6e66);

/// The keys found so far and the path that the next one hangs under.
struct Keys<'s> {
    source: &'s str,
    file: ExtractedFile,
    kind: ConfigKind,
    path: String,
    depth: usize,
    /// Rows by the hash of their key.
    seen: HashTable<u32>,
}

impl<'s> Keys<'s> {
    fn new(source: &'s str, kind: ConfigKind) -> Keys<'s> {
        let file = ExtractedFile::empty(Lang::Config);
        Keys { source, file, kind, path: String::new(), depth: 0, seen: HashTable::new() }
    }

    fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// Records `part` under the current path and goes below it. False when the path ends here: too deep,
    /// too long, or no key at all.
    fn enter(&mut self, part: &str, line: u32) -> bool {
        if part.is_empty() || self.depth >= MAX_DEPTH || self.path.len() + part.len() >= MAX_KEY {
            return false;
        }
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.extend(part.chars().map(|c| if c.is_control() { ' ' } else { c }));
        self.depth += 1;
        self.record(line);
        true
    }

    fn mark(&self) -> Mark {
        Mark { path: self.path.len(), depth: self.depth }
    }

    fn leave(&mut self, mark: Mark) {
        self.path.truncate(mark.path);
        self.depth = mark.depth;
    }

    /// Walks a tree without recursion, for machine-made files nest without bound. `open` looks at a node,
    /// enters the keys it spells, and says whether to go below it; they are left again behind the node.
    fn walk(mut self, root: Node<'_>, open: fn(&mut Keys<'s>, &TreeCursor<'_>) -> bool) -> ExtractedFile {
        let mut cursor = root.walk();
        let mut marks: Vec<Mark> = Vec::new();
        loop {
            marks.push(self.mark());
            if open(&mut self, &cursor) && cursor.goto_first_child() {
                continue;
            }
            loop {
                if let Some(mark) = marks.pop() {
                    self.leave(mark);
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return self.file;
                }
            }
        }
    }

    /// Keeps the current path unless it is known.
    fn record(&mut self, line: u32) {
        let hash = HASHER.hash_one(self.path.as_str());
        let rows = &self.file.configs;
        if self.seen.find(hash, |&row| *rows[row as usize].key == *self.path).is_some() {
            return;
        }
        self.file.configs.push(RawConfig { key: self.path.as_str().into(), line, kind: self.kind });
        let rows = &self.file.configs;
        let row = rows.len() as u32 - 1;
        self.seen.insert_unique(hash, row, |&row| HASHER.hash_one(&*rows[row as usize].key));
    }
}

/// The text between a quoted key's quotes, as written.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.or_else(|| text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''))).unwrap_or(text)
}
