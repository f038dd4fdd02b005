//! The `orbit` program: arguments in, one command run, an answer rendered.
//!
//! ```text
//! words ─args─▶ a question (questions) | another command (commands) ─run─▶ Answer ─render─▶ text | JSON
//! MCP call ─mcp─▶ a question | a tool of the store (knowledge, code) ─run─▶ Answer ─budget─▶ compact | JSON
//! ```
//!
//! [`args`] is what can be typed, [`questions`] has one file per question about code and per refactoring, for the command
//! line and for agents; [`commands`] has the other commands, [`mcp`] serves agents, [`knowledge`] finds the store of tasks, [`identity`] says
//! who asks, [`guard`] watches reserved paths,
//! [`code`] tells it about code, [`render`] is the only place that writes to the terminal, [`budget`] keeps answers to agents short, [`failure`] maps every error to
//! an exit code and a message.

mod args;

mod questions;
mod pack;

mod commands;

mod mcp;
mod budget;

mod identity;
mod knowledge;
mod guard;
mod code;

mod render;
mod failure;

#[cfg(test)]
mod reference;

use clap::Parser;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return render::usage(&error),
    };
    let json = args.json();
    match commands::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => render::failure(&failure, json),
    }
}
