//! Branches.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Branches of a graph.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct BranchListOutput {
    /// By name.
    pub branches: Vec<String>,
}

/// A branch to make.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchCreateRequest {
    /// A branch, a commit or a tag; `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Of the branch.
    pub name: String,
}

/// A branch that was made.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct BranchCreateOutput {
    /// The graph.
    pub uri: String,
    /// What it was made from.
    pub from: String,
    /// Of the branch.
    pub name: String,
    /// Who.
    pub actor_id: Option<String>,
    /// The commit that it starts at.
    pub graph_commit_id: String,
}

/// A branch that is gone.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct BranchDeleteOutput {
    /// The graph.
    pub uri: String,
    /// Of the branch.
    pub name: String,
    /// Who.
    pub actor_id: Option<String>,
}
