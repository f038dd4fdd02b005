//! Commits.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Commits of a branch, the newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct CommitListOutput {
    /// At most as many as were asked for.
    pub commits: Vec<CommitOutput>,
    /// Give this as `before` to get those behind the last; null when there are none.
    pub next: Option<String>,
}

/// A commit.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct CommitOutput {
    /// Its id.
    pub graph_commit_id: String,
    /// The branch that it was made on.
    pub manifest_branch: String,
    /// The number of commits up to this one.
    pub manifest_version: u64,
    /// The commit before it.
    pub parent_commit_id: Option<String>,
    /// What was merged.
    pub merged_parent_commit_id: Option<String>,
    /// Who.
    pub actor_id: Option<String>,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// `load`, `change`, `merge`…
    pub operation: String,
}
