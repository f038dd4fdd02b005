//! Places in as few characters as say all of them: `Cart.{add:3 drop:9,12} main:4`, by file, with a directory that
//! several files share said once.
//!
//! ```text
//! {file: {name: [lines]}} ─texts─▶ {file: "name:line,line name:line"} ─by_directory─▶ {"src/shop/": {file: text}}
//! ```

use orbit_graph::SymbolAddress;
use serde_json::{Map, Value, json};

/// `{file: {name: [lines]}}` as `{file: "name:line,line name:line"}`, with shared directories said once.
pub(super) fn texts(files: &Value) -> Value {
    let texts = files.as_object().into_iter().flatten().map(|(file, names)| {
        let text = match names {
            Value::Object(names) => {
                let entry =
                    |(name, lines): (&String, &Value)| Entry::at(&below_file(file, name.clone()), lines);
                text(&names.iter().map(entry).collect::<Vec<_>>())
            }
            _ => return (file.clone(), names.clone()),
        };
        (file.clone(), json!(text))
    });
    by_directory(texts.collect())
}

/// A name inside of its file. Where a file is called after the type in it, the type is left out: `.add` in `Cart.java`.
pub(super) fn below_file(file: &str, name: String) -> String {
    let stem = file.rsplit('/').next().and_then(|file| file.rsplit_once('.'));
    let Some((stem, "java" | "kt" | "cs")) = stem else { return name };
    match name.strip_prefix(stem) {
        Some(member) if member.starts_with('.') => member.to_owned(),
        _ => name,
    }
}

/// What an answer is about: the selector, or the name alone where the question said the file.
pub(super) fn unless_asked(asked: &str, selector: &str) -> String {
    match selector.parse::<SymbolAddress>() {
        Ok(address) if asked.strip_prefix(&address.path).is_some_and(|rest| rest.starts_with(':')) => {
            format!("{}:{}", address.local, address.kind.as_str())
        }
        _ => selector.to_owned(),
    }
}

/// One thing at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Nothing for code outside of any symbol.
    name: String,
    /// What is said of it behind the name.
    rest: String,
}

impl Entry {
    /// A name, with what is said behind it.
    pub(super) fn new(name: &str, rest: String) -> Entry {
        let is_plain = !name.contains([' ', '`', '{', '}', ',', '"']);
        let name = if is_plain { name.to_owned() } else { format!("`{}`", name.replace('`', "'")) };
        Entry { name, rest }
    }

    fn at(name: &str, lines: &Value) -> Entry {
        let lines = lines.as_array().into_iter().flatten().map(Value::to_string).collect::<Vec<_>>();
        Entry::new(name, format!(":{}", lines.join(",")))
    }

    fn is_plain(&self) -> bool {
        !self.name.is_empty() && !self.name.starts_with('`')
    }
}

/// Entries one behind the other; what neighbours begin with is said once, before what they differ in, in braces.
pub(super) fn text(entries: &[Entry]) -> String {
    let mut parts = Vec::new();
    let mut rest = entries;
    while let [first, ..] = rest {
        let (count, shared) = run(rest);
        let (here, behind) = rest.split_at(count);
        if count == 1 {
            parts.push(format!("{}{}", first.name, first.rest));
        } else {
            let inside = here.iter().map(|entry| format!("{}{}", &entry.name[shared..], entry.rest));
            let inside = inside.collect::<Vec<_>>().join(" ");
            parts.push(format!("{}{{{inside}}}", &first.name[..shared]));
        }
        rest = behind;
    }
    parts.join(" ")
}

/// How many of the first entries are written together, and how many bytes they share: as many as make it shortest.
fn run(entries: &[Entry]) -> (usize, usize) {
    let first = &entries[0];
    let (mut best, mut saved) = ((1, 0), 0);
    let mut shared = first.name.len();
    for (at, entry) in entries.iter().enumerate().skip(1) {
        let common = first.name.bytes().zip(entry.name.bytes()).take_while(|(a, b)| a == b).count();
        let longest = shared.min(common).min(entry.name.len().saturating_sub(1));
        shared = word_end(&first.name, longest.min(first.name.len().saturating_sub(1)));
        if shared == 0 || !first.is_plain() || !entry.is_plain() {
            break;
        }
        // Two braces are the price.
        let saving = (shared * at).saturating_sub(2);
        if saving >= saved {
            (best, saved) = ((at + 1, shared), saving);
        }
    }
    if saved == 0 { (1, 0) } else { best }
}

/// The last place up to `most` where a word of a name ends.
fn word_end(name: &str, most: usize) -> usize {
    let bytes = name.as_bytes();
    let is_end = |at: &usize| {
        let (before, after) = (bytes[at - 1], bytes[*at]);
        matches!(before, b'_' | b'.' | b':' | b'/') && after != b':'
            || before.is_ascii_lowercase() && after.is_ascii_uppercase()
    };
    (1..=most).rev().find(is_end).unwrap_or(0)
}

