//! Several programs at once on one worktree, and on worktrees of one repository.

use crate::large::{Large, Version};
use crate::program::{command, export, json, orbit, outcome};
use crate::worktree::Worktree;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Stdio};

fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = command(dir, args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn finish(children: Vec<Child>) -> Vec<serde_json::Value> {
    let finish = |child: Child| outcome(child.wait_with_output().expect("it ends")).json();
    children.into_iter().map(finish).collect()
}

#[test]
fn syncs_at_once_all_succeed() {
    let mut large = Large::new();
    let root = large.worktree.root().to_owned();
    let first = finish((0..4).map(|_| start(&root, &["sync", "--json"])).collect());
    for report in &first {
        assert_eq!(report["files_indexed"], first[0]["files_indexed"]);
    }
    assert_eq!(large.version_of(&export(&root)), Version::Old);
    large.set(Version::New);
    finish((0..2).map(|_| start(&root, &["sync", "--json"])).collect());
    assert_eq!(large.version_of(&export(&root)), Version::New);
    large.set(Version::Old);
    let full = start(&root, &["sync", "--full", "--json"]);
    finish(vec![full, start(&root, &["sync", "--json"])]);
    assert_eq!(large.version_of(&export(&root)), Version::Old);
    let report = json(&root, &["sync"]);
    assert_eq!((&report["files_changed"], &report["files_removed"]), (&0.into(), &0.into()));
}

#[test]
fn readers_and_a_sync_start_together_where_there_is_no_index() {
    let large = Large::new();
    let root = large.worktree.root();
    let mut children = vec![start(root, &["sync", "--json"])];
    children.extend((0..3).map(|_| start(root, &["search", "step1", "--json"])));
    for answer in finish(children).iter().skip(1) {
        assert!(answer["matches"].as_array().is_some_and(|matches| !matches.is_empty()), "{answer}");
    }
    assert_eq!(large.version_of(&export(root)), Version::Old);
}

#[test]
fn readers_do_not_wait_for_the_lock() {
    let worktree = Worktree::small();
    orbit(worktree.root(), &["sync"]).success();
    let mut lock = worktree.database().into_os_string();
    lock.push(".lock");
    let held = File::open(lock).unwrap();
    held.lock().unwrap();
    let found = json(worktree.root(), &["search", "helper"]);
    assert_eq!(found["matches"][0]["path"], "b.py");
    export(worktree.root());
    json(worktree.root(), &["overview"]);
}

/// The lock belongs to the process: killing it frees those who wait.
#[test]
fn a_waiting_sync_survives_the_death_of_the_one_before() {
    let mut large = Large::new();
    let root = large.worktree.root().to_owned();
    orbit(&root, &["sync"]).success();
    large.set(Version::New);
    let mut first = start(&root, &["sync", "--full"]);
    let others = (0..2).map(|_| start(&root, &["sync", "--json"])).collect();
    first.kill().unwrap();
    first.wait().unwrap();
    finish(others);
    assert_eq!(large.version_of(&export(&root)), Version::New);
}

#[test]
fn linked_worktrees_sync_side_by_side() {
    let main = Worktree::repository();
    main.write("a.py", "def run(): pass\n");
    main.commit("first");
    let outside = tempfile::tempdir().unwrap();
    let linked = outside.path().join("linked");
    main.git(&["worktree", "add", "-q", "-b", "side", linked.to_str().unwrap()]);
    std::fs::write(linked.join("b.py"), "def walk(): pass\n").unwrap();
    let reports = finish(vec![start(main.root(), &["sync", "--json"]), start(&linked, &["sync", "--json"])]);
    assert_eq!((&reports[0]["branch"], &reports[1]["branch"]), (&"main".into(), &"side".into()));
    assert_ne!(reports[0]["database_path"], reports[1]["database_path"]);
    assert_eq!(crate::program::indexed(main.root()), ["a.py"]);
    assert_eq!(crate::program::indexed(&linked), ["a.py", "b.py"]);
}
