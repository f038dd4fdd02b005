//! Task ids: where they are found, and what another pattern does.

use super::repo::Repo;

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("a.py", "def f():\n    return 1\n\n\ndef g():\n    return 1\n").commit("Start [T20260101-1]");
    repo.write("a.py", "def f():\n    return 2\n\n\ndef g():\n    return 1\n")
        .commit("PROJ-7: two\n\nSee [T20260102-0003-2].");
    repo.write("a.py", "def f():\n    return 3\n\n\ndef g():\n    return 1\n")
        .commit("Three\n\nTask-Id: T20260103-9\nRefs: PROJ-8");
    repo
}

fn tasks(repo: &Repo, selector: &str) -> Vec<String> {
    let history = repo.history(selector);
    history.task_history.iter().map(|task| format!("{} {}", task.task_id, task.commits.len())).collect()
}

fn symbols(repo: &Repo, task: &str) -> Vec<String> {
    repo.open().task(task).expect("an answer").symbols.iter().map(|row| row.selector.clone()).collect()
}

#[test]
fn ids_come_from_subject_body_and_trailers() {
    let repo = repo();
    repo.sync();
    assert_eq!(
        tasks(&repo, "a.py#f:function"),
        ["PROJ-8 1", "T20260103-9 1", "T20260102-0003-2 1", "T20260101-1 1"]
    );
    assert_eq!(tasks(&repo, "a.py#g:function"), ["T20260101-1 1"]);
    assert_eq!(symbols(&repo, "T20260103-9"), ["symbol:a.py#f:function"]);
    assert_eq!(symbols(&repo, "T20260101-1"), ["symbol:a.py#f:function", "symbol:a.py#g:function"]);
    let unknown = repo.open().task("T20260101-2").unwrap();
    assert!(unknown.symbols.is_empty());
    assert_eq!(unknown.did_you_mean[0], "T20260103-9");
}

#[test]
fn another_pattern_reads_all_messages_again_and_parses_nothing() {
    let repo = repo();
    repo.sync();
    let report = repo.sync_with(r"PROJ-\d+");
    assert_eq!((report.commits_added, report.blobs_parsed), (0, 0));
    assert!(report.warnings[0].contains("all messages were read again"), "{:?}", report.warnings);
    assert_eq!(
        tasks(&repo, "a.py#f:function"),
        ["PROJ-8 1", "T20260103-9 1", "PROJ-7 1"],
        "trailers count as before"
    );
    assert!(repo.history("a.py#f:function").warnings[0].contains("task ids were found by"));
    assert!(repo.sync_with(r"PROJ-\d+").warnings.is_empty());
}

#[test]
fn the_configured_pattern_counts_unless_one_is_given() {
    let repo = repo();
    repo.write(".orbit/config.toml", "[history]\ntask_id_pattern = '(PROJ-\\d+)'\n");
    assert_eq!(repo.sync().task_id_pattern, r"(PROJ-\d+)");
    assert_eq!(tasks(&repo, "a.py#f:function").last().unwrap(), "PROJ-7 1");
    assert_eq!(repo.sync_with("X-(\\d+)").task_id_pattern, "X-(\\d+)");
    repo.write(".orbit/config.toml", "[history\n");
    let failed = orbit_history::sync(repo.root(), &orbit_history::HistoryOptions::default()).unwrap_err();
    assert_eq!(failed.code(), "bad_config");
}

#[test]
fn a_task_is_found_through_a_rename() {
    let repo = Repo::new();
    let body = "(items):\n    return sum(item.price for item in items)\n";
    repo.write("a.py", &format!("def total{body}")).commit("Start [T20260101-1]");
    repo.write("a.py", &format!("def amount{body}")).commit("Rename");
    repo.sync();
    assert_eq!(symbols(&repo, "T20260101-1"), ["symbol:a.py#amount:function"]);
    assert_eq!(tasks(&repo, "a.py#amount:function"), ["T20260101-1 1"]);
}
