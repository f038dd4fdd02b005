//! The two languages of `omnigraph`: schemas in `.pg`, queries in `.gq`.

mod calendar;
mod code;
mod cursor;
mod diagnostic;
mod fit;
mod lex;
mod literal;
mod print;
mod render;
pub mod schema;
pub mod query;
mod source;
mod suggest;
mod types;

pub use calendar::{parse_date, parse_datetime};
pub use code::Code;
pub use diagnostic::{Diagnostic, DiagnosticData, Diagnostics, Label, LabelData, Severity};
pub use literal::Literal;
pub use render::{render, render_one};
pub use source::{Name, Position, Source, Span};
pub use types::{Scalar, Type};
