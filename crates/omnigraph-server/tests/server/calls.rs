//! What reads and writes answer. That the members of an answer are those of the document is checked by every request.

use crate::host::{SCHEMA, Setup};
use crate::wire::{Answer, quoted};
use omnigraph::render::QueryResult;
use serde_json::{Value, json};

pub(crate) const ADULTS: &str = "query adults($over: I32) { match { $p: Person  $p.age > $over } return { $p.name, $p.age } order { $p.name } }";
pub(crate) const INSERT: &str =
    "query insert_person($name: String, $age: I32?) { insert Person { name: $name, age: $age } }";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn reading_gives_rows_in_the_order_of_the_projection() {
    let server = Setup::new().start();
    let ask = json!({ "query_source": ADULTS, "query_name": "adults", "params": { "over": 27 } });
    let answer = server.post("/read", ask.clone()).ok();
    let expected = json!({
        "query_name": "adults",
        "target": { "branch": "main", "snapshot": null },
        "row_count": 3,
        "columns": ["p.name", "p.age"],
        "rows": [
            { "p.name": "Alice", "p.age": 30 },
            { "p.name": "Charlie", "p.age": 35 },
            { "p.name": "Diana", "p.age": 28 },
        ],
    });
    assert_eq!(answer, expected);
    assert_eq!(keys(&answer), ["query_name", "target", "row_count", "columns", "rows"]);
    let commit = server.get("/snapshot").ok()["graph_commit_id"].clone();
    let mut at_commit = ask.clone();
    at_commit["snapshot"] = commit.clone();
    let target = server.post("/read", at_commit).ok()["target"].clone();
    assert_eq!(target, json!({ "branch": null, "snapshot": commit }));
}

#[test]
fn reading_as_arrow_gives_columns_that_a_load_takes() {
    let server = Setup::new().start();
    let ask = json!({
        "query_source": "query all() { match { $p: Person } return { $p.name as name, $p.age as age } order { name } }",
    });
    let accept = [("Accept", "application/json;q=0.5, application/vnd.apache.arrow.stream")];
    let answer = server.send("POST", "/read", &accept, Some(ask.to_string().as_bytes()));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/vnd.apache.arrow.stream"));
    let result = QueryResult::from_arrow_ipc(&answer.body).expect("an Arrow stream");
    assert_eq!((result.query_name.as_str(), result.row_count()), ("all", 4));
    assert_eq!(result.target.branch.as_deref(), Some("main"));
    let plain = server.post("/read", ask).ok();
    assert_eq!(serde_json::from_str::<Value>(&result.to_json(false)).expect("JSON"), plain);

    let path = "/load?branch=copy&from=main&format=arrow&type_name=Person";
    let loaded = server.send("POST", path, &[], Some(&answer.body)).ok();
    assert_eq!(loaded["nodes_loaded"], 4);
    assert_eq!(loaded["committed"], false, "the same rows are not a change: {loaded}");
}

#[test]
fn a_change_is_a_commit_with_a_receipt() {
    let server = Setup::new().start();
    let before = server.get("/snapshot").ok();
    let ask = json!({ "query_source": INSERT, "params": { "name": "Eve", "age": 41 } });
    let done = server.post("/change", ask).ok();
    assert_eq!(
        [&done["branch"], &done["query_name"], &done["affected_nodes"], &done["affected_edges"]],
        [&json!("main"), &json!("insert_person"), &json!(1), &json!(0)]
    );
    assert_eq!([&done["actor_id"], &done["committed"]], [&Value::Null, &json!(true)]);
    assert_eq!(done["changes"][0]["table_key"], "node:Person");
    assert_eq!(done["changes"][0]["inserted"], 1);
    assert_eq!(done["changes"][0]["row_count"], 5);
    let after = server.get("/snapshot").ok();
    assert_eq!(after["graph_commit_id"], done["graph_commit_id"]);
    assert_ne!(after["graph_commit_id"], before["graph_commit_id"]);
    let nobody = json!({ "query_source": "query gone() { delete Person where name = \"Nobody\" }" });
    let nothing = server.post("/change", nobody).ok();
    assert_eq!([&nothing["committed"], &nothing["affected_nodes"]], [&json!(false), &json!(0)]);
    assert_eq!(nothing["graph_commit_id"], done["graph_commit_id"]);
}

