//! Prompt-ready context for selectors, below a number of tokens.
//!
//! ```text
//! selectors ─resolve─▶ Subject ─fill (signatures for all, sources in order)─▶ entries ─neighbours, knowledge─▶ Pack
//! ```
//!
//! The whole answer as JSON stays below the budget. Equal input over an equal index gives an equal answer.

mod budget;
mod knowledge;
mod neighbours;
mod subjects;
pub(crate) mod tokens;

use crate::failure::Failure;
use budget::Budget;
use orbit_graph::Graph;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use subjects::Subject;

/// The least budget: room for an answer that says what was left out.
pub(crate) const LEAST_TOKENS: usize = 200;

/// What is asked for.
pub(crate) struct PackOptions {
    pub(crate) max_tokens: usize,
    pub(crate) timeout: Duration,
    /// Whether the index was refreshed for this answer.
    pub(crate) is_refreshed: bool,
}

/// How much of an entry is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Source,
    Signature,
    Omitted,
}

/// A part of the context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    pub(crate) selector: String,
    pub(crate) kind: String,
    pub(crate) level: Level,
    pub(crate) text: String,
    pub(crate) tokens: usize,
}

/// A selector that gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Unresolved {
    pub(crate) selector: String,
    pub(crate) reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Spent {
    pub(crate) max: usize,
    pub(crate) used: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct AutoRefresh {
    pub(crate) status: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) remedy: &'static str,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Pack {
    pub(crate) entries: Vec<Entry>,
    pub(crate) unresolved: Vec<Unresolved>,
    pub(crate) budget: Spent,
    pub(crate) auto_refresh: Option<AutoRefresh>,
    pub(crate) timed_out: bool,
    /// Entries and unresolved selectors for which there was no room at all.
    pub(crate) left_out: usize,
}

/// Gathers the context.
pub(crate) fn pack(graph: &Graph, selectors: &[String], options: &PackOptions) -> Result<Pack, Failure> {
    let deadline = Instant::now() + options.timeout;
    let max = options.max_tokens;
    let auto_refresh = (!options.is_refreshed).then_some(AutoRefresh {
        status: "skipped",
        reason: "the index was read as it is",
        remedy: "refresh",
    });
    let mut pack = Pack {
        entries: Vec::new(),
        unresolved: Vec::new(),
        budget: Spent { max, used: max },
        auto_refresh,
        timed_out: false,
        left_out: usize::MAX,
    };
    let mut budget = Budget::new(max, &pack);
    pack.left_out = 0;
    let subjects = resolve(graph, selectors, deadline, max, &mut pack, &mut budget)?;
    fill(&subjects, &mut pack, &mut budget);
    if Instant::now() < deadline {
        let known: BTreeSet<String> = pack.entries.iter().map(|entry| entry.selector.clone()).collect();
        pack.timed_out |= neighbours::add(graph, &subjects, known, deadline, &mut pack.entries, &mut budget)?;
        let root = graph.location()?.root;
        pack.left_out += knowledge::add(&root, &subjects, &mut pack.entries, &mut budget);
    } else {
        pack.timed_out = true;
    }
    pack.budget.used = budget.used();
    Ok(pack)
}

/// What the selectors name, each once, in order.
fn resolve(
    graph: &Graph,
    selectors: &[String],
    deadline: Instant,
    max: usize,
    pack: &mut Pack,
    budget: &mut Budget,
) -> Result<Vec<Subject>, Failure> {
    let mut subjects: Vec<Subject> = Vec::new();
    let mut seen = BTreeSet::new();
    for text in selectors {
        let found = if Instant::now() < deadline {
            subjects::resolve(graph, text, max)?
        } else {
            pack.timed_out = true;
            Err("there was no time left".into())
        };
        match found {
            Ok(subject) if seen.insert(subject.selector.clone()) => subjects.push(subject),
            Ok(_) => {}
            Err(reason) => {
                let row = Unresolved { selector: text.clone(), reason };
                if budget.take(&row) { pack.unresolved.push(row) } else { pack.left_out += 1 }
            }
        }
    }
    Ok(subjects)
}

/// Room for every signature comes before room for any source; sources come in the order asked.
fn fill(subjects: &[Subject], pack: &mut Pack, budget: &mut Budget) {
    for subject in subjects {
        let signature = subject.entry(Level::Signature, &subject.signature);
        let omitted = subject.entry(Level::Omitted, "");
        match [signature, omitted].into_iter().find(|entry| budget.take(entry)) {
            Some(entry) => pack.entries.push(entry),
            None => pack.left_out += 1,
        }
    }
    for entry in &mut pack.entries {
        let Some(subject) = subjects.iter().find(|subject| subject.selector == entry.selector) else {
            continue;
        };
        let Some(source) = &subject.source else { continue };
        let full = subject.entry(Level::Source, source);
        if budget.replace(entry, &full) {
            *entry = full;
        }
    }
}
