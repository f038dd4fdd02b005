//! What an agent sees: names, one-line descriptions, small schemas.

use super::knowledge_tools;
use crate::args::Toolset;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// The tools of the chosen families.
pub(crate) fn listed(toolsets: &[Toolset]) -> Vec<Tool> {
    let mut tools = Vec::new();
    if toolsets.contains(&Toolset::Code) {
        tools.extend(code());
        tools.extend(super::history_tools::listed());
    }
    if toolsets.contains(&Toolset::Knowledge) {
        tools.extend(knowledge_tools::knowledge());
    }
    if toolsets.contains(&Toolset::Tasks) {
        tools.extend(knowledge_tools::tasks());
    }
    if toolsets.contains(&Toolset::Refactor) {
        tools.extend(super::refactor_tools::listed());
    }
    tools
}

#[expect(clippy::too_many_lines, reason = "a table with one entry per tool")]
fn code() -> Vec<Tool> {
    let selector = || json!({"type": "string", "description": "selector, name or path:line"});
    let confidence = |default: &str| json!({"enum": ["exact", "import", "same_module", "dispatch", "fuzzy"], "default": default});
    let number = |default: u64| json!({"type": "integer", "default": default});
    vec![
        tool(
            "graph_sync",
            "Make the index say what is on disk now. Call after edits.",
            &[],
            json!({"full": {"type": "boolean"}}),
        ),
        tool(
            "graph_search",
            "Find symbols, strings, config keys by words or name (camelCase and snake_case are split, prefixes match).",
            &["query"],
            json!({
                "query": {"type": "string"},
                "kind": {"enum": ["symbol", "string", "config"]},
                "symbol_kind": {"type": "string"},
                "lang": {"type": "string"},
                "path": {"type": "string", "description": "glob"},
                "limit": number(20),
            }),
        ),
        tool(
            "graph_show",
            "Source of a symbol or file.",
            &["selector"],
            json!({"selector": selector(), "max_bytes": number(65_536)}),
        ),
        tool(
            "graph_refs",
            "Who uses a symbol, by kind and file, and what extends or implements it.",
            &["selector"],
            json!({
                "selector": selector(),
                "confidence": confidence("same_module"),
                "kind": {"enum": ["call", "type", "use", "trait_bound", "value", "impl", "extends", "implements", "overrides"]},
                "limit": number(500),
            }),
        ),
        tool(
            "graph_callees",
            "What a symbol calls.",
            &["selector"],
            json!({"selector": selector(), "confidence": confidence("same_module"), "limit": number(200)}),
        ),
        tool(
            "graph_impact",
            "What breaks if these change: transitive users, nearest first, tests apart. Give selector(s), or diff: a git range or 'worktree'.",
            &[],
            json!({
                "selector": {"type": ["string", "array"], "items": {"type": "string"}},
                "diff": {"type": "string"},
                "depth": number(3),
                "direction": {"enum": ["inbound", "outbound", "both"], "default": "inbound"},
                "confidence": confidence("dispatch"),
                "limit": number(200),
            }),
        ),
        tool(
            "graph_trace",
            "Call tree of a CLI command's handler.",
            &["selector"],
            json!({"selector": {"type": "string", "description": "command name, e.g. 'task update'"}, "depth": number(5), "confidence": confidence("same_module")}),
        ),
        tool(
            "graph_overview",
            "Shape of the repository, or of a dir: or file:.",
            &[],
            json!({"selector": {"type": "string"}, "format": {"enum": ["summary", "full"], "default": "summary"}}),
        ),
        tool(
            "graph_implementors",
            "What implements a trait or interface, or extends a class.",
            &["selector"],
            json!({"selector": selector(), "limit": number(200)}),
        ),
        tool(
            "graph_deps",
            "What a file or directory imports.",
            &["selector"],
            json!({"selector": {"type": "string"}, "limit": number(200)}),
        ),
    ]
}

/// Tools whose answers are grouped.
const GROUPED: [&str; 6] =
    ["graph_search", "graph_refs", "graph_callees", "graph_impact", "graph_implementors", "graph_overview"];

/// A read-only tool; every one takes `max_tokens`.
pub(super) fn tool(
    name: &'static str,
    description: &'static str,
    required: &[&str],
    mut properties: Value,
) -> Tool {
    if GROUPED.contains(&name) {
        properties["detail"] = json!({"type": "boolean"});
    }
    properties["max_tokens"] = json!({"type": "integer", "default": super::budget::DEFAULT_TOKENS});
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let schema: JsonObject = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, schema).with_annotations(ToolAnnotations::new().read_only(true))
}
