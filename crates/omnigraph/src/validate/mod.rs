//! Whether rows keep what the schema says of them.
//!
//! [`Rule`] knows everything about one property that needs no other row; [`TypeRules`] are those of a type, made once
//! and shared by all who build rows. Literals, JSON and Arrow meet in [`Rule::admit`].

mod batch;
mod number;
mod rule;
mod types;
mod violation;

pub use batch::validate_batch;
pub use rule::Rule;
pub use types::{Ends, RuleBook, TypeRules};
pub use violation::{Code, Problem, Violation};

pub(crate) use batch::bad_id;
