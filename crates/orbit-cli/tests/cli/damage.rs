//! What a user is told about a database that is broken, old or new.

use crate::program::{export, json, orbit};
use crate::worktree::Worktree;
use std::fs;

fn synced() -> Worktree {
    let worktree = Worktree::small();
    orbit(worktree.root(), &["sync"]).success();
    worktree
}

/// Sets the number that SQLite keeps for the schema's version: four bytes, big-endian, at offset 60.
fn set_version(worktree: &Worktree, version: u32) {
    let mut bytes = fs::read(worktree.database()).expect("a database");
    bytes[60..64].copy_from_slice(&version.to_be_bytes());
    fs::write(worktree.database(), bytes).expect("it is ours");
}

#[test]
fn damage_is_told_repaired_and_told_again() {
    let expected = export(synced().root());
    let whole = fs::metadata(synced().database()).unwrap().len();
    for kept in [0, 1, 100, 5000, whole / 2] {
        let worktree = synced();
        let file = fs::File::options().write(true).open(worktree.database()).unwrap();
        file.set_len(kept).unwrap();
        let failed = orbit(worktree.root(), &["search", "helper", "--json"]);
        let error = failed.error();
        assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("orbit graph sync")), "{error}");
        let told = orbit(worktree.root(), &["search", "helper"]);
        assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
        assert!(told.stderr.starts_with("error: ") && told.stderr.contains("\nhint: "), "{}", told.stderr);
        let report = json(worktree.root(), &["sync"]);
        let note = report["notes"][0].as_str().unwrap();
        assert!(note.contains("damaged") && note.contains("rebuilt"), "{kept} bytes: {note}");
        assert_eq!(export(worktree.root()), expected, "{kept} bytes");
    }
}

#[test]
fn a_rebuilt_index_is_noted_for_people() {
    let worktree = synced();
    fs::write(worktree.database(), "garbage ".repeat(4000)).unwrap();
    let told = orbit(worktree.root(), &["sync"]).success();
    assert!(told.lines().any(|line| line.starts_with("note: the index was damaged")), "{told}");
}

#[test]
fn full_repairs_damage_too() {
    let expected = export(synced().root());
    let worktree = synced();
    fs::write(worktree.database(), "garbage ".repeat(4000)).unwrap();
    orbit(worktree.root(), &["sync", "--full"]).success();
    assert_eq!(export(worktree.root()), expected);
}

#[test]
fn a_query_with_sync_repairs_damage_on_the_way() {
    let worktree = synced();
    fs::write(worktree.database(), "garbage ".repeat(4000)).unwrap();
    let found = json(worktree.root(), &["search", "helper", "--sync"]);
    assert_eq!(found["matches"][0]["name"], "helper");
}

#[test]
fn a_newer_index_is_refused_and_left_alone() {
    let worktree = synced();
    set_version(&worktree, 4_000_000);
    let before = fs::read(worktree.database()).unwrap();
    let refused: [&[&str]; 6] = [
        &["sync", "--json"],
        &["sync", "--full", "--json"],
        &["search", "helper", "--json"],
        &["search", "helper", "--sync", "--json"],
        &["overview", "--json"],
        &["export", "--json"],
    ];
    for args in refused {
        let error = orbit(worktree.root(), args).error();
        assert_eq!(error["code"], "index_newer", "{args:?}");
        assert!(error["message"].as_str().unwrap().contains("4000000"), "{error}");
        assert!(error["hint"].as_str().unwrap().contains("update orbit"), "{error}");
    }
    assert!(fs::read(worktree.database()).unwrap() == before, "the file changed");
    orbit(worktree.root(), &["db-path"]).success();
    orbit(worktree.root(), &["clean", "--confirm"]).success();
    orbit(worktree.root(), &["sync"]).success();
}

#[test]
fn an_older_index_is_rebuilt() {
    let worktree = synced();
    let expected = export(worktree.root());
    let _ = fs::remove_file(worktree.path(".orbit/graph/main.1.db-wal")); // readers may leave an empty one
    set_version(&worktree, 0);
    let report = json(worktree.root(), &["sync"]);
    assert!(report["notes"][0].as_str().unwrap().contains("rebuilt"), "{report}");
    assert_eq!(export(worktree.root()), expected);
}
