//! Callers that are slow, silent or rude cost the others nothing.

use crate::calls::ADULTS;
use crate::host::{Server, Setup, until};
use crate::wire::{Answer, PATIENCE, connect, exchange, is_timeout, request};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Waits until the server closes a connection, while something is done with it.
fn closed(stream: &mut TcpStream, mut meanwhile: impl FnMut(&mut TcpStream)) {
    let start = Instant::now();
    stream.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    loop {
        meanwhile(stream);
        match stream.read(&mut [0; 1_024]) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if is_timeout(&error) => {}
            Err(_) => return,
        }
        assert!(start.elapsed() < PATIENCE, "the server keeps the connection");
    }
}

#[test]
fn a_head_must_arrive_in_time() {
    let mut setup = Setup::new();
    setup.arg("--idle-timeout 1");
    let server = setup.start();
    // Nothing; the beginning of HTTP/2 or of a POST; a head byte by byte; an answered request and then nothing.
    let mut silent = connect(&server.address);
    let mut undecided = connect(&server.address);
    undecided.write_all(b"P").expect("sent");
    let mut half = connect(&server.address);
    half.write_all(b"PRI * HTTP/2.0\r\n").expect("sent");
    let mut drop_by_drop = connect(&server.address);
    let mut idle = connect(&server.address);
    exchange(&mut idle, &request("GET", "/healthz", &[], None)).expect("an answer").ok();
    closed(&mut silent, |_| {});
    closed(&mut undecided, |_| {});
    closed(&mut half, |_| {});
    closed(&mut idle, |_| {});
    let mut head = b"GET /healthz HTTP/1.1\r\nHost: ".iter().copied().chain(std::iter::repeat(b'x'));
    closed(&mut drop_by_drop, |stream| {
        let _ = stream.write_all(&[head.next().expect("no end")]); // it may be closed by now
    });
    server.get("/healthz").ok();
}

