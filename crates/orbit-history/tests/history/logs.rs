//! Good operation logs: ids stay through what no matcher could follow.

use super::repo::Repo;
use orbit_history::new_stable_id;
use orbit_history::operations::{OperationLog, SCHEMA_JSON};
use serde_json::{Value, json};

/// Any SHA-256.
pub(crate) const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A log of the commit at HEAD.
pub(crate) fn log(repo: &Repo, operations: Value) -> Value {
    json!({
        "schemaVersion": 1,
        "commitSha": repo.head(),
        "producer": {"name": "orbit", "version": "0.1.0", "agent": "test"},
        "operations": operations,
    })
}

/// Puts a log where files are looked for.
pub(crate) fn put(repo: &Repo, log: &Value) {
    repo.write(&format!(".orbit/operations/{}.json", repo.head()), &log.to_string());
}

fn address(file: &str, name: &str, kind: &str) -> Value {
    json!({"file": file, "qualified_name": name, "kind": kind})
}

/// A repository whose symbols have ids, and their ids.
pub(crate) fn start() -> (Repo, String, String) {
    let repo = Repo::new();
    repo.write("a.py", "def one(x):\n    return x + 1\n\n\ndef two(x):\n    return x + 2\n")
        .write("b.py", "B = 1\n")
        .commit("Start");
    repo.sync();
    let ids = (repo.stable_id("a.py#one:function"), repo.stable_id("a.py#two:function"));
    (repo, ids.0, ids.1)
}

#[test]
fn rename_move_and_a_new_body_in_one_commit_keep_the_id() {
    let (repo, one, _) = start();
    repo.write("a.py", "def two(x):\n    return x + 2\n")
        .write("b.py", "B = 1\n\n\ndef increment(value, by):\n    total = value\n    return total + by\n")
        .commit("Everything at once");
    put(
        &repo,
        &log(
            &repo,
            json!([
                {"op": "rename", "stable_id": one, "pre": {"qualified_name": "one"}, "post": {"qualified_name": "increment"}},
                {"op": "move", "stable_id": one, "pre": {"file": "a.py"}, "post": {"file": "b.py"}},
                {"op": "change_signature", "stable_id": one, "signature_pre": "def one(x)", "signature_post": "def increment(value, by)"},
                {"op": "change_body", "stable_id": one, "body_hash_pre": HASH, "body_hash_post": HASH.replace('e', "f")},
            ]),
        ),
    );
    let report = repo.sync();
    assert_eq!(report.warnings, [""; 0]);
    assert_eq!(repo.stable_id("b.py#increment:function"), one);
    assert_eq!(repo.story("b.py#increment:function"), ["moved Everything at once", "added Start"]);
    assert_eq!(
        repo.lineage("b.py#increment:function"),
        ["moved a.py#one:function -> b.py#increment:function operation"]
    );
    repo.write("b.py", "B = 1\n\n\ndef increment(value, by):\n    return value + by\n").commit("Next");
    repo.sync();
    assert_eq!(repo.stable_id("b.py#increment:function"), one);
}

#[test]
fn a_split_links_children_to_their_source() {
    let (repo, one, _) = start();
    repo.write(
        "a.py",
        "def left(x):\n    return x\n\n\ndef right(x):\n    return 1\n\n\ndef two(x):\n    return x + 2\n",
    )
    .commit("Split [T20260101-1]");
    let (left, right) = (new_stable_id(), new_stable_id());
    put(
        &repo,
        &log(
            &repo,
            json!([{
                "op": "split",
                "source": {"stable_id": one, "pre": address("a.py", "one", "function")},
                "children": [
                    {"stable_id": left, "post": address("a.py", "left", "function"), "body_hash_post": HASH},
                    {"stable_id": right, "post": address("a.py", "right", "function"), "body_hash_post": HASH},
                ],
            }]),
        ),
    );
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#left:function"), left);
    assert_eq!(repo.stable_id("a.py#right:function"), right);
    assert_eq!(repo.story("a.py#left:function"), ["split Split [T20260101-1]", "added Start"]);
    assert_eq!(
        repo.lineage("a.py#right:function"),
        ["split a.py#one:function -> a.py#right:function operation"]
    );
}

