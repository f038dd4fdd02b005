//! `omnigraph doctor`

use crate::args::Place;
use crate::failure::Failure;
use crate::render::{self, counted, history};
use crate::session::{Session, open};
use omnigraph::{Branch, Graph, Target};
use omnigraph_store::Rewrite;
use serde_json::json;
use std::fmt::Write as _;
use std::time::Instant;

/// One question and its answer.
struct Finding {
    name: &'static str,
    state: State,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ok,
    /// Fine, but something cannot be used.
    Note,
    Failed,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Note => "note",
            State::Failed => "failed",
        }
    }
}

pub(super) fn run(session: &Session, place: &Place) -> Result<(), Failure> {
    let uri = session.location(place)?;
    let mut findings = vec![versions()];
    let started = Instant::now();
    match open(session, &uri) {
        Ok(graph) => {
            let millis = started.elapsed().as_millis();
            findings.push(found("store", Ok(format!("{uri} is reachable and opened in {millis} ms"))));
            findings.extend(examine(&graph));
        }
        Err(failure) => findings.push(found("store", Err(failure.message))),
    }
    findings.push(embeddings());
    let is_well = findings.iter().all(|finding| finding.state != State::Failed);
    if session.json {
        let checks = findings.iter().map(|finding| {
            json!({ "name": finding.name, "status": finding.state.as_str(), "detail": finding.detail })
        });
        render::json(&json!({ "uri": uri, "ok": is_well, "checks": checks.collect::<Vec<_>>() }))?;
    } else {
        let mut out = String::new();
        for finding in &findings {
            let _ = writeln!(out, "{:<7}{:<17}{}", finding.state.as_str(), finding.name, finding.detail);
        }
        render::text(out)?;
    }
    if is_well { Ok(()) } else { Err(Failure::told()) }
}

fn found(name: &'static str, result: Result<String, String>) -> Finding {
    match result {
        Ok(detail) => Finding { name, state: State::Ok, detail },
        Err(detail) => Finding { name, state: State::Failed, detail },
    }
}

fn versions() -> Finding {
    let detail =
        format!("omnigraph {}, storage format {}", env!("CARGO_PKG_VERSION"), omnigraph_store::FORMAT);
    found("version", Ok(detail))
}

/// What only an open graph can say.
fn examine(graph: &Graph) -> [Finding; 5] {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let conditional = match graph.store().honours_conditional_puts() {
        Ok(true) => Ok("a second writer of the same commit is refused".to_owned()),
        Ok(false) => {
            Err("the store overwrites objects that exist: two writers could lose commits".to_owned())
        }
        Err(error) => Err(text(&error)),
    };
    let main = Target::Branch(Branch::MAIN.to_owned());
    let history = graph.store().resolve(&main).map_err(|error| text(&error)).map(|head| {
        let record = &head.record;
        let time = history::time(record.created_at);
        format!("main is at version {}, commit {}, {time}", record.version, record.id)
    });
    let schema = graph.describe(&main).map_err(|error| text(&error)).map(|described| {
        let rows = described.tables.iter().map(|table| table.rows).sum();
        format!("{} with {}", counted(described.tables.len() as u64, "type"), counted(rows, "row"))
    });
    let branches = graph.store().branches().map_err(|error| text(&error));
    let branches = branches.map(|names| match names.len() {
        1 => "1 branch".to_owned(),
        count => format!("{count} branches"),
    });
    [
        found("conditional put", conditional),
        found("history", history),
        found("schema", schema),
        found("branches", branches),
        tables(graph, &main),
    ]
}

/// Whether reading main would be faster after `omnigraph optimize`.
fn tables(graph: &Graph, main: &Target) -> Finding {
    let looked = graph.store().resolve(main).and_then(|head| {
        let (mut fragments, mut rows) = (0, 0);
        for entry in head.record.tables.values() {
            fragments += graph.store().table(entry)?.fragments().len() as u64;
            rows += graph.store().compactable_rows(entry, Rewrite::All)?;
        }
        Ok((fragments, rows))
    });
    match looked {
        Ok((fragments, 0)) => found("tables", Ok(counted(fragments, "fragment"))),
        Ok((fragments, rows)) => Finding {
            name: "tables",
            state: State::Note,
            detail: format!(
                "{}; `omnigraph optimize` would rewrite {}",
                counted(fragments, "fragment"),
                counted(rows, "row")
            ),
        },
        Err(error) => found("tables", Err(error.to_string())),
    }
}

fn embeddings() -> Finding {
    match omnigraph::embed::from_settings(|name| std::env::var(name).ok()) {
        Ok(provider) => found("embeddings", Ok(format!("by {}", provider.model()))),
        Err(error) => Finding { name: "embeddings", state: State::Note, detail: error.to_string() },
    }
}
