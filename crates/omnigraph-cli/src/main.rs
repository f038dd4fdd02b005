//! The `omnigraph` program: arguments in, one command run, an answer rendered.
//!
//! ```text
//! words ─args─▶ Args ─session (omnigraph.yaml)─▶ Backend ─commands::* (a call of omnigraph_api)─▶ answer ─render─▶ terminal
//! ```
//!
//! [`args`] is what can be typed, [`session`] finds the graph, [`backend`] is the graph, here or on a server ([`remote`]),
//! [`commands`] has one file per command, [`render`] is the only place that writes to the terminal, [`failure`] leads
//! every error to an exit code.

mod args;
mod config;
mod session;
mod queries;
mod input;

mod backend;
mod remote;
mod commands;

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
    let json = args.wants_json();
    match commands::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => render::failure(&failure, json),
    }
}
