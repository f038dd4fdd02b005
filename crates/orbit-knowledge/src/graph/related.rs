//! Relationships between atoms, and between molecules: kept beside the knowledge, checked on write.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Related, Unit};
use crate::store::{Session, json};
use rusqlite::params;

/// Most entries.
pub const RELATED: usize = 50;
/// Most bytes of a reason.
pub(crate) const REASON_BYTES: usize = 2 * 1024;

/// The key of an entry's id.
pub(crate) fn key(unit: Unit) -> &'static str {
    match unit {
        Unit::Atom => "atomId",
        Unit::Molecule => "moleculeId",
    }
}

/// The parameter that carries the entries.
pub(crate) fn field(unit: Unit) -> &'static str {
    match unit {
        Unit::Atom => "relatedAtoms",
        Unit::Molecule => "relatedMolecules",
    }
}

fn table(unit: Unit) -> &'static str {
    match unit {
        Unit::Atom => "graph_atoms",
        Unit::Molecule => "graph_molecules",
    }
}

/// Refuses entries that name nothing, another project's, or `own`.
pub(crate) fn check(
    session: &Session<'_>,
    unit: Unit,
    project: Id,
    own: Option<Id>,
    related: &[Related],
) -> Result<(), KnowledgeError> {
    for entry in related {
        if own == Some(entry.id) {
            return Err(KnowledgeError::validation(field(unit), format!("{} names itself", unit.word())));
        }
        let sql = format!("SELECT project_id FROM {} WHERE id = ?1", table(unit));
        let found: Option<Id> = session.first(&sql, [entry.id], |row| row.get(0))?;
        let found = found.ok_or_else(|| KnowledgeError::not_found(unit.word(), entry.id))?;
        if found != project {
            let text = format!("{} {} must belong to the same project", unit.word(), entry.id);
            return Err(KnowledgeError::Invariant(text));
        }
    }
    Ok(())
}

/// Takes what was deleted out of all relationships of its project. That changes who had them.
pub(crate) fn forget(session: &Session<'_>, unit: Unit, project: Id, gone: Id) -> Result<(), KnowledgeError> {
    let (table, column) = match unit {
        Unit::Atom => ("graph_atoms", "related_atoms"),
        Unit::Molecule => ("graph_molecules", "related_molecules"),
    };
    let sql = format!("SELECT id, {column} FROM {table} WHERE project_id = ?1 AND instr({column}, ?2) > 0");
    let holders = session.rows(&sql, params![project, gone.to_string()], |row| {
        Ok((row.get::<_, Id>(0)?, row.get::<_, String>(1)?))
    })?;
    for (holder, text) in holders {
        let mut left = json::read_related(unit, &text);
        left.retain(|entry| entry.id != gone);
        let sql =
            format!("UPDATE {table} SET {column} = ?2, updated_at = ?3, version = version + 1 WHERE id = ?1");
        session.execute(&sql, params![holder, json::related(unit, &left), session.stamp()])?;
    }
    Ok(())
}

/// The name of an atom or molecule, if it is still there.
pub(crate) fn name(session: &Session<'_>, unit: Unit, id: Id) -> Result<Option<String>, KnowledgeError> {
    session.first(&format!("SELECT name FROM {} WHERE id = ?1", table(unit)), [id], |row| row.get(0))
}
