//! Graphs over HTTP and MCP, for many callers: who is calling, who may, how much at once.
//!
//! ```text
//! tokens ─auth─▶ actor ─Rules (omnigraph_policy)─▶ Access
//! HTTP request ─http─▶ Call (omnigraph_api) ─run (Graph with that Access)─▶ Output | Fault ─▶ JSON, Arrow, lines
//! ```
//!
//! What can be asked and what is answered is in `omnigraph_api`, rules are in `omnigraph_policy`; here is only what a
//! server adds to them. [`auth`] is who is calling, [`http`] how a request becomes an answer, MCP included.

pub mod auth;
pub mod http;