#[test]
fn a_merge_keeps_the_history_of_all_sources() {
    let (repo, one, two) = start();
    repo.write("a.py", "def both(x):\n    return x + 3\n").commit("Merge them");
    put(
        &repo,
        &log(
            &repo,
            json!([{
                "op": "merge",
                "sources": [
                    {"stable_id": one, "pre": address("a.py", "one", "function")},
                    {"stable_id": two, "pre": address("a.py", "two", "function")},
                ],
                "target": {"stable_id": two, "post": address("a.py", "both", "function"), "body_hash_post": HASH},
            }]),
        ),
    );
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#both:function"), two);
    assert_eq!(repo.story("a.py#both:function"), ["merged Merge them", "added Start"]);
    let mut lineage = repo.lineage("a.py#both:function");
    lineage.sort();
    assert_eq!(
        lineage,
        [
            "merged a.py#one:function -> a.py#both:function operation",
            "renamed a.py#two:function -> a.py#both:function operation"
        ]
    );
}

#[test]
fn created_and_deleted_symbols_are_taken_at_their_word() {
    let (repo, one, _) = start();
    repo.write("a.py", "def three(x):\n    return x + 3\n\n\ndef two(x):\n    return x + 2\n")
        .commit("Create");
    let three = new_stable_id();
    put(
        &repo,
        &log(
            &repo,
            json!([
                {"op": "delete", "stable_id": one, "pre": address("a.py", "one", "function")},
                {"op": "create", "stable_id": three, "post": address("a.py", "three", "function"), "body_hash_post": HASH, "note": "new"},
            ]),
        ),
    );
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#three:function"), three);
    assert_eq!(repo.story("a.py#one:function"), ["deleted Create", "added Start"]);
}

#[test]
fn what_a_log_does_not_cover_goes_through_the_matcher() {
    let (repo, one, two) = start();
    let long = "def long(items):\n    return sum(item.price for item in items)\n";
    repo.write("b.py", long).commit("Long");
    repo.sync();
    let kept = repo.stable_id("b.py#long:function");
    repo.write("a.py", "def uno(x):\n    return 0\n\n\ndef two(x):\n    return x + 22\n")
        .write("b.py", &long.replace("def long", "def longer"))
        .commit("Both");
    put(
        &repo,
        &log(
            &repo,
            json!([
                {"op": "rename", "stable_id": one, "pre": {"qualified_name": "one"}, "post": {"qualified_name": "uno"}},
            ]),
        ),
    );
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#uno:function"), one);
    assert_eq!(repo.stable_id("a.py#two:function"), two);
    assert_eq!(repo.story("a.py#two:function"), ["modified Both", "added Start"]);
    assert_eq!(repo.stable_id("b.py#longer:function"), kept);
    assert!(repo.lineage("b.py#longer:function")[0].ends_with("inferred"));
}

#[test]
fn an_empty_log_loses_nothing() {
    let body = "(items):\n    return sum(item.price for item in items)\n";
    let repo = Repo::new();
    repo.write("a.py", &format!("def total{body}")).commit("Start [T20260101-1]");
    repo.write("a.py", &format!("def amount{body}")).commit("Rename [T20260102-1]");
    put(&repo, &log(&repo, json!([])));
    assert_eq!(repo.sync().warnings, [""; 0]);
    let history = repo.history("a.py#amount:function");
    assert_eq!(history.commits.len(), 2);
    assert_eq!(history.task_history.len(), 2);
    assert_eq!(history.lineage[0].known_by, "inferred");
}

#[test]
fn a_note_counts_and_wins_over_a_file_that_differs() {
    let (repo, one, _) = start();
    repo.write("a.py", "def uno(x):\n    return 0\n\n\ndef two(x):\n    return x + 2\n").commit("Rename");
    let good = log(
        &repo,
        json!([
            {"op": "rename", "stable_id": one, "pre": {"qualified_name": "one"}, "post": {"qualified_name": "uno"}},
        ]),
    );
    repo.git(&["notes", "--ref", "orbit-operations", "add", "-m", &good.to_string()]);
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#uno:function"), one);

    let (repo, one, _) = start();
    repo.write("a.py", "def uno(x):\n    return 0\n\n\ndef two(x):\n    return x + 2\n").commit("Rename");
    let good = good.to_string().replace(good["commitSha"].as_str().unwrap(), &repo.head());
    let good = good.replace(good_id(&good), &one);
    repo.git(&["notes", "--ref", "orbit-operations", "add", "-m", &good]);
    put(&repo, &log(&repo, json!([])));
    let report = repo.sync();
    assert!(report.warnings[0].contains("the note is followed"), "{:?}", report.warnings);
    assert_eq!(repo.stable_id("a.py#uno:function"), one);
}

