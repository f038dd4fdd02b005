//! Fixtures of every language: one string in, all facts out.

mod config;
mod csharp;
mod go;
mod go_values;
mod java;
mod kotlin;
mod kotlin_repair;
mod markdown;
mod native;
mod native_macros;
mod native_repair;
mod native_templates;
mod prints;
mod python;
mod render;
mod ruby;
mod rust;
mod rust_macros;
mod script;
mod script_docs;
mod script_inference;
mod script_repair;
