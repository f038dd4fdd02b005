//! `omnigraph fsck`

use crate::args::Place;
use crate::failure::{Failure, named, violation};
use crate::render::progress::Work;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph::{FsckProblem, FsckReport};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn run(session: &Session, place: &Place) -> Result<(), Failure> {
    let (graph, uri) = session.open(place)?;
    let bar = Work::new("");
    let report = graph.fsck(&mut |at| bar.show(&at));
    bar.finish();
    let report = report?;
    let is_whole = report.problems.is_empty();
    if session.json {
        let checked = &report.checked;
        render::json(&json!({
            "uri": uri,
            "ok": is_whole,
            "commits": checked.commits,
            "commits_removed": checked.commits_removed,
            "table_versions": checked.versions,
            "files": checked.files,
            "rows": report.rows,
            "problems": report.problems.iter().map(problem).collect::<Vec<_>>(),
        }))?;
    } else {
        render::text(text(&report))?;
    }
    if is_whole { Ok(()) } else { Err(Failure::told()) }
}

fn problem(found: &FsckProblem) -> Value {
    let mut value = found.violation.as_ref().map_or_else(|| json!({ "code": "damaged" }), violation);
    value["object"] = found.object.clone().into();
    value["message"] = found.message.clone().into();
    value
}

fn text(report: &FsckReport) -> String {
    let checked = &report.checked;
    let mut out = String::new();
    for problem in &report.problems {
        let message = problem.violation.as_ref().map_or_else(|| problem.message.clone(), named);
        let _ = writeln!(out, "{}: {message}", problem.object);
    }
    let _ = write!(
        out,
        "looked at {}, {} of tables, {} and {}: ",
        counted(checked.commits, "commit"),
        counted(checked.versions, "version"),
        counted(checked.files, "file"),
        counted(report.rows, "row"),
    );
    let end = match report.problems.len() {
        0 => "all is well".to_owned(),
        count => counted(count as u64, "problem"),
    };
    let _ = writeln!(out, "{end}");
    out
}
