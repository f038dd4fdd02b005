//! Vectors that mean nothing but are always the same, for tests and for trying things out.

use super::{Embedder, Task, normalize};
use crate::error::Error;

/// Needs no network: the text is hashed (FNV-1a), and the hash seeds a generator (xorshift).
#[derive(Clone, Copy, Debug, Default)]
pub struct Mock;

impl Embedder for Mock {
    fn embed(&self, texts: &[&str], _: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        texts.iter().map(|text| normalize(numbers(text, dim), dim)).collect()
    }

    fn model(&self) -> &'static str {
        "mock"
    }
}

fn numbers(text: &str, dim: usize) -> Vec<f32> {
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let next = |state: &u64| {
        let mut state = *state;
        state ^= state << 13;
        state ^= state >> 7;
        Some(state ^ (state << 17))
    };
    let states = std::iter::successors(next(&hash), next);
    states.take(dim).map(|state| (state as f64 / u64::MAX as f64) as f32 * 2.0 - 1.0).collect()
}
