//! History through the program: commands, their JSON, and what they say when there is nothing to say.

use super::program::{json, orbit};
use super::worktree::Worktree;
use serde_json::Value;

const TOTAL: &str = "def total(items):\n    return sum(item.price for item in items)\n";

fn repository() -> Worktree {
    let worktree = Worktree::repository();
    worktree.write("shop/cart.py", format!("{TOTAL}\n\ndef other():\n    return 1\n"));
    worktree.commit("Start [T20260101-1]");
    let renamed = TOTAL.replace("total", "amount");
    worktree.write("shop/cart.py", format!("{renamed}\n\ndef other():\n    return 1\n"));
    worktree.commit("Rename");
    worktree.write("shop/cart.py", format!("{renamed}\n\ndef other():\n    return 2\n"));
    worktree.commit("Two [T20260102-1]");
    worktree
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn the_history_of_a_symbol_has_the_keys_it_should() {
    let worktree = repository();
    orbit(worktree.root(), &["sync", "--history"]).success();
    let answer = json(worktree.root(), &["history", "amount"]);
    let expected = [
        "selector",
        "stable_id",
        "lineage",
        "operations",
        "commits",
        "task_history",
        "staleness",
        "source",
        "warnings",
        "total",
        "truncated",
    ];
    assert_eq!(keys(&answer), expected);
    assert_eq!(answer["selector"], "symbol:shop/cart.py#amount:function");
    assert!(answer["stable_id"].as_str().unwrap().starts_with("node:"));
    assert_eq!(keys(&answer["commits"][0]), ["sha", "date", "author", "summary", "change", "task_ids"]);
    assert_eq!(keys(&answer["lineage"][0]), ["change", "from", "to", "commit", "known_by"]);
    assert_eq!(answer["lineage"][0]["from"], "symbol:shop/cart.py#total:function");
    assert_eq!(answer["lineage"][0]["known_by"], "inferred");
    assert_eq!(answer["task_history"][0]["task_id"], "T20260101-1");
    assert_eq!(keys(&answer["task_history"][0]["commits"][0]), ["sha", "date", "summary"]);
    assert_eq!(answer["staleness"], Value::Null);
    assert_eq!(answer["source"], "graph");
    let cut = json(worktree.root(), &["history", "amount", "--limit", "1"]);
    assert_eq!((cut["total"].as_u64(), cut["truncated"].as_bool()), (Some(2), Some(true)));
}

#[test]
fn people_read_one_line_per_commit() {
    let worktree = repository();
    let text = orbit(worktree.root(), &["history", "amount", "--refresh"]).success();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("symbol:shop/cart.py#amount:function node:"), "{text}");
    assert!(lines[1].ends_with("renamed orbit: Rename"), "{text}");
    assert!(lines[2].ends_with("added orbit: Start [T20260101-1]"), "{text}");
    assert!(text.contains("total:function -> symbol:shop/cart.py#amount:function (inferred)"), "{text}");
}

#[test]
fn without_a_history_git_answers_for_the_file() {
    let worktree = repository();
    let answer = json(worktree.root(), &["history", "amount"]);
    assert_eq!(answer["source"], "git_log_fallback");
    assert_eq!(answer["commits"].as_array().unwrap().len(), 3);
    assert_eq!(answer["staleness"]["remedy"], "orbit graph sync --history");
    assert!(!worktree.path(".orbit/history.db").exists());
}

#[test]
fn a_symbol_that_is_gone_still_has_a_history() {
    let worktree = repository();
    worktree.write("shop/cart.py", TOTAL);
    worktree.commit("Less");
    orbit(worktree.root(), &["sync", "--history"]).success();
    let answer = json(worktree.root(), &["history", "symbol:shop/cart.py#other:function"]);
    assert_eq!(answer["commits"][0]["change"], "deleted");
    let missing =
        orbit(worktree.root(), &["history", "symbol:shop/cart.py#never:function", "--json"]).error();
    assert_eq!(missing["code"], "not_found");
    let gone_from_git = orbit(worktree.root(), &["history", "dir:shop", "--json"]).error();
    assert_eq!(gone_from_git["code"], "not_found");
}

#[test]
fn search_finds_what_a_task_touched() {
    let worktree = repository();
    orbit(worktree.root(), &["sync", "--history"]).success();
    let answer = json(worktree.root(), &["search", "--task", "T20260101-1"]);
    let selectors: Vec<&str> =
        answer["matches"].as_array().unwrap().iter().map(|row| row["selector"].as_str().unwrap()).collect();
    assert_eq!(selectors, ["symbol:shop/cart.py#amount:function", "symbol:shop/cart.py#other:function"]);
    assert_eq!(answer["matches"][0]["line"], 1);
    assert_eq!(answer["matches"][0]["qualified"], "shop.cart.amount");
    let narrowed = json(worktree.root(), &["search", "oth", "--task", "T20260101-1"]);
    assert_eq!(narrowed["matches"].as_array().unwrap().len(), 1);
    let unknown = json(worktree.root(), &["search", "--task", "T20260101-9"]);
    assert_eq!(unknown["matches"].as_array().unwrap().len(), 0);
    assert_eq!(unknown["did_you_mean"][0], "T20260102-1");
    let usage = orbit(worktree.root(), &["search"]);
    assert_eq!(usage.code, Some(2));
}

