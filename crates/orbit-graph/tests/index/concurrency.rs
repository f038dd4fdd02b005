//! Syncs and readers at the same time, in one process.

use crate::compare::{assert_equals_fresh, difference};
use crate::moments::At;
use crate::tree::{FIXTURE, Tree};
use orbit_graph::{Phase, SyncReport};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What a report says when the work of another sync was used.
const WAITED: &str = "waited for a sync";

fn sync_at_once(tree: &Tree, count: usize) -> Vec<SyncReport> {
    thread::scope(|scope| {
        let syncs: Vec<_> = (0..count).map(|_| scope.spawn(|| tree.sync())).collect();
        syncs.into_iter().map(|sync| sync.join().expect("no sync fails")).collect()
    })
}

fn lock_file(tree: &Tree) -> PathBuf {
    let mut path = tree.database().into_os_string();
    path.push(".lock");
    path.into()
}

/// Waits until this many threads wait for a lock on the file.
fn await_waiters(file: &Path, count: usize) {
    let inode = format!(":{} ", std::fs::metadata(file).expect("the lock file").ino());
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let locks = std::fs::read_to_string("/proc/locks").expect("Linux");
        if locks.lines().filter(|line| line.contains("->") && line.contains(&inode)).count() >= count {
            return;
        }
        assert!(Instant::now() < deadline, "nobody waits for the lock:\n{locks}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn syncs_at_once_all_succeed() {
    for count in [2, 4] {
        let tree = Tree::of(FIXTURE);
        let files = tree.files().len() - 1;
        for report in sync_at_once(&tree, count) {
            assert_eq!(report.files_indexed, files, "{count} at once, first build");
        }
        assert_equals_fresh(&tree);
        tree.replace("py/pkg/base.py", "class Base", "class Case");
        tree.remove("go/helper.go");
        sync_at_once(&tree, count);
        let after = tree.sync();
        assert_eq!((after.files_changed, after.files_removed), (0, 0), "{count} at once, after edits");
        assert_equals_fresh(&tree);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn waiting_syncs_share_the_work_of_the_first() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    let lock = File::open(lock_file(&tree)).unwrap();
    lock.lock().unwrap();
    let reports: Vec<SyncReport> = thread::scope(|scope| {
        let syncs: Vec<_> = (0..4).map(|_| scope.spawn(|| tree.sync())).collect();
        await_waiters(&lock_file(&tree), 4);
        lock.unlock().unwrap();
        syncs.into_iter().map(|sync| sync.join().unwrap()).collect()
    });
    assert_equals_fresh(&tree);
    let shared =
        reports.iter().filter(|report| report.notes.iter().any(|note| note.contains(WAITED))).count();
    assert_eq!(shared, 3, "the first to get the lock begins after all four asked: {reports:#?}");
    for report in &reports {
        assert_eq!(report.files_changed, 1, "each tells what the one sync did");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_request_after_an_edit_is_not_answered_by_a_sync_from_before() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    thread::scope(|scope| {
        let edit_and_ask = || {
            tree.write("py/late.py", "def late(): pass\n");
            scope.spawn(|| {
                let report = tree.sync();
                assert!(report.notes.iter().all(|note| !note.contains(WAITED)), "{:?}", report.notes);
            });
            await_waiters(&lock_file(&tree), 1);
        };
        tree.sync_watched(&At::new(Phase::Extract, edit_and_ask));
    });
    assert!(tree.indexed().contains(&"py/late.py".to_owned()));
    assert_equals_fresh(&tree);
}

/// Ends the readers' loops, also when the test fails.
struct Done<'d>(&'d AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn readers_see_one_version_or_the_other() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    let texts = ["class Base", "class Case"];
    let mut versions = vec![tree.export()];
    tree.replace("py/pkg/base.py", texts[0], texts[1]);
    tree.sync();
    versions.push(tree.export());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let _done = Done(&done);
        for _ in 0..2 {
            scope.spawn(|| {
                let mut reads = 0;
                while !done.load(Ordering::Relaxed) || reads == 0 {
                    let seen = tree.export();
                    let shown = difference(&seen, &versions[0]).unwrap_or_default();
                    assert!(versions.contains(&seen), "read {reads} is neither version:\n{shown}");
                    reads += 1;
                }
            });
        }
        for round in 0..12 {
            tree.replace("py/pkg/base.py", texts[(round + 1) % 2], texts[round % 2]);
            if round % 3 == 2 {
                tree.sync_full()
            } else {
                tree.sync()
            };
        }
    });
}
