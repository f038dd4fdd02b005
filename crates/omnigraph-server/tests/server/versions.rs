//! What branches, tags, commits, runs and differences answer.

use crate::calls::INSERT;
use crate::host::{Server, Setup};
use crate::wire::quoted;
use serde_json::{Value, json};

/// Inserts a person on a branch; the commit.
fn insert(server: &Server, branch: &str, name: &str, age: u32) -> String {
    let ask = json!({ "query_source": INSERT, "params": { "name": name, "age": age }, "branch": branch });
    server.post("/change", ask).ok()["graph_commit_id"].as_str().expect("an id").to_owned()
}

fn branches(server: &Server) -> Value {
    server.get("/branches").ok()["branches"].clone()
}

#[test]
fn branches_are_made_renamed_merged_and_taken_away() {
    let server = Setup::new().start();
    let made = server.post("/branches", json!({ "name": "feature/x/y" })).ok();
    assert_eq!(
        [&made["uri"], &made["from"], &made["name"]],
        [&json!("g.omni"), &json!("main"), &json!("feature/x/y")]
    );
    insert(&server, "feature/x/y", "Eve", 41);
    let dry = json!({ "source": "feature/x/y", "dry_run": true });
    let reply = server.post("/branches/merge", dry).ok();
    assert_eq!([&reply["outcome"], &reply["dry_run"]], [&json!("fast_forward"), &json!(true)]);
    let merge = json!({ "source": "feature/x/y", "target": "main" });
    let merged = server.post("/branches/merge", merge.clone()).ok();
    assert_eq!(
        [&merged["source"], &merged["target"], &merged["outcome"], &merged["actor_id"]],
        [&json!("feature/x/y"), &json!("main"), &json!("fast_forward"), &Value::Null]
    );
    assert_eq!(server.post("/branches/merge", merge).ok()["outcome"], "already_up_to_date");
    let renamed = server.post("/branches/rename", json!({ "from": "feature/x/y", "name": "feature/z" })).ok();
    assert_eq!([&renamed["from"], &renamed["name"]], [&json!("feature/x/y"), &json!("feature/z")]);
    assert_eq!(branches(&server), json!(["feature/z", "main"]));
    assert_eq!(server.delete("/branches/feature/z").ok()["name"], "feature/z");
    server.post("/branches", json!({ "name": "feature/x" })).ok();
    assert_eq!(server.delete("/branches/feature%2Fx").ok()["name"], "feature/x");
    server.delete("/branches/feature/z").fault(404, "not_found", "not_found");
    server.post("/branches", json!({ "name": "main" })).fault(409, "conflict", "exists");
    server.post("/branches", json!({ "name": "a b" })).fault(400, "bad_request", "bad_request");
    server.delete("/branches/main").fault(400, "bad_request", "bad_request");
}

#[test]
fn branches_may_be_called_like_routes() {
    let server = Setup::new().start();
    for name in ["merge", "rename"] {
        server.post("/branches", json!({ "name": name })).ok();
        insert(&server, name, "Eve", 41);
        assert_eq!(server.get(&format!("/snapshot?branch={name}")).ok()["branch"], name);
        let deleted = server.delete(&format!("/branches/{name}")).ok();
        assert_eq!(deleted["name"], name);
    }
    let twice = server.delete("/branches/merge?branch=main");
    twice.fault(400, "bad_request", "bad_request");
    assert_eq!(branches(&server), json!(["main"]));
}

#[test]
fn a_merge_of_two_histories_and_its_conflicts() {
    let server = Setup::new().start();
    server.post("/branches", json!({ "name": "side" })).ok();
    insert(&server, "side", "Eve", 41);
    insert(&server, "main", "Frank", 50);
    let merged = server.post("/branches/merge", json!({ "source": "side" })).ok();
    assert_eq!([&merged["outcome"], &merged["committed"]], [&json!("merged"), &json!(true)]);
    let commit = server.get(&format!("/commits/{}", merged["graph_commit_id"].as_str().expect("an id"))).ok();
    assert_eq!(commit["merged_parent_commit_id"], merged["source_commit_id"]);
    insert(&server, "side", "Alice", 31);
    insert(&server, "main", "Alice", 32);
    let refused = server.post("/branches/merge", json!({ "source": "side" }));
    let refused = refused.fault(409, "conflict", "merge_conflicts");
    let conflict = &refused["merge_conflicts"][0];
    assert_eq!(
        [&conflict["table_key"], &conflict["row_id"], &conflict["kind"]],
        [&json!("node:Person"), &json!("Alice"), &json!("divergent_update")]
    );
    assert!(conflict["message"].as_str().is_some_and(|text| !text.is_empty()));
    assert!(refused["error"].as_str().is_some_and(|text| text.contains("Alice")), "{refused}");
}

