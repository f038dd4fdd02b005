//! Who is let in, and that nobody sees a token.

use crate::calls::INSERT;
use crate::host::{Server, Setup, until};
use crate::wire::{connect, exchange, request};
use serde_json::{Value, json};

const FILE: &str = "OMNIGRAPH_SERVER_BEARER_TOKENS_FILE";
const JSON: &str = "OMNIGRAPH_SERVER_BEARER_TOKENS_JSON";
const SINGLE: &str = "OMNIGRAPH_SERVER_BEARER_TOKEN";

fn status(server: &Server, token: &str) -> u16 {
    server.caller(token).get("/branches").status
}

#[test]
fn the_first_source_that_is_set_counts() {
    let cases: [(&[&str], &str, &str); 4] = [
        (&[FILE, JSON, SINGLE], "tok-a4f0-file", "ann"),
        (&[JSON, SINGLE], "tok-a4f0-json", "bob"),
        (&[SINGLE], "tok-a4f0-single", "default"),
        (&[FILE], "tok-a4f0-file", "ann"),
    ];
    for (set, taken, actor) in cases {
        let mut setup = Setup::new();
        setup.write("tokens.json", r#"{"ann": "tok-a4f0-file"}"#);
        for name in [FILE, JSON, SINGLE] {
            let text = match name {
                _ if !set.contains(&name) => " ", // as good as not set
                FILE => "tokens.json",
                JSON => r#"{"bob": "tok-a4f0-json"}"#,
                _ => "tok-a4f0-single",
            };
            setup.env(name, text);
        }
        setup.secret("tok-a4f0");
        let server = setup.start();
        for token in ["tok-a4f0-file", "tok-a4f0-json", "tok-a4f0-single"] {
            let expected = if token == taken { 200 } else { 401 };
            assert_eq!(status(&server, token), expected, "{set:?} {token}");
        }
        let ask = json!({ "query_source": INSERT, "params": { "name": "Eve" } });
        let done = server.caller(taken).post("/change", ask).ok();
        assert_eq!(done["actor_id"], actor);
        let commit = server.caller(taken).get("/commits?limit=1").ok();
        assert_eq!(commit["commits"][0]["actor_id"], actor);
    }
}

#[test]
fn only_a_known_bearer_token_opens() {
    let mut setup = Setup::new();
    setup.env(SINGLE, " tok-0b7e ").secret("tok-0b7e");
    let server = setup.start();
    let refused = [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Bearer tok-0b7",
        "Bearer tok-0b7e7",
        "tok-0b7e",
        "Basic dG9rLTBiN2U6",
        "Basic tok-0b7e",
        "Bearer tok-0b7e, Bearer tok-0b7e",
    ];
    for text in refused {
        let answer = server.send("GET", "/branches", &[("Authorization", text)], None);
        answer.fault(401, "unauthorized", "unauthorized");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{text}");
    }
    for text in ["Bearer tok-0b7e", "bearer tok-0b7e", "BEARER   tok-0b7e"] {
        server.send("GET", "/branches", &[("Authorization", text)], None).ok();
    }
    for path in
        ["/branches", "/metrics", "/graphs", "/queries", "/graphs/g/branches", "/graphs/none/branches"]
    {
        server.get(path).fault(401, "unauthorized", "unauthorized");
    }
    server.get("/healthz").ok();
    server.get("/openapi.json").ok();
    let mcp = exchange(&mut connect(&server.address), &request("POST", "/mcp", &[], Some(b"{}")));
    assert_eq!(mcp.expect("an answer").status, 401);
    let mut bytes =
        b"GET /branches HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \xff\xfe\r\n\r\n".to_vec();
    assert_eq!(exchange(&mut connect(&server.address), &bytes).expect("an answer").status, 401);
    bytes = b"GET /branches HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic eA==\r\nAuthorization: Bearer tok-0b7e\r\n\r\n".to_vec();
    assert_eq!(exchange(&mut connect(&server.address), &bytes).expect("an answer").status, 401);
}

/// A server whose tokens are in a file.
fn with_file() -> Server {
    let mut setup = Setup::new();
    setup.write("tokens.json", r#"{"ann": "tok-91c2-old"}"#);
    setup.env(FILE, "tokens.json").secret("tok-91c2");
    setup.start()
}

fn rewrite(server: &Server, text: &str) {
    // As careful tools do: never a file that is half written.
    let temporary = server.path("tokens.json.new");
    std::fs::write(&temporary, text).expect("a file");
    std::fs::rename(temporary, server.path("tokens.json")).expect("in its place");
}

#[test]
fn a_file_of_tokens_is_read_again_when_it_changes() {
    let server = with_file();
    assert_eq!(status(&server, "tok-91c2-old"), 200);
    rewrite(&server, r#"{"ann": "tok-91c2-new", "bob": "tok-91c2-bob"}"#);
    until("the new token", || status(&server, "tok-91c2-new") == 200);
    assert_eq!([status(&server, "tok-91c2-old"), status(&server, "tok-91c2-bob")], [401, 200]);
    rewrite(&server, r#"{"ann": "tok-91c2-broken""#);
    server.await_log("the tokens that were known stay");
    assert_eq!([status(&server, "tok-91c2-new"), status(&server, "tok-91c2-broken")], [200, 401]);
    std::fs::remove_file(server.path("tokens.json")).expect("gone");
    server.await_log("cannot be read");
    assert_eq!(status(&server, "tok-91c2-new"), 200);
    rewrite(&server, r#"{"ann": "tok-91c2-third"}"#);
    until("the third token", || status(&server, "tok-91c2-third") == 200);
    assert_eq!(status(&server, "tok-91c2-new"), 401);
}

/// A file that is as long and as old as the one before it is another file all the same.
#[test]
fn a_file_with_the_time_of_the_old_one_is_read_again() {
    let server = with_file();
    let old = std::fs::metadata(server.path("tokens.json")).and_then(|it| it.modified()).expect("a time");
    let next = server.path("tokens.json.new");
    std::fs::write(&next, r#"{"ann": "tok-91c2-two"}"#).expect("a file");
    let file = std::fs::File::options().write(true).open(&next).expect("a file");
    file.set_modified(old).expect("a time");
    std::fs::rename(next, server.path("tokens.json")).expect("in its place");
    until("the other token", || status(&server, "tok-91c2-two") == 200);
    assert_eq!(status(&server, "tok-91c2-old"), 401);
}

#[test]
fn tokens_are_read_again_on_a_signal() {
    let server = with_file();
    server.signal("HUP");
    server.await_log("read the tokens again");
    assert_eq!(status(&server, "tok-91c2-old"), 200);
    rewrite(&server, r#"{"ann": 7}"#);
    server.signal("HUP");
    server.await_log("the tokens that were known stay");
    assert_eq!(status(&server, "tok-91c2-old"), 200);
    assert!(server.is_running());
}

#[test]
fn no_token_is_in_the_log_however_much_is_logged() {
    let mut setup = Setup::new();
    setup.env(JSON, r#"{"ann": "tok-e8d3-good"}"#).env("OMNIGRAPH_LOG", "trace").secret("tok-e8d3");
    let server = setup.start();
    for token in ["tok-e8d3-good", "tok-e8d3-wrong"] {
        let caller = server.caller(token);
        caller.get("/branches");
        caller.get("/metrics");
        caller.post("/export", json!({}));
        caller.post("/change", json!({ "query_source": INSERT, "params": { "name": "Eve" } }));
        caller.post("/read", json!({ "query_source": "query x( {" }));
        caller.get("/no/such/path");
        caller.post("/healthz", json!({}));
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
        let header = format!("Bearer {token}");
        let headers = [
            ("Authorization", header.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        server.send("POST", "/mcp", &headers, Some(call.as_bytes()));
    }
    let log = server.log();
    assert!(log.contains("TRACE") && log.contains("actor=\"ann\""), "{log}");
}

#[test]
fn an_address_that_others_reach_needs_tokens() {
    let mut setup = Setup::new();
    setup.arg("--bind 0.0.0.0:0");
    let (code, text) = setup.refused();
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error: 0.0.0.0:0 can be reached by others, and there are no tokens"), "{text}");
    assert!(text.contains("hint: ") && text.contains("--unauthenticated"), "{text}");
    let mut setup = Setup::new();
    setup.arg("--bind 0.0.0.0:0 --unauthenticated");
    setup.start().get("/branches").ok();
    let mut setup = Setup::new();
    setup.arg("--bind 0.0.0.0:0").env(SINGLE, "tok-22d8").secret("tok-22d8");
    assert_eq!(status(&setup.start(), "tok-22d8"), 200);
    let mut setup = Setup::new();
    setup.arg("--unauthenticated").env(SINGLE, "tok-22d8").secret("tok-22d8");
    let (code, text) = setup.refused();
    assert!(code == Some(1) && text.contains("--unauthenticated, but there are tokens"), "{text}");
}

#[test]
fn tokens_that_cannot_be_read_stop_the_start() {
    let cases: [(&str, Value); 4] = [
        ("must be a JSON object", json!(["tok-c0de"])),
        ("has no token", json!({})),
        ("has an actor without a token", json!({ "tok-c0de": " " })),
        ("has the same token for two actors", json!({ "a": "tok-c0de", "b": "tok-c0de" })),
    ];
    for (reason, tokens) in cases {
        let mut setup = Setup::new();
        setup.env(JSON, &tokens.to_string()).secret("tok-c0de");
        let (code, text) = setup.refused();
        assert_eq!(code, Some(1));
        assert!(text.contains(&format!("error: tokens of {JSON}: {reason}")), "{text}");
    }
    let mut setup = Setup::new();
    setup.env(FILE, "nowhere.json");
    let (code, text) = setup.refused();
    assert!(code == Some(1) && text.contains("file nowhere.json: cannot be read"), "{text}");
}
