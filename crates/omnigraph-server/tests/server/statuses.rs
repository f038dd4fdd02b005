//! Every status of a failure, and what its body says.

use crate::calls::{ADULTS, INSERT};
use crate::host::{Server, Setup, until};
use crate::wire::{Answer, connect, exchange, request};
use serde_json::{Value, json};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[test]
fn requests_that_make_no_sense() {
    let server = Setup::new().start();
    let bad = |answer: Answer, reason: &str| answer.fault(400, "bad_request", reason);
    let json = [("Content-Type", "application/json; charset=utf-8")];
    bad(server.send("POST", "/read", &json, Some(b"{")), "bad_request");
    bad(server.send("POST", "/read", &json, Some(b"[]")), "bad_request");
    bad(server.send("POST", "/read", &json, Some(b"\xff\xfe")), "bad_request");
    bad(server.send("POST", "/read", &json, None), "bad_request");
    bad(server.post("/read", json!({ "query_source": ADULTS, "brunch": "main" })), "bad_request");
    bad(server.post("/read?branch=main", json!({ "query_source": ADULTS })), "bad_request");
    let both =
        json!({ "query_source": ADULTS, "params": { "over": 1 }, "branch": "main", "snapshot": "main" });
    let reply = bad(server.post("/read", both), "bad_request");
    assert!(reply["hint"].is_string(), "{reply}");
    let found = bad(
        server.post("/read", json!({ "query_source": "query x() { match { $p: Persn } return { $p } }" })),
        "invalid_text",
    );
    let first = &found["diagnostics"][0];
    assert_eq!([&first["code"], &first["line"], &first["file"]], [&json!("T1"), &json!(1), &json!("query")]);
    assert!(found["rendered"].as_str().is_some_and(|text| text.contains("Persn")), "{found}");
    assert!(first["hint"].as_str().is_some_and(|text| text.contains("Person")), "{found}");
    bad(server.post("/read", json!({ "query_source": ADULTS, "params": { "over": "old" } })), "bad_param");
    bad(server.post("/read", json!({ "query_source": INSERT, "params": { "name": "x" } })), "bad_request");
    bad(server.post("/change", json!({ "query_source": ADULTS, "params": { "over": 1 } })), "bad_request");
    bad(server.get("/commits?limit=many"), "bad_request");
    bad(server.get("/snapshot?at=yesterday"), "bad_request");
}

#[test]
fn what_is_not_there() {
    let server = Setup::new().start();
    let ask =
        |source: &str| json!({ "query_source": source, "query_name": "adlts", "params": { "over": 1 } });
    let reply = server.post("/read", ask(ADULTS)).fault(404, "not_found", "no_query");
    assert!(reply["hint"].as_str().is_some_and(|text| text.contains("adults")), "{reply}");
    let branch = json!({ "query_source": INSERT, "params": { "name": "x" }, "branch": "nowhere" });
    let reply = server.post("/change", branch).fault(404, "not_found", "not_found");
    assert!(reply["error"].as_str().is_some_and(|text| text.contains("nowhere")), "{reply}");
    server.get("/graphs/other/schema").fault(404, "not_found", "not_found");
    server.get("/").fault(404, "not_found", "not_found");
    server.get("/branches/").fault(404, "not_found", "not_found");
}

