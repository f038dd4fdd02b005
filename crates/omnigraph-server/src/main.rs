//! `omnigraph-server`: graphs over HTTP.

#![expect(clippy::print_stderr, reason = "before there is a log, and when there can be none")]

mod args;
mod start;
mod watch;

use args::Args;
use clap::Parser as _;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::parse();
    match start::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {}", fault.message);
            if let Some(hint) = &fault.hint {
                eprintln!("hint: {hint}");
            }
            ExitCode::FAILURE
        }
    }
}
