//! Commits.

use super::change::commit_id;
use super::receipt::{ChangedOutput, changed};
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::{CommitRecord, Snapshot};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Commits that a list has when nothing is said.
const LISTED: u32 = 100;

/// A commit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// `load`, `change`, `merge`…
    pub operation: String,
    /// Whether its rows are gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cleaned_up: bool,
}

impl From<&CommitRecord> for CommitOutput {
    fn from(record: &CommitRecord) -> CommitOutput {
        CommitOutput {
            graph_commit_id: record.id.to_string(),
            manifest_branch: record.branch.clone(),
            manifest_version: record.version,
            parent_commit_id: record.parent.as_ref().map(ToString::to_string),
            merged_parent_commit_id: record.merge_parent.as_ref().map(ToString::to_string),
            actor_id: record.actor.clone(),
            created_at: record.created_at,
            operation: record.operation.clone(),
            cleaned_up: record.released_at.is_some(),
        }
    }
}

/// Which commits.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitListRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// At most so many; 100 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Those behind this commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// Commits of a branch, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CommitListOutput {
    /// At most as many as were asked for.
    pub commits: Vec<CommitOutput>,
    /// Whether there are more: give the last as `before` to get them.
    pub has_more: bool,
    /// The last commit before those whose rows are gone; only when there are such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_readable_commit_id: Option<String>,
}

impl Call for CommitListRequest {
    type Output = CommitListOutput;

    const ROUTE: Route = Route {
        id: "commit_list",
        method: Method::Get,
        path: "/commits",
        summary: "The commits of a branch, the newest first.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<CommitListOutput, Fault> {
        let before = commit_id(self.before.as_deref())?;
        let limit = self.limit.unwrap_or(LISTED) as usize;
        let commits = context.graph.commits(&main_if_none(self.branch), before.as_ref(), limit)?;
        Ok(CommitListOutput {
            has_more: commits.last().is_some_and(|last| last.record.parent.is_some()),
            oldest_readable_commit_id: oldest_readable(&commits).map(|commit| commit.id().to_string()),
            commits: commits.iter().map(|commit| CommitOutput::from(&commit.record)).collect(),
        })
    }
}

/// The last commit before those that were cleaned up; `None` when none was.
fn oldest_readable(commits: &[Arc<Snapshot>]) -> Option<&Arc<Snapshot>> {
    let at = commits.iter().position(|commit| commit.record.released_at.is_some())?;
    commits.get(at.checked_sub(1)?)
}

/// A commit that is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitShowRequest {
    /// Its id; a branch or a tag that names it.
    pub commit_id: String,
}

/// A commit with everything that is known of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CommitShowOutput {
    /// As in lists.
    #[serde(flatten)]
    pub commit: CommitOutput,
    /// Of its schema.
    pub schema_id: String,
    /// What it did, by table.
    pub changes: Vec<ChangedOutput>,
    /// Tables that it has.
    pub table_count: u64,
}

impl Call for CommitShowRequest {
    type Output = CommitShowOutput;

    const ROUTE: Route = Route {
        id: "commit_show",
        method: Method::Get,
        path: "/commits/{*commit_id}",
        summary: "A commit, and what it did.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<CommitShowOutput, Fault> {
        let record = &context.graph.commit(&self.commit_id)?.record;
        Ok(CommitShowOutput {
            commit: CommitOutput::from(record),
            schema_id: record.schema.clone(),
            changes: changed(&record.changes),
            table_count: record.tables.len() as u64,
        })
    }
}
