//! Stamps of atoms: kept when an atom is written, read when somebody wants to know whether it still holds.

use crate::code::{FileMark, Stamp};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Session;
use rusqlite::params;

/// A stamp, or why there is none.
pub(crate) type Kept = Result<Stamp, String>;

/// Puts a stamp in the place of the one before.
pub(crate) fn put(session: &Session<'_>, atom: Id, kept: &Kept) -> Result<(), KnowledgeError> {
    session.execute("DELETE FROM graph_marks WHERE atom_id = ?1", [atom])?;
    let (commit, version, note) = match kept {
        Ok(stamp) => (stamp.commit.as_deref(), stamp.prints_version, None),
        Err(why) => (None, 0, Some(why.as_str())),
    };
    session.execute(
        "INSERT OR REPLACE INTO graph_stamps VALUES (?1, ?2, ?3, ?4, ?5)",
        params![atom, commit, version, session.stamp(), note],
    )?;
    for file in kept.iter().flat_map(|stamp| &stamp.files) {
        let symbols = serde_json::to_string(&file.symbols).unwrap_or_default();
        session.execute(
            "INSERT OR REPLACE INTO graph_marks VALUES (?1, ?2, ?3, ?4, ?5)",
            params![atom, file.path, file.content, file.own.map(u64::cast_signed), symbols],
        )?;
    }
    Ok(())
}

/// The stamp of an atom.
pub(crate) fn of(session: &Session<'_>, atom: Id) -> Result<Kept, KnowledgeError> {
    let sql = "SELECT commit_sha, prints_version, note FROM graph_stamps WHERE atom_id = ?1";
    let row = session.first(sql, [atom], |row| {
        Ok((row.get::<_, Option<String>>(0)?, row.get::<_, u32>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let (commit, prints_version) = match row {
        None => return Ok(Err("it was written before areas were stamped; reaffirm it".into())),
        Some((_, _, Some(note))) => return Ok(Err(note)),
        Some((commit, version, None)) => (commit, version),
    };
    let sql = "SELECT path, content, own, symbols FROM graph_marks WHERE atom_id = ?1 ORDER BY path";
    let files = session.rows(sql, [atom], |row| {
        Ok(FileMark {
            path: row.get(0)?,
            content: row.get(1)?,
            own: row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned),
            symbols: serde_json::from_str(&row.get::<_, String>(3)?).unwrap_or_default(),
        })
    })?;
    Ok(Ok(Stamp { commit, prints_version, files, anchors: Vec::new() }))
}
