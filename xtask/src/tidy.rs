//! Rules that the compiler does not check.
//!
//! ```text
//! tracked files ─read─▶ Tree ─CHECKS─▶ Finding ─exceptions─▶ what is left, and exceptions nobody needs
//! ```
//!
//! A rule is one function in `CHECKS`. An exception is an entry of `xtask/tidy-exceptions.toml` with a
//! reason; one that excuses nothing is a finding itself.

mod edges;
mod exceptions;
mod modules;
mod names;
mod readme;
mod sizes;
#[cfg(test)]
mod tests;
mod tree;
mod words;

use crate::failure::Failure;
use crate::{project, render};
use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use tree::Tree;

/// The rules, in the order they are reported.
const CHECKS: [fn(&Tree) -> Vec<Finding>; 11] = [
    edges::dependencies,
    edges::documented,
    modules::cycles,
    sizes::files,
    sizes::functions,
    names::banned,
    words::unwraps,
    words::machine_paths,
    words::walled_crates,
    words::prints,
    readme::commands,
];

/// Which rule was broken; also its name in the exception list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Check {
    /// A crate depends on one it must not know.
    Edge,
    /// `ARCHITECTURE.md` and the rule differ.
    Documented,
    /// Modules of a crate that use each other.
    ModuleCycle,
    FileSize,
    FunctionSize,
    BannedName,
    Unwrap,
    MachinePath,
    /// A crate that only one of ours may name.
    Walled,
    Print,
    Readme,
    Exception,
}

impl Check {
    fn as_str(self) -> &'static str {
        match self {
            Check::Edge => "edge",
            Check::Documented => "documented",
            Check::ModuleCycle => "module-cycle",
            Check::FileSize => "file-size",
            Check::FunctionSize => "function-size",
            Check::BannedName => "banned-name",
            Check::Unwrap => "unwrap",
            Check::MachinePath => "machine-path",
            Check::Walled => "walled",
            Check::Print => "print",
            Check::Readme => "readme",
            Check::Exception => "exception",
        }
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    check: Check,
    path: String,
    line: usize,
    /// The function, where the rule is about one.
    item: Option<String>,
    /// How large it is, where the rule is about size.
    size: Option<usize>,
    message: String,
}

impl Finding {
    fn new(check: Check, path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { check, path: path.to_owned(), line, item: None, size: None, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: [{}] {}", self.path, self.line, self.check.as_str(), self.message)
    }
}

/// Everything that is not as it should be below `root`.
pub(crate) fn findings(root: &Path) -> Result<Vec<Finding>, Failure> {
    let tree = Tree::read(root)?;
    let found = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    Ok(exceptions::apply(&tree, found))
}

/// `cargo xtask tidy`: prints what is wrong, and fails when something is.
pub fn run() -> Result<ExitCode, Failure> {
    let findings = findings(&project::root())?;
    for finding in &findings {
        render::line(finding);
    }
    if findings.is_empty() {
        render::line("tidy");
        return Ok(ExitCode::SUCCESS);
    }
    render::line(format!("{} findings", findings.len()));
    Ok(ExitCode::FAILURE)
}
