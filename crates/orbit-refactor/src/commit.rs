//! `commit`: exactly the touched files, then the log of what was done to whom, as a file and as a note.
//!
//! A commit cannot hold a file that is named after it, so the log is written right after. Killed in between, the next
//! call finds the commit and writes the log then.

use crate::buffer::Step;
use crate::error::{RefactorError, Refusal};
use crate::fates::Fates;
use crate::log::{self, Contents};
use crate::session::Refactor;
use crate::worktree::{Worktree, hash};
use orbit_git::GitError;
use orbit_history::operations::{NOTES_REF, Operation, OperationLog, Producer, SCHEMA_VERSION};
use orbit_history::{History, HistoryOptions};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;

/// Who asks for a commit.
#[derive(Clone, Debug, Default)]
pub struct CommitOptions {
    /// The message.
    pub message: String,
    /// The agent that asked for the edits.
    pub agent: Option<String>,
    /// The agent's model.
    pub model: Option<String>,
}

/// What was committed.
#[derive(Clone, Debug, Serialize)]
pub struct Committed {
    /// In full.
    pub commit: String,
    /// The files, sorted by path.
    pub files: Vec<String>,
    /// As the log has them.
    pub operations: Vec<Operation>,
    /// The log, relative to the worktree.
    pub log: String,
    /// What a reader should know.
    pub warnings: Vec<String>,
}

impl Refactor {
    /// Commits the touched files and nothing else, writes the log, and brings index and history up to date.
    pub fn commit(&self, options: &CommitOptions) -> Result<Committed, RefactorError> {
        let mut buffer = self.desk.buffer()?;
        if buffer.steps.is_empty() {
            return Err(Refusal::new("nothing_buffered", "there is nothing to commit")
                .hint("refactor something first")
                .into());
        }
        let paths = self.unchanged_since(&buffer.steps)?;
        let changed = self.worktree.dirty(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let Some(parent) = self.worktree.head() else {
            return Err(Refusal::new("no_commit", "there is no commit to build on")
                .hint("make a first commit with git")
                .into());
        };
        if changed.is_empty() {
            return Err(Refusal::new("nothing_changed", "everything is as the last commit has it")
                .hint("`orbit refactor abort` forgets the steps")
                .into());
        }
        orbit_history::sync(&self.worktree.root, &HistoryOptions::default())?;
        let changed: Vec<&str> = changed.iter().map(String::as_str).collect();
        buffer.committing = Some(parent.clone());
        self.desk.save_buffer(&buffer)?;
        let committed = self.git_commit(&options.message, &changed);
        if let Err(error) = committed {
            buffer.committing = None;
            self.desk.save_buffer(&buffer)?;
            return Err(error);
        }
        self.write_log(&parent, options)
    }

    /// Writes the log of a commit that a killed process made.
    pub(crate) fn finish_commit(&self) -> Result<(), RefactorError> {
        let mut buffer = self.desk.buffer()?;
        let Some(parent) = buffer.committing.take() else { return Ok(()) };
        let before = self.worktree.git(&["rev-parse", "--verify", "--quiet", "HEAD^1"]).unwrap_or_default();
        if before.trim() == parent {
            return self.write_log(&parent, &CommitOptions::default()).map(drop);
        }
        self.desk.save_buffer(&buffer)
    }

    /// All touched paths; fails when somebody changed one since.
    fn unchanged_since(&self, steps: &[Step]) -> Result<Vec<String>, RefactorError> {
        let mut last: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for file in steps.iter().flat_map(|step| &step.files) {
            last.insert(&file.path, file.after.as_deref());
        }
        let mut other = Vec::new();
        for (path, expected) in &last {
            let now = self.worktree.read(path)?.map(|bytes| hash(&bytes));
            if now.as_deref() != *expected {
                other.push((*path).to_owned());
            }
        }
        if other.is_empty() {
            return Ok(last.into_keys().map(str::to_owned).collect());
        }
        let refusal = Refusal::new("changed", "files hold changes that no refactoring made").places(other);
        Err(refusal.hint("take them back, or commit everything with git instead").into())
    }

    fn git_commit(&self, message: &str, paths: &[&str]) -> Result<(), RefactorError> {
        self.worktree.git(&[&["add", "-A", "--"], paths].concat())?;
        self.worktree.git(&[&["commit", "-q", "-m", message, "--only", "--"], paths].concat())?;
        Ok(())
    }

    /// The log of HEAD, as a file and as a note.
    pub(crate) fn write_log(
        &self,
        parent: &str,
        options: &CommitOptions,
    ) -> Result<Committed, RefactorError> {
        let buffer = self.desk.buffer()?;
        let Some(sha) = self.worktree.head() else { return Err(RefactorError::Git("HEAD is gone".into())) };
        let history = History::open(&self.worktree.root, None)?;
        let mut warnings = Vec::new();
        let contents = Committing { worktree: &self.worktree, parent };
        let operations =
            log::operations(&Fates::of(&buffer.steps), &history, &contents, &sha, &mut warnings)?;
        drop(history);
        let producer = Producer {
            name: "orbit".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            agent: options.agent.clone(),
            model: options.model.clone(),
        };
        let log =
            OperationLog { schema_version: SCHEMA_VERSION, commit_sha: sha.clone(), producer, operations };
        let path = self.save_log(&log)?;
        self.desk.clear()?;
        self.graph.sync(&orbit_graph::SyncOptions::default())?;
        let report = orbit_history::sync(&self.worktree.root, &HistoryOptions::default())?;
        warnings.extend(report.warnings.into_iter().filter(|warning| warning.contains(&sha)));
        let listed = self.worktree.git(&["show", "--pretty=format:", "--name-only", "--no-renames", &sha])?;
        let files = listed.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Ok(Committed { commit: sha, files, operations: log.operations, log: path, warnings })
    }

    fn save_log(&self, log: &OperationLog) -> Result<String, RefactorError> {
        let mut text =
            serde_json::to_string_pretty(log).map_err(|error| RefactorError::Git(error.to_string()))?;
        text.push('\n');
        let path = format!(".orbit/operations/{}.json", log.commit_sha);
        let full = self.worktree.root.join(&path);
        let dir = self.worktree.root.join(".orbit/operations");
        fs::create_dir_all(&dir).map_err(RefactorError::file(&dir))?;
        crate::buffer::write_atomically(&full, text.as_bytes(), None)?;
        let file = full.to_string_lossy().into_owned();
        self.worktree.git(&["notes", "--ref", NOTES_REF, "add", "-f", "-F", &file, &log.commit_sha])?;
        Ok(path)
    }
}

/// Contents before the commit and after it.
struct Committing<'c> {
    worktree: &'c Worktree,
    parent: &'c str,
}

impl Contents for Committing<'_> {
    fn before(&self, path: &str) -> Result<Option<Vec<u8>>, RefactorError> {
        let object = format!("{}:{path}", self.parent);
        match self.worktree.git_here().output(&["cat-file", "blob", &object]) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(GitError::Failed(_)) => Ok(None),
            Err(error) => Err(RefactorError::Git(error.to_string())),
        }
    }

    fn now(&self, path: &str) -> Result<Option<Vec<u8>>, RefactorError> {
        self.worktree.read(path)
    }
}
