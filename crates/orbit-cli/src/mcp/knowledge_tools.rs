//! The families of tasks and knowledge: what an agent sees of them. Calls go to the store as they come.

use crate::budget::{self, DEFAULT_TOKENS};
use crate::identity;
use crate::questions::meant;
use orbit_knowledge::Store;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// Tools that are told who calls them.
const ACTING: [&str; 9] = [
    "manage_container",
    "advance",
    "revert",
    "terminate",
    "reopen",
    "get_next_task",
    "get_next_feature",
    "manage_reservation",
    "manage_claim",
];

/// Runs a tool. Both sides are envelopes; `Err` is one that says what went wrong.
///
/// Whoever does not say who they are is the client of this server.
pub(super) fn call(
    store: &Store,
    tool: &str,
    mut arguments: JsonObject,
    actor: Option<&str>,
) -> Result<String, String> {
    if let Some(name) = arguments.get("actor").and_then(Value::as_str).filter(|_| ACTING.contains(&tool)) {
        identity::calls_itself(name);
    }
    if let Some(actor) = actor.filter(|_| ACTING.contains(&tool) && !arguments.contains_key("actor")) {
        arguments.insert("actor".into(), json!(actor));
    }
    let cap = arguments.remove("max_tokens").and_then(|given| given.as_u64());
    let cap = cap.map_or(DEFAULT_TOKENS, |cap| cap as usize);
    let names: Vec<String> = arguments.keys().cloned().collect();
    let Some(envelope) = store.call(tool, Value::Object(arguments)) else {
        return Err(format!("no tool is called {tool}"));
    };
    if envelope.success {
        return Ok(budget::cut(envelope.to_value(), cap));
    }
    let mut refusal = envelope.to_value();
    if let Some(nearest) = nearest_parameter(tool, &names, &envelope.message) {
        refusal["message"] = json!(format!("{}; did you mean `{nearest}`?", envelope.message));
    }
    Err(budget::cut(refusal, cap))
}

/// What was meant by a parameter that the store refused by name.
fn nearest_parameter(tool: &str, given: &[String], message: &str) -> Option<String> {
    let refused = given.iter().find(|name| message.starts_with(&format!("unknown field `{name}`")))?;
    let tool = [knowledge(), tasks()].into_iter().flatten().find(|listed| listed.name == tool)?;
    let known: Vec<&str> =
        tool.input_schema.get("properties")?.as_object()?.keys().map(String::as_str).collect();
    meant(refused, &known).map(str::to_owned)
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "integer"})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

fn one_of(words: &[&str]) -> Value {
    json!({"enum": words})
}

