//! Developer tasks that are run many times a day, and what measuring shares with them.
//!
//! ```text
//! words ─[`tasks`]─┬─▶ [`tidy`]: tracked files ─▶ Finding… ─▶ lines
//!                  └─▶ `cargo run -p measure`, with the same words
//! ```
//!
//! [`project`] is the workspace and its git, [`rust_text`] and [`functions`] read Rust as text, [`render`] is the only
//! module that prints. Nothing here knows the index or a grammar, so that this builds in seconds after any change.

pub mod tasks;
pub mod tidy;

pub mod rust_text;
pub mod functions;

pub mod project;
pub mod render;
pub mod failure;
