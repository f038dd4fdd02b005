//! Every rule a log can break: it is not followed, somebody is told which entry and why, and nothing is lost that the
//! matcher gives.

use super::logs::{HASH, log, put, start};
use super::repo::Repo;
use orbit_history::new_stable_id;
use serde_json::{Value, json};

/// Writes this text as the log of a commit that renames `one` to `uno` (with another body, so that only a log could
/// follow it), changes `two` and leaves the rest. Checks that the log is not followed, for this reason, and that the
/// matcher's findings are there.
fn rejected(make: impl Fn(&Repo, &str, &str) -> String, reason: &str) {
    let (repo, one, two) = start();
    repo.write("a.py", "def uno(x):\n    return 0\n\n\ndef two(x):\n    return x + 22\n")
        .commit("Change [T20260101-1]");
    repo.write(&format!(".orbit/operations/{}.json", repo.head()), &make(&repo, &one, &two));
    let report = repo.sync();
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    let warning = &report.warnings[0];
    assert!(warning.contains("is not followed") && warning.contains(reason), "{warning}\nexpected: {reason}");
    assert_ne!(repo.stable_id("a.py#uno:function"), one);
    assert_eq!(repo.stable_id("a.py#two:function"), two);
    assert_eq!(repo.story("a.py#two:function"), ["modified Change [T20260101-1]", "added Start"]);
    assert_eq!(repo.story("a.py#uno:function"), ["added Change [T20260101-1]"]);
    assert_eq!(repo.open().task("T20260101-1").expect("an answer").symbols.len(), 3);
    assert!(repo.history("a.py#two:function").warnings.contains(warning));
    assert_eq!(repo.sync().commits_added, 0, "a bad log is read once");
}

fn rename(one: &str) -> Value {
    json!({"op": "rename", "stable_id": one, "pre": {"qualified_name": "one"}, "post": {"qualified_name": "uno"}})
}

fn at(name: &str) -> Value {
    json!({"file": "a.py", "qualified_name": name, "kind": "function"})
}

/// A log that would be followed but for one change.
fn changed(change: impl Fn(&mut Value) + Copy, reason: &str) {
    rejected(
        |repo, one, _| {
            let mut log = log(repo, json!([rename(one)]));
            change(&mut log);
            log.to_string()
        },
        reason,
    );
}

/// A log of other operations.
fn operations(make: impl Fn(&str, &str) -> Value, reason: &str) {
    rejected(|repo, one, two| log(repo, make(one, two)).to_string(), reason);
}

#[test]
fn the_log_that_the_others_break_is_followed() {
    let (repo, one, _) = start();
    repo.write("a.py", "def uno(x):\n    return 0\n\n\ndef two(x):\n    return x + 22\n").commit("Change");
    put(&repo, &log(&repo, json!([rename(&one)])));
    assert_eq!(repo.sync().warnings, [""; 0]);
    assert_eq!(repo.stable_id("a.py#uno:function"), one);
}

#[test]
fn it_must_be_json() {
    rejected(|_, _, _| "{\"schemaVersion\": 1,".into(), "it is not valid JSON");
    rejected(|_, _, _| "[1]".into(), "it is not a JSON object");
    rejected(|_, _, _| String::new(), "it is not valid JSON");
}

#[test]
fn the_envelope_must_be_whole() {
    for field in ["schemaVersion", "commitSha", "producer", "operations"] {
        changed(|log| drop(log.as_object_mut().unwrap().remove(field)), &format!("`{field}`"));
    }
    changed(|log| log["schemaVersion"] = json!("1"), "`schemaVersion`");
    changed(|log| log["schemaVersion"] = json!(0), "`schemaVersion`");
    changed(|log| log["operations"] = json!({}), "`operations`");
    changed(|log| log["producer"] = json!({"version": "1"}), "`producer`: missing field `name`");
    changed(|log| log["producer"] = json!({"name": "p"}), "`producer`: missing field `version`");
    changed(|log| log["producer"]["name"] = json!(1), "`producer`");
}

#[test]
fn a_newer_version_is_left_alone() {
    changed(|log| log["schemaVersion"] = json!(2), "schemaVersion 2 is newer than 1");
}

#[test]
fn the_commit_must_be_named_in_full() {
    changed(|log| log["commitSha"] = json!("abc"), "not a full commit id");
    changed(|log| log["commitSha"] = json!(log["commitSha"].as_str().unwrap().to_uppercase()), "commitSha");
}

#[test]
fn operations_must_be_known_and_whole() {
    operations(|one, _| json!([{"op": "relocate", "stable_id": one}]), "operation 1 (relocate)");
    operations(|one, _| json!([{"stable_id": one}]), "operation 1 (no op)");
    operations(
        |one, _| json!([rename(one), {"op": "delete", "stable_id": one}]),
        "operation 2 (delete): missing field `pre`",
    );
    operations(|_, _| json!([{"op": "delete", "stable_id": "one", "pre": at("one")}]), "is not a stable id");
    let short =
        json!([{"op": "create", "stable_id": new_stable_id(), "post": at("uno"), "body_hash_post": "abc"}]);
    operations(|_, _| short.clone(), "is not a SHA-256");
    operations(
        |one, _| json!([{"op": "split", "source": {"stable_id": one, "pre": at("one")}, "children": []}]),
        "`children` is empty",
    );
    let target = json!({"stable_id": new_stable_id(), "post": at("uno"), "body_hash_post": HASH});
    operations(
        |one, _| json!([{"op": "merge", "sources": [{"stable_id": one, "pre": at("one")}], "target": target}]),
        "`sources` has fewer than two",
    );
}

#[test]
fn unknown_fields_are_refused() {
    changed(|log| log["operations"][0]["because"] = json!("x"), "unknown field `because`");
    changed(|log| log["operations"][0]["pre"]["line"] = json!(1), "unknown field `line`");
}

