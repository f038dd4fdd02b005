//! Git as a process.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Variables that make git look at another repository, index or object store than that of its directory, or change what
/// it prints. A hook of this or another repository may run us with any of them.
const SCRUBBED: [&str; 14] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Why git gave no answer.
#[derive(Debug)]
pub enum GitError {
    /// It could not be started.
    Start(std::io::Error),
    /// It failed; what it said.
    Failed(String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GitError::Start(error) => write!(f, "cannot run git: {error}"),
            GitError::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for GitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GitError::Start(error) => Some(error),
            GitError::Failed(_) => None,
        }
    }
}

/// Git in one directory. Only the directory decides which repository is meant, and messages are in English.
#[derive(Clone, Debug)]
pub struct Git {
    dir: PathBuf,
}

impl Git {
    /// In a worktree, or a directory inside of one.
    pub fn at(dir: &Path) -> Git {
        Git { dir: dir.to_owned() }
    }

    /// A command that has nothing on standard input.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        for name in SCRUBBED {
            command.env_remove(name);
        }
        // Without optional locks a `git status` of ours is never in the way of a commit of the user's.
        command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_REPLACE_OBJECTS", "1");
        command.arg("-C").arg(&self.dir).args(args).stdin(Stdio::null());
        command
    }

    /// What a command prints; fails when the command does.
    pub fn output(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = self.command(args).output().map_err(GitError::Start)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = if output.stderr.trim_ascii().is_empty() { &output.stdout } else { &output.stderr };
        Err(GitError::Failed(String::from_utf8_lossy(said).trim().to_owned()))
    }

    /// What a command prints, as text.
    pub fn text(&self, args: &[&str]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.output(args)?).into_owned())
    }

    /// The first line of what a command prints; `None` when it fails or prints nothing.
    pub fn line(&self, args: &[&str]) -> Option<String> {
        let text = self.text(args).ok()?;
        Some(text.lines().next()?.to_owned()).filter(|line| !line.is_empty())
    }

    /// The commit that is checked out, in full; `None` before the first one.
    pub fn head(&self) -> Option<String> {
        self.line(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    }

    /// Whether any local ref still leads to a commit. When git cannot be asked, yes.
    pub fn is_reachable(&self, commit: &str) -> bool {
        match self.output(&["for-each-ref", "--count=1", "--contains", commit]) {
            Ok(found) => !found.is_empty(),
            Err(GitError::Start(_)) => true,
            // The commit itself is gone.
            Err(GitError::Failed(message)) => {
                !message.contains("no such commit") && !message.contains("malformed object name")
            }
        }
    }
}
