//! The words of files that are not in the index although they hold code.

use crate::error::GraphError;
use orbit_extract::word_key;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

/// A file to remember.
pub(crate) struct UnreadFile<'f> {
    pub(crate) path: &'f str,
    pub(crate) mtime_ns: i64,
    pub(crate) byte_len: u64,
    pub(crate) reason: &'f str,
    /// Sorted keys; `None` when nobody could look into the file.
    pub(crate) words: Option<&'f [u64]>,
}

/// The files with the time and size that they had.
pub(crate) fn known(connection: &Connection) -> Result<BTreeMap<String, (i64, i64)>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT path, mtime_ns, byte_len FROM unread_rows")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(crate) fn write(connection: &Connection, file: &UnreadFile<'_>) -> Result<(), GraphError> {
    let words: Option<Vec<u8>> =
        file.words.map(|words| words.iter().flat_map(|key| short(*key).to_be_bytes()).collect());
    let mut insert =
        connection.prepare_cached("INSERT OR REPLACE INTO unread_rows VALUES (?1, ?2, ?3, ?4, ?5)")?;
    insert.execute(params![file.path, file.mtime_ns, file.byte_len as i64, file.reason, words])?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, path: &str) -> Result<(), GraphError> {
    connection.prepare_cached("DELETE FROM unread_rows WHERE path = ?1")?.execute([path])?;
    Ok(())
}

/// The files that may hold a word, with the reason why they are not read, and whether anybody looked into them.
pub(crate) fn holding(
    connection: &Connection,
    word: &str,
) -> Result<Vec<(String, String, bool)>, GraphError> {
    let wanted = short(word_key(word)).to_be_bytes();
    let mut statement =
        connection.prepare_cached("SELECT path, reason, words FROM unread_rows ORDER BY path")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let words = row.get_ref(2)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
        let may_hold = words.is_none_or(|words| {
            let (keys, _) = words.as_chunks::<4>();
            keys.binary_search(&wanted).is_ok()
        });
        if may_hold {
            found.push((row.get(0)?, row.get(1)?, words.is_some()));
        }
    }
    Ok(found)
}

/// For each file that may hold one of these words, which word it is, as its place in the list.
pub(crate) fn holding_any(connection: &Connection, words: &[&str]) -> Result<Vec<usize>, GraphError> {
    let wanted: Vec<[u8; 4]> = words.iter().map(|word| short(word_key(word)).to_be_bytes()).collect();
    let mut statement = connection.prepare_cached("SELECT words FROM unread_rows")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let keys = row.get_ref(0)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
        let holds = |word: &[u8; 4]| keys.is_none_or(|keys| keys.as_chunks().0.binary_search(word).is_ok());
        found.extend((0..wanted.len()).filter(|at| holds(&wanted[*at])));
    }
    Ok(found)
}

/// The part of a key that is kept; the file itself tells in the end.
fn short(key: u64) -> u32 {
    (key >> 32) as u32
}