/// The rest of a head must follow its beginning soon; a connection that says nothing may stay.
#[test]
fn a_head_that_has_begun_must_go_on() {
    let mut setup = Setup::new();
    setup.arg("--idle-timeout 600 --head-timeout 1");
    let server = setup.start();
    let mut idle = connect(&server.address);
    exchange(&mut idle, &request("GET", "/healthz", &[], None)).expect("an answer").ok();
    let mut silent = connect(&server.address);
    let mut undecided = connect(&server.address);
    undecided.write_all(b"P").expect("sent");
    let mut half = connect(&server.address);
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost: local").expect("sent");
    let mut second = connect(&server.address);
    exchange(&mut second, &request("GET", "/healthz", &[], None)).expect("an answer").ok();
    second.write_all(b"GET /heal").expect("sent");
    let mut drop_by_drop = connect(&server.address);
    let mut head = b"GET /healthz HTTP/1.1\r\nHost: ".iter().copied().chain(std::iter::repeat(b'x'));
    closed(&mut undecided, |_| {});
    closed(&mut half, |_| {});
    closed(&mut second, |_| {});
    closed(&mut drop_by_drop, |stream| {
        let _ = stream.write_all(&[head.next().expect("no end")]); // it may be closed by now
    });
    for stream in [&mut idle, &mut silent] {
        exchange(stream, &request("GET", "/healthz", &[], None)).expect("an answer").ok();
    }
    // A body may take longer than a head.
    let mut slow = connect(&server.address);
    slow.write_all(b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{").expect("sent");
    std::thread::sleep(Duration::from_millis(1_500));
    slow.write_all(b"}").expect("sent");
    assert_eq!(Answer::read(&mut slow).expect("an answer").status, 400);
}

#[test]
fn a_body_must_arrive_in_time() {
    let mut setup = Setup::new();
    setup.arg("--body-timeout 1 --stall-timeout 1");
    let server = setup.start();
    let heads = ["Content-Length: 100\r\n\r\n{\"query", "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"que\r\n"];
    let paths = ["/read", "/change", "/ingest", "/load", "/export", "/graphs/g/queries/x"];
    std::thread::scope(|scope| {
        for (head, path) in heads.iter().flat_map(|head| paths.map(|path| (head, path))) {
            let server = &server;
            scope.spawn(move || {
                let mut stream = connect(&server.address);
                let bytes = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{head}");
                let answer = exchange(&mut stream, bytes.as_bytes()).expect("an answer");
                answer.fault(408, "timeout", "timeout");
                assert_eq!(answer.header("connection"), Some("close"));
                closed(&mut stream, |_| {});
            });
        }
        server.post("/read", json!({ "query_source": ADULTS, "params": { "over": 1 } })).ok();
    });
}

#[test]
fn a_load_may_take_long_as_long_as_it_goes_on() {
    let mut setup = Setup::new();
    setup.arg("--body-timeout 1 --stall-timeout 20");
    let server = setup.start();
    let mut stream = connect(&server.address);
    stream
        .write_all(b"POST /load HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        .expect("sent");
    for at in 0..5 {
        std::thread::sleep(Duration::from_millis(300));
        let row = format!("{{\"type\":\"Person\",\"data\":{{\"name\":\"n{at}\"}}}}\n");
        stream.write_all(format!("{:x}\r\n{row}\r\n", row.len()).as_bytes()).expect("sent");
    }
    stream.write_all(b"0\r\n\r\n").expect("sent");
    assert_eq!(Answer::read(&mut stream).expect("an answer").ok()["nodes_loaded"], 5);
}

/// Begins an export of which nothing is taken.
fn unread_export(server: &Server) -> TcpStream {
    let mut stream = connect(&server.address);
    stream.write_all(&request("POST", "/export", &[], Some(b"{}"))).expect("sent");
    stream.read_exact(&mut [0; 16]).expect("it begins");
    stream
}

#[test]
fn one_export_too_many_comes_back_later() {
    let mut setup = Setup::large();
    setup.arg("--max-streams 1");
    let server = setup.start();
    let unread = unread_export(&server);
    let answer = server.post("/export", json!({}));
    answer.fault(429, "too_many_requests", "too_many_requests");
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(server.get("/snapshot").ok()["tables"][0]["row_count"], 1_500, "others are answered");
    drop(unread);
    until("room for another export", || server.post("/export", json!({})).status == 200);
}

#[test]
fn a_reader_that_takes_nothing_is_cut_off() {
    let mut setup = Setup::large();
    setup.arg("--max-streams 1 --stall-timeout 1");
    let server = setup.start();
    let mut unread = unread_export(&server);
    until("room for another export", || server.post("/export", json!({})).status == 200);
    let whole = server.post("/export", json!({}));
    assert!(whole.is_whole && whole.text().lines().count() == 1_500);
    // What is left in the sockets is all that the slow reader gets, and it can see that this is not the end.
    let mut rest = Vec::new();
    let _ = unread.read_to_end(&mut rest); // closed or reset
    assert!(rest.len() < whole.body.len(), "{} bytes", rest.len());
    assert!(!rest.ends_with(b"0\r\n\r\n"), "a part that looks like the whole");
    until("the end of the connection", || {
        server.get("/metrics").text().lines().any(|line| line == "omnigraph_http_connections 1")
    });
}

/// A long answer that is not a stream.
#[test]
fn a_reader_of_an_answer_that_takes_nothing_is_cut_off() {
    let mut setup = Setup::large();
    setup.arg("--stall-timeout 1");
    let server = setup.start();
    let ask = json!({ "query_source": "query all() { match { $d: Doc } return { $d.body } }" }).to_string();
    let mut unread = connect(&server.address);
    unread.write_all(&request("POST", "/read", &[], Some(ask.as_bytes()))).expect("sent");
    unread.read_exact(&mut [0; 16]).expect("it begins");
    until("the end of the connection", || {
        server.get("/metrics").text().lines().any(|line| line == "omnigraph_http_connections 1")
    });
    let mut rest = Vec::new();
    let _ = unread.read_to_end(&mut rest); // closed or reset
    assert!(rest.len() < 20 << 20, "{} bytes", rest.len());
}

#[test]
fn what_is_not_http_is_refused() {
    let server = Setup::new().start();
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(1 << 20));
    let many = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-Y: z\r\n".repeat(500));
    let cases: [&[u8]; 8] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 not for this port \r\n\r\n",
        b"\0\0\0\0\0\0\0\0\r\n\r\n",
        b"HELLO\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ];
    for bytes in cases {
        let mut stream = connect(&server.address);
        if let Some(answer) = exchange(&mut stream, bytes) {
            assert!((400..500).contains(&answer.status), "{answer:?}");
        }
        closed(&mut stream, |_| {});
    }
    server.get("/healthz").ok();
    // Two requests at once are two answers.
    let two = [request("GET", "/healthz", &[], None), request("GET", "/branches", &[], None)].concat();
    let mut stream = connect(&server.address);
    exchange(&mut stream, &two).expect("an answer").ok();
    assert_eq!(Answer::read(&mut stream).expect("another").ok(), json!({ "branches": ["main"] }));
}
