//! Who may do what: rules in YAML, decided by Cedar.
//!
//! ```text
//! policy.yaml ─PolicyFile (checked)─▶ Cedar policies + entities (validated against the schema) ─Policy::decide─▶ Decision
//! policy.tests.yaml ─Cases─▶ Verdict…
//! ```
//!
//! Invariants:
//! - What no rule allows is denied; an actor in no group is denied everything.
//! - A rule is one Cedar `permit`; there is nothing in a decision that Cedar did not decide.
//! - Of several rules that allow, the one with the smallest id is named.

mod file;
mod pattern;
mod cedar;
mod cases;

pub use cases::{Case, Cases, Verdict};

use cedar::Compiled;
use file::PolicyFile;
use omnigraph::{Ask, Decision, Guard};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why there is no policy. Correct the file.
#[derive(Debug)]
pub struct PolicyError {
    /// The file, if it came from one.
    pub path: Option<PathBuf>,
    /// What is wrong.
    pub message: String,
}

impl PolicyError {
    pub(crate) fn new(message: impl Into<String>) -> PolicyError {
        PolicyError { path: None, message: message.into() }
    }

    fn at(mut self, path: &Path) -> PolicyError {
        self.path = Some(path.to_owned());
        self
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(out, "{}: {}", path.display(), self.message),
            None => out.write_str(&self.message),
        }
    }
}

impl std::error::Error for PolicyError {}

/// Rules that hold.
#[derive(Debug)]
pub struct Policy {
    compiled: Compiled,
    actors: usize,
}

impl Policy {
    /// Reads a file of rules.
    pub fn load(path: &Path) -> Result<Policy, PolicyError> {
        let text = read(path)?;
        Policy::parse(&text).map_err(|error| error.at(path))
    }

    /// Reads rules.
    pub fn parse(text: &str) -> Result<Policy, PolicyError> {
        let file = PolicyFile::parse(text)?;
        Ok(Policy { actors: file.actors().len(), compiled: Compiled::new(&file)? })
    }

    /// How many actors the rules know.
    pub fn actors(&self) -> usize {
        self.actors
    }
}

impl Guard for Policy {
    fn decide(&self, ask: &Ask<'_>) -> Decision {
        self.compiled.decide(ask)
    }

    fn tells_types_apart(&self) -> bool {
        self.compiled.tells_types_apart()
    }
}

fn read(path: &Path) -> Result<String, PolicyError> {
    std::fs::read_to_string(path).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or(&reason).to_lowercase();
        PolicyError::new(format!("cannot be read: {reason}")).at(path)
    })
}
