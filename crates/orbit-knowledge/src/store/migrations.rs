//! The format of the database: ordered steps, each run once, all in one transaction.

use super::{Session, templates};
use crate::clock::Moment;
use crate::error::KnowledgeError;
use crate::id::IdSource;
use crate::model::{Kind, Status};
use rusqlite::{Connection, TransactionBehavior, params};
use std::path::Path;

/// `orbi` in ASCII: tells our databases from others.
const APPLICATION: i64 = 0x6f72_6269;

/// Name and text of every step; the place in the list is its version.
const STEPS: [(&str, &str); 6] = [
    ("001_orchestrator", include_str!("migrations/001_orchestrator.sql")),
    ("002_knowledge", include_str!("migrations/002_knowledge.sql")),
    ("003_anchors", include_str!("migrations/003_anchors.sql")),
    ("004_branches", include_str!("migrations/004_branches.sql")),
    ("005_search", include_str!("migrations/005_search.sql")),
    ("006_subtasks", include_str!("migrations/006_subtasks.sql")),
];

/// Refuses what this version must not touch. Changes nothing; all is read of one moment, as others may be at work.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<u32, KnowledgeError> {
    let snapshot = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let read = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let tables = match read("SELECT count(*) FROM sqlite_master") {
        Err(error) => return Err(KnowledgeError::from(error).at(path)),
        Ok(count) => count,
    };
    let found = read("PRAGMA user_version")? as u32;
    let application = read("PRAGMA application_id")?;
    drop(snapshot);
    if application != APPLICATION && (tables > 0 || found > 0) {
        return Err(KnowledgeError::Foreign(path.to_owned()));
    }
    let known = STEPS.len() as u32;
    if found > known {
        return Err(KnowledgeError::Newer { found, known });
    }
    Ok(found)
}

/// Brings the database to the present schema. Of several processes one does it, the others wait and find it done.
pub(super) fn run(
    connection: &mut Connection,
    path: &Path,
    now: Moment,
    ids: &dyn IdSource,
) -> Result<(), KnowledgeError> {
    if check(connection, path)? as usize == STEPS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = check(&transaction, path)? as usize;
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS _migrations (
           version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT",
    )?;
    for (place, (name, sql)) in STEPS.iter().enumerate().skip(found) {
        transaction.execute_batch(sql)?;
        transaction.execute(
            "INSERT INTO _migrations VALUES (?1, ?2, ?3)",
            params![place as i64 + 1, name, now.iso()],
        )?;
    }
    if found == 0 {
        templates::seed(&transaction, now, ids)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", STEPS.len() as i64)?;
    transaction.commit()?;
    Ok(())
}

/// Refuses pipelines without a state in which a row stands: nothing could move it on.
pub(crate) fn check_states(session: &Session<'_>) -> Result<(), KnowledgeError> {
    for (kind, sql) in [
        (Kind::Feature, "SELECT status, count(*) FROM features GROUP BY status"),
        (Kind::Task, "SELECT status, count(*) FROM tasks GROUP BY status"),
    ] {
        let known = session.pipelines.of(kind).states();
        for (status, count) in
            session.rows(sql, [], |row| Ok((row.get::<_, Status>(0)?, row.get::<_, i64>(1)?)))?
        {
            if status != Status::WillNotImplement && !known.contains(&status) {
                let (kind, status) = (kind.word(), status.word());
                let text = format!("the pipeline for {kind}s drops {status}, but {count} stand there");
                return Err(KnowledgeError::Pipeline(text));
            }
        }
    }
    Ok(())
}
