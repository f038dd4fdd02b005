//! The guarantees of the index, seen through its public API.
//!
//! [`tree`] is a worktree on disk, [`compare`] says whether an index equals a fresh build of the same files,
//! [`edits`] are the random changes; every other module proves one guarantee.

mod account;
mod accounts;
mod answers;
mod commands;
mod compare;
mod complete;
mod completeness;
mod concurrency;
mod cycles;
mod damage;
mod dependents;
mod determinism;
mod dispatch;
mod edits;
mod fixture;
mod implicit;
mod incremental;
mod location;
mod moments;
mod replay;
mod repository;
mod routes;
mod routes_across;
mod resolution;
mod scanning;
mod search;
mod selectors;
mod sweep;
mod tree;
mod unused;
