//! Many connections.

use crate::host::{Setup, until};
use crate::wire::{connect, exchange, request};
use std::io::Write as _;
use std::process::Command;

/// As many files as this process may have open, after it asked for all it can get.
fn open_files() -> usize {
    let wanted = limit(4).min(20_000);
    if limit(3) < wanted {
        let me = std::process::id().to_string();
        // Where the tool is missing, what is allowed already has to do.
        let _ = Command::new("prlimit").args(["--pid", &me, &format!("--nofile={wanted}:")]).status();
    }
    limit(3)
}

/// The limit of open files that is in a column: the third is the one that holds, the fourth the most it can become.
fn limit(column: usize) -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").expect("limits");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("that limit");
    let number = line.split_whitespace().nth(column).expect("a number");
    if number == "unlimited" { usize::MAX } else { number.parse().expect("a number") }
}

#[test]
fn idle_connections_keep_nobody_waiting() {
    let count = open_files().saturating_sub(1_000).min(10_000);
    assert!(count >= 2_000, "the limit of open files leaves room for {count} connections");
    let server = Setup::new().start();
    let mut idle = Vec::new();
    while idle.len() < count {
        // Not faster than the server accepts: the machine drops what waits in front of it, and tries again a second later.
        idle.extend((0..250).map(|_| connect(&server.address)));
        server.get("/healthz").ok();
    }
    until("all connections", || {
        let metrics = server.get("/metrics").text();
        let line = metrics.lines().find_map(|line| line.strip_prefix("omnigraph_http_connections "));
        line.expect("that gauge").parse::<usize>().expect("a number") >= count
    });
    server.get("/branches").ok();
    let ask = request("GET", "/healthz", &[], None);
    for stream in &mut idle {
        exchange(stream, &ask).expect("an answer").ok();
    }
    println!("{count} idle connections");
}

#[test]
fn one_connection_too_many_waits() {
    let mut setup = Setup::new();
    setup.arg("--max-connections 2");
    let server = setup.start();
    let ask = request("GET", "/healthz", &[], None);
    let mut held = [connect(&server.address), connect(&server.address)];
    for stream in &mut held {
        exchange(stream, &ask).expect("an answer").ok();
    }
    let mut third = connect(&server.address);
    third.write_all(&ask).expect("sent");
    third.set_read_timeout(Some(std::time::Duration::from_millis(300))).expect("a timeout");
    let early = third.peek(&mut [0]);
    assert!(early.is_err_and(|error| crate::wire::is_timeout(&error)), "it has to wait");
    let [first, mut second] = held;
    drop(first);
    third.set_read_timeout(Some(crate::wire::PATIENCE)).expect("a timeout");
    exchange(&mut third, &ask).expect("an answer").ok();
    exchange(&mut second, &ask).expect("an answer").ok();
}
