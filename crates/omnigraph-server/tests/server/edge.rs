//! Headers: ids of requests, pages of other origins, and what caches may keep.

use crate::host::Setup;
use crate::wire::{Answer, connect, exchange};
use std::collections::BTreeSet;

const ID: &str = "x-request-id";

#[test]
fn every_answer_names_its_request() {
    let server = Setup::new().start();
    for given in ["a", "trace-7_f.1", &"z".repeat(64)] {
        for path in ["/healthz", "/branches", "/no/such/path"] {
            let answer = server.send("GET", path, &[("X-Request-Id", given)], None);
            assert_eq!(answer.header(ID), Some(given), "{path}");
        }
        assert!(server.log().contains(&format!("id=\"{given}\"")), "{}", server.log());
    }
    let mut made = BTreeSet::new();
    for refused in ["", "two words", "<script>", "a\"b", "ü", &"z".repeat(65)] {
        let answer = server.send("GET", "/healthz", &[("X-Request-Id", refused)], None);
        let id = answer.header(ID).expect("an id").to_owned();
        assert!(id.len() == 26 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        made.insert(id);
    }
    assert_eq!(made.len(), 6, "every request has its own");
}

#[test]
fn nothing_on_the_way_keeps_answers() {
    let server = Setup::new().start();
    for path in ["/healthz", "/openapi.json", "/branches", "/metrics", "/no/such/path", "/snapshot?branch=x"]
    {
        let answer = server.get(path);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let answer = server.send("DELETE", "/healthz", &[], None);
    assert_eq!((answer.status, answer.header("cache-control")), (405, Some("no-store")));
}

fn preflight(server: &crate::host::Server, origin: &str) -> Answer {
    let headers = [
        ("Origin", origin),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization,content-type"),
    ];
    server.send("OPTIONS", "/read", &headers, None)
}

#[test]
fn only_pages_that_are_named_may_call() {
    let mut setup = Setup::new();
    setup.arg("--cors-origin https://app.example --cors-origin http://localhost:3000");
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-6a6a");
    let server = setup.start();
    for origin in ["https://app.example", "http://localhost:3000"] {
        let answer = preflight(&server, origin);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        let headers = answer.header("access-control-allow-headers").expect("headers");
        assert!(headers.contains("authorization") && headers.contains("content-type"), "{headers}");
        assert!(answer.header("access-control-allow-methods").is_some());
        let call = server.send(
            "GET",
            "/branches",
            &[("Origin", origin), ("Authorization", "Bearer tok-6a6a")],
            None,
        );
        assert_eq!((call.status, call.header("access-control-allow-origin")), (200, Some(origin)));
        let refused = server.send("GET", "/branches", &[("Origin", origin)], None);
        assert_eq!((refused.status, refused.header("access-control-allow-origin")), (401, Some(origin)));
        assert_eq!(refused.header("access-control-expose-headers"), Some(ID));
    }
    for origin in ["https://evil.example", "https://app.example.evil", "http://app.example", "null"] {
        assert_eq!(preflight(&server, origin).header("access-control-allow-origin"), None, "{origin}");
    }
}

#[test]
fn without_an_option_no_page_may_call() {
    let server = Setup::new().start();
    assert_eq!(preflight(&server, "https://app.example").header("access-control-allow-origin"), None);
    let mut setup = Setup::new();
    setup.arg("--cors-origin *");
    let answer = preflight(&setup.start(), "https://app.example");
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some("*")));
}

/// Whoever opens a page did not ask for what it sends to this machine.
#[test]
fn pages_of_other_sites_cannot_use_a_server_without_tokens() {
    let server = Setup::new().start();
    let body = br#"{"query_source":"query gone() { delete Person where name = \"Bob\" }"}"#;
    for (name, text) in
        [("Origin", "https://evil.example"), ("Origin", "null"), ("Origin", "http://localhost.evil")]
    {
        let answer = server.send("POST", "/change", &[(name, text)], Some(body));
        answer.fault(403, "forbidden", "forbidden");
    }
    let by_name = |host: &str| {
        let bytes = format!("GET /branches HTTP/1.1\r\nHost: {host}\r\n\r\n");
        exchange(&mut connect(&server.address), bytes.as_bytes()).expect("an answer").status
    };
    assert_eq!(by_name("evil.example"), 403, "a name of another site that leads here");
    assert_eq!([by_name("localhost:1"), by_name("127.0.0.1"), by_name("[::1]:80")], [200; 3]);
    server.send("GET", "/branches", &[("Origin", "http://localhost:3000")], None).ok();
    assert_eq!(server.get("/snapshot").ok()["manifest_version"], 2, "nothing was written");

    let mut setup = Setup::new();
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-d00d");
    let server = setup.start();
    let headers = [("Origin", "https://any.example"), ("Authorization", "Bearer tok-d00d")];
    server.send("GET", "/branches", &headers, None).ok();
}
