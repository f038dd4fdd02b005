//! Several rankings as one.

use std::collections::BTreeMap;

/// How much the first places weigh less the greater it is; what literature and users take.
pub const RRF_K: u32 = 60;

/// Reciprocal rank fusion: each ranking gives 1 / (k + place) to what it ranks, places from 1. The greatest sum comes
/// first, equal sums by id. What a ranking names twice counts at its first place.
pub fn fuse<I: Ord + Clone>(rankings: &[Vec<I>], k: u32) -> Vec<(I, f64)> {
    let mut sums: BTreeMap<&I, f64> = BTreeMap::new();
    for ranking in rankings {
        let mut places: BTreeMap<&I, usize> = BTreeMap::new();
        for (at, id) in ranking.iter().enumerate() {
            places.entry(id).or_insert(at + 1);
        }
        for (id, place) in places {
            *sums.entry(id).or_default() += 1.0 / (f64::from(k) + place as f64);
        }
    }
    let mut fused: Vec<(I, f64)> = sums.into_iter().map(|(id, sum)| (id.clone(), sum)).collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable, so that equal sums stay ordered by id
    fused
}