#[test]
fn methods_that_a_path_does_not_take() {
    let server = Setup::new().start();
    for (method, path, allowed) in [
        ("GET", "/read", "POST"),
        ("DELETE", "/branches", "GET,HEAD,POST"),
        ("POST", "/branches/x", "DELETE"),
        ("GET", "/branches/merge", "POST,DELETE"),
        ("PUT", "/graphs/g/schema", "GET,HEAD"),
        ("POST", "/healthz", "GET,HEAD"),
    ] {
        let answer = server.send(method, path, &[], None);
        answer.fault(405, "method_not_allowed", "method_not_allowed");
        let sorted = |text: &str| {
            let mut names: Vec<_> = text.split(',').map(|name| name.trim().to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(answer.header("allow").map(sorted), Some(sorted(allowed)), "{method} {path}");
    }
}

#[test]
fn commits_that_are_not_the_newest() {
    let server = Setup::new().start();
    let old = server.get("/snapshot").ok()["graph_commit_id"].clone();
    let ask =
        |commit: &Value| json!({ "query_source": INSERT, "params": { "name": "Eve" }, "if_commit": commit });
    server.post("/branches", json!({ "name": "side" })).ok();
    let new = server.post("/change", ask(&old)).ok()["graph_commit_id"].clone();
    let late = |answer: Answer| answer.fault(412, "precondition_failed", "precondition_failed");
    late(server.post("/change", ask(&old)));
    let path = format!("/load?if_commit={}", old.as_str().expect("an id"));
    late(server.send("POST", &path, &[], Some(b"{\"type\":\"Person\",\"data\":{\"name\":\"Eve\"}}")));
    late(server.post("/branches/merge", json!({ "source": "side", "if_commit": old })));
    server.post("/change", ask(&json!("newest"))).fault(400, "bad_request", "bad_request");
    server.post("/branches/merge", json!({ "source": "side", "if_commit": new })).ok();
}

#[test]
fn rows_that_break_the_schema() {
    let server = Setup::new().start();
    let edge = "query add() { insert Knows { from: \"Alice\", to: \"Nobody\" } }";
    let reply =
        server.post("/change", json!({ "query_source": edge })).fault(422, "unprocessable", "invalid_rows");
    assert_eq!(reply["diagnostics"][0]["type"], "Knows", "{reply}");
    let data = "{\"type\":\"Person\",\"data\":{\"name\":\"Eve\",\"age\":\"old\"}}\n{\"type\":\"Persn\",\"data\":{}}\n";
    let reply = server.post("/ingest", json!({ "data": data })).fault(422, "unprocessable", "invalid_rows");
    let lines: Vec<_> =
        reply["diagnostics"].as_array().expect("findings").iter().map(|it| &it["line"]).collect();
    assert_eq!(lines, [1, 2], "{reply}");
    assert_eq!(server.get("/snapshot").ok()["manifest_version"], 2, "nothing was written");
}

#[test]
fn bodies_of_a_kind_that_is_not_read() {
    let server = Setup::new().start();
    let body = json!({ "query_source": ADULTS, "params": { "over": 1 } }).to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let answer = server.send("POST", "/read", &[("Content-Type", kind)], Some(body.as_bytes()));
        let reply = answer.fault(415, "unsupported_media_type", "unsupported_media_type");
        assert!(reply["hint"].as_str().is_some_and(|text| text.contains("application/json")));
    }
    for kind in ["application/json", "Application/JSON ; charset=utf-8"] {
        server.send("POST", "/read", &[("Content-Type", kind)], Some(body.as_bytes())).ok();
    }
    server.send("POST", "/read", &[], Some(body.as_bytes())).ok();
}

/// A server that takes little.
fn small() -> Server {
    let mut setup = Setup::new();
    setup.arg("--max-body 1000 --max-ingest 2000 --max-load 3000");
    setup.start()
}

const TOO_LONG: [(&str, usize); 4] =
    [("/read", 1_000), ("/ingest", 2_000), ("/load", 3_000), ("/graphs/g/ingest", 2_000)];

#[test]
fn a_body_that_says_it_is_too_long_is_refused_before_it_comes() {
    let server = small();
    for (path, limit) in TOO_LONG {
        let mut stream = connect(&server.address);
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{{\"da", limit + 1);
        let answer = exchange(&mut stream, head.as_bytes()).expect("an answer");
        let reply = answer.fault(413, "payload_too_large", "payload_too_large");
        assert!(reply["error"].as_str().is_some_and(|text| text.contains(&limit.to_string())), "{reply}");
        assert_eq!(answer.header("connection"), Some("close"));
    }
    let fitting = vec![b' '; 1_000];
    server.send("POST", "/read", &[], Some(&fitting)).fault(400, "bad_request", "bad_request");
}

#[test]
fn a_body_that_gets_too_long_is_refused_in_the_middle() {
    let server = small();
    for (path, limit) in TOO_LONG {
        let mut stream = connect(&server.address);
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        let chunk = format!("1f4\r\n{}\r\n", " ".repeat(500));
        for _ in 0..=limit / 500 {
            stream.write_all(chunk.as_bytes()).expect("sent");
        }
        let answer = Answer::read(&mut stream).expect("an answer");
        answer.fault(413, "payload_too_large", "payload_too_large");
    }
}

/// Most clients write the whole request before they read: the answer must not be lost in a connection that is reset.
#[test]
fn who_sends_everything_first_still_gets_the_answer() {
    let mut setup = Setup::new();
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-71aa");
    let server = setup.start();
    let body = vec![b' '; 20 << 20];
    for (header, status) in [("Bearer tok-71aa", 413), ("Bearer wrong", 401)] {
        let mut stream = connect(&server.address);
        stream
            .write_all(&request("POST", "/read", &[("Authorization", header)], Some(&body)))
            .expect("all is sent");
        assert_eq!(Answer::read(&mut stream).expect("an answer").status, status);
    }
}

#[test]
fn more_requests_than_the_server_takes() {
    let mut setup = Setup::new();
    setup.arg("--workers 1 --max-waiting 0");
    let server = setup.start();
    let (refused, done, enough) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while !enough.load(Ordering::Relaxed) {
                    let answer = server.post("/fsck", json!({}));
                    if answer.status == 429 {
                        answer.fault(429, "too_many_requests", "too_many_requests");
                        assert_eq!(answer.header("retry-after"), Some("1"));
                        refused.fetch_add(1, Ordering::Relaxed);
                    } else {
                        answer.ok();
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        let counts = || [&refused, &done].map(|count| count.load(Ordering::Relaxed));
        until("both kinds of answers", || counts().iter().all(|count| *count > 3));
        server.get("/healthz").ok();
        enough.store(true, Ordering::Relaxed);
    });
    server.post("/fsck", json!({})).ok();
}

#[test]
fn requests_wait_for_their_turn() {
    let mut setup = Setup::new();
    setup.arg("--workers 1 --max-waiting 64");
    let server = setup.start();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| server.post("/fsck", json!({})).ok());
        }
    });
}
