//! Subtasks, what came up in a task, comments, and tasks that travel with git.

use crate::program::{Outcome, outcome};
use crate::worktree::Worktree;
use serde_json::Value;
use std::process::{Command, Stdio};

fn run(worktree: &Worktree, args: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orbit"));
    command.args(args).current_dir(worktree.root()).stdin(Stdio::null());
    command.env("HOME", "/nonexistent").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("ORBIT_KNOWLEDGE_DB");
    outcome(command.env("ORBIT_ACTOR", "ada").output().expect("the program runs"))
}

fn said(worktree: &Worktree, args: &[&str]) -> String {
    run(worktree, args).success()
}

fn data(worktree: &Worktree, args: &[&str]) -> Value {
    run(worktree, &[args, &["--json"]].concat()).json()
}

/// A repository with a project, a task and a part of it.
fn shop() -> Worktree {
    let worktree = Worktree::repository();
    worktree.write("src/shop.py", "def total():\n    return 1\n");
    worktree.commit("first");
    said(&worktree, &["project", "create", "Shop"]);
    said(&worktree, &["task", "create", "Carts"]);
    said(&worktree, &["task", "create", "Totals", "--parent", "Carts"]);
    worktree
}

#[test]
fn a_task_with_its_parts_and_what_was_said() {
    let worktree = shop();
    said(&worktree, &["task", "create", "Rounding", "--discovered-from", "Totals", "--priority", "high"]);
    said(&worktree, &["task", "comment", "Totals", "fails twice a day"]);
    let shown = said(&worktree, &["task", "show", "Totals"]);
    assert!(
        shown.contains("parentId: ") && shown.contains(" ada [") && shown.contains("fails twice a day"),
        "{shown}"
    );
    let shown = said(&worktree, &["task", "show", "Carts"]);
    assert!(shown.contains("subtask: ") && shown.contains(" NEW Totals"), "{shown}");
    assert!(said(&worktree, &["task", "show", "Rounding"]).contains("discovered from: "));
    let ready = said(&worktree, &["task", "ready"]);
    assert!(ready.contains("Totals") && ready.contains("Rounding") && !ready.contains("Carts"), "{ready}");
    said(&worktree, &["task", "advance", "Carts"]);
    let error = run(&worktree, &["task", "advance", "Carts", "--json"]).error();
    assert_eq!(error["code"], "HAS_CHILDREN", "{error}");
    let id = data(&worktree, &["task", "show", "Totals"])["comments"][0]["id"].as_str().unwrap().to_owned();
    said(&worktree, &["task", "comment", "Totals", "--remove", &id[..8]]);
    assert_eq!(data(&worktree, &["task", "show", "Totals"])["comments"], serde_json::json!([]));
    assert_eq!(run(&worktree, &["task", "comment", "Totals"]).code, Some(2), "there is nothing to say");
    said(&worktree, &["task", "update", "Totals", "--parent", ""]);
    assert!(!said(&worktree, &["task", "show", "Carts"]).contains("subtask: "));
    said(&worktree, &["task", "advance", "Carts"]);
}

#[test]
fn tasks_travel_with_git_once_they_are_asked_to() {
    let worktree = shop();
    let home = worktree.root().join("knowledge");
    let export =
        |more: &[&str]| said(&worktree, &[&["knowledge", "export", "--dir", "knowledge"], more].concat());
    said(&worktree, &["knowledge", "merge-driver", "--install", "--dir", "knowledge"]);
    let driver = format!("{} knowledge merge-driver %O %A %B %P", env!("CARGO_BIN_EXE_orbit"));
    worktree.git(&["config", "merge.orbit-knowledge.driver", &driver]);
    export(&[]);
    let project = std::fs::read_dir(&home).unwrap().flatten().find(|it| it.path().is_dir()).unwrap().path();
    assert!(!project.join("tasks").exists(), "nobody asked for them");
    export(&["--tasks"]);
    assert_eq!(std::fs::read_dir(project.join("tasks")).unwrap().count(), 2);
    worktree.commit("exported");
    worktree.git(&["branch", "other"]);
    // Here the part is worked on and closed; elsewhere, in a store of its own, somebody comments and finds more.
    said(&worktree, &["task", "advance", "Totals"]);
    said(&worktree, &["task", "advance", "Totals"]);
    export(&[]);
    worktree.commit("closed");
    worktree.git(&["checkout", "-q", "other"]);
    let theirs = worktree.path("theirs.db").display().to_string();
    let there = |args: &[&str]| said(&worktree, &[args, &["--db", &theirs]].concat());
    there(&["knowledge", "import", "--dir", "knowledge"]);
    there(&["task", "comment", "Totals", "from over there"]);
    there(&["task", "create", "Found", "--parent", "Carts"]);
    there(&["knowledge", "export", "--dir", "knowledge"]);
    worktree.commit("there");
    worktree.git(&["checkout", "-q", "main"]);
    worktree.git(&["merge", "-q", "--no-edit", "other"]);
    let done = data(&worktree, &["knowledge", "import", "--dir", "knowledge"]);
    assert_eq!((&done["created"], &done["conflicts"]), (&1.into(), &serde_json::json!([])), "{done}");
    let shown = data(&worktree, &["task", "show", "Totals"]);
    assert_eq!(
        (&shown["task"]["status"], &shown["comments"][0]["text"]),
        (&"CLOSED".into(), &"from over there".into())
    );
    assert_eq!(data(&worktree, &["task", "show", "Carts"])["subtasks"].as_array().map(Vec::len), Some(2));
    said(&worktree, &["task", "delete", "Found"]);
    let again = data(&worktree, &["knowledge", "export", "--dir", "knowledge"]);
    assert_eq!(again["removed"], 1, "{again}");
    let done = data(&worktree, &["knowledge", "import", "--dir", "knowledge"]);
    assert_eq!((&done["created"], &done["changed"]), (&0.into(), &0.into()), "{done}");
}
