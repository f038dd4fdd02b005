//! Graphs over HTTP.
//!
//! ```text
//! connection ─serve─▶ request ─edge (id, token)─▶ extract (graph, members) ─work (a thread that may block)─▶ Call ─▶ answer
//! ```
//!
//! Invariants:
//! - What a caller may is decided in the engine: a handler gives it a graph that acts with the caller's access.
//! - No request holds a thread while its body arrives; those whose answer is streamed have threads of their own.
//! - Every failure is a [`Fault`](omnigraph_api::fault::Fault) in JSON with the status of its class.

mod answer;
mod app;
mod document;
mod edge;
mod extract;
mod limits;
mod linger;
mod mcp;
mod metrics;
mod mount;
mod origin;
mod queries;
mod reads;
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
