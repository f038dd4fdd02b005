//! A file: front matter of `key: value` lines with JSON values, and prose.

use crate::wire::lenient::Loose;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const FENCE: &str = "---";

/// A file as it is written, key by key.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
}

impl Writer {
    pub(super) fn new() -> Writer {
        Writer { text: format!("{FENCE}\n") }
    }

    pub(super) fn value(&mut self, key: &str, value: impl Serialize) -> &mut Writer {
        let _ = writeln!(self.text, "{key}: {}", json(&value));
        self
    }

    pub(super) fn list(&mut self, key: &str, values: impl IntoIterator<Item: Serialize>) -> &mut Writer {
        let _ = writeln!(self.text, "{key}:");
        for value in values {
            let _ = writeln!(self.text, "  - {}", json(&value));
        }
        self
    }

    pub(super) fn prose(mut self, prose: &str) -> String {
        let _ = writeln!(self.text, "{FENCE}");
        if !prose.is_empty() {
            let _ = writeln!(self.text, "{prose}");
        }
        self.text
    }
}

/// JSON on one line.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A file as it was read.
#[derive(Debug)]
pub(super) struct Document {
    path: String,
    /// All keys, in their order.
    pub(super) keys: Vec<String>,
    pub(super) values: BTreeMap<String, Value>,
    pub(super) lists: BTreeMap<String, Vec<Value>>,
    pub(super) prose: String,
}

impl Document {
    /// Reads a file; what is wrong with it comes with path and line.
    pub(super) fn read(path: &str, text: &str) -> Result<Document, String> {
        let unified;
        // A checkout may have turned line ends; the fence tells.
        let text = if text.starts_with("---\r\n") {
            unified = text.replace("\r\n", "\n");
            &unified
        } else {
            text
        };
        let conflicts = ["<<<<<<< ", ">>>>>>> "];
        if let Some(line) = text.lines().position(|line| conflicts.iter().any(|mark| line.starts_with(mark)))
        {
            return Err(format!("{path}:{}: an unsolved merge conflict", line + 1));
        }
        let mut document = Document {
            path: path.to_owned(),
            keys: Vec::new(),
            values: BTreeMap::new(),
            lists: BTreeMap::new(),
            prose: String::new(),
        };
        let mut lines = text.split_inclusive('\n').enumerate();
        if lines.next().is_none_or(|(_, line)| line.trim_end() != FENCE) {
            return Err(format!("{path}:1: must begin with a line `{FENCE}`"));
        }
        let mut list: Option<String> = None;
        for (number, line) in lines.by_ref() {
            let line = line.trim_end();
            if line == FENCE {
                let rest: String = lines.map(|(_, line)| line).collect();
                rest.trim().clone_into(&mut document.prose);
                return Ok(document);
            }
            let wrong = |why: &str| format!("{path}:{}: {why}", number + 1);
            if let Some(entry) = line.strip_prefix("  - ") {
                let key = list.as_ref().ok_or_else(|| wrong("an entry without a list"))?;
                document.lists.entry(key.clone()).or_default().push(value_of(entry));
            } else if let Some((key, rest)) = line.split_once(':') {
                list = rest.trim().is_empty().then(|| key.trim().to_owned());
                document.keys.push(key.trim().to_owned());
                if let Some(key) = &list {
                    document.lists.entry(key.clone()).or_default();
                } else {
                    document.values.insert(key.trim().to_owned(), value_of(rest.trim()));
                }
            } else if !line.trim().is_empty() {
                return Err(wrong("neither `key: value` nor an entry of a list"));
            }
        }
        Err(format!("{path}: the front matter has no end, a line `{FENCE}`"))
    }

    pub(super) fn wrong(&self, why: impl std::fmt::Display) -> String {
        format!("{}: {why}", self.path)
    }

    pub(super) fn text(&self, key: &str) -> Result<String, String> {
        let found = self.values.get(key).and_then(Value::as_str).map(str::to_owned);
        found.ok_or_else(|| self.wrong(format!("`{key}` must be a text")))
    }

    pub(super) fn maybe_text(&self, key: &str) -> Result<Option<String>, String> {
        match self.values.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.text(key).map(Some),
        }
    }

    pub(super) fn number(&self, key: &str) -> Result<i64, String> {
        let found = self.values.get(key).and_then(Value::as_i64).filter(|number| *number > 0);
        found.ok_or_else(|| self.wrong(format!("`{key}` must be a whole number above 0")))
    }

    /// The entries of a list; those of another shape are told apart.
    pub(super) fn entries<T: DeserializeOwned>(&self, key: &str) -> Vec<Loose<T>> {
        self.lists.get(key).into_iter().flatten().cloned().map(Loose::read).collect()
    }

    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>, String> {
        let texts: Option<Vec<String>> = self.entries(key).into_iter().map(|entry| entry.0).collect();
        texts.ok_or_else(|| self.wrong(format!("`{key}` must be a list of texts")))
    }
}

/// JSON, or a text that a person wrote without quotes.
fn value_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}