fn about(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn list(description: &str) -> Value {
    json!({"type": ["array", "string"], "items": {"type": "string"}, "description": description})
}

fn owner() -> Value {
    one_of(&["PROJECT", "FEATURE", "TASK"])
}

fn work() -> Value {
    one_of(&["feature", "task"])
}

/// The knowledge graph.
pub(super) fn knowledge() -> Vec<Tool> {
    let unit = || one_of(&["atom", "molecule"]);
    vec![
        reads(
            "query_graph",
            "What is known about the code. context: paths, a diff, selectors or a task to the atoms that cover them, by molecule, and the paths nothing covers. Read it before working on files. Every atom says how fresh it is, and what changed since. coverage: what is known and where it is missed; suggest: drafts of atoms.",
            &["operation"],
            json!({
                "operation": one_of(&["get", "search", "context", "coverage", "suggest"]), "entityType": unit(), "id": text(),
                "projectId": about("for search and context"), "paths": about("for context: comma-separated file paths"),
                "diff": about("for context: a revision range, or worktree"),
                "selectors": list("for context: symbols and files"),
                "taskId": about("for context: a task, by its Context Files or else its commits"),
                "maxTokens": {"type": "integer", "description": "for context: a digest of all atoms first, then what fits"},
                "status": {"enum": ["confirmed", "proposed"], "default": "confirmed", "description": "for search of atoms"},
                "query": about("for search: text in name or knowledge"), "moleculeId": text(), "orphansOnly": flag(),
                "includeChangelog": {"type": "boolean", "default": true},
                "changelogLimit": {"type": "integer", "default": 5},
                "limit": {"type": "integer", "default": 20}, "offset": {"type": "integer", "default": 0},
            }),
        ),
        writes(
            "manage_graph",
            "Create, update or delete atoms (globs and what must be known there) and molecules (groups of atoms). reaffirm: the atom still holds though its code changed; promote: agree to a proposed one.",
            &["operation", "entityType"],
            json!({
                "operation": one_of(&["create", "update", "delete", "reaffirm", "promote"]), "entityType": unit(),
                "id": text(), "version": {"type": "integer", "description": "for all but create"}, "projectId": text(), "name": text(),
                "paths": about("of an atom: JSON array of globs"), "knowledge": text(),
                "status": {"enum": ["confirmed", "proposed"], "default": "confirmed", "description": "for create of an atom"},
                "anchors": about("of an atom: JSON array of selectors, when certain symbols matter most"),
                "knowledgeMode": {"enum": ["overwrite", "append"], "default": "overwrite"},
                "moleculeId": {"type": ["string", "null"]},
                "relatedAtoms": about("JSON array of {atomId, reason}"),
                "relatedMolecules": about("JSON array of {moleculeId, reason}"),
                "createdByTaskId": about("for create"), "lastTaskId": about("the task that does the update"),
                "cascade": {"type": "boolean", "default": false, "description": "delete a molecule with its atoms"},
            }),
        ),
        writes(
            "manage_changelog",
            "Append to or read the history of an atom or molecule, the latest first.",
            &["operation", "parentType", "parentId"],
            json!({
                "operation": one_of(&["append", "search"]), "parentType": unit(), "parentId": text(),
                "taskId": about("for append"), "summary": about("for append: what changed and why"),
                "limit": {"type": "integer", "default": 20}, "offset": {"type": "integer", "default": 0},
            }),
        ),
    ]
}

/// Projects, features and tasks.
pub(super) fn tasks() -> Vec<Tool> {
    [containers(), texts(), queues(), moves()].concat()
}

fn containers() -> Vec<Tool> {
    let kind = || one_of(&["project", "feature", "task"]);
    vec![
        reads(
            "query_container",
            "One project, feature or task, a filtered list, or an overview. includeGraphContext adds what is known about a task's Context Files.",
            &["operation", "containerType"],
            json!({
                "operation": one_of(&["get", "search", "overview"]), "containerType": kind(), "id": text(),
                "query": text(), "status": list("! before one excludes it"), "priority": list("! before one excludes it"),
                "tags": list("any of these"), "projectId": text(), "featureId": text(),
                "limit": {"type": "integer", "default": 20}, "offset": {"type": "integer", "default": 0},
                "includeSections": flag(), "includeComments": flag(), "includeGraphContext": flag(),
            }),
        ),
        writes(
            "manage_container",
            "Create, update or delete a project, feature (name) or task (title), or comment on it. Update and delete need version.",
            &["operation", "containerType"],
            json!({
                "operation": one_of(&["create", "update", "delete", "comment", "uncomment"]), "containerType": kind(), "id": text(),
                "version": number(), "name": text(), "title": text(), "summary": text(),
                "description": {"type": ["string", "null"]}, "priority": one_of(&["HIGH", "MEDIUM", "LOW"]),
                "complexity": {"type": "integer", "minimum": 1, "maximum": 10},
                "projectId": {"type": ["string", "null"]}, "featureId": {"type": ["string", "null"]},
                "parentId": {"type": ["string", "null"], "description": "makes it a subtask"},
                "discoveredFrom": list("ids"), "comment": about("text; for uncomment the comment's id"),
                "tags": list("all tags"), "relatedTo": list("ids"), "cascade": flag(), "actor": text(), "force": flag(),
            }),
        ),
        writes(
            "manage_dependency",
            "Link two features or tasks. BLOCKS: from must be closed before to goes on. Cycles are refused.",
            &["operation", "fromId", "toId"],
            json!({
                "operation": one_of(&["create", "delete"]), "fromId": text(), "toId": text(),
                "type": {"enum": ["BLOCKS", "RELATES_TO", "DISCOVERED_FROM"], "default": "BLOCKS"}, "version": number(),
            }),
        ),
        reads(
            "query_dependencies",
            "What a feature or task waits for, and what waits for it.",
            &["containerType", "id"],
            json!({
                "containerType": work(), "id": text(),
                "direction": {"enum": ["dependencies", "dependents", "both"], "default": "both"},
            }),
        ),
    ]
}

fn texts() -> Vec<Tool> {
    let format = || json!({"enum": ["MARKDOWN", "PLAIN_TEXT", "JSON", "CODE"], "default": "MARKDOWN"});
    vec![
        reads(
            "query_sections",
            "The texts of a project, feature or task, in order.",
            &["entityType", "entityId"],
            json!({
                "entityType": owner(), "entityId": text(), "includeContent": {"type": "boolean", "default": true},
                "tags": list("any of these"), "sectionIds": list("only these"),
            }),
        ),
        writes(
            "manage_sections",
            "Add, change, order or delete texts. update, updateText and delete need id and version.",
            &["operation"],
            json!({
                "operation": one_of(&["add", "update", "updateText", "delete", "reorder", "bulkCreate", "bulkDelete"]),
                "id": text(), "version": number(), "entityType": owner(), "entityId": text(), "title": text(),
                "usageDescription": text(), "content": text(), "contentFormat": format(), "ordinal": number(),
                "tags": list("all tags"), "orderedIds": list("for reorder"), "ids": list("for bulkDelete"),
                "sections": about("for bulkCreate: JSON array of sections"),
            }),
        ),
        reads(
            "query_templates",
            "One template, or all.",
            &["operation"],
            json!({"operation": one_of(&["get", "list"]), "id": text(), "includeSections": flag(), "targetEntityType": owner()}),
        ),
        writes(
            "manage_template",
            "Create, change or delete templates. All but create need id and version.",
            &["operation"],
            json!({
                "operation": one_of(&["create", "update", "delete", "enable", "disable", "addSection"]), "id": text(),
                "version": number(), "name": text(), "description": text(), "targetEntityType": owner(),
                "tags": list("all tags"), "title": text(), "usageDescription": text(), "contentSample": text(),
                "contentFormat": format(), "isRequired": flag(),
            }),
        ),
        writes(
            "apply_template",
            "Put a template's sections after those that are there.",
            &["templateId", "entityType", "entityId"],
            json!({"templateId": text(), "entityType": owner(), "entityId": text()}),
        ),
        reads("list_tags", "All tags, the most used first.", &[], json!({"entityType": owner()})),
        reads("get_tag_usage", "What has a tag.", &["tag"], json!({"tag": text()})),
        writes(
            "rename_tag",
            "Give everything that has one tag another instead.",
            &["oldTag", "newTag"],
            json!({"oldTag": text(), "newTag": text(), "dryRun": flag()}),
        ),
    ]
}

fn queues() -> Vec<Tool> {
    let next = |with_feature: bool| {
        let mut properties = json!({
            "projectId": text(), "priority": one_of(&["HIGH", "MEDIUM", "LOW"]),
            "claim": {"type": "boolean", "description": "take it; nobody else gets it while the lease lasts"},
            "actor": about("who takes it, unless the client"), "ttlSeconds": {"type": "integer", "default": 900},
        });
        if with_feature {
            properties["featureId"] = text();
            properties["limit"] =
                json!({"type": "integer", "description": "list so many that are ready, too"});
        }
        properties
    };
    let blocked = || {
        json!({"projectId": text(), "priority": one_of(&["HIGH", "MEDIUM", "LOW"]),
            "limit": {"type": "integer", "default": 20}, "offset": {"type": "integer", "default": 0}})
    };
    vec![
        writes(
            "get_next_task",
            "The unblocked task that comes first. Claim again to renew the lease.",
            &[],
            next(true),
        ),
        writes("get_next_feature", "The unblocked feature that comes first.", &[], next(false)),
        reads("get_blocked_tasks", "Open tasks that wait for something.", &[], blocked()),
        reads("get_blocked_features", "Open features that wait for something.", &[], blocked()),
        writes(
            "manage_reservation",
            "Paths that a task has for itself while its claim lasts. An overlap is refused, naming the holder.",
            &["operation"],
            json!({
                "operation": one_of(&["reserve", "release", "list"]), "taskId": text(), "paths": list("paths or globs"),
                "actor": text(), "ttlSeconds": {"type": "integer", "default": 900}, "force": flag(),
            }),
        ),
        writes(
            "manage_claim",
            "Take a chosen feature or task for yourself, or give it back. mine: what you have in hand; ask after a restart.",
            &["operation"],
            json!({
                "operation": one_of(&["claim", "release", "mine"]), "id": text(), "containerType": {"enum": ["feature", "task"], "default": "task"},
                "actor": text(), "ttlSeconds": {"type": "integer", "default": 900}, "force": flag(), "limit": number(),
            }),
        ),
    ]
}

fn moves() -> Vec<Tool> {
    let transit = || {
        json!({"containerType": work(), "id": text(), "version": number(), "actor": text(), "reason": text(),
            "force": flag()})
    };
    let mut advance = transit();
    advance["force"]["description"] = json!("although somebody else holds it; that is kept");
    let mut terminate = transit();
    terminate["cascade"] = flag();
    let blocking = |with_reason: bool| {
        let mut properties = json!({"containerType": work(), "id": text(), "version": number(),
            "blockedBy": list("ids of features and tasks, or NO_OP")});
        if with_reason {
            properties["blockedReason"] = text();
        }
        properties
    };
    let needed = ["containerType", "id", "version"];
    let blocked = ["containerType", "id", "version", "blockedBy"];
    vec![
        writes("advance", "One state forwards. Closing frees what waited.", &needed, advance),
        writes("revert", "One state backwards.", &needed, transit()),
        writes("reopen", "Take up again what had ended.", &needed, transit()),
        writes("terminate", "Give up, for a reason that is kept.", &needed, terminate),
        writes(
            "block",
            "Something must be closed first; NO_OP needs blockedReason.",
            &blocked,
            blocking(true),
        ),
        writes("unblock", "Remove blockers.", &blocked, blocking(false)),
        reads(
            "query_workflow_state",
            "Where a feature or task stands, where it can go, and how it came there.",
            &["containerType", "id"],
            json!({"containerType": work(), "id": text(), "limit": {"type": "integer", "default": 20}}),
        ),
    ]
}

/// A tool that only reads; like those about code it takes `max_tokens`.
fn reads(name: &'static str, description: &'static str, required: &[&str], mut properties: Value) -> Tool {
    properties["max_tokens"] = json!({"type": "integer", "default": DEFAULT_TOKENS});
    tool(name, description, required, &properties).with_annotations(ToolAnnotations::new().read_only(true))
}

/// A tool that changes something, which is what clients expect of one that says nothing.
fn writes(name: &'static str, description: &'static str, required: &[&str], properties: Value) -> Tool {
    tool(name, description, required, &properties)
}

fn tool(name: &'static str, description: &'static str, required: &[&str], properties: &Value) -> Tool {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Tool::new(name, description, schema.as_object().cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests;
