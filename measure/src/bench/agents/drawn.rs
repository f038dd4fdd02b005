//! Questions drawn at random from what a compiler knows.

use super::known::{Known, is_function};
use super::testing::is_test;
use crate::bench::sample::pick_seeded;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How many definitions share a name that is asked about as one of many.
const MANY: usize = 4;
/// How far tests may be from what they cover.
pub(super) const TEST_DEPTH: usize = 3;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Callers,
    NoCallers,
    OneOfMany,
    Breaks,
    Tests,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] =
        [Kind::Callers, Kind::NoCallers, Kind::OneOfMany, Kind::Breaks, Kind::Tests];

    pub(super) fn title(self) -> &'static str {
        match self {
            Kind::Callers => "who calls it",
            Kind::NoCallers => "who calls it (nobody)",
            Kind::OneOfMany => "which of the many",
            Kind::Breaks => "what would break",
            Kind::Tests => "which tests cover it",
        }
    }
}

/// A question about one definition.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) kind: Kind,
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: u32,
}

/// Up to `samples` questions of each kind.
pub(super) fn draw(known: &Known, root: &Path, samples: usize, seed: u64) -> Vec<Question> {
    let all = functions(known);
    let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &all {
        *shared.entry(&one.name).or_default() += 1;
    }
    let used: Vec<Question> = all.iter().filter(|one| !known.uses(one.id).is_empty()).cloned().collect();
    let is_free = |one: &&Question| known.uses(one.id).is_empty() && known.is_judged(one.id, &one.name);
    let unused: Vec<Question> = all.iter().filter(is_free).cloned().collect();
    let many: Vec<Question> = used.iter().filter(|one| shared[one.name.as_str()] >= MANY).cloned().collect();
    let tests: BTreeSet<u32> = all.iter().filter(|one| is_test(known, root, one)).map(|one| one.id).collect();
    let in_code = used.iter().filter(|one| !tests.contains(&one.id)).cloned().collect();
    let covered = covered(known, &used, &tests, samples, seed);
    let drawn = [
        (Kind::Callers, pick_seeded(used.clone(), samples, seed)),
        (Kind::NoCallers, pick_seeded(unused, samples.div_ceil(4), seed)),
        (Kind::OneOfMany, pick_seeded(many, samples, seed + 1)),
        (Kind::Breaks, pick_seeded(in_code, samples, seed + 2)),
        (Kind::Tests, covered),
    ];
    let drawn =
        drawn.into_iter().flat_map(|(kind, all)| all.into_iter().map(move |one| Question { kind, ..one }));
    drawn.collect()
}

/// Definitions that a test reaches.
fn covered(
    known: &Known,
    used: &[Question],
    tests: &BTreeSet<u32>,
    samples: usize,
    seed: u64,
) -> Vec<Question> {
    if tests.is_empty() {
        return Vec::new();
    }
    let shuffled = pick_seeded(used.to_vec(), used.len(), seed + 3);
    let is_covered = |one: &Question| {
        let reached = known.surely_reached(one.id, TEST_DEPTH);
        !tests.contains(&one.id) && reached.keys().any(|id| tests.contains(id))
    };
    shuffled.into_iter().filter(is_covered).take(samples).collect()
}

/// Every function that is written out and has a name of one word.
fn functions(known: &Known) -> Vec<Question> {
    let ids = known.truth.definitions.keys().filter(|id| known.is_one(**id) && known.is_alone(**id));
    ids.filter_map(|id| {
        let definition = known.main_definition(*id)?;
        let is_word = definition.name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_function(definition) && definition.class == "func" && is_word).then(|| Question {
            kind: Kind::Callers,
            id: *id,
            name: definition.name.clone(),
            file: definition.file.clone(),
            line: definition.line,
        })
    })
    .collect()
}
