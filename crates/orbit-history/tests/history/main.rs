//! Tests of the history against repositories made by git.
//!
//! [`repo`] is a repository to walk; every other module proves one guarantee.

mod attribution;
mod branches;
mod clones;
mod identity;
mod logs;
mod oracle;
mod repo;
mod rewritten;
mod rules;
mod since;
mod tasks;
