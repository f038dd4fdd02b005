//! `omnigraph fsck`

use crate::args::Place;
use crate::failure::Failure;
use crate::render::progress::Work;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph_api::calls::maintenance::{FsckOutput, FsckRequest};
use serde_json::Value;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, place: &Place) -> Result<(), Failure> {
    let graph = session.backend(place)?;
    let bar = Work::new("");
    let found = graph.watched(FsckRequest {}, &mut |at| bar.show(&at));
    bar.finish();
    let found = found?;
    if session.json {
        render::json(&found)?;
    } else {
        render::text(text(&found))?;
    }
    if found.ok { Ok(()) } else { Err(Failure::reported()) }
}

fn text(found: &FsckOutput) -> String {
    let mut out = String::new();
    for problem in &found.problems {
        let _ = writeln!(out, "{}: {}", member(problem, "object"), named(problem));
    }
    let _ = write!(
        out,
        "looked at {}, {} of tables, {} and {}: ",
        counted(found.commits, "commit"),
        counted(found.table_versions, "version"),
        counted(found.files, "file"),
        counted(found.rows, "row"),
    );
    let end = match found.problems.len() {
        0 => "all is well".to_owned(),
        count => counted(count as u64, "problem"),
    };
    let _ = writeln!(out, "{end}");
    out
}

/// What is wrong, in words that name the row if it is about one.
fn named(problem: &Value) -> String {
    let message = member(problem, "message");
    match problem["row"].as_str() {
        Some(row) if !message.contains(&format!("'{row}'")) => format!("{message} in '{row}'"),
        _ => message.to_owned(),
    }
}

fn member<'p>(problem: &'p Value, name: &str) -> &'p str {
    problem[name].as_str().unwrap_or_default()
}
