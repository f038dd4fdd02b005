//! Exit codes, and errors for people and for programs.

use crate::program::{command, export, json, orbit};
use crate::worktree::Worktree;
use std::io::Read as _;
use std::process::Stdio;

#[test]
fn success_is_0() {
    let worktree = Worktree::small();
    for args in [&["sync"] as &[&str], &["sync", "--full"], &["search", "helper"], &["overview"], &["export"]]
    {
        let outcome = orbit(worktree.root(), args);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
    for args in [&["--help"] as &[&str], &["sync", "--help"], &["version"], &["db-path"], &["clean"]] {
        assert_eq!(orbit(worktree.root(), args).code, Some(0), "{args:?}");
    }
}

#[test]
fn a_search_that_finds_nothing_is_a_success() {
    let worktree = Worktree::small();
    assert_eq!(orbit(worktree.root(), &["search", "nowhere"]).success(), "nothing found\n");
    let found = json(worktree.root(), &["search", "nowhere"]);
    assert_eq!((&found["matches"], &found["truncated"]), (&serde_json::json!([]), &false.into()));
}

#[test]
fn wrong_usage_is_2() {
    let worktree = Worktree::small();
    let wrong: [&[&str]; 7] = [
        &[],
        &["nonsense"],
        &["sync", "--nonsense"],
        &["sync", "--threads", "many"],
        &["search"],
        &["search", "x", "--kind", "nonsense"],
        &["export", "--format", "xml"],
    ];
    for args in wrong {
        let outcome = orbit(worktree.root(), args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(outcome.stderr.contains("--help"), "{args:?}: {}", outcome.stderr);
    }
    assert!(!worktree.path(".orbit").exists(), "nothing was done");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_not_text_are_wrong_usage() {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = std::ffi::OsStr::from_bytes(b"\xff");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_orbit"));
    let output = command.args(["graph", "search"]).arg(bytes).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("invalid UTF-8"), "{said}");
}

#[test]
fn wrong_usage_with_json_is_a_json_error() {
    let worktree = Worktree::small();
    let outcome = orbit(worktree.root(), &["sync", "--json", "--nonsense"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    let document: Result<serde_json::Value, _> = serde_json::from_str(&outcome.stderr);
    let document = document.unwrap_or_else(|_| panic!("not JSON: {}", outcome.stderr));
    assert!(document["error"]["code"].is_string() && document["error"]["message"].is_string());
}

#[test]
fn a_failure_is_1() {
    let worktree = Worktree::small();
    for command in
        [&["sync"] as &[&str], &["search", "x"], &["overview"], &["export"], &["db-path"], &["clean"]]
    {
        let mut args = command.to_vec();
        args.extend(["-C", "not/there"]);
        let told = orbit(worktree.root(), &args);
        assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""), "{command:?}");
        assert!(told.stderr.starts_with("error: cannot read not/there"), "{}", told.stderr);
        args.push("--json");
        let error = orbit(worktree.root(), &args).error();
        assert_eq!(
            (&error["code"], &error["candidates"]),
            (&"root_unreadable".into(), &serde_json::Value::Null)
        );
        assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("-C")), "{error}");
    }
}

#[test]
fn a_sync_reports_what_the_contract_lists() {
    let worktree = Worktree::small();
    worktree.write("bad.py", b"\xff\xfe");
    let report = json(worktree.root(), &["sync"]);
    for (key, kind) in [
        ("files_indexed", "number"),
        ("files_changed", "number"),
        ("files_removed", "number"),
        ("duration_ms", "number"),
        ("database_path", "text"),
        ("branch", "text"),
        ("skipped", "list"),
        ("failed", "list"),
    ] {
        let value = &report[key];
        let fits = match kind {
            "number" => value.is_u64(),
            "text" => value.is_string(),
            _ => value.is_array(),
        };
        assert!(fits, "{key} is no {kind}: {report}");
    }
    assert_eq!(report["skipped"], serde_json::json!([{ "path": "bad.py", "reason": "not_utf8" }]));
}

#[test]
fn a_query_builds_an_index_where_there_is_none_and_otherwise_reads_what_is_there() {
    let worktree = Worktree::small();
    let found = json(worktree.root(), &["search", "helper"]);
    assert_eq!(found["matches"][0]["name"], "helper");
    worktree.write("c.py", "def later(): pass\n");
    assert_eq!(json(worktree.root(), &["search", "later"])["matches"], serde_json::json!([]));
    let refreshed = json(worktree.root(), &["search", "later", "--sync"]);
    assert_eq!(refreshed["matches"][0]["path"], "c.py");
}

#[test]
fn every_match_can_be_fed_to_the_next_call() {
    let worktree = Worktree::small();
    for hit in json(worktree.root(), &["search", "helper"])["matches"].as_array().unwrap() {
        assert!(hit["selector"].as_str().is_some_and(|selector| selector.starts_with("symbol:")), "{hit}");
        assert!(hit["path"].is_string() && hit["line"].is_u64(), "{hit}");
    }
}

/// Everything is new before the first commit.
#[test]
fn the_diff_of_a_worktree_without_commits_is_everything() {
    let worktree = Worktree::repository();
    worktree.write("b.py", "def helper():\n    return 1\n");
    worktree.write("a.py", "from b import helper\n\n\ndef run():\n    helper()\n");
    let answer = json(worktree.root(), &["impact", "--diff", "worktree"]);
    assert_eq!(answer["start"].as_array().unwrap().len(), 2, "{answer}");
    worktree.git(&["add", "b.py"]);
    let answer = json(worktree.root(), &["impact", "--diff", "worktree"]);
    assert_eq!(answer["start"].as_array().unwrap().len(), 2, "{answer}");
}

/// `orbit graph export | head`: the reader goes away, and that is not a failure.
#[test]
fn a_reader_that_goes_away_is_not_a_failure() {
    let worktree = Worktree::small();
    for number in 0..200 {
        worktree.write(&format!("m{number}.py"), "def run(): return run()\n".repeat(40));
    }
    assert!(export(worktree.root()).len() > 1 << 20, "more than a pipe holds");
    let mut child =
        command(worktree.root(), &["export"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
