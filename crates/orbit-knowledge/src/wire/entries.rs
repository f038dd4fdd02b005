//! Lists that requests carry as JSON: as an array, or as the text of one.

use crate::bounds;
use crate::error::KnowledgeError;
use crate::graph::related::{REASON_BYTES, RELATED, field, key};
use crate::model::{Related, Unit};
use serde_json::Value;

/// Most anchors of an atom.
const ANCHORS: usize = 50;
/// Most bytes of a selector.
const ANCHOR_BYTES: usize = 1024;

/// Reads patterns as given: a JSON array of strings, or its text.
pub(crate) fn paths(given: &Value) -> Result<Vec<String>, KnowledgeError> {
    let refuse = || KnowledgeError::validation("paths", "paths must be a JSON array of glob patterns");
    let parsed: Value = match given {
        Value::String(text) => serde_json::from_str(text).map_err(|_| refuse())?,
        other => other.clone(),
    };
    let entries = parsed.as_array().ok_or_else(refuse)?;
    entries.iter().map(|entry| entry.as_str().map(|text| text.trim().to_owned()).ok_or_else(refuse)).collect()
}

/// Reads selectors as given: a JSON array of strings, or its text.
pub(crate) fn anchors(given: &Value) -> Result<Vec<String>, KnowledgeError> {
    let refuse = |why: &str| KnowledgeError::validation("anchors", format!("anchors {why}"));
    let shape = "must be a JSON array of selectors";
    let parsed: Value = match given {
        Value::String(text) => serde_json::from_str(text).map_err(|_| refuse(shape))?,
        other => other.clone(),
    };
    let entries = parsed.as_array().ok_or_else(|| refuse(shape))?;
    let mut anchors: Vec<String> = Vec::new();
    for entry in entries {
        let selector = entry.as_str().map(str::trim).ok_or_else(|| refuse(shape))?;
        if selector.is_empty() || selector.len() > ANCHOR_BYTES {
            return Err(refuse(&format!("must have 1 to {ANCHOR_BYTES} bytes each")));
        }
        if !anchors.iter().any(|known| known == selector) {
            anchors.push(selector.to_owned());
        }
    }
    if anchors.len() > ANCHORS {
        return Err(refuse(&format!("has {} entries, {ANCHORS} are allowed", anchors.len())));
    }
    Ok(anchors)
}

/// Reads entries as given: a JSON array, or its text.
pub(crate) fn related(unit: Unit, given: &Value) -> Result<Vec<Related>, KnowledgeError> {
    let (field, key) = (field(unit), key(unit));
    let refuse = |why: String| KnowledgeError::validation(field, format!("{field} {why}"));
    let shape = || refuse(format!("must be a JSON array of {{ {key}, reason }}"));
    let parsed: Value = match given {
        Value::String(text) => serde_json::from_str(text).map_err(|_| shape())?,
        other => other.clone(),
    };
    let entries = parsed.as_array().ok_or_else(shape)?;
    if entries.len() > RELATED {
        return Err(refuse(format!("has {} entries, {RELATED} are allowed", entries.len())));
    }
    let mut related = Vec::new();
    for entry in entries {
        let id = entry.get(key).and_then(Value::as_str).ok_or_else(shape)?;
        let reason = entry.get("reason").and_then(Value::as_str).ok_or_else(shape)?;
        related
            .push(Related { id: bounds::id(field, id)?, reason: bounds::text(field, reason, REASON_BYTES)? });
    }
    Ok(related)
}
