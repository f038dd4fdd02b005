//! Git through its command line: a few long-lived processes for the walk, single calls for the rest.
//!
//! [`log`] streams commits with their diffs, [`blobs`] reads contents, [`renames`] asks which files git takes
//! for renamed, [`notes`] lists operation logs kept as notes.

pub(crate) mod blobs;
pub(crate) mod log;
pub(crate) mod notes;
pub(crate) mod renames;

use crate::error::HistoryError;
use orbit_git::Git;
use std::fmt;

/// The name of a git object: 20 bytes, or 32 in a SHA-256 repository.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Oid {
    bytes: [u8; 32],
    len: u8,
}

impl Oid {
    /// From its hexadecimal form, of full length only.
    pub(crate) fn parse(hex: &[u8]) -> Option<Oid> {
        if hex.len() != 40 && hex.len() != 64 {
            return None;
        }
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Oid { bytes, len: (hex.len() / 2) as u8 })
    }

    /// From stored bytes.
    pub(crate) fn from_bytes(stored: &[u8]) -> Option<Oid> {
        let mut bytes = [0; 32];
        bytes.get_mut(..stored.len())?.copy_from_slice(stored);
        Some(Oid { bytes, len: stored.len() as u8 })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// What git writes where there is no object.
    pub(crate) fn is_null(&self) -> bool {
        self.bytes == [0; 32]
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The commit that HEAD is at; `None` before the first one.
pub(crate) fn head(git: &Git) -> Option<Oid> {
    Oid::parse(git.head()?.as_bytes())
}

/// A failure to talk to a running git process.
pub(crate) fn broken(what: &str, error: &std::io::Error) -> HistoryError {
    HistoryError::Git(format!("{what}: {error}"))
}
