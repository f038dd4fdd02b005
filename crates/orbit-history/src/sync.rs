//! Bringing the history up to HEAD.
//!
//! ```text
//! lock ─▶ what changed about the repository (deepened, new logs, new pattern)
//!      ─▶ git log ─read ahead (1 thread)─▶ Prepared ─outlines (N threads)─▶ walk (this thread) ─▶ history.db
//! ```
//!
//! Commits are written in batches of whole commits, parents first, so that a sync that is killed leaves a shorter
//! history, never a wrong one, and the next sync goes on from there.

mod lock;

use crate::error::HistoryError;
use crate::git::log::{self, Log};
use crate::git::{Oid, head};
use crate::location::HistoryLocation;
use crate::operations::read::Logs;
use crate::outlines::Outlines;
use crate::store::writer::Writer;
use crate::store::{self, CommitId, forget, reach};
use crate::tasks::TaskIdPattern;
use crate::walk::{Prepared, SHALLOW, Walker};
use orbit_git::Git;
use rusqlite::Connection;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Commits read ahead of the walk.
const AHEAD: usize = 48;
/// A batch is written after this many commits, or this much time.
const BATCH: usize = 1000;
const BATCH_TIME: Duration = Duration::from_secs(5);

/// Told how far a sync is.
pub trait HistoryProgress: Sync {
    /// This many commits are to be read.
    fn start(&self, total: usize);
    /// This many more are.
    fn advance(&self, commits: usize);
}

/// Progress that nobody wants to see.
pub struct Quiet;

impl HistoryProgress for Quiet {
    fn start(&self, _: usize) {}
    fn advance(&self, _: usize) {}
}

/// What a sync may use.
pub struct HistoryOptions<'p> {
    /// The pattern for task ids, when not the configured one.
    pub task_id_pattern: Option<&'p str>,
    /// Threads that parse.
    pub threads: usize,
    /// Who is told how many commits are done.
    pub progress: &'p dyn HistoryProgress,
}

impl Default for HistoryOptions<'_> {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        HistoryOptions { task_id_pattern: None, threads, progress: &Quiet }
    }
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HistoryReport {
    /// Commits that were added.
    pub commits_added: usize,
    /// Commits the history has now.
    pub commits: usize,
    /// Versions of files that were parsed.
    pub blobs_parsed: usize,
    /// From the request to the answer.
    pub duration_ms: u64,
    /// Where `history.db` is.
    pub database_path: String,
    /// HEAD; `null` in a repository without commits.
    pub head: Option<String>,
    /// The pattern for task ids that was used.
    pub task_id_pattern: String,
    /// Changed submodule pointers, which have no files here.
    pub submodules_skipped: usize,
    /// What a reader should know: operation logs that were not followed, another pattern, a shallow clone.
    pub warnings: Vec<String>,
}

/// Brings the history of the clone that `dir` belongs to up to HEAD.
pub fn sync(dir: &Path, options: &HistoryOptions<'_>) -> Result<HistoryReport, HistoryError> {
    let started = Instant::now();
    let location = HistoryLocation::of(dir)?;
    let pattern = TaskIdPattern::choose(options.task_id_pattern, location.config()?.as_ref())?;
    location.prepare()?;
    let _lock = lock::acquire(&location)?;
    let connection = store::open_write(&location.database())?;
    let git = Git::at(&location.root);
    let mut report = HistoryReport {
        database_path: location.database().to_string_lossy().into_owned(),
        task_id_pattern: pattern.text().to_owned(),
        ..HistoryReport::default()
    };
    follow_pattern(&connection, &pattern, &mut report)?;
    if let Some(head) = head(&git) {
        report.head = Some(head.to_string());
        let logs = Logs::find(&location, &git);
        let shallow = location.shallow();
        look_again(&connection, logs, &shallow, &location, &mut report)?;
        if !shallow.is_empty() {
            report.warnings.push("the clone is shallow: history begins where it is cut off".into());
        }
        let context = Context { location: &location, git: &git, head, pattern: &pattern, options };
        context.walk(&connection, shallow, &mut report)?;
    }
    report.commits =
        connection.query_row("SELECT count(*) FROM commits", [], |row| row.get::<_, u32>(0))? as usize;
    report.duration_ms = started.elapsed().as_millis() as u64;
    Ok(report)
}

