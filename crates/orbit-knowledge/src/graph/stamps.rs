//! Stamps of atoms: kept when an atom is written or reaffirmed, read when somebody wants to know whether it still holds.
//!
//! A stamp belongs to the code it was made of. Work on one branch adds stamps and leaves those of others, so that an atom
//! can hold on several branches at once; a new text has the stamp that it was written with, and no other.

use crate::code::{FileMark, Stamp};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Session;
use rusqlite::{Row, params};
use serde::Serialize;

/// A stamp, or why there is none.
pub(crate) type Kept = Result<Stamp, String>;

/// Stamps of one atom that are kept; the oldest go.
const KEPT: i64 = 12;

/// What a stamp is known by: the same in every clone.
#[derive(Serialize)]
struct Known<'s> {
    commit: &'s Option<String>,
    branch: &'s Option<String>,
    prints_version: u32,
    stamped_at: &'s str,
    files: &'s [FileMark],
}

/// Makes this the only stamp of an atom: its text is new.
pub(crate) fn put(session: &Session<'_>, atom: Id, kept: &Kept) -> Result<(), KnowledgeError> {
    session.execute("DELETE FROM graph_affirmations WHERE atom_id = ?1", [atom])?;
    add(session, atom, kept)
}

/// Adds a stamp to those of other branches. Nothing to look at leaves no stamp worth keeping.
pub(crate) fn add(session: &Session<'_>, atom: Id, kept: &Kept) -> Result<(), KnowledgeError> {
    let stamp = match kept {
        Ok(stamp) => stamp,
        Err(why) => {
            session.execute("DELETE FROM graph_affirmations WHERE atom_id = ?1", [atom])?;
            session.execute(
                "INSERT INTO graph_affirmations (atom_id, stamp_id, prints_version, stamped_at, note)
                 VALUES (?1, 'none', 0, ?2, ?3)",
                params![atom, session.stamp(), why],
            )?;
            return Ok(());
        }
    };
    session.execute("DELETE FROM graph_affirmations WHERE atom_id = ?1 AND note IS NOT NULL", [atom])?;
    let stamped_at = if stamp.stamped_at.is_empty() { session.stamp() } else { stamp.stamped_at.clone() };
    let id = if stamp.id.is_empty() { id_of(stamp, &stamped_at) } else { stamp.id.clone() };
    let says = if stamp.says.is_empty() { said(session, atom)? } else { stamp.says.clone() };
    let Stamp { commit, branch, is_dirty, prints_version, .. } = stamp;
    let cited = serde_json::to_string(&stamp.cited).unwrap_or_default();
    session.execute(
        "INSERT OR REPLACE INTO graph_affirmations
           (atom_id, stamp_id, commit_sha, branch, is_dirty, prints_version, stamped_at, says, cited)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![atom, id, commit, branch, is_dirty, prints_version, stamped_at, says, cited],
    )?;
    for file in &stamp.files {
        let symbols = serde_json::to_string(&file.symbols).unwrap_or_default();
        session.execute(
            "INSERT OR REPLACE INTO graph_stamped VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![atom, id, file.path, file.content, file.own.map(u64::cast_signed), symbols],
        )?;
    }
    session.execute(
        "DELETE FROM graph_affirmations WHERE atom_id = ?1 AND stamp_id NOT IN (SELECT stamp_id FROM
           graph_affirmations WHERE atom_id = ?1 ORDER BY stamped_at DESC, stamp_id DESC LIMIT ?2)",
        params![atom, KEPT],
    )?;
    Ok(())
}

/// Whether a stamp is there already.
pub(crate) fn has(session: &Session<'_>, atom: Id, stamp: &str) -> Result<bool, KnowledgeError> {
    let sql = "SELECT count(*) FROM graph_affirmations WHERE atom_id = ?1 AND stamp_id = ?2";
    Ok(session.count(sql, params![atom, stamp])? > 0)
}

/// Puts a stamp in the place of another: its anchors moved, or what was dirty is committed now.
pub(crate) fn replace(
    session: &Session<'_>,
    atom: Id,
    old: &str,
    new: &Stamp,
) -> Result<bool, KnowledgeError> {
    let sql = "DELETE FROM graph_affirmations WHERE atom_id = ?1 AND stamp_id = ?2";
    if session.execute(sql, params![atom, old])? == 0 {
        return Ok(false);
    }
    add(session, atom, &Ok(Stamp { id: String::new(), ..new.clone() }))?;
    Ok(true)
}

