//! What is under way: who sees it, who may end it, and what becomes of it.

use crate::host::{Server, Setup, until};
use crate::wire::{connect, request};
use serde_json::{Value, json};
use std::io::Write as _;

const SCHEMA: &str = "node N { k: I64 @key }\nedge To: N -> N\n";

/// They form a ring.
const NODES: usize = 20_000;

/// Nearly round the ring, from every node: hundreds of millions of steps, and nothing to be kept in memory.
const ENDLESS: &str = "query q() { match { $a: N  $a to{19998,19999} $b } return { count($b) as n } }";

const POLICY: &str = "version: 1
groups: { all: [ann, bob, root], admins: [root] }
rules:
  - { id: r1, allow: { actors: { group: all }, actions: [read, change], branch_scope: any } }
  - { id: r2, allow: { actors: { group: admins }, actions: [admin] } }
";

fn served() -> Server {
    let mut setup = Setup::bare();
    let nodes = (0..NODES).map(|k| format!("{{\"type\":\"N\",\"data\":{{\"k\":{k}}}}}\n"));
    let next = |k: usize| (k + 1) % NODES;
    let edges = (0..NODES).map(|k| format!("{{\"edge\":\"To\",\"from\":\"{k}\",\"to\":\"{}\"}}\n", next(k)));
    setup.graph("g.omni", SCHEMA, &nodes.chain(edges).collect::<String>());
    setup.write("policy.yaml", POLICY);
    let tokens = json!({ "ann": "t-ann", "bob": "t-bob", "root": "t-root" });
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", &tokens.to_string());
    setup.arg("g.omni --policy policy.yaml");
    setup.start()
}

/// What somebody sees, once there is something of this state.
fn seen(server: &Server, token: &str, state: &str) -> Vec<Value> {
    let mut list = Vec::new();
    until("something to be under way", || {
        let Value::Array(found) = server.caller(token).get("/requests").ok()["requests"].take() else {
            panic!("no list")
        };
        list = found;
        list.iter().any(|request| request["state"] == state)
    });
    list
}

fn await_end(server: &Server) {
    until("all to end", || server.caller("t-root").get("/requests").ok()["requests"] == json!([]));
}

#[test]
fn a_query_that_takes_too_long_is_ended_by_who_asked_or_maintains() {
    let server = served();
    for killer in ["t-ann", "t-root"] {
        std::thread::scope(|scope| {
            let ask =
                scope.spawn(|| server.caller("t-ann").post("/read", json!({ "query_source": ENDLESS })));
            let mine = seen(&server, "t-ann", "running");
            let [request] = mine.as_slice() else { panic!("{mine:?}") };
            assert_eq!(request["request"], "POST /read");
            assert_eq!(request["actor_id"], "ann");
            assert!(request["query"].as_str().expect("a query").starts_with("query q() { match { $a: N"));
            let path = format!("/requests/{}", request["request_id"]);
            // Others see nothing, and what they cannot see they cannot end.
            assert_eq!(server.caller("t-bob").get("/requests").ok()["requests"], json!([]));
            assert_eq!(server.caller("t-bob").delete(&path).status, 404);
            assert!(!ask.is_finished());
            assert_eq!(server.caller(killer).delete(&path).ok()["state"], "stopping");
            let answer = ask.join().expect("an answer");
            assert_eq!((answer.status, answer.json()["reason"].as_str()), (503, Some("stopped")));
        });
        await_end(&server);
    }
    assert_eq!(server.caller("t-root").delete("/requests/999999").status, 404);
    assert_eq!(server.caller("t-root").delete("/requests/x").status, 400);
}

#[test]
fn nothing_of_a_change_that_was_ended_is_committed() {
    let server = served();
    let head = || server.caller("t-ann").get("/snapshot").ok()["graph_commit_id"].clone();
    let before = head();
    // Every deletion is looked for by itself.
    let many: Vec<String> = (0..4_000).map(|k| format!("delete N where k = {k}")).collect();
    let many = many.join(" ");
    let change = json!({ "query_source": format!("query q() {{ insert N {{ k: -1 }} {many} }}") });
    let ended = std::thread::scope(|scope| {
        let ask = scope.spawn(|| server.caller("t-ann").post("/change", change));
        while !ask.is_finished() {
            let list = server.caller("t-ann").get("/requests").ok()["requests"].clone();
            for request in list.as_array().expect("a list") {
                let _ = server.caller("t-ann").delete(&format!("/requests/{}", request["request_id"]));
            }
        }
        ask.join().expect("an answer")
    });
    assert_eq!((ended.status, ended.json()["reason"].as_str()), (503, Some("stopped")));
    assert_eq!(head(), before);
}

#[test]
fn a_caller_who_goes_away_ends_what_was_read() {
    let server = served();
    let body = json!({ "query_source": ENDLESS }).to_string();
    let headers = [("Authorization", "Bearer t-ann"), ("Content-Type", "application/json")];
    let mut stream = connect(&server.address);
    stream.write_all(&request("POST", "/read", &headers, Some(body.as_bytes()))).expect("it is sent");
    assert_eq!(seen(&server, "t-ann", "running").len(), 1);
    drop(stream);
    await_end(&server);
}
