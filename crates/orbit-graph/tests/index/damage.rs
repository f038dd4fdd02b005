//! Databases that are broken, old, new or half gone.

use crate::compare::{assert_equals_fresh, difference};
use crate::tree::{FIXTURE, Tree};
use orbit_graph::{GraphError, Silent, SyncMode, SyncOptions, SyncReport};
use std::fs;
use std::path::PathBuf;

const PAGE: usize = 8192;

/// An indexed worktree whose database has been cleanly closed.
fn synced() -> Tree {
    let tree = Tree::of(FIXTURE);
    tree.sync();
    tree
}

fn beside(tree: &Tree, suffix: &str) -> PathBuf {
    let mut path = tree.database().into_os_string();
    path.push(suffix);
    path.into()
}

/// Bytes that are not a database, the same in every run.
fn garbage(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Readers say what is wrong, a sync rebuilds and says so, and nothing is lost.
fn check_rebuilt(tree: &Tree, what: &str) {
    let error = tree.graph().export(&mut Vec::new()).expect_err(what);
    assert!(["index_damaged", "database_failed"].contains(&error.code()), "{what}: {error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("orbit graph sync")), "{what}: {:?}", error.hint());
    let report = assert_equals_fresh(tree);
    assert_said(&report, what);
    let aside: Vec<String> =
        tree.graph_files().into_iter().filter(|name| name.contains(".corrupt-")).collect();
    assert_eq!(aside.len(), 1, "{what}: set aside for a look");
    assert!(report.notes[0].contains(&aside[0]), "{what}: {:?} does not name {aside:?}", report.notes);
}

fn assert_said(report: &SyncReport, what: &str) {
    let said = report.notes.iter().any(|note| note.contains("damaged") && note.contains("rebuilt"));
    assert!(said, "{what}: {:?}", report.notes);
}

#[test]
fn a_truncated_database_is_rebuilt() {
    let len = fs::metadata(synced().database()).unwrap().len() as usize;
    for kept in [0, 1, 50, 100, PAGE - 1, PAGE, PAGE * 3, len / 2, len - PAGE - 1, len - PAGE] {
        let tree = synced();
        let file = fs::File::options().write(true).open(tree.database()).unwrap();
        file.set_len(kept as u64).unwrap();
        check_rebuilt(&tree, &format!("{kept} of {len} bytes"));
    }
}

#[test]
fn a_database_of_garbage_is_rebuilt() {
    for len in [10, 100, PAGE, 50 * PAGE] {
        let tree = synced();
        fs::write(tree.database(), garbage(len)).unwrap();
        check_rebuilt(&tree, &format!("{len} bytes of garbage"));
        let tree = synced();
        fs::write(tree.database(), vec![0; len]).unwrap();
        check_rebuilt(&tree, &format!("{len} zero bytes"));
    }
}

#[test]
fn a_database_with_a_broken_header_is_rebuilt() {
    let tree = synced();
    let mut bytes = fs::read(tree.database()).unwrap();
    bytes[..40].copy_from_slice(&garbage(40));
    fs::write(tree.database(), bytes).unwrap();
    check_rebuilt(&tree, "a broken header");
}

/// Damage deep inside is found by whoever reads it: never a panic, never a sync that fails for it, and a
/// build from nothing repairs it.
#[test]
fn a_broken_page_is_found_and_repaired() {
    let expected = synced().export();
    let pages = fs::metadata(synced().database()).unwrap().len() as usize / PAGE;
    for page in (1..pages).step_by(pages.div_ceil(12)) {
        let tree = synced();
        let mut bytes = fs::read(tree.database()).unwrap();
        bytes[page * PAGE..][..PAGE].copy_from_slice(&garbage(PAGE));
        fs::write(tree.database(), bytes).unwrap();
        let mut out = Vec::new();
        match tree.graph().export(&mut out) {
            Ok(()) => assert_eq!(String::from_utf8_lossy(&out), expected, "page {page}"),
            Err(error) => {
                assert!(["index_damaged", "database_failed"].contains(&error.code()), "page {page}: {error}");
            }
        }
        tree.replace("py/pkg/base.py", "class Base", "class Case");
        tree.sync();
        tree.sync_full();
        assert_equals_fresh(&tree);
    }
}

#[test]
fn a_damaged_index_is_told_from_a_busy_one() {
    let tree = synced();
    let mut bytes = fs::read(tree.database()).unwrap();
    for page in bytes.chunks_mut(PAGE).skip(1) {
        page.copy_from_slice(&garbage(PAGE)[..page.len()]);
    }
    fs::write(tree.database(), bytes).unwrap();
    let error = tree.graph().export(&mut Vec::new()).unwrap_err();
    assert_eq!(error.code(), "index_damaged", "{error}");
    assert_said(&assert_equals_fresh(&tree), "all pages but the first");
}

#[test]
fn a_log_of_garbage_beside_the_database_does_no_harm() {
    for (wal, shm) in [(garbage(40_000), None), (garbage(10), Some(garbage(32_768))), (vec![], None)] {
        let tree = synced();
        let before = tree.export();
        fs::write(beside(&tree, "-wal"), wal).unwrap();
        if let Some(shm) = shm {
            fs::write(beside(&tree, "-shm"), shm).unwrap();
        }
        assert_eq!(difference(&tree.export(), &before), None);
        tree.replace("py/pkg/base.py", "class Base", "class Case");
        assert_equals_fresh(&tree);
    }
}

/// The state of a process killed after a commit: the newest pages are in the log only.
fn with_open_log() -> Tree {
    let tree = synced();
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    let reader = rusqlite::Connection::open(tree.database()).expect("our own files");
    reader.execute_batch("BEGIN; SELECT count(*) FROM files;").expect("our own files");
    tree.sync();
    let (database, log) = (
        fs::read(tree.database()).expect("our own files"),
        fs::read(beside(&tree, "-wal")).expect("our own files"),
    );
    assert!(log.len() > PAGE);
    drop(reader);
    fs::write(tree.database(), database).expect("our own files");
    fs::write(beside(&tree, "-wal"), log).expect("our own files");
    let _ = fs::remove_file(beside(&tree, "-shm")); // closing may have removed it
    tree
}

#[test]
fn a_log_that_was_not_merged_counts() {
    let tree = with_open_log();
    assert!(tree.export().contains("pkg.base.Case"));
    let report = assert_equals_fresh(&tree);
    assert_eq!(report.notes, [""; 0]);
}

#[test]
fn a_lost_log_loses_nothing_but_time() {
    let tree = with_open_log();
    fs::remove_file(beside(&tree, "-wal")).unwrap();
    assert!(!tree.export().contains("pkg.base.Case"), "the answer from before");
    assert_equals_fresh(&tree);
    assert!(tree.export().contains("pkg.base.Case"));
}

#[test]
fn a_log_cut_short_loses_nothing_but_time() {
    for cut in [1, 31, 5000, 20_000] {
        let tree = with_open_log();
        let log = fs::read(beside(&tree, "-wal")).unwrap();
        fs::write(beside(&tree, "-wal"), &log[..log.len() - cut.min(log.len())]).unwrap();
        tree.export();
        assert_equals_fresh(&tree);
    }
}

fn set_version(tree: &Tree, version: u32) {
    let connection = rusqlite::Connection::open(tree.database()).expect("a database");
    connection.pragma_update(None, "user_version", version).expect("a database");
}

fn version(tree: &Tree) -> u32 {
    let connection = rusqlite::Connection::open(tree.database()).expect("a database");
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a database")
}

fn sync(tree: &Tree, mode: SyncMode) -> Result<SyncReport, GraphError> {
    tree.graph().sync(&SyncOptions { mode, threads: 2, progress: &Silent })
}

#[test]
fn a_newer_database_is_left_alone() {
    let tree = synced();
    let newer = version(&tree) + 1;
    set_version(&tree, newer);
    let before = fs::read(tree.database()).unwrap();
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    let refused = [
        sync(&tree, SyncMode::Auto).map(|_| ()),
        sync(&tree, SyncMode::Full).map(|_| ()),
        tree.graph().export(&mut Vec::new()),
        tree.graph().overview(None, orbit_graph::OverviewFormat::Summary).map(|_| ()),
    ];
    for outcome in refused {
        let error = outcome.unwrap_err();
        assert_eq!(error.code(), "index_newer");
        assert!(error.to_string().contains(&newer.to_string()), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("update orbit")), "{:?}", error.hint());
    }
    assert!(fs::read(tree.database()).unwrap() == before, "the file changed");
    assert!(!tree.graph_files().iter().any(|name| name.contains("corrupt")));
}

/// As a newer version leaves it when it is killed: its version is in the log only.
#[test]
fn a_newer_database_with_a_log_is_left_alone() {
    let tree = synced();
    let newer = version(&tree) + 1;
    let holder = rusqlite::Connection::open(tree.database()).unwrap();
    holder.pragma_update(None, "user_version", newer).unwrap();
    let files = [tree.database(), beside(&tree, "-wal")];
    let before = files.clone().map(|file| fs::read(file).unwrap());
    drop(holder);
    for (file, bytes) in files.iter().zip(&before) {
        fs::write(file, bytes).unwrap();
    }
    let error = sync(&tree, SyncMode::Auto).unwrap_err();
    assert_eq!(error.code(), "index_newer");
    for (file, bytes) in files.iter().zip(&before) {
        let name = file.extension().unwrap().to_string_lossy();
        assert!(fs::read(file).is_ok_and(|now| now == *bytes), "{name} changed");
    }
}

#[test]
fn an_older_database_is_rebuilt() {
    let tree = synced();
    let current = version(&tree);
    set_version(&tree, current - 1);
    let report = assert_equals_fresh(&tree);
    assert!(report.notes[0].contains("older version"), "{:?}", report.notes);
    assert_eq!(version(&tree), current);
    assert!(!tree.graph_files().iter().any(|name| name.contains("corrupt")), "it was not damaged");

    let before = tree.export();
    set_version(&tree, current - 1);
    assert_eq!(tree.export(), before, "a question builds it anew, too");
    assert_eq!(version(&tree), current);
}

#[test]
fn a_database_that_lacks_a_table_is_rebuilt() {
    let tree = synced();
    let connection = rusqlite::Connection::open(tree.database()).unwrap();
    connection.execute_batch("DROP VIEW files; DROP TABLE file_rows;").unwrap();
    drop(connection);
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    assert_equals_fresh(&tree);
}

#[test]
fn facts_of_garbage_are_rebuilt() {
    let tree = synced();
    let connection = rusqlite::Connection::open(tree.database()).unwrap();
    connection.execute_batch("UPDATE fact_rows SET surface = x'ff00ff', uses = x'ff';").unwrap();
    drop(connection);
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    assert_said(&assert_equals_fresh(&tree), "facts of garbage");
}

#[test]
fn a_lock_file_of_garbage_does_not_matter() {
    let tree = synced();
    fs::write(beside(&tree, ".lock"), garbage(5000)).unwrap();
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    assert_equals_fresh(&tree);
}
