//! Graphs for many: over HTTP, over MCP, and for whoever has their files, with the same calls and the same answers.
//!
//! ```text
//! HTTP request ─┐
//! MCP tool call ─┼─▶ Call (calls) ─run(Desk: Graph with Access)─▶ Output | Fault ─▶ JSON, Arrow, lines
//! command line ─┘
//! policy.yaml ─policy─▶ Guard, asked by the engine on every call;   tokens ─auth─▶ the actor that is asked for
//! ```
//!
//! [`calls`] is what can be asked, [`fault`] why it fails, [`config`] what `omnigraph.yaml` says, [`saved`] the queries that
//! are known by name, [`auth`] who is calling, [`policy`] who may, [`http`] and [`mcp`] the two ways in.

pub mod auth;
pub mod calls;
pub mod config;
pub mod fault;
pub mod http;
pub mod mcp;
pub mod policy;
pub mod saved;

pub use policy::{Case, Cases, Policy, PolicyError, Verdict};
