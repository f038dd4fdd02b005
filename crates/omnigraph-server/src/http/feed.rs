//! The feed of changes as server-sent events: whoever listens is told, and asks for nothing.
//!
//! ```text
//! newest commit ─every [`LOOK`]─▶ changes since the cursor ─▶ event (id: cursor, data: what `/changes` answers)
//! ```
//!
//! Other servers and programs write to the same graph, so the store is asked; commits of this server need no other way. A
//! stream ends after [`LONGEST`], so that tokens that were taken back do not listen for ever; clients connect again and go
//! on behind the last event.

use super::answer::{FaultResponse, busy};
use super::app::App;
use super::extract::{members, task};
use super::work::Task;
use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use omnigraph_api::calls::changes::{ChangesOutput, FollowRequest};
use omnigraph_api::fault::Fault;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;

/// Between two looks at the newest commit.
const LOOK: Duration = Duration::from_millis(500);
/// Of a stream.
const LONGEST: Duration = Duration::from_hours(1);
/// A comment is sent after so much silence, so that nobody on the way takes the connection for dead.
const SILENCE: Duration = Duration::from_secs(15);
/// For a client to connect again.
const RETRY: Duration = Duration::from_secs(2);

type Sent = Result<Event, Infallible>;

pub(super) async fn follow(State(app): State<Arc<App>>, request: Request) -> Result<Response, FaultResponse> {
    let (mut parts, body) = request.into_parts();
    let (task, named) = task(&mut parts, &app).await?;
    let route = FollowRequest::ROUTE;
    let limits = &app.limits;
    let call: FollowRequest =
        members(route.method, (&parts, body), named, limits.body, limits.body_timeout).await?;
    let last = parts.headers.get("last-event-id").and_then(|id| id.to_str().ok()).filter(|id| !id.is_empty());
    let since = last.map(str::to_owned).or_else(|| call.since.clone());
    let permit = app.feeds.clone().try_acquire_owned().map_err(|_| busy())?;
    let listener = Listener { task, call: Arc::new(call), _permit: permit };
    // What is wrong with the request is an answer of its own.
    let first = listener.page(since).await?;
    let (sender, events) = mpsc::channel(1);
    tokio::spawn(listener.tell(first, sender));
    let alive = KeepAlive::new().interval(SILENCE);
    Ok(Sse::new(ReceiverStream::new(events)).keep_alive(alive).into_response())
}

/// One that listens.
struct Listener {
    task: Task,
    call: Arc<FollowRequest>,
    /// Given back when nobody listens any more.
    _permit: OwnedSemaphorePermit,
}

impl Listener {
    async fn page(&self, since: Option<String>) -> Result<ChangesOutput, Fault> {
        let call = self.call.clone();
        self.task.clone().run(move |context| call.page(since.as_deref(), context)).await
    }

    async fn tell(self, first: ChangesOutput, sender: Sender<Sent>) {
        let mut ending = self.task.app.ending.subscribe();
        let begun = Instant::now();
        let mut page = first;
        // The first event says from where on it listens, even when nothing came since.
        let mut told = String::new();
        loop {
            if page.cursor != told {
                told.clone_from(&page.cursor);
                if !self.send(&sender, event(&page)).await {
                    return;
                }
            }
            if !page.has_more {
                tokio::select! {
                    () = sleep(LOOK) => {}
                    () = sender.closed() => return,
                    _ = ending.wait_for(|ending| *ending) => return,
                }
            }
            if begun.elapsed() > LONGEST {
                return;
            }
            page = match self.page(Some(told.clone())).await {
                Ok(page) => page,
                Err(fault) => {
                    self.send(&sender, failure(&fault)).await;
                    return;
                }
            };
        }
    }

    /// Whether somebody still listens.
    async fn send(&self, sender: &Sender<Sent>, event: Event) -> bool {
        matches!(timeout(self.task.app.limits.stall_timeout, sender.send(Ok(event))).await, Ok(Ok(())))
    }
}

fn event(page: &ChangesOutput) -> Event {
    let event = Event::default().event("changes").id(&page.cursor).retry(RETRY);
    event.json_data(page).unwrap_or_else(|_| Event::default().comment("cannot be written"))
}

/// Why there are no more events. The client connects again when it likes to.
fn failure(fault: &Fault) -> Event {
    let text = serde_json::json!({ "code": fault.reason, "error": fault.message });
    Event::default().event("failure").data(text.to_string())
}
