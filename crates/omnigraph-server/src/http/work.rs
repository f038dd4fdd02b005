//! Handlers hand their work to threads that may block, and never more than the server can bear.

use super::answer::busy;
use super::app::{App, Hosted};
use super::edge::Identity;
use super::requests::Ticket;
use omnigraph::Graph;
use omnigraph_api::calls::Context;
use omnigraph_api::calls::requests::shown;
use omnigraph_api::fault::Fault;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::OwnedSemaphorePermit;

/// A request that knows its graph and its caller.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) app: Arc<App>,
    pub(crate) hosted: Arc<Hosted>,
    pub(crate) identity: Identity,
    /// Whether it runs a query that the server knows by name.
    pub(crate) invokes: bool,
    /// How it came: `POST /read`.
    pub(crate) request: String,
    /// The query that it runs.
    pub(crate) query: Option<String>,
    /// Whether nobody misses it when its caller goes away.
    pub(crate) only_reads: bool,
}

impl Task {
    /// The graph as the caller may use it.
    pub(crate) fn graph(&self) -> Result<Graph, Fault> {
        let graph = self.hosted.acting(self.identity.actor.as_deref())?;
        Ok(if self.invokes { graph.acting(graph.access().clone().invoking()) } else { graph })
    }

    /// For a query that the server knows by name.
    pub(crate) fn invoking(mut self) -> Task {
        self.invokes = true;
        self
    }

    /// For a query.
    pub(crate) fn querying(mut self, source: &str) -> Task {
        self.query = Some(shown(source));
        self
    }

    /// For what changes nothing.
    pub(crate) fn reading(mut self) -> Task {
        self.only_reads = true;
        self
    }

    /// Puts it into the list of what is under way.
    pub(crate) fn begin(&self) -> Ticket {
        let about = (self.request.as_str(), self.query.as_deref());
        self.app.requests.begin(&self.hosted, self.identity.actor.as_deref(), about)
    }

    /// Runs on a thread that may block; waits for its turn, and not at all when too many wait already.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut Context<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let ticket = self.begin();
        let caller = self.only_reads.then(|| ticket.ends_with_caller());
        let permit = self.app.turn().await?;
        ticket.has_turn();
        let done = tokio::task::spawn_blocking(move || {
            let done = self.with_context(&ticket, work);
            drop(permit);
            done
        });
        let done = done.await.unwrap_or_else(|_| Err(internal_error()));
        if let Some(caller) = caller {
            caller.disarm();
        }
        done
    }

    /// Runs here.
    pub(crate) fn with_context<T>(
        &self,
        ticket: &Ticket,
        work: impl FnOnce(&mut Context<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let graph = self.graph()?.stopped_by(ticket.stop());
        work(&mut Context { graph: &graph, uri: &self.hosted.uri, progress: &mut |_| {} })
    }
}

impl App {
    /// Waits until there is a thread to spare, and not at all when too many wait already.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, Fault> {
        if let Ok(permit) = self.workers.clone().try_acquire_owned() {
            return Ok(permit);
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limits.waiting {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(busy());
        }
        // A caller who goes away while waiting is not counted any more.
        let _waits = Waits(self);
        self.workers.clone().acquire_owned().await.map_err(|_| busy())
    }
}

/// One that waits.
struct Waits<'a>(&'a App);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A panic below a handler.
pub(super) fn internal_error() -> Fault {
    Fault::new("internal", "internal error; the log of the server has the details")
}
