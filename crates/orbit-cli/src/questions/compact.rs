//! Answers without repetition: rows are grouped by what they share, so that a list of places costs fewer tokens
//! than the lines themselves would. `file` and `name` of an entry make its selector: `symbol:<file>#<name>`.

use orbit_graph::{Confidence, Selector, SymbolAddress, SymbolSelector};
use serde_json::{Map, Value, json};

/// `total` is given when not everything is shown.
pub(super) fn finish(mut out: Map<String, Value>, total: Option<usize>, stale: &[String]) -> Value {
    if let Some(total) = total {
        out.insert("total".into(), json!(total));
        out.insert("truncated".into(), json!("raise limit to see all"));
    }
    if !stale.is_empty() {
        out.insert("stale".into(), json!(stale));
    }
    Value::Object(out)
}

/// Longer names are sentences: what a test is called.
const LONGEST_NAME: usize = 60;

/// The name in a selector; nothing for a file. A sentence is cut and ends with `…`.
pub(super) fn name(selector: &str) -> String {
    let mut name = selector.parse::<SymbolAddress>().map(|address| address.local).unwrap_or_default();
    if name.len() > LONGEST_NAME && name.contains(' ') {
        name.truncate(name.floor_char_boundary(LONGEST_NAME));
        name.push('…');
    }
    name
}

/// The file that a selector names, or that its symbol is in.
pub(super) fn file_of(selector: &str) -> Option<String> {
    match Selector::parse(selector) {
        Ok(Selector::Symbol(SymbolSelector { path, .. }) | Selector::File(path)) => Some(path),
        _ => None,
    }
}

/// Guesses carry a question mark.
pub(super) fn place(name: &str, line: u32, confidence: Confidence) -> Value {
    json!(format!("{name}:{line}{}", sign(confidence)))
}

/// What stands behind an edge that is not a fact: `?` for one that only a name leads to, `~` for what may run at a call.
pub(super) fn sign(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::FuzzyName => "?",
        Confidence::Dispatch => "~",
        _ => "",
    }
}

/// Adds a line that is not the last one already.
pub(super) fn add_line(lines: &mut Value, line: u32) {
    let is_known = lines.as_array().is_some_and(|lines| lines.last() == Some(&json!(line)));
    if !is_known {
        push(lines, json!(line));
    }
}

pub(super) fn push(list: &mut Value, item: Value) {
    match list {
        Value::Array(items) => items.push(item),
        other => *other = json!([item]),
    }
}
