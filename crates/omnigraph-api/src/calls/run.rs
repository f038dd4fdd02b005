//! Runs: writes that are published together, or not at all.

use super::page::page;
use super::receipt::{ReceiptOutput, WrittenOutput};
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::RunRecord;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RunOutput {
    /// Its id.
    pub run_id: String,
    /// Where it will be published.
    pub target_branch: String,
    /// Where it writes.
    pub run_branch: String,
    /// The commit of the target that it began at.
    pub base_snapshot_id: String,
    /// The version of that commit.
    pub base_manifest_version: u64,
    /// Given by who began it, to recognise a second try.
    pub operation_hash: Option<String>,
    /// Who began it.
    pub actor_id: Option<String>,
    /// `running`, `published`, `failed` or `aborted`.
    pub status: String,
    /// The commit of the target that it became.
    pub published_snapshot_id: Option<String>,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// Microseconds since 1970.
    pub updated_at: i64,
}

impl From<RunRecord> for RunOutput {
    fn from(run: RunRecord) -> RunOutput {
        RunOutput {
            run_id: run.run_id,
            target_branch: run.target_branch,
            run_branch: run.run_branch,
            base_snapshot_id: run.base_snapshot_id.to_string(),
            base_manifest_version: run.base_manifest_version,
            operation_hash: run.operation_hash,
            actor_id: run.actor_id,
            status: run.status.as_str().to_owned(),
            published_snapshot_id: run.published_snapshot_id.map(|id| id.to_string()),
            created_at: run.created_at,
            updated_at: run.updated_at,
        }
    }
}

/// Asks for the runs on branches that the caller may read.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunListRequest {
    /// At most so many; all if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Those behind this one: the last of an earlier answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Runs of a graph.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RunListOutput {
    /// The newest first.
    pub runs: Vec<RunOutput>,
    /// Whether there are more: give the last as `after` to get them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

impl Call for RunListRequest {
    type Output = RunListOutput;

    const ROUTE: Route = Route {
        id: "run_list",
        method: Method::Get,
        path: "/runs",
        summary: "The runs on branches that the caller may read.",
        faults: &[],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RunListOutput, Fault> {
        let all = context.graph.runs()?;
        let (runs, has_more) = page(all, self.limit, self.after.as_deref(), |run| &run.run_id);
        Ok(RunListOutput { runs: runs.into_iter().map(RunOutput::from).collect(), has_more })
    }
}

/// A run to begin.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunBeginRequest {
    /// Where it will be published; `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Names the operation: a second try with the same hash gets the same run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_hash: Option<String>,
}

/// A run that takes writes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RunBeginOutput {
    /// The run.
    #[serde(flatten)]
    pub run: RunOutput,
    /// Whether it was begun just now.
    pub begun: bool,
}

impl Call for RunBeginRequest {
    type Output = RunBeginOutput;

    const ROUTE: Route = Route {
        id: "run_begin",
        method: Method::Post,
        path: "/runs",
        summary: "Begins a run: a private branch that is published as one commit, or thrown away.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RunBeginOutput, Fault> {
        let begun = context.graph.begin_run(&main_if_none(self.branch), self.operation_hash.as_deref())?;
        Ok(RunBeginOutput { run: begun.run.into(), begun: begun.is_new })
    }
}

/// A run that is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunShowRequest {
    /// Its id.
    pub run_id: String,
}

impl Call for RunShowRequest {
    type Output = RunOutput;

    const ROUTE: Route = Route {
        id: "run_show",
        method: Method::Get,
        path: "/runs/{run_id}",
        summary: "A run.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RunOutput, Fault> {
        Ok(context.graph.run(&self.run_id)?.into())
    }
}

/// A run to publish.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunPublishRequest {
    /// Its id.
    pub run_id: String,
}

/// A run that is on its target.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RunPublishOutput {
    /// The run.
    #[serde(flatten)]
    pub run: RunOutput,
    /// `already_up_to_date`, `fast_forward` or `merged`; missing when it was published before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The commit of the target; missing when it was published before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph_commit_id: Option<String>,
    /// The number of commits up to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<u64>,
    /// Whether there is a new commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed: Option<bool>,
    /// By table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<WrittenOutput>>,
}

impl Call for RunPublishRequest {
    type Output = RunPublishOutput;

    const ROUTE: Route = Route {
        id: "run_publish",
        method: Method::Post,
        path: "/runs/{run_id}/publish",
        summary: "Puts what a run wrote onto its target.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RunPublishOutput, Fault> {
        let published = context.graph.publish_run(&self.run_id)?;
        let mut output = RunPublishOutput {
            run: published.run.into(),
            outcome: None,
            graph_commit_id: None,
            manifest_version: None,
            committed: None,
            changes: None,
        };
        if let Some(report) = published.report {
            let receipt = ReceiptOutput::new(&report.snapshot, report.committed, &report.changes);
            output.outcome = Some(report.outcome.as_str().to_owned());
            output.graph_commit_id = Some(receipt.graph_commit_id);
            output.manifest_version = Some(receipt.manifest_version);
            output.committed = Some(receipt.committed);
            output.changes = Some(receipt.changes);
        }
        Ok(output)
    }
}

/// A run to give up.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunAbortRequest {
    /// Its id.
    pub run_id: String,
}

impl Call for RunAbortRequest {
    type Output = RunOutput;

    const ROUTE: Route = Route {
        id: "run_abort",
        method: Method::Post,
        path: "/runs/{run_id}/abort",
        summary: "Throws a run away.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<RunOutput, Fault> {
        Ok(context.graph.abort_run(&self.run_id)?.into())
    }
}
