//! The two columns that hold JSON.

use crate::graph::related::key;
use crate::id::Id;
use crate::model::{Related, Unit};
use serde_json::{Value, json};

/// Globs as they are stored.
pub(crate) fn paths(paths: &[String]) -> String {
    Value::from(paths.to_vec()).to_string()
}

/// Reads what [`paths`] wrote. What does not fit is left out.
pub(crate) fn read_paths(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Relationships as they are stored.
pub(crate) fn related(unit: Unit, related: &[Related]) -> String {
    let entries =
        related.iter().map(|entry| json!({key(unit): entry.id.to_string(), "reason": entry.reason}));
    Value::Array(entries.collect()).to_string()
}

/// Reads what [`related`] wrote. What does not fit is left out.
pub(crate) fn read_related(unit: Unit, text: &str) -> Vec<Related> {
    let entries: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    let entry = |entry: &Value| {
        let id = Id::parse(entry.get(key(unit))?.as_str()?)?;
        Some(Related { id, reason: entry.get("reason")?.as_str()?.to_owned() })
    };
    entries.iter().filter_map(entry).collect()
}
