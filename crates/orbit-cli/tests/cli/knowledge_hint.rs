//! The line about atoms in answers about code.

use crate::program::{Outcome, outcome};
use crate::worktree::Worktree;
use std::process::{Command, Stdio};

fn run(worktree: &Worktree, args: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orbit"));
    command.args(args).current_dir(worktree.root()).stdin(Stdio::null());
    command.env("HOME", "/nonexistent").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("ORBIT_KNOWLEDGE_DB");
    outcome(command.output().expect("the program runs"))
}

fn said(worktree: &Worktree, args: &[&str]) -> String {
    run(worktree, args).success()
}

fn line(worktree: &Worktree, args: &[&str]) -> Option<String> {
    said(worktree, args).lines().find(|line| line.starts_with("knowledge:")).map(str::to_owned)
}

fn shop() -> Worktree {
    let worktree = Worktree::repository();
    worktree.write(
        "src/shop.py",
        "def total(items):\n    return sum(items)\n\n\ndef bill(items):\n    return total(items)\n",
    );
    worktree.write("src/other.py", "def other():\n    return 1\n");
    worktree.commit("first");
    worktree
}

#[test]
fn without_a_store_nothing_is_said_and_none_is_made() {
    let worktree = shop();
    for question in ["show", "refs", "impact"] {
        assert_eq!(line(&worktree, &["graph", question, "total"]), None);
    }
    assert!(!worktree.root().join(".orbit/knowledge.db").exists());
}

#[test]
fn a_damaged_store_is_left_for_those_who_ask_for_knowledge() {
    let worktree = shop();
    worktree.write(".orbit/knowledge.db", "this is not a database, whatever its name says");
    assert_eq!(line(&worktree, &["graph", "refs", "total"]), None);
    let text =
        std::fs::read_to_string(worktree.root().join(".orbit/knowledge.db")).expect("it is still there");
    assert!(text.starts_with("this is not"));
}

#[test]
fn answers_say_which_atoms_are_about_the_code_and_which_are_stale() {
    let worktree = shop();
    said(&worktree, &["project", "create", "Shop"]);
    said(&worktree, &["task", "create", "Learn"]);
    for (name, path) in [("Sums", "src/shop.py"), ("All", "src/**"), ("Other", "src/other.py")] {
        let rest = ["--task", "Learn", "--path", path, "--knowledge", "It adds."];
        said(&worktree, &[&["knowledge", "atom", "create", name], &rest[..]].concat());
    }
    for question in ["show", "refs", "impact"] {
        let fresh = line(&worktree, &["graph", question, "total"]).expect("a line");
        assert!(
            fresh.starts_with("knowledge: 2 atoms about this: ") && fresh.ends_with("\"Sums\""),
            "{fresh}"
        );
    }
    // A change elsewhere in the area of an atom is not a change of what is shown.
    worktree.write("src/other.py", "def other():\n    return 2\n");
    let fresh = line(&worktree, &["graph", "refs", "total", "--sync"]).expect("a line");
    assert!(fresh.starts_with("knowledge: 2 atoms"), "{fresh}");
    let stale = line(&worktree, &["graph", "show", "src/other.py"]).expect("a line");
    assert!(
        stale.contains("2 stale atoms about this: ") && stale.ends_with("\"Other\" (body_drifted)"),
        "{stale}"
    );
    let json = run(&worktree, &["graph", "show", "other", "--json"]).json();
    assert!(json["knowledge"].as_str().is_some_and(|text| text.starts_with("2 stale atoms")), "{json}");
    said(&worktree, &["knowledge", "atom", "reaffirm", "Other"]);
    let one = line(&worktree, &["graph", "show", "other"]).expect("a line");
    assert!(one.contains("1 stale atom about this: ") && one.ends_with(" · 1 unchanged"), "{one}");
}
