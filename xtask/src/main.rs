//! `cargo xtask <task>`

use std::ffi::OsString;
use std::process::ExitCode;
use xtask::{render, tasks};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    tasks::run(&words).unwrap_or_else(|failure| {
        render::error(&failure);
        ExitCode::FAILURE
    })
}
