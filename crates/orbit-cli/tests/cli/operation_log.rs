//! Operation logs as `orbit refactor commit` writes them, judged by a JSON Schema validator that is not ours: Python's
//! `jsonschema`, which `scripts/test-tools` installs.

use crate::mcp_client::python;
use crate::refactor::{git, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Reads `[schema, [document…]]`, writes for each document what is wrong with it, or null.
const VALIDATE: &str = "
import json, sys
from jsonschema import Draft202012Validator
schema, documents = json.load(sys.stdin)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
errors = [next(validator.iter_errors(document), None) for document in documents]
print(json.dumps([error and error.message for error in errors]))
";

/// What is wrong with each document, if anything.
fn judged(documents: &[Value]) -> Vec<Option<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../orbit-history/schemas/operations-v1.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).expect("a schema")).expect("JSON");
    let mut child = Command::new(python())
        .args(["-c", VALIDATE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let input = json!([schema, documents]).to_string();
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the validator ran");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn done(root: &Path, args: &[&str]) {
    let output = run(root, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The log of the commit that takes everything so far.
fn committed(root: &Path, message: &str) -> Value {
    done(root, &["commit", "-m", message]);
    let sha = git(root, &["rev-parse", "HEAD"]);
    let text = fs::read_to_string(root.join(format!(".orbit/operations/{sha}.json"))).expect("a log");
    let note = git(root, &["notes", "--ref", "refs/notes/orbit-operations", "show", "HEAD"]);
    assert_eq!(note, text.trim(), "the note says the same");
    serde_json::from_str(&text).expect("JSON")
}

/// Commits in which all eight operations happen, in three languages.
fn logs(root: &Path) -> Vec<Value> {
    git(root, &["init", "-q", "-b", "main"]);
    git(root, &["config", "user.name", "Ada"]);
    git(root, &["config", "user.email", "ada@example.org"]);
    let functions = ["one", "two", "three", "four", "five", "six"];
    let text = functions.map(|name| format!("def {name}(x):\n    return x\n")).join("\n\n");
    fs::create_dir(root.join("src")).expect("a directory");
    for (path, text) in [
        ("a.py", text.as_str()),
        ("b.py", "B = 1\n"),
        ("t.ts", "export class Box<T> {\n  open(): T | undefined { return undefined }\n}\n"),
        ("Cargo.toml", "[package]\nname = \"p\"\n"),
        (
            "src/lib.rs",
            "pub struct Item {\n    pub price: u32,\n}\n\nimpl Item {\n    pub fn total(&self) -> u32 {\n        self.price\n    }\n}\n",
        ),
    ] {
        fs::write(root.join(path), text).expect("writable");
    }
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "Start"]);
    let body = |name: &str| json!({"name": name, "body": format!("def {name}(x):\n    return x, x\n")});
    done(root, &["create", "a.py", "seven", "--kind", "function", "--body", "def seven():\n    return 7\n"]);
    done(root, &["delete", "symbol:a.py#one:function"]);
    done(root, &["rename", "symbol:a.py#two:function", "zwei"]);
    done(root, &["rename", "symbol:src/lib.rs#Item::total:method", "sum"]);
    done(root, &["rename", "symbol:t.ts#Box:class", "Crate"]);
    done(root, &["move", "symbol:a.py#zwei:function", "b.py"]);
    done(root, &["change-signature", "symbol:a.py#three:function", "def three(x, y=1):"]);
    done(root, &["change-body", "symbol:a.py#four:function", "return x * 4"]);
    let first = committed(root, "Six of eight");
    let parts = json!([body("left"), body("right")]).to_string();
    done(root, &["split", "symbol:a.py#five:function", "--into", &parts]);
    let second = committed(root, "Split");
    let both = body("both").to_string();
    done(root, &["merge", "symbol:a.py#left:function", "symbol:a.py#six:function", "--into", &both]);
    vec![first, second, committed(root, "Merge")]
}

#[test]
fn every_log_is_valid_and_the_schema_refuses_what_is_not() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let logs = logs(dir.path());
    let operations: Vec<&Value> =
        logs.iter().flat_map(|log| log["operations"].as_array().expect("a list")).collect();
    let kinds: BTreeSet<&str> = operations.iter().filter_map(|operation| operation["op"].as_str()).collect();
    let all = ["change_body", "change_signature", "create", "delete", "merge", "move", "rename", "split"];
    assert_eq!(kinds, BTreeSet::from(all));
    assert_eq!(judged(&logs), [const { None::<String> }; 3]);
    // Each operation without one of its parts, with one more, and the envelope likewise.
    let mut bad = Vec::new();
    for (at, log) in logs.iter().enumerate() {
        for n in 0..log["operations"].as_array().expect("a list").len() {
            let keys: Vec<String> =
                log["operations"][n].as_object().expect("an object").keys().cloned().collect();
            for key in keys.iter().filter(|key| !["signature_post", "note"].contains(&key.as_str())) {
                let mut less = logs[at].clone();
                less["operations"][n].as_object_mut().expect("an object").remove(key);
                bad.push(less);
            }
            let mut more = logs[at].clone();
            more["operations"][n]["surplus"] = json!(1);
            bad.push(more);
        }
    }
    for (key, value) in
        [("commitSha", json!("ABC")), ("schemaVersion", json!("1")), ("producer", json!({"name": "p"}))]
    {
        let mut other = logs[0].clone();
        other[key] = value;
        bad.push(other);
    }
    let answers = judged(&bad);
    for (document, answer) in bad.iter().zip(&answers) {
        assert!(answer.is_some(), "taken for valid: {document}");
    }
}