#[test]
fn tags_name_commits() {
    let server = Setup::new().start();
    let first = server.get("/snapshot").ok()["graph_commit_id"].clone();
    let made = server.post("/tags", json!({ "name": "release/1" })).ok();
    assert_eq!([&made["name"], &made["graph_commit_id"]], [&json!("release/1"), &first]);
    insert(&server, "main", "Eve", 41);
    server.post("/tags", json!({ "name": "release/1" })).fault(409, "conflict", "exists");
    let moved = server.post("/tags", json!({ "name": "release/1", "force": true })).ok();
    assert_ne!(moved["graph_commit_id"], first);
    assert_eq!(server.get("/tags").ok()["tags"][0]["name"], "release/1");
    assert_eq!(server.get("/commits/release/1").ok()["graph_commit_id"], moved["graph_commit_id"]);
    assert_eq!(server.get("/snapshot?snapshot=release/1").ok()["graph_commit_id"], moved["graph_commit_id"]);
    assert_eq!(server.delete("/tags/release/1").ok()["name"], "release/1");
    assert_eq!(server.get("/tags").ok(), json!({ "tags": [] }));
    server.delete("/tags/release/1").fault(404, "not_found", "not_found");
}

#[test]
fn commits_come_in_pages() {
    let server = Setup::new().start();
    let newest: Vec<String> = (0..5).map(|age| insert(&server, "main", "Eve", age)).collect();
    let all = server.get("/commits").ok();
    assert_eq!(all["has_more"], false);
    let ids = |page: &Value| -> Vec<String> {
        let commits = page["commits"].as_array().expect("commits");
        commits.iter().map(|commit| commit["graph_commit_id"].as_str().expect("an id").to_owned()).collect()
    };
    let whole = ids(&all);
    assert_eq!(whole[..5], newest.into_iter().rev().collect::<Vec<_>>()[..]);
    let (mut paged, mut path) = (Vec::new(), "/commits?limit=2".to_owned());
    loop {
        let page = server.get(&path).ok();
        paged.extend(ids(&page));
        assert!(ids(&page).len() <= 2 && paged.len() <= whole.len());
        if page["has_more"] == false {
            break;
        }
        path = format!("/commits?limit=2&before={}", paged.last().expect("a page is not empty"));
    }
    assert_eq!(paged, whole);
    let shown = server.get(&format!("/commits/{}", whole[0])).ok();
    assert_eq!([&shown["manifest_branch"], &shown["operation"]], [&json!("main"), &json!("change")]);
    assert_eq!(shown["parent_commit_id"], whole[1].as_str());
    assert_eq!(shown["changes"][0]["updated"], 1);
    server.get("/commits?before=x").fault(400, "bad_request", "bad_request");
    server.get("/commits?limit=-1").fault(400, "bad_request", "bad_request");
    server.get("/commits/01AAAAAAAAAAAAAAAAAAAAAAAA").fault(404, "not_found", "not_found");
}

#[test]
fn runs_are_published_or_thrown_away() {
    let server = Setup::new().start();
    let begun = server.post("/runs", json!({ "operation_hash": "op-1" })).ok();
    assert_eq!([&begun["begun"], &begun["status"]], [&json!(true), &json!("running")]);
    let again = server.post("/runs", json!({ "operation_hash": "op-1" })).ok();
    assert_eq!([&again["begun"], &again["run_id"]], [&json!(false), &begun["run_id"]]);
    let (id, branch) =
        (begun["run_id"].as_str().expect("an id"), begun["run_branch"].as_str().expect("a branch"));
    insert(&server, branch, "Eve", 41);
    assert_eq!(branches(&server), json!(["main"]), "a run's branch is its own");
    let published = server.post(&format!("/runs/{id}/publish"), json!({})).ok();
    assert_eq!([&published["status"], &published["outcome"]], [&json!("published"), &json!("fast_forward")]);
    let twice = server.send("POST", &format!("/runs/{id}/publish"), &[], None).ok();
    assert_eq!(twice["published_snapshot_id"], published["published_snapshot_id"]);
    assert_eq!(server.get(&format!("/runs/{id}")).ok()["status"], "published");
    server.post(&format!("/runs/{id}/abort"), json!({})).fault(409, "conflict", "conflict");
    let other = server.post("/runs", json!({})).ok();
    let other = other["run_id"].as_str().expect("an id");
    assert_eq!(server.post(&format!("/runs/{other}/abort"), json!({})).ok()["status"], "aborted");
    let listed = server.get("/runs").ok();
    let statuses: Vec<_> =
        listed["runs"].as_array().expect("runs").iter().map(|run| &run["status"]).collect();
    assert_eq!(statuses, ["aborted", "published"]);
    server.get("/runs/nothing").fault(404, "not_found", "not_found");
}

