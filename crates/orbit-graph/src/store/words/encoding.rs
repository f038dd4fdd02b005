//! The stored form of a file's counts: keys as differences, and a bit for each count that is not zero.

use super::{FAMILY_BITS, WORD_BITS};
use crate::resolve::words::WordOutcome;
use orbit_extract::{Family, WordCount};

/// Keys are kept with the bits that [`stored`] uses, as differences.
pub(super) const KEPT: u32 = 64 - (WORD_BITS - FAMILY_BITS);

pub(super) fn encode_counts(family: Family, counts: &[WordCount]) -> Vec<u8> {
    let row = |count: &WordCount| {
        let numbers = [
            count.text,
            count.definitions,
            count.references,
            count.local,
            count.path,
            count.key_of_value,
            count.damaged,
            count.open(),
        ];
        (count.key, numbers)
    };
    encode(family, counts.iter().map(row))
}

pub(super) fn decode_counts(blob: &[u8]) -> Option<(Family, Vec<WordCount>)> {
    decode(blob, |key, numbers: [u32; 8]| {
        let [text, definitions, references, local, path, key_of_value, damaged, _] = numbers;
        let total = numbers.iter().sum();
        WordCount { key, total, text, definitions, references, local, path, key_of_value, damaged }
    })
}

pub(super) fn encode_outcomes(family: Family, outcomes: &[WordOutcome]) -> Vec<u8> {
    let row = |outcome: &WordOutcome| {
        (outcome.key, [outcome.resolved, outcome.external, outcome.open_plain, outcome.open_member])
    };
    encode(family, outcomes.iter().map(row))
}

pub(super) fn decode_outcomes(blob: &[u8]) -> Option<(Family, Vec<WordOutcome>)> {
    decode(blob, |key, [resolved, external, open_plain, open_member]: [u32; 4]| WordOutcome {
        key,
        resolved,
        external,
        open_plain,
        open_member,
    })
}

/// Rows of at most eight numbers under ascending keys. Most words are one thing only: a bit for each number that is not
/// zero, then those numbers.
fn encode<const N: usize>(family: Family, rows: impl ExactSizeIterator<Item = (u64, [u32; N])>) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + rows.len() * 9);
    out.push(family as u8);
    let mut last = 0;
    for (key, numbers) in rows {
        let key = key >> KEPT;
        put(&mut out, key - last);
        let bits = numbers.iter().enumerate().filter(|(_, number)| **number > 0);
        out.push(bits.fold(0, |bits, (at, _)| bits | 1 << at));
        for number in numbers.into_iter().filter(|number| *number > 0) {
            put(&mut out, u64::from(number));
        }
        last = key;
    }
    out
}

/// What [`encode`] wrote; `None` when it is damaged.
fn decode<const N: usize, T>(blob: &[u8], make: impl Fn(u64, [u32; N]) -> T) -> Option<(Family, Vec<T>)> {
    let (family, mut rest) = blob.split_first()?;
    let mut rows = Vec::with_capacity(rest.len() / 8);
    let mut last = 0;
    while !rest.is_empty() {
        last += take(&mut rest)?;
        let (bits, behind) = rest.split_first()?;
        rest = behind;
        let mut numbers = [0; N];
        for (at, number) in numbers.iter_mut().enumerate() {
            if bits & 1 << at != 0 {
                *number = u32::try_from(take(&mut rest)?).ok()?;
            }
        }
        rows.push(make(last << KEPT, numbers));
    }
    Some((family_of(*family)?, rows))
}

fn family_of(number: u8) -> Option<Family> {
    Family::ALL.get(usize::from(number)).copied()
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