#[test]
fn ingest_makes_the_branch_that_it_loads_into() {
    let server = Setup::new().start();
    let row = r#"{"type":"Person","data":{"name":"Eve","age":41}}"#;
    let done = server.post("/ingest", json!({ "branch": "review/one", "data": row })).ok();
    assert_eq!(done["uri"], "g.omni");
    assert_eq!(
        [&done["branch"], &done["base_branch"], &done["branch_created"], &done["mode"]],
        [&json!("review/one"), &json!("main"), &json!(true), &json!("merge")]
    );
    assert_eq!(done["tables"], json!([{ "table_key": "node:Person", "rows_loaded": 1 }]));
    assert_eq!(done["actor_id"], Value::Null);
    let again = server.post("/ingest", json!({ "branch": "review/one", "data": row })).ok();
    assert_eq!([&again["branch_created"], &again["committed"]], [&json!(false), &json!(false)]);
    assert_eq!(server.get("/branches").ok(), json!({ "branches": ["main", "review/one"] }));
}

#[test]
fn loads_take_lines_csv_and_every_mode() {
    let server = Setup::new().start();
    let load =
        |query: &str, body: &str| server.send("POST", &format!("/load{query}"), &[], Some(body.as_bytes()));
    let lines = "{\"type\":\"Person\",\"data\":{\"name\":\"Eve\"}}\n{\"edge\":\"Knows\",\"from\":\"Eve\",\"to\":\"Bob\"}\n";
    let done = load("", lines).ok();
    assert_eq!([&done["nodes_loaded"], &done["edges_loaded"]], [&json!(1), &json!(1)]);
    assert!(done.get("branch_created").is_none(), "only when it could have been made: {done}");
    let done = load("?format=csv&type_name=Person", "name,age\nFrank,50\nGrace,\n").ok();
    assert_eq!(done["changes"][0]["inserted"], 2);
    load("?mode=append", lines).fault(422, "unprocessable", "invalid_rows");
    let done = load(
        "?mode=overwrite&branch=other&from=main",
        "{\"type\":\"Company\",\"data\":{\"name\":\"Initech\"}}\n",
    );
    let done = done.fault(422, "unprocessable", "invalid_rows");
    assert!(
        done["error"].as_str().is_some_and(|text| text.contains("Acme")),
        "edges need their ends: {done}"
    );
    load("?format=csv", "name\nx\n").fault(400, "bad_request", "bad_request");
    load("?format=xml", "<x/>").fault(400, "bad_request", "bad_request");
    load("?branch=nowhere", lines).fault(404, "not_found", "not_found");
    let broken = load("", "{\"type\":\"Person\",\"data\":{}}\n{").fault(422, "unprocessable", "invalid_rows");
    assert_eq!(broken["diagnostics"][0]["line"], 1, "{broken}");
    assert_eq!(broken["diagnostics"][0]["type"], "Person", "{broken}");
}

/// The lines of a stream.
fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    assert!(answer.is_whole);
    answer.text().lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn exports_are_lines_that_a_load_reads_back() {
    let server = Setup::new().start();
    let all = server.post("/export", json!({}));
    assert_eq!(lines(&all).len(), 11);
    let people = lines(&server.post("/export", json!({ "type_names": ["Person"] })));
    assert_eq!(people.len(), 4);
    assert_eq!(people[0]["type"], "Person");
    assert_eq!(people[0]["data"]["name"], "Alice");
    let edges = lines(&server.post("/export", json!({ "table_keys": ["edge:Knows"], "branch": "main" })));
    assert_eq!([&edges[0]["edge"], &edges[0]["from"]], [&json!("Knows"), &json!("Alice")]);
    let back = server.send("POST", "/load?mode=overwrite", &[], Some(&all.body)).ok();
    assert_eq!(back["nodes_loaded"], 6);
    assert_eq!(server.post("/export", json!({})).text(), all.text());
    server.post("/export", json!({ "type_names": ["Persn"] })).fault(400, "bad_request", "bad_request");
    server.post("/export", json!({ "branch": "nowhere" })).fault(404, "not_found", "not_found");
    // An empty body is an empty request.
    assert_eq!(server.send("POST", "/export", &[], None).text(), all.text());
}

