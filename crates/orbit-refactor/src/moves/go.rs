//! Go: between files of one package, where names are shared and only imports follow.
//!
//! A file may not import what it does not use, and must import what it uses; everything else belongs to the package. What
//! depends on its file (build constraints, `init`, groups that count) stays.

mod imports;
mod package;

use super::{Moved, Subject};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use imports::Imports;
use orbit_graph::{SymbolFacts, SymbolKind};

pub(super) fn edits(subject: &Subject<'_>, draft: &mut Draft) -> Result<Moved, RefactorError> {
    let old = Imports::of(subject.facts, &subject.symbol.path, &subject.text)?;
    let target = Imports::of(subject.facts, &subject.target, &subject.target_text)?;
    check(subject, &old, &target)?;
    package::check(subject, &old, &target)?;
    let mut head = String::new();
    if subject.target_text.trim().is_empty() {
        head = format!("package {}\n", old.package.clone().unwrap_or_default());
    }
    let needed = old.needed(|at| subject.goes(at))?;
    let (mut added, mut unneeded) = (Vec::new(), Vec::new());
    for import in &needed {
        match target.bound(&import.name) {
            Some(other) if other.path == import.path => {}
            Some(_) => {
                let message = format!("`{}` is another package in {}", import.name, subject.target);
                return Err(refuse("taken", message));
            }
            None => added.push(import.clone()),
        }
        if !old.is_needed(&import.name, |at| !subject.goes(at)) {
            unneeded.push(import);
        }
    }
    old.take_out(&subject.symbol.path, &subject.text, &unneeded, draft);
    if head.is_empty() {
        target.put_in(&subject.target, &subject.target_text, &added, draft);
    } else {
        head.push_str(&imports::statement(&added));
        draft.insert_first(&subject.target, 0, &head);
    }
    let text = subject.moved_text(&keywords(subject))?;
    let is_grouped = subject.pieces.iter().any(|piece| is_grouped(subject, piece));
    Ok(if is_grouped { text.replace("\n\t", "\n").trim_start().to_owned() } else { text }.into())
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// The keyword before a definition that stands in a group.
fn keyword(piece: &SymbolFacts) -> &'static str {
    match piece.kind {
        SymbolKind::Const => "const ",
        SymbolKind::Variable | SymbolKind::Static => "var ",
        kind if kind.is_type() => "type ",
        _ => "",
    }
}

