//! `orbit refactor` as a user runs it: answers, refusals, kills at any moment, and the tools for agents.

use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(dir)
        .output()
        .expect("git");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A repository with one function and many users of it.
fn repository(users: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = dir.path();
    git(root, &["init", "-q", "-b", "main"]);
    git(root, &["config", "user.name", "Ada"]);
    git(root, &["config", "user.email", "ada@example.org"]);
    fs::write(root.join("base.py"), "def total(items):\n    return sum(items)\n").expect("writable");
    for n in 0..users {
        let text = format!("from base import total\n\n\ndef user_{n}():\n    return total([{n}])\n");
        fs::write(root.join(format!("user_{n}.py")), text).expect("writable");
    }
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "Start"]);
    dir
}

fn refactor(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orbit"));
    command.arg("refactor").args(args).current_dir(dir);
    command
}

pub(crate) fn run(dir: &Path, args: &[&str]) -> Output {
    refactor(dir, args).output().expect("the program starts")
}

/// Every file that git knows or could know.
fn tree(dir: &Path) -> BTreeMap<String, String> {
    let listed = git(dir, &["ls-files", "-co", "--exclude-standard"]);
    listed
        .lines()
        .filter_map(|path| Some((path.to_owned(), fs::read_to_string(dir.join(path)).ok()?)))
        .collect()
}

