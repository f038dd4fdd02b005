//! What an agent sees: names, one-line descriptions, small schemas.

use super::knowledge_tools;
use crate::args::Toolset;
use crate::questions::{Entry, Family};
use rmcp::model::Tool;
use serde_json::Value;
use std::sync::Arc;

/// The tools of the chosen families.
pub(crate) fn listed(toolsets: &[Toolset]) -> Vec<Tool> {
    let mut tools = Vec::new();
    if toolsets.contains(&Toolset::Code) {
        tools.extend(Family::Graph.questions().filter_map(Entry::tool));
    }
    if toolsets.contains(&Toolset::Knowledge) {
        tools.extend(knowledge_tools::knowledge());
    }
    if toolsets.contains(&Toolset::Tasks) {
        tools.extend(knowledge_tools::tasks());
    }
    if toolsets.contains(&Toolset::Refactor) {
        tools.extend(Family::Refactor.questions().filter_map(Entry::tool));
    }
    tools
}

/// Adds an argument to the tools about code.
pub(super) fn offer(tools: &mut [Tool], argument: &str, schema: &Value) {
    let of_code = [Family::Graph, Family::Refactor].map(|family| format!("{}_", family.name()));
    for tool in tools.iter_mut().filter(|tool| of_code.iter().any(|family| tool.name.starts_with(family))) {
        if let Some(Value::Object(properties)) = Arc::make_mut(&mut tool.input_schema).get_mut("properties") {
            properties.insert(argument.to_owned(), schema.clone());
        }
    }
}
