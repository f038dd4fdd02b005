//! Tasks that are parts of a task, at any depth. They are always in the feature and on the board of the task that they
//! are parts of, and it cannot be closed before them.

use super::containers::Draft;
use super::rows;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind};
use crate::store::Session;
use rusqlite::params;

/// The parts of a task, the oldest first.
pub(crate) fn of(session: &Session<'_>, id: Id) -> Result<Vec<Container>, KnowledgeError> {
    rows::list(session, Kind::Task, "WHERE parent_id = ?1 ORDER BY created_at, id", [id])
}

/// The parts of a task, and theirs.
pub(crate) fn below(session: &Session<'_>, id: Id) -> Result<Vec<Container>, KnowledgeError> {
    let tail = "WHERE id IN (
       WITH RECURSIVE below(id) AS (
         SELECT id FROM tasks WHERE parent_id = ?1 UNION SELECT t.id FROM tasks t JOIN below b ON t.parent_id = b.id)
       SELECT id FROM below) ORDER BY created_at, id";
    rows::list(session, Kind::Task, tail, [id])
}

/// Puts a task under another. What ended takes no new parts, and nothing is a part of itself.
pub(crate) fn place(
    session: &Session<'_>,
    mut it: Container,
    parent: Id,
    is_new: bool,
    draft: &Draft,
) -> Result<Container, KnowledgeError> {
    let parent = rows::get(session, Kind::Task, parent)?;
    if is_new {
        if parent.status.is_terminal() {
            let text = format!("task \"{}\" is {}; it takes no subtasks", parent.name, parent.status.word());
            return Err(KnowledgeError::Operation(text));
        }
        if parent.id == it.id || below(session, it.id)?.iter().any(|task| task.id == parent.id) {
            let text = format!("task \"{}\" cannot be a subtask of itself", it.name);
            return Err(KnowledgeError::validation("parentId", text));
        }
    }
    let is_elsewhere = draft.feature_id.over(parent.feature_id) != parent.feature_id
        || draft.project_id.over(parent.project_id) != parent.project_id;
    if is_elsewhere {
        let text = format!(
            "\"{}\" is a subtask of \"{}\" and goes where that goes; set parentId to null to take it out",
            it.name, parent.name
        );
        return Err(KnowledgeError::Invariant(text));
    }
    (it.feature_id, it.project_id) = (parent.feature_id, parent.project_id);
    Ok(it)
}

/// Takes the parts of a task along to where it went.
pub(crate) fn follow(session: &Session<'_>, it: &Container) -> Result<(), KnowledgeError> {
    if it.kind != Kind::Task {
        return Ok(());
    }
    for subtask in below(session, it.id)? {
        if (subtask.feature_id, subtask.project_id) == (it.feature_id, it.project_id) {
            continue;
        }
        session.execute(
            "UPDATE tasks SET feature_id = ?2, project_id = ?3, version = version + 1, modified_at = ?4 WHERE id = ?1",
            params![subtask.id, it.feature_id, it.project_id, session.stamp()],
        )?;
    }
    Ok(())
}
