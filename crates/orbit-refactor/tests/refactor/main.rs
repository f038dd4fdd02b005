//! Refactoring of small repositories, made by running git.
//!
//! What a request gives is a case below `cases/` ([`cases`]); the other tests need more than requests and files.

mod cases;
mod commits;
mod crash;
#[path = "../../../orbit-graph/tests/index/fixture.rs"]
mod fixture;
mod page;
mod properties;
mod refusals;
mod repo;
mod request;
mod steps;
