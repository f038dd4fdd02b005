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

use crate::{ExtractError, ExtractedFile, Lang};

/// The table of languages.
pub(crate) fn extract(path: &str, lang: Lang, source: &str) -> Result<ExtractedFile, ExtractError> {
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
