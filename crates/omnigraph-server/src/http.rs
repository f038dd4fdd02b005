//! Graphs over HTTP.
//!
//! ```text
//! connection ─serve─▶ request ─edge (id, token)─▶ extract (graph, members) ─work (a thread that may block)─▶ Call ─▶ answer
//! ```
//!
//! In reading order: `app` is what every request is answered with and `limits` what it may cost; `serve` accepts connections
//! (`timeout` bounds them, `heads` tells it which requests have begun), `routes` says what is where, `edge` and `origin` are before every handler. `mount` makes a call a
//! route, with `extract` for its members, `work` for its thread and `answer` for what goes back; `reads`, `queries`,
//! `streams`, `feed`, `uploads` and `mcp` are routes of their own. `document` describes them all; `metrics` counts, `linger` reads
//! what is left of a body.
//!
//! Invariants:
//! - What a caller may do is decided in the engine: a handler gives it a graph that acts with the caller's access.
//! - No request holds a thread while its body arrives; those whose answer is streamed have threads of their own.
//! - Every failure is a [`Fault`](omnigraph_api::fault::Fault) in JSON with the status of its class.

mod answer;
mod app;
mod document;
mod edge;
mod extract;
mod feed;
mod heads;
mod limits;
mod linger;
mod mcp;
mod metrics;
mod mount;
mod origin;
mod queries;
mod reads;
mod requests;
mod routes;
mod serve;
mod streams;
mod timeout;
mod uploads;
mod work;

pub use app::{App, Hosted, Rules};
pub use limits::Limits;
pub use routes::router;
pub use serve::serve;
