//! Source bytes to facts, one file at a time.
//!
//! ```text
//! (path, bytes) ─Lang::of_path─▶ Lang ─parse─▶ tree ─languages::<lang> (Builder)─▶ ExtractedFile
//!       │
//!       └ also read by those who compare or edit: ─prints─▶ Prints        what a change of a definition is
//!                                                 ─parts─▶ Parts          head and body of a definition
//!                                                 ─spellings─▶ Spelling…  every place where a name stands
//!                                                 ─load_steps─▶ LoadStep… what Python does while it loads a file
//!                                                 ─value_calls─▶ ValueCall… calls of variables and other values
//!                                                 ─clauses─▶ Clauses      imports and exports as they are written
//!                                                 ─free_names─▶ FreeName… what code takes from its file
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

// From bytes to a tree.
mod lang;
mod parse;

// What a tree yields, and how a language module collects it.
mod facts;
mod address;
pub mod hash;
mod names;
mod expr;
mod builder;
mod languages;
mod kinds;
mod commands;
mod reads;
mod settings;
mod routers;
mod text;
mod secrets;
mod virtuals;
mod within;
mod words;

// Other readings of the same bytes.
mod prints;
mod parts;
mod spelling;
mod loading;
mod calls;
mod clauses;
mod free;

pub use address::{AddressError, SymbolAddress, SymbolSelector, numbered, unnumbered};
pub use calls::{ValueCall, value_calls};
pub use clauses::{Clause, ClauseItem, ClauseKind, Clauses, clauses};
pub use expr::{Expr, ExprId, ExprPart, LAST_PARAMETER, RECEIVER};
pub use facts::{
    ConfigKind, ExtractedFile, ImportKind, RawArm, RawCommand, RawConfig, RawImport, RawRef, RawRelation,
    RawString, RawSymbol, RefKind, RelationKind, ScopeId, Span, SymbolKind,
};
pub use free::{FreeName, free_names};
pub use lang::{Family, Lang};
pub use languages::{NEVER, holds_with_features, is_standard_macro};
pub use loading::{Load, LoadStep, When, load_steps};
pub use names::{NameId, Names};
pub use parse::parse_only;
pub use parts::{Parts, parts};
pub use prints::{PRINTS_VERSION, Print, Prints, prints};
pub use routers::{Mounted, RawRouter, RouterName};
pub use spelling::{Place, Spelling, spellings};
pub use words::{OpenWord, WordCount, WordRole, may_say, occurrences, word_key, word_of, words_of_text};

/// Bumped whenever the same bytes yield other facts; part of the index's file name.
pub const EXTRACTOR_VERSION: u32 = 15;

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
