//! The vectors of one column chunk.

use crate::error::Error;
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, FixedSizeListArray};
use arrow_buffer::ScalarBuffer;

/// Lanes that are summed beside each other, so that the compiler can use wide instructions.
const LANES: usize = 16;

/// Stands for no similarity at all.
pub(super) const NO_GUESS: f32 = f32::NEG_INFINITY;
/// What a length of 1 is in codes. The sum of products of two codes is at most its square, and a little: 32 bits hold
/// it.
const UNIT: f32 = 16_384.0;

/// Vectors of one chunk, beside each other, with what their length costs computed once. The floats are shared with
/// the array they come from.
#[derive(Debug)]
pub struct Vectors {
    dim: usize,
    floats: ScalarBuffer<f32>,
    /// One over the length of each; 0 for null and the zero vector.
    scales: Vec<f32>,
    /// The vectors with length [`UNIT`], rounded: half as many bytes to read and a quarter of the work.
    codes: Vec<i16>,
}

impl Vectors {
    /// Of a column of `Vector(n)`.
    pub fn new(array: &FixedSizeListArray) -> Result<Vectors, Error> {
        let dim = array.value_length() as usize;
        let Some(values) = array.values().as_primitive_opt::<Float32Type>() else {
            return Err(Error::Internal("a vector of something other than 32-bit floats".into()));
        };
        let first = array.value_offset(0) as usize;
        let floats = values.values().slice(first, array.len() * dim);
        let scale = |(row, vector): (usize, &[f32])| {
            let square = dot(vector, vector);
            if array.is_null(row) || square <= 0.0 { 0.0 } else { 1.0 / square.sqrt() }
        };
        let scales = if dim == 0 {
            vec![0.0; array.len()]
        } else {
            floats.chunks_exact(dim).enumerate().map(scale).collect()
        };
        let mut codes = Vec::with_capacity(floats.len());
        for (row, scale) in scales.iter().enumerate() {
            codes.extend(encode(&floats[row * dim..(row + 1) * dim], *scale));
        }
        Ok(Vectors { dim, floats, scales, codes })
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Elements of each vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Bytes in memory beside the array itself.
    pub fn memory_size(&self) -> usize {
        self.scales.capacity() * 4 + self.codes.capacity() * 2
    }

    /// About how alike each of these rows and a query are: as [`Vectors::similarity`] says, give or take
    /// [`Query::error`]; [`NO_GUESS`] for rows without a direction.
    pub(super) fn guess(&self, first: usize, query: &Query, out: &mut [f32]) {
        let rows = self.codes[first * self.dim..].chunks_exact(self.dim.max(1));
        for ((guess, row), scale) in out.iter_mut().zip(rows).zip(&self.scales[first..]) {
            let about = products(row, &query.codes) as f32 / (UNIT * UNIT);
            *guess = if *scale == 0.0 { NO_GUESS } else { about };
        }
    }

    /// How alike the row and a vector of length 1 are, from -1 to 1; `None` without a direction.
    pub(super) fn similarity(&self, row: usize, unit: &[f32]) -> Option<f32> {
        let scale = self.scales[row];
        let vector = &self.floats[row * self.dim..(row + 1) * self.dim];
        (scale != 0.0).then(|| dot(vector, unit) * scale)
    }
}

/// A vector to look for.
#[derive(Debug)]
pub(super) struct Query {
    /// With length 1.
    pub(super) unit: Vec<f32>,
    codes: Vec<i16>,
    /// The most that a guess can be off.
    pub(super) error: f32,
}

impl Query {
    /// `None` for the zero vector, which has no direction.
    pub(super) fn new(vector: &[f32]) -> Option<Query> {
        let unit = unit(vector)?;
        let codes = encode(&unit, 1.0).collect();
        // Every element of a code is off by at most a half; by Cauchy and Schwarz the product of two vectors of length 1
        // is then off by the lengths of both differences and their product. The rest is rounding of 32-bit sums.
        let off = (0.5 * (vector.len() as f32).sqrt() + 0.01) / UNIT;
        let rounding = vector.len() as f32 * 2.4e-7 + 1e-6;
        Some(Query { unit, codes, error: off * (2.0 + off) + rounding })
    }
}

fn encode(vector: &[f32], scale: f32) -> impl Iterator<Item = i16> {
    vector.iter().map(move |value| (value * scale * UNIT).round() as i16)
}

/// The sum of products.
fn products(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

/// The vector with length 1; `None` for the zero vector.
fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let square: f64 = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    let scale = 1.0 / square.sqrt();
    let is_good = square > 0.0 && scale.is_finite();
    is_good.then(|| vector.iter().map(|value| (f64::from(*value) * scale) as f32).collect())
}

/// The sum of products. The order of additions is fixed, so that the same vectors always give the same sum.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_wide, a_rest) = a.as_chunks::<LANES>();
    let (b_wide, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a_wide.iter().zip(b_wide) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}
