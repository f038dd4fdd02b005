//! How things are named in calls: one grammar, one canonical form.
//!
//! ```text
//! symbol:<path>#<name-or-qualified>[:<kind>]   file:<path>   dir:<path>   module:<qualified>   command:<name>
//! ```
//!
//! A symbol of a file is a [`SymbolSelector`]. Anything without a prefix is [`Selector::Loose`]: a name as it is written in
//! code, a path, `path:line[:column]`, or a path with a name behind it, decided by what the index has.

use orbit_extract::{AddressError, SymbolAddress, SymbolSelector};
use std::fmt;

/// A parsed selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// A symbol of a file, with a normalised path.
    Symbol(SymbolSelector),
    /// A file.
    File(String),
    /// A directory and everything below it; `.` is the worktree.
    Dir(String),
    /// A module by its qualified name.
    Module(String),
    /// A command of a command-line program.
    Command(String),
    /// What a person has at hand.
    Loose(String),
}

/// Why a text is not a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    /// As given.
    pub input: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid selector `{}`: {}", self.input, self.reason)
    }
}

impl Selector {
    /// Parses a selector.
    pub fn parse(input: &str) -> Result<Selector, SelectorError> {
        let text = input.trim();
        let fail = |reason| SelectorError { input: input.to_owned(), reason };
        if text.is_empty() {
            return Err(fail("selector must not be empty"));
        }
        let path_of = |path: &str| normalize(path).map_err(&fail);
        if text.starts_with("symbol:") {
            let symbol: SymbolSelector = text.parse().map_err(|error: AddressError| fail(error.reason()))?;
            return Ok(Selector::Symbol(SymbolSelector { path: path_of(&symbol.path)?, ..symbol }));
        }
        if let Some(path) = text.strip_prefix("file:") {
            return Ok(Selector::File(path_of(path)?));
        }
        if let Some(path) = text.strip_prefix("dir:") {
            return Ok(Selector::Dir(path_of(path)?));
        }
        for (prefix, reason) in [
            ("module:", "module selectors must include a qualified module"),
            ("command:", "command selectors must include a command name"),
        ] {
            if let Some(name) = text.strip_prefix(prefix) {
                let name = name.trim();
                if name.is_empty() {
                    return Err(fail(reason));
                }
                let name = name.to_owned();
                return Ok(if prefix == "module:" {
                    Selector::Module(name)
                } else {
                    Selector::Command(name)
                });
            }
        }
        Ok(Selector::Loose(text.to_owned()))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Symbol(symbol) => symbol.fmt(f),
            Selector::File(path) => write!(f, "file:{path}"),
            Selector::Dir(path) => write!(f, "dir:{path}"),
            Selector::Module(name) => write!(f, "module:{name}"),
            Selector::Command(name) => write!(f, "command:{name}"),
            Selector::Loose(text) => f.write_str(text),
        }
    }
}

impl From<SymbolAddress> for Selector {
    fn from(address: SymbolAddress) -> Selector {
        Selector::Symbol(address.into())
    }
}

/// `\` to `/`, `.` and `a/..` folded; `.` for the root itself.
pub(crate) fn normalize(path: &str) -> Result<String, &'static str> {
    let path = path.trim().replace('\\', "/");
    if path.is_empty() {
        return Err("selector path must not be empty");
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or("selector path leaves the worktree")?;
            }
            part => parts.push(part),
        }
    }
    Ok(if parts.is_empty() { ".".into() } else { parts.join("/") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_text_round_trips() {
        for text in [
            "dir:src/command",
            "file:src/lib.rs",
            "symbol:src/lib.rs#hello:function",
            "symbol:src/lib.rs#Greeter:trait",
            "symbol:src/lib.rs#<Foo as Runnable>::run:method",
            "symbol:a.rs#Client::connect#2",
            "symbol:c#/box.js#Box.#size:field",
            "module:orbit_core::scheduler",
            "command:task update",
        ] {
            assert_eq!(Selector::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn paths_are_normalised_and_stay_inside() {
        assert_eq!(Selector::parse(" file:src\\a/./b/../lib.rs ").unwrap().to_string(), "file:src/a/lib.rs");
        assert_eq!(Selector::parse("dir:./").unwrap().to_string(), "dir:.");
        for bad in ["file:../x", "dir:", "symbol:a.rs", "symbol:a.rs#", "module:", "command: ", "  "] {
            assert!(Selector::parse(bad).is_err(), "{bad}");
        }
    }
}
