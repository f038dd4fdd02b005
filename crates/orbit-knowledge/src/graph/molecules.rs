//! Molecules.

use super::text;
use super::{atoms, changelog, deleted, related};
use crate::bounds::{self, KNOWLEDGE_BYTES, Page, Rows};
use crate::error::{Current, KnowledgeError};
use crate::id::Id;
use crate::model::{Kind, Mode, Molecule, Related, Unit};
use crate::store::{Session, json, ranking};
use crate::work::rows;
use rusqlite::{Row, params};

/// What a caller says about a molecule; `None` leaves it.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoleculeDraft {
    pub(crate) name: Option<String>,
    pub(crate) knowledge: Option<String>,
    pub(crate) mode: Option<Mode>,
    pub(crate) related: Option<Vec<Related>>,
    pub(crate) last_task_id: Option<Id>,
}

const COLUMNS: &str =
    "SELECT id, project_id, name, knowledge, related_molecules, created_by_task_id, last_task_id,
   version, created_at, updated_at FROM graph_molecules";

fn molecule(row: &Row<'_>) -> rusqlite::Result<Molecule> {
    Ok(Molecule {
        id: row.get(0)?,
        project_id: row.get(1)?,
        name: row.get(2)?,
        knowledge: row.get(3)?,
        related: json::read_related(Unit::Molecule, &row.get::<_, String>(4)?),
        created_by_task_id: row.get(5)?,
        last_task_id: row.get(6)?,
        version: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
    })
}

/// A molecule by id, if there is one.
pub(crate) fn find(session: &Session<'_>, id: Id) -> Result<Option<Molecule>, KnowledgeError> {
    session.first(&format!("{COLUMNS} WHERE id = ?1"), [id], molecule)
}

/// A molecule by id.
pub(crate) fn get(session: &Session<'_>, id: Id) -> Result<Molecule, KnowledgeError> {
    find(session, id)?.ok_or_else(|| KnowledgeError::not_found("molecule", id))
}

fn get_at(session: &Session<'_>, id: Id, version: i64) -> Result<Molecule, KnowledgeError> {
    let found = get(session, id)?;
    if found.version != version {
        return Err(KnowledgeError::Conflict { given: version, current: Box::new(Current::Molecule(found)) });
    }
    Ok(found)
}

/// Makes a molecule at version 1.
pub(crate) fn create(
    session: &Session<'_>,
    project: Id,
    task: Id,
    draft: &MoleculeDraft,
) -> Result<Molecule, KnowledgeError> {
    rows::check_exists(session, Kind::Project, project)?;
    let name = bounds::name("name", draft.name.as_deref().unwrap_or_default())?;
    let knowledge =
        bounds::text("knowledge", draft.knowledge.as_deref().unwrap_or_default(), KNOWLEDGE_BYTES)?;
    let related = draft.related.as_deref().unwrap_or_default();
    related::check(session, Unit::Molecule, project, None, related)?;
    rows::check_task(session, task)?;
    let id = session.new_id();
    session.execute(
        "INSERT INTO graph_molecules (id, project_id, name, knowledge, related_molecules, created_by_task_id,
           last_task_id, version, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 1, ?7, ?7)",
        params![id, project, name, knowledge, json::related(Unit::Molecule, related), task, session.stamp()],
    )?;
    get(session, id)
}

/// Changes a molecule that is still at the caller's version.
pub(crate) fn update(
    session: &Session<'_>,
    id: Id,
    version: i64,
    draft: &MoleculeDraft,
) -> Result<Molecule, KnowledgeError> {
    let mut it = get_at(session, id, version)?;
    if let Some(name) = &draft.name {
        it.name = bounds::name("name", name)?;
    }
    if let Some(given) = &draft.knowledge {
        let mode = draft.mode.unwrap_or(Mode::Overwrite);
        it.knowledge = text::changed(session, &it.knowledge, given, mode, draft.last_task_id)?;
    }
    if let Some(entries) = &draft.related {
        related::check(session, Unit::Molecule, it.project_id, Some(id), entries)?;
        it.related.clone_from(entries);
    }
    if let Some(task) = draft.last_task_id {
        rows::check_task(session, task)?;
        it.last_task_id = task;
    }
    session.execute(
        "UPDATE graph_molecules SET name = ?2, knowledge = ?3, related_molecules = ?4, last_task_id = ?5,
           updated_at = ?6, version = version + 1 WHERE id = ?1",
        params![
            id,
            it.name,
            it.knowledge,
            json::related(Unit::Molecule, &it.related),
            it.last_task_id,
            session.stamp()
        ],
    )?;
    get(session, id)
}

/// Deletes a molecule with its changelog. Its atoms go along when `cascade` says so, else they become orphans, which
/// is a change of theirs like any other. Gives how many atoms that were.
pub(crate) fn delete(
    session: &Session<'_>,
    id: Id,
    version: i64,
    task: Option<Id>,
    cascade: bool,
) -> Result<usize, KnowledgeError> {
    let it = get_at(session, id, version)?;
    if let Some(task) = task {
        rows::check_task(session, task)?;
    }
    let members = atoms::of_molecule(session, id)?;
    if cascade {
        for atom in &members {
            atoms::remove(session, atom.id)?;
            related::forget(session, Unit::Atom, it.project_id, atom.id)?;
            deleted::keep(session, it.project_id, atom.id, atom.version)?;
        }
    }
    // With `cascade` only proposed atoms are left.
    session.execute(
        "UPDATE graph_atoms SET molecule_id = NULL, last_task_id = ?2, updated_at = ?3, version = version + 1
         WHERE molecule_id = ?1",
        params![id, task.unwrap_or(it.last_task_id), session.stamp()],
    )?;
    remove(session, id)?;
    related::forget(session, Unit::Molecule, it.project_id, id)?;
    deleted::keep(session, it.project_id, id, it.version)?;
    Ok(members.len())
}

/// Removes a molecule with its changelog.
pub(crate) fn remove(session: &Session<'_>, id: Id) -> Result<(), KnowledgeError> {
    changelog::remove(session, Unit::Molecule, id)?;
    session.execute("DELETE FROM graph_molecules WHERE id = ?1", [id])?;
    Ok(())
}

/// Molecules of a project: those with the words, the best first, then those with the text anywhere; without a text all, by
/// name.
pub(crate) fn search(
    session: &Session<'_>,
    project: Id,
    text: Option<&str>,
    page: Page,
) -> Result<Rows<Molecule>, KnowledgeError> {
    rows::check_exists(session, Kind::Project, project)?;
    let mut found =
        session.rows(&format!("{COLUMNS} WHERE project_id = ?1 ORDER BY name, id"), [project], molecule)?;
    if let Some(text) = text {
        let ranked = ranking::ranked(session, Unit::Molecule.word(), text)?;
        found.retain(|it| ranked.contains(&it.id) || says(text, &it.name, &it.knowledge));
        ranking::sort_ranked(&mut found, &ranked, |it| it.id);
    }
    Ok(page.cut(found))
}

/// Whether the text, in any case, stands in the name or the knowledge.
pub(crate) fn says(text: &str, name: &str, knowledge: &str) -> bool {
    let text = text.to_lowercase();
    name.to_lowercase().contains(&text) || knowledge.to_lowercase().contains(&text)
}