/// Files by the directories that they share, where that is shorter: `{"src/shop/": {"cart.py": …}}`. Files stay in their
/// order, a directory where its first file stands.
pub(super) fn by_directory(files: Map<String, Value>) -> Value {
    let mut paths: Vec<&str> = files.keys().map(String::as_str).collect();
    paths.sort_unstable();
    let directories = folded(&paths, 0).1;
    let mut out = Map::new();
    for (file, value) in files {
        match directories.iter().find(|directory| file.starts_with(directory.as_str())) {
            Some(directory) => {
                out.entry(directory.clone()).or_insert_with(|| json!({}))[&file[directory.len()..]] = value;
            }
            None => drop(out.insert(file, value)),
        }
    }
    Value::Object(out)
}

/// The directories to say once among sorted paths that share the first `from` bytes, and how many bytes that saves.
fn folded(paths: &[&str], from: usize) -> (usize, Vec<String>) {
    /// Quotes, colon, braces and comma.
    const PRICE: usize = 6;
    let [first, .., last] = paths else { return (0, Vec::new()) };
    let common = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
    let directory = first.as_bytes()[..common].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let directory = directory.max(from);
    let whole = (directory * (paths.len() - 1)).saturating_sub(PRICE);
    let next = |path: &str| path[directory..].find('/').map_or(path.len(), |at| directory + at + 1);
    let (mut apart, mut directories) = (0, Vec::new());
    for group in paths.chunk_by(|a, b| a[..next(a)] == b[..next(b)]) {
        let (saved, mut inner) = folded(group, next(group[0]));
        apart += saved;
        directories.append(&mut inner);
    }
    if whole > 0 && whole >= apart {
        (whole, vec![first[..directory].to_owned()])
    } else {
        (apart, directories)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(entries: &[(&str, &str)]) -> String {
        let entries: Vec<Entry> =
            entries.iter().map(|(name, rest)| Entry::new(name, (*rest).to_owned())).collect();
        text(&entries)
    }

    #[test]
    fn what_neighbours_begin_with_is_said_once() {
        for (entries, expected) in [
            (
                &[("Cart.add", ":3"), ("Cart.drop", ":9,12"), ("main", ":4")][..],
                "Cart.{add:3 drop:9,12} main:4",
            ),
            (&[("T.testAddOne", ""), ("T.testAddTwo", "~")], "T.testAdd{One Two~}"),
            (&[("shop::Cart::add", ":3"), ("shop::Cart::drop", ":4")], "shop::Cart::{add:3 drop:4}"),
            // Alone the longer beginning of two is worth more than the shorter one of three.
            (
                &[("Store.load_one", ":1"), ("Store.load_two", ":2"), ("S.x", ":3")],
                "Store.load_{one:1 two:2} S.x:3",
            ),
            // Nothing is left of the first.
            (&[("test", ":1"), ("test_more", ":2")], "test:1 test_more:2"),
            (&[("add", ":1"), ("and", ":2")], "add:1 and:2"),
            (&[("", ":7")], ":7"),
            (&[("adds two {x}", ":1"), ("<A as B>::c", ":2")], "`adds two {x}`:1 `<A as B>::c`:2"),
            (&[("größe_a", ":1"), ("größe_b", ":2")], "größe_{a:1 b:2}"),
        ] {
            assert_eq!(said(entries), expected);
        }
    }

    #[test]
    fn directories_are_said_once_where_that_is_shorter() {
        let files = |paths: &[&str]| paths.iter().map(|path| ((*path).to_owned(), json!(1))).collect();
        let grouped = by_directory(files(&[
            "src/main/java/shop/Cart.java",
            "src/test/java/shop/CartTest.java",
            "src/test/java/shop/bill/TaxTest.java",
            "src/main/java/shop/Bill.java",
            "README.md",
        ]));
        let expected = json!({
            "src/main/java/shop/": {"Cart.java": 1, "Bill.java": 1},
            "src/test/java/shop/": {"CartTest.java": 1, "bill/TaxTest.java": 1},
            "README.md": 1,
        });
        assert_eq!(grouped.to_string(), expected.to_string());
        let few = json!({"a/x.rs": 1, "a/y.rs": 1, "b.rs": 1});
        assert_eq!(by_directory(files(&["a/x.rs", "a/y.rs", "b.rs"])), few);
        assert_eq!(by_directory(Map::new()), json!({}));
    }

    #[test]
    fn what_the_question_and_the_file_say_is_left_out() {
        let selector = "symbol:src/cart.py#Cart.add:method";
        assert_eq!(unless_asked("src/cart.py:3", selector), "Cart.add:method");
        assert_eq!(unless_asked("Cart.add", selector), selector);
        assert_eq!(unless_asked("src/cart.pyx:3", selector), selector);
        for (file, name, said) in [
            ("a/Cart.java", "Cart.add", ".add"),
            ("a/Cart.java", "Cart", "Cart"),
            ("a/Cart.java", "CartTest.add", "CartTest.add"),
            ("a/Cart.py", "Cart.add", "Cart.add"),
        ] {
            assert_eq!(below_file(file, name.to_owned()), said);
        }
    }

    #[test]
    fn lines_stand_behind_names() {
        let files = json!({"a.py": {"run": [3, 5], "": [9]}, "b.py": [1, 2]});
        assert_eq!(texts(&files), json!({"a.py": "run:3,5 :9", "b.py": [1, 2]}));
    }
}
