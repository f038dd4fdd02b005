//! Every case of every file prints what stands below it. `UPDATE_EXPECT=1` writes down what is printed now.

use crate::markdown::Page;
use crate::run::run;
use omnigraph_compiler::Code;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const DIRECTORIES: [&str; 5] = ["schema", "query", "lint", "fmt", "migrate"];

fn pages(directory: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(directory);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file of the corpus").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{directory} has no files");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text of the corpus");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[track_caller]
fn check(directory: &str) {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = String::new();
    for (path, text) in pages(directory) {
        let page = Page::parse(&text);
        assert!(!page.cases.is_empty(), "{} has no cases", path.display());
        let printed: Vec<String> = page.cases.iter().map(|case| run(directory, &case.inputs)).collect();
        for (case, printed) in page.cases.iter().zip(&printed) {
            if case.expected.as_ref() != Some(printed) {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                let expected = case.expected.as_deref().unwrap_or("nothing\n");
                let _ = writeln!(wrong, "{file}: {}\nexpected:\n{expected}printed:\n{printed}", case.title);
            }
        }
        if update {
            std::fs::write(&path, page.with(&printed)).expect("the corpus can be written");
        }
    }
    assert!(update || wrong.is_empty(), "\n{wrong}UPDATE_EXPECT=1 writes down what is printed");
}

#[test]
fn schemas() {
    check("schema");
}

#[test]
fn queries() {
    check("query");
}

#[test]
fn lints() {
    check("lint");
}

#[test]
fn formats() {
    check("fmt");
}

#[test]
fn migrations() {
    check("migrate");
}

/// Every code is printed by a case somewhere.
#[test]
fn every_code_has_a_case() {
    let mut printed = String::new();
    for (_, text) in DIRECTORIES.into_iter().flat_map(pages) {
        Page::parse(&text)
            .cases
            .iter()
            .for_each(|case| printed += case.expected.as_deref().unwrap_or_default());
    }
    let missing: Vec<&str> =
        Code::all().map(Code::as_str).filter(|code| !printed.contains(&format!("[{code}]"))).collect();
    assert!(missing.is_empty(), "no case prints {missing:?}");
}
