//! What an agent sees: names, one-line descriptions, small schemas.

use super::run::Caller;
use crate::fault::Fault;
use crate::saved::{Saved, SavedParam, SavedQuery};
use omnigraph::Action;
use omnigraph::compiler::{Scalar, Type};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

/// The member of a saved query's tool that names the branch.
pub(super) const ON_BRANCH: &str = "on_branch";

/// The tools that a caller may know of.
pub(super) fn listed(caller: &impl Caller, saved: &Saved) -> Result<Vec<Tool>, Fault> {
    caller.check(Action::ToolList, None)?;
    let mut tools = built_in();
    if caller.check(Action::QueryList, None).is_ok() {
        tools.extend(saved.iter().filter(|query| !is_built_in(&query.name)).map(of_query));
    }
    Ok(tools)
}

/// Whether there is a tool of this name that a caller may know of or run.
pub(super) fn is_tool(caller: &impl Caller, name: &str, saved: &Saved) -> bool {
    is_built_in(name) || saved.get(name).is_ok() || caller.check(Action::QueryList, None).is_err()
}

/// Whether this is not a name of a saved query.
pub(super) fn is_built_in(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "schema",
        "query",
        "change",
        "entity",
        "branches",
        "branch_create",
        "branch_merge",
        "commit_revert",
        "branch_delete",
        "commits",
        "diff",
        "changes",
    ];
    NAMES.contains(&name)
}

fn built_in() -> Vec<Tool> {
    let mut tools = of_rows();
    tools.extend(of_versions());
    tools
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn branch() -> Value {
    text("default main")
}

fn number(default: u64) -> Value {
    json!({"type": "integer", "minimum": 1, "default": default})
}

/// What is in the graph.
fn of_rows() -> Vec<Tool> {
    let params = || json!({"type": "object", "description": "values of the query's parameters"});
    let when =
        json!({"branch": branch(), "snapshot": text("commit or tag"), "at": text("time, with branch")});
    let asked = json!({"query": text("text of a query"), "params": params(), "max_rows": number(100)});
    let row = json!({"type": text("node or edge type"), "id": text("id of the row")});
    vec![
        reads("schema", "The schema: types, properties, edges.", &[], when.clone()),
        reads("query", "Run a query that reads.", &["query"], with(when.clone(), asked)),
        changes(
            "change",
            "Run a query with insert, update or delete, as one commit.",
            &["query"],
            json!({"query": text("text of a query"), "params": params(), "branch": branch()}),
        ),
        reads("entity", "One node or edge by its id.", &["type", "id"], with(when, row)),
    ]
}

/// Its branches and what differs between its states.
fn of_versions() -> Vec<Tool> {
    let name = || json!({"name": {"type": "string"}});
    let state = || text("branch, tag, commit or BRANCH@TIME");
    let with_values = || json!({"type": "boolean", "description": "with values"});
    let merge = with(json!({"source": {"type": "string"}, "target": branch()}), resolved());
    let revert = with(json!({"commit_id": {"type": "string"}, "branch": branch()}), resolved());
    let types = json!({"type": "array", "items": {"type": "string"}});
    let since = text("commit, or the cursor of an earlier answer");
    vec![
        reads("branches", "The branches.", &[], json!({})),
        changes("branch_create", "Make a branch.", &["name"], with(name(), json!({"from": branch()}))),
        changes(
            "branch_merge",
            "Merge a branch into another; conflicts are listed and nothing is written, unless a side is taken.",
            &["source"],
            merge,
        ),
        changes("commit_revert", "Take back what a commit did, as a commit.", &["commit_id"], revert),
        changes(
            "branch_delete",
            "Take a branch away.",
            &["name"],
            with(
                name(),
                json!({"force": {"type": "boolean", "description": "also when others depend on it"}}),
            ),
        ),
        reads(
            "commits",
            "Commits of a branch, newest first.",
            &[],
            json!({"branch": branch(), "limit": number(20)}),
        ),
        reads(
            "diff",
            "Rows that differ between two states.",
            &["from", "to"],
            json!({
                "from": state(),
                "to": state(),
                "types": types,
                "rows": with_values(),
                "max_rows": number(100),
            }),
        ),
        reads(
            "changes",
            "Rows that changed since a commit.",
            &["since"],
            json!({"since": since, "branch": branch(), "rows": with_values(), "limit": number(100)}),
        ),
    ]
}

/// How conflicts are settled.
fn resolved() -> Value {
    let side = || json!({"type": "string", "enum": ["ours", "theirs"]});
    let resolution = json!({"type": "object", "properties": {
        "table_key": {"type": "string"}, "row_id": {"type": "string"}, "take": side(),
    }, "required": ["table_key", "row_id", "take"]});
    json!({
        "dry_run": {"type": "boolean"},
        "take": side(),
        "resolutions": {"type": "array", "items": resolution},
    })
}

fn with(mut properties: Value, more: Value) -> Value {
    for (name, member) in more.as_object().into_iter().flatten() {
        properties[name] = member.clone();
    }
    properties
}

fn reads(name: &'static str, description: &'static str, required: &[&str], properties: Value) -> Tool {
    Tool::new(name, description, schema(properties, required))
        .with_annotations(ToolAnnotations::new().read_only(true))
}

fn changes(name: &'static str, description: &'static str, required: &[&str], properties: Value) -> Tool {
    let annotations = ToolAnnotations::new().read_only(false).destructive(false);
    Tool::new(name, description, schema(properties, required)).with_annotations(annotations)
}

fn schema(properties: Value, required: &[&str]) -> JsonObject {
    let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    schema.as_object().cloned().unwrap_or_default()
}

/// A saved query as a tool.
fn of_query(query: &SavedQuery) -> Tool {
    let mut properties: Map<String, Value> =
        query.params.iter().map(|param| (param.name.clone(), of_param(param))).collect();
    properties.insert(ON_BRANCH.to_owned(), json!({"type": "string", "description": "default main"}));
    if !query.is_change {
        properties.insert("max_rows".to_owned(), json!({"type": "integer", "minimum": 1, "default": 100}));
    }
    let required: Vec<&str> =
        query.params.iter().filter(|param| !param.is_optional).map(|param| param.name.as_str()).collect();
    let plain = if query.is_change { "Saved query that changes the graph." } else { "Saved query." };
    let texts = [query.description.as_deref(), query.instruction.as_deref()];
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    let description = if texts.is_empty() { plain.to_owned() } else { texts.join(" ") };
    let annotations = ToolAnnotations::new().read_only(!query.is_change);
    Tool::new(query.name.clone(), description, schema(Value::Object(properties), &required))
        .with_annotations(annotations)
}

/// A parameter as JSON Schema.
fn of_param(param: &SavedParam) -> Value {
    let Type { scalar, list, .. } = &param.ty;
    let mut one = match scalar {
        Scalar::Bool => json!({"type": "boolean"}),
        Scalar::I32 | Scalar::I64 | Scalar::U32 | Scalar::U64 => json!({"type": "integer"}),
        Scalar::F32 | Scalar::F64 => json!({"type": "number"}),
        Scalar::Date => json!({"type": "string", "format": "date"}),
        Scalar::DateTime => json!({"type": "string", "format": "date-time"}),
        Scalar::Vector(_) => json!({"type": ["string", "array"], "items": {"type": "number"}}),
        _ => json!({"type": "string"}),
    };
    if matches!(scalar, Scalar::I64 | Scalar::U64) {
        // Text where the number is too great for JSON clients.
        one["type"] = json!(["integer", "string"]);
    }
    if *list { json!({"type": "array", "items": one}) } else { one }
}
