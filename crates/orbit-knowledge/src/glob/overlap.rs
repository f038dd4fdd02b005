//! Whether two globs can match the same path.
//!
//! Choices are written out, patterns cut into segments and segments into characters; then two automata walk side
//! by side. What cannot be decided counts as overlapping: a guard that errs refuses.

use std::collections::HashSet;

/// The most patterns that choices may write out to.
const CHOICES: usize = 256;

/// Whether some path lies in both. A plain name that may be a directory, `src` or `src/`, also stands for what is
/// below; one with an extension, `a.rs`, is a file.
pub(crate) fn overlaps(a: &str, b: &str) -> bool {
    let (Some(left), Some(right)) = (expand(a), expand(b)) else { return true };
    left.iter().any(|left| right.iter().any(|right| plain_overlap(left, right)))
}

fn plain_overlap(a: &str, b: &str) -> bool {
    let (plain_a, plain_b) = (segments(a), segments(b));
    paths_meet(&with_below(a, &plain_a), &plain_b) || paths_meet(&plain_a, &with_below(b, &plain_b))
}

fn with_below(pattern: &str, plain: &[Segment]) -> Vec<Segment> {
    let is_dir = match plain.last() {
        Some(Segment::One(name)) if name.iter().all(|token| matches!(token, Token::Char(_))) => {
            pattern.ends_with('/') || !name.contains(&Token::Char('.'))
        }
        _ => pattern.ends_with('/'),
    };
    plain.iter().cloned().chain(is_dir.then_some(Segment::Any)).collect()
}

/// Writes `{a,b}` out, innermost last; `None` when it becomes too much.
fn expand(pattern: &str) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match first_choice(&pattern) {
            None => done.push(pattern),
            Some((start, end, parts)) => {
                open.extend(
                    parts.iter().map(|part| format!("{}{part}{}", &pattern[..start], &pattern[end..])),
                );
            }
        }
        if done.len() + open.len() > CHOICES {
            return None;
        }
    }
    Some(done)
}

