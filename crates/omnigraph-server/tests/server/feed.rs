//! Changes as they come.

use crate::calls::INSERT;
use crate::host::{Server, Setup, until};
use crate::wire::{connect, quoted, request};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

/// A connection that is told of changes.
struct Listener {
    lines: BufReader<TcpStream>,
}

/// One event: its name, its id and its data.
#[derive(Debug)]
struct Told {
    name: String,
    id: String,
    data: Value,
}

impl Listener {
    fn new(server: &Server, path: &str, headers: &[(&str, &str)]) -> Listener {
        let mut stream = connect(&server.address);
        stream.write_all(&request("GET", path, headers, None)).expect("sent");
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(lines.read_line(&mut head).expect("a head") > 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(head.to_lowercase().contains("content-type: text/event-stream"), "{head}");
        Listener { lines }
    }

    /// The next event; none when the stream has ended.
    fn next(&mut self) -> Option<Told> {
        let mut told = Told { name: String::new(), id: String::new(), data: Value::Null };
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).expect("a line in time") == 0 {
                return None;
            }
            // Lengths of chunks stand between the lines of events.
            if let Some(name) = line.strip_prefix("event: ") {
                name.trim_end().clone_into(&mut told.name);
            } else if let Some(id) = line.strip_prefix("id: ") {
                id.trim_end().clone_into(&mut told.id);
            } else if let Some(data) = line.strip_prefix("data: ") {
                told.data = serde_json::from_str(data).expect("JSON");
            } else if line == "\n" && !told.name.is_empty() {
                return Some(told);
            }
        }
    }
}

fn insert(server: &Server, name: &str) {
    server.post("/change", json!({ "query_source": INSERT, "params": { "name": name } })).ok();
}

fn names(told: &Told) -> Vec<&str> {
    let changes = told.data["changes"].as_array().expect("changes");
    changes.iter().map(|change| change["id"].as_str().expect("an id")).collect()
}

#[test]
fn who_listens_is_told_and_goes_on_where_it_was() {
    let server = Setup::new().start();
    let mut listener = Listener::new(&server, "/changes/stream?rows=true", &[]);
    let first = listener.next().expect("where it begins");
    assert_eq!((first.name.as_str(), names(&first).len()), ("changes", 0), "{first:?}");
    insert(&server, "Eve");
    let told = listener.next().expect("a change");
    assert_eq!(names(&told), ["Eve"]);
    assert_eq!(told.data["changes"][0]["after"]["name"], "Eve");
    assert_eq!(told.data["cursor"], told.id);
    drop(listener);
    insert(&server, "Max");
    insert(&server, "Zoe");
    let mut again = Listener::new(&server, "/changes/stream", &[("Last-Event-ID", &told.id)]);
    assert_eq!(names(&again.next().expect("what came meanwhile")), ["Max", "Zoe"]);
    let polled = server.get(&format!("/changes?since={}", quoted(&told.id))).ok();
    assert_eq!(polled["changes"].as_array().expect("changes").len(), 2);
}

#[test]
fn branches_and_types_can_be_chosen() {
    let server = Setup::new().start();
    server.post("/branches", json!({ "name": "review" })).ok();
    let mut on_main = Listener::new(&server, "/changes/stream?type_names=Person", &[]);
    let mut companies =
        Listener::new(&server, "/graphs/g/changes/stream?branch=review&type_names=Company", &[]);
    on_main.next().expect("where it begins");
    companies.next().expect("where it begins");
    insert(&server, "Eve");
    let both = "query q() { insert Person { name: \"Max\" } insert Company { name: \"Initech\" } }";
    server.post("/change", json!({ "query_source": both, "branch": "review" })).ok();
    assert_eq!(names(&on_main.next().expect("a change")), ["Eve"]);
    assert_eq!(names(&companies.next().expect("a change")), ["Initech"]);
}

#[test]
fn a_request_that_makes_no_sense_is_answered_and_not_followed() {
    let mut setup = Setup::new();
    setup.arg("--max-feeds 1");
    let server = setup.start();
    server.get("/changes/stream?since=yesterday").fault(400, "bad_request", "bad_request");
    server.get("/changes/stream?branch=nowhere").fault(404, "not_found", "not_found");
    server.get("/changes/stream?type_names=Persn").fault(400, "bad_request", "bad_request");
    let listener = Listener::new(&server, "/changes/stream", &[]);
    server.get("/changes/stream").fault(429, "too_many_requests", "too_many_requests");
    drop(listener);
    until("the place to be free", || {
        let mut stream = connect(&server.address);
        stream.write_all(&request("GET", "/changes/stream", &[], None)).expect("sent");
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).expect("a line");
        line.starts_with("HTTP/1.1 200")
    });
}

#[test]
fn only_who_may_read_is_told() {
    let mut setup = Setup::new();
    let policy = "version: 1\ngroups: { team: [ann] }\nprotected_branches: [main]\nrules:\n  - id: aside\n    allow: { actors: { group: team }, actions: [read, branch_create], branches: [work] }\n";
    setup.write("policy.yaml", policy);
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", r#"{"ann": "tok-77aa"}"#).arg("--policy policy.yaml");
    let server = setup.start();
    server.get("/changes/stream").fault(401, "unauthorized", "unauthorized");
    server.caller("tok-77aa").get("/changes/stream").fault(403, "forbidden", "forbidden");
}

#[test]
fn listeners_do_not_keep_a_server_from_ending() {
    let server = Setup::new().start();
    let mut listener = Listener::new(&server, "/changes/stream", &[]);
    listener.next().expect("where it begins");
    let asked = std::time::Instant::now();
    server.signal("TERM");
    assert_eq!(server.ended().code(), Some(0));
    assert!(listener.next().is_none());
    assert!(asked.elapsed().as_secs() < 15, "it waited for the listener: {:?}", asked.elapsed());
}
