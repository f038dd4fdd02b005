//! Answers from the history: one file per question. Read only; git is asked for HEAD, and for how far the history is
//! behind it.

pub(crate) mod blame;
pub(crate) mod cochange;
pub(crate) mod commit;
pub(crate) mod fallback;
pub(crate) mod history;
pub(crate) mod since;
pub(crate) mod subject;
pub(crate) mod task;

use crate::error::HistoryError;
use crate::git::{Oid, head};
use crate::location::HistoryLocation;
use crate::store::reach::{self, View};
use crate::store::{self, CommitId};
use crate::tasks::TaskIdPattern;
use orbit_git::Git;
use rusqlite::Connection;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The history as HEAD of a worktree sees it.
pub struct History {
    pub(crate) connection: Connection,
    pub(crate) view: View,
    staleness: Option<Staleness>,
    warnings: Vec<String>,
}

/// How far the history is behind HEAD.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Staleness {
    /// Commits that HEAD has and the history has not.
    pub commits_behind: usize,
    /// What to do about it.
    pub remedy: String,
}

const REMEDY: &str = "orbit graph sync --history";

impl History {
    /// Opens the history of the clone that `dir` belongs to, as the worktree's HEAD sees it. `task_id_pattern` is
    /// only compared with the one that was used.
    pub fn open(dir: &Path, task_id_pattern: Option<&str>) -> Result<History, HistoryError> {
        let location = HistoryLocation::of(dir)?;
        let connection = store::open_read(&location.database())?;
        let pattern = TaskIdPattern::choose(task_id_pattern, location.config()?.as_ref())?;
        let mut warnings = Vec::new();
        if let Some(used) = store::meta(&connection, "task_id_pattern")?.filter(|used| used != pattern.text())
        {
            warnings.push(format!(
                "task ids were found by `{used}`, not by `{}`; run `{REMEDY}` to read them again",
                pattern.text()
            ));
        }
        let git = Git::at(&location.root);
        let (view, staleness) = match head(&git) {
            Some(head) => view_of(&git, &connection, head)?,
            None => (View::default(), None),
        };
        Ok(History { connection, view, staleness, warnings })
    }

    /// How far the history is behind HEAD; `None` when it is not.
    pub fn staleness(&self) -> Option<&Staleness> {
        self.staleness.as_ref()
    }

    /// What a reader of any answer should know.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// What HEAD sees of the stored commits, and how many it sees that are not stored.
fn view_of(git: &Git, connection: &Connection, head: Oid) -> Result<(View, Option<Staleness>), HistoryError> {
    if let Some(id) = store::commit_id(connection, head)? {
        return Ok((reach::view(connection, id)?, None));
    }
    let tips = store::tips(connection)?;
    let listed = rev_list(git, &["--boundary"], head, &tips)?;
    let mut known: Vec<CommitId> = Vec::new();
    for boundary in listed.iter().filter_map(|line| line.strip_prefix('-')) {
        let sha = Oid::parse(boundary.as_bytes());
        known.extend(sha.map(|sha| store::commit_id(connection, sha)).transpose()?.flatten());
    }
    // The line of first parents goes on where the last unknown commit of HEAD's own line ends.
    if let Some(last) = rev_list(git, &["--first-parent"], head, &tips)?.last()
        && let Some(parent) = git.line(&["rev-parse", "--verify", "--quiet", &format!("{last}^1")])
        && let Some(id) =
            Oid::parse(parent.as_bytes()).map(|sha| store::commit_id(connection, sha)).transpose()?.flatten()
    {
        known.insert(0, id);
    }
    let commits_behind = listed.iter().filter(|line| !line.starts_with('-')).count();
    Ok((reach::view_of_all(connection, &known)?, Some(Staleness { commits_behind, remedy: REMEDY.into() })))
}

fn rev_list(git: &Git, args: &[&str], head: Oid, known: &[Oid]) -> Result<Vec<String>, HistoryError> {
    let fail = |error: std::io::Error| crate::git::broken("git rev-list", &error);
    let mut child = git
        .command(&["rev-list", "--ignore-missing", "--stdin"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(fail)?;
    if let Some(mut stdin) = child.stdin.take() {
        let text = known.iter().fold(format!("{head}\n"), |text, oid| text + &format!("^{oid}\n"));
        stdin.write_all(text.as_bytes()).map_err(fail)?;
    }
    let output = child.wait_with_output().map_err(fail)?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}
