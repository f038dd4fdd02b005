//! What names mean: one small worktree per rule of a language, with the edges that follow from it.

mod csharp;
mod generics;
mod go;
mod go_generics;
mod go_values;
mod java;
mod kotlin;
mod native;
mod native_declarations;
mod native_overloads;
mod native_templates;
mod python;
mod python_fallbacks;
mod python_types;
mod ruby;
mod rust;
mod rust_borrows;
mod rust_expected;
mod rust_features;
mod rust_generics;
mod rust_paths;
mod rust_traits;
mod script;
mod script_closures;
mod script_docs;
mod script_inference;
mod script_modules;
mod script_prototypes;
mod script_values;

use crate::tree::Tree;
use expect_test::Expect;
use serde_json::Value;
use std::fmt::Write as _;

/// Indexes a fixture and compares the edges from the lines that hold a `//?` or `#?` mark with `expected`:
/// `file:line name -> target file:line confidence`, or `?` where there is no target.
fn check(fixture: &str, expected: &Expect) {
    let tree = Tree::of(fixture);
    tree.sync();
    check_tree(&tree, expected);
}

/// As [`check`], for a worktree that is indexed.
fn check_tree(tree: &Tree, expected: &Expect) {
    check_kind(tree, "call", expected);
}

/// As [`check`], for the types that are named.
fn check_types(fixture: &str, expected: &Expect) {
    let tree = Tree::of(fixture);
    tree.sync();
    check_kind(&tree, "type", expected);
}

fn check_kind(tree: &Tree, kind: &str, expected: &Expect) {
    let marked = |file: &str, line: u64| {
        let text = tree.read(file);
        let line = text.lines().nth(line as usize - 1).unwrap_or_default();
        line.contains("//?") || line.contains("#?")
    };
    let mut edges = String::new();
    for row in tree.export().lines().filter(|line| line.contains(r#""type":"ref""#)) {
        let row: Value = serde_json::from_str(row).expect("export writes JSON");
        let (file, line) = (row["file"].as_str().expect("a file"), row["line"].as_u64().expect("a line"));
        if !marked(file, line) || row["kind"] != kind {
            continue;
        }
        let name = row["name"].as_str().expect("a name");
        let target = match (row["target_file"].as_str(), row["target_line"].as_u64()) {
            (Some(target), Some(at)) => {
                format!("{target}:{at} {}", row["confidence"].as_str().expect("a confidence level"))
            }
            _ => "?".to_owned(),
        };
        let _ = writeln!(edges, "{file}:{line} {name} -> {target}");
    }
    expected.assert_eq(&edges);
}
