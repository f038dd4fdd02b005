//! Tests of the program as a user runs it.
//!
//! [`program`] runs the real `orbit`, [`worktree`] is a directory to run it in, [`large`] one whose sync takes
//! a while; every other module proves one guarantee.

mod answers;
mod bad_input;
mod concurrency;
mod crash;
mod cycles;
mod damage;
mod errors;
#[path = "../../../orbit-graph/tests/index/fixture.rs"]
mod fixture;
mod history;
mod knowledge_cli;
mod knowledge_client;
mod knowledge_crowd;
mod knowledge_hint;
mod knowledge_model;
mod large;
mod location;
mod mcp_client;
mod mcp_history;
mod names;
mod nesting;
mod operation_log;
mod pack;
mod permissions;
mod program;
mod refactor;
mod scanning;
mod show;
mod work_cli;
mod worktree;
