//! What can be asked of a graph, and what is answered: the same on the command line, over HTTP and over MCP.
//!
//! ```text
//! command line ─┐
//! HTTP request ─┼─▶ Call (calls) ─run (Context: Graph with Access)─▶ Output | Fault (fault)
//! MCP tool call ┘
//! omnigraph.yaml ─config─▶ Config ─saved─▶ Saved queries, which are calls and MCP tools by their names
//! ```
//!
//! Both the client and the server are built on this crate, so it knows neither HTTP nor a terminal: a call says where it
//! is on the wire ([`calls::Route`]), and who sends or serves it is elsewhere.
//!
//! [`calls`] is what can be asked, [`fault`] why it fails, [`config`] what `omnigraph.yaml` says, [`saved`] the queries
//! that are known by name, [`mcp`] the calls as tools for agents.

pub mod calls;
pub mod fault;

pub mod config;
pub mod saved;

pub mod mcp;
