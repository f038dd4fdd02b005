//! Source bytes to facts, one file at a time.
//!
//! ```text
//! (path, bytes) ──Lang::of_path──▶ Lang ──parse──▶ tree ──languages::<lang>──▶ ExtractedFile
//! ```
//!
//! Invariants:
//! - Pure: no file system, no environment, no clock but the parse deadline, no state between calls
//!   (parsers are reused per thread, nothing they have seen is).
//! - Never fails on bad syntax: what tree-sitter recovers is reported and `has_errors` says so.
//! - Knows one file only. Module paths, imports' targets and what a name refers to are decided by the
//!   caller, who sees all files.
//! - Row order is source order, so equal bytes give equal facts.
//!
//! A language is one module under `languages/`, one line in [`extract`]'s table, and its fixtures.

mod builder;
mod commands;
mod expr;
mod facts;
mod kinds;
mod lang;
mod languages;
mod loading;
mod names;
mod parse;
mod parts;
mod prints;
mod secrets;
mod spelling;
mod text;

pub use expr::{Expr, ExprId};
pub use facts::{
    ConfigKind, ExtractedFile, ImportKind, RawCommand, RawConfig, RawImport, RawRef, RawRelation, RawString,
    RawSymbol, RefKind, RelationKind, ScopeId, Span, SymbolKind,
};
pub use lang::{Family, Lang};
pub use languages::{holds_with_features, is_standard_macro};
pub use loading::{Load, LoadStep, When, load_steps};
pub use names::{NameId, Names};
pub use parse::parse_only;
pub use parts::{Parts, parts};
pub use prints::{PRINTS_VERSION, Print, Prints, prints};
pub use spelling::{Place, Spelling, spellings};

/// Bumped whenever the same bytes yield other facts; part of the index's file name.
pub const EXTRACTOR_VERSION: u32 = 6;

/// Why a file yields no facts at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractError {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The bytes hold a NUL: binary, whatever its name says.
    Binary,
    /// Parsing took longer than the deadline.
    ParseTimeout,
    /// Nested deeper than any parser handles in reasonable time.
    TooDeep,
}

impl ExtractError {
    /// The reason as printed in `skipped`.
    pub fn as_str(self) -> &'static str {
        match self {
            ExtractError::NotUtf8 => "not_utf8",
            ExtractError::Binary => "binary",
            ExtractError::ParseTimeout => "parse_timeout",
            ExtractError::TooDeep => "nested_too_deeply",
        }
    }
}

/// All facts of one file. `path` is relative to the worktree, with `/`.
pub fn extract(path: &str, lang: Lang, bytes: &[u8]) -> Result<ExtractedFile, ExtractError> {
    if memchr::memchr(0, bytes).is_some() {
        return Err(ExtractError::Binary);
    }
    let source = std::str::from_utf8(bytes).map_err(|_| ExtractError::NotUtf8)?;
    languages::extract(path, lang, source)
}
