//! Rust source as text: comments and literals blanked out, tests found. Offsets and lines stay as they are.

use std::ops::Range;

/// The source with comments, and the insides of strings and characters, turned into spaces.
pub fn mask(source: &str) -> String {
    String::from_utf8_lossy(&scan(source).out).into_owned()
}

/// The insides of strings and characters.
pub fn literals(source: &str) -> Vec<Range<usize>> {
    scan(source).literals
}

fn scan(source: &str) -> Masker<'_> {
    let (bytes, out) = (source.as_bytes(), Vec::with_capacity(source.len()));
    let mut masker = Masker { bytes, at: 0, out, literals: Vec::new() };
    while masker.at < masker.bytes.len() {
        masker.step();
    }
    masker
}

struct Masker<'s> {
    bytes: &'s [u8],
    at: usize,
    out: Vec<u8>,
    literals: Vec<Range<usize>>,
}

impl Masker<'_> {
    fn step(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest {
            [b'/', b'/', ..] => self.blank(rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())),
            [b'/', b'*', ..] => self.blank(block_comment_len(rest)),
            [b'"', ..] => self.literal(1, string_len(&rest[1..])),
            [b'\'', ..] => match char_len(rest) {
                Some(len) => self.literal(1, len),
                None => self.keep(1),
            },
            _ => match raw_string(rest) {
                Some((head, body)) if !self.follows_word() => self.literal(head, body),
                _ => self.keep(1),
            },
        }
    }

    fn follows_word(&self) -> bool {
        self.out.last().is_some_and(|byte| is_word(*byte))
    }

    fn keep(&mut self, len: usize) {
        self.out.extend_from_slice(&self.bytes[self.at..self.at + len]);
        self.at += len;
    }

    fn blank(&mut self, len: usize) {
        let end = (self.at + len).min(self.bytes.len());
        self.out.extend(self.bytes[self.at..end].iter().map(|b| if *b == b'\n' { b'\n' } else { b' ' }));
        self.at = end;
    }

    /// Keeps the opening and blanks the rest, closing quote included.
    fn literal(&mut self, head: usize, body: usize) {
        self.keep(head);
        let start = self.at;
        self.blank(body);
        self.literals.push(start..self.at);
    }
}

fn block_comment_len(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// Up to and with the closing quote.
fn string_len(body: &[u8]) -> usize {
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    body.len()
}

/// The length of a character literal behind its opening quote; `None` for a lifetime.
fn char_len(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        let close = rest[3..].iter().position(|byte| *byte == b'\'')?;
        return Some(close + 3);
    }
    let first = *rest.get(1)?;
    let width = match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    };
    (rest.get(1 + width) == Some(&b'\'')).then_some(width + 1)
}

/// `r"…"`, `br#"…"#`, `cr"…"`: length up to and with the opening quote, and of the rest.
fn raw_string(rest: &[u8]) -> Option<(usize, usize)> {
    let prefix = match rest {
        [b'r', ..] => 1,
        [b'b' | b'c', b'r', ..] => 2,
        _ => return None,
    };
    let hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    let head = prefix + hashes + 1;
    if rest.get(head - 1) != Some(&b'"') {
        return None;
    }
    let closing: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let body = &rest[head..];
    let end = body.windows(closing.len()).position(|window| window == closing);
    Some((head, end.map_or(body.len(), |end| end + closing.len())))
}

/// The items marked `#[cfg(test)]` in masked source.
pub fn test_ranges(masked: &str) -> Vec<Range<usize>> {
    const MARK: &str = "#[cfg(test)]";
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (start, _) in masked.match_indices(MARK) {
        if ranges.last().is_none_or(|last| last.end <= start) {
            let end = start + MARK.len();
            ranges.push(start..end + item_len(&masked[end..]));
        }
    }
    ranges
}

/// Up to the end of the first block, or the first `;` before one.
fn item_len(rest: &str) -> usize {
    let mut depth = 0usize;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b';' if depth == 0 => return at + 1,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    rest.len()
}

/// The text with these ranges turned into spaces.
pub fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for byte in ranges.iter().flat_map(|range| bytes_in(text, range)) {
        if bytes[byte] != b'\n' {
            bytes[byte] = b' ';
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn bytes_in(text: &str, range: &Range<usize>) -> Range<usize> {
    range.start.min(text.len())..range.end.min(text.len())
}

/// The places where `word` stands on its own.
pub fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let bytes = text.as_bytes();
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let after = bytes.get(at + word.len()).copied();
        let last_is_word = word.as_bytes().last().is_some_and(|byte| is_word(*byte));
        let goes_on = before.is_some_and(is_word) || last_is_word && after.is_some_and(is_word);
        !goes_on
    })
}

/// The identifier that a text begins with, behind spaces.
pub fn identifier(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.bytes().position(|byte| !is_word(byte)).unwrap_or(text.len());
    let starts_well = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if starts_well { &text[..end] } else { "" }
}

/// The 1-based line of an offset.
pub fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset].matches('\n').count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked() {
        for (source, masked) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("a\"b", x)"#, r#"f("     , x)"#),
            ("r#\"a \"b\" c\"# d", "r#\"          d"),
            ("b'x' 'y' '\\'' 'é'", "b'   '   '    '   "),
            ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
            ("r#fn br(x)", "r#fn br(x)"),
        ] {
            assert_eq!(mask(source), masked, "{source}");
            assert_eq!(mask(source).len(), source.len());
        }
    }

    #[test]
    fn test_items_are_found() {
        let source = "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() { c() }\n}\nfn d() {}\n#[cfg(test)]\nmod e;\nfn f() {}";
        let left = without(source, &test_ranges(&mask(source)));
        let left: String = left.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(left, "fn a() {} fn d() {} fn f() {}");
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(words("mod a; remod b; mod c", "mod").collect::<Vec<_>>(), [0, 16]);
        assert_eq!(words("eprint!() print!()", "print!").collect::<Vec<_>>(), [10]);
        assert_eq!(identifier("  name(x)"), "name");
        assert_eq!(identifier("(x)"), "");
    }
}
