//! History and context for agents: arguments in, compact JSON out.

use super::budget::{self, DEFAULT_TOKENS};
use super::graph_tools::Arguments;
use super::tools::tool;
use crate::commands::history;
use crate::failure::Failure;
use crate::pack::{self, PackOptions};
use orbit_graph::{Graph, SyncOptions};
use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use std::time::Duration;

/// What an agent sees.
pub(super) fn listed() -> Vec<Tool> {
    vec![
        tool(
            "graph_history",
            "Commits and tasks that touched a symbol or file, through renames.",
            &["selector"],
            json!({"selector": {"type": "string"}, "limit": {"type": "integer", "default": 20}, "refresh": {"type": "boolean"}}),
        ),
        tool(
            "graph_pack",
            "Sources of these, then callers and callees, below max_tokens.",
            &["selector"],
            json!({"selector": {"type": ["string", "array"], "items": {"type": "string"}}, "timeout_ms": {"type": "integer", "default": 15_000}, "refresh": {"type": "boolean"}}),
        ),
    ]
}

/// Runs a tool of this family; `None` when it is none of them.
pub(super) fn call(graph: &Graph, tool: &str, arguments: &JsonObject) -> Option<Result<String, String>> {
    let arguments = Arguments::new(arguments.clone());
    let cap = arguments.number("max_tokens", DEFAULT_TOKENS);
    let answer = match tool {
        "graph_history" => history(graph, &arguments),
        "graph_pack" => pack(graph, &arguments, cap),
        _ => return None,
    };
    Some(match answer {
        Ok(answer) => Ok(budget::fit(answer, cap)),
        Err(failure) => Err(budget::fit(describe(&failure), cap)),
    })
}

fn history(graph: &Graph, arguments: &Arguments) -> Result<Value, Failure> {
    let root = graph.location()?.root;
    let selector = arguments.required("selector")?;
    let limit = arguments.number("limit", 20);
    let mut answer = history::answer(&root, selector, limit, arguments.flag("refresh"), None)?;
    // The rows of `commits` say the same.
    for task in &mut answer.task_history {
        task.commits.clear();
    }
    Ok(serde_json::to_value(&answer).unwrap_or(Value::Null))
}

fn pack(graph: &Graph, arguments: &Arguments, cap: usize) -> Result<Value, Failure> {
    let selectors: Vec<String> = arguments.texts("selector")?;
    let is_refreshed = arguments.flag("refresh");
    if is_refreshed {
        graph.sync(&SyncOptions::default())?;
    }
    let timeout = Duration::from_millis(arguments.number("timeout_ms", 15_000) as u64);
    let answer = pack::pack(graph, &selectors, &PackOptions { max_tokens: cap, timeout, is_refreshed })?;
    Ok(serde_json::to_value(&answer).unwrap_or(Value::Null))
}

pub(super) fn describe(failure: &Failure) -> Value {
    let candidates = Some(&failure.candidates).filter(|candidates| !candidates.is_empty());
    json!({"error": {
        "code": failure.code, "message": failure.message, "hint": failure.hint, "candidates": candidates,
    }})
}
