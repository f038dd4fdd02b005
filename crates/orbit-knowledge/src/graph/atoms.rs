//! Atoms.

use super::stamps::{self, Kept};
use super::text;
use super::{changelog, deleted, molecules, related};
use crate::bounds::{self, KNOWLEDGE_BYTES, Page, Rows};
use crate::change::Change;
use crate::error::{Current, KnowledgeError};
use crate::glob::{self, PATTERNS};
use crate::id::Id;
use crate::model::{Atom, Kind, Mode, Related, Standing, Unit};
use crate::store::{Session, json, ranking};
use crate::work::rows;
use rusqlite::{Row, params};

/// What a caller says about an atom; `None` leaves it.
#[derive(Clone, Debug, Default)]
pub(crate) struct AtomDraft {
    pub(crate) name: Option<String>,
    pub(crate) paths: Option<Vec<String>>,
    pub(crate) knowledge: Option<String>,
    pub(crate) mode: Option<Mode>,
    /// Cleared, it is an orphan.
    pub(crate) molecule_id: Change<Id>,
    pub(crate) related: Option<Vec<Related>>,
    pub(crate) last_task_id: Option<Id>,
    /// In their canonical form where the code is known.
    pub(crate) anchors: Option<Vec<String>>,
    pub(crate) standing: Option<Standing>,
}

const COLUMNS: &str =
    "SELECT id, project_id, molecule_id, name, paths, knowledge, related_atoms, created_by_task_id,
   last_task_id, version, created_at, updated_at, anchors, status FROM graph_atoms";

fn atom(row: &Row<'_>) -> rusqlite::Result<Atom> {
    Ok(Atom {
        id: row.get(0)?,
        project_id: row.get(1)?,
        molecule_id: row.get(2)?,
        name: row.get(3)?,
        paths: json::read_paths(&row.get::<_, String>(4)?),
        knowledge: row.get(5)?,
        related: json::read_related(Unit::Atom, &row.get::<_, String>(6)?),
        created_by_task_id: row.get(7)?,
        last_task_id: row.get(8)?,
        version: row.get(9)?,
        created_at: row.get(10)?,
        updated_at: row.get(11)?,
        anchors: json::read_paths(&row.get::<_, String>(12)?),
        standing: row.get(13)?,
    })
}

pub(crate) fn check_paths(paths: &[String]) -> Result<(), KnowledgeError> {
    if paths.is_empty() {
        return Err(KnowledgeError::Invariant(
            "paths must not be empty: an atom without paths has no boundary".into(),
        ));
    }
    if paths.len() > PATTERNS {
        let text = format!("paths has {} patterns, {PATTERNS} are allowed", paths.len());
        return Err(KnowledgeError::validation("paths", text));
    }
    paths.iter().try_for_each(|pattern| glob::check("paths", pattern))
}

fn check_molecule(session: &Session<'_>, project: Id, id: Id) -> Result<(), KnowledgeError> {
    if molecules::get(session, id)?.project_id != project {
        return Err(KnowledgeError::Invariant(format!("molecule {id} must belong to the same project")));
    }
    Ok(())
}

/// An atom by id, if there is one.
pub(crate) fn find(session: &Session<'_>, id: Id) -> Result<Option<Atom>, KnowledgeError> {
    session.first(&format!("{COLUMNS} WHERE id = ?1"), [id], atom)
}

/// An atom by id.
pub(crate) fn get(session: &Session<'_>, id: Id) -> Result<Atom, KnowledgeError> {
    find(session, id)?.ok_or_else(|| KnowledgeError::not_found("atom", id))
}

fn get_at(session: &Session<'_>, id: Id, version: i64) -> Result<Atom, KnowledgeError> {
    let found = get(session, id)?;
    if found.version != version {
        return Err(KnowledgeError::Conflict { given: version, current: Box::new(Current::Atom(found)) });
    }
    Ok(found)
}

