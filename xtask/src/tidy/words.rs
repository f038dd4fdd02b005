//! Words that have their place, and stay there.

use super::edges::{line_with, used_crates};
use super::tree::{Tree, TreeFile};
use super::{Check, Finding};
use crate::rust_text::{line_of, words};

/// Directories of somebody's machine, without the slashes.
const MACHINE_DIRS: [&str; 4] = ["work", "root", "tmp", "home"];

/// Crates that only some of ours may name: prefix of the crate's name, who may.
const WALLED: [(&str, &[&str]); 5] = [
    ("axum", &["omnigraph-server"]),
    ("cedar-policy", &["omnigraph-policy"]),
    ("lance", &["omnigraph-store"]),
    ("tree-sitter", &["orbit-extract"]),
    ("rusqlite", &["orbit-graph", "orbit-history", "orbit-knowledge"]),
];

/// `unwrap()` is for tests; elsewhere `expect` says why it holds.
pub(super) fn unwraps(tree: &Tree) -> Vec<Finding> {
    let shipped = tree.rust().filter(|file| !file.is_test());
    let found = shipped.flat_map(|file| {
        let at = file.code.match_indices(".unwrap()").map(|(at, _)| line_of(&file.code, at));
        at.map(|line| Finding::new(Check::Unwrap, &file.path, line, "`unwrap()` outside of tests"))
    });
    found.collect()
}

/// No file names a directory that only one machine has.
pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_test()) {
        for dir in MACHINE_DIRS.map(|dir| format!("/{dir}/")) {
            let found = file.shipped.match_indices(&dir).filter(|(at, _)| starts_path(&file.shipped[..*at]));
            findings.extend(found.map(|(at, _)| {
                let message = format!("`{dir}` is a directory of one machine");
                Finding::new(Check::MachinePath, &file.path, line_of(&file.shipped, at), message)
            }));
        }
    }
    findings
}

/// Whether a slash behind this text begins an absolute path.
fn starts_path(before: &str) -> bool {
    !before.ends_with(|last: char| last.is_alphanumeric() || "_-.~}*".contains(last))
}

/// `a`, `b` and `c`.
fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// A walled crate is named, in code and in manifests, by the crates that may.
pub(super) fn walled_crates(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (walled, owners) in WALLED {
        let others =
            tree.files.iter().filter(|file| file.crate_name().is_some_and(|name| !owners.contains(&name)));
        for file in others {
            let message = format!("only {} may name `{walled}`", listed(owners));
            let lines = if file.is_rust() { code_lines(file, walled) } else { manifest_lines(file, walled) };
            let found =
                lines.into_iter().map(|line| Finding::new(Check::Walled, &file.path, line, &*message));
            findings.extend(found);
        }
    }
    findings
}

fn code_lines(file: &TreeFile, walled: &str) -> Vec<usize> {
    let identifier = walled.replace('-', "_");
    let code = &file.code;
    let starts_word = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let found = code.match_indices(&identifier).filter(|(at, _)| starts_word(*at));
    found.map(|(at, _)| line_of(code, at)).collect()
}

fn manifest_lines(file: &TreeFile, walled: &str) -> Vec<usize> {
    if !file.path.ends_with("/Cargo.toml") {
        return Vec::new();
    }
    let used = used_crates(&file.text);
    let named = used.iter().filter(|name| name.starts_with(walled));
    named.map(|name| line_with(file, name)).collect()
}

/// Only render modules print.
pub(super) fn prints(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let elsewhere = tree.rust().filter(|file| !file.is_test() && !is_render(file));
    for file in elsewhere {
        for print in ["println!", "print!", "eprintln!", "eprint!", "dbg!"] {
            findings.extend(words(&file.code, print).map(|at| {
                let message = format!("`{print}` outside of a render module");
                Finding::new(Check::Print, &file.path, line_of(&file.code, at), message)
            }));
        }
    }
    findings
}

fn is_render(file: &TreeFile) -> bool {
    file.parts().any(|part| part == "render" || part == "render.rs")
}
