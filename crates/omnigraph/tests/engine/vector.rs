//! Vector search against plain arithmetic.

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder};
use arrow_array::{Array, FixedSizeListArray};
use arrow_buffer::BooleanBuffer;
use omnigraph::rows::RowRef;
use omnigraph::vector::{RRF_K, VectorIndex, Vectors, fuse};
use proptest::prelude::*;
use std::sync::Arc;

fn array(dim: usize, rows: &[Option<Vec<f32>>]) -> FixedSizeListArray {
    let mut builder = FixedSizeListBuilder::new(Float32Builder::new(), dim as i32);
    for row in rows {
        match row {
            Some(row) => builder.values().append_slice(row),
            None => builder.values().append_nulls(dim),
        }
        builder.append(row.is_some());
    }
    builder.finish()
}

fn vectors(dim: usize, rows: &[Option<Vec<f32>>]) -> Arc<Vectors> {
    Arc::new(Vectors::new(&array(dim, rows)).unwrap())
}

fn distance(a: &[f32], b: &[f32]) -> Option<f64> {
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    (lengths > 0.0).then(|| 1.0 - dot(a, b) / lengths)
}

#[test]
fn nearest_is_by_direction() {
    let first = vectors(2, &[Some(vec![1.0, 0.0]), None, Some(vec![0.0, 0.0]), Some(vec![-3.0, 0.0])]);
    let second = vectors(2, &[Some(vec![9.0, 9.0]), Some(vec![5.0, 0.0])]);
    let index =
        VectorIndex::new(2, vec![(first, None), (second, Some(BooleanBuffer::from(vec![true, true])))])
            .unwrap();
    let found = index.nearest(&[2.0, 0.0], 10, |a, b| b.cmp(&a)).unwrap();
    let rows: Vec<(u32, u32)> = found.iter().map(|(row, _)| (row.chunk, row.row)).collect();
    assert_eq!(rows, [(1, 1), (0, 0), (1, 0), (0, 3)]);
    assert!(found[0].1.abs() < 1e-6 && (found[3].1 - 2.0).abs() < 1e-6);
    let asked =
        [RowRef::new(0, 1), RowRef::new(0, 2), RowRef::new(0, 3), RowRef::new(7, 0), RowRef::new(0, 99)];
    let distances = index.distances(&[2.0, 0.0], &asked).unwrap();
    assert_eq!(distances.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true, false, false]);
    assert!(index.nearest(&[0.0, 0.0], 3, |a, b| a.cmp(&b)).unwrap().is_empty());
    let error = index.nearest(&[1.0], 3, |a, b| a.cmp(&b)).unwrap_err();
    assert_eq!(error.to_string(), "the query vector has 1 elements, the column 2");
}

#[test]
fn slices_of_arrays_are_read_at_their_place() {
    let rows: Vec<Option<Vec<f32>>> = (0..5).map(|at| Some(vec![1.0, at as f32])).collect();
    let sliced = array(2, &rows).slice(3, 2);
    let index = VectorIndex::new(2, vec![(Arc::new(Vectors::new(&sliced).unwrap()), None)]).unwrap();
    let found = index.nearest(&[1.0, 4.0], 1, |a, b| a.cmp(&b)).unwrap();
    assert_eq!((found[0].0, found.len()), (RowRef::new(0, 1), 1));
    assert_eq!(sliced.len(), 2);
}

#[test]
fn many_threads_find_what_one_finds() {
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / 16_777_216.0 - 0.5
    };
    // Few different vectors, so that there are many ties.
    let kinds: Vec<Vec<f32>> = (0..50).map(|_| (0..32).map(|_| next()).collect()).collect();
    let rows: Vec<Option<Vec<f32>>> = (0..40_000).map(|at| Some(kinds[at * 7 % 50].clone())).collect();
    let chunks = vec![(vectors(32, &rows[..30_000]), None), (vectors(32, &rows[30_000..]), None)];
    let index = VectorIndex::new(32, chunks).unwrap();
    let one = index.clone().with_threads(1).nearest(&kinds[3], 1000, |a, b| a.cmp(&b)).unwrap();
    let three = index.with_threads(3).nearest(&kinds[3], 1000, |a, b| a.cmp(&b)).unwrap();
    assert_eq!(one, three);
    assert_eq!(one.len(), 1000);
}

#[test]
fn rankings_are_fused() {
    let fused = fuse(&[vec!["a", "b", "c"], vec!["c", "a"], vec!["z", "z"]], RRF_K);
    let ids: Vec<&str> = fused.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["a", "c", "z", "b"]);
    assert!((fused[0].1 - (1.0 / 61.0 + 1.0 / 62.0)).abs() < 1e-12);
    assert!((fused[2].1 - 1.0 / 61.0).abs() < 1e-12);
    let tied = fuse(&[vec![2, 1], vec![1, 2]], 1);
    assert_eq!(tied.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2]);
    assert!(fuse::<u8>(&[], 60).is_empty());
}

proptest! {
    #[test]
    fn distances_equal_plain_arithmetic(
        rows in prop::collection::vec(prop::option::weighted(0.9, prop::collection::vec(-2.0..2.0_f32, 19)), 1..30),
        query in prop::collection::vec(-2.0..2.0_f32, 19),
        mask in prop::collection::vec(prop::bool::weighted(0.8), 30),
        limit in 1..10_usize,
    ) {
        let live = BooleanBuffer::collect_bool(rows.len(), |row| mask[row]);
        let index = VectorIndex::new(19, vec![(vectors(19, &rows), Some(live))]).unwrap();
        let all: Vec<RowRef> = (0..rows.len()).map(|row| RowRef::new(0, row)).collect();
        let found = index.distances(&query, &all).unwrap();
        let mut expected = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let plain = row.as_ref().filter(|_| mask[at]).and_then(|row| distance(row, &query));
            prop_assert_eq!(found[at].is_some(), plain.is_some());
            prop_assert!((found[at].unwrap_or(0.0) - plain.unwrap_or(0.0)).abs() < 1e-5);
            expected.extend(found[at].map(|distance| (all[at], distance)));
        }
        expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        expected.truncate(limit);
        prop_assert_eq!(index.nearest(&query, limit, |a, b| a.cmp(&b)).unwrap(), expected);
    }
}
