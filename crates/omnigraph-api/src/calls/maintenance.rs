//! Maintenance: keeping a graph fast, small and whole.

use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::{Fault, violation};
use omnigraph::{CleanupOptions, FsckProblem};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use utoipa::ToSchema;

/// Seconds for which files that are no longer needed stay when nothing is said: no write or read takes longer.
const GRACE: u64 = 24 * 60 * 60;

/// A branch to rewrite.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OptimizeRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// What was rewritten.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OptimizeOutput {
    /// The graph.
    pub uri: String,
    /// The branch.
    pub branch: String,
    /// Whether there is a new commit.
    pub committed: bool,
    /// The commit; the newest one when nothing was worth it.
    pub graph_commit_id: String,
    /// Its version.
    pub manifest_version: u64,
    /// All tables of the branch.
    pub tables: Vec<OptimizedOutput>,
}

/// What became of a table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OptimizedOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Fragments that were read.
    pub fragments_removed: u64,
    /// Fragments that were written.
    pub fragments_added: u64,
    /// Whether the commit has other files for it.
    pub committed: bool,
}

impl Call for OptimizeRequest {
    type Output = OptimizeOutput;

    const ROUTE: Route = Route {
        id: "optimize",
        method: Method::Post,
        path: "/optimize",
        summary: "Rewrites small fragments, deleted rows and dropped columns of a branch.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<OptimizeOutput, Fault> {
        let branch = main_if_none(self.branch);
        let report = context.graph.optimize(Some(&branch), context.progress)?;
        let tables = report.tables.iter().map(|(key, done)| OptimizedOutput {
            table_key: key.clone(),
            fragments_removed: done.fragments_removed as u64,
            fragments_added: done.fragments_added as u64,
            committed: report.committed && done.fragments_removed > 0,
        });
        Ok(OptimizeOutput {
            uri: context.uri.to_owned(),
            branch,
            committed: report.committed,
            graph_commit_id: report.snapshot.id().to_string(),
            manifest_version: report.snapshot.record.version,
            tables: tables.collect(),
        })
    }
}

/// What may go. At least one of `keep` and `older_than` must be given.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CleanupRequest {
    /// The newest commits of every branch that stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
    /// Commits that are younger than so many seconds stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older_than: Option<u64>,
    /// Files that were written, or stopped being needed, less than so many seconds ago stay; a day if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<u64>,
    /// Removes; without it, only says what would be removed.
    #[serde(default)]
    pub confirm: bool,
}

/// What was removed, or would be.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CleanupOutput {
    /// The graph.
    pub uri: String,
    /// Whether it was removed.
    pub confirmed: bool,
    /// What stays, in words.
    pub policy: String,
    /// Commits that can be read.
    pub commits_kept: u64,
    /// Commits that can no longer be read.
    pub commits_removed: u64,
    /// Files.
    pub files_removed: u64,
    /// Their size.
    pub bytes_removed: u64,
    /// Files that are not needed either, but too young.
    pub files_waiting: u64,
    /// Their size.
    pub bytes_waiting: u64,
    /// By table.
    pub tables: Vec<CleanedOutput>,
}

/// Files of a table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CleanedOutput {
    /// `node:Person`; null when no commit that is kept has the table.
    pub table_key: Option<String>,
    /// Below the root of the graph.
    pub table_path: String,
    /// Of the files, manifests.
    pub old_versions_removed: u64,
    /// How many files were removed.
    pub files_removed: u64,
    /// Their size.
    pub bytes_removed: u64,
}

impl Call for CleanupRequest {
    type Output = CleanupOutput;