#[test]
fn a_rename_is_shown_applied_listed_and_taken_back() {
    let dir = repository(2);
    let root = dir.path();
    let shown = run(root, &["rename", "total", "gross", "--dry-run"]);
    let diff = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(diff.contains("-def total(items):\n+def gross(items):"), "{diff}");
    assert_eq!(git(root, &["status", "--porcelain"]), "");
    let applied = run(root, &["rename", "total", "gross", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&applied.stdout).expect("JSON");
    assert_eq!(
        (answer["applied"].as_bool(), answer["files"].as_array().map(Vec::len)),
        (Some(true), Some(3))
    );
    assert_eq!(answer["operations"][0]["op"], "rename");
    let now = run(root, &["diff"]);
    let mut apply = Command::new("git")
        .args(["apply", "-R", "--check", "-"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git");
    apply.stdin.take().expect("a pipe").write_all(&now.stdout).expect("git reads");
    assert!(apply.wait().expect("git ends").success(), "git takes the diff");
    assert!(String::from_utf8_lossy(&run(root, &["status"]).stdout).contains("to gross"));
    assert!(run(root, &["undo"]).status.success());
    assert_eq!(git(root, &["status", "--porcelain"]), "");
}

#[test]
fn a_refusal_is_json_with_the_places() {
    let dir = repository(1);
    let refused = run(dir.path(), &["rename", "total", "user_0", "--json"]);
    assert!(!refused.status.success());
    let answer: serde_json::Value = serde_json::from_slice(&refused.stderr).expect("JSON");
    assert_eq!(answer["error"]["code"], "captured", "{answer}");
    assert!(answer["error"]["candidates"][0].as_str().is_some_and(|place| place.starts_with("user_0.py:")));
    assert_eq!(git(dir.path(), &["status", "--porcelain"]), "");
}

#[test]
fn a_killed_rename_is_before_or_after() {
    const KILLS: u32 = 25;
    let dir = repository(60);
    let root = dir.path();
    let before = tree(root);
    let started = Instant::now();
    assert!(run(root, &["rename", "total", "gross"]).status.success());
    let length = started.elapsed();
    let after = tree(root);
    assert!(run(root, &["undo"]).status.success());
    let (mut state, mut killed) = (0x5eed_u32, 0);
    for n in 0..KILLS {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let inside = f64::from(state >> 8) / f64::from(1 << 24);
        let moment = length.mul_f64((f64::from(n) + inside) / f64::from(KILLS)).max(Duration::from_millis(1));
        let mut child = refactor(root, &["rename", "total", "gross"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(moment);
        child.kill().expect("it is ours");
        killed += u32::from(!child.wait().expect("it ends").success());
        assert!(run(root, &["status"]).status.success(), "kill {n}");
        let now = tree(root);
        assert!(now == before || now == after, "kill {n} at {moment:?} left something between");
        if now == after {
            assert!(run(root, &["undo"]).status.success(), "kill {n}: the step is there");
            assert_eq!(tree(root), before);
        }
    }
    assert!(killed > KILLS / 4, "{killed} of {KILLS} were killed while they ran");
}

#[test]
fn agents_have_the_tools_only_when_asked_for() {
    let dir = repository(1);
    let ask = |toolset: &str, calls: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_orbit"))
            .args(["mcp", "--toolset", toolset])
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "{hello}\n{ready}\n{calls}").expect("it reads");
        let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        let mut said = String::new();
        while !said.contains("\"id\":2") {
            let mut line = String::new();
            if std::io::BufRead::read_line(&mut output, &mut line).expect("it writes") == 0 {
                break;
            }
            said.push_str(&line);
        }
        drop(input);
        let _ = child.wait();
        said
    };
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#;
    assert!(!ask("code", list).contains("refactor_rename"));
    assert!(ask("refactor", list).contains("refactor_rename"));
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"refactor_rename","arguments":{"selector":"total","new_name":"gross"}}}"#;
    let answer = ask("refactor", call);
    assert!(answer.contains("\\\"applied\\\":true"), "{answer}");
    assert!(fs::read_to_string(dir.path().join("base.py")).expect("readable").contains("def gross"));
}

/// The program in a directory; its answer as JSON.
fn orbit(dir: &Path, args: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_orbit"))
        .args(args)
        .arg("--json")
        .current_dir(dir)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// An atom that is anchored to a symbol of `base.py`, fresh and known to the history.
fn anchored(root: &Path, anchor: &str) {
    orbit(root, &["project", "create", "shop"]);
    orbit(root, &["task", "create", "Sums", "--project", "shop"]);
    let atom = ["knowledge", "atom", "create", "Totals", "--task", "Sums", "--path", "base.py"];
    orbit(root, &[&atom[..], &["--anchor", anchor, "--knowledge", "adds up"]].concat());
    assert_eq!(orbit(root, &["knowledge", "atom", "show", "Totals"])["atom"]["freshness"], "fresh");
    orbit(root, &["graph", "sync", "--history"]);
}

/// The anchors of the atom after a commit, which must say that it rewrote them.
fn anchors_after_commit(root: &Path) -> Vec<String> {
    let done = orbit(root, &["refactor", "commit", "-m", "Totals stand elsewhere"]);
    assert_eq!(done["knowledge"]["atoms"][0]["rewritten"], true, "{done}");
    let shown = orbit(root, &["knowledge", "atom", "show", "Totals"]);
    let anchors = shown["atom"]["anchors"].as_array().expect("anchors");
    anchors.iter().map(|anchor| anchor.as_str().expect("text").to_owned()).collect()
}

#[test]
fn knowledge_follows_its_symbols_in_the_same_command() {
    let dir = repository(2);
    let root = dir.path();
    anchored(root, "total");
    assert!(run(root, &["rename", "total", "amount"]).status.success());
    let anchors = anchors_after_commit(root);
    assert!(anchors[0].contains("amount"), "{anchors:?}");
    assert_eq!(orbit(root, &["knowledge", "atom", "show", "Totals"])["atom"]["freshness"], "fresh");
}

#[test]
fn knowledge_follows_a_moved_symbol() {
    let dir = repository(2);
    let root = dir.path();
    anchored(root, "total");
    let moved = run(root, &["move", "total", "user_0.py"]);
    assert!(moved.status.success(), "{}", String::from_utf8_lossy(&moved.stderr));
    let anchors = anchors_after_commit(root);
    assert!(anchors[0].contains("user_0.py#total"), "{anchors:?}");
}

#[test]
fn knowledge_follows_the_parts_of_a_split_symbol() {
    let dir = repository(0);
    let root = dir.path();
    anchored(root, "total");
    let part =
        |name: &str| json!({"name": name, "body": format!("def {name}(items):\n    return sum(items)\n")});
    let parts = json!([part("left"), part("right")]).to_string();
    let split = run(root, &["split", "total", "--into", &parts, "--force"]);
    assert!(split.status.success(), "{}", String::from_utf8_lossy(&split.stderr));
    let anchors = anchors_after_commit(root);
    assert!(anchors.iter().any(|anchor| anchor.contains("left")), "{anchors:?}");
    assert!(anchors.iter().any(|anchor| anchor.contains("right")), "{anchors:?}");
}

#[test]
fn knowledge_follows_what_symbols_are_merged_into() {
    let dir = repository(1);
    let root = dir.path();
    anchored(root, "total");
    fs::write(root.join("other.py"), "def other(items):\n    return items\n").expect("writable");
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "One more"]);
    orbit(root, &["graph", "sync", "--history"]);
    let both = json!({"name": "both", "body": "def both(items):\n    return sum(items)\n"}).to_string();
    let merged = run(root, &["merge", "total", "other", "--into", &both, "--force"]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    let anchors = anchors_after_commit(root);
    assert!(anchors[0].contains("both"), "{anchors:?}");
}
