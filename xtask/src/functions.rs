//! The functions of Rust source, found in its text.

use crate::rust_text::{identifier, line_of, words};
use std::ops::Range;

/// A function as a reader of the text sees it.
#[derive(Debug)]
pub struct Function<'t> {
    /// The type or trait whose block it stands in.
    pub owner: Option<&'t str>,
    /// Without `r#`.
    pub name: &'t str,
    /// The 1-based line of its `fn`.
    pub line: usize,
    /// From its `fn` to the end of its body, or to the `;` that stands instead of one.
    pub span: Range<usize>,
}

/// Every `fn name` of source without comments and literals, in order.
pub fn functions(masked: &str) -> Vec<Function<'_>> {
    let owners = owners(masked);
    let found = words(masked, "fn").filter_map(|at| {
        let rest = masked[at + "fn".len()..].strip_prefix(char::is_whitespace)?;
        let name = match identifier(rest) {
            "" => return None, // in the arms of a macro
            "r" => identifier(rest.trim_start().strip_prefix("r#")?),
            name => name,
        };
        let owner = owners.iter().rev().find(|(_, block)| block.contains(&at)).map(|(owner, _)| *owner);
        Some(Function { owner, name, line: line_of(masked, at), span: at..block_end(masked, at) })
    });
    found.collect()
}

/// The blocks of types and traits, each with its name, in order of their beginnings.
fn owners(masked: &str) -> Vec<(&str, Range<usize>)> {
    let mut owners: Vec<(&str, Range<usize>)> = Vec::new();
    for keyword in ["impl", "trait"] {
        for at in words(masked, keyword).filter(|at| starts_item(masked, *at)) {
            let end = block_end(masked, at);
            let header = masked[at + keyword.len()..end].split('{').next().unwrap_or_default();
            owners.push((type_name(header), at..end));
        }
    }
    owners.sort_by_key(|(_, block)| block.start);
    owners
}

/// Whether a keyword begins an item: an `impl Trait` in a signature does not.
fn starts_item(masked: &str, at: usize) -> bool {
    let before = masked[..at].trim_end();
    let is_marked = [")", "pub", "unsafe"].iter().any(|mark| before.ends_with(mark));
    before.is_empty() || before.ends_with(['}', '{', ';', ']']) || is_marked
}

/// `Type` of `<T> Trait<T> for path::Type<T> where …`, and of `Type: Bound`.
fn type_name(header: &str) -> &str {
    let header = without_generics(header).split(" where").next().unwrap_or_default();
    let path = words(header, "for").last().map_or(header, |at| &header[at + "for".len()..]);
    let path = path.trim_start_matches(|c: char| c.is_whitespace() || c == '&');
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
    path[..end].trim_end_matches(':').rsplit("::").next().unwrap_or_default()
}

/// What stands behind the type parameters that a header begins with.
fn without_generics(header: &str) -> &str {
    let header = header.trim_start();
    if !header.starts_with('<') {
        return header;
    }
    let mut depth = 0usize;
    for (at, byte) in header.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if header[..at].ends_with(['-', '=']) => {} // of an arrow
            b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &header[at + 1..];
        }
    }
    ""
}

/// Behind the first block from here on, or behind the `;` that ends the item before one.
fn block_end(masked: &str, from: usize) -> usize {
    let (mut braces, mut brackets) = (0usize, 0usize);
    for (at, byte) in masked.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            b';' if braces == 0 && brackets == 0 => return at + 1,
            b'{' => braces += 1,
            b'}' if braces <= 1 => return at + 1,
            b'}' => braces -= 1,
            _ => {}
        }
    }
    masked.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_text::mask;

    #[test]
    fn functions_are_found_where_a_reader_sees_them() {
        let text = "fn a() {}\n// fn b\ncfg! { pub async fn c<T>() {} }\nlet f: fn(u8) = x;\nlet s = \"fn d\";\nfn r#try() {}\nmacro_rules! m { ($n:ident) => { fn $n() {} } }\nfn\n  e() {}";
        let masked = mask(text);
        let found: Vec<(&str, usize)> = functions(&masked).iter().map(|f| (f.name, f.line)).collect();
        assert_eq!(found, [("a", 1), ("c", 3), ("try", 6), ("e", 8)]);
    }

    #[test]
    fn functions_end_with_their_body() {
        let text = "trait T { fn a() -> [u8; 2]; }\nfn b(x: impl Fn() -> u8) { if x { y } }\nfn c() {}";
        let ends: Vec<&str> = functions(text).iter().map(|f| &text[f.span.clone()]).collect();
        assert_eq!(ends, ["fn a() -> [u8; 2];", "fn b(x: impl Fn() -> u8) { if x { y } }", "fn c() {}"]);
    }

    #[test]
    fn functions_have_the_type_of_their_block() {
        for (header, owner) in [
            ("impl A", Some("A")),
            ("impl<'a, F: Fn(u8) -> u8> b::A<'a, F>", Some("A")),
            ("impl<T> From<T> for b::A<T> where T: X", Some("A")),
            ("impl Read for &A", Some("A")),
            ("pub(crate) trait A: B", Some("A")),
            ("mod a", None),
            ("fn b(x: impl A)", None),
        ] {
            let text = format!("{header} {{ fn z() {{}} }}");
            let found = functions(&text);
            assert_eq!((found.last().unwrap().name, found.last().unwrap().owner), ("z", owner), "{header}");
        }
    }
}
