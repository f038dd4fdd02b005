//! Ids of commits: ULIDs that say where their record is.

use crate::error::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Crockford's base 32, as ULIDs have it.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Digits of a log's uid, and of a sequence number inside of an id.
const PART: usize = 8;

/// A ULID: ten digits of milliseconds, eight of the log, eight of the place in the log. It sorts by time and leads to
/// its record without an index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(String);

impl CommitId {
    pub(crate) fn new(millis: u64, uid: &str, seq: u64) -> CommitId {
        CommitId(format!("{}{uid}{}", base32(millis, 10), base32(seq, PART)))
    }

    /// The log and the place in it.
    pub(crate) fn place(&self) -> (&str, u64) {
        let (uid, seq) = self.0[10..].split_at(PART);
        (uid, seq.bytes().fold(0, |sum, digit| (sum << 5) | u64::from(value(digit).unwrap_or(0))))
    }

    /// When it was made, in milliseconds since 1970.
    pub(crate) fn millis(&self) -> i64 {
        let digits = self.0[..10].bytes();
        digits.fold(0, |sum, digit| (sum << 5) | i64::from(value(digit).unwrap_or(0)))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A number in so many digits.
pub(crate) fn base32(number: u64, digits: usize) -> String {
    (0..digits).rev().map(|place| char::from(DIGITS[(number >> (5 * place)) as usize & 31])).collect()
}

/// A random name for a log.
pub(crate) fn random_uid() -> Result<String, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| Error::io("reading random bytes", error))?;
    Ok(base32(u64::from_le_bytes(bytes), PART))
}

/// A random name for a table's directory.
pub(crate) fn random_dir() -> Result<String, Error> {
    Ok(format!("{}{}", random_uid()?, random_uid()?))
}

fn value(digit: u8) -> Option<u8> {
    DIGITS.iter().position(|known| *known == digit.to_ascii_uppercase()).map(|at| at as u8)
}

impl FromStr for CommitId {
    type Err = ();

    fn from_str(text: &str) -> Result<CommitId, ()> {
        let whole = text.len() == 26 && text.bytes().all(|digit| value(digit).is_some());
        if whole { Ok(CommitId(text.to_ascii_uppercase())) } else { Err(()) }
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for CommitId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for CommitId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommitId, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom(format!("`{text}` is not a commit id")))
    }
}
