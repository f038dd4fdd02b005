//! Handlers hand their work to threads that may block, and never more than the server can bear.

use super::answer::Failed;
use super::app::{App, Hosted};
use super::edge::Caller;
use axum::http::StatusCode;
use omnigraph::Graph;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A request that knows its graph and its caller.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) app: Arc<App>,
    pub(crate) hosted: Arc<Hosted>,
    pub(crate) caller: Caller,
}

impl Task {
    /// The graph as the caller may use it.
    pub(crate) fn graph(&self) -> Graph {
        self.hosted.graph.acting(self.app.access(self.caller.actor.as_deref()))
    }

    /// Who writes.
    pub(crate) fn actor(&self) -> Option<String> {
        self.caller.actor.as_deref().map(str::to_owned)
    }

    /// Runs on a thread that may block; waits for its turn, and not at all when too many wait already.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(Task) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, Failed> {
        let app = self.app.clone();
        let permit = match app.workers.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                if app.waiting.fetch_add(1, Ordering::Relaxed) >= app.limits.waiting {
                    app.waiting.fetch_sub(1, Ordering::Relaxed);
                    return Err(Failed::busy());
                }
                let permit = app.workers.clone().acquire_owned().await;
                app.waiting.fetch_sub(1, Ordering::Relaxed);
                permit.map_err(|_| Failed::busy())?
            }
        };
        let done = tokio::task::spawn_blocking(move || {
            let done = work(self);
            drop(permit);
            done
        });
        done.await.unwrap_or_else(|_| {
            let message = "the server made a mistake; its log says more";
            Err(Failed::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message))
        })
    }
}
