//! Contents of blobs through one `git cat-file --batch`.

use super::{Oid, broken};
use crate::error::HistoryError;
use orbit_git::Git;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The running process. One per thread.
pub(crate) struct Blobs {
    child: Child,
    stdin: Option<ChildStdin>,
    out: BufReader<ChildStdout>,
}

impl Blobs {
    pub(crate) fn start(git: &Git) -> Result<Blobs, HistoryError> {
        let mut child = git
            .command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| broken("git cat-file", &error))?;
        let stdin = child.stdin.take();
        let Some(out) = child.stdout.take() else { return Err(HistoryError::Git("no output".into())) };
        Ok(Blobs { child, stdin, out: BufReader::with_capacity(1 << 16, out) })
    }

    /// The bytes of an object; `None` when git does not have it or it is larger than `most`.
    pub(crate) fn read(&mut self, oid: Oid, most: u64) -> std::io::Result<Option<Vec<u8>>> {
        let closed = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        self.stdin.as_mut().ok_or_else(closed)?.write_all(format!("{oid}\n").as_bytes())?;
        let mut header = String::new();
        if self.out.read_line(&mut header)? == 0 {
            return Err(closed());
        }
        let Some(size) = header.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok())
        else {
            return Ok(None);
        };
        if size > most {
            std::io::copy(&mut self.out.by_ref().take(size + 1), &mut std::io::sink())?;
            return Ok(None);
        }
        let mut bytes = vec![0; size as usize + 1];
        self.out.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(Some(bytes))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait(); // it ends with its input
    }
}
