//! Where a symbol is, and the one text that names it.
//!
//! ```text
//! symbol:<path>#<local name>:<kind>     an address
//! symbol:<path>#<name>[:<kind>]         a selector: what somebody types to mean a symbol of a file
//! ```
//!
//! The *local name* of a symbol is its name qualified inside its file, `Client::connect`. A second definition of the
//! same local name has a number behind it, `Client::connect#2`: in an address, in selectors and wherever one is stored.

use crate::{ExtractedFile, Lang, RawSymbol, SymbolKind};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

const PREFIX: &str = "symbol:";

/// Where a symbol is. No two symbols of a worktree have the same address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolAddress {
    /// Relative to the worktree, with `/`.
    pub path: String,
    /// Qualified inside the file, with `#2` for a second definition.
    pub local: String,
    /// What it is.
    pub kind: SymbolKind,
}

/// A symbol of a file as somebody names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolSelector {
    /// Relative to the worktree.
    pub path: String,
    /// Short name, local name, or fully qualified; with `#2` for a second definition.
    pub name: String,
    /// What it is, when that is said.
    pub kind: Option<SymbolKind>,
}

/// Why a text names no symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// It does not begin with `symbol:`.
    Prefix,
    /// There is no `#`.
    NoName,
    /// Nothing stands behind the `#`.
    EmptyName,
    /// An address ends with a kind.
    Kind,
}

impl AddressError {
    /// What is wrong, as printed.
    pub fn reason(self) -> &'static str {
        match self {
            AddressError::Prefix => "symbol selectors must begin with `symbol:`",
            AddressError::NoName => "symbol selectors must include `#<symbol>`",
            AddressError::EmptyName => "symbol selectors must include a symbol after `#`",
            AddressError::Kind => "the address of a symbol must end with its kind",
        }
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for AddressError {}

impl fmt::Display for SymbolAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}#{}:{}", self.path, self.local, self.kind.as_str())
    }
}

impl FromStr for SymbolAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<SymbolAddress, AddressError> {
        let (path, symbol) = split(text)?;
        let (local, kind) = symbol.rsplit_once(':').ok_or(AddressError::Kind)?;
        let kind = SymbolKind::parse(kind).ok_or(AddressError::Kind)?;
        if local.is_empty() {
            return Err(AddressError::EmptyName);
        }
        Ok(SymbolAddress { path: path.to_owned(), local: local.to_owned(), kind })
    }
}

impl fmt::Display for SymbolSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}#{}", self.path, self.name)?;
        self.kind.map_or(Ok(()), |kind| write!(f, ":{}", kind.as_str()))
    }
}

impl FromStr for SymbolSelector {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<SymbolSelector, AddressError> {
        let (path, symbol) = split(text)?;
        let symbol = symbol.trim();
        let (name, kind) = match symbol.rsplit_once(':') {
            // `Foo::test` is a name, whatever its last part is called.
            Some((name, kind)) if !name.ends_with(':') => match SymbolKind::parse(kind.trim()) {
                Some(kind) => (name.trim_end(), Some(kind)),
                None => (symbol, None),
            },
            _ => (symbol, None),
        };
        if name.is_empty() {
            return Err(AddressError::EmptyName);
        }
        Ok(SymbolSelector { path: path.to_owned(), name: name.to_owned(), kind })
    }
}

impl From<SymbolAddress> for SymbolSelector {
    fn from(address: SymbolAddress) -> SymbolSelector {
        SymbolSelector { path: address.path, name: address.local, kind: Some(address.kind) }
    }
}

/// The path, and what stands behind it. A `#` may be part of both: the path ends where it names a source file.
fn split(text: &str) -> Result<(&str, &str), AddressError> {
    let rest = text.strip_prefix(PREFIX).ok_or(AddressError::Prefix)?;
    let mut places = rest.match_indices('#').map(|(at, _)| (&rest[..at], &rest[at + 1..]));
    let first = places.clone().next().ok_or(AddressError::NoName)?;
    Ok(places.find(|(path, _)| Lang::of_path(path.trim_end()).is_some()).unwrap_or(first))
}

