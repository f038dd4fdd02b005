//! Macros that are known by where they stand: a `macro_rules!` holds from its end on, in its module and in the modules that
//! are declared behind it.

use super::imports::absolute_in;
use super::places::Places;
use crate::error::RefactorError;
use crate::moves::{Subject, binding};
use crate::worktree::Worktree;
use orbit_graph::{ImportFacts, SymbolFacts, SymbolKind};
use std::collections::BTreeMap;

/// Whether a macro means the same at the end of the target as it does in the old file, names in its body included.
pub(super) fn is_in_scope(
    subject: &Subject<'_>,
    places: &Places,
    worktree: &Worktree,
    used: &SymbolFacts,
) -> Result<bool, RefactorError> {
    let outer = places.module(&used.path);
    let below = places.new.strip_prefix(outer).and_then(|rest| rest.strip_prefix("::"));
    let Some(below) = below.filter(|_| used.parent.is_none()) else { return Ok(false) };
    let named = subject.facts.named(&used.name)?;
    if named.iter().filter(|other| other.kind == SymbolKind::Macro).count() > 1 {
        return Ok(false);
    }
    let text = worktree.read_text(&used.path)?;
    let first = below.split("::").next().unwrap_or(below);
    let is_declared_behind = declaration(&text, first).is_some_and(|at| at > used.span.1 as usize);
    let body = &text[used.span.0 as usize..used.span.1 as usize];
    Ok(is_declared_behind && means_the_same(subject, places, body)?)
}

/// Where a file says `mod name;` or `mod name {`.
fn declaration(text: &str, name: &str) -> Option<usize> {
    text.match_indices("mod ").map(|(at, _)| at).find(|at| {
        let rest = text[at + 4..].strip_prefix(name);
        let line = text[..*at].rsplit('\n').next().unwrap_or("").trim();
        (line.is_empty() || line.starts_with("pub"))
            && rest.is_some_and(|rest| rest.trim_start().starts_with([';', '{']))
    })
}

/// Whether the words of the body of a macro, which mean what they mean where the macro is called, lead to the same in both
/// files.
fn means_the_same(subject: &Subject<'_>, places: &Places, body: &str) -> Result<bool, RefactorError> {
    let old = given(subject, places, &subject.symbol.path, &places.old)?;
    let new = given(subject, places, &subject.target, &places.new)?;
    let mut words = body.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    Ok(words.all(|word| old.get(word) == new.get(word)))
}

/// The names that a file defines or imports, and what each leads to.
fn given(
    subject: &Subject<'_>,
    places: &Places,
    path: &str,
    module: &str,
) -> Result<BTreeMap<String, String>, RefactorError> {
    let imports = subject.facts.imports_of(path)?;
    let whole = |import: &ImportFacts| Some((binding(import)?, absolute_in(places, import, module)));
    let mut found: BTreeMap<String, String> = imports.iter().filter_map(whole).collect();
    for symbol in subject.facts.of_file(path)?.into_iter().filter(|symbol| symbol.parent.is_none()) {
        if symbol.kind != SymbolKind::Impl {
            found.insert(symbol.name.clone(), symbol.qualified);
        }
    }
    Ok(found)
}
