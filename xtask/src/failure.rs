//! Why a task could not be done: a message for the developer at the terminal.

use std::fmt;

/// A message. Made from any error with `?`, or in place with [`fail`].
#[derive(Debug)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

/// A failure with this message.
pub fn fail(message: impl Into<String>) -> Failure {
    Failure(message.into())
}

/// Says what was being done when an error occurred.
pub trait Context<T> {
    /// Puts `what` in front of the error's message.
    fn context(self, what: impl fmt::Display) -> Result<T, Failure>;
}

impl<T, E: fmt::Display> Context<T> for Result<T, E> {
    fn context(self, what: impl fmt::Display) -> Result<T, Failure> {
        self.map_err(|error| Failure(format!("{what}: {error}")))
    }
}
