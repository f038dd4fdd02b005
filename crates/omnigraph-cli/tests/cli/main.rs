//! Tests of `omnigraph` as a user runs it.
//!
//! [`program`] runs the real program in a directory of its own; every other module proves one guarantee.

mod aliases;
mod bad_input;
mod branches;
mod concurrency;
mod crash;
mod crowd;
mod embedding;
mod flows;
mod formats;
mod guide;
mod guide_server;
mod json;
mod killed;
mod maintenance;
mod matrix;
mod mcp_client;
mod migrations;
mod policy;
mod policy_fuzz;
mod program;
mod remote;
mod round_trip;
mod s3;
mod served;
mod shell;
mod stub;
mod texts;
mod twins;
mod versions;
