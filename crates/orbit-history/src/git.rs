//! Git through its command line: a few long-lived processes for the walk, single calls for the rest.
//!
//! [`log`] streams commits with their diffs, [`blobs`] reads contents, [`renames`] asks which files git takes
//! for renamed, [`notes`] lists operation logs kept as notes.

pub(crate) mod blobs;
pub(crate) mod log;
pub(crate) mod notes;
pub(crate) mod renames;

use crate::error::HistoryError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name of a git object: 20 bytes, or 32 in a SHA-256 repository.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Oid {
    bytes: [u8; 32],
    len: u8,
}

impl Oid {
    /// From its hexadecimal form, of full length only.
    pub(crate) fn parse(hex: &[u8]) -> Option<Oid> {
        if hex.len() != 40 && hex.len() != 64 {
            return None;
        }
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Oid { bytes, len: (hex.len() / 2) as u8 })
    }

    /// From stored bytes.
    pub(crate) fn from_bytes(stored: &[u8]) -> Option<Oid> {
        let mut bytes = [0; 32];
        bytes.get_mut(..stored.len())?.copy_from_slice(stored);
        Some(Oid { bytes, len: stored.len() as u8 })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// What git writes where there is no object.
    pub(crate) fn is_null(&self) -> bool {
        self.bytes == [0; 32]
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Git in one worktree, untouched by what the user's settings would change about its output.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    root: PathBuf,
}

impl Git {
    pub(crate) fn at(root: &Path) -> Git {
        Git { root: root.to_owned() }
    }

    /// A git command with nothing on standard input.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        // A hook of this or another repository may run us: only the directory decides.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_REPLACE_OBJECTS", "1");
        command.arg("-C").arg(&self.root).args(args).stdin(Stdio::null());
        command
    }

    /// What a command prints; fails when the command does.
    pub(crate) fn output(&self, args: &[&str]) -> Result<Vec<u8>, HistoryError> {
        let output = self.command(args).output().map_err(|error| HistoryError::Git(error.to_string()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(HistoryError::Git(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }

    /// One line of text, or `None` when the command fails.
    pub(crate) fn line(&self, args: &[&str]) -> Option<String> {
        let output = self.output(args).ok()?;
        Some(String::from_utf8_lossy(&output).lines().next()?.to_owned())
    }

    /// The commit that HEAD is at; `None` before the first one.
    pub(crate) fn head(&self) -> Option<Oid> {
        let line = self.line(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
        Oid::parse(line.as_bytes())
    }
}

/// A failure to talk to a running git process.
pub(crate) fn broken(what: &str, error: &std::io::Error) -> HistoryError {
    HistoryError::Git(format!("{what}: {error}"))
}
