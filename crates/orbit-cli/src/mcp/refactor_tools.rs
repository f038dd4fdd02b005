//! Refactoring for agents: arguments in, what was done or why not out. These tools write files, so they are listed only
//! when they are asked for.

use super::budget::{self, DEFAULT_TOKENS};
use super::graph_tools::Arguments;
use super::history_tools::describe;
use crate::commands::refactor::{commit, finish};
use crate::failure::Failure;
use crate::refactor_args::CommitArgs;
use orbit_graph::{GraphError, Selector};
use orbit_refactor::{Part, Plan, Refactor, RenameOptions};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::path::Path;

/// What an agent sees.
pub(super) fn listed() -> Vec<Tool> {
    let selector = || json!({"type": "string", "description": "selector, name or path:line"});
    let text = |about: &str| json!({"type": "string", "description": about});
    let flag = |about: &str| json!({"type": "boolean", "description": about});
    let part = "{file?, name, kind?, body}";
    let mut tools = vec![
        change(
            "refactor_rename",
            "Rename a symbol wherever it is used. Refuses, with the places, when a use may mean something else.",
            &["selector", "new_name"],
            json!({"selector": selector(), "new_name": {"type": "string"}, "include_fuzzy": flag("change doubtful places too"), "skip_fuzzy": flag("leave doubtful places"), "comments": flag("change comments and strings too")}),
        ),
        change(
            "refactor_move",
            "Move a function, type or constant to another file; imports and paths follow.",
            &["selector", "file"],
            json!({"selector": selector(), "file": {"type": "string"}}),
        ),
        change(
            "refactor_create",
            "Put a new definition at the end of a file.",
            &["file", "name", "body"],
            json!({"file": {"type": "string"}, "name": {"type": "string"}, "kind": {"type": "string"}, "body": text("the whole definition")}),
        ),
        change(
            "refactor_delete",
            "Remove a definition; refuses while it is used.",
            &["selector"],
            json!({"selector": selector(), "force": flag("even while it is used")}),
        ),
        change(
            "refactor_change_signature",
            "Give a symbol another signature; calls that no longer fit are listed.",
            &["selector", "signature"],
            json!({"selector": selector(), "signature": {"type": "string"}}),
        ),
        change(
            "refactor_change_body",
            "Give a symbol another body.",
            &["selector", "body"],
            json!({"selector": selector(), "body": {"type": "string"}}),
        ),
        change(
            "refactor_split",
            "Make several definitions out of one.",
            &["selector", "into"],
            json!({"selector": selector(), "into": {"type": "array", "items": {"type": "object"}, "description": part}, "force": flag("even while it is used")}),
        ),
        change(
            "refactor_merge",
            "Make one definition out of several.",
            &["selector", "into"],
            json!({"selector": {"type": "array", "items": {"type": "string"}}, "into": {"type": "object", "description": part}, "force": flag("even while they are used")}),
        ),
    ];
    tools.extend(steps());
    tools
}

/// Tools about what was done so far.
fn steps() -> [Tool; 5] {
    [
        tool("refactor_status", "What was done since the last commit.", &[], json!({}), true),
        tool("refactor_diff", "The same as a unified diff.", &[], json!({}), true),
        tool("refactor_undo", "Take the last refactoring back, byte for byte.", &[], json!({}), false),
        tool("refactor_abort", "Take back everything since the last commit.", &[], json!({}), false),
        tool(
            "refactor_commit",
            "Commit exactly the touched files and write the operation log, so that history follows the symbols.",
            &["message"],
            json!({"message": {"type": "string"}, "agent": {"type": "string"}, "model": {"type": "string"}}),
            false,
        ),
    ]
}

/// A tool that changes files.
fn change(name: &'static str, description: &'static str, required: &[&str], mut properties: Value) -> Tool {
    properties["dry_run"] = json!({"type": "boolean", "description": "only show the diff"});
    properties["allow_dirty"] =
        json!({"type": "boolean", "description": "change files with uncommitted changes too"});
    tool(name, description, required, properties, false)
}

