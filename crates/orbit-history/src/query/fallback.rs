//! Where there is no history yet: what `git log` says about the file.

use super::Staleness;
use super::commit::{CommitRow, iso_date};
use super::history::{SymbolHistory, TaskCommit, TaskRow};
use super::subject::Subject;
use crate::error::HistoryError;
use crate::git::head;
use crate::location::HistoryLocation;
use crate::tasks::TaskIdPattern;
use orbit_git::Git;
use std::path::Path;

/// The commits of the file that a subject is in, read from git now.
pub fn git_log_fallback(
    dir: &Path,
    subject: &Subject,
    task_id_pattern: Option<&str>,
    limit: usize,
) -> Result<SymbolHistory, HistoryError> {
    let location = HistoryLocation::of(dir)?;
    let pattern = TaskIdPattern::choose(task_id_pattern, location.config()?.as_ref())?;
    let git = Git::at(&location.root);
    let mut answer = SymbolHistory {
        selector: subject.selector(),
        stable_id: None,
        lineage: Vec::new(),
        operations: Vec::new(),
        commits: Vec::new(),
        task_history: Vec::new(),
        staleness: None,
        source: "git_log_fallback",
        warnings: vec![
            "there is no history yet: these are the commits of the whole file, renames not followed".into(),
        ],
        total: 0,
        truncated: false,
    };
    if head(&git).is_none() {
        return Ok(answer);
    }
    let behind = git.line(&["rev-list", "--count", "HEAD"]).and_then(|count| count.parse().ok());
    answer.staleness = Some(Staleness { commits_behind: behind.unwrap_or(0), remedy: super::REMEDY.into() });
    let text = git.output(&["log", "--format=%H%x00%at%x00%an%x00%B%x00%x01", "--", subject.path()])?;
    let text = String::from_utf8_lossy(&text);
    let rows: Vec<&str> = text.split('\u{1}').map(str::trim_start).filter(|row| !row.is_empty()).collect();
    answer.total = rows.len();
    answer.truncated = rows.len() > limit;
    for row in rows {
        add(&mut answer, row, &pattern, limit);
    }
    Ok(answer)
}

fn add(answer: &mut SymbolHistory, row: &str, pattern: &TaskIdPattern, limit: usize) {
    let fields: Vec<&str> = row.split('\0').collect();
    let [sha, date, author, message, ..] = fields[..] else { return };
    let task_ids: Vec<String> = pattern.ids(message).into_iter().collect();
    let (sha, date) = (sha.to_owned(), iso_date(date.parse().unwrap_or(0)));
    let summary = message.lines().next().unwrap_or_default().to_owned();
    for task_id in &task_ids {
        let commit = TaskCommit { sha: sha.clone(), date: date.clone(), summary: summary.clone() };
        match answer.task_history.iter_mut().find(|task| task.task_id == *task_id) {
            Some(task) => task.commits.push(commit),
            None => answer.task_history.push(TaskRow { task_id: task_id.clone(), commits: vec![commit] }),
        }
    }
    if answer.commits.len() < limit {
        let author = author.to_owned();
        answer.commits.push(CommitRow { sha, date, author, summary, change: "modified", task_ids });
    }
}
