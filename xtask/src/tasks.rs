//! What can be typed: the task of this crate, and those of `measure`, which reads its arguments itself.

use crate::failure::{Context, Failure};
use crate::project::{cargo, exit_code, root};
use crate::tidy;
use clap::Command;
use std::ffi::OsString;
use std::process::ExitCode;

/// The tasks of `measure` and what they do, as its own help says it.
pub const MEASURING: [(&str, &str); 7] = [
    ("bench", "Measure, in release"),
    ("replay", "Compare incremental syncs with fresh builds over the commits of a repository"),
    ("accuracy", "Compare references with what compilers, or people, say of a repository"),
    ("coverage-fn", "Count the textual Rust functions of a repository that the index has"),
    ("damage", "Count the definitions that are lost in files that a grammar cannot read"),
    ("history-oracle", "Compare the commits of random functions with those in which their text changed"),
    ("refactor-judge", "Rename or move random symbols of a project and let its compiler or tests judge"),
];

/// Runs the task that the first word names, or prints help; usage errors end the process.
pub fn run(words: &[OsString]) -> Result<ExitCode, Failure> {
    let task = words.iter().find(|word| *word != "help"); // `help bench` is answered where `bench` is
    if task.is_some_and(|task| MEASURING.iter().any(|(name, _)| *task == **name)) {
        return measure(words);
    }
    command().get_matches_from(words);
    tidy::run()
}

fn command() -> Command {
    let tidy = "Check what the compiler does not: dependency edges, sizes, names, stray paths";
    Command::new("cargo xtask")
        .about("Developer tasks")
        .bin_name("cargo xtask")
        .no_binary_name(true)
        .arg_required_else_help(true)
        .subcommand_required(true)
        .subcommand(Command::new("tidy").about(tidy))
        .subcommands(MEASURING.map(|(name, about)| Command::new(name).about(about)))
}

/// Hands the words over, with the environment, the terminal and the working directory of this process.
fn measure(words: &[OsString]) -> Result<ExitCode, Failure> {
    let mut command = cargo();
    command.args(["run", "-q", "--manifest-path"]).arg(root().join("Cargo.toml"));
    let status = command.args(["-p", "measure", "--"]).args(words).status().context("cannot run cargo")?;
    Ok(exit_code(status))
}
