//! Rows to files.

use super::document::Writer;
use super::{marks, work};
use crate::error::KnowledgeError;
use crate::graph::{atoms, changelog, deleted, molecules, stamps};
use crate::id::Id;
use crate::model::{Atom, ChangelogEntry, Container, Kind, Molecule, Standing, Unit};
use crate::store::{Session, Store};
use crate::wire::related;
use crate::work::rows;
use serde::Serialize;

/// What the file of a deleted feature or task says it was.
pub(super) const WORK: &str = "work";

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Relative to the directory of the export, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl Store {
    /// All knowledge of all projects as files, by path; with their features and tasks when asked for. Those of no project
    /// have no place among them.
    pub fn export_knowledge(&self, with_work: bool) -> Result<Vec<ExportedFile>, KnowledgeError> {
        self.read(|session| all(session, with_work))
    }
}

/// All files, by path.
pub(super) fn all(session: &Session<'_>, with_work: bool) -> Result<Vec<ExportedFile>, KnowledgeError> {
    let projects: Vec<Id> = session.rows("SELECT id FROM projects ORDER BY id", [], |row| row.get(0))?;
    let mut files = Vec::new();
    for project in projects {
        export_project(session, project, with_work, &mut files)?;
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn export_project(
    session: &Session<'_>,
    id: Id,
    with_work: bool,
    files: &mut Vec<ExportedFile>,
) -> Result<(), KnowledgeError> {
    let project = rows::get(session, Kind::Project, id)?;
    let dir = file_name(&project.name, id);
    files.push(ExportedFile { path: format!("{dir}/project.md"), text: project_text(&project) });
    // The same wherever it was deleted, so that two who did never conflict.
    for it in deleted::of(session, Some(id))?.iter().filter(|it| with_work || !it.is_work) {
        let mut out = Writer::new();
        out.value("kind", "deleted").value("id", it.id).value("version", it.version);
        if it.is_work {
            out.value("of", WORK);
        }
        let path = format!("{dir}/deleted/{}.{}.md", it.id, it.version);
        files.push(ExportedFile { path, text: out.prose("") });
        // A file that stays, empty, is never deleted on one branch and changed on another.
        if !it.is_work {
            files.push(ExportedFile { path: format!("{dir}/marks/{}.jsonl", it.id), text: String::new() });
        }
    }
    if with_work {
        work::export(session, &dir, id, files)?;
    }
    let ids: Vec<Id> =
        session.rows("SELECT id FROM graph_molecules WHERE project_id = ?1 ORDER BY id", [id], |row| {
            row.get(0)
        })?;
    for molecule in ids {
        let it = molecules::get(session, molecule)?;
        let log = oldest_first(session, Unit::Molecule, molecule)?;
        let path = format!("{dir}/molecules/{}.md", file_name(&it.name, it.id));
        files.push(ExportedFile { path, text: molecule_text(&it, &log) });
    }
    for standing in [Standing::Confirmed, Standing::Proposed] {
        for it in atoms::of_project(session, id, standing)? {
            let log = oldest_first(session, Unit::Atom, it.id)?;
            let name = file_name(&it.name, it.id);
            files.push(ExportedFile { path: format!("{dir}/atoms/{name}.md"), text: atom_text(&it, &log) });
            let path = format!("{dir}/marks/{}.jsonl", it.id);
            let mut stamps = stamps::of(session, it.id)?.unwrap_or_default();
            stamps.sort_by(|a, b| a.id.cmp(&b.id));
            files.push(ExportedFile { path, text: stamps.iter().map(marks::write).collect() });
        }
    }
    Ok(())
}

fn oldest_first(session: &Session<'_>, unit: Unit, id: Id) -> Result<Vec<ChangelogEntry>, KnowledgeError> {
    let mut entries = changelog::latest(session, unit, id, i64::MAX, 0)?;
    entries.reverse();
    Ok(entries)
}

/// A name for people and the beginning of the id for certainty.
pub(super) fn file_name(name: &str, id: Id) -> String {
    let mut slug = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
        if slug.len() > 40 {
            break;
        }
    }
    let id = id.to_string();
    format!("{}{}{}", slug.trim_end_matches('-'), if slug.is_empty() { "" } else { "-" }, &id[..8])
}

fn project_text(it: &Container) -> String {
    let mut out = Writer::new();
    out.value("kind", Kind::Project).value("id", it.id).value("name", &it.name).value("summary", &it.summary);
    out.prose("")
}

/// An entry of a changelog.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogLine<'e> {
    id: Id,
    task_id: Id,
    created_at: &'e str,
    summary: &'e str,
}

fn log_lines(log: &[ChangelogEntry]) -> impl Iterator<Item = LogLine<'_>> {
    log.iter().map(|it| LogLine {
        id: it.id,
        task_id: it.task_id,
        created_at: &it.created_at,
        summary: &it.summary,
    })
}

fn molecule_text(it: &Molecule, log: &[ChangelogEntry]) -> String {
    let mut out = Writer::new();
    out.value("kind", Unit::Molecule)
        .value("id", it.id)
        .value("name", &it.name)
        .value("version", it.version)
        .value("createdByTaskId", it.created_by_task_id)
        .value("lastTaskId", it.last_task_id)
        .value("createdAt", &it.created_at)
        .value("updatedAt", &it.updated_at)
        .list("relatedMolecules", related::plain(Unit::Molecule, &it.related))
        .list("changelog", log_lines(log));
    out.prose(&it.knowledge)
}

fn atom_text(it: &Atom, log: &[ChangelogEntry]) -> String {
    let mut out = Writer::new();
    out.value("kind", Unit::Atom)
        .value("id", it.id)
        .value("name", &it.name)
        .value("moleculeId", it.molecule_id)
        .value("status", it.standing)
        .value("version", it.version)
        .value("createdByTaskId", it.created_by_task_id)
        .value("lastTaskId", it.last_task_id)
        .value("createdAt", &it.created_at)
        .value("updatedAt", &it.updated_at)
        .list("paths", &it.paths)
        .list("anchors", &it.anchors)
        .list("relatedAtoms", related::plain(Unit::Atom, &it.related))
        .list("changelog", log_lines(log));
    out.prose(&it.knowledge)
}