fn good_id(log: &str) -> &str {
    let start = log.find("node:").expect("an id");
    &log[start..start + 26]
}

#[test]
fn a_log_that_comes_late_is_followed_all_the_same() {
    let (repo, one, two) = start();
    repo.write("a.py", "def uno(x):\n    return 0\n\n\ndef two(x):\n    return x + 2\n").commit("Rename");
    let commit_log = |repo: &Repo| {
        log(
            repo,
            json!([
                {"op": "rename", "stable_id": one, "pre": {"qualified_name": "one"}, "post": {"qualified_name": "uno"}},
            ]),
        )
    };
    let late = commit_log(&repo);
    let path = format!(".orbit/operations/{}.json", repo.head());
    repo.sync();
    assert_ne!(repo.stable_id("a.py#uno:function"), one, "without the log nobody could know");
    repo.write("a.py", "def uno(x):\n    return 5\n\n\ndef two(x):\n    return x + 2\n").commit("Next");
    repo.sync();
    repo.write(&path, &late.to_string());
    let report = repo.sync();
    assert_eq!(report.commits_added, 2, "the commit and what is built on it are read again");
    assert_eq!(repo.stable_id("a.py#uno:function"), one);
    assert_eq!(repo.stable_id("a.py#two:function"), two);
    assert_eq!(repo.story("a.py#uno:function"), ["modified Next", "renamed Rename", "added Start"]);
}

/// Every field of the structs is in the schema, and the other way round.
#[test]
fn the_schema_and_the_structs_agree() {
    let schema: Value = serde_json::from_str(SCHEMA_JSON).unwrap();
    let id = new_stable_id();
    let at = address("a.py", "f", "function");
    let placed = json!({"stable_id": id, "post": at, "body_hash_post": HASH});
    let source = json!({"stable_id": id, "pre": at});
    let all = [
        json!({"op": "create", "stable_id": id, "post": at, "body_hash_post": HASH, "signature_post": "s", "note": "n"}),
        json!({"op": "delete", "stable_id": id, "pre": at, "note": "n"}),
        json!({"op": "rename", "stable_id": id, "pre": at, "post": at, "note": "n"}),
        json!({"op": "move", "stable_id": id, "pre": at, "post": at, "note": "n"}),
        json!({"op": "change_signature", "stable_id": id, "signature_pre": "a", "signature_post": "b", "note": "n"}),
        json!({"op": "change_body", "stable_id": id, "body_hash_pre": HASH, "body_hash_post": HASH, "note": "n"}),
        json!({"op": "split", "source": source, "children": [placed], "note": "n"}),
        json!({"op": "merge", "sources": [source, source], "target": placed, "note": "n"}),
    ];
    assert_eq!(schema["$defs"]["operation"]["oneOf"].as_array().unwrap().len(), all.len());
    for operation in &all {
        let name = operation["op"].as_str().unwrap();
        let keys = |value: &Value| -> Vec<String> {
            let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let definition = &schema["$defs"][name];
        assert_eq!(keys(operation), keys(&definition["properties"]), "{name}");
        let log = json!({"schemaVersion": 1, "commitSha": "0".repeat(40), "producer": {"name": "p", "version": "1"}, "operations": [operation]});
        let parsed: OperationLog = serde_json::from_value(log.clone()).unwrap();
        assert_eq!(serde_json::to_value(&parsed).unwrap(), log, "{name} comes back as it was");
        for required in definition["required"].as_array().unwrap() {
            let mut less = operation.clone();
            less.as_object_mut().unwrap().remove(required.as_str().unwrap());
            let log = json!({"schemaVersion": 1, "commitSha": "0".repeat(40), "producer": {"name": "p", "version": "1"}, "operations": [less]});
            assert!(serde_json::from_value::<OperationLog>(log).is_err(), "{name} without {required}");
        }
    }
}
