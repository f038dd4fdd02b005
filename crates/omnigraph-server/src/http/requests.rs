//! What the server is working on: who asks for it may end it, and so may whoever maintains the graph.
//!
//! A request is in the list from when its work is known until its answer is there. A caller who goes away while a query is
//! read ends it; what changes the graph goes on, because nobody could say whether it was done.

use super::answer::{FaultResponse, document};
use super::app::{App, Hosted};
use super::extract::{query, task};
use super::work::Task;
use axum::extract::{Request, State};
use axum::response::Response;
use omnigraph::{Action, Stop};
use omnigraph_api::calls::requests::{
    RequestListOutput, RequestListRequest, RequestOutput, RequestStopRequest,
};
use omnigraph_api::fault::Fault;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// All that is under way.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    last: AtomicU64,
    all: Mutex<BTreeMap<u64, Arc<Entry>>>,
}

/// One that is under way.
#[derive(Debug)]
struct Entry {
    graph: String,
    actor: Option<String>,
    /// `POST /read`
    request: String,
    query: Option<String>,
    begun: Instant,
    has_turn: AtomicBool,
    stop: Stop,
}

/// Takes a request out of the list when it is dropped.
#[derive(Debug)]
pub(crate) struct Ticket {
    requests: Arc<Requests>,
    id: u64,
    entry: Arc<Entry>,
}

/// Ends a request whose caller went away: the last thing that a handler drops, unless it was disarmed.
#[derive(Debug)]
pub(crate) struct EndsWithCaller(Option<Stop>);

impl Requests {
    /// Puts a request into the list.
    pub(crate) fn begin(
        self: &Arc<Requests>,
        hosted: &Hosted,
        actor: Option<&str>,
        (request, query): (&str, Option<&str>),
    ) -> Ticket {
        let entry = Arc::new(Entry {
            graph: hosted.name.clone(),
            actor: actor.map(str::to_owned),
            request: request.to_owned(),
            query: query.map(str::to_owned),
            begun: Instant::now(),
            has_turn: AtomicBool::new(false),
            stop: Stop::default(),
        });
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.all().insert(id, entry.clone());
        Ticket { requests: self.clone(), id, entry }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Entry>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Its turn has come.
    pub(crate) fn has_turn(&self) {
        self.entry.has_turn.store(true, Ordering::Relaxed);
    }

    /// Ends the request.
    pub(crate) fn stop(&self) -> &Stop {
        &self.entry.stop
    }

    /// Ends the request when the value is dropped.
    pub(crate) fn ends_with_caller(&self) -> EndsWithCaller {
        EndsWithCaller(Some(self.entry.stop.clone()))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.requests.all().remove(&self.id);
    }
}

impl EndsWithCaller {
    /// The answer is there.
    pub(crate) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for EndsWithCaller {
    fn drop(&mut self) {
        if let Some(stop) = &self.0 {
            stop.stop();
        }
    }
}

impl Entry {
    fn output(&self, id: u64) -> RequestOutput {
        let state = match (self.stop.is_stopped(), self.has_turn.load(Ordering::Relaxed)) {
            (true, _) => "stopping",
            (false, true) => "running",
            (false, false) => "waiting",
        };
        RequestOutput {
            request_id: id,
            request: self.request.clone(),
            query: self.query.clone(),
            actor_id: self.actor.clone(),
            state: state.to_owned(),
            elapsed_ms: u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// Whether a caller may see and end a request.
fn sees(task: &Task) -> Result<impl Fn(&Entry) -> bool, Fault> {
    let maintains = task.graph()?.check_access(Action::Admin, None).is_ok();
    let (graph, actor) = (task.hosted.name.clone(), task.identity.actor.as_deref().map(str::to_owned));
    Ok(move |entry: &Entry| entry.graph == graph && (maintains || (actor.is_some() && entry.actor == actor)))
}

pub(super) async fn list(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, _) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let RequestListRequest {} = query(parts.uri.query(), named)?;
    let sees = sees(&task)?;
    let requests = app.requests.all();
    let requests = requests.iter().filter(|(_, entry)| sees(entry)).map(|(id, entry)| entry.output(*id));
    Ok(document(&RequestListOutput { requests: requests.collect() })?)
}

pub(super) async fn stop(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, _) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let RequestStopRequest { request_id } = query(parts.uri.query(), named)?;
    let sees = sees(&task)?;
    let found = app.requests.all().get(&request_id).filter(|entry| sees(entry)).cloned();
    let entry = found.ok_or_else(|| {
        Fault::new("not_found", format!("no request {request_id} is under way"))
            .hint("GET /requests says which are; it may have ended meanwhile")
    })?;
    entry.stop.stop();
    tracing::info!(request_id, by = task.identity.actor.as_deref().unwrap_or_default(), "stopped a request");
    Ok(document(&entry.output(request_id))?)
}
