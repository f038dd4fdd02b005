//! No answer above its cap: lists are cut from the end, and the answer says which, how much, and how to get
//! the rest.

use serde_json::{Map, Value, json};

/// What an answer may take unless the caller says otherwise.
pub(crate) const DEFAULT_TOKENS: usize = 8_000;
const LEAST_TOKENS: usize = 200;
/// Texts of up to this many bytes say what something is, and stay whole.
const LABEL: usize = 120;

/// An upper bound for the tokens of so many bytes: no common tokenizer needs more than one for three bytes of JSON
/// on average; most need fewer.
fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(3)
}

/// The bytes that an answer of so many tokens has room for.
pub(crate) fn room(max_tokens: usize) -> usize {
    max_tokens.max(LEAST_TOKENS).saturating_mul(3)
}

/// The answer as compact JSON of at most `max_tokens`: nulls and empty lists are left out, and the longest
/// list or text is shortened until it fits.
pub(crate) fn fit(mut answer: Value, max_tokens: usize) -> String {
    drop_empty(&mut answer);
    cut(answer, max_tokens)
}

/// As [`fit`], for answers whose nulls say something.
pub(crate) fn cut(mut answer: Value, max_tokens: usize) -> String {
    let cap = max_tokens.max(LEAST_TOKENS);
    let mut cuts = Map::new();
    // Every round halves the longest part, so some rounds are always enough.
    for _ in 0..256 {
        if tokens(length(&answer)) <= cap {
            break;
        }
        let Some((key, shown, of)) = halve_longest(&mut answer) else { break };
        let first = cuts.get(&key).and_then(|cut: &Value| cut["of"].as_u64()).unwrap_or(of as u64);
        cuts.insert(key, json!({"shown": shown, "of": first}));
        answer["cut"] = json!({"parts": cuts, "hint": "raise max_tokens, or narrow the question"});
    }
    answer.to_string()
}

/// The bytes that a value takes as JSON, without making them: an answer that is cut is looked at many times.
pub(crate) fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text_length(text),
        Value::Array(list) => 2 + list.iter().map(length).sum::<usize>() + list.len().saturating_sub(1),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, part)| text_length(key) + 1 + length(part));
            2 + entries.sum::<usize>() + map.len().saturating_sub(1)
        }
        other => other.to_string().len(),
    }
}

/// The bytes that a text takes as JSON.
pub(crate) fn text_length(text: &str) -> usize {
    let escaped = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..0x20 => 6,
        _ => 1,
    });
    2 + escaped.sum::<usize>()
}

/// Removes nulls, and empty lists except at the top, where they answer the question.
fn drop_empty(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_empty);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_empty),
        _ => {}
    }
}

/// Halves the part that takes the most room: the largest below the top, or below that, as long as one of its own
/// parts makes up most of it. Returns where it is, and how much is left of how much.
fn halve_longest(answer: &mut Value) -> Option<(String, usize, usize)> {
    let mut path = vec![longest(answer, false)?];
    while let Some(inner) = longest(answer.pointer(&pointer(&path))?, true) {
        path.push(inner);
    }
    let part = answer.pointer_mut(&pointer(&path))?;
    let before = size(part);
    let left = before / 2;
    match part {
        Value::Array(list) => list.truncate(left),
        Value::Object(object) => {
            let keep: Vec<String> = object.keys().take(left).cloned().collect();
            object.retain(|key, _| keep.contains(key));
        }
        // Never in the middle of a word.
        Value::String(text) => {
            let end = text.floor_char_boundary(left);
            text.truncate(text[..end].rfind(char::is_whitespace).unwrap_or(end));
        }
        _ => return None,
    }
    let left = size(part);
    Some((path.join(" "), left, before))
}

/// Where the longest entry that can be cut is; if it has to, it makes up more than half of the whole.
fn longest(value: &Value, must_dominate: bool) -> Option<String> {
    let entries: Vec<(String, &Value)> = match value {
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| key.as_str() != "cut")
            .map(|(key, part)| (key.clone(), part))
            .collect(),
        Value::Array(list) => list.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect(),
        _ => return None,
    };
    let sized = entries.into_iter().filter(|(_, part)| can_be_cut(part));
    let (longest, key) = sized.map(|(key, part)| (length(part), key)).max()?;
    (!must_dominate || size(value) == 1 || longest * 2 > length(value)).then_some(key)
}

/// Lists and groups of several entries, long texts, and what has one of these in it.
fn can_be_cut(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() > LABEL,
        Value::Array(list) => list.len() > 1 || list.iter().any(can_be_cut),
        Value::Object(map) => map.len() > 1 || map.values().any(can_be_cut),
        _ => false,
    }
}

fn pointer(path: &[String]) -> String {
    let parts = path.iter().map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1")));
    parts.collect()
}

/// How many entries or bytes a part has.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.len(),
        Value::Object(object) => object.len(),
        Value::String(text) => text.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let rows: Vec<Value> =
            (0..1000).map(|row| json!({"file": format!("src/file{row}.rs"), "line": row})).collect();
        let text = fit(json!({"rows": rows, "none": null, "total": 1000}), 500);
        assert!(tokens(text.len()) <= 500, "{}", tokens(text.len()));
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["cut"]["parts"]["rows"]["of"], 1000);
        assert_eq!(
            answer["rows"].as_array().unwrap().len() as u64,
            answer["cut"]["parts"]["rows"]["shown"].as_u64().unwrap()
        );
        assert!(answer.get("none").is_none());
    }

    #[test]
    fn groups_are_cut_where_they_are_long() {
        let files: Map<String, Value> =
            (0..200).map(|file| (format!("src/file{file}.rs"), json!({"caller": [1, 2, 3]}))).collect();
        let text = fit(json!({"refs": {"call": files, "type": {"src/a.rs": {"x": [1]}}}, "total": 601}), 500);
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["cut"]["parts"]["refs call"]["of"], 200, "{text}");
        assert_eq!(answer["refs"]["type"]["src/a.rs"]["x"][0], 1);
        assert!(!answer["refs"]["call"].as_object().unwrap().is_empty());
    }

    #[test]
    fn a_list_of_one_is_cut_inside() {
        let names: Vec<String> = (0..500).map(|name| format!("name{name}")).collect();
        let text = fit(json!({"format": "full", "files": [{"path": "src/a.rs", "symbols": names}]}), 300);
        assert!(tokens(text.len()) <= 300, "{text}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["format"], "full");
        assert_eq!(answer["files"][0]["symbols"][0], "name0");
        assert_eq!(answer["cut"]["parts"]["files 0 symbols"]["of"], 500);
    }

    #[test]
    fn lengths_are_those_of_the_text() {
        let value = json!({"a\"b\\": ["\n\t\u{1}ä", 1.5, -3, null, true, {}, []], "": {"x": "\u{8}\u{c}\r"}});
        assert_eq!(length(&value), value.to_string().len());
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let text = fit(json!({"source": "ä".repeat(10_000)}), 300);
        assert!(tokens(text.len()) <= 300);
        serde_json::from_str::<Value>(&text).unwrap();
    }
}
