//! The report about a file of queries.

use super::counted;
use omnigraph_api::fault::diagnostic;
use omnigraph_compiler::query::lint::{Finding, QueryResult, Status};
use omnigraph_compiler::{LintReport, Severity, Source, render_one};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// For programs.
pub(crate) fn document(report: &LintReport, schema: &str, source: &Source) -> Value {
    let result = |result: &QueryResult| {
        json!({
            "name": result.name,
            "kind": result.kind.as_str(),
            "status": status(result.status),
            "error": result.error,
            "warnings": result.warnings,
        })
    };
    let finding = |finding: &Finding| {
        json!({
            "severity": finding.severity.as_str(),
            "code": finding.code.as_str(),
            "message": finding.message,
            "type_name": finding.type_name,
            "property": finding.property,
            "query_names": finding.query_names,
        })
    };
    json!({
        "status": status(report.status),
        "schema_source": schema,
        "query_path": report.query_path,
        "queries_processed": report.queries_processed,
        "errors": report.errors,
        "warnings": report.warnings,
        "infos": report.infos,
        "results": report.results.iter().map(result).collect::<Vec<_>>(),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "diagnostics": report.diagnostics.iter().map(|found| diagnostic(found, source)).collect::<Vec<_>>(),
    })
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Error => "error",
    }
}

/// For people: a line per query and finding, then the errors in their places.
pub(crate) fn text(report: &LintReport, source: &Source) -> String {
    let mut out = String::new();
    for result in &report.results {
        let word = if result.status == Status::Ok { "OK" } else { "ERROR" };
        let _ = writeln!(out, "{word:<5} query `{}` ({})", result.name, result.kind.as_str());
        for warning in &result.warnings {
            let _ = writeln!(out, "WARN  query `{}`: {warning}", result.name);
        }
    }
    for finding in &report.findings {
        let word = match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARN",
            Severity::Info => "INFO",
        };
        let _ = writeln!(out, "{word:<5} {}: {}", finding.code.as_str(), finding.message);
    }
    let _ = writeln!(
        out,
        "INFO  Lint complete: {}, {}, {}",
        match report.queries_processed {
            1 => "1 query".to_owned(),
            count => format!("{count} queries"),
        },
        counted(report.errors as u64, "error"),
        counted(report.warnings as u64, "warning"),
    );
    for found in report.diagnostics.iter().filter(|found| found.severity == Severity::Error) {
        let _ = write!(out, "\n{}", render_one(found, source));
    }
    out
}
