//! How a server ends, and what is there afterwards.

use crate::calls::INSERT;
use crate::host::{Setup, until};
use crate::wire::{Answer, connect, exchange, request};
use serde_json::json;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn what_is_under_way_is_finished() {
    let server = Setup::large().start();
    let mut export = connect(&server.address);
    export.write_all(&request("POST", "/export", &[], Some(b"{}"))).expect("sent");
    let mut idle = connect(&server.address);
    exchange(&mut idle, &request("GET", "/healthz", &[], None)).expect("an answer").ok();
    let silent = connect(&server.address);
    let body =
        json!({ "query_source": "query add() { insert Doc { slug: \"late\", body: \"x\" } }" }).to_string();
    let bytes = request("POST", "/change", &[], Some(body.as_bytes()));
    let (now, later) = bytes.split_at(bytes.len() - 10);
    let mut change = connect(&server.address);
    change.write_all(now).expect("sent");
    until("the change to be under way", || {
        server.get("/metrics").text().lines().any(|line| line == "omnigraph_http_requests_under_way 2")
    });
    server.signal("TERM");
    server.await_log("ending: what is under way is finished first");
    until("new connections to be refused", || TcpStream::connect(&server.address).is_err());
    assert!(server.is_running());
    change.write_all(later).expect("sent");
    let done = Answer::read(&mut change).expect("an answer").ok();
    assert_eq!(done["committed"], true);
    let export = Answer::read(&mut export).expect("an answer");
    assert!(export.is_whole);
    assert_eq!(export.text().lines().count(), 1_500);
    assert!(Answer::read(&mut idle).is_none(), "idle connections are closed");
    assert_eq!(server.ended().code(), Some(0));
    assert!(server.log().contains("ended"), "{}", server.log());
    drop(silent);
    let again = server.over().start();
    assert_eq!(again.get("/snapshot").ok()["graph_commit_id"], done["graph_commit_id"]);
}

#[test]
fn who_does_not_finish_is_cut_off() {
    let mut setup = Setup::new();
    setup.arg("--shutdown-timeout 1");
    let server = setup.start();
    let mut stream = connect(&server.address);
    stream
        .write_all(b"POST /change HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        .expect("sent");
    until("it to be under way", || {
        server.get("/metrics").text().lines().any(|line| line == "omnigraph_http_requests_under_way 2")
    });
    server.signal("INT");
    assert_eq!(server.ended().code(), Some(0));
    assert!(server.log().contains("requests that took too long were cut off"), "{}", server.log());
    assert!(Answer::read(&mut stream).is_none());
}

/// Whatever was acknowledged is there after a kill, however many were writing.
#[test]
fn acknowledged_changes_survive_a_kill() {
    let server = Setup::new().start();
    let (acknowledged, count) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let (server, acknowledged, count) = (&server, &acknowledged, &count);
            scope.spawn(move || {
                for at in 0.. {
                    let name = format!("w{writer}-{at}");
                    let ask = json!({ "query_source": INSERT, "params": { "name": name } }).to_string();
                    let Ok(mut stream) = TcpStream::connect(&server.address) else { return };
                    let bytes = request("POST", "/change", &[], Some(ask.as_bytes()));
                    let Some(answer) = exchange(&mut stream, &bytes).filter(|answer| answer.is_whole) else {
                        return;
                    };
                    answer.ok();
                    acknowledged.lock().expect("no panic").push(name);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        until("some changes", || count.load(Ordering::Relaxed) >= 30);
        server.signal("KILL");
    });
    let server = server.over().start();
    let ask = json!({ "query_source": "query all() { match { $p: Person } return { $p.name } }" });
    let found = server.post("/read", ask).ok();
    let names: Vec<_> =
        found["rows"].as_array().expect("rows").iter().map(|row| row["p.name"].as_str()).collect();
    for name in acknowledged.into_inner().expect("no panic") {
        assert!(names.contains(&Some(&*name)), "{name} was acknowledged");
    }
    let sound = server.post("/fsck", json!({})).ok();
    assert_eq!([&sound["ok"], &sound["problems"]], [&json!(true), &json!([])]);
}

#[test]
fn what_cannot_be_served_is_said_at_the_start() {
    let mut setup = Setup::bare();
    setup.arg("nowhere.omni");
    let (code, text) = setup.refused();
    assert!(code == Some(1) && text.starts_with("error: ") && text.contains("nowhere.omni"), "{text}");
    let (code, text) = Setup::bare().refused();
    assert!(code == Some(1) && text.contains("no graph is named") && text.contains("hint: "), "{text}");
    let server = Setup::new().start();
    let mut setup = Setup::new();
    setup.arg(&format!("--bind {}", server.address));
    let (code, text) = setup.refused();
    assert!(code == Some(1) && text.contains(&format!("cannot listen on {}", server.address)), "{text}");
    let mut setup = Setup::new();
    setup.arg("--bind nonsense");
    let (code, text) = setup.refused();
    assert!(code == Some(1) && text.contains("`nonsense` is not a valid address"), "{text}");
    let mut setup = Setup::new();
    setup.arg("--workers 0");
    assert_eq!(setup.refused().0, Some(2));
}
