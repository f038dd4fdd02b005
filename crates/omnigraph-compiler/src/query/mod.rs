//! The query language `.gq`.

pub mod ast;
mod check;
mod parse;
pub mod typed;
mod vars;

use crate::diagnostic::Diagnostics;
use crate::source::Source;

pub use check::{check, check_query};

/// Reads a file of queries without checking them. All errors that can be found are reported at once.
pub fn parse_file(source: &Source) -> Result<ast::QueryFile, Diagnostics> {
    let (file, errors, _) = parse::parse(source.text());
    errors.finish(file)
}
