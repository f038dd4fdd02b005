//! Making the index say what is on disk.
//!
//! ```text
//! lock ─▶ walk ─▶ scan (what changed) ─▶ extract (parallel) ─▶ resolve ─▶ write (one transaction)
//! ```
//!
//! A missing index is built into a file beside it and renamed into place; an existing one is changed in one
//! transaction. Killed at any moment, a sync leaves the old index or the new one.

mod build;
mod extract;
mod incremental;
mod lock;
mod scan;
mod unread;
mod versions;

pub(crate) use incremental::stored_layout;

use crate::error::GraphError;
use crate::location::{self, Location, with_suffix};
use crate::store::{self, readers};
use crate::walk::{self, Skipped};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How much is looked at again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMode {
    /// Only files whose size, time or bytes changed.
    #[default]
    Auto,
    /// Everything, from nothing.
    Full,
}

/// The parts of a sync that take time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading and parsing files.
    Extract,
    /// Finding what references mean, and writing.
    Resolve,
}

/// Told how far a sync is. Called from several threads.
pub trait Progress: Sync {
    /// A phase begins that has `total` steps.
    fn start(&self, phase: Phase, total: usize);
    /// `steps` more are done.
    fn advance(&self, steps: usize);
}

/// Says nothing.
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: Phase, _: usize) {}
    fn advance(&self, _: usize) {}
}

/// What a sync may use.
pub struct SyncOptions<'p> {
    /// How much is looked at.
    pub mode: SyncMode,
    /// Threads for walking, extracting and resolving.
    pub threads: usize,
    /// Who is told.
    pub progress: &'p dyn Progress,
}

impl Default for SyncOptions<'_> {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        SyncOptions { mode: SyncMode::Auto, threads, progress: &Silent }
    }
}

/// A file that could not be indexed although it should have been.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// Relative to the worktree.
    pub path: String,
    /// What happened.
    pub error: String,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncReport {
    /// Files in the index now.
    pub files_indexed: usize,
    /// Files added or changed.
    pub files_changed: usize,
    /// Files that are gone.
    pub files_removed: usize,
    /// From the request to the answer.
    pub duration_ms: u64,
    /// The database.
    pub database_path: String,
    /// Its branch.
    pub branch: String,
    /// Files left out, with the reason.
    pub skipped: Vec<Skipped>,
    /// Files that failed.
    pub failed: Vec<Failed>,
    /// What was noticed on the way: a rebuilt database, a sync by another process.
    pub notes: Vec<String>,
    /// Files resolved again because another file changed.
    pub files_reresolved: usize,
}

/// Brings the index of a worktree up to date.
pub(crate) fn sync(location: &Location, options: &SyncOptions<'_>) -> Result<SyncReport, GraphError> {
    let (started, requested_at) = (Instant::now(), now_ns());
    location.prepare()?;
    let lock = lock::acquire(location)?;
    if lock.waited
        && options.mode == SyncMode::Auto
        && let Some(mut report) = lock.report_of_sync_since(requested_at)
    {
        report.duration_ms = started.elapsed().as_millis() as u64;
        report.notes.push("waited for a sync by another process".into());
        return Ok(report);
    }
    let began = now_ns();
    let mut report = run(location, options)?;
    store::settle(&location.database);
    report.duration_ms = started.elapsed().as_millis() as u64;
    lock.publish(began, &report);
    Ok(report)
}

fn run(location: &Location, options: &SyncOptions<'_>) -> Result<SyncReport, GraphError> {
    let walked_at = now_ns();
    let walked = walk::walk(&location.root, options.threads)?;
    let mut notes = Vec::new();
    let outcome = if location.database.exists() {
        update(location, options, &walked, walked_at)
    } else {
        build::fresh(location, options, &walked, walked_at)
    };
    let mut report = match outcome {
        Err(GraphError::Outdated(_)) => {
            notes.push("the index was of an older version and was built anew".into());
            remove_logs(&location.database);
            build::fresh(location, options, &walked, walked_at)?
        }
        Err(error) if error.is_corruption() => {
            let aside = set_aside(&location.database)?;
            notes.push(format!("the index was damaged ({error}); it was set aside as {aside} and rebuilt"));
            build::fresh(location, options, &walked, walked_at)?
        }
        other => other?,
    };
    if report.files_changed + report.files_removed > 0 || options.mode == SyncMode::Full || !notes.is_empty()
    {
        sweep(location);
    }
    report.notes.append(&mut notes);
    report.skipped.extend(walked.skipped);
    report.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    report.database_path = location.database.to_string_lossy().into_owned();
    location.branch().clone_into(&mut report.branch);
    Ok(report)
}

fn update(
    location: &Location,
    options: &SyncOptions<'_>,
    walked: &walk::Walked,
    walked_at: i64,
) -> Result<SyncReport, GraphError> {
    // Asked read-only first: opening for writing may already change a database of a newer version.
    drop(readers::open_read(&location.database)?);
    let connection = store::open_write(&location.database)?;
    match options.mode {
        SyncMode::Auto => incremental::update(location, &connection, options, walked, walked_at),
        SyncMode::Full => build::again(location, &connection, options, walked, walked_at),
    }
}

/// Moves a damaged database out of the way, its side files with it.
fn set_aside(database: &Path) -> Result<String, GraphError> {
    let aside = with_suffix(database, &format!(".corrupt-{}", now_ns() / 1_000_000));
    std::fs::rename(database, &aside).map_err(|error| GraphError::State(database.to_owned(), error))?;
    remove_logs(database);
    Ok(aside.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default())
}

/// Removes the log of a database that is about to be replaced.
fn remove_logs(database: &Path) {
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(with_suffix(database, suffix)); // may not exist
    }
}

/// Removes databases nobody will read again. One damaged copy is kept for a look.
fn sweep(location: &Location) {
    let mut leftovers = location::leftovers(location);
    let newest_aside = leftovers.iter().rposition(|leftover| leftover.reason == "set_aside");
    if let Some(newest) = newest_aside {
        leftovers.remove(newest);
    }
    for leftover in leftovers {
        let _ = std::fs::remove_file(&leftover.path); // another process may have been quicker
    }
}

pub(crate) fn now_ns() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i64)
}
