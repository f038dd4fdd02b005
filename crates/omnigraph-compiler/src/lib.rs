//! The two languages of `omnigraph`: schemas in `.pg`, queries in `.gq`.
//!
//! ```text
//! text ─Source─▶ lex ─▶ Token… ─Cursor─▶ one of the two parsers
//! .pg text ─Schema::parse─▶ Schema { file, catalog } ─migrate::diff─▶ MigrationPlan
//! .gq text ─QueryFile::parse─▶ QueryFile ─check(&Catalog)─▶ Checked ─plan(name)─▶ Plan
//! both     ─format_schema, format_query─▶ text            ─lint─▶ LintReport
//! what is wrong with a text ─Diagnostics─▶ render ─▶ text with the source line
//! ```
//!
//! ```
//! use omnigraph_compiler::{QueryFile, Schema, Source, check, plan};
//!
//! let schema = Source::new("social.pg", "node Person { name: String @key } edge Knows: Person -> Person");
//! let schema = Schema::parse(&schema)?;
//! let queries = Source::new(
//!     "social.gq",
//!     "query friends($n: String) { match { $p: Person { name: $n } $p knows $f } return { $f.name } }",
//! );
//! let checked = check(&schema.catalog, &QueryFile::parse(&queries)?)?;
//! let plan = plan(&schema.catalog, &checked, "friends").expect("the file has this query");
//! assert_eq!(
//!     plan.to_string(),
//!     "read friends($n: String)\n\
//!      \x20 scan $p: Person by key where $p.name = $n reads $p.name\n\
//!      \x20 expand $p -Knows-> $f: Person reads $f.name\n\
//!      \x20 project f.name: String = $f.name\n"
//! );
//! # Ok::<(), omnigraph_compiler::Diagnostics>(())
//! ```
//!
//! Invariants:
//! - No I/O, no clock, no environment, no async; no Arrow and no Lance. The engine maps [`Type`] to its own types.
//! - Every node of a tree carries its [`Span`]; every error is a [`Diagnostic`] that points at the text.
//! - Any text is read in time and memory proportional to its size: nesting is bounded, nothing panics.
//! - Formatting is idempotent, keeps comments, and does not change what a text means.
//! - The same text gives the same plan and the same words.

// From text to tokens, for both languages.
mod source;
mod lex;
mod cursor;
mod literal;

// The languages.
pub mod schema;
pub mod query;

// Types, and the values that fit them.
mod types;
mod fit;
mod calendar;
mod language;

// What is said about a text, and how it is written out.
mod diagnostic;
mod code;
mod suggest;
mod render;
mod print;

pub use calendar::{parse_date, parse_datetime};
pub use code::Code;
pub use diagnostic::{Diagnostic, DiagnosticData, Diagnostics, Label, LabelData, Severity};
pub use language::Language;
pub use literal::Literal;
pub use query::ast::QueryFile;
pub use query::lint::{LintReport, lint};
pub use query::typed::Checked;
pub use query::{Plan, check, check_query, format_query, plan, plan_query};
pub use render::{render, render_one};
pub use schema::catalog::Catalog;
pub use schema::diff as migrate;
pub use schema::{Schema, format_schema};
pub use source::{Name, Position, Source, Span};
pub use suggest::did_you_mean;
pub use types::{Scalar, Type};
