//! Which files git itself takes for renamed, through one `git diff-tree --stdin`. Asked only for commits that
//! both add and remove files.

use super::{Oid, broken};
use crate::error::HistoryError;
use orbit_git::Git;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The process, started on the first question.
pub(crate) struct Renames {
    git: Git,
    running: Option<Running>,
}

struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    out: BufReader<ChildStdout>,
}

/// A line that is not a commit comes back as it is: it marks the end of an answer.
const END: u8 = b'.';

impl Renames {
    pub(crate) fn new(git: &Git) -> Renames {
        Renames { git: git.clone(), running: None }
    }

    /// Pairs of old and new path in a commit, against its first parent.
    pub(crate) fn of(&mut self, commit: Oid, parent: Oid) -> Result<Vec<(String, String)>, HistoryError> {
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(start(&self.git)?),
        };
        running.ask(commit, parent).map_err(|error| broken("git diff-tree", &error))
    }
}

fn start(git: &Git) -> Result<Running, HistoryError> {
    let mut child = git
        .command(&["diff-tree", "--stdin", "-r", "-z", "--raw", "--no-commit-id", "-O/dev/null"])
        .args(["-M", "--diff-filter=R", "--no-relative", "--ignore-submodules=all"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| broken("git diff-tree", &error))?;
    let stdin = child.stdin.take();
    let Some(out) = child.stdout.take() else { return Err(HistoryError::Git("no output".into())) };
    Ok(Running { child, stdin, out: BufReader::new(out) })
}

impl Running {
    fn ask(&mut self, commit: Oid, parent: Oid) -> std::io::Result<Vec<(String, String)>> {
        let closed = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        let question = format!("{commit} {parent}\n{}\n", END as char);
        self.stdin.as_mut().ok_or_else(closed)?.write_all(question.as_bytes())?;
        let mut pairs = Vec::new();
        loop {
            let first = *self.out.fill_buf()?.first().ok_or_else(closed)?;
            match first {
                END => {
                    self.out.skip_until(b'\n')?;
                    return Ok(pairs);
                }
                b':' => {
                    let _meta = self.field()?;
                    pairs.push((self.field()?, self.field()?));
                }
                _ => self.out.consume(1),
            }
        }
    }

    fn field(&mut self) -> std::io::Result<String> {
        let mut bytes = Vec::new();
        self.out.by_ref().read_until(0, &mut bytes)?;
        bytes.pop();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait(); // it ends with its input
    }
}