#[test]
fn a_snapshot_names_its_tables() {
    let server = Setup::new().start();
    let reply = server.get("/snapshot?branch=main").ok();
    assert_eq!([&reply["branch"], &reply["manifest_version"]], [&json!("main"), &json!(2)]);
    let tables = reply["tables"].as_array().expect("tables");
    let named: Vec<_> =
        tables.iter().map(|table| (table["table_key"].as_str(), table["row_count"].as_u64())).collect();
    let expected = [("node:Company", 2), ("node:Person", 4), ("edge:Knows", 3), ("edge:WorksAt", 2)];
    assert_eq!(named, expected.map(|(key, rows)| (Some(key), Some(rows))));
    assert_eq!(keys(&tables[0]), ["table_key", "table_path", "table_version", "table_branch", "row_count"]);
    let version = server.get("/snapshot?snapshot=manifest:main:v2").ok();
    assert_eq!(version["graph_commit_id"], reply["graph_commit_id"]);
    server.get("/snapshot?branch=nowhere").fault(404, "not_found", "not_found");
    server.get("/snapshot?banch=main").fault(400, "bad_request", "bad_request");
    server.get("/snapshot?branch=main&branch=main").fault(400, "bad_request", "bad_request");
}

#[test]
fn a_schema_is_planned_and_applied() {
    let server = Setup::new().start();
    assert_eq!(server.get("/schema").ok(), json!({ "schema_source": SCHEMA }));
    let next = SCHEMA.replace("age: I32?", "age: I32?  email: String?");
    let plan = server.post("/schema/plan", json!({ "schema_source": next })).ok();
    assert_eq!([&plan["supported"], &plan["step_count"]], [&json!(true), &json!(1)]);
    assert_eq!(plan["steps"][0]["kind"], "add_property");
    let done = server.post("/schema/apply", json!({ "schema_source": next })).ok();
    assert_eq!(
        [&done["uri"], &done["applied"], &done["supported"]],
        [&json!("g.omni"), &json!(true), &json!(true)]
    );
    assert_eq!(server.get("/schema").ok()["schema_source"], next.as_str());
    let again = server.post("/schema/apply", json!({ "schema_source": next })).ok();
    assert_eq!([&again["applied"], &again["step_count"]], [&json!(false), &json!(0)]);
    let broken = server.post("/schema/plan", json!({ "schema_source": "node Person { name: Strin }" }));
    let broken = broken.fault(400, "bad_request", "invalid_text");
    assert_eq!(broken["diagnostics"][0]["line"], 1, "{broken}");
    let narrower = SCHEMA.replace("age: I32?", "age: String");
    let refused = server.post("/schema/apply", json!({ "schema_source": narrower }));
    refused.fault(422, "unprocessable", "unsupported_migration");
}

#[test]
fn one_row_and_the_plan_of_a_query() {
    let server = Setup::new().start();
    let row = server.get("/entity?type_name=Person&id=Alice").ok();
    assert_eq!(
        [&row["table_key"], &row["kind"], &row["id"]],
        [&json!("node:Person"), &json!("node"), &json!("Alice")]
    );
    assert_eq!(row["properties"], json!({ "name": "Alice", "age": 30 }));
    server.get("/entity?type_name=Person&id=Nobody").fault(404, "not_found", "not_found");
    let at = quoted("manifest:main:v0");
    server.get(&format!("/entity?type_name=Person&id=Alice&snapshot={at}")).fault(
        404,
        "not_found",
        "not_found",
    );

    let plan = server.post("/explain", json!({ "query_source": ADULTS })).ok();
    assert_eq!([&plan["query_name"], &plan["analyzed"]], [&json!("adults"), &json!(false)]);
    assert!(plan["plan"].as_array().is_some_and(|lines| !lines.is_empty()));
    let ask = json!({ "query_source": ADULTS, "params": { "over": 1 }, "analyze": true });
    let run = server.post("/explain", ask).ok();
    assert!(run["plan"].to_string().contains("ms"), "{run}");
}

#[test]
fn maintenance_says_what_it_did() {
    let server = Setup::new().start();
    let optimized = server.post("/optimize", json!({})).ok();
    assert_eq!([&optimized["uri"], &optimized["branch"]], [&json!("g.omni"), &json!("main")]);
    assert_eq!(optimized["tables"].as_array().map(Vec::len), Some(4));
    let preview = server.post("/cleanup", json!({ "keep": 1 })).ok();
    assert_eq!(preview["confirmed"], false);
    let removed = server.post("/cleanup", json!({ "keep": 1, "grace": 0, "confirm": true })).ok();
    assert_eq!([&removed["confirmed"], &removed["commits_kept"]], [&json!(true), &json!(1)]);
    server.post("/cleanup", json!({})).fault(400, "bad_request", "bad_request");
    let sound = server.post("/fsck", json!({})).ok();
    assert_eq!([&sound["ok"], &sound["problems"], &sound["rows"]], [&json!(true), &json!([]), &json!(11)]);
    let doctor = server.get("/doctor").ok();
    assert_eq!(doctor["ok"], true, "{doctor}");
    assert!(doctor["checks"].as_array().is_some_and(|checks| checks.len() >= 7), "{doctor}");
}

