//! The only module that prints.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is where developer tasks print")]

use std::fmt::Display;

/// A line of the answer.
pub fn line(text: impl Display) {
    println!("{text}");
}

/// How far a long task is.
pub fn note(text: impl Display) {
    eprintln!("{text}");
}

/// Why a task ends.
pub fn error(text: impl Display) {
    eprintln!("error: {text}");
}