/// A name with the number that tells it from earlier definitions of the same name; the first one has none.
pub fn numbered(name: &str, overload: u16) -> Cow<'_, str> {
    match overload {
        0 => Cow::Borrowed(name),
        _ => Cow::Owned(format!("{name}#{}", u32::from(overload) + 1)),
    }
}

/// A name without that number.
pub fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((bare, number)) if !bare.is_empty() && is_number(number) => bare,
        _ => name,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl ExtractedFile {
    /// The local name of one of its symbols.
    pub fn local_name(&self, symbol: &RawSymbol) -> Cow<'_, str> {
        numbered(self.names.get(symbol.local), symbol.overload)
    }

    /// The address of one of its symbols, when the file is at `path`.
    pub fn address(&self, path: &str, symbol: &RawSymbol) -> SymbolAddress {
        let local = self.local_name(symbol).into_owned();
        SymbolAddress { path: path.to_owned(), local, kind: symbol.kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn selectors_may_leave_the_kind_out() {
        for (text, name, kind) in [
            ("symbol:a.rs#Foo::bar", "Foo::bar", None),
            ("symbol:a.rs#Foo::bar:method", "Foo::bar", Some(SymbolKind::Method)),
            ("symbol:a.rs#Foo::test", "Foo::test", None),
            ("symbol:a.rs#Foo:bogus", "Foo:bogus", None),
        ] {
            let selector: SymbolSelector = text.parse().unwrap();
            assert_eq!((selector.name.as_str(), selector.kind), (name, kind));
            assert_eq!(selector.to_string(), text);
        }
    }

    #[test]
    fn a_path_may_hold_what_separates_it_from_the_name() {
        let address: SymbolAddress = "symbol:c#/a:b.cpp#Set::operator==#2:method".parse().unwrap();
        assert_eq!((address.path.as_str(), address.local.as_str()), ("c#/a:b.cpp", "Set::operator==#2"));
        let private: SymbolSelector = "symbol:a.js#Box.#size".parse().unwrap();
        assert_eq!((private.path.as_str(), private.name.as_str()), ("a.js", "Box.#size"));
    }

    #[test]
    fn what_is_not_an_address_is_told() {
        for (text, expected) in [
            ("file:a.rs", AddressError::Prefix),
            ("symbol:a.rs", AddressError::NoName),
            ("symbol:a.rs#:method", AddressError::EmptyName),
            ("symbol:a.rs#f", AddressError::Kind),
            ("symbol:a.rs#f:bogus", AddressError::Kind),
        ] {
            assert_eq!(text.parse::<SymbolAddress>(), Err(expected), "{text}");
        }
        assert_eq!("symbol:a.rs# ".parse::<SymbolSelector>(), Err(AddressError::EmptyName));
    }

    #[test]
    fn only_the_number_of_a_definition_is_taken_off() {
        for (name, bare) in [("f#2", "f"), ("Box.#size", "Box.#size"), ("C#", "C#"), ("#1", "#1"), ("f", "f")]
        {
            assert_eq!(unnumbered(name), bare);
        }
        assert_eq!((numbered("f", 0), numbered("f", 1)), ("f".into(), "f#2".into()));
    }

    proptest! {
        #[test]
        fn printed_is_read(
            dir in "([a-z:# ]{1,5}/){0,2}",
            stem in "[a-z:#]{1,6}",
            ending in prop::sample::select(vec!["rs", "py", "cpp", "js", "md"]),
            local in prop_oneof![
                "[A-Za-z_]{1,5}((::|\\.|/|->)#?[A-Za-z_~]{1,5}){0,3}(#[2-9])?",
                prop::sample::select(vec![
                    "operator:", "Set::operator()", "operator<<", "operator\"\"_s", "operator->*", "Usage:", "C#",
                    "<Foo as From<Bar::Baz>>::from", "List`1", "size=", "[]", "?#", "méthode",
                ]).prop_map(str::to_owned),
            ],
            kind in prop::sample::select(SymbolKind::ALL.to_vec()),
        ) {
            let address = SymbolAddress { path: format!("{dir}{stem}.{ending}"), local, kind };
            let text = address.to_string();
            prop_assert_eq!(text.parse(), Ok(address.clone()));
            let selector = SymbolSelector::from(address);
            if !selector.name.ends_with(':') {
                prop_assert_eq!(text.parse(), Ok(selector));
            }
        }
    }
}