fn tool(
    name: &'static str,
    description: &'static str,
    required: &[&str],
    mut properties: Value,
    is_read_only: bool,
) -> Tool {
    properties["max_tokens"] = json!({"type": "integer", "default": DEFAULT_TOKENS});
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let schema: JsonObject = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, schema).with_annotations(ToolAnnotations::new().read_only(is_read_only))
}

/// Runs a tool of this family.
pub(super) fn call(root: &Path, tool: &str, arguments: JsonObject) -> Result<String, String> {
    let arguments = Arguments::new(arguments);
    let cap = arguments.number("max_tokens", DEFAULT_TOKENS);
    match run(root, tool, &arguments) {
        Ok(answer) => Ok(budget::fit(answer, cap)),
        Err(failure) => Err(budget::fit(describe(&failure), cap)),
    }
}

fn run(root: &Path, tool: &str, arguments: &Arguments) -> Result<Value, Failure> {
    let refactor = Refactor::open(root)?;
    if let Some(plan) = plan(&refactor, tool, arguments)? {
        let outcome = finish(&refactor, plan, arguments.flag("dry_run"), arguments.flag("allow_dirty"))?;
        return Ok(serde_json::to_value(&outcome).unwrap_or(Value::Null));
    }
    Ok(match tool {
        "refactor_status" => json!({"steps": refactor.status()?}),
        "refactor_diff" => json!({"diff": refactor.diff()?}),
        "refactor_undo" => json!({"undone": refactor.undo()?.title}),
        "refactor_abort" => json!({"steps": refactor.abort()?}),
        _ => {
            let owned = |key: &'static str| arguments.required(key).ok().map(str::to_owned);
            let message = arguments.required("message")?.to_owned();
            let args = CommitArgs { message, agent: owned("agent"), model: owned("model") };
            serde_json::to_value(commit(&refactor, &args)?).unwrap_or(Value::Null)
        }
    })
}

/// What a tool would do to files; `None` for one that does nothing to them by itself.
fn plan(refactor: &Refactor, tool: &str, arguments: &Arguments) -> Result<Option<Plan>, Failure> {
    let selector =
        || -> Result<Selector, GraphError> { Ok(Selector::parse(arguments.required("selector")?)?) };
    Ok(Some(match tool {
        "refactor_rename" => {
            let (include_fuzzy, skip_fuzzy) = (arguments.flag("include_fuzzy"), arguments.flag("skip_fuzzy"));
            let options = RenameOptions { include_fuzzy, skip_fuzzy, comments: arguments.flag("comments") };
            refactor.rename(&selector()?, arguments.required("new_name")?, options)?
        }
        "refactor_move" => refactor.relocate(&selector()?, arguments.required("file")?)?,
        "refactor_create" => {
            let (file, name) = (arguments.required("file")?, arguments.required("name")?);
            refactor.create(file, name, arguments.required("kind").ok(), arguments.required("body")?)?
        }
        "refactor_delete" => refactor.delete(&selector()?, arguments.flag("force"))?,
        "refactor_change_signature" => {
            refactor.change_signature(&selector()?, arguments.required("signature")?)?
        }
        "refactor_change_body" => refactor.change_body(&selector()?, arguments.required("body")?)?,
        "refactor_split" => {
            let parts: Vec<Part> = spec(arguments)?;
            refactor.split(&selector()?, &parts, arguments.flag("force"))?
        }
        "refactor_merge" => {
            let texts = arguments.texts("selector")?;
            let selectors = texts
                .iter()
                .map(|text| Ok(Selector::parse(text)?))
                .collect::<Result<Vec<_>, GraphError>>()?;
            refactor.merge(&selectors, &spec(arguments)?, arguments.flag("force"))?
        }
        _ => return Ok(None),
    }))
}

/// What a split or merge makes.
fn spec<T: serde::de::DeserializeOwned>(arguments: &Arguments) -> Result<T, Failure> {
    let value = arguments.value("into").cloned().unwrap_or(Value::Null);
    // Some clients send objects as text.
    let value = match &value {
        Value::String(text) => serde_json::from_str(text).unwrap_or(value.clone()),
        _ => value,
    };
    serde_json::from_value(value)
        .map_err(|error| Failure::input("bad_spec", error.to_string(), "into has {file?, name, kind?, body}"))
}
