//! What an agent sees: names, one-line descriptions, small schemas.

use super::knowledge_tools;
use crate::args::Toolset;
use crate::questions::{Entry, Family};
use rmcp::model::Tool;

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
