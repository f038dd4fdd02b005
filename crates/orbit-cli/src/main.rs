//! The `orbit` program: arguments in, one command run, an answer rendered.
//!
//! [`args`], [`history_args`] and [`refactor_args`] are what can be typed, [`commands`] has one file per command, [`mcp`]
//! serves agents, [`knowledge`] finds the store of tasks, [`code`] tells it about code, [`render`] is the only place that
//! writes to the terminal, [`failure`] maps
//! every error to an exit code and a message.

mod args;
mod code;
mod commands;
mod failure;
mod history_args;
mod knowledge;
mod mcp;
mod pack;
mod refactor_args;
#[cfg(test)]
mod reference;
mod render;

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
