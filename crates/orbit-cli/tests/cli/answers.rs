//! Every question, every option, as text and as JSON, on one small worktree of several languages. What the program
//! prints is kept in `answers/*.txt`: read them as a user would. `UPDATE_EXPECT=1` writes them anew.

use crate::fixture::files;
use crate::program::{Outcome, orbit};
use crate::worktree::Worktree;
use expect_test::expect_file;
use serde_json::Value;
use std::fmt::Write as _;

const FIXTURE: &str = include_str!("answers/fixture.txt");

/// A repository with one commit and an index.
fn worktree() -> Worktree {
    let worktree = Worktree::repository();
    for (path, text) in files(FIXTURE) {
        worktree.write(&path, text);
    }
    worktree.git(&["add", "-A"]);
    worktree.git(&["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "all"]);
    orbit(worktree.root(), &["sync"]).success();
    worktree
}

/// A line of the shell, split at spaces; `'…'` keeps words together.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().expect("one at least").push(other),
        }
    }
    words
}

/// Runs each line, as text and as JSON, and shows both.
fn transcript(worktree: &Worktree, lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        let words = split(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let _ = writeln!(out, "$ orbit graph {line}\n{}", shown(orbit(worktree.root(), &words)));
        let with_json: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        let _ = writeln!(out, "$ orbit graph {line} --json\n{}", pretty(orbit(worktree.root(), &with_json)));
    }
    out
}

fn shown(outcome: Outcome) -> String {
    match outcome.code {
        Some(0) => outcome.stdout,
        code => format!("{}{}(exit {})\n", outcome.stdout, outcome.stderr, code.unwrap_or(-1)),
    }
}

fn pretty(outcome: Outcome) -> String {
    let is_error = outcome.code != Some(0);
    let text = if is_error { &outcome.stderr } else { &outcome.stdout };
    let document: Value = serde_json::from_str(text).expect("one JSON document");
    let exit = if is_error { format!("(exit {})\n", outcome.code.unwrap_or(-1)) } else { String::new() };
    format!("{}\n{exit}", serde_json::to_string_pretty(&document).expect("JSON"))
}

#[test]
fn search() {
    let lines = [
        "search clamp",
        "search 'sales daily'",
        "search sales daily",
        "search memoryStore",
        "search ca --limit 2",
        "search render --lang python --path 'tools/**'",
        "search cart --symbol-kind function",
        "search current --kind string",
        "search port --kind config",
        "search clmap",
        "search zzzzz",
        "search x --symbol-kind thing",
        "search x --path 'a['",
    ];
    expect_file!["answers/search.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn show() {
    let lines = [
        "show Cart::total",
        "show src/cart.rs:25",
        "show symbol:web/api.ts#HttpTransport.send:method --max-bytes 40",
        "show file:web/format.ts",
        "show module:tools.text",
        "show command:daily-sales",
        "show load",
        "show lod",
        "show symbol:../outside.rs#x",
        "show clamp plural --max-bytes 40",
        "show src/cart.rs:20-23",
        "show file:src/cart.rs#L21-L22",
        "show Cart::total --lines 22",
        "show Cart::total --lines 90-99",
        "show web/api.ts --max-bytes 100 --lines 3-",
        "show web/api.ts --lines 7-3",
        "show clamp plural --lines 1-2",
    ];
    expect_file!["answers/show.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn refs() {
    let lines = [
        "refs clamp",
        "refs Cart::add --kind call",
        "refs Transport",
        "refs Report --kind extends",
        "refs load",
        "refs send --confidence fuzzy",
        "refs Cart --limit 2",
        "refs plural --confidence exact",
        "refs nothing_like_it",
        "refs file:src/cart.rs",
        "refs tools/text.py",
        "refs module:tools.text",
        "refs web/api.ts --kind call",
        "refs file:src/nowhere.rs",
        "refs clamp plural",
        "refs clamp --lines",
        "refs clamp nothing_like_it",
    ];
    expect_file!["answers/refs.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn unused() {
    let lines = [
        "unused",
        "unused --grade all",
        "unused src --grade exported --limit 1",
        "unused --symbol-kind struct --grade perhaps_used",
        "unused nowhere",
    ];
    expect_file!["answers/unused.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn path() {
    let lines = [
        "path main clamp",
        "path clamp main",
        "path total Cart::total --confidence exact",
        "path add_item MemoryStore",
        "path main nothing_like_it",
        "path main file:src/cart.rs",
    ];
    expect_file!["answers/path.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn callees() {
    let lines = [
        "callees add_item",
        "callees add_item daily_sales",
        "callees daily_sales --confidence fuzzy",
        "callees main --limit 1",
        "callees load",
    ];
    expect_file!["answers/callees.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn impact() {
    let worktree = worktree();
    let lines = [
        "impact clamp",
        "impact clamp --depth 1",
        "impact add_item --direction outbound --depth 1",
        "impact plural file:web/format.ts",
        "impact clamp --limit 1",
        "impact --diff worktree",
        "impact --diff no-such-revision",
        "impact",
    ];
    worktree.write(
        "tools/text.py",
        "def plural(word, count):\n    return word\n\n\ndef load(path):\n    return open(path).read()\n",
    );
    orbit(worktree.root(), &["sync"]).success();
    expect_file!["answers/impact.txt"].assert_eq(&transcript(&worktree, &lines));
}

#[test]
fn trace() {
    let lines = [
        "trace add-item",
        "trace total --depth 1",
        "trace daily-sales --confidence fuzzy",
        "trace daily-sale",
    ];
    expect_file!["answers/trace.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn overview() {
    let lines = [
        "overview",
        "overview dir:tools --format full",
        "overview src/cart.rs",
        "overview nowhere",
        "overview --format entry_points",
        "overview dir:tools --format entry_points",
    ];
    expect_file!["answers/overview.txt"].assert_eq(&transcript(&worktree(), &lines));
}

#[test]
fn implementors_deps_and_cycles() {
    let lines = [
        "implementors Store",
        "implementors Report",
        "implementors Transport --limit 0",
        "implementors Clone",
        "deps file:src/main.rs",
        "deps dir:web --limit 1",
        "deps nowhere.rs",
        "cycles",
        "cycles dir:tools",
        "cycles nowhere",
    ];
    expect_file!["answers/structure.txt"].assert_eq(&transcript(&worktree(), &lines));
}

/// Files that changed after the index was made are named, whatever is asked; `--sync` brings the answer up to date.
#[test]
fn stale() {
    let worktree = worktree();
    worktree.write(
        "src/store.rs",
        "use crate::cart::Cart;\n\npub fn fresh(cart: &mut Cart) {\n    cart.add(\"x\", 1);\n}\n",
    );
    std::fs::remove_file(worktree.path("tools/text.py")).expect("it was there");
    let lines = [
        "show Store",
        "show src/store.rs:4",
        "show symbol:src/store.rs#fresh",
        "show src/store.rs",
        "show plural",
        "refs Cart::add",
        "refs plural",
        "callees add_item",
        "impact plural",
        "implementors Store",
        "deps tools",
        "search plural",
        "refs Cart::add --sync",
        "show plural",
    ];
    expect_file!["answers/stale.txt"].assert_eq(&transcript(&worktree, &lines));
}
