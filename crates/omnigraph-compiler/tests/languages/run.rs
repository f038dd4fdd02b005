//! What a case of the corpus prints, by the directory it stands in.

use omnigraph_compiler::query::lint::{LintReport, Status};
use omnigraph_compiler::{
    Diagnostics, QueryFile, Schema, Source, check, format_query, format_schema, lint, migrate, plan_query,
    render,
};
use std::fmt::Write as _;

type Inputs = [(String, String)];

/// The text below a case.
pub(crate) fn run(directory: &str, inputs: &Inputs) -> String {
    match directory {
        "schema" => schema(inputs),
        "query" => query(inputs),
        "lint" => lint_file(inputs),
        "fmt" => format(inputs),
        "migrate" => migration(inputs),
        other => panic!("no rule for the directory {other}"),
    }
}

fn input<'i>(inputs: &'i Inputs, language: &str) -> &'i str {
    let found = inputs.iter().rev().find(|(known, _)| known == language);
    &found.unwrap_or_else(|| panic!("a case needs a `{language}` block")).1
}

fn or_errors(source: &Source, result: Result<String, Diagnostics>) -> String {
    result.unwrap_or_else(|errors| render(&errors, source))
}

fn schema(inputs: &Inputs) -> String {
    let source = Source::new("schema.pg", input(inputs, "pg"));
    or_errors(&source, Schema::parse(&source).map(|schema| schema.catalog.canonical()))
}

/// The schema of a case, which must hold.
pub(crate) fn schema_of(text: &str) -> Schema {
    let source = Source::new("schema.pg", text);
    Schema::parse(&source).unwrap_or_else(|errors| panic!("{}", render(&errors, &source)))
}

fn query(inputs: &Inputs) -> String {
    let schema = schema_of(input(inputs, "pg"));
    let source = Source::new("query.gq", input(inputs, "gq"));
    let plans = QueryFile::parse(&source).and_then(|file| check(&schema.catalog, &file)).map(|checked| {
        let plans: Vec<String> =
            checked.queries.iter().map(|query| plan_query(&schema.catalog, query).to_string()).collect();
        plans.join("\n")
    });
    or_errors(&source, plans)
}

fn lint_file(inputs: &Inputs) -> String {
    let schema = schema_of(input(inputs, "pg"));
    let source = Source::new("query.gq", input(inputs, "gq"));
    let report = lint(&schema.catalog, &source);
    let mut out = summary(&report);
    let _ = write!(out, "\n{}", render(&report.diagnostics, &source));
    out
}

fn summary(report: &LintReport) -> String {
    let word = |status| if status == Status::Ok { "ok" } else { "error" };
    let mut out = String::new();
    let (queries, errors, warnings) = (report.queries_processed, report.errors, report.warnings);
    let _ = writeln!(out, "{}: {queries} queries, {errors} errors, {warnings} warnings", word(report.status));
    for result in &report.results {
        let _ = writeln!(out, "{} {} {}", word(result.status), result.kind.as_str(), result.name);
        if let Some(error) = &result.error {
            let _ = writeln!(out, "  error: {error}");
        }
        for warning in &result.warnings {
            let _ = writeln!(out, "  warning: {warning}");
        }
    }
    for finding in &report.findings {
        let _ = writeln!(out, "{} {}", finding.code.as_str(), finding.message);
    }
    out
}

/// Formats the last input, once more, and checks that nothing changes and nothing is lost.
fn format(inputs: &Inputs) -> String {
    let (language, text) = inputs.last().expect("a case has an input");
    let name = format!("input.{language}");
    let pass = |text: &str| {
        let source = Source::new(&name, text);
        let formatted = if language == "pg" { format_schema(&source) } else { format_query(&source) };
        formatted.map_err(|errors| render(&errors, &source))
    };
    let once = match pass(text) {
        Ok(once) => once,
        Err(errors) => return errors,
    };
    assert_eq!(pass(&once), Ok(once.clone()), "formatting twice is formatting once");
    let comments = |text: &str| text.matches("//").count() + text.matches("/*").count();
    assert_eq!(comments(&once), comments(text), "no comment is lost:\n{once}");
    once
}

fn migration(inputs: &Inputs) -> String {
    let schemas: Vec<Schema> = inputs.iter().map(|(_, text)| schema_of(text)).collect();
    let [.., accepted, desired] = &schemas[..] else { panic!("a case needs two schemas") };
    let plan = migrate::diff(&accepted.catalog, &desired.catalog);
    format!(
        "{}: {}\n{plan}",
        if plan.is_supported() { "supported" } else { "unsupported" },
        plan.safety().as_str()
    )
}