/// Makes an atom at version 1.
pub(crate) fn create(
    session: &Session<'_>,
    project: Id,
    task: Id,
    draft: &AtomDraft,
    kept: &Kept,
) -> Result<Atom, KnowledgeError> {
    rows::check_exists(session, Kind::Project, project)?;
    let name = bounds::name("name", draft.name.as_deref().unwrap_or_default())?;
    let paths = draft.paths.as_deref().unwrap_or_default();
    check_paths(paths)?;
    let knowledge =
        bounds::text("knowledge", draft.knowledge.as_deref().unwrap_or_default(), KNOWLEDGE_BYTES)?;
    let molecule = draft.molecule_id.value();
    if let Some(molecule) = molecule {
        check_molecule(session, project, molecule)?;
    }
    let related = draft.related.as_deref().unwrap_or_default();
    related::check(session, Unit::Atom, project, None, related)?;
    rows::check_task(session, task)?;
    let id = session.new_id();
    session.execute(
        "INSERT INTO graph_atoms (id, project_id, molecule_id, name, paths, knowledge, related_atoms,
           created_by_task_id, last_task_id, version, created_at, updated_at, anchors, status)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 1, ?9, ?9, ?10, ?11)",
        params![
            id,
            project,
            molecule,
            name,
            json::paths(paths),
            knowledge,
            json::related(Unit::Atom, related),
            task,
            session.stamp(),
            json::paths(draft.anchors.as_deref().unwrap_or_default()),
            draft.standing.unwrap_or(Standing::Confirmed)
        ],
    )?;
    stamps::put(session, id, kept)?;
    get(session, id)
}

/// Changes an atom that is still at the caller's version.
pub(crate) fn update(
    session: &Session<'_>,
    id: Id,
    version: i64,
    draft: &AtomDraft,
    kept: &Kept,
) -> Result<Atom, KnowledgeError> {
    let mut it = get_at(session, id, version)?;
    if let Some(name) = &draft.name {
        it.name = bounds::name("name", name)?;
    }
    if let Some(paths) = &draft.paths {
        check_paths(paths)?;
        it.paths.clone_from(paths);
    }
    if let Some(given) = &draft.knowledge {
        let mode = draft.mode.unwrap_or(Mode::Overwrite);
        it.knowledge = text::changed(session, &it.knowledge, given, mode, draft.last_task_id)?;
    }
    if let Change::Set(molecule) = draft.molecule_id {
        check_molecule(session, it.project_id, molecule)?;
    }
    it.molecule_id = draft.molecule_id.over(it.molecule_id);
    if let Some(entries) = &draft.related {
        related::check(session, Unit::Atom, it.project_id, Some(id), entries)?;
        it.related.clone_from(entries);
    }
    if let Some(task) = draft.last_task_id {
        rows::check_task(session, task)?;
        it.last_task_id = task;
    }
    session.execute(
        "UPDATE graph_atoms SET name = ?2, paths = ?3, knowledge = ?4, molecule_id = ?5, related_atoms = ?6,
           last_task_id = ?7, updated_at = ?8, anchors = ?9, version = version + 1 WHERE id = ?1",
        params![
            id,
            it.name,
            json::paths(&it.paths),
            it.knowledge,
            it.molecule_id,
            json::related(Unit::Atom, &it.related),
            it.last_task_id,
            session.stamp(),
            json::paths(draft.anchors.as_deref().unwrap_or(&it.anchors))
        ],
    )?;
    stamps::put(session, id, kept)?;
    get(session, id)
}

/// Says that an atom, read at the caller's version, still holds: its area is stamped anew, nothing else changes.
pub(crate) fn reaffirm(
    session: &Session<'_>,
    id: Id,
    version: i64,
    kept: &Kept,
) -> Result<Atom, KnowledgeError> {
    let it = get_at(session, id, version)?;
    stamps::add(session, id, kept)?;
    Ok(it)
}

