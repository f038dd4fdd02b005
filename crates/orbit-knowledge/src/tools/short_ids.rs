//! Ids by their first letters: what tables and messages show can be given back, wherever an id is wanted.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::{Session, Store};
use serde_json::Value;

/// The least letters that are taken for the beginning of an id.
const LEAST: usize = 8;

/// Parameters that hold an id, or several.
const FIELDS: [&str; 21] = [
    "id",
    "ids",
    "projectId",
    "featureId",
    "taskId",
    "moleculeId",
    "atomId",
    "parentId",
    "entityId",
    "templateId",
    "fromId",
    "toId",
    "createdByTaskId",
    "lastTaskId",
    "sectionIds",
    "orderedIds",
    "relatedTo",
    "discoveredFrom",
    "blockedBy",
    "relatedAtoms",
    "relatedMolecules",
];

const TABLES: [&str; 7] =
    ["projects", "features", "tasks", "graph_molecules", "graph_atoms", "sections", "templates"];

impl Store {
    /// Puts whole ids in the place of their beginnings. What fits nothing is left for the tool to refuse; what fits
    /// several things is refused here.
    pub(super) fn lengthen(&self, arguments: &mut Value) -> Result<(), KnowledgeError> {
        let Some(fields) = arguments.as_object_mut() else { return Ok(()) };
        let mut short = fields.iter_mut().filter(|(name, _)| FIELDS.contains(&name.as_str())).peekable();
        if short.peek().is_none() {
            return Ok(());
        }
        let mut wanted: Vec<&mut Value> = short.map(|(_, value)| value).collect();
        if !wanted.iter().any(|value| has_short(value)) {
            return Ok(());
        }
        self.read(|session| wanted.iter_mut().try_for_each(|value| lengthen(session, value)))
    }
}

fn is_short(text: &str) -> bool {
    let digits = text.chars().filter(|letter| *letter != '-').count();
    (LEAST..32).contains(&digits) && text.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-')
}

fn has_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.split(',').any(|part| is_short(part.trim())) || text.starts_with('['),
        Value::Array(values) => values.iter().any(has_short),
        Value::Object(fields) => fields.values().any(has_short),
        _ => false,
    }
}

fn lengthen(session: &Session<'_>, value: &mut Value) -> Result<(), KnowledgeError> {
    match value {
        Value::String(text) if text.starts_with('[') => {
            // A list as the text of one.
            if let Ok(mut list) = serde_json::from_str::<Value>(text) {
                lengthen(session, &mut list)?;
                *text = list.to_string();
            }
            Ok(())
        }
        Value::String(text) => {
            let parts =
                text.split(',').map(|part| whole(session, part)).collect::<Result<Vec<String>, _>>()?;
            *text = parts.join(",");
            Ok(())
        }
        Value::Array(values) => values.iter_mut().try_for_each(|value| lengthen(session, value)),
        Value::Object(fields) => {
            let ids = fields.iter_mut().filter(|(name, _)| FIELDS.contains(&name.as_str()));
            ids.map(|(_, value)| value).try_for_each(|value| lengthen(session, value))
        }
        _ => Ok(()),
    }
}

/// The whole id that begins so.
fn whole(session: &Session<'_>, given: &str) -> Result<String, KnowledgeError> {
    let text = given.trim();
    if !is_short(text) {
        return Ok(given.to_owned());
    }
    let plain: String = text.to_lowercase().chars().filter(|letter| *letter != '-').collect();
    let mut found: Vec<Id> = Vec::new();
    for table in TABLES {
        // Dashes stand behind the 8th, 12th, 16th and 20th digit.
        let sql = format!(
            "SELECT id FROM {table} WHERE id LIKE ?1 || '%' AND replace(id, '-', '') LIKE ?2 || '%' LIMIT 5"
        );
        found.extend(session.rows(&sql, (&plain[..LEAST], &plain), |row| row.get::<_, Id>(0))?);
    }
    match &found[..] {
        [] => Ok(given.to_owned()),
        [only] => Ok(only.to_string()),
        several => {
            let list: Vec<String> = several.iter().map(Id::to_string).collect();
            Err(KnowledgeError::validation("id", format!("`{text}` fits several: {}", list.join(", "))))
        }
    }
}
