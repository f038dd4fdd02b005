//! What came since a commit.

use super::commit::CommitOutput;
use super::diff::{ChangeRowOutput, KindChoice, OpChoice, filter, row};
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::{Cursor, DiffOptions, Error, FeedOptions};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Changes that an answer has when nothing is said.
const LISTED: u32 = 1_000;

/// Which part of the feed. An empty list selects everything.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangesRequest {
    /// The commit behind which it begins, or the cursor of an earlier answer.
    pub since: String,
    /// At most so many changes; 1,000 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Only these types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_names: Vec<String>,
    /// Only rows that this happened to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<OpChoice>,
    /// Only nodes, or only edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindChoice>,
    /// With the values of the rows.
    #[serde(default)]
    pub rows: bool,
    /// With the commits of the changes, beside them.
    #[serde(default)]
    pub commits: bool,
}

/// Which part of the feed, as it comes. An empty list selects everything.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowRequest {
    /// The commit behind which it begins, or the cursor of an earlier event; what comes from now on if nothing is said. The
    /// header `Last-Event-ID`, which browsers send when they connect again, goes before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Only these types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_names: Vec<String>,
    /// Only rows that this happened to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<OpChoice>,
    /// Only nodes, or only edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindChoice>,
    /// With the values of the rows.
    #[serde(default)]
    pub rows: bool,
    /// With the commits of the changes, beside them.
    #[serde(default)]
    pub commits: bool,
}

impl FollowRequest {
    /// Where it is on the wire.
    pub const ROUTE: Route = Route {
        id: "changes_stream",
        method: Method::Get,
        path: "/changes/stream",
        summary: "The rows that change, as server-sent events: each has what `/changes` answers, and the cursor as its id.",
        faults: &[400, 404, 429],
    };

    /// What came since a cursor; since the newest commit when there is none.
    pub fn page(&self, since: Option<&str>, context: &mut Context<'_>) -> Result<ChangesOutput, Fault> {
        let branch = main_if_none(self.branch.clone());
        let since = if let Some(since) = since {
            since.to_owned()
        } else {
            let newest = context.graph.commits(&branch, None, 1)?;
            newest.first().map(|commit| commit.id().to_string()).unwrap_or_default()
        };
        let request = ChangesRequest {
            since,
            limit: None,
            branch: Some(branch),
            type_names: self.type_names.clone(),
            ops: self.ops.clone(),
            kinds: self.kinds.clone(),
            rows: self.rows,
            commits: self.commits,
        };
        request.run(context)
    }
}

/// A part of the feed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ChangesOutput {
    /// The branch.
    pub branch: String,
    /// Oldest commit first; inside of a commit nodes before edges, by type and id.
    pub changes: Vec<FeedChangeOutput>,
    /// Give this as `since` to go on.
    pub cursor: String,
    /// Whether there is more already.
    pub has_more: bool,
    /// The commits of the changes, oldest first; only when they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<CommitOutput>,
}

/// A change and the commit that made it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FeedChangeOutput {
    /// The row.
    #[serde(flatten)]
    pub change: ChangeRowOutput,
    /// The commit.
    pub graph_commit_id: String,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// Microseconds since 1970.
    pub created_at: i64,
}

impl Call for ChangesRequest {
    type Output = ChangesOutput;

    const ROUTE: Route = Route {
        id: "changes",
        method: Method::Get,
        path: "/changes",
        summary: "The rows that changed since a commit, commit by commit.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<ChangesOutput, Fault> {
        let since: Cursor = self.since.parse().map_err(|error: Error| {
            Fault::from(error).hint("`omnigraph commit list` prints the ids of commits")
        })?;
        let options = FeedOptions {
            branch: Some(main_if_none(self.branch)),
            since,
            limit: self.limit.unwrap_or(LISTED) as usize,
            diff: DiffOptions {
                filter: filter(&self.type_names, &self.ops, &self.kinds),
                with_rows: self.rows,
            },
        };
        let feed = context.graph.changes_since(&options)?;
        let mut commits: Vec<CommitOutput> = Vec::new();
        for found in feed.changes.iter().filter(|_| self.commits) {
            let last = commits.last().map(|last| last.graph_commit_id.as_str());
            if last != Some(found.commit.id().as_str()) {
                commits.push(CommitOutput::from(&found.commit.record));
            }
        }
        let changes = feed.changes.into_iter().map(|found| FeedChangeOutput {
            change: row(found.change, self.rows),
            graph_commit_id: found.commit.id().to_string(),
            actor_id: found.commit.record.actor.clone(),
            created_at: found.commit.record.created_at,
        });
        Ok(ChangesOutput {
            branch: feed.branch,
            changes: changes.collect(),
            cursor: feed.cursor.to_string(),
            has_more: feed.has_more,
            commits,
        })
    }
}