/// FNV-1a of what a stamp says.
fn id_of(stamp: &Stamp, stamped_at: &str) -> String {
    let Stamp { commit, branch, prints_version, files, .. } = stamp;
    let known = Known { commit, branch, prints_version: *prints_version, stamped_at, files };
    hash(&serde_json::to_string(&known).unwrap_or_default())
}

/// A hash of what an atom says now.
pub(crate) fn said(session: &Session<'_>, atom: Id) -> Result<String, KnowledgeError> {
    let sql = "SELECT knowledge FROM graph_atoms WHERE id = ?1";
    let text: Option<String> = session.first(sql, [atom], |row| row.get(0))?;
    Ok(hash(&text.unwrap_or_default()))
}

fn hash(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// The stamps of an atom, the newest first and never none, or why there is none.
pub(crate) fn of(session: &Session<'_>, atom: Id) -> Result<Result<Vec<Stamp>, String>, KnowledgeError> {
    with_files(session, atom, |stamp| files_of(session, atom, stamp))
}

/// The same with the marks of some files only. Stamps that have none of them are left out.
pub(crate) fn of_paths(
    session: &Session<'_>,
    atom: Id,
    paths: &[String],
) -> Result<Result<Vec<Stamp>, String>, KnowledgeError> {
    let sql = "SELECT path, content, own, symbols FROM graph_stamped
       WHERE atom_id = ?1 AND stamp_id = ?2 AND path IN (SELECT value FROM json_each(?3)) ORDER BY path";
    let wanted = serde_json::to_string(paths).unwrap_or_default();
    let files = |stamp: &str| session.rows(sql, params![atom, stamp, wanted], mark);
    let mut kept = with_files(session, atom, files)?;
    if let Ok(stamps) = &mut kept {
        stamps.retain(|stamp| !stamp.files.is_empty());
    }
    Ok(kept)
}

fn with_files(
    session: &Session<'_>,
    atom: Id,
    files: impl Fn(&str) -> Result<Vec<FileMark>, KnowledgeError>,
) -> Result<Result<Vec<Stamp>, String>, KnowledgeError> {
    let sql = "SELECT stamp_id, commit_sha, branch, is_dirty, prints_version, stamped_at, note, says, cited
       FROM graph_affirmations WHERE atom_id = ?1 ORDER BY stamped_at DESC, stamp_id DESC";
    let rows = session.rows(sql, [atom], |row| {
        let stamp = Stamp {
            id: row.get(0)?,
            commit: row.get(1)?,
            branch: row.get(2)?,
            is_dirty: row.get(3)?,
            prints_version: row.get(4)?,
            stamped_at: row.get(5)?,
            says: row.get(7)?,
            cited: serde_json::from_str(&row.get::<_, String>(8)?).unwrap_or_default(),
            ..Stamp::default()
        };
        Ok((stamp, row.get::<_, Option<String>>(6)?))
    })?;
    let mut stamps = Vec::new();
    for (mut stamp, note) in rows {
        if let Some(note) = note {
            return Ok(Err(note));
        }
        stamp.files = files(&stamp.id)?;
        stamps.push(stamp);
    }
    if stamps.is_empty() {
        return Ok(Err("it was written before areas were stamped; reaffirm it".into()));
    }
    Ok(Ok(stamps))
}

fn files_of(session: &Session<'_>, atom: Id, stamp: &str) -> Result<Vec<FileMark>, KnowledgeError> {
    let sql = "SELECT path, content, own, symbols FROM graph_stamped WHERE atom_id = ?1 AND stamp_id = ?2 ORDER BY path";
    session.rows(sql, params![atom, stamp], mark)
}

fn mark(row: &Row<'_>) -> rusqlite::Result<FileMark> {
    Ok(FileMark {
        path: row.get(0)?,
        content: row.get(1)?,
        own: row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned),
        symbols: serde_json::from_str(&row.get::<_, String>(3)?).unwrap_or_default(),
    })
}
