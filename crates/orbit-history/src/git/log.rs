//! `git log` as a stream of commits, parents before children, each with its diff against its first parent.
//!
//! One process for the whole walk. The output is read as it comes: the header's fields end with NUL, which no
//! message can hold; raw entries begin with `:`; every line of a patch begins with a mark of its own, so a
//! header is never taken for content.

use super::{Oid, broken};
use crate::error::HistoryError;
use orbit_git::Git;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};

/// A commit and what it changed.
#[derive(Debug)]
pub(crate) struct CommitDiff {
    pub(crate) sha: Oid,
    pub(crate) parents: Vec<Oid>,
    /// When it was authored, in seconds since the epoch.
    pub(crate) date: i64,
    pub(crate) author: String,
    pub(crate) email: String,
    pub(crate) message: String,
    pub(crate) files: Vec<FileDiff>,
    /// Submodule pointers that changed: they hold no files of this repository.
    pub(crate) submodules: usize,
}

/// A file that a commit changed.
#[derive(Debug)]
pub(crate) struct FileDiff {
    pub(crate) path: String,
    /// Before, when it was there.
    pub(crate) old: Option<Blob>,
    /// After, when it is there.
    pub(crate) new: Option<Blob>,
    pub(crate) hunks: Vec<Hunk>,
}

/// A file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) oid: Oid,
    /// A symbolic link's target is not a source text.
    pub(crate) is_link: bool,
}

/// The new side of a hunk without context: lines `start..start + len`, 1-based. `len` 0 is a deletion behind
/// line `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The running process.
pub(crate) struct Log {
    child: Child,
    out: BufReader<ChildStdout>,
}

const ARGS: [&str; 29] = [
    "-c",
    "log.showRoot=true",
    "log",
    "-O/dev/null",
    // Before what it is about: standard input is read where it is named.
    "--ignore-missing",
    "--stdin",
    "--reverse",
    "--topo-order",
    "--root",
    "--diff-merges=first-parent",
    "--no-renames",
    "--raw",
    "--no-abbrev",
    "-z",
    "-p",
    "-U0",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--no-relative",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-show-signature",
    "--no-mailmap",
    "--ignore-submodules=none",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--format=%x01%H%x00%P%x00%at%x00%an%x00%ae%x00%B%x00",
];

impl Log {
    /// Starts the walk: every commit that `head` leads to and none of `known` does.
    pub(crate) fn start(git: &Git, head: Oid, known: &[Oid]) -> Result<Log, HistoryError> {
        let mut child = git
            .command(&ARGS)
            .arg("--encoding=UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| broken("git log", &error))?;
        let fail = |error: std::io::Error| broken("git log", &error);
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(selection(head, known).as_bytes()).map_err(fail)?;
        }
        let Some(out) = child.stdout.take() else { return Err(HistoryError::Git("no output".into())) };
        Ok(Log { child, out: BufReader::with_capacity(1 << 18, out) })
    }

    /// The next commit; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<CommitDiff>, HistoryError> {
        let read = self.read_commit().map_err(|error| broken("git log", &error))?;
        if read.is_some() {
            return Ok(read);
        }
        let status = self.child.wait().map_err(|error| broken("git log", &error))?;
        if status.success() {
            Ok(None)
        } else {
            Err(HistoryError::Git(format!("git log ended with {status}")))
        }
    }

    fn read_commit(&mut self) -> std::io::Result<Option<CommitDiff>> {
        loop {
            match self.peek()? {
                None => return Ok(None),
                Some(1) => break,
                Some(0 | b'\n') => self.out.consume(1),
                Some(_) => return Err(bad("a commit was expected")),
            }
        }
        self.out.consume(1);
        let sha = Oid::parse(&self.field()?).ok_or_else(|| bad("no commit id"))?;
        let parents = self.field()?;
        let parents = parents.split(|byte| *byte == b' ').filter_map(Oid::parse).collect();
        let date = text(self.field()?).trim().parse().unwrap_or(0);
        let (author, email) = (text(self.field()?), text(self.field()?));
        let message = text(self.field()?).trim_end().to_owned();
        let mut commit =
            CommitDiff { sha, parents, date, author, email, message, files: Vec::new(), submodules: 0 };
        self.read_diff(&mut commit)?;
        Ok(Some(commit))
    }

    fn read_diff(&mut self, commit: &mut CommitDiff) -> std::io::Result<()> {
        let mut entries = Vec::new();
        loop {
            match self.peek()? {
                None | Some(1) => break,
                Some(0 | b'\n') => self.out.consume(1),
                Some(b':') => {
                    let meta = text(self.field()?);
                    let path = text(self.field()?);
                    entries
                        .push(RawEntry::parse(&meta, path).ok_or_else(|| bad("a raw entry was expected"))?);
                }
                Some(_) => {
                    self.read_patches(&mut entries)?;
                    break;
                }
            }
        }
        commit.submodules = entries.iter().filter(|entry| entry.is_submodule).count();
        commit.files =
            entries.into_iter().filter(|entry| !entry.is_submodule).map(|entry| entry.file).collect();
        Ok(())
    }

    /// Reads hunks until the next commit. Patches come in the order of the raw entries; a changed type (file to
    /// link) has two.
    fn read_patches(&mut self, entries: &mut [RawEntry]) -> std::io::Result<()> {
        let mut order = (0..entries.len())
            .flat_map(|at| std::iter::repeat_n(at, if entries[at].is_type_change { 2 } else { 1 }))
            .collect::<Vec<usize>>()
            .into_iter();
        let mut current = None;
        let mut line = Vec::new();
        loop {
            match self.peek()? {
                None | Some(0 | 1) => return Ok(()),
                Some(b'd' | b'@') => {
                    line.clear();
                    self.out.by_ref().read_until(b'\n', &mut line)?;
                }
                Some(_) => {
                    self.out.skip_until(b'\n')?;
                    continue;
                }
            }
            if line.starts_with(b"diff --git ") {
                current = order.next();
            } else if let (Some(at), Some(hunk)) = (current, parse_hunk(&line)) {
                entries[at].file.hunks.push(hunk);
            }
        }
    }

    fn peek(&mut self) -> std::io::Result<Option<u8>> {
        Ok(self.out.fill_buf()?.first().copied())
    }

    /// The bytes up to the next NUL.
    fn field(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.out.read_until(0, &mut bytes)?;
        if bytes.pop() == Some(0) { Ok(bytes) } else { Err(bad("the output ends early")) }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it has ended by itself unless the walk was given up
        let _ = self.child.wait();
    }
}

