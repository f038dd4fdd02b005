//! The query language `.gq`.
//!
//! ```text
//! text ─parse─▶ ast::QueryFile ─check(Catalog)─▶ typed::Checked ─plan─▶ Plan
//! ```

pub mod ast;
mod check;
mod fmt;
pub mod lint;
mod parse;
pub mod plan;
pub mod typed;
mod vars;

pub use check::{check, check_query};
pub use fmt::{format_query, print_query};
pub use lint::lint;
pub use plan::{Plan, plan, plan_query};
