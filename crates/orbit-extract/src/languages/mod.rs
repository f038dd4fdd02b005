//! One module per language. Each has one entry: `extract(path, source) -> ExtractedFile`.

mod config;
mod csharp;
mod go;
mod java;
mod kotlin;
mod markdown;
mod native;
mod python;
mod ruby;
mod rust;
mod script;

pub use native::is_standard_macro;
pub use rust::conditions::{NEVER, holds_with_features};

use crate::{ExtractError, ExtractedFile, Lang};

/// Files of this size can nest deeper than a thread's own stack allows.
const LARGE: usize = 32 * 1024;
/// Address space only: memory is taken as the walk goes down.
const LARGE_STACK: usize = 256 * 1024 * 1024;

/// Extracts with room for deep trees. Walks are cut at a depth of their own; this is for what tree-sitter and
/// the small recursions between two levels of a walk need.
pub(crate) fn extract(path: &str, lang: Lang, source: &str) -> Result<ExtractedFile, ExtractError> {
    crate::parse::begin_file();
    if source.len() < LARGE {
        return dispatch(path, lang, source);
    }
    if is_too_deep(lang, source) {
        return Err(ExtractError::TooDeep);
    }
    stacker::grow(LARGE_STACK, || dispatch(path, lang, source))
}

/// Some grammars need far more than linear time for what no person writes: tens of thousands of nested
/// blocks in Kotlin, or of `typeof` in one type.
fn is_too_deep(lang: Lang, source: &str) -> bool {
    const MOST: usize = 2_000;
    match lang {
        Lang::Kotlin => {
            let mut depth = 0usize;
            source.bytes().any(|byte| {
                match byte {
                    b'{' => depth += 1,
                    b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth > MOST
            })
        }
        Lang::TypeScript | Lang::Tsx => source.lines().any(|line| line.matches("typeof").nth(MOST).is_some()),
        _ => false,
    }
}

/// The table of languages.
fn dispatch(path: &str, lang: Lang, source: &str) -> Result<ExtractedFile, ExtractError> {
    match lang {
        Lang::Rust => rust::extract(path, source),
        Lang::TypeScript | Lang::Tsx | Lang::JavaScript => script::extract(path, lang, source),
        Lang::Python => python::extract(path, source),
        Lang::Go => go::extract(path, source),
        Lang::Java => java::extract(path, source),
        Lang::Kotlin => kotlin::extract(path, source),
        Lang::CSharp => csharp::extract(path, source),
        Lang::Ruby => ruby::extract(path, source),
        Lang::C | Lang::Cpp => native::extract(path, lang, source),
        Lang::Markdown => markdown::extract(path, source),
        Lang::Config => config::extract(path, source),
    }
}
