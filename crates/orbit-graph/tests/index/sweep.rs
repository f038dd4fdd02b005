//! Which files of the graph directory a sync removes, and which it never touches.

use crate::compare::assert_equals_fresh;
use crate::repository::{commit, git, with_commit};
use crate::tree::Tree;
use orbit_graph::EXTRACTOR_VERSION;

const FIXTURE: &str = "==> a.py\ndef run(): pass\n";

/// Puts a file into the graph directory, lets a sync that has something to do run, and says whether the file
/// is still there.
fn survives(tree: &Tree, name: &str) -> bool {
    let path = format!(".orbit/graph/{name}");
    tree.write(&path, "left behind");
    tree.write("a.py", format!("def run(): pass\n# {name}\n"));
    assert_equals_fresh(tree);
    tree.path(&path).exists()
}

#[test]
fn databases_of_older_extractors_go() {
    let tree = with_commit(FIXTURE);
    let old = EXTRACTOR_VERSION - 1;
    for name in [format!("main.{old}.db"), format!("other.{old}.db"), format!("worktree.{old}.db")] {
        for suffix in ["", "-wal", "-shm", ".lock", ".gate"] {
            assert!(!survives(&tree, &format!("{name}{suffix}")), "{name}{suffix}");
        }
    }
}

#[test]
fn databases_of_other_branches_and_of_newer_extractors_stay() {
    let tree = with_commit(FIXTURE);
    let new = EXTRACTOR_VERSION + 1;
    for name in [
        format!("other.{EXTRACTOR_VERSION}.db"),
        format!("feature_x.{EXTRACTOR_VERSION}.db"),
        format!("main.{new}.db"),
        "notes.txt".to_owned(),
    ] {
        assert!(survives(&tree, &name), "{name}");
    }
}

#[test]
fn a_branch_whose_name_looks_like_something_else_keeps_its_index() {
    let tree = with_commit(FIXTURE);
    let branches = ["v1.0.db", "fix.tmp-files", "fix.corrupt-index", "detached-work"];
    let lost: Vec<&str> = branches
        .into_iter()
        .filter(|branch| !survives(&tree, &format!("{branch}.{EXTRACTOR_VERSION}.db")))
        .collect();
    assert_eq!(lost, [""; 0], "swept although they are of this extractor and of branches");
}

#[test]
fn detached_databases_go_when_their_commit_cannot_be_reached() {
    let tree = with_commit(FIXTURE);
    let kept = commit(&tree, "kept");
    git(tree.root(), &["checkout", "-q", "--detach"]);
    tree.write("a.py", "def walk(): pass\n");
    let lost = commit(&tree, "lost");
    tree.sync();
    let of_lost = tree.database();
    git(tree.root(), &["checkout", "-q", &kept]);
    tree.sync();
    let of_kept = tree.database();
    assert_ne!(of_lost, of_kept);
    assert!(!of_lost.exists(), "{lost} is on no branch");
    git(tree.root(), &["checkout", "-q", "main"]);
    tree.sync();
    assert!(of_kept.exists(), "{kept} is on main");
    assert_equals_fresh(&tree);
}

#[test]
fn detached_databases_go_when_their_commit_does_not_exist() {
    let tree = with_commit(FIXTURE);
    assert!(!survives(&tree, &format!("detached-0123456789ab.{EXTRACTOR_VERSION}.db")));
}

/// On a detached HEAD that no branch reaches, the active database is not swept by its own sync.
#[test]
fn the_active_database_is_never_swept() {
    let tree = with_commit(FIXTURE);
    git(tree.root(), &["checkout", "-q", "--detach"]);
    tree.write("a.py", "def walk(): pass\n");
    commit(&tree, "on no branch");
    for round in 0..3 {
        tree.write("a.py", format!("def walk(): return {round}\n"));
        assert_equals_fresh(&tree);
        assert!(tree.database().exists());
    }
}

#[test]
fn unfinished_builds_go() {
    let tree = with_commit(FIXTURE);
    let name = format!("main.{EXTRACTOR_VERSION}.db.tmp-4194305");
    for suffix in ["", "-wal", "-shm", "-journal"] {
        assert!(!survives(&tree, &format!("{name}{suffix}")), "{name}{suffix}");
    }
}

/// While the sync of another branch holds its lock, its unfinished build is left alone.
#[test]
fn an_unfinished_build_that_is_being_written_stays() {
    let tree = with_commit(FIXTURE);
    let name = format!("other.{EXTRACTOR_VERSION}.db");
    let lock = tree.path(&format!(".orbit/graph/{name}.lock"));
    tree.sync();
    let held = std::fs::File::create(lock).unwrap();
    held.lock().unwrap();
    assert!(survives(&tree, &format!("{name}.tmp-4194305")));
    drop(held);
    assert!(!survives(&tree, &format!("{name}.tmp-4194306")));
    assert!(!tree.path(&format!(".orbit/graph/{name}.tmp-4194305")).exists());
}

/// A damaged database is kept once for a look, not for ever.
#[test]
fn one_damaged_copy_is_kept() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    for _ in 0..3 {
        std::fs::write(tree.database(), "no database at all, but long enough to be one".repeat(400)).unwrap();
        assert_equals_fresh(&tree);
    }
    let aside: Vec<String> = tree.graph_files().into_iter().filter(|name| name.contains("corrupt")).collect();
    assert_eq!(aside.len(), 1, "{aside:?}");
}
