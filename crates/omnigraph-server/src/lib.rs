//! Who may do what with a graph: rules that Cedar decides by. `omnigraph policy` checks, tests and asks them.

mod policy;

pub use policy::{Case, Cases, Policy, PolicyError, Verdict};
