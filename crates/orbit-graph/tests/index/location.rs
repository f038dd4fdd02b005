//! Where the database is and what it says of itself.

use crate::compare::assert_equals_fresh;
use crate::repository::{commit, git, init, with_commit};
use crate::tree::Tree;
use orbit_graph::{EXTRACTOR_VERSION, clean, db_path};
use std::path::Path;

const FIXTURE: &str = "==> src/a.py\ndef run(): pass\n==> src/deep/er/b.py\nfrom src.a import run\nrun()\n";

/// The database's file name without its version.
fn stem(dir: &Path) -> String {
    let path = db_path(dir).expect("a database");
    let name = path.file_name().expect("a database").to_str().expect("a database");
    name.strip_suffix(&format!(".{EXTRACTOR_VERSION}.db")).expect("<stem>.<extractor version>.db").to_owned()
}

fn meta(tree: &Tree, key: &str) -> String {
    let connection = rusqlite::Connection::open(tree.database()).expect("a database");
    connection
        .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
        .expect("a database")
}

#[test]
fn a_branch_names_its_database() {
    let tree = with_commit(FIXTURE);
    assert_eq!(stem(tree.root()), "main");
    git(tree.root(), &["checkout", "-q", "-b", "feature/due/now"]);
    assert_eq!(stem(tree.root()), "feature_due_now");
    let report = tree.sync();
    assert_eq!(report.branch, "feature/due/now");
    assert_eq!(report.database_path, tree.database().to_string_lossy());
    assert_eq!(meta(&tree, "branch"), "feature/due/now");
    assert_eq!(meta(&tree, "commit_sha"), git(tree.root(), &["rev-parse", "HEAD"]));
    assert_eq!(meta(&tree, "extractor_version"), EXTRACTOR_VERSION.to_string());
}

#[test]
fn two_branches_that_share_a_file_name_are_told_apart() {
    let tree = with_commit(FIXTURE);
    git(tree.root(), &["checkout", "-q", "-b", "a/b"]);
    tree.sync();
    git(tree.root(), &["checkout", "-q", "main"]);
    git(tree.root(), &["checkout", "-q", "-b", "a_b"]);
    assert_eq!(stem(tree.root()), "a_b");
    assert_equals_fresh(&tree);
    assert_eq!(meta(&tree, "branch"), "a_b");
}

#[test]
fn a_detached_head_names_its_commit() {
    let tree = with_commit(FIXTURE);
    let sha = git(tree.root(), &["rev-parse", "HEAD"]);
    git(tree.root(), &["checkout", "-q", "--detach"]);
    let stem = stem(tree.root());
    let short = stem.strip_prefix("detached-").expect("detached-<short-sha>");
    assert!(short.len() >= 7 && sha.starts_with(short), "{short} of {sha}");
    let report = tree.sync();
    assert_eq!(report.branch, "HEAD");
    assert_eq!(meta(&tree, "commit_sha"), sha);
    assert_equals_fresh(&tree);
}

#[test]
fn a_branch_without_commits_has_an_index() {
    let tree = init();
    tree.write("a.py", "def run(): pass\n");
    assert_eq!(stem(tree.root()), "main");
    assert_equals_fresh(&tree);
    assert_eq!(meta(&tree, "commit_sha"), "");
    let sha = commit(&tree, "first");
    tree.write("b.py", "def walk(): pass\n");
    assert_equals_fresh(&tree);
    assert_eq!(meta(&tree, "commit_sha"), sha);
}

#[test]
fn a_commit_that_changes_no_file_is_noted() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    let sha = commit(&tree, "nothing new");
    tree.sync();
    assert_eq!(meta(&tree, "commit_sha"), sha);
}

#[test]
fn packed_refs_are_read() {
    let tree = with_commit(FIXTURE);
    git(tree.root(), &["pack-refs", "--all"]);
    tree.sync();
    assert_eq!(meta(&tree, "commit_sha"), git(tree.root(), &["rev-parse", "HEAD"]));
}

#[test]
fn without_git_the_directory_is_the_worktree() {
    let tree = Tree::without_git();
    tree.write("a.py", "def run(): pass\n");
    assert_eq!(stem(tree.root()), "worktree");
    let report = tree.sync();
    assert_eq!((report.branch.as_str(), report.files_indexed), ("worktree", 1));
    assert_equals_fresh(&tree);
}

#[test]
fn a_directory_inside_belongs_to_its_worktree() {
    let tree = with_commit(FIXTURE);
    assert_eq!(db_path(&tree.path("src/deep")).unwrap(), tree.database());
    let nested =
        orbit_graph::Graph::open(&tree.path("src/deep/er"), orbit_graph::SyncPolicy::Manual).unwrap();
    nested.sync(&orbit_graph::SyncOptions::default()).unwrap();
    assert_eq!(tree.indexed(), ["src/a.py", "src/deep/er/b.py"]);
    assert!(!tree.path("src/deep/er/.orbit").exists());
}

