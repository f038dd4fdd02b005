//! Repositories that are not whole: no commits, no git, shallow clones, submodules, newer histories.

use super::repo::Repo;
use orbit_history::{History, HistoryOptions, sync};

#[test]
fn a_repository_without_commits_has_an_empty_history() {
    let repo = Repo::new();
    let report = repo.sync();
    assert_eq!((report.head, report.commits), (None, 0));
    repo.write("a.py", "def f():\n    pass\n").commit("Start");
    assert_eq!(repo.sync().commits_added, 1);
    assert_eq!(repo.story("a.py#f:function"), ["added Start"]);
}

#[test]
fn outside_of_git_there_is_no_history() {
    let dir = tempfile::tempdir().unwrap();
    let failed = sync(dir.path(), &HistoryOptions::default()).unwrap_err();
    assert_eq!(failed.code(), "not_git");
    assert!(!dir.path().join(".orbit").exists());
}

#[test]
fn reading_makes_nothing() {
    let repo = Repo::new();
    repo.write("a.py", "def f():\n    pass\n").commit("Start [T20260101-1]");
    let failed = History::open(repo.root(), None).err().unwrap();
    assert_eq!(failed.code(), "history_missing");
    assert!(!repo.root().join(".orbit").exists());
    let subject = super::repo::subject("a.py#f:function");
    let answer = orbit_history::git_log_fallback(repo.root(), &subject, None, 10).unwrap();
    assert_eq!((answer.source, answer.commits.len()), ("git_log_fallback", 1));
    assert_eq!(answer.commits[0].task_ids, ["T20260101-1"]);
    assert_eq!(answer.staleness.unwrap().commits_behind, 1);
}

#[test]
fn a_shallow_clone_begins_where_it_is_cut_off_and_keeps_its_ids_when_deepened() {
    let origin = Repo::new();
    for n in 0..5 {
        let text = format!("def f():\n    return {n}\n\n\ndef g():\n    return 1\n");
        origin.write("a.py", &text).commit(&format!("C{n}"));
    }
    let url = format!("file://{}", origin.root().display());
    origin.git(&["clone", "-q", "--depth", "2", &url, "../shallow"]);
    let clone = origin.beside("shallow");
    let report = clone.sync();
    assert_eq!(report.commits, 2);
    assert!(report.warnings[0].contains("shallow"), "{:?}", report.warnings);
    assert_eq!(clone.story("a.py#f:function"), ["modified C4", "added C3"]);
    let ids = [clone.stable_id("a.py#f:function"), clone.stable_id("a.py#g:function")];
    clone.git(&["fetch", "-q", "--unshallow"]);
    let report = clone.sync();
    assert_eq!(report.commits, 5);
    assert_eq!(
        clone.story("a.py#f:function"),
        ["modified C4", "modified C3", "modified C2", "modified C1", "added C0"]
    );
    assert_eq!(clone.story("a.py#g:function"), ["added C0"]);
    assert_eq!([clone.stable_id("a.py#f:function"), clone.stable_id("a.py#g:function")], ids);
}

#[test]
fn submodules_are_skipped_and_counted() {
    let inner = Repo::new();
    inner.write("x.py", "def x():\n    pass\n").commit("Inner");
    let repo = Repo::new();
    repo.write("a.py", "def f():\n    pass\n").commit("Start");
    repo.git(&["submodule", "add", "-q", &inner.root().display().to_string(), "lib"]);
    repo.write("a.py", "def f():\n    return 1\n").commit("Submodule");
    let report = repo.sync();
    assert_eq!(report.submodules_skipped, 1);
    assert_eq!(
        repo.story("a.py#f:function"),
        ["modified Submodule", "added Start"],
        "hunks stay with their file"
    );
    assert!(repo.story("lib/x.py#x:function").is_empty());
}

#[test]
fn a_killed_walk_goes_on_where_it_was() {
    let repo = Repo::new();
    repo.write("a.py", "def f():\n    return 0\n").commit("C0");
    repo.write("a.py", "def f():\n    return 1\n").commit("C1");
    repo.git(&["checkout", "-q", "HEAD~1"]);
    repo.sync();
    repo.git(&["checkout", "-q", "main"]);
    let report = repo.sync();
    assert_eq!((report.commits_added, report.commits), (1, 2));
    let again = repo.sync();
    assert_eq!((again.commits_added, again.blobs_parsed), (0, 0));
}
