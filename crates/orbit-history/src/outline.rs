//! The symbols of one version of a file: where they are, and what they look like.
//!
//! Pure. An outline depends on the bytes and on how the path makes them be read, never on the commit, so that it
//! is made once per blob.

use foldhash::fast::FixedState;
use orbit_extract::{Lang, SymbolKind};
use std::hash::BuildHasher;

/// Larger files have no symbols, as in the index.
pub(crate) const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// A body of fewer bytes than this, white space aside, says too little to recognise a symbol by.
const LEAST_BODY: usize = 24;

const HASHER: FixedState = FixedState::with_seed(0x6869_7374);

/// The symbols of a file, in source order.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) symbols: Vec<OutlineSymbol>,
}

/// A symbol with its lines.
#[derive(Debug)]
pub(crate) struct OutlineSymbol {
    /// Its local name.
    pub(crate) local: Box<str>,
    pub(crate) kind: SymbolKind,
    /// 1-based.
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    /// The symbol it stands in, as an index.
    pub(crate) parent: Option<u32>,
    /// The text without white space and with its own name taken out; 0 when it is too short to be told by.
    pub(crate) body: u64,
    /// The text as it is.
    pub(crate) text: u64,
    /// The signature; 0 when there is none.
    pub(crate) signature: u64,
}

/// Whether a file of this path can have symbols that the index would show.
pub(crate) fn has_symbols(path: &str) -> bool {
    const FOREIGN: [&str; 10] = [
        ".git",
        ".orbit",
        "node_modules",
        "target",
        "dist",
        "build",
        ".venv",
        "venv",
        "__pycache__",
        "vendor",
    ];
    Lang::of_path(path).is_some_and(|lang| lang != Lang::Config)
        && !path.ends_with(".min.js")
        && !path.split('/').any(|part| FOREIGN.contains(&part) || part.ends_with(".egg-info"))
}

/// What besides the bytes decides how a file is read. Equal values and equal bytes give equal outlines.
pub(crate) fn reading(path: &str) -> u64 {
    let is_special = ["test", "Test", "spec"].iter().any(|word| path.contains(word));
    let extension = path.rsplit('.').next().unwrap_or("");
    HASHER.hash_one(if is_special { path } else { extension })
}

/// The outline of a file's bytes. Bytes that cannot be read have no symbols.
pub(crate) fn outline(path: &str, bytes: &[u8]) -> Outline {
    let Some(lang) = Lang::of_path(path) else { return Outline::default() };
    let extracted =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| orbit_extract::extract(path, lang, bytes)));
    let Ok(Ok(facts)) = extracted else { return Outline::default() };
    let starts = line_starts(bytes);
    let mut text = Vec::new();
    let symbols = facts.symbols.iter().map(|symbol| {
        let (start, end) = (symbol.span.start as usize, (symbol.span.end as usize).min(bytes.len()));
        let source = bytes.get(start..end).unwrap_or_default();
        let first_line = starts.partition_point(|at| *at <= symbol.span.start) as u32;
        OutlineSymbol {
            local: facts.local_name(symbol).into(),
            kind: symbol.kind,
            first_line,
            last_line: symbol.end_line.max(first_line),
            parent: symbol.parent.symbol().map(|index| index as u32),
            body: body_of(source, facts.names.get(symbol.name).as_bytes(), symbol.kind, &mut text),
            text: HASHER.hash_one(source),
            signature: symbol.signature.as_deref().map_or(0, |signature| HASHER.hash_one(signature)),
        }
    });
    Outline { symbols: symbols.collect() }
}

fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1);
    std::iter::once(0).chain(ends).collect()
}

/// A hash of the text that a new name, new indentation and line breaks leave alone.
fn body_of(source: &[u8], name: &[u8], kind: SymbolKind, text: &mut Vec<u8>) -> u64 {
    if matches!(
        kind,
        SymbolKind::Field
            | SymbolKind::Variant
            | SymbolKind::Property
            | SymbolKind::Heading
            | SymbolKind::Module
    ) {
        return 0;
    }
    text.clear();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let end = if is_word(byte) {
            source[at..].iter().position(|byte| !is_word(*byte)).map_or(source.len(), |len| at + len)
        } else {
            at + 1
        };
        let word = &source[at..end];
        if word == name {
            text.push(1);
        } else {
            // Words stay apart, whatever stood between them.
            if is_word(byte) {
                text.push(0);
            }
            text.extend_from_slice(word);
        }
        at = end;
    }
    if text.len() < LEAST_BODY { 0 } else { HASHER.hash_one(&text[..]).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(path: &str, source: &str) -> Vec<(String, u32, u32)> {
        let outline = outline(path, source.as_bytes());
        outline.symbols.iter().map(|s| (s.local.to_string(), s.first_line, s.last_line)).collect()
    }

    #[test]
    fn lines_cover_the_whole_definition() {
        let source = "import os\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
        let expected = [("A", 3, 8), ("A.f", 4, 5), ("A.g", 7, 8)];
        assert_eq!(symbols("a.py", source), expected.map(|(n, a, b)| (n.to_owned(), a, b)));
    }

    #[test]
    fn a_new_name_and_new_indentation_leave_the_body() {
        let one = outline("a.py", b"def total(items):\n    return sum(items) or total([0])\n");
        let two =
            outline("b.py", b"class X:\n    def amount(items):\n        return sum(items) or amount([0])\n");
        assert_ne!(one.symbols[0].body, 0);
        assert_eq!(one.symbols[0].body, two.symbols[1].body);
        let other = outline("b.py", b"def amount(items):\n    return sum(items) or amount([1])\n");
        assert_ne!(one.symbols[0].body, other.symbols[0].body);
    }

    #[test]
    fn what_the_index_leaves_out_has_no_symbols() {
        assert!(has_symbols("src/a.rs") && has_symbols("README.md"));
        for path in ["package.json", "vendor/x.go", "a/node_modules/b.js", "x.min.js", "logo.png"] {
            assert!(!has_symbols(path), "{path}");
        }
    }
}
