//! Routes and the document agree.

use crate::document::{references, resolved};
use crate::host::{Server, Setup};
use crate::wire::{connect, exchange, request};
use serde_json::Value;
use std::collections::BTreeSet;

/// Every call on a graph.
const OF_GRAPH: [&str; 46] = [
    "DELETE /branches/merge",
    "DELETE /branches/rename",
    "DELETE /branches/reset",
    "DELETE /branches/{branch}",
    "DELETE /requests/{request_id}",
    "DELETE /tags/{tag}",
    "GET /branches",
    "GET /changes",
    "GET /changes/stream",
    "GET /commits",
    "GET /commits/revert",
    "GET /commits/{commit_id}",
    "GET /diff",
    "GET /diff/patch",
    "GET /doctor",
    "GET /entity",
    "GET /queries",
    "GET /requests",
    "GET /runs",
    "GET /runs/{run_id}",
    "GET /schema",
    "GET /snapshot",
    "GET /tags",
    "POST /branches",
    "POST /branches/merge",
    "POST /branches/rename",
    "POST /branches/reset",
    "POST /change",
    "POST /cleanup",
    "POST /commits/revert",
    "POST /explain",
    "POST /export",
    "POST /fsck",
    "POST /ingest",
    "POST /load",
    "POST /optimize",
    "POST /queries/{query_name}",
    "POST /read",
    "POST /runs",
    "POST /runs/{run_id}/abort",
    "POST /runs/{run_id}/publish",
    "POST /schema/apply",
    "POST /schema/plan",
    "POST /tags",
    // And what is not of a graph.
    "GET /graphs",
    "GET /metrics",
];

fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            found.push((method.to_uppercase(), path.clone(), operation));
        }
    }
    found
}

/// What is answered at a path that a template stands for.
fn answered(server: &Server, method: &str, template: &str) -> (u16, String) {
    let mut path = template.replace("{graph}", "g").replace('{', "no-").replace('}', "");
    if path.ends_with("/stream") {
        path += "?branch=nowhere"; // or there would be no end
    }
    let body = (method == "POST").then_some(&b"{\"no_such_member\": 1}"[..]);
    let answer = exchange(&mut connect(&server.address), &request(method, &path, &[], body));
    let answer = answer.expect("an answer");
    (answer.status, answer.text())
}

#[test]
fn every_operation_is_a_route_and_every_route_an_operation() {
    let server = Setup::new().start();
    let document = server.get("/openapi.json").ok();
    let mut listed = BTreeSet::new();
    for (method, path, _) in operations(&document) {
        let (status, text) = answered(&server, &method, &path);
        assert!(!text.contains("there is nothing at this path"), "{method} {path}: {text}");
        assert_ne!(status, 405, "{method} {path}");
        assert_ne!(status, 500, "{method} {path}: {text}");
        listed.insert(format!("{method} {path}"));
    }
    let mut routes: BTreeSet<String> = OF_GRAPH.iter().map(|route| (*route).to_owned()).collect();
    for route in OF_GRAPH.iter().filter(|route| !matches!(**route, "GET /graphs" | "GET /metrics")) {
        routes.insert(route.replacen(" /", " /graphs/{graph}/", 1));
    }
    routes.extend(["GET /healthz".to_owned(), "GET /openapi.json".to_owned()]);
    assert_eq!(listed, routes);
    let (status, text) = answered(&server, "GET", "/no/such/path");
    assert!(status == 404 && text.contains("there is nothing at this path"), "{text}");
}

#[test]
fn the_document_holds_together() {
    let server = Setup::new().start();
    let document = server.get("/openapi.json").ok();
    assert_eq!(document["openapi"], "3.1.0");
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 40, "{found:?}");
    for reference in found {
        let schema = serde_json::json!({ "$ref": reference });
        assert!(resolved(&document, &schema).is_object(), "{reference}");
    }
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(ids.insert(id.to_owned()), "two operations are called {id}");
        assert!(operation["summary"].as_str().is_some_and(|text| text.ends_with('.')), "{id}");
        let parameters = operation["parameters"].as_array().expect("parameters");
        for part in path.split('/').filter(|part| part.starts_with('{')) {
            let name = part.trim_matches(['{', '}']);
            let is_described =
                |it: &&Value| it["name"] == name && it["in"] == "path" && it["required"] == true;
            assert_eq!(parameters.iter().filter(is_described).count(), 1, "{method} {path} {name}");
        }
        let responses = operation["responses"].as_object().expect("responses");
        assert!(responses.contains_key("200") && responses.contains_key("default"), "{id}");
    }
}

#[test]
fn the_document_asks_for_a_token_where_the_server_does() {
    let server = Setup::new().start();
    let open = server.get("/openapi.json").ok();
    assert!(open["components"].get("securitySchemes").is_none());
    assert!(operations(&open).iter().all(|(.., operation)| operation.get("security").is_none()));

    let mut setup = Setup::new();
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-3f9c");
    let server = setup.start();
    let guarded = server.get("/openapi.json").ok();
    assert_eq!(guarded["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    for (method, path, operation) in operations(&guarded) {
        let (status, text) = answered(&server, &method, &path);
        let asks = operation.get("security").is_some();
        assert_eq!(asks, status == 401, "{method} {path}: {text}");
        assert_eq!(asks, operation["responses"].get("401").is_some(), "{method} {path}");
    }
}
