//! Macros of C and C++ that make something else of a word they are given: `New::x`, `item->field`, `name##_`.

use orbit_extract::Family;
use orbit_graph::FileFacts;
use std::collections::BTreeMap;

/// A macro with parameters.
struct Define<'t> {
    name: &'t str,
    parameters: Vec<&'t str>,
    body: String,
}

/// The parameters, counted from 0, that each macro puts behind a `.`, `->` or `::`, or pastes to something.
pub(super) fn bent(files: &[(FileFacts, Vec<u8>)]) -> BTreeMap<String, Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (_, bytes) in files.iter().filter(|(file, _)| file.lang.family() == Family::Native) {
        let text = String::from_utf8_lossy(bytes);
        for define in defines(&text) {
            let is_bent =
                |parameter: &&str| words(&define.body, parameter).any(|(before, after)| bends(before, after));
            let places = (0..).zip(&define.parameters).filter(|(_, parameter)| is_bent(parameter));
            let places: Vec<usize> = places.map(|(place, _)| place).collect();
            if !places.is_empty() {
                found.entry(define.name.to_owned()).or_default().extend(places);
            }
        }
    }
    found
}

fn bends(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    before.ends_with("##")
        || after.starts_with("##")
        || before.ends_with("->")
        || before.ends_with("::")
        || before.ends_with('.')
}

/// The macros of a file that take parameters.
fn defines(text: &str) -> Vec<Define<'_>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("define ") {
        let line = text[..at].rsplit('\n').next().unwrap_or("");
        if line.trim() != "#" {
            continue;
        }
        let head = text[at + "define ".len()..].trim_start();
        let end = head.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(head.len());
        let (name, rest) = head.split_at(end);
        let Some((list, rest)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            continue;
        };
        let parameters =
            list.split(',').map(|part| part.trim_matches([' ', '\\', '\n', '\t', '\r'])).collect();
        let mut body = String::new();
        for line in rest.lines() {
            body.push_str(line.trim_end_matches('\\'));
            body.push(' ');
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        found.push(Define { name, parameters, body });
    }
    found
}

/// What stands before and behind each place of a word.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let places = if word.is_empty() { "" } else { text }.match_indices(word);
    let split = places.map(|(at, _)| (&text[..at], &text[at + word.len()..]));
    split.filter(move |(before, after)| !before.ends_with(is_part) && !after.starts_with(is_part))
}

/// Which argument of which call a text ends in, the innermost one first.
fn calls(before: &str) -> Vec<(&str, usize)> {
    let (mut depth, mut place, mut found) = (0, 0, Vec::new());
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            ',' if depth == 0 => place += 1,
            ';' | '{' | '}' if depth == 0 => break,
            '(' | '[' => {
                let head = before[..at].trim_end();
                let start = head.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
                found.push((&head[start..], place));
                place = 0;
            }
            _ => {}
        }
    }
    found
}

/// Whether a text ends in an argument that its macro makes something else of.
pub(crate) fn is_bent(bent: &BTreeMap<String, Vec<usize>>, before: &str) -> bool {
    !bent.is_empty()
        && calls(before)
            .iter()
            .any(|(name, place)| bent.get(*name).is_some_and(|places| places.contains(place)))
}

/// The lines of a file where a macro that some file defines is given what it makes a name of, however short the part is that
/// it adds: `size_` of `GETTER(int, size)` with `name##_`.
pub(super) fn given(files: &[(FileFacts, Vec<u8>)], name: &str) -> Vec<String> {
    let texts: Vec<(&FileFacts, String)> = files
        .iter()
        .filter(|(file, _)| file.lang.family() == Family::Native)
        .map(|(file, bytes)| (file, String::from_utf8_lossy(bytes).into_owned()))
        .collect();
    let mut found = Vec::new();
    for define in texts.iter().flat_map(|(_, text)| defines(text)) {
        for (place, parameter) in define.parameters.iter().enumerate() {
            for asked in words(&define.body, parameter).filter_map(|sides| rest(name, sides)) {
                let named =
                    texts.iter().flat_map(|(file, text)| words(text, asked).map(move |sides| (file, sides)));
                let given = named.filter(|(_, (before, _))| calls(before).contains(&(define.name, place)));
                found.extend(given.map(|(file, (before, _))| {
                    format!("{}:{}", file.path, before.matches('\n').count() + 1)
                }));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What a macro has to be given to make a name with the parts that it pastes on both sides.
fn rest<'n>(name: &'n str, (before, after): (&str, &str)) -> Option<&'n str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let head = before.trim_end().strip_suffix("##").map_or("", |head| {
        let head = head.trim_end();
        &head[head.trim_end_matches(is_part).len()..]
    });
    let tail = after.trim_start().strip_prefix("##").map_or("", |tail| {
        let tail = tail.trim_start();
        &tail[..tail.len() - tail.trim_start_matches(is_part).len()]
    });
    let asked = name.strip_prefix(head)?.strip_suffix(tail)?;
    (head.len() + tail.len() > 0 && !asked.is_empty()).then_some(asked)
}

#[cfg(test)]
mod tests {
    use super::{calls, defines, rest};

    #[test]
    fn macros_and_what_they_are_given_are_told() {
        let text = "#define A(x, \\\n  y) one \\\n  two\n# define B() b\n#define C 1\n";
        let found: Vec<_> =
            defines(text).into_iter().map(|define| (define.name, define.parameters.len())).collect();
        assert_eq!(found, [("A", 2), ("B", 1)]);
        assert_eq!(defines(text)[0].body.split_whitespace().collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(calls("f(); A(g(1, 2), "), [("A", 1)]);
        assert_eq!(calls("A(x, B(a[0], "), [("B", 1), ("A", 1)]);
    }

    #[test]
    fn pasted_parts_may_be_short() {
        assert_eq!(rest("size_", ("return ", "##_; }")), Some("size"));
        assert_eq!(rest("get_size", ("T get_##", "() const")), Some("size"));
        assert_eq!(rest("size", ("T get_##", "()")), None);
        assert_eq!(rest("size", ("(", ")")), None);
    }
}
