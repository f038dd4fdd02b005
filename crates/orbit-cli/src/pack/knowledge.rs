//! What is known about the files of a pack: atoms after code, the best fitting first.

use super::budget::Budget;
use super::subjects::Subject;
use super::tokens::tokens;
use super::{Entry, Level};
use crate::knowledge;
use orbit_graph::{Selector, SymbolSelector};
use orbit_knowledge::{Freshness, Known};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Adds the atoms for which there is room; names those for which there is not.
pub(super) fn add(root: &Path, subjects: &[Subject], entries: &mut Vec<Entry>, budget: &mut Budget) -> usize {
    let path = |subject: &Subject| match Selector::parse(&subject.selector) {
        Ok(Selector::Symbol(SymbolSelector { path, .. }) | Selector::File(path)) => Some(path),
        _ => None,
    };
    let paths: BTreeSet<String> = subjects.iter().filter_map(path).collect();
    let paths: Vec<String> = paths.into_iter().collect();
    // A pack is about code: a store that cannot be read is not a reason to have none.
    let Ok(Some(store)) = knowledge::open_existing(root) else { return 0 };
    let mut left_out = 0;
    for known in store.known_about(&paths).unwrap_or_default() {
        let entry = |level: Level, text: String| Entry {
            selector: format!("atom:{}", known.atom.id),
            kind: "atom".into(),
            level,
            tokens: tokens(&text),
            text,
        };
        let options = [entry(Level::Source, text(&known)), entry(Level::Omitted, known.atom.name.clone())];
        match options.into_iter().find(|entry| budget.take(entry)) {
            Some(entry) => entries.push(entry),
            None => left_out += 1,
        }
    }
    left_out
}

/// An atom as a prompt shows it. What is not fresh says so before it says anything else.
fn text(known: &Known) -> String {
    let doubt = match known.freshness {
        Freshness::Fresh => String::new(),
        other => format!(" ({}: check before you rely on it)", other.word()),
    };
    let mut text = format!("{}{doubt}\n{}", known.atom.name, known.atom.knowledge);
    if let Some((name, knowledge)) = known.molecule.as_ref().filter(|(_, knowledge)| !knowledge.is_empty()) {
        let _ = write!(text, "\n[{name}] {knowledge}");
    }
    text
}
