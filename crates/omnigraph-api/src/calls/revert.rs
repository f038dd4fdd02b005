//! Taking back commits.

use super::change::commit_id;
use super::receipt::ReceiptOutput;
use super::resolution::{ResolutionInput, ResolvedOutput, SideChoice, resolutions};
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::RevertOptions;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A commit to take back.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitRevertRequest {
    /// Its id, or a tag.
    pub commit_id: String,
    /// The branch that gets the commit which takes it back, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Only says what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Refused unless this is the newest commit of the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_commit: Option<String>,
    /// For rows that were changed again since: `ours` is what the branch has, `theirs` what was before the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take: Option<SideChoice>,
    /// Whose row is taken for single conflicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<ResolutionInput>,
}

/// A commit that was taken back.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CommitRevertOutput {
    /// The graph.
    pub uri: String,
    /// The commit that was taken back.
    pub reverted_commit_id: String,
    /// The branch that it was taken back on.
    pub branch: String,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// Conflicts for which a side was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved: Vec<ResolvedOutput>,
    /// The commit that takes it back.
    #[serde(flatten)]
    pub receipt: ReceiptOutput,
}

impl Call for CommitRevertRequest {
    type Output = CommitRevertOutput;

    const ROUTE: Route = Route {
        id: "commit_revert",
        method: Method::Post,
        path: "/commits/revert",
        summary: "Takes back what a commit did, as a commit.",
        faults: &[400, 404, 409, 412],
    };

    const CARRIES_ROWS: bool = true;

    fn run(self, context: &mut Context<'_>) -> Result<CommitRevertOutput, Fault> {
        let branch = main_if_none(self.branch);
        let options = RevertOptions {
            if_commit: commit_id(self.if_commit.as_deref())?,
            dry_run: self.dry_run,
            resolutions: resolutions(self.take, self.resolutions)?,
        };
        let report = context.graph.revert(&self.commit_id, &branch, &options)?;
        Ok(CommitRevertOutput {
            uri: context.uri.to_owned(),
            reverted_commit_id: report.reverted.id().to_string(),
            branch,
            dry_run: self.dry_run,
            actor_id: context.actor(),
            resolved: report.resolved.iter().map(ResolvedOutput::from).collect(),
            receipt: ReceiptOutput::new(&report.snapshot, report.committed, &report.changes),
        })
    }
}

/// A branch to reset.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchResetRequest {
    /// The branch.
    pub branch: String,
    /// What it becomes: a branch, a tag, a commit, or `BRANCH@TIME`.
    pub to: String,
    /// Only says what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Refused unless this is the newest commit of the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_commit: Option<String>,
}

/// A branch that was reset.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchResetOutput {
    /// The graph.
    pub uri: String,
    /// The branch.
    pub branch: String,
    /// The commit whose state it has.
    pub to_commit_id: String,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// The commit that does it.
    #[serde(flatten)]
    pub receipt: ReceiptOutput,
}

impl Call for BranchResetRequest {
    type Output = BranchResetOutput;

    const ROUTE: Route = Route {
        id: "branch_reset",
        method: Method::Post,
        path: "/branches/reset",
        summary: "Makes a branch what another state is, as a commit.",
        faults: &[400, 404, 409, 412],
    };

    fn run(self, context: &mut Context<'_>) -> Result<BranchResetOutput, Fault> {
        let if_commit = commit_id(self.if_commit.as_deref())?;
        let report = context.graph.reset(&self.branch, &self.to, if_commit.as_ref(), self.dry_run)?;
        Ok(BranchResetOutput {
            uri: context.uri.to_owned(),
            branch: self.branch,
            to_commit_id: report.to.id().to_string(),
            dry_run: self.dry_run,
            actor_id: context.actor(),
            receipt: ReceiptOutput::new(&report.snapshot, report.committed, &report.changes),
        })
    }
}
