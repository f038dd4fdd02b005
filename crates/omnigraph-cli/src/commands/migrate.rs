//! `omnigraph schema plan` and `omnigraph schema apply`

use crate::args::{SchemaApplyArgs, SchemaPlanArgs};
use crate::failure::{Failure, named};
use crate::queries::read_source;
use crate::render::progress::Work;
use crate::render::{self, counted, history, steps};
use crate::session::Session;
use omnigraph::{Error, SchemaOptions, SchemaReport};
use omnigraph_compiler::Source;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn plan(session: &Session, args: &SchemaPlanArgs) -> Result<(), Failure> {
    let source = read_source(&args.schema)?;
    let (graph, uri) = session.open(&args.place)?;
    let branch = session.branch(args.branch.as_deref());
    let report = graph.plan_schema(source.text(), Some(&branch)).map_err(|error| failed(error, &source))?;
    if session.json {
        return render::json(&document(&report, &uri, &branch));
    }
    render::text(text(&report))
}

pub(super) fn apply(session: &Session, args: &SchemaApplyArgs) -> Result<(), Failure> {
    let source = read_source(&args.plan.schema)?;
    let (graph, uri) = session.open(&args.plan.place)?;
    let branch = session.branch(args.plan.branch.as_deref());
    let options = SchemaOptions { branch: Some(branch.clone()), allow_data_loss: args.allow_data_loss };
    let bar = Work::new("tables");
    let report = graph.apply_schema(source.text(), &options, &mut |at| bar.show(&at));
    bar.finish();
    let report = report.map_err(|error| failed(error, &source))?;
    if !report.plan.is_supported() {
        return Err(unsupported(&report));
    }
    if session.json {
        let mut document = document(&report, &uri, &branch);
        document["applied"] = report.applied.into();
        document["actor_id"] = session.actor.clone().into();
        return render::json(&document);
    }
    let mut out = text(&report);
    let end = history::outcome(report.applied, &report.snapshot);
    let _ = writeln!(out, "applied the schema to branch {branch} of {uri}; {end}");
    render::text(out)
}

/// A plan as it is read: one step per line.
fn text(report: &SchemaReport) -> String {
    if report.plan.steps.is_empty() {
        return "no steps: the schema declares the same\n".to_owned();
    }
    let supported = if report.plan.is_supported() { "supported" } else { "not supported" };
    let count = counted(report.plan.steps.len() as u64, "step");
    format!("{}{count}, {supported}\n", report.plan)
}

fn document(report: &SchemaReport, uri: &str, branch: &str) -> Value {
    let record = &report.snapshot.record;
    json!({
        "uri": uri,
        "branch": branch,
        "supported": report.plan.is_supported(),
        "safety": report.plan.safety().as_str(),
        "step_count": report.plan.steps.len(),
        "manifest_version": record.version,
        "graph_commit_id": record.id,
        "steps": report.plan.steps.iter().map(steps::step).collect::<Vec<_>>(),
    })
}

fn unsupported(report: &SchemaReport) -> Failure {
    let bad = report
        .plan
        .steps
        .iter()
        .filter(|step| step.safety == omnigraph_compiler::migrate::Safety::Unsupported);
    let bad: Vec<_> = bad.collect();
    let lines: Vec<String> = bad.iter().map(|step| step.change.to_string()).collect();
    let mut failure = Failure::new("unsupported_migration", lines.join("\n"));
    failure.diagnostics = bad.iter().map(|step| steps::step(step)).collect();
    let hint = bad.first().and_then(|step| step.hint.clone());
    failure.hint(hint.unwrap_or_else(|| "nothing was applied".to_owned()))
}

/// Errors in the text are shown in it; rows that break the schema are named.
fn failed(error: Error, source: &Source) -> Failure {
    let rows: Vec<String> = error.violations().iter().map(named).collect();
    let more =
        if matches!(error, Error::Invalid { truncated: true, .. }) { "\nthere may be more" } else { "" };
    let mut failure = Failure::about(error, source);
    if !rows.is_empty() {
        failure.message =
            format!("the schema does not hold for rows that are there:\n{}{more}", rows.join("\n"));
        failure.hint =
            Some("nothing was applied; change the rows, or give values with @backfill(…)".to_owned());
    }
    failure
}
