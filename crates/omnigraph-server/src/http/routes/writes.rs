//! Changes.

use crate::http::answer::Failed;
use crate::http::convert;
use crate::http::extract::Body;
use crate::http::work::Task;
use crate::wire::{
    ChangeOutput, ChangeRequest, ErrorOutput, IngestOutput, IngestRequest, LoadMode, LoadedOutput,
};
use axum::Json;
use omnigraph::load::{Options, jsonl};
use omnigraph::{ChangeOptions, LoadOptions, LoadReport};
use omnigraph_compiler::{QueryFile, Source};

/// Runs a query that changes the graph: all of its statements or none.
#[utoipa::path(post, path = "/change", request_body = ChangeRequest, responses(
    (status = 200, body = ChangeOutput),
    (status = 400, body = ErrorOutput),
    (status = 401, body = ErrorOutput),
    (status = 403, body = ErrorOutput),
    (status = 404, body = ErrorOutput),
    (status = 409, body = ErrorOutput),
    (status = 412, body = ErrorOutput),
    (status = 413, body = ErrorOutput),
    (status = 422, body = ErrorOutput),
    (status = 429, body = ErrorOutput),
))]
pub(crate) async fn change(
    task: Task,
    Body(request): Body<ChangeRequest>,
) -> Result<Json<ChangeOutput>, Failed> {
    let ChangeRequest { query_source, query_name, params, branch, if_commit } = request;
    let branch = convert::named(branch.as_deref());
    let if_commit = convert::commit_id(if_commit.as_deref())?;
    task.run(move |task| {
        let conditional = if_commit.is_some();
        let options = ChangeOptions { branch: Some(branch.clone()), actor: task.actor(), if_commit };
        let done = task.graph().change(&query_source, query_name.as_deref(), &params, &options);
        let receipt =
            done.map_err(|error| Failed::about(error, &query_source).conditional(conditional))?;
        Ok(Json(ChangeOutput {
            branch,
            query_name: query_name.or_else(|| only_query(&query_source)).unwrap_or_default(),
            affected_nodes: receipt.affected_nodes as u64,
            affected_edges: receipt.affected_edges as u64,
            actor_id: task.actor(),
            graph_commit_id: receipt.snapshot.id().to_string(),
            committed: receipt.committed,
            changes: convert::changes(&receipt.changes),
        }))
    })
    .await
}

fn only_query(source: &str) -> Option<String> {
    let file = QueryFile::parse(&Source::new("the query", source)).ok()?;
    match &file.queries[..] {
        [only] => Some(only.name.text.clone()),
        _ => None,
    }
}

/// Loads lines of JSON, on a branch that is made when there is none of its name.
#[utoipa::path(post, path = "/ingest", request_body = IngestRequest, responses(
    (status = 200, body = IngestOutput),
    (status = 400, body = ErrorOutput),
    (status = 401, body = ErrorOutput),
    (status = 403, body = ErrorOutput),
    (status = 404, body = ErrorOutput),
    (status = 409, body = ErrorOutput),
    (status = 413, body = ErrorOutput),
    (status = 422, body = ErrorOutput),
    (status = 429, body = ErrorOutput),
))]
pub(crate) async fn ingest(
    task: Task,
    Body(request): Body<IngestRequest>,
) -> Result<Json<IngestOutput>, Failed> {
    let IngestRequest { branch, from, mode, data } = request;
    let branch = convert::named(branch.as_deref());
    let from = convert::named(from.as_deref());
    task.run(move |task| {
        let graph = task.graph();
        let options =
            LoadOptions { branch: Some(branch), actor: task.actor(), ..LoadOptions::new(mode.into()) };
        let mut blocks =
            |rules: &_| jsonl(std::io::Cursor::new(data.clone().into_bytes()), rules, &Options::default());
        let (report, branch_created) = graph.ingest(&from, &options, &mut blocks, &mut |_| {})?;
        Ok(Json(loaded(&task, &options, mode, report, Some(from), branch_created)))
    })
    .await
}

/// A load as it is told.
pub(super) fn loaded(
    task: &Task,
    options: &LoadOptions,
    mode: LoadMode,
    report: LoadReport,
    base_branch: Option<String>,
    branch_created: bool,
) -> IngestOutput {
    let table = |(key, rows): (&String, &u64)| LoadedOutput { table_key: key.clone(), rows_loaded: *rows };
    IngestOutput {
        uri: task.hosted.uri.clone(),
        branch: convert::named(options.branch.as_deref()),
        base_branch,
        branch_created,
        mode,
        tables: report.rows.iter().map(table).collect(),
        actor_id: task.actor(),
        graph_commit_id: report.snapshot.id().to_string(),
        committed: report.committed,
        changes: convert::changes(&report.changes),
    }
}
