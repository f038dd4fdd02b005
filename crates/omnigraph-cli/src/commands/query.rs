//! `omnigraph query`

use crate::args::{FormatArgs, LintArgs, QueryCommand, SchemaSource};
use crate::backend::Backend;
use crate::failure::Failure;
use crate::queries::read_source;
use crate::render;
use crate::session::{Session, State};
use omnigraph_api::calls::schema::SchemaGetRequest;
use omnigraph_compiler::query::lint::Status;
use omnigraph_compiler::{Diagnostics, LintReport, Schema, Severity, Source, format_query, lint};
use serde_json::json;
use std::path::Path;

pub(super) fn run(session: &Session, command: &QueryCommand) -> Result<(), Failure> {
    match command {
        QueryCommand::Lint(args) => report(session, args, true),
        QueryCommand::Check(args) => report(session, args, false),
        QueryCommand::Fmt(args) => {
            formatted(session, &session.config.query(&args.query), args.format, format_query)
        }
    }
}

fn report(session: &Session, args: &LintArgs, with_warnings: bool) -> Result<(), Failure> {
    let queries = read_source(&session.config.query(&args.query))?;
    let schema_source = schema(session, &args.schema)?;
    let schema = Schema::parse(&schema_source).map_err(|found| Failure::text(&found, &schema_source))?;
    let mut report = lint(&schema.catalog, &queries);
    if !with_warnings {
        only_errors(&mut report);
    }
    if session.json {
        render::json(&render::lint::document(&report, schema_source.name(), &queries))?;
    } else {
        render::text(render::lint::text(&report, &queries))?;
    }
    if report.status == Status::Error { Err(Failure::reported()) } else { Ok(()) }
}

fn only_errors(report: &mut LintReport) {
    report.findings.retain(|finding| finding.severity == Severity::Error);
    report.results.iter_mut().for_each(|result| result.warnings.clear());
    (report.warnings, report.infos) = (0, 0);
}

/// From a file, or from a graph.
fn schema(session: &Session, args: &SchemaSource) -> Result<Source, Failure> {
    if let Some(path) = &args.schema {
        return read_source(path);
    }
    let State { branch, snapshot, at } = session.state(&args.at)?;
    let location = session.location(&args.place).map_err(|failure| match failure.exit {
        2 => {
            Failure::usage("no schema is named").hint("give --schema FILE, or --uri of a graph that has one")
        }
        _ => failure,
    })?;
    let found =
        Backend::open(session, &location)?.call(SchemaGetRequest { branch, snapshot, at })?.schema_source;
    Ok(Source::new(format!("the schema of {}", location.uri), found))
}

/// Formats a file and prints it, writes it, or says whether it would change.
pub(super) fn formatted(
    session: &Session,
    path: &Path,
    how: FormatArgs,
    format: fn(&Source) -> Result<String, Diagnostics>,
) -> Result<(), Failure> {
    let source = read_source(path)?;
    let text = format(&source).map_err(|found| Failure::text(&found, &source))?;
    let changed = text != source.text();
    if how.write && changed {
        replace(path, &text)?;
    }
    if session.json {
        let text = if how.write || how.check { None } else { Some(&text) };
        render::json(&json!({ "path": path.display().to_string(), "changed": changed, "text": text }))?;
    } else if how.check && changed {
        render::line(&format!("{} would change", path.display()))?;
    } else if !how.write && !how.check {
        render::text(text)?;
    }
    if how.check && changed { Err(Failure::reported()) } else { Ok(()) }
}

fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::file("write", path, &error))
}