/// Reads all stored messages again when the pattern is another one than before.
fn follow_pattern(
    connection: &Connection,
    pattern: &TaskIdPattern,
    report: &mut HistoryReport,
) -> Result<(), HistoryError> {
    const KEY: &str = "task_id_pattern";
    let before = store::meta(connection, KEY)?;
    if before.as_deref() == Some(pattern.text()) {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE; DELETE FROM task_commits; DELETE FROM tasks;")?;
    let mut messages = connection.prepare("SELECT commit_id, text FROM messages ORDER BY commit_id")?;
    let mut rows = messages.query([])?;
    while let Some(row) = rows.next()? {
        let text: String = row.get(1)?;
        store::writer::tasks(connection, row.get(0)?, &pattern.ids(&text))?;
    }
    store::set_meta(connection, KEY, pattern.text())?;
    connection.execute_batch("COMMIT")?;
    if let Some(before) = before {
        let now = pattern.text();
        report
            .warnings
            .push(format!("task ids were found by `{before}`; all messages were read again with `{now}`"));
    }
    Ok(())
}

/// Takes back commits whose parents came in since, or whose operation log is new or another one.
fn look_again(
    connection: &Connection,
    mut logs: Logs,
    shallow: &BTreeSet<Oid>,
    location: &HistoryLocation,
    report: &mut HistoryReport,
) -> Result<(), HistoryError> {
    const KEY: &str = "operation_logs";
    let mut again: Vec<CommitId> = Vec::new();
    let mut cut = connection.prepare("SELECT id, sha FROM commits WHERE flags & ?1 <> 0")?;
    let mut rows = cut.query([SHALLOW])?;
    while let Some(row) = rows.next()? {
        let sha = Oid::from_bytes(&row.get::<_, Vec<u8>>(1)?);
        if sha.is_some_and(|sha| !shallow.contains(&sha)) {
            again.push(row.get(0)?);
        }
    }
    drop(rows);
    let is_new = store::meta(connection, KEY)?.as_deref() != Some(&logs.fingerprint);
    if is_new {
        for sha in logs.commits() {
            let Some(id) = store::commit_id(connection, sha)? else { continue };
            let known: Option<Vec<u8>> =
                connection.query_row("SELECT log_hash FROM commits WHERE id = ?1", [id], |row| row.get(0))?;
            if let Some(log) = logs.of(sha)?
                && known.as_deref() != Some(&log.hash()[..])
            {
                again.push(id);
            }
        }
    }
    if is_new || !again.is_empty() {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        store::set_meta(connection, KEY, &logs.fingerprint)?;
        let count = forget::forget(connection, &again)?;
        if count > 0 {
            store::set_meta(connection, store::WALK, "open")?;
        }
        connection.execute_batch("COMMIT")?;
        if count > 0 {
            let root = location.root.display();
            report
                .warnings
                .push(format!("{count} commits of {root} were read again: more is known about them"));
        }
    }
    Ok(())
}

struct Context<'s> {
    location: &'s HistoryLocation,
    git: &'s Git,
    head: Oid,
    pattern: &'s TaskIdPattern,
    options: &'s HistoryOptions<'s>,
}

impl Context<'_> {
    fn walk(
        &self,
        connection: &Connection,
        shallow: BTreeSet<Oid>,
        report: &mut HistoryReport,
    ) -> Result<(), HistoryError> {
        let first_new = store::writer::next_symbol(connection)?;
        if store::commit_id(connection, self.head)?.is_none() {
            let known = store::tips(connection)?;
            store::set_meta(connection, store::WALK, "open")?;
            self.options.progress.start(log::count(self.git, self.head, &known)?);
            self.walk_from(connection, &known, shallow, report)?;
        }
        let Some(head) = store::commit_id(connection, self.head)? else { return Ok(()) };
        if !reach::is_kept(connection, head)? {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            reach::keep(connection, head)?;
            store::set_meta(connection, store::WALK, "done")?;
            forget::give_back(connection, first_new)?;
            connection.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    fn walk_from(
        &self,
        connection: &Connection,
        known: &[Oid],
        shallow: BTreeSet<Oid>,
        report: &mut HistoryReport,
    ) -> Result<(), HistoryError> {
        let mut log = Log::start(self.git, self.head, known)?;
        let writer = Writer::new(connection)?;
        std::thread::scope(|scope| {
            let (outlines, workers) = Outlines::start(scope, self.git, self.options.threads)?;
            let (ahead, commits) = crossbeam_channel::bounded(AHEAD);
            let requests = std::sync::Arc::clone(&outlines);
            let reader = scope.spawn(move || {
                loop {
                    let next = log.next().transpose();
                    let Some(next) = next else { return };
                    let prepared = next.map(|diff| Prepared::new(diff, &requests));
                    if ahead.send(prepared).is_err() {
                        return; // the walk has ended
                    }
                }
            });
            let logs = Logs::find(self.location, self.git);
            let mut walker = Walker::new(
                writer,
                self.git,
                std::sync::Arc::clone(&outlines),
                logs,
                self.pattern.clone(),
                shallow,
            );
            let result = self.write(connection, &mut walker, commits);
            report.commits_added = walker.commits;
            report.submodules_skipped = walker.submodules;
            report.warnings.append(&mut walker.warnings);
            drop(walker);
            let _ = reader.join(); // a panic there shows as an early end of the commits
            report.blobs_parsed = outlines.parsed();
            drop(outlines);
            for worker in workers {
                let _ = worker.join();
            }
            result
        })
    }

    /// Writes commits in batches until there are no more.
    fn write(
        &self,
        connection: &Connection,
        walker: &mut Walker<'_>,
        commits: crossbeam_channel::Receiver<Result<Prepared, HistoryError>>,
    ) -> Result<(), HistoryError> {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let (mut in_batch, mut began) = (0, Instant::now());
        for prepared in commits {
            let added = prepared.and_then(|prepared| walker.add(prepared));
            if let Err(error) = added {
                // A commit that was half written is taken back with its batch.
                connection.execute_batch("ROLLBACK")?;
                return Err(error);
            }
            self.options.progress.advance(1);
            in_batch += 1;
            if in_batch >= BATCH || began.elapsed() > BATCH_TIME {
                connection.execute_batch("COMMIT; BEGIN IMMEDIATE")?;
                (in_batch, began) = (0, Instant::now());
            }
        }
        connection.execute_batch("COMMIT")?;
        Ok(())
    }
}
