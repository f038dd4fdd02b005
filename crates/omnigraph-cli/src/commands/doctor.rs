//! `omnigraph doctor`

use crate::args::Place;
use crate::backend::Backend;
use crate::failure::Failure;
use crate::remote::Server;
use crate::render;
use crate::session::Session;
use omnigraph_api::calls::doctor::{CheckOutput, CheckStatus, DoctorOutput, DoctorRequest};
use std::fmt::Write as _;
use std::time::Instant;

pub(super) fn run(session: &Session, place: &Place) -> Result<(), Failure> {
    let location = session.location(place)?;
    let started = Instant::now();
    let checks = match Backend::open(session, &location) {
        // What was typed cannot be asked at all.
        Err(failure) if failure.exit == 2 => return Err(failure),
        Err(failure) => failed(&failure),
        Ok(graph) => match graph.server() {
            Some(server) => remote(&graph, server),
            None => local(&graph, started.elapsed().as_millis())?,
        },
    };
    let found = DoctorOutput::new(&location.uri, checks);
    if session.json {
        render::json(&found)?;
    } else {
        let mut out = String::new();
        for check in &found.checks {
            let _ = writeln!(out, "{:<7}{:<17}{}", check.status.as_str(), check.name, check.detail);
        }
        render::text(out)?;
    }
    if found.ok { Ok(()) } else { Err(Failure::reported()) }
}

/// A graph that cannot be opened.
fn failed(failure: &Failure) -> Vec<CheckOutput> {
    let store = CheckOutput::new("store", Err(failure.fault.message.clone()));
    vec![CheckOutput::version(), store, CheckOutput::embeddings()]
}

/// A graph whose files are within reach.
fn local(backend: &Backend, millis: u128) -> Result<Vec<CheckOutput>, Failure> {
    let mut checks = backend.call(DoctorRequest {})?.checks;
    for check in checks.iter_mut().filter(|check| check.name == "store") {
        check.detail = format!("{} and opened in {millis} ms", check.detail);
    }
    Ok(checks)
}

/// A graph of a server: whether it is there, what it is, whether it knows us, and then what it says of itself.
fn remote(backend: &Backend, server: &Server) -> Vec<CheckOutput> {
    let mut checks = vec![CheckOutput::version()];
    let started = Instant::now();
    let health = server.health().map_err(|failure| failure.fault.message);
    let is_there = health.is_ok();
    checks.push(CheckOutput::new(
        "server",
        health.map(|health| {
            let millis = started.elapsed().as_millis();
            format!("{} answers in {millis} ms: omnigraph-server {}", backend.uri, health.version)
        }),
    ));
    if !is_there {
        return checks;
    }
    let let_in = |detail: &str| CheckOutput::new("token", Ok(detail.to_owned()));
    match backend.call(DoctorRequest {}) {
        Ok(found) => {
            checks.push(let_in(&format!("let in with {}", server.token_source())));
            let own = found.checks.into_iter().map(|mut check| {
                if check.name == "version" {
                    "its version".clone_into(&mut check.name);
                }
                check
            });
            checks.extend(own);
        }
        Err(failure) => {
            let fault = failure.fault;
            match fault.reason.as_str() {
                "unauthorized" => {
                    let hint = fault.hint.map_or(String::new(), |hint| format!("; {hint}"));
                    checks.push(CheckOutput::new("token", Err(format!("{}{hint}", fault.message))));
                }
                "forbidden" => {
                    checks.push(let_in(&format!("let in with {}", server.token_source())));
                    let (name, status) = ("graph".to_owned(), CheckStatus::Note);
                    checks.push(CheckOutput { name, status, detail: fault.message });
                }
                _ => checks.push(CheckOutput::new("graph", Err(fault.message))),
            }
        }
    }
    checks
}
