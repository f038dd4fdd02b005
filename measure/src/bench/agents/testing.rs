//! Which functions are tests, by the rules of each language's usual runner.

use super::drawn::Question;
use super::known::Known;
use std::path::Path;

/// Whether the runner of the language would run a function. In TypeScript and C tests have no definition of their own.
pub(super) fn is_test(known: &Known, root: &Path, function: &Question) -> bool {
    let file = function.file.rsplit('/').next().unwrap_or(&function.file);
    match known.truth.language.as_str() {
        "go" => {
            let marks = ["Test", "Benchmark", "Fuzz", "Example"];
            file.ends_with("_test.go") && marks.iter().any(|mark| function.name.starts_with(mark))
        }
        "python" => {
            let is_test_file = file.starts_with("test_") || file.ends_with("_test.py");
            is_test_file && function.name.starts_with("test")
        }
        "rust" => has_mark(known, root, function, &["#[test]", "::test]", "::test("]),
        "java" => has_mark(known, root, function, &["@Test", "@ParameterizedTest", "@RepeatedTest"]),
        _ => false,
    }
}

/// Whether one of the marks stands above the name.
fn has_mark(known: &Known, root: &Path, function: &Question, marks: &[&str]) -> bool {
    let Some(definition) = known.main_definition(function.id) else { return false };
    let Ok(text) = std::fs::read_to_string(root.join(&definition.file)) else { return false };
    let first = (definition.first_line as usize).saturating_sub(1);
    let above = (definition.line as usize).saturating_sub(first);
    let mut lines = text.lines().skip(first).take(above).map(str::trim_start);
    lines.any(|line| {
        marks.iter().any(|mark| line.starts_with('#') | line.starts_with('@') && line.contains(mark))
    })
}
