//! Everything that is wrong or suspicious about a file of queries, in the form that `query lint` reports.

mod rules;

use super::ast::{Body, QueryDecl};
use super::check::check_query;
use super::parse;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::schema::catalog::Catalog;
use crate::source::{Source, Span};
use std::collections::BTreeMap;

/// Whether a file or query can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can, perhaps with warnings.
    Ok,
    /// It cannot.
    Error,
}

/// What kind of query it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// `match …`
    Read,
    /// `insert …`, `update …`, `delete …`
    Mutation,
}

impl QueryKind {
    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            QueryKind::Read => "read",
            QueryKind::Mutation => "mutation",
        }
    }
}

/// The report about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LintReport {
    /// `Error` when there is an error of any kind.
    pub status: Status,
    /// The name of the source.
    pub query_path: String,
    /// How many queries could be read.
    pub queries_processed: usize,
    /// How many errors.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// How many remarks.
    pub infos: usize,
    /// One per query, in order.
    pub results: Vec<QueryResult>,
    /// What is about the whole file.
    pub findings: Vec<Finding>,
    /// Everything above with its place, for rendering.
    pub diagnostics: Diagnostics,
}

/// What was found about one query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryResult {
    /// Of the query.
    pub name: String,
    /// What kind it is.
    pub kind: QueryKind,
    /// Whether it can be used.
    pub status: Status,
    /// The first error, with its code.
    pub error: Option<String>,
    /// Texts of the warnings.
    pub warnings: Vec<String>,
}

/// What was found about the whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// Which rule.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// The type it is about.
    pub type_name: Option<String>,
    /// The property it is about.
    pub property: Option<String>,
    /// The queries it is about.
    pub query_names: Vec<String>,
}

/// Reads and checks a file and looks for what is probably not meant. A file that cannot be read in part is linted in
/// the rest.
pub fn lint(catalog: &Catalog, source: &Source) -> LintReport {
    let (file, unreadable, _) = parse::parse(source.text());
    let mut diagnostics = Diagnostics::default();
    let mut findings: Vec<Finding> = unreadable.iter().map(parse_finding).collect();
    let mut results = Vec::new();
    let mut names = BTreeMap::new();
    for query in &file.queries {
        let first = *names.entry(query.name.text.as_str()).or_insert(query.name.span);
        let broken = unreadable.iter().find(|found| is_inside(found, query));
        results.push(match broken {
            Some(found) => result(query, Some(found.headline()), Vec::new()),
            None => lint_query(catalog, query, first, &mut diagnostics),
        });
    }
    diagnostics.extend(unreadable);
    findings.extend(rules::update_coverage(catalog, &file, &results));
    for finding in findings.iter().filter(|finding| finding.code == Code::L201) {
        let at = finding.query_names.first().and_then(|name| file.query(name)).map(|query| query.name.span);
        diagnostics.push(Diagnostic::warning(finding.code, at.unwrap_or_default(), finding.message.clone()));
    }
    let count = |severity| diagnostics.iter().filter(|found| found.severity == severity).count();
    let (errors, warnings, infos) = (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    LintReport {
        status: if errors == 0 { Status::Ok } else { Status::Error },
        query_path: source.name().to_owned(),
        queries_processed: file.queries.len(),
        errors,
        warnings,
        infos,
        results,
        findings,
        diagnostics: diagnostics.sorted(),
    }
}

fn parse_finding(found: &Diagnostic) -> Finding {
    Finding {
        severity: found.severity,
        code: found.code,
        message: found.message.clone(),
        type_name: None,
        property: None,
        query_names: Vec::new(),
    }
}

/// A query of which a part could not be read is not checked: what is missing would be reported as unknown.
fn is_inside(found: &Diagnostic, query: &QueryDecl) -> bool {
    let at = found.primary.span.start;
    query.span.start <= at && at < query.span.end
}

/// `first` is where the first query of the same name has its name.
fn lint_query(catalog: &Catalog, query: &QueryDecl, first: Span, all: &mut Diagnostics) -> QueryResult {
    let mut found = rules::of_text(query, first);
    let mut error = None;
    match check_query(catalog, query) {
        Ok(checked) => found.extend(rules::of_checked(catalog, &checked, query)),
        Err(errors) => {
            error = errors.iter().next().map(Diagnostic::headline);
            all.extend(errors);
        }
    }
    let warnings = found.iter().map(|warning| warning.message.clone()).collect();
    for warning in found {
        all.push(warning);
    }
    result(query, error, warnings)
}

fn result(query: &QueryDecl, error: Option<String>, warnings: Vec<String>) -> QueryResult {
    let kind = match query.body {
        Body::Read(_) => QueryKind::Read,
        Body::Mutation(_) => QueryKind::Mutation,
    };
    let status = if error.is_none() { Status::Ok } else { Status::Error };
    QueryResult { name: query.name.text.clone(), kind, status, error, warnings }
}
