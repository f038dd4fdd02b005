//! Relationships between atoms, and between molecules: kept beside the knowledge, checked on write.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Related, Unit};
use crate::store::Session;

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

/// The name of an atom or molecule, if it is still there.
pub(crate) fn name(session: &Session<'_>, unit: Unit, id: Id) -> Result<Option<String>, KnowledgeError> {
    session.first(&format!("SELECT name FROM {} WHERE id = ?1", table(unit)), [id], |row| row.get(0))
}
