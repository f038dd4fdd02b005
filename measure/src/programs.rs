//! Programs of this workspace, built in release: the one that is measured, and this one.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use xtask::failure::{Context, Failure, fail};
use xtask::project::{cargo, exit_code, root};

/// Builds the release `orbit` and gives its path.
pub(crate) fn orbit() -> Result<PathBuf, Failure> {
    let built =
        in_workspace("build").args(["--release", "-p", "orbit-cli"]).status().context("cannot run cargo")?;
    if !built.success() {
        return Err(fail("orbit does not build"));
    }
    // This program may be of another profile, whose directory lies beside that of releases.
    let own = std::env::current_exe()?;
    let profile = own.parent().unwrap_or(Path::new("."));
    let program = profile.with_file_name("release").join("orbit");
    if program.is_file() { Ok(program) } else { Err(fail("orbit is not where cargo builds programs")) }
}

/// Runs the same task with the same arguments, optimised.
pub(crate) fn rerun_in_release() -> Result<ExitCode, Failure> {
    let mut command = in_workspace("run");
    command.args(["--release", "-p", "measure", "--"]).args(std::env::args_os().skip(1));
    Ok(exit_code(command.status().context("cannot run cargo")?))
}

fn in_workspace(task: &str) -> Command {
    let mut command = cargo();
    command.args([task, "-q", "--manifest-path"]).arg(root().join("Cargo.toml"));
    command
}
