//! Commits that replace others: logs stay with what they say.

use super::logs::{log, put, start};
use super::repo::Repo;
use serde_json::{Value, json};

const RENAMED: &str = "def increment(value, by):\n    total = value\n    return total + by\n\n\ndef two(x):\n    return x + 2\n";

fn rename(id: &str, from: &str, to: &str) -> Value {
    json!({
        "op": "rename", "stable_id": id,
        "pre": {"qualified_name": from, "file": "a.py"}, "post": {"qualified_name": to, "file": "a.py"},
    })
}

/// `one` becomes `increment`, in a way that only a log can tell; its id.
fn renamed() -> (Repo, String) {
    let (repo, one, _) = start();
    repo.write("a.py", RENAMED).commit("Rename");
    put(&repo, &log(&repo, json!([rename(&one, "one", "increment")])));
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#increment:function"), one);
    (repo, one)
}

#[test]
fn an_amended_commit_keeps_what_its_log_said() {
    let (repo, one) = renamed();
    repo.write("b.py", "B = 2\n");
    repo.git(&["commit", "-aq", "--amend", "-m", "Rename, and more"]);
    let warnings = repo.sync().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("fits it and is followed"), "{warnings:?}");
    assert_eq!(repo.stable_id("a.py#increment:function"), one);
}

#[test]
fn an_amended_commit_that_says_something_else_is_told() {
    let (repo, one) = renamed();
    repo.write("a.py", "def grow(start, step):\n    for _ in range(step):\n        start += 1\n    return start\n\n\ndef two(x):\n    return x + 2\n");
    repo.git(&["commit", "-aq", "--amend", "-m", "Something else"]);
    let warnings = repo.sync().warnings;
    assert!(
        warnings.iter().any(|warning| warning.contains("seems to replace, is not followed")),
        "{warnings:?}"
    );
    assert_ne!(repo.stable_id("a.py#grow:function"), one);
}

#[test]
fn a_rebased_commit_keeps_what_its_log_said() {
    let (repo, one) = renamed();
    repo.git(&["branch", "work"]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repo.write("b.py", "B = 3\n").commit("Meanwhile");
    repo.git(&["checkout", "-q", "work"]);
    repo.git(&["rebase", "-q", "-"]);
    let warnings = repo.sync().warnings;
    assert!(warnings.iter().any(|warning| warning.contains("fits it and is followed")), "{warnings:?}");
    assert_eq!(repo.stable_id("a.py#increment:function"), one);
}

#[test]
fn a_copied_note_is_followed_where_it_fits_and_said() {
    let (repo, one) = renamed();
    let note = log(&repo, json!([rename(&one, "one", "increment")])).to_string();
    repo.git(&["commit", "-q", "--amend", "-m", "Another message"]);
    repo.git(&["notes", "--ref", "refs/notes/orbit-operations", "add", "-m", &note]);
    let warnings = repo.sync().warnings;
    assert!(warnings.iter().any(|warning| warning.contains("what it says fits")), "{warnings:?}");
    assert_eq!(repo.stable_id("a.py#increment:function"), one);
}

#[test]
fn squashed_commits_keep_what_all_logs_said() {
    let (repo, one) = renamed();
    repo.write("a.py", &RENAMED.replace("increment", "more").replace("total", "sum")).commit("Rename again");
    put(&repo, &log(&repo, json!([rename(&one, "increment", "more")])));
    repo.sync();
    repo.git(&["reset", "-q", "--soft", "HEAD~2"]);
    repo.git(&["commit", "-qm", "Both"]);
    let warnings = repo.sync().warnings;
    assert!(warnings.iter().any(|warning| warning.contains("fits it and is followed")), "{warnings:?}");
    assert_eq!(repo.stable_id("a.py#more:function"), one);
}

#[test]
fn a_created_symbol_has_its_id_after_a_rebase() {
    let (repo, one, _) = start();
    let new = orbit_history::new_stable_id();
    repo.write("a.py", "def fresh(q):\n    return q * 7\n\n\ndef two(x):\n    return x + 2\n")
        .commit("Create");
    let post = json!({"file": "a.py", "qualified_name": "fresh", "kind": "function"});
    let pre = json!({"file": "a.py", "qualified_name": "one", "kind": "function"});
    let operations = json!([
        {"op": "delete", "stable_id": one, "pre": pre},
        {"op": "create", "stable_id": new, "post": post, "body_hash_post": super::logs::HASH},
    ]);
    put(&repo, &log(&repo, operations));
    assert_eq!(repo.sync().warnings, [""; 0]);
    repo.git(&["commit", "-q", "--amend", "-m", "Create it"]);
    repo.sync();
    assert_eq!(repo.stable_id("a.py#fresh:function"), new);
}
