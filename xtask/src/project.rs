//! This workspace: where it is, and the programs that work on it.

use crate::failure::{Context, Failure, fail};
use orbit_git::Git;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// The root of the workspace, of which a crate of developer tasks lies one level below.
pub fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let member = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    member.parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// Cargo, as it started this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// How a process that stood in for this one ended.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// What a command prints, without the line end; fails when the command does.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let shown = command.get_program().display().to_string();
    let output = command.output().context(&shown)?;
    if !output.status.success() {
        return Err(fail(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// What git says in a directory.
pub fn git(dir: &Path, args: &[&str]) -> Result<String, Failure> {
    output(git_command().arg("-C").arg(dir).args(args)).context(format!("git {}", args.join(" ")))
}

/// Git that looks at directories alone, also when a hook of another repository runs this program.
pub fn git_command() -> Command {
    Git::at(Path::new(".")).command(&[])
}
