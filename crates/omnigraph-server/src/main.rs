//! `omnigraph-server`: graphs over HTTP.

mod args;
mod start;
mod watch;

use args::Args;
use clap::Parser as _;
use std::io::Write as _;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::parse();
    match start::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            let hint = fault.hint.as_ref().map_or(String::new(), |hint| format!("hint: {hint}\n"));
            let text = format!("error: {}\n{hint}", fault.message);
            let _ = std::io::stderr().lock().write_all(text.as_bytes()); // nobody is left to tell
            ExitCode::FAILURE
        }
    }
}
