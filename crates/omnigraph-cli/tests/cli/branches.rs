//! Branches and commits.

use crate::program::Place;

#[test]
fn a_branch_does_not_see_what_others_do() {
    let place = Place::loaded();
    place.run("omnigraph branch create --from main work g.omni").success();
    place
        .run(r#"omnigraph change --query queries.gq --name set_age --params '{"name":"Bob","age":60}' --branch work g.omni"#)
        .success();
    place
        .run(r#"omnigraph change --query queries.gq --name set_age --params '{"name":"Diana","age":70}' g.omni"#)
        .success();
    let adults =
        |branch: &str| place.column(&format!("--query queries.gq --name adults --branch {branch} g.omni"));
    let sorted = |mut names: Vec<String>| {
        names.sort_unstable();
        names
    };
    assert_eq!(sorted(adults("main")), ["Charlie", "Diana"]);
    assert_eq!(sorted(adults("work")), ["Bob", "Charlie"]);
    let commits = place.json("omnigraph commit list --branch work --json g.omni");
    let branches: Vec<&str> = commits["commits"]
        .as_array()
        .expect("commits")
        .iter()
        .map(|commit| commit["manifest_branch"].as_str().expect("a name"))
        .collect();
    assert_eq!(branches, ["work", "main", "main"], "newest first, through the fork");
}

#[test]
fn a_branch_can_start_at_an_old_commit() {
    let place = Place::loaded();
    place.run("omnigraph branch create --from manifest:main:v1 empty g.omni").success();
    let empty = place.json("omnigraph snapshot --branch empty --json g.omni");
    assert_eq!((&empty["branch"], &empty["manifest_version"]), (&"empty".into(), &1.into()));
    assert_eq!(empty["tables"].as_array().expect("tables").len(), 4);
    assert!(empty["tables"].as_array().expect("tables").iter().all(|table| table["row_count"] == 0));
}

#[test]
fn a_branch_is_refused_twice_and_main_stays() {
    let place = Place::loaded();
    place.run("omnigraph branch create --from main work g.omni").success();
    let again = place.run("omnigraph branch create --from main work --json g.omni");
    assert_eq!(again.error()["code"], "exists");
    assert_eq!(place.run("omnigraph branch delete main --json g.omni").error()["code"], "bad_request");
    assert_eq!(place.run("omnigraph branch delete nowhere --json g.omni").error()["code"], "not_found");
    assert_eq!(
        place.run("omnigraph branch create --from nowhere other --json g.omni").error()["code"],
        "not_found"
    );
    assert_eq!(
        place.run("omnigraph branch create --from main 'a b' --json g.omni").error()["code"],
        "bad_request"
    );
}

/// A load that fails must not leave the branch that it made.
#[test]
fn a_failed_ingest_leaves_no_branch() {
    let place = Place::loaded();
    place.write("bad.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"A\",\"age\":\"old\"}}\n");
    let failed = place.run("omnigraph ingest --branch review --data bad.jsonl --json g.omni");
    assert_eq!(failed.error()["code"], "invalid_rows");
    assert_eq!(place.run("omnigraph branch list g.omni").success(), "main\n");
}

#[test]
fn a_commit_is_shown() {
    let place = Place::loaded();
    let list = place.json("omnigraph commit list --limit 1 --json g.omni");
    let id = list["commits"][0]["graph_commit_id"].as_str().expect("an id");
    let shown = place.json(&format!("omnigraph commit show {id} --json g.omni"));
    assert_eq!(shown["operation"], "load");
    assert_eq!(shown["manifest_version"], 2);
    assert_eq!(shown["changes"][0]["table_key"], "edge:Knows");
    assert_eq!(shown["changes"][0]["inserted"], 3);
    let text = place.run(&format!("omnigraph commit show {id} g.omni")).success();
    assert!(text.contains("node:Person: 4 inserted"), "{text}");
}
