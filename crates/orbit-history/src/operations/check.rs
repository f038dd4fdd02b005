//! Whether a log is well-formed: everything that can be said without looking at a tree.

use super::schema::{Operation, OperationLog, Producer, SCHEMA_VERSION};
use crate::ids::is_stable_id;
use serde_json::Value;

/// Reads the log of a commit; `Err` says what is wrong with it. Git puts the notes of commits that become one behind each
/// other: their logs are read as one, with the commit of the first.
pub(crate) fn parse(bytes: &[u8]) -> Result<OperationLog, String> {
    let mut all: Option<OperationLog> = None;
    for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
        let log = one(value.map_err(|error| format!("it is not valid JSON: {error}"))?)?;
        match &mut all {
            Some(all) => all.operations.extend(log.operations),
            None => all = Some(log),
        }
    }
    all.ok_or_else(|| "it is not valid JSON: it is empty".to_owned())
}

fn one(value: Value) -> Result<OperationLog, String> {
    let Value::Object(mut envelope) = value else { return Err("it is not a JSON object".into()) };
    let version = envelope.get("schemaVersion").and_then(Value::as_u64);
    let Some(schema_version) = version.filter(|version| *version > 0) else {
        return Err("`schemaVersion` is missing or no positive number".into());
    };
    if schema_version > u64::from(SCHEMA_VERSION) {
        return Err(format!(
            "schemaVersion {schema_version} is newer than {SCHEMA_VERSION}, the newest known here"
        ));
    }
    let Some(Value::String(commit_sha)) = envelope.remove("commitSha") else {
        return Err("`commitSha` is missing or no text".into());
    };
    let is_hex = commit_sha.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if !is_hex || !matches!(commit_sha.len(), 40 | 64) {
        return Err(format!("`commitSha` {commit_sha} is not a full commit id in lowercase"));
    }
    let producer = envelope.remove("producer").ok_or("`producer` is missing")?;
    let producer: Producer =
        serde_json::from_value(producer).map_err(|error| format!("`producer`: {error}"))?;
    let Some(Value::Array(entries)) = envelope.remove("operations") else {
        return Err("`operations` is missing or no list".into());
    };
    let entries = entries.into_iter().enumerate();
    let operations = entries.map(|(at, entry)| operation(at, entry)).collect::<Result<_, _>>()?;
    Ok(OperationLog { schema_version: schema_version as u32, commit_sha, producer, operations })
}

fn operation(at: usize, entry: Value) -> Result<Operation, String> {
    let name = entry.get("op").and_then(Value::as_str).unwrap_or("no op").to_owned();
    let fail = |reason: String| format!("operation {} ({name}): {reason}", at + 1);
    let operation: Operation = serde_json::from_value(entry).map_err(|error| fail(error.to_string()))?;
    if let Some(bad) = operation.stable_ids().into_iter().find(|id| !is_stable_id(id)) {
        return Err(fail(format!("`{bad}` is not a stable id")));
    }
    if let Some(bad) = hashes(&operation).into_iter().find(|hash| !is_sha256(hash)) {
        return Err(fail(format!("`{bad}` is not a SHA-256 in hexadecimal")));
    }
    match &operation {
        Operation::Split(op) if op.children.is_empty() => Err(fail("`children` is empty".into())),
        Operation::Merge(op) if op.sources.len() < 2 => Err(fail("`sources` has fewer than two".into())),
        _ => Ok(operation),
    }
}

fn hashes(operation: &Operation) -> Vec<&str> {
    match operation {
        Operation::Create(op) => vec![&op.body_hash_post],
        Operation::ChangeBody(op) => vec![&op.body_hash_pre, &op.body_hash_post],
        Operation::Split(op) => op.children.iter().map(|child| child.body_hash_post.as_str()).collect(),
        Operation::Merge(op) => vec![&op.target.body_hash_post],
        _ => Vec::new(),
    }
}

/// With or without the algorithm before it.
fn is_sha256(text: &str) -> bool {
    let hex = text.strip_prefix("sha256:").unwrap_or(text);
    hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}
