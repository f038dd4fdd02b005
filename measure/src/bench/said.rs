//! Places as answers say them: `{"src/": {"cart.py": "1: Cart.{add:3 drop:9,12} 2: main:4~"}}`.

use serde_json::Value;

/// One thing at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Said {
    pub(super) file: String,
    /// The name inside of its file; nothing for code outside of any symbol.
    pub(super) name: String,
    pub(super) lines: Vec<u32>,
}

/// Everything that a map of files says; a key that ends with `/` holds more of them.
pub(super) fn said(files: &Value) -> Vec<Said> {
    let mut found = Vec::new();
    below(files, "", &mut found);
    found
}

/// The same of a map of groups.
pub(super) fn said_in_groups(groups: &Value) -> Vec<Said> {
    groups.as_object().into_iter().flat_map(|groups| groups.values()).flat_map(said).collect()
}

fn below(files: &Value, directory: &str, found: &mut Vec<Said>) {
    for (file, value) in files.as_object().into_iter().flatten() {
        let file = format!("{directory}{file}");
        match value {
            Value::String(text) => found.extend(entries(text).into_iter().map(|(name, lines)| Said {
                name: if name.starts_with('.') { format!("{}{name}", stem(&file)) } else { name },
                file: file.clone(),
                lines,
            })),
            _ => below(value, &file, found),
        }
    }
}

/// The names of a text with their lines. Distances and signs are left out.
fn entries(text: &str) -> Vec<(String, Vec<u32>)> {
    let mut found = Vec::new();
    for item in items(text) {
        match item.split_once('{').filter(|_| !item.starts_with('`')) {
            Some((shared, inside)) => {
                let parts = inside.trim_end_matches('}').split(' ');
                found.extend(parts.map(|part| entry(&format!("{shared}{part}"))));
            }
            // A distance, or how many are not named.
            None if item.strip_suffix(':').is_some_and(|number| number.parse::<usize>().is_ok()) => {}
            None if item.strip_prefix('+').is_some_and(|number| number.parse::<usize>().is_ok()) => {}
            None => found.push(entry(item)),
        }
    }
    found
}

/// What a file is called without its directory and ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// What stands between spaces, but those inside of braces and backticks.
fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted, mut from, mut found) = (0_usize, false, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '`' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted => depth = depth.saturating_sub(1),
            ' ' if !is_quoted && depth == 0 => {
                found.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found.retain(|item| !item.is_empty());
    found
}

/// `name:3,5~`.
fn entry(text: &str) -> (String, Vec<u32>) {
    let text = text.trim_end_matches(['~', '?']);
    let (name, lines) = text.rsplit_once(':').unwrap_or((text, ""));
    let numbers: Result<Vec<u32>, _> = lines.split(',').map(str::parse).collect();
    match numbers {
        Ok(lines) => (name.trim_matches('`').to_owned(), lines),
        Err(_) => (text.trim_matches('`').to_owned(), Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_place_is_read_back() {
        let answer = json!({
            "src/": {"cart.rs": "1: Cart::{add:3 drop:9,12~} 2: main:4", "b/x.rs": "`<A as B>::c`:5? :7"},
            "test.py": "1: test_{a b} other +12",
            "a/Cart.java": "1: .{add:1 drop:2} .sum:3",
        });
        let found: Vec<String> =
            said(&answer).iter().map(|one| format!("{} {} {:?}", one.file, one.name, one.lines)).collect();
        let expected = [
            "src/cart.rs Cart::add [3]",
            "src/cart.rs Cart::drop [9, 12]",
            "src/cart.rs main [4]",
            "src/b/x.rs <A as B>::c [5]",
            "src/b/x.rs  [7]",
            "test.py test_a []",
            "test.py test_b []",
            "test.py other []",
            "a/Cart.java Cart.add [1]",
            "a/Cart.java Cart.drop [2]",
            "a/Cart.java Cart.sum [3]",
        ];
        assert_eq!(found, expected);
    }
}
