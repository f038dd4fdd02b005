//! Keeping the words of files that cannot be read as code: no parser, or too large for one.

use super::scan::{UNSURE, trusted_mtime};
use crate::error::GraphError;
use crate::store::unread::{self, UnreadFile};
use crate::walk::Unread;
use crate::walk::markup::code_in;
use orbit_extract::words_of_text;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;

/// Larger files are not looked into; every word may stand in them.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The files whose words have to be read again, and those that are gone.
pub(super) struct Changed<'w> {
    read: Vec<&'w Unread>,
    gone: Vec<String>,
}

impl Changed<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.read.is_empty() && self.gone.is_empty()
    }
}

/// Compares what the walk found with what the index knows.
pub(super) fn changed<'w>(connection: &Connection, walked: &'w [Unread]) -> Result<Changed<'w>, GraphError> {
    let mut known: BTreeMap<String, (i64, i64)> = unread::known(connection)?;
    let mut read = Vec::new();
    for file in walked {
        if known.remove(&file.path) != Some((file.mtime_ns, file.byte_len as i64)) {
            read.push(file);
        }
    }
    Ok(Changed { read, gone: known.into_keys().collect() })
}

/// Reads what changed and remembers it.
pub(super) fn write(
    connection: &Connection,
    root: &Path,
    changed: &Changed<'_>,
    walked_at: i64,
) -> Result<(), GraphError> {
    for path in &changed.gone {
        unread::remove(connection, path)?;
    }
    for file in &changed.read {
        let is_read = file.byte_len <= MAX_BYTES;
        let bytes = if is_read { std::fs::read(root.join(&file.path)).ok() } else { None };
        let words = bytes.as_deref().map(|bytes| words_of(&file.path, bytes));
        // That it may be read again leaves no trace in a file's size and time: it is tried every time.
        let is_refused = is_read && words.is_none();
        unread::write(
            connection,
            &UnreadFile {
                path: &file.path,
                mtime_ns: if is_refused { UNSURE } else { trusted_mtime(file.mtime_ns, walked_at) },
                byte_len: file.byte_len,
                reason: file.reason,
                words: words.as_deref(),
            },
        )?;
    }
    Ok(())
}

/// The keys of the words, sorted. A binary file has none.
fn words_of(path: &str, bytes: &[u8]) -> Vec<u64> {
    if bytes.contains(&0) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes);
    words_of_text(&code_in(path, &text)).iter().map(|count| count.key).collect()
}
