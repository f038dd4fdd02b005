//! What happened after a commit.

use crate::repo::Repo;
use orbit_graph::SymbolKind;
use orbit_history::{History, git_log_between};

const BODY: &str =
    "    result = 0\n    for item in items:\n        result += item.price * item.count\n    return result\n";

#[test]
fn commits_after_a_commit_are_told_apart_from_those_before() {
    let repo = Repo::new();
    repo.write("a.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n").commit("first");
    let base = repo.write("a.py", "def f():\n    return 3\n\n\ndef g():\n    return 2\n").commit("before");
    repo.write("a.py", "def f():\n    return 4\n\n\ndef g():\n    return 2\n").commit("after\n\nTask: A-1");
    repo.sync();
    let history = History::open(repo.root(), None).expect("a history");
    let ids = history.ids_of_file("a.py").expect("readable");
    let since = history.since(&base).expect("readable").expect("known");
    let f = since.of_symbol(&ids[&("f".to_owned(), SymbolKind::Function)]).expect("readable");
    assert_eq!(f.iter().map(|row| row.summary.as_str()).collect::<Vec<_>>(), ["after"]);
    assert_eq!(f[0].task_ids, ["A-1"]);
    assert!(since.of_symbol(&ids[&("g".to_owned(), SymbolKind::Function)]).expect("readable").is_empty());
    assert_eq!(since.of_file("a.py").expect("readable").len(), 1);
    assert!(history.since(&"0".repeat(40)).expect("readable").is_none());
    let between = git_log_between(repo.root(), &format!("{base}..HEAD"), "a.py").expect("readable");
    assert_eq!((between.len(), &between[0].task_ids[..]), (1, &["A-1".to_owned()][..]));
}

#[test]
fn symbols_are_found_where_they_went() {
    let repo = Repo::new();
    let base = repo.write("a.py", &format!("def total(items):\n{BODY}")).commit("first");
    repo.sync();
    let id = History::open(repo.root(), None).expect("a history").ids_of_file("a.py").expect("readable");
    let id = id[&("total".to_owned(), SymbolKind::Function)].clone();
    repo.git(&["mv", "a.py", "b.py"]);
    repo.commit("moved");
    repo.write("b.py", &format!("def amount(items):\n{BODY}")).commit("renamed");
    repo.sync();
    let history = History::open(repo.root(), None).expect("a history");
    let at = history.whereabouts(&id).expect("readable");
    assert_eq!((at[0].address.path.as_str(), at[0].address.local.as_str(), at.len()), ("b.py", "amount", 1));
    assert!(at[0].hop.is_some());
    let renamed = history.since(&base).expect("readable").expect("known").renamed_files().expect("readable");
    assert_eq!(renamed.into_iter().collect::<Vec<_>>(), [("a.py".to_owned(), "b.py".to_owned())]);
}
