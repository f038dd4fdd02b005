//! [`QueryFile`] to [`Checked`], against a [`Catalog`]. Everything that is wrong is reported, not only the first.
//!
//! A function that finds an error notes it and returns `None`.

mod compare;
mod compute;
mod expr;
mod fold;
mod mutation;
mod output;
mod params;
mod pattern;
mod scope;
mod search;
mod since;
mod traversal;
mod value;

use super::ast::{self, QueryDecl, QueryFile};
use super::typed::{Body, Checked, CheckedQuery, Param, Read};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::schema::catalog::Catalog;
use crate::source::Span;
use scope::Scope;

/// All queries of a file, or everything that is wrong with them.
pub fn check(catalog: &Catalog, file: &QueryFile) -> Result<Checked, Diagnostics> {
    let mut errors = Diagnostics::default();
    let mut checked = Checked::default();
    for query in &file.queries {
        match check_query(catalog, query) {
            Ok(query) => checked.queries.push(query),
            Err(found) => errors.extend(found),
        }
    }
    errors.finish(checked)
}

/// One query, or everything that is wrong with it.
pub fn check_query(catalog: &Catalog, query: &QueryDecl) -> Result<CheckedQuery, Diagnostics> {
    let mut checker = Checker { catalog, errors: Diagnostics::default(), params: Vec::new(), anonymous: 0 };
    checker.declare(&query.params);
    let body = match &query.body {
        ast::Body::Read(read) => checker.read(read).map(Body::Read),
        ast::Body::Mutation(statements) => {
            let all: Vec<_> = statements.iter().map(|statement| checker.statement(statement)).collect();
            all.into_iter().collect::<Option<Vec<_>>>().map(Body::Mutation)
        }
    };
    let params = checker.params;
    let Some(body) = checker.errors.finish(body)? else {
        let message = "the query could not be checked";
        let mut errors = Diagnostics::default();
        errors.push(Diagnostic::error(Code::Q000, query.header, message));
        return Err(errors);
    };
    Ok(CheckedQuery {
        name: query.name.text.clone(),
        params,
        description: query.description.clone(),
        instruction: query.instruction.clone(),
        body,
    })
}

struct Checker<'c> {
    catalog: &'c Catalog,
    errors: Diagnostics,
    params: Vec<Param>,
    /// How many `$_` were met.
    anonymous: usize,
}

impl Checker<'_> {
    fn read(&mut self, read: &ast::Read) -> Option<Read> {
        let mut scope = Scope::default();
        let pattern = self.pattern(&read.clauses, &mut scope);
        self.output(read, &scope, pattern?)
    }

    fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors.push(diagnostic);
    }

    /// Notes an error; the result is always `None`.
    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.report(Diagnostic::error(code, span, message));
        None
    }

    /// With what to do about it.
    fn error_with_hint<T>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Option<T> {
        self.report(Diagnostic::error(code, span, message).hint(hint));
        None
    }
}
