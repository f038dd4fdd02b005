//! The nearest callers and callees of the symbols that were asked for, as signatures, while there is room.

use super::budget::Budget;
use super::subjects::{self, Subject};
use super::{Entry, Level};
use crate::failure::Failure;
use orbit_graph::{Confidence, Graph, GraphError, RefOptions, Selector};
use std::collections::BTreeSet;
use std::time::Instant;

/// Neighbours of one symbol that are looked at.
const MOST: usize = 24;

/// Adds neighbours, the first of every symbol before the second of any. Returns whether time ran out.
pub(super) fn add(
    graph: &Graph,
    subjects: &[Subject],
    mut known: BTreeSet<String>,
    deadline: Instant,
    entries: &mut Vec<Entry>,
    budget: &mut Budget,
) -> Result<bool, Failure> {
    let mut lists: Vec<std::vec::IntoIter<String>> = Vec::new();
    for subject in subjects.iter().filter(|subject| subject.is_symbol) {
        if Instant::now() >= deadline {
            return Ok(true);
        }
        lists.push(of(graph, &subject.selector)?.into_iter());
    }
    while !lists.is_empty() {
        lists.retain(|list| list.len() > 0);
        for list in &mut lists {
            let Some(selector) = list.next().filter(|selector| known.insert(selector.clone())) else {
                continue;
            };
            if Instant::now() >= deadline {
                return Ok(true);
            }
            let Ok(neighbour) = subjects::resolve(graph, &selector, 0)? else { continue };
            let line = neighbour.signature.lines().next().unwrap_or_default().to_owned();
            let entry = neighbour.entry(Level::Signature, &line);
            if !budget.take(&entry) {
                return Ok(false);
            }
            entries.push(entry);
        }
    }
    Ok(false)
}

/// Callees and callers in turn.
fn of(graph: &Graph, selector: &str) -> Result<Vec<String>, Failure> {
    let selector = Selector::parse(selector).map_err(GraphError::from)?;
    let called = graph.callees(&selector, Confidence::SameModule, MOST)?;
    let called = called.callees.into_iter().filter_map(|callee| callee.selector);
    let options = RefOptions {
        confidence: Confidence::SameModule,
        kind: Some("call".into()),
        limit: MOST,
        snippets: false,
    };
    let users = graph.refs(&selector, &options)?;
    let mut users = users.refs.into_iter().map(|row| row.from_selector);
    let mut found = Vec::new();
    for callee in called {
        found.push(callee);
        found.extend(users.next());
    }
    found.extend(users);
    Ok(found)
}
