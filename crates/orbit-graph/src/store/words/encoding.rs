//! The stored form of a file's counts: keys as differences, and a bit for each count that is not zero.

use super::{FAMILY_BITS, WORD_BITS};
use crate::resolve::words::WordOutcome;
use orbit_extract::{Family, WordCount};

/// Keys are kept with the bits that [`stored`] uses, as differences.
pub(super) const KEPT: u32 = 64 - (WORD_BITS - FAMILY_BITS);

pub(super) fn encode_counts(family: Family, counts: &[WordCount]) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + counts.len() * 9);
    out.push(family as u8);
    let mut last = 0;
    for count in counts {
        let rest = [
            count.definitions,
            count.references,
            count.local,
            count.path,
            count.key_of_value,
            count.damaged,
            count.open(),
        ];
        let key = count.key >> KEPT;
        // Most words are one thing only: a bit for each that is there, then the counts of those.
        let present =
            rest.iter().enumerate().filter(|(_, n)| **n > 0).fold(0u8, |bits, (at, _)| bits | 1 << at);
        put(&mut out, key - last);
        out.push(present | if count.text > 0 { 0x80 } else { 0 });
        for number in [count.text].into_iter().chain(rest).filter(|number| *number > 0) {
            put(&mut out, u64::from(number));
        }
        last = key;
    }
    out
}

pub(super) fn decode_counts(blob: &[u8]) -> Option<(Family, Vec<WordCount>)> {
    let (family, mut rest) = blob.split_first()?;
    let mut counts = Vec::with_capacity(rest.len() / 8);
    let mut last = 0;
    while !rest.is_empty() {
        last += take(&mut rest)?;
        let (present, behind) = rest.split_first()?;
        rest = behind;
        let mut next = |bit: u8| -> Option<u32> {
            if present & bit == 0 { Some(0) } else { u32::try_from(take(&mut rest)?).ok() }
        };
        let mut count = WordCount {
            key: last << KEPT,
            text: next(0x80)?,
            definitions: next(0x01)?,
            references: next(0x02)?,
            local: next(0x04)?,
            path: next(0x08)?,
            key_of_value: next(0x10)?,
            damaged: next(0x20)?,
            total: 0,
        };
        let open = next(0x40)?;
        count.total = count.text
            + count.definitions
            + count.references
            + count.local
            + count.path
            + count.key_of_value
            + count.damaged
            + open;
        counts.push(count);
    }
    Some((family_of(*family)?, counts))
}

pub(super) fn encode_outcomes(family: Family, outcomes: &[WordOutcome]) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + outcomes.len() * 8);
    out.push(family as u8);
    let mut last = 0;
    for outcome in outcomes {
        let numbers = [outcome.resolved, outcome.external, outcome.open_plain, outcome.open_member];
        let key = outcome.key >> KEPT;
        let present =
            numbers.iter().enumerate().filter(|(_, n)| **n > 0).fold(0u8, |bits, (at, _)| bits | 1 << at);
        put(&mut out, key - last);
        out.push(present);
        for number in numbers.into_iter().filter(|number| *number > 0) {
            put(&mut out, u64::from(number));
        }
        last = key;
    }
    out
}

pub(super) fn decode_outcomes(blob: &[u8]) -> Option<(Family, Vec<WordOutcome>)> {
    let (family, mut rest) = blob.split_first()?;
    let mut outcomes = Vec::with_capacity(rest.len() / 8);
    let mut last = 0;
    while !rest.is_empty() {
        last += take(&mut rest)?;
        let (present, behind) = rest.split_first()?;
        rest = behind;
        let mut next = |bit: u8| -> Option<u32> {
            if present & bit == 0 { Some(0) } else { u32::try_from(take(&mut rest)?).ok() }
        };
        outcomes.push(WordOutcome {
            key: last << KEPT,
            resolved: next(1)?,
            external: next(2)?,
            open_plain: next(4)?,
            open_member: next(8)?,
        });
    }
    Some((family_of(*family)?, outcomes))
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
