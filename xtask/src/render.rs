//! The only module that prints.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is where developer tasks print")]

use std::fmt::Display;

/// A line of the answer.
pub(crate) fn line(text: impl Display) {
    println!("{text}");
}

/// How far a long task is.
pub(crate) fn note(text: impl Display) {
    eprintln!("{text}");
}

/// Why a task ends.
pub(crate) fn error(text: impl Display) {
    eprintln!("error: {text}");
}
