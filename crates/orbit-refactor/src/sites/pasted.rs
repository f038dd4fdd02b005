//! What macros make of what they are given: names that those of C and C++ put together, `handle_##kind`, and members that
//! those of Rust ask for, `self.$name()`.

use orbit_extract::Lang;
use orbit_graph::FileFacts;
use std::collections::BTreeMap;

/// Fixed letters that say something about a name.
const LEAST: usize = 3;

/// Where macros may put together a name like this one, as `file:line`.
pub(super) fn places(files: &[(FileFacts, Vec<u8>)], name: &str) -> Vec<String> {
    let lines = files.iter().flat_map(|(file, bytes)| {
        let lines = pasted(&String::from_utf8_lossy(bytes), name);
        lines.into_iter().map(|line| format!("{}:{line}", file.path))
    });
    lines.collect()
}

/// The lines of a file where `##` may make this name of a part that is written and one that is not.
fn pasted(text: &str, name: &str) -> Vec<u32> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let makes = line.match_indices("##").any(|(at, sign)| {
            let (left, right) = (line[..at].trim_end(), line[at + sign.len()..].trim_start());
            let head = &left[left.trim_end_matches(is_word).len()..];
            let tail = &right[..right.len() - right.trim_start_matches(is_word).len()];
            let is_part = |part: &str| part.len() >= LEAST && part.len() < name.len();
            is_part(head) && name.starts_with(head) || is_part(tail) && name.ends_with(tail)
        });
        found.extend(makes.then_some(number));
    }
    found
}

/// The macros of Rust files by their names, and whether one may make a member of a word that it is given. One that hands its
/// words on to another macro may.
pub(super) fn macros(files: &[(FileFacts, Vec<u8>)]) -> BTreeMap<String, bool> {
    let mut found = BTreeMap::new();
    for (_, bytes) in files.iter().filter(|(file, _)| file.lang == Lang::Rust) {
        let text = String::from_utf8_lossy(bytes);
        for (at, word) in text.match_indices("macro_rules!") {
            let rest = text[at + word.len()..].trim_start();
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let (name, body) = rest.split_at(end);
            *found.entry(name.to_owned()).or_default() |= makes_members(braced(body));
        }
    }
    found
}

/// A text up to the bracket that closes its first one.
fn braced(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return &text[..=at];
        }
    }
    text
}

/// Whether the body of a macro has a parameter behind `.` or `::`, before `:`, behind `fn`, or among what another macro gets.
fn makes_members(body: &str) -> bool {
    body.match_indices('$').any(|(at, _)| {
        let before = body[..at].trim_end();
        let rest = &body[at + 1..];
        let name = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        let is_key =
            name.trim_start().starts_with(':') && !is_parameter(name) && !name.trim_start().starts_with("::");
        let is_use = !is_parameter(name);
        let hands_on = || is_in_call(before);
        is_use && (before.ends_with(['.', ':']) || before.ends_with("fn") || is_key || hands_on())
    })
}

/// Whether what follows a `$name` says what it matches: `$name:ident`.
fn is_parameter(after: &str) -> bool {
    const KINDS: &str =
        "block expr expr_2021 ident item lifetime literal meta pat pat_param path stmt tt ty vis";
    let Some(kind) = after.strip_prefix(':') else { return false };
    let kind = kind.trim_start();
    let end = kind.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(kind.len());
    KINDS.split_whitespace().any(|known| known == &kind[..end])
}

/// Whether a text ends in the arguments of a macro.
fn is_in_call(before: &str) -> bool {
    let mut depth = 0;
    before.char_indices().rev().any(|(at, c)| {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' | '[' | '{' => return before[..at].trim_end().ends_with('!'),
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn macros_that_ask_for_members_are_told() {
        let cases = [
            ("{ ($t:ty, $n:ident) => { fn a(&self) -> $t { self.$n() } } }", true),
            ("{ ($n:ident) => { fn $n() {} } }", true),
            ("{ ($n:ident) => { Item { $n: 1 } } }", true),
            ("{ ($($n:ident)*) => { inner!($($n)*) } }", true),
            ("{ ($n:expr) => { run($n + 1) } }", false),
        ];
        for (body, expected) in cases {
            assert_eq!(super::makes_members(body), expected, "{body}");
        }
    }

    use super::pasted;

    #[test]
    fn parts_of_names_are_found_on_both_sides() {
        let text = "#define A(x) handle_##x()\n#define B(x) x ## _init()\n#define C(a, b) a##b";
        assert_eq!(pasted(text, "handle_read"), [1]);
        assert_eq!(pasted(text, "list_init"), [2]);
        assert_eq!(pasted(text, "handle_"), [0; 0]);
        assert_eq!(pasted(text, "other"), [0; 0]);
    }
}
