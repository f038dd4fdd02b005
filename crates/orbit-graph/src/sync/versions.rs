//! Two versions of a file: what stays the same row, and what others can tell apart.

use super::extract::Extracted;
use crate::resolve::key::Digest;
use crate::resolve::surface::Surface;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// Symbols keep their row as long as their path, number and kind stay, so that references from files that are
/// not resolved again still lead to them.
pub(super) fn assign_slots(extracted: &Extracted, old: Option<&Surface>) -> Vec<u32> {
    let facts = &extracted.facts;
    let Some(old) = old else { return (0..facts.symbols.len() as u32).collect() };
    let mut slots: HashMap<(&str, u16, u8), u32, FixedState> =
        HashMap::with_hasher(FixedState::with_seed(12));
    for symbol in &old.symbols {
        slots.insert((old.names.get(symbol.local), symbol.overload, symbol.kind as u8), symbol.slot);
    }
    let mut next = old.symbols.iter().map(|symbol| symbol.slot + 1).max().unwrap_or(0);
    let assigned = facts.symbols.iter().map(|symbol| {
        let identity = (facts.names.get(symbol.local), symbol.overload, symbol.kind as u8);
        slots.remove(&identity).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    });
    assigned.collect()
}

/// Adds the questions to which two versions of a file (both sorted) contribute differently.
pub(super) fn differing(before: &[(u32, Digest)], after: &[(u32, Digest)], questions: &mut BTreeSet<u32>) {
    let (mut left, mut right) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return,
            (Some(a), Some(b)) if a == b => {
                left.next();
                right.next();
            }
            (Some(a), Some(b)) if a < b => {
                questions.insert(a.0);
                left.next();
            }
            (Some(a), None) => {
                questions.insert(a.0);
                left.next();
            }
            (_, Some(b)) => {
                questions.insert(b.0);
                right.next();
            }
        }
    }
}
