//! One method of [`Store`] per tool: request in, transaction, answer out. [`Store::call`] is the way in for clients
//! that speak JSON.

mod changelog;
mod claims;
mod containers;
mod context;
mod dependencies;
mod fields;
mod graph;
mod hints;
mod questions;
mod queue;
mod reservations;
mod sections;
mod short_ids;
mod tags;
mod templates;
mod transit;

use crate::error::KnowledgeError;
use crate::store::Store;
use crate::wire::answers::Answer;
use crate::wire::envelope::Envelope;
use crate::wire::requests;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The tools of the orchestrator.
pub const TASK_TOOLS: [&str; 25] = [
    "query_container",
    "manage_container",
    "query_sections",
    "manage_sections",
    "query_templates",
    "manage_template",
    "apply_template",
    "list_tags",
    "get_tag_usage",
    "rename_tag",
    "get_next_task",
    "get_blocked_tasks",
    "get_next_feature",
    "get_blocked_features",
    "query_workflow_state",
    "query_dependencies",
    "manage_dependency",
    "advance",
    "revert",
    "terminate",
    "block",
    "unblock",
    "manage_reservation",
    "manage_claim",
    "reopen",
];

/// The tools of the knowledge graph.
pub const KNOWLEDGE_TOOLS: [&str; 3] = ["query_graph", "manage_graph", "manage_changelog"];

impl Store {
    /// Calls a tool by name, with its parameters and its answer as JSON; `None` when there is none of that name.
    ///
    /// Ids may be given by their first eight letters.
    pub fn call(&self, tool: &str, mut arguments: Value) -> Option<Envelope<Value>> {
        if let Err(error) = self.lengthen(&mut arguments) {
            return Some(Envelope::of(Err::<Answer<Value>, _>(error)).untyped());
        }
        Some(match tool {
            "query_graph" => run(arguments, |request| self.query_graph(&request)),
            "manage_graph" => run(arguments, |request| self.manage_graph(&request)),
            "manage_changelog" => run(arguments, |request| self.manage_changelog(&request)),
            "query_container" => run(arguments, |request| self.query_container(&request)),
            "manage_container" => run(arguments, |request| self.manage_container(&request)),
            "query_sections" => run(arguments, |request| self.query_sections(&request)),
            "manage_sections" => run(arguments, |request| self.manage_sections(&request)),
            "query_templates" => run(arguments, |request| self.query_templates(&request)),
            "manage_template" => run(arguments, |request| self.manage_template(&request)),
            "apply_template" => run(arguments, |request| self.apply_template(&request)),
            "list_tags" => run(arguments, |request| self.list_tags(&request)),
            "get_tag_usage" => run(arguments, |request| self.get_tag_usage(&request)),
            "rename_tag" => run(arguments, |request| self.rename_tag(&request)),
            "get_next_task" => run(arguments, |request| self.get_next_task(&request)),
            "get_next_feature" => run(arguments, |request| self.get_next_feature(&request)),
            "get_blocked_tasks" => run(arguments, |request| self.get_blocked_tasks(&request)),
            "get_blocked_features" => run(arguments, |request| self.get_blocked_features(&request)),
            "query_workflow_state" => run(arguments, |request| self.query_workflow_state(&request)),
            "query_dependencies" => run(arguments, |request| self.query_dependencies(&request)),
            "manage_dependency" => run(arguments, |request| self.manage_dependency(&request)),
            "advance" => run(arguments, |request| self.advance(&request)),
            "revert" => run(arguments, |request| self.revert(&request)),
            "terminate" => run(arguments, |request| self.terminate(&request)),
            "block" => run(arguments, |request| self.block(&request)),
            "unblock" => run(arguments, |request| self.unblock(&request)),
            "manage_reservation" => run(arguments, |request| self.manage_reservation(&request)),
            "manage_claim" => run(arguments, |request| self.manage_claim(&request)),
            "reopen" => run(arguments, |request| self.reopen(&request)),
            _ => return None,
        })
    }
}

fn run<R: DeserializeOwned, T: Serialize>(
    arguments: Value,
    tool: impl FnOnce(R) -> Result<Answer<T>, KnowledgeError>,
) -> Envelope<Value> {
    Envelope::of(requests::parse(arguments).and_then(tool)).untyped()
}

/// An operation that the tool does not have.
fn unknown(operation: &str, known: &str) -> KnowledgeError {
    KnowledgeError::validation("operation", format!("operation must be one of {known}; got `{operation}`"))
}
