//! The schema language `.pg`.
//!
//! ```text
//! text ─parse─▶ ast::SchemaFile ─check─▶ Catalog ─diff─▶ MigrationPlan
//! ```

pub mod ast;
pub mod catalog;
mod check;
pub mod diff;
mod fmt;
mod parse;

use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::source::Source;
use catalog::Catalog;

pub use fmt::{format_schema, print_schema};

/// A schema that holds: its text as a tree, and what it declares.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The text as a tree.
    pub file: ast::SchemaFile,
    /// What it declares, with interfaces expanded.
    pub catalog: Catalog,
}

impl Schema {
    /// Reads and checks a schema. All errors that can be found are reported at once; types and constraints are only
    /// checked when the text could be read.
    pub fn parse(source: &Source) -> Result<Schema, Diagnostics> {
        let (file, mut errors) = parse::parse(source.text());
        if errors.iter().any(|found| found.code == Code::S000) {
            return Err(errors.sorted());
        }
        match check::check(&file) {
            Ok(catalog) => errors.finish(Schema { file, catalog }),
            Err(found) => {
                errors.extend(found);
                Err(errors.sorted())
            }
        }
    }
}

/// Reads a schema without checking it.
pub fn parse_file(source: &Source) -> Result<ast::SchemaFile, Diagnostics> {
    let (file, errors) = parse::parse(source.text());
    errors.finish(file)
}
