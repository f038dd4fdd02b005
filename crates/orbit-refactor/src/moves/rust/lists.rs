//! One name of a `use` with lists in lists: what is cut, and how the name stands alone.

use crate::moves::statement::line_start;

/// A name that is taken out of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// What goes: the item with its comma, a list that would be empty, or the whole statement.
    pub(super) cut: (usize, usize),
    /// Behind the line of the statement.
    pub(super) end: usize,
    /// What stands before `use`: attributes, indentation and `pub`.
    pub(super) head: String,
    /// The name, with its alias.
    pub(super) item: String,
}

/// The item of a list that a name at a place is; `None` when it is in no list, or comments stand between.
pub(super) fn listed(text: &str, at: usize) -> Option<Listed> {
    let begin = statement_start(text, at)?;
    let close = at + text[at..].find(';')?;
    if text[begin..close].contains("//") || text[begin..close].contains("/*") {
        return None;
    }
    let end = text[close..].find('\n').map_or(text.len(), |line| close + line + 1);
    let list = list_at(text, begin, at)?;
    let own = item_at(text, list, at);
    let whole = text[own.0..own.1].trim();
    let item = whole.rsplit("::").next().unwrap_or(whole).to_owned();
    let (mut list, mut place) = (list, at);
    let cut = loop {
        if let Some(cut) = without(text, list, item_at(text, list, place)) {
            break cut;
        }
        place = list.0 - 1;
        match list_at(text, begin, place) {
            Some(outer) => list = outer,
            None => break (attributes(text, begin), end),
        }
    };
    Some(Listed { cut, end, head: head(text, begin), item })
}

/// The line that the `use` round a place begins on.
pub(super) fn statement_start(text: &str, at: usize) -> Option<usize> {
    let mut begin = line_start(text, at);
    loop {
        let code = text[begin..].trim_start();
        if code.starts_with("use ") || code.starts_with("pub") && code[..code.find('\n')?].contains("use ") {
            return Some(begin);
        }
        begin = line_start(text, begin.checked_sub(1)?);
    }
}

/// The first line of the attributes above a statement.
pub(super) fn attributes(text: &str, begin: usize) -> usize {
    let mut from = begin;
    while from > 0 {
        let above = line_start(text, from - 1);
        if !text[above..from].trim_start().starts_with("#[") {
            break;
        }
        from = above;
    }
    from
}

/// Attributes above the statement, its indentation and `pub`.
fn head(text: &str, begin: usize) -> String {
    let word = text[begin..].find("use ").unwrap_or(0);
    text[attributes(text, begin)..begin + word].to_owned()
}

/// What stands between the innermost brackets round a place.
fn list_at(text: &str, begin: usize, at: usize) -> Option<(usize, usize)> {
    let mut depth = 0;
    let open = text[begin..at].char_indices().rev().find(|(_, c)| {
        depth += match c {
            '}' => 1,
            '{' => -1,
            _ => 0,
        };
        depth < 0
    })?;
    let open = begin + open.0 + 1;
    let mut depth = 0;
    let close = text[open..].char_indices().find(|(_, c)| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth < 0
    })?;
    Some((open, open + close.0))
}

/// The item of a list round a place, from comma to comma.
fn item_at(text: &str, list: (usize, usize), at: usize) -> (usize, usize) {
    let mut found = (list.0, list.1);
    let mut depth = 0;
    for (offset, c) in text[list.0..list.1].char_indices() {
        let place = list.0 + offset;
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 && place < at => found.0 = place + 1,
            ',' if depth == 0 => {
                found.1 = place;
                break;
            }
            _ => {}
        }
    }
    found
}

/// The bytes to cut so that an item goes with its comma; `None` when nothing would be left.
fn without(text: &str, list: (usize, usize), item: (usize, usize)) -> Option<(usize, usize)> {
    let is_last = item.1 == list.1;
    let rest =
        text[list.0..item.0].trim().len() + text[item.1..list.1].trim_matches([',', ' ', '\n', '\t']).len();
    if rest == 0 {
        return None;
    }
    let own = &text[item.0..item.1];
    if is_last {
        return Some((item.0 - 1, item.0 + own.trim_end().len()));
    }
    let behind = &text[item.1 + 1..list.1];
    let start = item.0 + own.len() - own.trim_start().len();
    Some((start, item.1 + 1 + behind.len() - behind.trim_start().len()))
}

#[cfg(test)]
mod tests {
    use super::listed;

    fn take(text: &str) -> (String, String) {
        let text = text.replace("\\n", "\n");
        let found = listed(&text, text.find("Name").unwrap()).unwrap();
        let rest = format!("{}{}", &text[..found.cut.0], &text[found.cut.1..]);
        (rest, format!("{}use p::{};", found.head, found.item))
    }

    #[test]
    fn a_name_is_taken_out_of_lists_in_lists() {
        let case =
            |text: &str, rest: &str, line: &str| assert_eq!(take(text), (rest.to_owned(), line.to_owned()));
        case("use a::{b, Name, c};\n", "use a::{b, c};\n", "use p::Name;");
        case("use a::{b, Name};\n", "use a::{b};\n", "use p::Name;");
        case("use a::{b::Name, c::{d, e}};\n", "use a::{c::{d, e}};\n", "use p::Name;");
        case("use a::{c::{d, Name as N}, x};\n", "use a::{c::{d}, x};\n", "use p::Name as N;");
        case("use a::{c::{Name}, x};\n", "use a::{x};\n", "use p::Name;");
        case(
            "#[cfg(test)]\npub use a::{Name};\nfn f() {}\n",
            "fn f() {}\n",
            "#[cfg(test)]\npub use p::Name;",
        );
        case("use a::{\n    b,\n    Name,\n};\n", "use a::{\n    b,\n    };\n", "use p::Name;");
    }
}
