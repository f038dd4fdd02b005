//! Bodies of any length: they go to a file as they come, and are loaded from there.

use super::answer::{FaultResponse, document};
use super::app::App;
use super::extract::{broken, check_length, query, task, too_long, too_slow};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http_body_util::BodyExt as _;
use omnigraph::{Action, Branch};
use omnigraph_api::calls::load::{LoadRequest, Rows};
use omnigraph_api::fault::Fault;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;

pub(super) async fn load(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let call: LoadRequest = query(parts.uri.query(), named)?;
    check_length(&parts.headers, app.limits.load_body)?;
    // A caller who may not load is refused before the body is read; on a run's own branch only the engine knows.
    let branch = call.branch.as_deref().unwrap_or(Branch::MAIN);
    if !Branch::is_internal(branch) {
        task.graph()?.access().check(Action::Change, Some(branch), None)?;
    }
    let file = spooled(body, app.limits.load_body, app.limits.stall_timeout).await?;
    Ok(task.run(move |context| document(&call.run(context, &Rows::File(file), &mut |_| {})?)).await?)
}

/// A body as a file without a name, so that it can be read again when another writer was first.
async fn spooled(mut body: Body, limit: u64, stall_timeout: Duration) -> Result<File, Fault> {
    let failed = |error: std::io::Error| Fault::new("io", format!("the body cannot be kept: {error}"));
    let made = tokio::task::spawn_blocking(tempfile::tempfile).await;
    let mut file =
        tokio::fs::File::from_std(made.map_err(|_| super::work::internal_error())?.map_err(failed)?);
    let mut length = 0;
    loop {
        let frame = tokio::time::timeout(stall_timeout, body.frame()).await.map_err(|_| too_slow())?;
        let Some(frame) = frame else { break };
        let data = frame.map_err(|error| broken(&error))?.into_data().unwrap_or_default();
        length += data.len() as u64;
        if length > limit {
            return Err(too_long(limit));
        }
        file.write_all(&data).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)?;
    Ok(file.into_std().await)
}
