//! Why a command failed, and the exit code it leads to.

use omnigraph_api::fault::Fault;
use omnigraph_compiler::{Diagnostics, Source};
use std::path::Path;

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) fault: Box<Fault>,
    pub(crate) exit: u8,
    /// Everything was said already, or the reader of our output is gone.
    pub(crate) is_silent: bool,
}

impl Failure {
    /// With a stable word for programs.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Failure {
        Failure::from(Fault::new(code, message))
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: 2, ..Failure::new("usage", message) }
    }

    /// The answer itself says what is wrong.
    pub(crate) fn reported() -> Failure {
        Failure { is_silent: true, ..Failure::new("reported", "") }
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.fault.hint = Some(hint.into());
        self
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure::new("io", format!("cannot {doing} {}: {}", path.display(), reason(error)))
    }

    /// A schema or query that does not hold.
    pub(crate) fn text(diagnostics: &Diagnostics, source: &Source) -> Failure {
        Fault::text(diagnostics, source).into()
    }
}

/// The operating system's words without its number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure { fault: Box::new(fault), exit: 1, is_silent: false }
    }
}

impl From<omnigraph::Error> for Failure {
    fn from(error: omnigraph::Error) -> Failure {
        Fault::from(error).into()
    }
}

impl From<omnigraph_store::Error> for Failure {
    fn from(error: omnigraph_store::Error) -> Failure {
        Fault::from(error).into()
    }
}

/// Only writing the answer gives these.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        let is_gone = error.kind() == std::io::ErrorKind::BrokenPipe;
        Failure {
            is_silent: is_gone,
            exit: u8::from(!is_gone),
            ..Failure::new("output_failed", format!("cannot write the answer: {}", reason(&error)))
        }
    }
}
