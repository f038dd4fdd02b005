//! What happens while a sync runs: files and the database change under it, readers look in.

use crate::compare::assert_equals_fresh;
use crate::tree::{FIXTURE, THREADS, Tree};
use orbit_graph::{Graph, GraphError, Phase, Progress, SyncMode, SyncOptions, SyncReport, clean};
use std::sync::Mutex;

/// Does something once, when a sync reaches a phase. `Extract` begins after the walk and before the first
/// file is read; `Resolve` begins inside the transaction, after the last.
pub(crate) struct At<F> {
    phase: Phase,
    action: Mutex<Option<F>>,
}

impl<F: FnOnce() + Send> At<F> {
    pub(crate) fn new(phase: Phase, action: F) -> At<F> {
        At { phase, action: Mutex::new(Some(action)) }
    }
}

impl<F: FnOnce() + Send> Progress for At<F> {
    fn start(&self, phase: Phase, _: usize) {
        if phase == self.phase
            && let Some(action) = self.action.lock().expect("no panic inside").take()
        {
            action();
        }
    }

    fn advance(&self, _: usize) {}
}

/// Syncs with something happening at a phase; panics when the phase is never reached.
fn sync_at(
    tree: &Tree,
    mode: SyncMode,
    phase: Phase,
    action: impl FnOnce() + Send,
) -> Result<SyncReport, GraphError> {
    let at = At::new(phase, action);
    let report = tree.graph().sync(&SyncOptions { mode, threads: THREADS, progress: &at });
    assert!(at.action.into_inner().expect("no panic inside").is_none(), "{phase:?} is never reached");
    report
}

/// Runs a test on the first build, and on an incremental sync that reads three changed files.
fn first_and_incremental(test: impl Fn(&Tree, SyncMode)) {
    let tree = Tree::of(FIXTURE);
    test(&tree, SyncMode::Auto);
    let tree = Tree::of(FIXTURE);
    tree.sync();
    for path in ["py/pkg/base.py", "go/store/methods.go", "web/shared/index.ts"] {
        tree.replace(path, "return", "return  ");
    }
    test(&tree, SyncMode::Auto);
    let tree = Tree::of(FIXTURE);
    tree.sync();
    test(&tree, SyncMode::Full);
}

#[test]
fn a_file_deleted_between_walk_and_read_is_left_out() {
    first_and_incremental(|tree, mode| {
        let before = tree.files().len();
        let report = sync_at(tree, mode, Phase::Extract, || tree.remove("py/pkg/base.py")).unwrap();
        assert_eq!(report.failed, []);
        let indexed = tree.indexed();
        assert!(!indexed.contains(&"py/pkg/base.py".to_owned()));
        assert_eq!(indexed.len(), before - 2, "only it and go.mod, which is not a source, are missing");
        assert_eq!(report.files_indexed, indexed.len());
        assert_equals_fresh(tree);
    });
}

#[test]
fn a_file_changed_between_walk_and_read_is_read_as_it_is() {
    first_and_incremental(|tree, mode| {
        let change = || tree.write("py/pkg/base.py", "def fresh(): pass\n");
        sync_at(tree, mode, Phase::Extract, change).unwrap();
        assert!(tree.export().contains("pkg.base.fresh"));
        assert_equals_fresh(tree);
    });
}

#[test]
fn a_file_changed_after_it_was_read_is_seen_by_the_next_sync() {
    first_and_incremental(|tree, mode| {
        // The same size, and as soon as possible: only the bytes tell.
        let change = || tree.replace("py/pkg/base.py", "class Base", "class Case");
        sync_at(tree, mode, Phase::Resolve, change).unwrap();
        assert_equals_fresh(tree);
        assert!(tree.export().contains("pkg.base.Case"));
    });
}

#[test]
fn a_file_that_becomes_a_directory_is_left_out() {
    first_and_incremental(|tree, mode| {
        let change = || {
            tree.remove("py/pkg/base.py");
            tree.write("py/pkg/base.py/inner.py", "def inside(): pass\n");
        };
        let report = sync_at(tree, mode, Phase::Extract, change).unwrap();
        assert_eq!(report.failed, []);
        assert!(!tree.indexed().contains(&"py/pkg/base.py".to_owned()));
        assert_equals_fresh(tree);
        assert!(tree.indexed().contains(&"py/pkg/base.py/inner.py".to_owned()));
    });
}