/// Whether a definition stands in a group: its keyword is not its own.
fn is_grouped(subject: &Subject<'_>, piece: &SymbolFacts) -> bool {
    let text = &subject.text[piece.span.0 as usize..];
    !["func", "type", "const", "var"]
        .iter()
        .any(|word| text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\t', '('])))
}

/// What comes out of a group gets a keyword of its own.
fn keywords(subject: &Subject<'_>) -> Vec<Edit> {
    let grouped = subject.pieces.iter().filter(|piece| is_grouped(subject, piece));
    grouped.map(|piece| Edit::new(piece.span.0, piece.span.0, keyword(piece))).collect()
}

/// Refuses what means something else in another file.
fn check(subject: &Subject<'_>, old: &Imports, target: &Imports) -> Result<(), RefactorError> {
    if matches!(subject.name(), "init" | "_") {
        return Err(refuse("unsupported", "when it runs depends on the file it stands in"));
    }
    if old.is_dotted || target.is_dotted {
        return Err(refuse("unsupported", "a file takes all names of another package"));
    }
    conditions(subject)?;
    if runs_own_code(subject)? {
        return Err(refuse(
            "unsupported",
            "its value is made when the program starts, in the order of files and lines",
        ));
    }
    for piece in subject.pieces.iter().filter(|piece| is_grouped(subject, piece)) {
        if matches!(piece.kind, SymbolKind::Const) && counts(&subject.text, piece) {
            return Err(refuse("unsupported", "its value depends on its place in a group"));
        }
    }
    let embeds = subject.extents.iter().any(|extent| {
        let text = &subject.text[extent.0 as usize..extent.1 as usize];
        ["//go:embed", "//go:linkname", "//export "].iter().any(|word| text.contains(word))
    });
    if embeds {
        return Err(refuse("unsupported", "a directive binds it to its file"));
    }
    Ok(())
}

/// Whether a variable gets its value from a function of the repository, which may see what was made before it.
fn runs_own_code(subject: &Subject<'_>) -> Result<bool, RefactorError> {
    if !subject.pieces.iter().any(|piece| matches!(piece.kind, SymbolKind::Variable | SymbolKind::Static)) {
        return Ok(false);
    }
    for row in subject.facts.uses_in(&subject.symbol.path)? {
        let Some(id) = row.target.filter(|_| subject.goes(row.span.0)) else { continue };
        let called = subject.facts.by_id(id)?.is_some_and(|target| target.kind.is_callable());
        if called && subject.text[row.span.1 as usize..].starts_with('(') {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses a target that is compiled under other conditions: tests see the package, which does not see them.
fn conditions(subject: &Subject<'_>) -> Result<(), RefactorError> {
    let (old, target) = (subject.symbol.path.as_str(), subject.target.as_str());
    let (mut from, mut to) = (condition(old, &subject.text), condition(target, &subject.target_text));
    if subject.target_text.trim().is_empty() && from.1.is_empty() {
        to.1.clear();
    }
    let is_test = |path: &str| path.ends_with("_test.go");
    let is_seen = match (is_test(old), is_test(target)) {
        (true, false) => !names_tests(subject)?,
        (false, true) => subject.uses()?.iter().all(|row| is_test(&row.file)),
        _ => true,
    };
    for (named, _) in [&mut from, &mut to] {
        named.retain(|part| part != "test");
    }
    if is_seen && from == to {
        return Ok(());
    }
    Err(refuse("unsupported", format!("{target} is compiled under other conditions")))
}

/// Whether the definition uses something that only tests have.
fn names_tests(subject: &Subject<'_>) -> Result<bool, RefactorError> {
    for row in subject.facts.uses_in(&subject.symbol.path)? {
        let Some(id) = row.target.filter(|_| subject.goes(row.span.0)) else { continue };
        let symbol = subject.facts.by_id(id)?;
        let is_own = |symbol: &SymbolFacts| symbol.path == subject.symbol.path && subject.goes(symbol.span.0);
        if symbol.is_some_and(|symbol| symbol.path.ends_with("_test.go") && !is_own(&symbol)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// When a file is compiled: what its name says, and what it says itself.
fn condition(path: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".go");
    let parts: Vec<String> = name.split('_').skip(1).map(str::to_owned).collect();
    let named = parts.into_iter().filter(|part| part == "test" || SYSTEMS.contains(&part.as_str())).collect();
    let head = text.lines().take_while(|line| !line.starts_with("package "));
    let said = head.filter(|line| line.starts_with("//go:build") || line.starts_with("// +build"));
    (named, said.map(str::to_owned).collect())
}

/// Systems and processors that the name of a file may end with.
const SYSTEMS: [&str; 34] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "linux",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "unix",
    "wasip1",
    "windows",
    "zos",
    "386",
    "amd64",
    "arm",
    "arm64",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mipsle",
    "ppc64",
    "ppc64le",
    "riscv64",
    "s390x",
    "wasm",
    "sparc64",
    "hurd",
    "nacl",
];

/// Whether a constant of a group has a value only by its place, or others have theirs by it.
fn counts(text: &str, piece: &SymbolFacts) -> bool {
    let Some(open) = text[..piece.span.0 as usize].rfind("const (") else { return true };
    let end = text[open..].find("\n)").map_or(text.len(), |end| open + end);
    let group = &text[open + "const (".len()..end];
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    group.contains("iota") || group.lines().filter(is_code).any(|line| !line.contains('='))
}