#[test]
fn ids_must_be_known_or_new() {
    let unknown = new_stable_id();
    operations(|_, _| json!([rename(&unknown)]), "is not known before this commit");
    operations(
        |_, two| json!([{"op": "create", "stable_id": two, "post": at("uno"), "body_hash_post": HASH}]),
        "is taken already",
    );
    operations(
        |one, _| json!([{"op": "delete", "stable_id": one, "pre": at("one")}, rename(one)]),
        "ends earlier in this log",
    );
}

#[test]
fn a_created_symbol_must_be_there_and_new() {
    let create = |name: &str| json!([{"op": "create", "stable_id": new_stable_id(), "post": at(name), "body_hash_post": HASH}]);
    operations(|_, _| create("nowhere"), "`nowhere` is not in a.py after this commit");
    operations(|_, _| create("two"), "`two` was there before");
}

#[test]
fn a_deleted_symbol_must_have_been_there_and_be_gone() {
    operations(
        |_, two| json!([{"op": "delete", "stable_id": two, "pre": at("two")}]),
        "`two` is still there",
    );
    operations(
        |one, _| json!([{"op": "delete", "stable_id": one, "pre": at("other")}]),
        "is called `one`, not `other`",
    );
}

#[test]
fn a_renamed_symbol_must_have_left_its_name_and_taken_the_other() {
    let rename = |id: &str, pre: &str, post: &str| json!([{"op": "rename", "stable_id": id, "pre": {"qualified_name": pre}, "post": {"qualified_name": post}}]);
    operations(|one, _| rename(one, "one", "nowhere"), "`nowhere` is not in a.py after this commit");
    operations(|_, two| rename(two, "two", "uno"), "`two` is still there");
    operations(|one, _| rename(one, "other", "uno"), "is called `one`, not `other`");
    operations(|_, two| rename(two, "two", "two"), "is the name it has");
    operations(
        |one, _| json!([{"op": "rename", "stable_id": one, "pre": {"qualified_name": "one", "file": "b.py"}, "post": {"qualified_name": "uno"}}]),
        "is in `a.py`, not `b.py`",
    );
    operations(
        |one, _| json!([{"op": "rename", "stable_id": one, "pre": {"qualified_name": "one"}, "post": {"qualified_name": "uno", "kind": "class"}}]),
        "is a function, not a class",
    );
}

#[test]
fn a_moved_symbol_must_have_left_its_file_and_be_in_the_other() {
    let moved = |id: &str, from: &str, to: &str| json!([{"op": "move", "stable_id": id, "pre": {"file": from}, "post": {"file": to}}]);
    operations(|one, _| moved(one, "a.py", "b.py"), "`one` is not in b.py after this commit");
    operations(|one, _| moved(one, "b.py", "a.py"), "is in `a.py`, not `b.py`");
    operations(|_, two| moved(two, "a.py", "a.py"), "is the file it is in");
}

#[test]
fn a_changed_signature_must_differ() {
    let change = |id: &str, post: &str| json!([{"op": "change_signature", "stable_id": id, "signature_pre": "def two(x)", "signature_post": post}]);
    operations(|_, two| change(two, "def two(y)"), "the signature of `two` is what it was");
    operations(|_, two| change(two, "def two(x)"), "are the same");
}

#[test]
fn a_changed_body_must_differ_alone() {
    let other = HASH.replace('e', "f");
    let change = |id: &str| json!([{"op": "change_body", "stable_id": id, "body_hash_pre": HASH, "body_hash_post": other}]);
    let (repo, one, _) = start();
    repo.write("a.py", "def one(y):\n    return y + 1\n\n\ndef two(x):\n    return x + 2\n")
        .commit("Signature");
    put(&repo, &log(&repo, change(&one)));
    assert!(repo.sync().warnings[0].contains("the signature of `one` changed as well"));
    let (repo, _, two_here) = start();
    repo.write("a.py", "def one(x):\n    return x + 11\n\n\ndef two(x):\n    return x + 2\n").commit("Body");
    put(&repo, &log(&repo, change(&two_here)));
    assert!(repo.sync().warnings[0].contains("the body of `two` is what it was"));
    operations(
        |_, two| json!([{"op": "change_body", "stable_id": two, "body_hash_pre": HASH, "body_hash_post": HASH}]),
        "are the same",
    );
}

#[test]
fn a_split_symbol_must_be_gone_and_its_children_there() {
    let split = |id: &str, name: &str, child: &str| {
        json!([{"op": "split", "source": {"stable_id": id, "pre": at(name)}, "children": [
            {"stable_id": new_stable_id(), "post": at(child), "body_hash_post": HASH}]}])
    };
    operations(|_, two| split(two, "two", "uno"), "`two` is still there");
    operations(|one, _| split(one, "one", "nowhere"), "`nowhere` is not in a.py after this commit");
}

#[test]
fn merged_symbols_must_be_gone_and_the_target_there() {
    let merge = |one: &str, two: &str, target: &str| {
        json!([{"op": "merge",
            "sources": [{"stable_id": one, "pre": at("one")}, {"stable_id": two, "pre": at("two")}],
            "target": {"stable_id": new_stable_id(), "post": at(target), "body_hash_post": HASH}}])
    };
    operations(|one, two| merge(one, two, "uno"), "`two` is still there");
    operations(|one, two| merge(one, two, "nowhere"), "`nowhere` is not in a.py after this commit");
}

#[test]
fn one_bad_entry_discards_the_good_ones() {
    let unknown = new_stable_id();
    operations(
        |one, _| json!([rename(one), {"op": "delete", "stable_id": unknown, "pre": at("gone")}]),
        "operation 2 (delete)",
    );
}
