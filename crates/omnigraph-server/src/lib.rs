//! Graphs over HTTP: who may do what, and how it is asked for.

mod policy;

pub use policy::{Case, Cases, Policy, PolicyError, Verdict};
