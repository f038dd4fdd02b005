//! A sync that is killed leaves the old answer or the new one, and the next sync repairs the rest.

use crate::large::{Large, Version};
use crate::program::{command, export, orbit};
use orbit_graph::{Graph, GraphError};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const FIRST_BUILDS: u32 = 20;
const LATER_SYNCS: u32 = 40;
const SIGKILL: i32 = 9;

/// Moments of a run of known length: one in each equal part, in a mixed order, at a seeded place inside it.
struct Moments {
    state: u32,
    count: u32,
}

impl Moments {
    fn new(count: u32) -> Moments {
        Moments { state: 0x5eed, count }
    }

    fn of_run(&mut self, run: u32, length: Duration) -> Duration {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let part = run * 7 % self.count;
        let inside = f64::from(self.state >> 8) / f64::from(1 << 24);
        length.mul_f64((f64::from(part) + inside) / f64::from(self.count))
    }
}

/// Starts a sync and kills it at a moment. Says whether it was still running then; if not, syncs take less time now
/// than when they were measured, and the next moment is chosen from a shorter run.
fn kill_sync(large: &Large, args: &[&str], moment: Duration, length: &mut Duration) -> bool {
    let was_running = kill_at(large, args, moment);
    if !was_running {
        *length = (*length).min(moment);
    }
    was_running
}

fn kill_at(large: &Large, args: &[&str], moment: Duration) -> bool {
    let mut child = command(large.worktree.root(), args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(moment);
    child.kill().expect("it is ours");
    child.wait().expect("it ends").signal() == Some(SIGKILL)
}

/// How long a sync takes when nobody kills it.
fn length(large: &Large, args: &[&str]) -> Duration {
    let started = Instant::now();
    orbit(large.worktree.root(), args).success();
    started.elapsed()
}

/// What the index says, without building one; `None` when there is none.
fn read(large: &Large) -> Option<Version> {
    let mut out = Vec::new();
    match Graph::open(large.worktree.root(), orbit_graph::SyncPolicy::Manual)
        .expect("the worktree")
        .export(&mut out)
    {
        Ok(()) => Some(large.version_of(&String::from_utf8(out).expect("UTF-8"))),
        Err(GraphError::Missing(_)) => None,
        Err(error) => panic!("a reader after a kill fails: {error}"),
    }
}

/// The next sync makes everything right and leaves nothing unfinished behind.
fn check_repaired(large: &Large, run: u32) {
    orbit(large.worktree.root(), &["sync"]).success();
    let export = export(large.worktree.root());
    assert_eq!(large.version_of(&export), large.at, "run {run}");
    let unfinished: Vec<String> =
        large.worktree.graph_files().into_iter().filter(|name| name.contains(".tmp-")).collect();
    assert_eq!(unfinished, [""; 0], "run {run}");
}

#[test]
fn a_killed_first_build_leaves_no_index_or_a_whole_one() {
    let large = Large::new();
    let mut length = length(&large, &["sync"]);
    let mut moments = Moments::new(FIRST_BUILDS);
    let mut killed = 0;
    for run in 0..FIRST_BUILDS {
        fs::remove_dir_all(large.worktree.path(".orbit")).unwrap();
        let moment = moments.of_run(run, length);
        killed += u32::from(kill_sync(&large, &["sync"], moment, &mut length));
        match read(&large) {
            None => assert!(!large.worktree.database().exists()),
            Some(version) => assert_eq!(version, Version::Old),
        }
        check_repaired(&large, run);
    }
    assert!(killed >= FIRST_BUILDS / 2, "only {killed} of {FIRST_BUILDS} were killed in time");
}

/// Tells the reader to stop, also when the test fails.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn killed_syncs_never_disturb_readers() {
    let mut large = Large::new();
    orbit(large.worktree.root(), &["sync"]).success();
    let mut full = length(&large, &["sync", "--full"]);
    large.set(Version::New);
    let mut incremental = length(&large, &["sync"]);
    let root = large.worktree.root().to_owned();
    let (old, new) = (large.expected(Version::Old).to_owned(), large.expected(Version::New).to_owned());
    let (stop, reads) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut killed = 0;
    std::thread::scope(|scope| {
        let _stop = Stop(&stop);
        let reader = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let seen = export(&root);
                assert!(seen == old || seen == new, "a reader sees half an index");
                orbit(&root, &["search", "step1", "--json"]).json();
                reads.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mut moments = Moments::new(LATER_SYNCS);
        for run in 0..LATER_SYNCS {
            let before = large.at;
            let (args, length): (&[&str], &mut Duration) = if run % 3 == 0 {
                (&["sync", "--full"], &mut full)
            } else {
                large.set(before.other());
                (&["sync"], &mut incremental)
            };
            let moment = moments.of_run(run, *length);
            killed += u32::from(kill_sync(&large, args, moment, length));
            let seen = read(&large).expect("an index stays an index");
            assert!(seen == before || seen == large.at);
            check_repaired(&large, run);
            assert!(!reader.is_finished(), "the reader failed in run {run}");
        }
    });
    assert!(killed >= LATER_SYNCS / 2, "only {killed} of {LATER_SYNCS} were killed in time");
    assert!(reads.into_inner() > 0);
}

/// Several kills in a row, without a whole sync between them.
#[test]
fn a_sync_that_is_killed_again_and_again_gets_there_in_the_end() {
    let mut large = Large::new();
    let length = length(&large, &["sync"]);
    let mut moments = Moments::new(6);
    for run in 0..6 {
        let before = large.at;
        large.set(before.other());
        let args: &[&str] = if run % 2 == 0 { &["sync"] } else { &["sync", "--full"] };
        kill_at(&large, args, moments.of_run(run, length));
        assert!(read(&large).is_some());
    }
    check_repaired(&large, 6);
    orbit(large.worktree.root(), &["sync", "--full"]).success();
    check_repaired(&large, 7);
}
