//! Branches.

use super::change::commit_id;
use super::page::page;
use super::receipt::ReceiptOutput;
use super::resolution::{ResolutionInput, ResolvedOutput, SideChoice, resolutions};
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::MergeOptions;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Asks for the branches that the caller may read.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchListRequest {
    /// At most so many; all if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Those behind this one: the last of an earlier answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Branches of a graph.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchListOutput {
    /// The branches, sorted by name.
    pub branches: Vec<String>,
    /// Whether there are more: give the last as `after` to get them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

impl Call for BranchListRequest {
    type Output = BranchListOutput;

    const ROUTE: Route = Route {
        id: "branch_list",
        method: Method::Get,
        path: "/branches",
        summary: "The branches that the caller may read.",
        faults: &[],
    };

    fn run(self, context: &mut Context<'_>) -> Result<BranchListOutput, Fault> {
        let all = context.graph.branches()?;
        let (branches, has_more) = page(all, self.limit, self.after.as_deref(), |name| name);
        Ok(BranchListOutput { branches, has_more })
    }
}

/// A branch to make.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchCreateRequest {
    /// A branch, a tag, a commit, or `BRANCH@TIME`; `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The branch that it is made from, as it was at this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Of the branch.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
}

/// A branch that was made.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchCreateOutput {
    /// The graph.
    pub uri: String,
    /// What it was made from.
    pub from: String,
    /// Of the branch.
    pub name: String,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// The commit that it starts at.
    pub graph_commit_id: String,
}

impl Call for BranchCreateRequest {
    type Output = BranchCreateOutput;

    const ROUTE: Route = Route {
        id: "branch_create",
        method: Method::Post,
        path: "/branches",
        summary: "Makes a branch.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<BranchCreateOutput, Fault> {
        let from = main_if_none(self.from);
        let at = self.at.as_deref().map(omnigraph::parse_time).transpose()?;
        let base = context.graph.create_branch(&self.name, &from, at)?;
        Ok(BranchCreateOutput {
            uri: context.uri.to_owned(),
            from,
            name: self.name,
            actor_id: context.actor(),
            graph_commit_id: base.id().to_string(),
        })
    }
}

/// A branch to rename.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchRenameRequest {
    /// Its name.
    pub from: String,
    /// Its new name.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
}

/// A branch that was renamed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchRenameOutput {
    /// The graph.
    pub uri: String,
    /// Its old name.
    pub from: String,
    /// Its name.
    pub name: String,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
}

impl Call for BranchRenameRequest {
    type Output = BranchRenameOutput;

    const ROUTE: Route = Route {
        id: "branch_rename",
        method: Method::Post,
        path: "/branches/rename",
        summary: "Renames a branch.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<BranchRenameOutput, Fault> {
        context.graph.rename_branch(&self.from, &self.name)?;
        Ok(BranchRenameOutput {
            uri: context.uri.to_owned(),
            from: self.from,
            name: self.name,
            actor_id: context.actor(),
        })
    }
}

/// A branch to take away.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchDeleteRequest {
    /// Its name.
    pub branch: String,
    /// Also when branches were made from it, which stay, or runs are under way, which are aborted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub force: bool,
}

/// A branch that is gone.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchDeleteOutput {
    /// The graph.
    pub uri: String,
    /// Of the branch.
    pub name: String,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// Branches that were made from it, and stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub descendants: Vec<String>,
    /// Runs that were under way, and are aborted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aborted_runs: Vec<String>,
}

impl Call for BranchDeleteRequest {
    type Output = BranchDeleteOutput;

    const ROUTE: Route = Route {
        id: "branch_delete",
        method: Method::Delete,
        path: "/branches/{*branch}",
        summary: "Takes a branch away.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<BranchDeleteOutput, Fault> {
        let deleted = context.graph.delete_branch(&self.branch, self.force)?;
        Ok(BranchDeleteOutput {
            uri: context.uri.to_owned(),
            name: self.branch,
            actor_id: context.actor(),
            descendants: deleted.branches,
            aborted_runs: deleted.runs,
        })
    }
}

/// What to merge into what.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchMergeRequest {
    /// A branch.
    pub source: String,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Only says what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Refused unless this is the newest commit of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_commit: Option<String>,
    /// The side whose row is taken for conflicts that are not listed in `resolutions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take: Option<SideChoice>,
    /// Whose row is taken for single conflicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<ResolutionInput>,
}

/// What a merge did.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchMergeOutput {
    /// The graph.
    pub uri: String,
    /// What was merged.
    pub source: String,
    /// Into what.
    pub target: String,
    /// `already_up_to_date`, `fast_forward` or `merged`.
    pub outcome: String,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// The commit that was merged.
    pub source_commit_id: String,
    /// Conflicts for which a side was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolved: Vec<ResolvedOutput>,
    /// The commit of the target.
    #[serde(flatten)]
    pub receipt: ReceiptOutput,
}

impl Call for BranchMergeRequest {
    type Output = BranchMergeOutput;

    const ROUTE: Route = Route {
        id: "branch_merge",
        method: Method::Post,
        path: "/branches/merge",
        summary: "Merges a branch into another.",
        faults: &[400, 404, 409, 412],
    };

    const CARRIES_ROWS: bool = true;

    fn run(self, context: &mut Context<'_>) -> Result<BranchMergeOutput, Fault> {
        let target = main_if_none(self.target);
        let options = MergeOptions {
            if_commit: commit_id(self.if_commit.as_deref())?,
            dry_run: self.dry_run,
            resolutions: resolutions(self.take, self.resolutions)?,
            ..MergeOptions::default()
        };
        let report = context.graph.merge(&self.source, &target, &options)?;
        Ok(BranchMergeOutput {
            uri: context.uri.to_owned(),
            source: self.source,
            target,
            outcome: report.outcome.as_str().to_owned(),
            dry_run: self.dry_run,
            actor_id: context.actor(),
            source_commit_id: report.source.id().to_string(),
            resolved: report.resolved.iter().map(ResolvedOutput::from).collect(),
            receipt: ReceiptOutput::new(&report.snapshot, report.committed, &report.changes),
        })
    }
}
