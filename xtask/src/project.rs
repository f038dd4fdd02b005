//! This workspace: where it is, and how its programs are built.

use crate::failure::{Context, Failure, fail};
use orbit_git::Git;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let xtask = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    xtask.parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Cargo, as it started this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs the same task with the same arguments, optimised.
pub(crate) fn rerun_in_release() -> Result<ExitCode, Failure> {
    let status = cargo()
        .args(["run", "--release", "-q", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .args(["-p", "xtask", "--"])
        .args(std::env::args_os().skip(1))
        .status()
        .context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the release `orbit` beside this program and gives its path.
pub(crate) fn orbit() -> Result<PathBuf, Failure> {
    let built = cargo()
        .args(["build", "--release", "-q", "-p", "orbit-cli", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .status()
        .context("cannot run cargo")?;
    if !built.success() {
        return Err(fail("orbit does not build"));
    }
    let program = std::env::current_exe()?.with_file_name("orbit");
    if program.is_file() { Ok(program) } else { Err(fail("orbit is not where cargo builds programs")) }
}

/// What a command prints, without the line end; fails when the command does.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let shown = command.get_program().display().to_string();
    let output = command.output().context(&shown)?;
    if !output.status.success() {
        return Err(fail(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// What git says in a directory.
pub(crate) fn git(dir: &Path, args: &[&str]) -> Result<String, Failure> {
    output(git_command().arg("-C").arg(dir).args(args)).context(format!("git {}", args.join(" ")))
}

/// Git that looks at directories alone, also when a hook of another repository runs this program.
pub(crate) fn git_command() -> Command {
    Git::at(Path::new(".")).command(&[])
}