#[test]
fn the_server_tells_of_itself() {
    let server = Setup::new().start();
    let health = server.get("/healthz").ok();
    assert_eq!(health, json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }));
    server.get("/branches").ok();
    server.get("/branches?x=1").fault(400, "bad_request", "bad_request");
    server.get("/no/such/path").fault(404, "not_found", "not_found");
    let metrics = server.get("/metrics").text();
    for line in [
        "# TYPE omnigraph_http_request_duration_seconds histogram",
        "omnigraph_http_request_duration_seconds_count{method=\"GET\",route=\"/branches\",status=\"200\"} 1",
        "omnigraph_http_request_duration_seconds_count{method=\"GET\",route=\"/branches\",status=\"400\"} 1",
        "omnigraph_http_request_duration_seconds_count{method=\"GET\",route=\"other\",status=\"404\"} 1",
        "omnigraph_http_requests_under_way 1",
        "# TYPE omnigraph_http_connections gauge",
    ] {
        assert!(metrics.lines().any(|known| known == line), "{line}\n{metrics}");
    }
    let head = server.send("HEAD", "/healthz", &[("Connection", "close")], None);
    assert_eq!(head.status, 200);
}

#[test]
fn two_graphs_and_saved_queries_in_one_process() {
    let mut setup = Setup::bare();
    setup.graph("one.omni", SCHEMA, crate::host::DATA);
    setup.graph("two.omni", SCHEMA, "{\"type\":\"Person\",\"data\":{\"name\":\"Zoe\",\"age\":70}}");
    std::fs::create_dir(setup.path("queries")).expect("a directory");
    setup.write("queries/people.gq", &format!("{ADULTS}\n{INSERT}"));
    setup.write("queries/broken.gq", "query oops( {");
    setup.write(
        "omnigraph.yaml",
        "graphs: { one: { uri: one.omni }, two: { uri: two.omni } }\nserver: { graph: two }\nquery: { roots: [.], publish: [queries, nowhere] }\n",
    );
    setup.arg("--config omnigraph.yaml");
    let server = setup.start();
    assert!(server.log().contains("broken.gq"), "{}", server.log());
    assert!(server.log().contains("nowhere: `query.publish` names nothing there"), "{}", server.log());
    let graphs = json!([{ "name": "one", "is_default": false }, { "name": "two", "is_default": true }]);
    assert_eq!(server.get("/graphs").ok()["graphs"], graphs);
    let listed = server.get("/queries").ok();
    assert_eq!(listed["queries"][0]["name"], "adults");
    assert_eq!(listed["queries"][0]["params"], json!([{ "name": "over", "type": "I32", "required": true }]));
    assert_eq!(listed["queries"][1]["kind"], "change");
    let adults = json!({ "params": { "over": 29 } });
    let count = |path: &str| server.post(path, adults.clone()).ok()["row_count"].clone();
    assert_eq!(count("/queries/adults"), 1);
    assert_eq!(count("/graphs/two/queries/adults"), 1);
    assert_eq!(count("/graphs/one/queries/adults"), 2);
    let eve = json!({ "params": { "name": "Eve", "age": 41 } });
    let done = server.post("/graphs/one/queries/insert_person", eve).ok();
    assert_eq!(done["affected_nodes"], 1);
    assert_eq!(count("/graphs/one/queries/adults"), 3);
    assert_eq!(count("/queries/adults"), 1);
    server.post("/queries/adlts", json!({})).fault(404, "not_found", "not_found");
    server.post("/queries/adults", json!({ "query_name": "x" })).fault(400, "bad_request", "bad_request");
    let missing = server.get("/graphs/three/branches").fault(404, "not_found", "not_found");
    assert!(missing["error"].as_str().is_some_and(|text| text.contains("three")), "{missing}");
}