    const ROUTE: Route = Route {
        id: "cleanup",
        method: Method::Post,
        path: "/cleanup",
        summary: "Removes the files of old commits; without `confirm` only says which.",
        faults: &[400, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<CleanupOutput, Fault> {
        if self.keep.is_none() && self.older_than.is_none() {
            return Err(
                Fault::new("bad_request", "nothing says what may go").hint("give `keep` or `older_than`")
            );
        }
        if self.keep == Some(0) {
            return Err(Fault::new("bad_request", "the newest commit of a branch always stays")
                .hint("`keep` is at least 1"));
        }
        let options = CleanupOptions {
            keep: self.keep.map(|keep| keep as usize),
            older_than: self.older_than.map(Duration::from_secs),
            grace: Duration::from_secs(self.grace.unwrap_or(GRACE)),
            confirm: self.confirm,
        };
        let report = context.graph.cleanup(&options, context.progress)?;
        let removed = report.removed();
        let tables = report.tables.iter().map(|(dir, table)| CleanedOutput {
            table_key: table.key.clone(),
            table_path: format!("tables/{dir}"),
            old_versions_removed: table.versions,
            files_removed: table.files,
            bytes_removed: table.bytes,
        });
        Ok(CleanupOutput {
            uri: context.uri.to_owned(),
            confirmed: self.confirm,
            policy: self.policy(),
            commits_kept: report.commits_kept,
            commits_removed: report.commits_removed,
            files_removed: removed.files,
            bytes_removed: removed.bytes,
            files_waiting: report.waiting.files,
            bytes_waiting: report.waiting.bytes,
            tables: tables.collect(),
        })
    }
}

impl CleanupRequest {
    /// What stays, in words.
    fn policy(&self) -> String {
        let newest =
            self.keep.map(|keep| format!("the newest {} of every branch", counted(keep.into(), "commit")));
        let young = self.older_than.map(|age| format!("commits of the last {}", time(age)));
        let kept: Vec<String> = newest.into_iter().chain(young).collect();
        format!("keeps {}, tags and where branches start", kept.join(" and "))
    }
}

/// Seconds in the greatest unit that fits.
pub fn time(seconds: u64) -> String {
    let units = [(604_800, "week"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let fits = |(length, _): &&(u64, &str)| seconds >= *length && seconds.is_multiple_of(*length);
    let (length, unit) = units.iter().find(fits).unwrap_or(&(1, "second"));
    counted(seconds / length, unit)
}

fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Asks whether the graph is whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FsckRequest {}

/// Whether the graph is whole.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FsckOutput {
    /// The graph.
    pub uri: String,
    /// Yes.
    pub ok: bool,
    /// Commits that were looked at.
    pub commits: u64,
    /// Commits whose rows were cleaned up.
    pub commits_removed: u64,
    /// Versions of tables that were looked at.
    pub table_versions: u64,
    /// Files that were looked at.
    pub files: u64,
    /// Rows that were looked at.
    pub rows: u64,
    /// Everything that is wrong: `{code, object, message}`, and which row when it is about one.
    #[schema(value_type = Vec<Object>)]
    pub problems: Vec<Value>,
}

impl Call for FsckRequest {
    type Output = FsckOutput;

    const ROUTE: Route = Route {
        id: "fsck",
        method: Method::Post,
        path: "/fsck",
        summary: "Checks every record, table, constraint and end of an edge.",
        faults: &[],
    };

    fn run(self, context: &mut Context<'_>) -> Result<FsckOutput, Fault> {
        let report = context.graph.fsck(context.progress)?;
        Ok(FsckOutput {
            uri: context.uri.to_owned(),
            ok: report.problems.is_empty(),
            commits: report.checked.commits,
            commits_removed: report.checked.commits_removed,
            table_versions: report.checked.versions,
            files: report.checked.files,
            rows: report.rows,
            problems: report.problems.iter().map(problem).collect(),
        })
    }
}

fn problem(found: &FsckProblem) -> Value {
    let mut value = found.violation.as_ref().map_or_else(|| json!({ "code": "damaged" }), violation);
    value["object"] = found.object.clone().into();
    value["message"] = found.message.clone().into();
    value
}