#[test]
fn a_linked_worktree_has_its_own_index() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    let before = tree.export();
    let outside = tempfile::tempdir().unwrap();
    let linked = outside.path().join("linked");
    git(tree.root(), &["worktree", "add", "-q", "-b", "side/line", linked.to_str().unwrap()]);
    std::fs::write(linked.join("only_here.py"), "def here(): pass\n").unwrap();
    let graph = orbit_graph::Graph::open(&linked, orbit_graph::SyncPolicy::Manual).unwrap();
    let report = graph.sync(&orbit_graph::SyncOptions::default()).unwrap();
    assert_eq!((report.branch.as_str(), report.files_indexed), ("side/line", 3));
    assert!(graph.location().unwrap().database.starts_with(linked.canonicalize().unwrap()));
    assert_eq!(graph.location().unwrap().head.commit, Some(git(tree.root(), &["rev-parse", "HEAD"])));
    assert_eq!(tree.export(), before);
    assert!(!tree.graph_files().iter().any(|name| name.contains("side")), "{:?}", tree.graph_files());
}

#[test]
fn a_nested_repository_answers_for_itself() {
    let tree = with_commit(FIXTURE);
    git(tree.root(), &["init", "-q", "-b", "inner", "src/deep"]);
    let inner = orbit_graph::Graph::open(&tree.path("src/deep/er"), orbit_graph::SyncPolicy::Manual).unwrap();
    assert_eq!(inner.location().unwrap().root, tree.path("src/deep").canonicalize().unwrap());
    inner.sync(&orbit_graph::SyncOptions::default()).unwrap();
    let mut export = Vec::new();
    inner.export(&mut export).unwrap();
    assert!(String::from_utf8(export).unwrap().contains(r#""path":"er/b.py""#));
}

/// Each part of a branch may be as long as a file name; all of it is longer.
#[test]
fn a_very_long_branch_name_has_an_index() {
    let tree = with_commit(FIXTURE);
    let branch = vec!["part-of-a-long-name"; 16].join("/");
    git(tree.root(), &["checkout", "-q", "-b", &branch]);
    let report = tree.graph().sync(&orbit_graph::SyncOptions::default());
    assert_eq!(report.map(|report| report.branch).map_err(|error| error.to_string()), Ok(branch));
}

#[test]
fn derived_state_stays_out_of_git() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    assert!(tree.read(".orbit/.gitignore").lines().any(|line| line == "graph/"));
    let status = git(tree.root(), &["status", "--porcelain", "--untracked-files=all"]);
    assert!(!status.contains(".orbit/graph"), "{status}");
}

/// `git add -A` takes what the index does not hide. Whatever that is, it must not stand in the way of git.
#[test]
fn the_index_does_not_hold_up_a_checkout() {
    let tree = with_commit(FIXTURE);
    git(tree.root(), &["checkout", "-q", "-b", "feature"]);
    tree.sync();
    git(tree.root(), &["add", "-A"]);
    git(tree.root(), &["commit", "-q", "--allow-empty", "-m", "everything"]);
    git(tree.root(), &["checkout", "-q", "main"]);
    tree.sync();
    git(tree.root(), &["checkout", "-q", "feature"]);
    assert_equals_fresh(&tree);
}

#[test]
fn what_people_write_into_the_ignore_file_stays() {
    let tree = with_commit(FIXTURE);
    tree.write(".orbit/.gitignore", "graph/\nmine/\n");
    tree.sync();
    assert_eq!(tree.read(".orbit/.gitignore"), "graph/\nmine/\n");
}

#[test]
fn clean_lists_first_and_removes_when_confirmed() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    let listed = clean(tree.root(), false).unwrap();
    assert!(!listed.applied);
    assert!(listed.files.iter().any(|file| Path::new(&file.path) == tree.database()));
    assert!(tree.database().exists(), "a dry run removes nothing");
    let removed = clean(tree.root(), true).unwrap();
    assert!(removed.applied);
    assert_eq!(tree.graph_files(), [""; 0]);
    assert_eq!(clean(tree.root(), true).unwrap().files, []);
    assert_equals_fresh(&tree);
}

#[test]
fn a_directory_that_is_not_there_is_an_error() {
    let tree = Tree::new();
    let error = orbit_graph::Graph::open(&tree.path("nowhere"), orbit_graph::SyncPolicy::Manual).unwrap_err();
    assert_eq!(error.code(), "root_unreadable");
    assert!(error.to_string().contains("nowhere") && error.hint().is_some());
}

#[test]
fn reading_leaves_no_trace() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    let state = || -> Vec<(String, Vec<u8>)> {
        let read = |name: String| {
            let bytes = std::fs::read(tree.path(&format!(".orbit/graph/{name}"))).unwrap();
            (name, bytes)
        };
        tree.graph_files().into_iter().map(read).collect()
    };
    let before = state();
    tree.export();
    crate::answers::answers(&tree.graph());
    assert_eq!(names(&state()), names(&before), "files appeared or vanished");
    assert_eq!(state(), before, "bytes changed");
}

fn names(state: &[(String, Vec<u8>)]) -> Vec<&str> {
    state.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn asking_where_the_index_is_makes_nothing() {
    let tree = with_commit(FIXTURE);
    assert!(!tree.database().exists());
    assert_eq!(tree.graph().export(&mut Vec::new()).unwrap_err().code(), "index_missing");
    clean(tree.root(), false).unwrap();
    assert!(!tree.path(".orbit").exists());
}