#[test]
fn a_difference_can_be_loaded_elsewhere() {
    let server = Setup::new().start();
    server.post("/tags", json!({ "name": "before" })).ok();
    server.post("/branches", json!({ "name": "copy", "from": "before" })).ok();
    insert(&server, "main", "Eve", 41);
    insert(&server, "main", "Alice", 31);
    let remove = json!({ "query_source": "query gone() { delete Person where name = \"Diana\" }" });
    server.post("/change", remove).ok();
    let diff = server.get("/diff?from=before&to=main&rows=true").ok();
    let stats = &diff["stats"];
    assert_eq!([&stats["inserted"], &stats["updated"], &stats["deleted"]], [&json!(1), &json!(1), &json!(2)]);
    let alice = diff["changes"].as_array().expect("changes").iter().find(|change| change["id"] == "Alice");
    let alice = alice.expect("it changed");
    assert_eq!([&alice["before"]["age"], &alice["after"]["age"]], [&json!(30), &json!(31)]);
    let only =
        server.get("/diff?from=before&to=main&ops=insert&ops=update&kinds=node&type_names=Person").ok();
    assert_eq!(only["changes"].as_array().map(Vec::len), Some(2));
    assert!(only["changes"][0].get("before").is_none(), "values only when they were asked for");
    let patch = server.get("/diff/patch?from=before&to=main");
    assert_eq!(patch.header("content-type"), Some("application/x-ndjson"));
    server.send("POST", "/load?branch=copy", &[], Some(&patch.body)).ok();
    assert_eq!(server.get("/diff?from=main&to=copy").ok()["changes"], json!([]));
    server.get("/diff?from=before").fault(400, "bad_request", "bad_request");
    server.get("/diff?from=before&to=nowhere").fault(404, "not_found", "not_found");
    server.get("/diff/patch?from=before&to=nowhere").fault(404, "not_found", "not_found");
}

#[test]
fn the_feed_goes_on_where_it_stopped() {
    let server = Setup::new().start();
    let start = server.get("/snapshot").ok()["graph_commit_id"].as_str().expect("an id").to_owned();
    let commits: Vec<String> = (0..3).map(|age| insert(&server, "main", "Eve", 40 + age)).collect();
    let (mut cursor, mut seen) = (start, Vec::new());
    loop {
        let page =
            server.get(&format!("/changes?since={}&limit=1&rows=true&commits=true", quoted(&cursor))).ok();
        let changes = page["changes"].as_array().expect("changes").clone();
        assert!(changes.len() <= 1 && seen.len() <= 3);
        assert_eq!(page["commits"].as_array().map_or(0, Vec::len), changes.len());
        seen.extend(changes);
        page["cursor"].as_str().expect("a cursor").clone_into(&mut cursor);
        if page["has_more"] == false {
            break;
        }
    }
    let reported: Vec<_> =
        seen.iter().map(|change| change["graph_commit_id"].as_str().expect("an id")).collect();
    assert_eq!(reported, commits);
    assert_eq!([&seen[0]["op"], &seen[2]["op"]], [&json!("insert"), &json!("update")]);
    assert_eq!(seen[2]["after"]["age"], 42);
    let rest = format!("/changes?since={}", quoted(&cursor));
    assert_eq!(server.get(&rest).ok()["changes"], json!([]));
    let last = insert(&server, "main", "Frank", 1);
    assert_eq!(server.get(&rest).ok()["changes"][0]["graph_commit_id"], last.as_str());
    server.get("/changes?since=x").fault(400, "bad_request", "bad_request");
    server.get("/changes").fault(400, "bad_request", "bad_request");
}
