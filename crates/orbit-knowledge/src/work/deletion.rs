//! Deleting containers: nothing that stays may name what is gone.

use super::holder::{self, By};
use super::{containers, rows, subtasks};
use crate::error::KnowledgeError;
use crate::graph::deleted::{self, Grave};
use crate::id::Id;
use crate::model::{Container, Kind};
use crate::store::Session;

/// What a deletion took with it.
#[derive(Debug, Default)]
pub(crate) struct Deleted {
    pub(crate) features: usize,
    pub(crate) tasks: usize,
    pub(crate) molecules: usize,
    pub(crate) atoms: usize,
}

/// Deletes a container; with children only when `cascade` says so. A project takes its knowledge along.
pub(crate) fn delete(
    session: &Session<'_>,
    kind: Kind,
    id: Id,
    version: i64,
    cascade: bool,
    by: By<'_>,
) -> Result<Deleted, KnowledgeError> {
    let it = rows::get_at(session, kind, id, version)?;
    holder::check(session, &it, by, "deleted")?;
    let (features, tasks) = children(session, &it)?;
    if !cascade && (features.len() + tasks.len()) > 0 {
        return Err(KnowledgeError::HasChildren {
            action: "delete",
            what: rows::named(&it),
            features: features.len() as i64,
            tasks: tasks.len() as i64,
        });
    }
    let inside =
        features.iter().map(|id| (Kind::Feature, *id)).chain(tasks.iter().map(|id| (Kind::Task, *id)));
    holder::check_all(session, &inside.collect::<Vec<_>>(), by, "deleted")?;
    let mut deleted = Deleted { features: features.len(), tasks: tasks.len(), ..Deleted::default() };
    for task in tasks {
        remove(session, Kind::Task, task)?;
    }
    for feature in features {
        remove(session, Kind::Feature, feature)?;
    }
    if kind == Kind::Project {
        (deleted.molecules, deleted.atoms) = forget(session, id)?;
        session.execute("DELETE FROM graph_deleted WHERE project_id = ?1", [id])?;
    }
    remove(session, kind, id)?;
    Ok(deleted)
}

/// The features and tasks in a container.
fn children(session: &Session<'_>, it: &Container) -> Result<(Vec<Id>, Vec<Id>), KnowledgeError> {
    let ids = |sql: &str| session.rows(sql, [it.id], |row| row.get::<_, Id>(0));
    Ok(match it.kind {
        Kind::Project => (
            ids("SELECT id FROM features WHERE project_id = ?1")?,
            ids("SELECT id FROM tasks WHERE project_id = ?1")?,
        ),
        Kind::Feature => (Vec::new(), ids("SELECT id FROM tasks WHERE feature_id = ?1")?),
        Kind::Task => {
            (Vec::new(), subtasks::below(session, it.id)?.iter().map(|subtask| subtask.id).collect())
        }
    })
}

fn remove(session: &Session<'_>, kind: Kind, id: Id) -> Result<(), KnowledgeError> {
    if kind != Kind::Project {
        containers::touch_linked(session, id)?;
        let it = rows::get(session, kind, id)?;
        if let Some(project) = it.project_id {
            deleted::bury(session, project, Grave { id, version: it.version, is_work: true })?;
        }
    }
    if kind == Kind::Task {
        // Its subtasks go as well, before or after it.
        session.execute("UPDATE tasks SET parent_id = NULL WHERE parent_id = ?1", [id])?;
    }
    session.execute(&format!("DELETE FROM {} WHERE id = ?1", rows::table(kind)), [id])?;
    Ok(())
}

/// Removes a project's molecules and atoms.
fn forget(session: &Session<'_>, project: Id) -> Result<(usize, usize), KnowledgeError> {
    session.execute(
        "DELETE FROM graph_changelog WHERE parent_id IN (SELECT id FROM graph_atoms WHERE project_id = ?1
           UNION ALL SELECT id FROM graph_molecules WHERE project_id = ?1)",
        [project],
    )?;
    let atoms = session.execute("DELETE FROM graph_atoms WHERE project_id = ?1", [project])?;
    let molecules = session.execute("DELETE FROM graph_molecules WHERE project_id = ?1", [project])?;
    Ok((molecules, atoms))
}