/// Takes a proposed atom for true.
pub(crate) fn promote(
    session: &Session<'_>,
    id: Id,
    version: i64,
    task: Option<Id>,
) -> Result<Atom, KnowledgeError> {
    let it = get_at(session, id, version)?;
    if it.standing == Standing::Confirmed {
        return Err(KnowledgeError::Operation(format!("atom \"{}\" is confirmed already", it.name)));
    }
    if let Some(task) = task {
        rows::check_task(session, task)?;
    }
    session.execute(
        "UPDATE graph_atoms SET status = ?2, last_task_id = ?3, updated_at = ?4, version = version + 1 WHERE id = ?1",
        params![id, Standing::Confirmed, task.unwrap_or(it.last_task_id), session.stamp()],
    )?;
    get(session, id)
}

/// Deletes an atom that is still at the caller's version, with its changelog.
pub(crate) fn delete(session: &Session<'_>, id: Id, version: i64) -> Result<(), KnowledgeError> {
    let it = get_at(session, id, version)?;
    remove(session, id)?;
    deleted::keep(session, it.project_id, id, it.version)?;
    related::forget(session, Unit::Atom, it.project_id, id)
}

/// Removes an atom with its changelog.
pub(crate) fn remove(session: &Session<'_>, id: Id) -> Result<(), KnowledgeError> {
    changelog::remove(session, Unit::Atom, id)?;
    session.execute("DELETE FROM graph_atoms WHERE id = ?1", [id])?;
    Ok(())
}

/// The confirmed atoms of a molecule, by name.
pub(crate) fn of_molecule(session: &Session<'_>, molecule: Id) -> Result<Vec<Atom>, KnowledgeError> {
    let sql = format!("{COLUMNS} WHERE molecule_id = ?1 AND status = 'confirmed' ORDER BY name, id");
    session.rows(&sql, [molecule], atom)
}

/// The atoms of a project that stand like this, by name.
pub(crate) fn of_project(
    session: &Session<'_>,
    project: Id,
    standing: Standing,
) -> Result<Vec<Atom>, KnowledgeError> {
    let sql = format!("{COLUMNS} WHERE project_id = ?1 AND status = ?2 ORDER BY name, id");
    session.rows(&sql, params![project, standing], atom)
}

/// Ids and globs of the confirmed atoms of a project, by name: all that matching needs.
pub(crate) fn globs_of_project(
    session: &Session<'_>,
    project: Id,
) -> Result<Vec<(Id, Vec<String>)>, KnowledgeError> {
    let sql =
        "SELECT id, paths FROM graph_atoms WHERE project_id = ?1 AND status = 'confirmed' ORDER BY name, id";
    session.rows(sql, [project], |row| Ok((row.get(0)?, json::read_paths(&row.get::<_, String>(1)?))))
}

/// Id, name and globs of the confirmed atoms of all projects, by name.
pub(crate) fn all_globs(session: &Session<'_>) -> Result<Vec<(Id, String, Vec<String>)>, KnowledgeError> {
    let sql = "SELECT id, name, paths FROM graph_atoms WHERE status = 'confirmed' ORDER BY name, id";
    session.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?, json::read_paths(&row.get::<_, String>(2)?))))
}

/// Which atoms of a project are looked for.
#[derive(Clone, Copy)]
pub(crate) enum Members {
    Any,
    Of(Id),
    Orphans,
}

/// Atoms of a project: those with the words in name, knowledge, anchors or paths, the best first, then those with the text
/// anywhere; without a text all, by name.
pub(crate) fn search(
    session: &Session<'_>,
    project: Id,
    members: Members,
    text: Option<&str>,
    standing: Standing,
    page: Page,
) -> Result<Rows<Atom>, KnowledgeError> {
    rows::check_exists(session, Kind::Project, project)?;
    let mut found = of_project(session, project, standing)?;
    found.retain(|it| match members {
        Members::Any => true,
        Members::Of(molecule) => it.molecule_id == Some(molecule),
        Members::Orphans => it.molecule_id.is_none(),
    });
    if let Some(text) = text {
        let ranked = ranking::ranked(session, Unit::Atom.word(), text)?;
        found.retain(|it| ranked.contains(&it.id) || molecules::says(text, &it.name, &it.knowledge));
        ranking::sort_ranked(&mut found, &ranked, |it| it.id);
    }
    Ok(page.cut(found))
}
