//! The parts of a benchmark that run our own libraries, each in a process of its own. They answer in JSON.

use super::edits::{Edited, edits};
use crate::args::{Floor, FloorArgs};
use orbit_graph::{Graph, Lang, SyncOptions};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use xtask::failure::{Failure, fail};
use xtask::render;

/// What reading and parsing every file takes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ParseFloor {
    pub(super) files: usize,
    pub(super) bytes: u64,
    pub(super) lines: u64,
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
}

/// Does one part and prints what it found.
pub(crate) fn run(args: &FloorArgs) -> Result<ExitCode, Failure> {
    let threads = args.threads.max(1);
    let answer = match args.kind {
        Floor::Parse => serde_json::to_string(&parse(&args.dir, threads)?)?,
        Floor::Walk => orbit_graph::walk_only(&args.dir, threads)?.to_string(),
        Floor::Warm => serde_json::to_string(&warm(&args.dir, args.edits, threads)?)?,
    };
    render::line(answer);
    Ok(ExitCode::SUCCESS)
}

fn parse(root: &Path, threads: usize) -> Result<ParseFloor, Failure> {
    let files = orbit_graph::indexable_files(root, threads)?;
    let next = AtomicUsize::new(0);
    let (wall, cpu) = (Instant::now(), cpu_time());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((path, lang)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    parse_one(root, path, *lang);
                }
            });
        }
    });
    let (wall, cpu) = (wall.elapsed(), cpu_time().saturating_sub(cpu));
    let (bytes, lines) = sizes(root, &files);
    Ok(ParseFloor { files: files.len(), bytes, lines, wall, cpu })
}

fn parse_one(root: &Path, path: &str, lang: Lang) {
    if let Ok(bytes) = std::fs::read(root.join(path)) {
        orbit_extract::parse_only(path, lang, &bytes);
    }
}

/// Bytes and lines of all files. Not part of what is timed.
fn sizes(root: &Path, files: &[(String, Lang)]) -> (u64, u64) {
    let (mut bytes, mut lines) = (0, 0);
    for (path, _) in files {
        let content = std::fs::read(root.join(path)).unwrap_or_default();
        bytes += content.len() as u64;
        lines += content.split(|byte| *byte == b'\n').count() as u64 - 1;
    }
    (bytes, lines)
}

/// CPU time of this process so far, all threads.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Syncs after each edit, with the graph open all the time.
fn warm(root: &Path, count: usize, threads: usize) -> Result<Vec<Edited>, Failure> {
    let graph = Graph::open(root, orbit_graph::SyncPolicy::Manual)?;
    let options = SyncOptions { threads, ..SyncOptions::default() };
    graph.sync(&options)?;
    let mut edited = Vec::with_capacity(count);
    for edit in edits(root, count, threads)? {
        edit.make()?;
        let started = Instant::now();
        let report = graph.sync(&options)?;
        let wall = started.elapsed();
        if report.files_changed != 1 {
            return Err(fail(format!("{} files changed instead of one", report.files_changed)));
        }
        edited.push(Edited { wall, reresolved: report.files_reresolved });
        edit.revert()?;
        graph.sync(&options)?;
    }
    Ok(edited)
}