#[test]
fn a_file_that_grows_over_the_cap_is_skipped() {
    first_and_incremental(|tree, mode| {
        let change = || tree.write("py/pkg/base.py", "# text\n".repeat(1 << 20));
        let report = sync_at(tree, mode, Phase::Extract, change).unwrap();
        let skipped: Vec<(&str, &str)> =
            report.skipped.iter().map(|skip| (skip.path.as_str(), skip.reason.as_str())).collect();
        assert_eq!(skipped, [("py/pkg/base.py", "oversize")]);
        assert_equals_fresh(tree);
    });
}

#[test]
fn a_new_file_during_a_sync_waits_for_the_next() {
    first_and_incremental(|tree, mode| {
        sync_at(tree, mode, Phase::Resolve, || tree.write("py/late.py", "def late(): pass\n")).unwrap();
        assert_equals_fresh(tree);
        assert!(tree.indexed().contains(&"py/late.py".to_owned()));
    });
}

#[test]
fn readers_see_the_old_index_until_the_new_one_is_whole() {
    for mode in [SyncMode::Auto, SyncMode::Full] {
        for phase in [Phase::Extract, Phase::Resolve] {
            let tree = Tree::of(FIXTURE);
            tree.sync();
            let before = tree.export();
            tree.replace("py/pkg/base.py", "class Base", "class Case");
            let seen = Mutex::new(String::new());
            sync_at(&tree, mode, phase, || *seen.lock().unwrap() = tree.export()).unwrap();
            assert_eq!(*seen.lock().unwrap(), before, "{mode:?} {phase:?}");
            assert_ne!(tree.export(), before);
        }
    }
}

#[test]
fn there_is_no_index_until_the_first_one_is_whole() {
    for phase in [Phase::Extract, Phase::Resolve] {
        let tree = Tree::of(FIXTURE);
        let seen = Mutex::new(None);
        let look = || *seen.lock().unwrap() = tree.graph().export(&mut Vec::new()).err();
        sync_at(&tree, SyncMode::Auto, phase, look).unwrap();
        let code = seen.into_inner().unwrap().map(|error| error.code());
        assert_eq!(code, Some("index_missing"), "{phase:?}");
    }
}

/// Takes the index away in the middle of a sync. The sync may fail, with a reason; the next one is right.
fn check_removal(remove: impl Fn(&Tree) + Sync) {
    for phase in [Phase::Extract, Phase::Resolve] {
        first_and_incremental(|tree, mode| {
            if let Err(error) = sync_at(tree, mode, phase, || remove(tree)) {
                let known = ["state_unwritable", "database_failed", "index_missing"];
                assert!(known.contains(&error.code()), "{error}");
            }
            assert_equals_fresh(tree);
            let unfinished = tree.graph_files().into_iter().find(|name| name.contains(".tmp-"));
            assert_eq!(unfinished, None, "an unfinished build is left behind");
        });
    }
}

#[test]
fn the_database_is_deleted_during_a_sync() {
    check_removal(|tree| {
        let _ = std::fs::remove_file(tree.database()); // a first build has none yet
    });
}

#[test]
fn the_whole_state_is_deleted_during_a_sync() {
    check_removal(|tree| std::fs::remove_dir_all(tree.path(".orbit")).unwrap());
}

#[test]
fn clean_runs_during_a_sync() {
    check_removal(|tree| {
        clean(tree.root(), true).unwrap();
    });
}

#[test]
fn a_reader_that_stays_open_does_not_hold_up_a_sync() {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    let reader = rusqlite::Connection::open(tree.database()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM files;").unwrap();
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    assert_equals_fresh(&tree);
    tree.sync_full();
    let seen = "SELECT count(*) FROM symbols WHERE name = 'Case'";
    let count: i64 = reader.query_row(seen, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 0, "a snapshot stays as it was");
    reader.execute_batch("COMMIT").unwrap();
    let count: i64 = reader.query_row(seen, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
}

#[test]
fn a_handle_opened_before_the_first_sync_reads_after_it() {
    let tree = Tree::of(FIXTURE);
    let early: Graph = tree.graph();
    assert!(!early.location().unwrap().database.exists());
    tree.sync();
    assert!(early.location().unwrap().database.exists());
    early.export(&mut Vec::new()).unwrap();
}