/// How many commits the walk will give.
pub(crate) fn count(git: &Git, head: Oid, known: &[Oid]) -> Result<usize, HistoryError> {
    let fail = |error: std::io::Error| broken("git rev-list", &error);
    let mut child = git
        .command(&["rev-list", "--count", "--ignore-missing", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(fail)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(selection(head, known).as_bytes()).map_err(fail)?;
    }
    let output = child.wait_with_output().map_err(fail)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0))
}

fn selection(head: Oid, known: &[Oid]) -> String {
    known.iter().fold(format!("{head}\n"), |text, oid| text + &format!("^{oid}\n"))
}

struct RawEntry {
    file: FileDiff,
    is_submodule: bool,
    is_type_change: bool,
}

impl RawEntry {
    /// `:100644 100644 <old> <new> M`
    fn parse(meta: &str, path: String) -> Option<RawEntry> {
        let mut parts = meta.strip_prefix(':')?.split(' ');
        let (old_mode, new_mode) = (parts.next()?, parts.next()?);
        let (old, new) = (Oid::parse(parts.next()?.as_bytes())?, Oid::parse(parts.next()?.as_bytes())?);
        let status = parts.next()?;
        let blob = |mode: &str, oid: Oid| {
            let is_file = mode.starts_with("100") || mode == "120000";
            (is_file && !oid.is_null()).then_some(Blob { oid, is_link: mode == "120000" })
        };
        let (old, new) = (blob(old_mode, old), blob(new_mode, new));
        Some(RawEntry {
            is_submodule: old.is_none() && new.is_none(),
            is_type_change: status.starts_with('T'),
            file: FileDiff { path, old, new, hunks: Vec::new() },
        })
    }
}

/// `@@ -a,b +c,d @@`
fn parse_hunk(line: &[u8]) -> Option<Hunk> {
    let line = std::str::from_utf8(line.get(..line.len().min(80))?).ok().or_else(|| {
        let valid = line.iter().position(|byte| !byte.is_ascii())?;
        std::str::from_utf8(&line[..valid]).ok()
    })?;
    let new = line.strip_prefix("@@ ")?.split(' ').nth(1)?.strip_prefix('+')?;
    let (start, len) = new.split_once(',').unwrap_or((new, "1"));
    Some(Hunk { start: start.parse().ok()?, len: len.parse().ok()? })
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn bad(what: &'static str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_read_from_their_headers() {
        assert_eq!(parse_hunk(b"@@ -1,2 +3,4 @@ fn x()\n"), Some(Hunk { start: 3, len: 4 }));
        assert_eq!(parse_hunk(b"@@ -1 +3 @@\n"), Some(Hunk { start: 3, len: 1 }));
        assert_eq!(parse_hunk(b"@@ -1,2 +0,0 @@\n"), Some(Hunk { start: 0, len: 0 }));
        assert_eq!(parse_hunk("@@ -1,2 +7,0 @@ \u{e4}\u{e4}".as_bytes()), Some(Hunk { start: 7, len: 0 }));
        assert_eq!(parse_hunk(b"@@ -1,2 +7,0 @@ \xff\xff"), Some(Hunk { start: 7, len: 0 }));
        assert_eq!(parse_hunk(b"@@ broken"), None);
    }
}
