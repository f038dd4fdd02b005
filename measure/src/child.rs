//! Running a program and knowing what it cost.

use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;
use xtask::failure::{Context, Failure, fail};

/// What a process cost, with every process it started and waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    /// The most memory one of the processes had, in bytes. Linux lets a process begin with the figure of the
    /// one that started it, so a benchmark stays small itself.
    pub(crate) peak: u64,
}

/// Runs a program to its end. Its output goes through a file, so that reading it costs the program nothing.
pub(crate) fn run(command: &mut Command) -> Result<(Cost, String), Failure> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let started = Instant::now();
    let child = command.spawn().context(&shown)?;
    let used = child.wait4().context(&shown)?;
    let wall = started.elapsed();
    if !used.status.success() {
        let said = text(&mut stderr)?;
        let last = said.trim().lines().next_back().unwrap_or_default();
        return Err(fail(format!("{shown} ended with {}: {last}", used.status)));
    }
    let cost = Cost { wall, cpu: used.rusage.utime + used.rusage.stime, peak: used.rusage.maxrss };
    Ok((cost, text(&mut stdout)?))
}

fn text(file: &mut std::fs::File) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_time_memory_and_output() {
        let busy = "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; echo done";
        let (cost, output) = run(Command::new("sh").args(["-c", busy])).unwrap();
        assert_eq!(output, "done\n");
        assert!(cost.wall > Duration::ZERO && cost.cpu > Duration::ZERO && cost.peak > 0);
    }

    #[test]
    fn a_failing_process_says_why() {
        let failed = run(Command::new("sh").args(["-c", "echo first; echo broken >&2; exit 3"]));
        let message = failed.unwrap_err().to_string();
        assert!(message.contains("exit status: 3: broken"), "{message}");
    }
}