#[test]
fn blame_and_cochange_answer_for_symbols_and_files() {
    let worktree = repository();
    let failed = orbit(worktree.root(), &["show", "other", "--blame", "--json"]).error();
    assert_eq!(failed["code"], "history_missing");
    orbit(worktree.root(), &["sync", "--history"]).success();
    let shown = json(worktree.root(), &["show", "other", "--blame"]);
    assert_eq!(shown["blame"][0]["commit"]["summary"], "Two [T20260102-1]");
    assert_eq!(shown["blame"][0]["task_ids"], serde_json::json!(["T20260101-1", "T20260102-1"]));
    let file = json(worktree.root(), &["show", "file:shop/cart.py", "--blame"]);
    assert_eq!(file["blame"].as_array().unwrap().len(), 2);
    let together = json(worktree.root(), &["cochange", "other"]);
    assert_eq!(together["companions"][0]["selector"], "symbol:shop/cart.py#amount:function");
}

#[test]
fn bad_patterns_and_foreign_directories_say_what_to_do() {
    let worktree = repository();
    let failed = orbit(worktree.root(), &["sync", "--history", "--task-id-pattern", "(", "--json"]).error();
    assert_eq!(failed["code"], "bad_pattern");
    assert!(failed["hint"].as_str().unwrap().contains("regular expressions"));
    let elsewhere = Worktree::without_git();
    elsewhere.write("a.py", TOTAL);
    let failed = orbit(elsewhere.root(), &["history", "total", "--refresh", "--json"]).error();
    assert_eq!(failed["code"], "not_git");
}

#[test]
fn a_newer_history_is_left_alone() {
    let worktree = repository();
    orbit(worktree.root(), &["sync", "--history"]).success();
    let database = worktree.path(".orbit/history.db");
    let before = std::fs::read(&database).unwrap();
    // The schema's number is in the header of the file.
    let mut newer = before.clone();
    newer[60..64].copy_from_slice(&99u32.to_be_bytes());
    std::fs::write(&database, &newer).unwrap();
    for args in [&["sync", "--history", "--json"][..], &["history", "other", "--json"]] {
        assert_eq!(orbit(worktree.root(), args).error()["code"], "history_newer");
    }
    assert_eq!(std::fs::read(&database).unwrap(), newer);
}

/// Ids live nowhere else, so nothing is removed or made anew by itself.
#[test]
fn a_damaged_history_is_left_alone_and_says_what_to_do() {
    let worktree = repository();
    orbit(worktree.root(), &["sync", "--history"]).success();
    let database = worktree.path(".orbit/history.db");
    let damaged = "no database at all, but long enough to be one".repeat(400);
    std::fs::write(&database, &damaged).unwrap();
    for args in [&["sync", "--history", "--json"][..], &["history", "other", "--json"]] {
        let error = orbit(worktree.root(), args).error();
        assert_eq!(error["code"], "history_damaged", "{error}");
        assert!(error["hint"].as_str().unwrap().contains("move it away"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&database).unwrap(), damaged);
}

/// A repository with many commits, made at once.
fn long_repository(commits: usize) -> Worktree {
    let worktree = Worktree::repository();
    let mut stream = Vec::new();
    for n in 0..commits {
        let text = format!("def f():\n    return {n}\n\n\ndef g():\n    return {}\n", n / 10);
        let message = format!("C{n}");
        let time = 1_700_000_000 + n;
        let head = format!(
            "commit refs/heads/main\ncommitter A <a@b.c> {time} +0000\ndata {}\n{message}\n",
            message.len()
        );
        stream.extend(head.bytes());
        stream.extend(format!("M 644 inline a.py\ndata {}\n{text}\n", text.len()).bytes());
    }
    let mut child = std::process::Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(worktree.root())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("git is installed");
    std::io::Write::write_all(child.stdin.as_mut().expect("open"), &stream).expect("git reads");
    drop(child.stdin.take());
    assert!(child.wait().expect("git ends").success());
    worktree.git(&["reset", "-q", "--hard"]);
    worktree
}

#[test]
fn a_walk_that_is_killed_leaves_a_history_to_go_on_from() {
    let commits = 3000;
    let worktree = long_repository(commits);
    for delay in [30, 120, 300, 600] {
        let mut child = super::program::command(worktree.root(), &["sync", "--history"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(std::time::Duration::from_millis(delay));
        child.kill().expect("it is killed, or has ended");
        child.wait().expect("it ends");
    }
    let report = json(worktree.root(), &["sync", "--history"]);
    assert_eq!(report["history"]["commits"], commits);
    let again = json(worktree.root(), &["sync", "--history"]);
    assert_eq!(again["history"]["commits_added"], 0);
    let f = json(worktree.root(), &["history", "f", "--limit", "100000"]);
    let g = json(worktree.root(), &["history", "g", "--limit", "100000"]);
    assert_eq!((f["total"].as_u64(), g["total"].as_u64()), (Some(commits as u64), Some(commits as u64 / 10)));
}