/// Where the first choice stands, and its parts.
fn first_choice(pattern: &str) -> Option<(usize, usize, Vec<String>)> {
    let (mut start, mut depth, mut part, mut parts) = (0, 0_usize, 0, Vec::new());
    let (mut is_escaped, mut in_class) = (false, false);
    for (at, c) in pattern.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match c {
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            _ if in_class => {}
            '{' => {
                depth += 1;
                if depth == 1 {
                    (start, part) = (at, at + 1);
                }
            }
            ',' if depth == 1 => {
                parts.push(pattern[part..at].to_owned());
                part = at + 1;
            }
            '}' if depth == 1 => {
                parts.push(pattern[part..at].to_owned());
                return Some((start, at + 1, parts));
            }
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[derive(Clone, Debug, PartialEq)]
enum Segment {
    /// `**`: any number of segments.
    Any,
    One(Vec<Token>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Star,
    AnyChar,
    Char(char),
    Class { is_negated: bool, ranges: Vec<(char, char)> },
}

fn segments(pattern: &str) -> Vec<Segment> {
    let parts = pattern.split('/').filter(|part| !part.is_empty() && *part != ".");
    parts.map(|part| if part == "**" { Segment::Any } else { Segment::One(tokens(part)) }).collect()
}

fn tokens(segment: &str) -> Vec<Token> {
    let chars: Vec<char> = segment.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let (token, next) = match chars[at] {
            '*' => (Token::Star, at + 1),
            '?' => (Token::AnyChar, at + 1),
            '\\' if at + 1 < chars.len() => (Token::Char(chars[at + 1]), at + 2),
            '[' => class(&chars, at + 1),
            c => (Token::Char(c), at + 1),
        };
        tokens.push(token);
        at = next;
    }
    tokens
}

/// The class that begins after `[`, and where the rest goes on.
fn class(chars: &[char], start: usize) -> (Token, usize) {
    let is_negated = matches!(chars.get(start), Some('!' | '^'));
    let mut at = start + usize::from(is_negated);
    let first = at;
    let mut ranges = Vec::new();
    while at < chars.len() && (chars[at] != ']' || at == first) {
        let is_range = chars.get(at + 1) == Some(&'-') && chars.get(at + 2).is_some_and(|c| *c != ']');
        let end = if is_range { chars[at + 2] } else { chars[at] };
        ranges.push((chars[at], end));
        at += if is_range { 3 } else { 1 };
    }
    (Token::Class { is_negated, ranges }, at + 1)
}

/// Two patterns side by side: from a pair of places, which pairs come next.
fn paths_meet(a: &[Segment], b: &[Segment]) -> bool {
    walk(|(i, j), next| {
        match (a.get(i), b.get(j)) {
            (None, None) => return true,
            (Some(Segment::Any), Some(_)) | (Some(_), Some(Segment::Any)) => {
                next.extend([(i + 1, j), (i, j + 1)]);
            }
            (Some(Segment::Any), None) => next.push((i + 1, j)),
            (None, Some(Segment::Any)) => next.push((i, j + 1)),
            (Some(Segment::One(left)), Some(Segment::One(right))) if names_meet(left, right) => {
                next.push((i + 1, j + 1));
            }
            _ => {}
        }
        false
    })
}

fn names_meet(a: &[Token], b: &[Token]) -> bool {
    walk(|(i, j), next| {
        match (a.get(i), b.get(j)) {
            (None, None) => return true,
            (Some(Token::Star), Some(_)) | (Some(_), Some(Token::Star)) => {
                next.extend([(i + 1, j), (i, j + 1)]);
            }
            (Some(Token::Star), None) => next.push((i + 1, j)),
            (None, Some(Token::Star)) => next.push((i, j + 1)),
            (Some(left), Some(right)) if chars_meet(left, right) => next.push((i + 1, j + 1)),
            _ => {}
        }
        false
    })
}

/// Visits pairs of places until `step` says that both ends are reached.
fn walk(mut step: impl FnMut((usize, usize), &mut Vec<(usize, usize)>) -> bool) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![(0, 0)];
    while let Some(pair) = open.pop() {
        if seen.insert(pair) && step(pair, &mut open) {
            return true;
        }
    }
    false
}

fn chars_meet(a: &Token, b: &Token) -> bool {
    match (a, b) {
        (Token::Char(a), Token::Char(b)) => a == b,
        (Token::Char(c), class @ Token::Class { .. }) | (class @ Token::Class { .. }, Token::Char(c)) => {
            holds(class, *c)
        }
        // Two unions of ranges meet, if at all, at or beside an end of one of them.
        (Token::Class { ranges: left, .. }, Token::Class { ranges: right, .. }) => {
            let ends = left.iter().chain(right).flat_map(|(low, high)| [*low, *high]);
            let near = ends.flat_map(|c| (-1_i64..=1).filter_map(move |by| shift(c, by)));
            near.chain(['\u{10ffff}']).any(|c| holds(a, c) && holds(b, c))
        }
        _ => true,
    }
}

fn shift(c: char, by: i64) -> Option<char> {
    char::from_u32((i64::from(u32::from(c)) + by) as u32)
}

fn holds(token: &Token, c: char) -> bool {
    match token {
        Token::Class { is_negated, ranges } => {
            ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *is_negated
        }
        Token::Char(own) => *own == c,
        Token::Star | Token::AnyChar => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glob::Glob;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    #[test]
    fn overlap() {
        for (a, b, is_overlap) in [
            ("src/a.rs", "src/a.rs", true),
            ("src/a.rs", "src/b.rs", false),
            ("src/**", "src/a/b.rs", true),
            ("src/**", "lib/a.rs", false),
            ("src", "src/a.rs", true),
            ("src/", "src/a.rs", true),
            ("./src", "src/a.rs", true),
            ("src", "src-old/a.rs", false),
            ("**/*.ts", "src/*.rs", false),
            ("**/*.ts", "src/**", true),
            ("src/*.ts", "src/a*", true),
            ("src/a*c", "src/ab*", true),
            ("src/a*c", "src/b*", false),
            ("a/**/z", "**/y/z", true),
            ("a/**/z", "b/**", false),
            ("src/a.rs", "**/*.ts", false),
            ("src", "**/*.ts", true),
            ("src/*.d/", "src/x.d/y", true),
            ("src/{a,b}/*.rs", "src/b/c.rs", true),
            ("src/{a,b}/*.rs", "src/c/c.rs", false),
            ("{a,{b,c}}/x", "c/x", true),
            ("[a-c]", "[c-e]", true),
            ("[a-c]", "[d-e]", false),
            ("[!a]", "[a]", false),
            ("[!a]", "[!b]", true),
            ("x?", "x", false),
            ("\\*", "a", false),
            ("\\{a,b", "{a,b", true),
        ] {
            assert_eq!(overlaps(a, b), is_overlap, "{a} {b}");
            assert_eq!(overlaps(b, a), is_overlap, "{b} {a}");
        }
    }

    fn pattern() -> impl Strategy<Value = String> {
        let segment =
            select(vec!["a", "b", "*", "**", "?", "a*", "*b", "{a,b}", "[a-c]", "[!a]", "*.rs", "{a*,b.rs}"]);
        vec(segment, 1..5).prop_map(|segments| segments.join("/"))
    }

    fn path() -> impl Strategy<Value = String> {
        vec(select(vec!["a", "b", "c", "ab", "a.rs", "b.rs"]), 1..5).prop_map(|segments| segments.join("/"))
    }

    proptest! {
        /// The guard never lets two writers at one file: what both globs match is an overlap.
        #[test]
        fn what_both_match_is_an_overlap(a in pattern(), b in pattern(), paths in vec(path(), 30)) {
            let (left, right) = (Glob::new(&a).unwrap(), Glob::new(&b).unwrap());
            for path in paths.iter().filter(|path| left.matches(path) && right.matches(path)) {
                prop_assert!(overlaps(&a, &b), "{a} {b} {path}");
            }
        }
    }
}
