//! Merging, comparing, naming and publishing states of a graph.

use crate::program::Place;
use expect_test::expect_file;
use serde_json::{Value, json};

fn set_age(place: &Place, branch: &str, name: &str, age: i32) -> Value {
    let params = format!(r#"'{{"name":"{name}","age":{age}}}'"#);
    place.json(&format!(
        "omnigraph change --query queries.gq --name set_age --params {params} --branch {branch} --json g.omni"
    ))
}

#[test]
fn a_review_that_is_merged() {
    let place = Place::new();
    place.write("batch.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Frank\",\"age\":50}}\n");
    let seen = place.transcript(&[
        "omnigraph init --schema ./schema.pg ./g.omni",
        "omnigraph load --data ./seed.jsonl --mode overwrite ./g.omni",
        "omnigraph branch create --from main review/2026-04-25 ./g.omni",
        "omnigraph ingest --branch review/2026-04-25 --data ./batch.jsonl ./g.omni",
        "omnigraph diff main review/2026-04-25 ./g.omni",
        "omnigraph branch merge review/2026-04-25 --into main --dry-run ./g.omni",
        "omnigraph branch merge review/2026-04-25 --into main ./g.omni",
        "omnigraph branch merge review/2026-04-25 --into main ./g.omni",
        "omnigraph read --query ./queries.gq --name adults --format csv ./g.omni",
        "omnigraph commit list ./g.omni",
        "omnigraph commit show main ./g.omni",
        "omnigraph branch rename review/2026-04-25 review/done ./g.omni",
        "omnigraph branch list ./g.omni",
    ]);
    expect_file!["transcripts/a_review_that_is_merged.txt"].assert_eq(&seen);
}

#[test]
fn conflicts_are_listed() {
    let place = Place::loaded();
    place.run("omnigraph branch create work g.omni").success();
    set_age(&place, "work", "Bob", 60);
    set_age(&place, "main", "Bob", 61);
    let remove = r#"omnigraph change --query queries.gq --name remove_person --params '{"name":"Alice"}'"#;
    place.run(&format!("{remove} --branch work g.omni")).success();
    set_age(&place, "main", "Alice", 62);
    let error = place.run("omnigraph branch merge work --into main --json g.omni").error();
    assert_eq!(error["code"], "merge_conflicts");
    assert_eq!(error["merge_conflicts"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        error["merge_conflicts"][1],
        json!({
            "table_key": "node:Person",
            "row_id": "Bob",
            "kind": "divergent_update",
            "message": "Person 'Bob' is updated differently: age is 61 in the target and 60 in the source",
            "base": { "id": "Bob", "name": "Bob", "age": 25 },
            "ours": { "id": "Bob", "name": "Bob", "age": 61 },
            "theirs": { "id": "Bob", "name": "Bob", "age": 60 },
        })
    );
    let seen = place.transcript(&[
        "omnigraph branch merge work --into main g.omni",
        "omnigraph branch merge work --into main --dry-run g.omni",
        "omnigraph branch merge nothing --into main g.omni",
        "omnigraph branch merge work --into nothing g.omni",
        "omnigraph branch merge work --into main --if-commit nonsense g.omni",
    ]);
    expect_file!["transcripts/conflicts_are_listed.txt"].assert_eq(&seen);
}

#[test]
fn receipts_and_conditions() {
    let place = Place::loaded();
    place.run("omnigraph branch create work g.omni").success();
    let change = set_age(&place, "work", "Bob", 60);
    let versions = |receipt: &Value| {
        let change = &receipt["changes"][0];
        assert!(change["table_version"].as_str().is_some_and(|version| version.len() > 15), "{receipt}");
        (receipt["manifest_version"].as_u64(), change["row_count"].as_u64(), receipt["committed"].as_bool())
    };
    assert_eq!(versions(&change), (Some(3), Some(4), Some(true)));
    let head = place.json("omnigraph snapshot --json g.omni")["graph_commit_id"].clone();
    let head = head.as_str().expect("an id");
    let wrong = change["graph_commit_id"].as_str().expect("an id");
    let refused = place.run(&format!("omnigraph branch merge work --if-commit {wrong} --json g.omni"));
    assert_eq!(refused.error()["code"], "precondition_failed");
    let merge = place.json(&format!("omnigraph branch merge work --if-commit {head} --json g.omni"));
    assert_eq!(versions(&merge), (Some(3), Some(4), Some(true)));
    assert_eq!(
        (&merge["source"], &merge["target"], &merge["outcome"]),
        (&"work".into(), &"main".into(), &"fast_forward".into())
    );
    let refused =
        place.run(&format!("omnigraph load --data seed.jsonl --mode merge --if-commit {head} --json g.omni"));
    assert_eq!(refused.error()["code"], "precondition_failed");
    let load = place.json("omnigraph load --data seed.jsonl --mode merge --json g.omni");
    assert_eq!(versions(&load), (Some(4), Some(4), Some(true)));
}

#[test]
fn tags_name_states_wherever_one_can_be_named() {
    let place = Place::loaded();
    let tag = place.json("omnigraph tag create v1 --json g.omni");
    set_age(&place, "main", "Bob", 60);
    let id = tag["graph_commit_id"].as_str().expect("an id");
    let adults = |rest: &str| place.column(&format!("--query queries.gq --name adults {rest} g.omni"));
    assert_eq!(adults("--snapshot v1"), ["Charlie"]);
    assert_eq!(adults("").len(), 2);
    place.run("omnigraph branch create --from v1 old g.omni").success();
    assert_eq!(adults("--branch old"), ["Charlie"]);
    assert_eq!(place.json("omnigraph commit show v1 --json g.omni")["graph_commit_id"], id);
    assert_eq!(place.json("omnigraph diff v1 main --json g.omni")["stats"]["updated"], 1);
    assert_eq!(
        place.json("omnigraph entity Person Bob --snapshot v1 --json g.omni")["properties"]["age"],
        25
    );
    let old = place.run("omnigraph export --snapshot v1 g.omni").success();
    assert_eq!(old, place.run("omnigraph export --branch old g.omni").success());
    let again = place.run("omnigraph tag create v1 --json g.omni");
    assert_eq!(again.error()["code"], "exists");
    place.run("omnigraph tag create --force --from main v1 g.omni").success();
    assert_eq!(adults("--snapshot v1").len(), 2);
    let seen = place.transcript(&[
        "omnigraph tag list g.omni",
        "omnigraph tag create main g.omni",
        "omnigraph tag create 'a b' g.omni",
        "omnigraph tag delete v1 g.omni",
        "omnigraph tag delete v1 g.omni",
        "omnigraph read --query queries.gq --name adults --snapshot v1 g.omni",
        "omnigraph branch create --from v1 x g.omni",
    ]);
    expect_file!["transcripts/tags.txt"].assert_eq(&seen);
}

#[test]
fn a_branch_from_a_time() {
    let place = Place::loaded();
    let before =
        place.json("omnigraph commit show main --json g.omni")["created_at"].as_i64().expect("a time");
    std::thread::sleep(std::time::Duration::from_millis(5));
    set_age(&place, "main", "Bob", 60);
    let time = place.run("omnigraph commit show manifest:main:v2 g.omni").success();
    let time = time.lines().find_map(|line| line.strip_prefix("time")).expect("a time").trim().to_owned();
    assert!(before > 0);
    place.run(&format!("omnigraph branch create --from main --at {time} then g.omni")).success();
    assert_eq!(place.json("omnigraph snapshot --branch then --json g.omni")["manifest_version"], 2);
    let diff = place.json(&format!("omnigraph diff main@{time} main --json g.omni"));
    assert_eq!(diff["changes"][0]["id"], "Bob");
    assert_eq!(
        place.json(&format!("omnigraph commit show then@{time} --json g.omni"))["manifest_version"],
        2
    );
    assert_eq!(place.run("omnigraph diff main@noon main --json g.omni").error()["code"], "bad_request");
    assert_eq!(place.run("omnigraph diff nobody@2026-01-01 main --json g.omni").error()["code"], "not_found");
    let never = place.run("omnigraph branch create --from main --at 2001-01-01 never --json g.omni");
    assert_eq!(never.error()["code"], "not_found");
}

#[test]
fn a_diff_that_is_applied_elsewhere() {
    let place = Place::loaded();
    place.run("omnigraph branch create work g.omni").success();
    set_age(&place, "work", "Bob", 60);
    place
        .run(r#"omnigraph change --query queries.gq --name remove_person --params '{"name":"Alice"}' --branch work g.omni"#)
        .success();
    let seen = place.transcript(&[
        "omnigraph diff main work g.omni",
        "omnigraph diff work main --type Person g.omni",
        "omnigraph diff main work --op update --rows --json g.omni",
        "omnigraph diff main work --kind node --format jsonl g.omni",
        "omnigraph diff main main g.omni",
        "omnigraph diff main work --type Persn g.omni",
    ]);
    expect_file!["transcripts/a_diff.txt"].assert_eq(&seen);
    place.run("omnigraph init --schema schema.pg copy.omni").success();
    place.run("omnigraph load --data seed.jsonl --mode overwrite copy.omni").success();
    place.run("omnigraph diff main work --format jsonl g.omni > patch.jsonl").success();
    let reply = place.run("omnigraph load --data patch.jsonl --mode merge copy.omni").success();
    assert!(
        reply.starts_with("loaded 1 node of 1 type and 0 edges of 0 types, deleted 4 rows into branch main"),
        "{reply}"
    );
    let sorted = |line: &str| {
        let mut lines: Vec<String> = place.run(line).success().lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted("omnigraph export copy.omni"), sorted("omnigraph export --branch work g.omni"));
}

#[test]
fn the_feed_goes_on_where_it_stopped() {
    let place = Place::loaded();
    let first = place.json("omnigraph commit show manifest:main:v1 --json g.omni");
    let mut cursor = first["graph_commit_id"].as_str().expect("an id").to_owned();
    set_age(&place, "main", "Bob", 60);
    let mut seen = Vec::new();
    loop {
        let part = place.json(&format!("omnigraph changes --since {cursor} --limit 5 --json g.omni"));
        let changes = part["changes"].as_array().expect("changes");
        seen.extend(changes.iter().map(|change| change["op"].as_str().expect("an op").to_owned()));
        cursor = part["cursor"].as_str().expect("a cursor").to_owned();
        if part["has_more"] == false {
            break;
        }
    }
    assert_eq!(seen.len(), 12);
    assert_eq!(seen.last().map(String::as_str), Some("update"));
    let text = place.run(&format!("omnigraph changes --since {cursor} g.omni"));
    assert_eq!((text.code, text.stdout.as_str()), (Some(0), ""));
    let bad = place.run("omnigraph changes --since yesterday --json g.omni");
    assert_eq!(bad.error()["code"], "bad_request");
}

#[test]
fn runs_from_begin_to_end() {
    let place = Place::loaded();
    let run = place.json("omnigraph run begin --operation-hash import-1 --actor ann --json g.omni");
    let again = place.json("omnigraph run begin --operation-hash import-1 --json g.omni");
    assert_eq!((&run["begun"], &again["begun"]), (&true.into(), &false.into()));
    assert_eq!(run["run_id"], again["run_id"]);
    let (id, branch) =
        (run["run_id"].as_str().expect("an id"), run["run_branch"].as_str().expect("a branch"));
    place.write("more.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Eve\",\"age\":50}}\n");
    place.run(&format!("omnigraph load --data more.jsonl --mode append --branch {branch} g.omni")).success();
    set_age(&place, branch, "Bob", 70);
    assert_eq!(place.run("omnigraph branch list g.omni").success(), "main\n");
    let adults = || place.column("--query queries.gq --name adults g.omni").len();
    assert_eq!(adults(), 1);
    let published = place.json(&format!("omnigraph run publish {id} --json g.omni"));
    assert_eq!((&published["status"], &published["outcome"]), (&"published".into(), &"fast_forward".into()));
    assert_eq!(published["published_snapshot_id"], published["graph_commit_id"]);
    assert_eq!(adults(), 3);
    let commit = place.json("omnigraph commit show main --json g.omni");
    assert_eq!((&commit["operation"], &commit["actor_id"]), (&"publish_run".into(), &"ann".into()));
    let other = place.json("omnigraph run begin --json g.omni");
    let other = other["run_id"].as_str().expect("an id");
    let seen = place.transcript(&[
        &format!("omnigraph run abort {other} g.omni"),
        &format!("omnigraph run publish {other} g.omni"),
        &format!("omnigraph run publish {id} g.omni"),
        &format!("omnigraph run abort {id} g.omni"),
        &format!("omnigraph run show {id} g.omni"),
        "omnigraph run list g.omni",
        "omnigraph run show nothing g.omni",
    ]);
    expect_file!["transcripts/runs.txt"].assert_eq(&seen);
    let list = place.json("omnigraph run list --json g.omni");
    let statuses: Vec<&str> =
        list["runs"].as_array().expect("runs").iter().filter_map(|run| run["status"].as_str()).collect();
    assert_eq!(statuses, ["aborted", "published"], "newest first");
}

#[test]
fn one_row() {
    let place = Place::loaded();
    set_age(&place, "main", "Bob", 60);
    let seen = place.transcript(&[
        "omnigraph entity Person Bob g.omni",
        "omnigraph entity node:Person Bob --snapshot manifest:main:v2 --json g.omni",
        "omnigraph entity Person Nobody g.omni",
        "omnigraph entity Persn Bob g.omni",
    ]);
    expect_file!["transcripts/one_row.txt"].assert_eq(&seen);
}
