//! Files to rows: all of them, or, when one is wrong, none.

use super::document::Document;
use super::export::ExportedFile;
use super::reconcile::{Decision, Reconciled};
use super::units::{atom_of, id_of, molecule_of, wrong};
use super::work_import::WorkFile;
use super::{burial, marks, rows, travel};
use crate::bounds;
use crate::error::KnowledgeError;
use crate::graph::{atoms, deleted, molecules, related};
use crate::id::Id;
use crate::model::{Kind, Related, Unit};
use crate::store::{Session, Store, check_states};
use crate::wire::lenient::Loose;
use crate::work::rows as containers;
use rusqlite::params;
use serde::{Deserialize, Serialize};

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Things that were not there.
    pub created: usize,
    /// Things that said something else.
    pub changed: usize,
    /// Things that are as they were.
    pub unchanged: usize,
    /// Things that were written here since they were exported: left alone, by name.
    pub conflicts: Vec<String>,
    /// Things that are deleted, here or elsewhere, by name.
    pub deleted: Vec<String>,
    /// Things of these projects that no file has: left alone, by name.
    pub without_file: Vec<String>,
}

/// An entry of a changelog.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LogLine {
    id: Loose<String>,
    task_id: Loose<String>,
    summary: Loose<String>,
    created_at: Loose<String>,
}

impl Store {
    /// Reads what [`Store::export_knowledge`] wrote into a directory, and what people and merges made of it. What was
    /// written on both sides since the directory was last written or read is merged.
    pub fn import_knowledge(
        &self,
        directory: &str,
        files: &[ExportedFile],
    ) -> Result<Imported, KnowledgeError> {
        let mut documents = Vec::new();
        for file in files.iter().filter(|file| file.path.rsplit_once('.').is_some_and(|(_, end)| end == "md"))
        {
            documents.push((file.path.as_str(), Document::read(&file.path, &file.text).map_err(wrong)?));
        }
        self.write(|session| {
            let known = Reconciled::new(session, directory, &documents)?;
            let mut run =
                Run { session, files, known, done: Imported::default(), seen: Vec::new(), work: Vec::new() };
            for wanted in KINDS {
                for (path, document) in &documents {
                    let kind = document.text("kind").map_err(wrong)?;
                    match kind.as_str() {
                        known if known != wanted && KINDS.contains(&known) => {}
                        "project" => run.project(document)?,
                        "molecule" | "atom" | "feature" | "task" => run.unit(&documents, path, document)?,
                        "deleted" => run.project_of(&documents, path).map(|_| ())?,
                        other => return Err(wrong(document.wrong(format!("`{other}` is not a kind")))),
                    }
                }
            }
            run.bury(&documents)?;
            check_states(session)?;
            run.work.iter().try_for_each(|file| file.place(session))?;
            run.work.iter().try_for_each(|file| file.link(session))?;
            run.finish(&documents, directory)
        })
    }
}

/// What a file can be about, in the order in which they are read: each names only what comes before it.
const KINDS: [&str; 6] = ["project", "feature", "task", "molecule", "atom", "deleted"];

struct Run<'r> {
    session: &'r Session<'r>,
    files: &'r [ExportedFile],
    known: Reconciled,
    done: Imported,
    seen: Vec<Id>,
    /// Features and tasks that were taken, to be put where they belong.
    work: Vec<WorkFile>,
}

/// How a file is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    ByVersion,
    Take,
    Merge,
}

/// What becomes of a row.
enum ImportAction {
    Create,
    Change(i64),
    Leave,
}

impl Run<'_> {
    fn project(&mut self, document: &Document) -> Result<(), KnowledgeError> {
        let id = id_of(document, "id")?;
        let sql = "SELECT 1 FROM projects WHERE id = ?1";
        if self.session.first(sql, [id], |row| row.get::<_, i64>(0))?.is_some() {
            return Ok(());
        }
        let name = bounds::name("name", &document.text("name").map_err(wrong)?)?;
        let summary = document.text("summary").map_err(wrong)?;
        self.session.execute(
            "INSERT INTO projects (id, name, summary, created_at, modified_at, search_text)
             VALUES (?1, ?2, ?3, ?4, ?4, ?5)",
            params![id, name, summary, self.session.stamp(), format!("{name}\n{summary}").to_lowercase()],
        )?;
        Ok(())
    }

    /// The project of a file: the one of the directory it lies in.
    fn project_of(&self, documents: &[(&str, Document)], path: &str) -> Result<Id, KnowledgeError> {
        let dir = path.split('/').next().unwrap_or_default();
        let home = format!("{dir}/project.md");
        let project = documents.iter().find(|(path, _)| **path == home).map(|(_, document)| document);
        let project = project.ok_or_else(|| wrong(format!("{path}: there is no {home}")))?;
        let id = id_of(project, "id")?;
        containers::check_exists(self.session, Kind::Project, id)?;
        Ok(id)
    }

    /// Takes, merges or leaves an atom or molecule.
    fn unit(
        &mut self,
        documents: &[(&str, Document)],
        path: &str,
        document: &Document,
    ) -> Result<(), KnowledgeError> {
        let id = id_of(document, "id")?;
        self.seen.push(id);
        let text = self.files.iter().find(|file| file.path == path).map_or("", |file| &file.text);
        let name = document.text("name").map_err(wrong)?;
        let project = self.project_of(documents, path)?;
        let kind = document.text("kind").map_err(wrong)?;
        let decision = self.known.decide(id, text);
        let mut put = |document: &Document, way: Way| match kind.as_str() {
            "atom" => self.atom(project, document, way),
            "molecule" => self.molecule(project, document, way),
            "feature" => self.container(Kind::Feature, project, document, text, way),
            _ => self.container(Kind::Task, project, document, text, way),
        };
        match decision {
            Decision::ByVersion => put(document, Way::ByVersion),
            Decision::Take => put(document, Way::Take),
            Decision::Merge(merged) => put(&merged, Way::Merge),
            Decision::Leave => {
                self.done.unchanged += 1;
                Ok(())
            }
            Decision::Conflict => {
                self.done.conflicts.push(name);
                Ok(())
            }
            Decision::Deleted => {
                self.done.deleted.push(name);
                Ok(())
            }
        }
    }

    fn action(&mut self, name: &str, version: i64, current: Option<(i64, bool)>, way: Way) -> ImportAction {
        match current {
            None => {
                self.done.created += 1;
                ImportAction::Create
            }
            Some((_, true)) => {
                self.done.unchanged += 1;
                ImportAction::Leave
            }
            Some((now, false)) if way == Way::ByVersion && now > version => {
                self.done.conflicts.push(name.to_owned());
                ImportAction::Leave
            }
            // A new version, unless the file has one already.
            Some((now, false)) => {
                self.done.changed += 1;
                let least = if way == Way::Merge { now.max(version) + 1 } else { now + 1 };
                ImportAction::Change(version.max(least))
            }
        }
    }

    fn molecule(&mut self, project_id: Id, document: &Document, way: Way) -> Result<(), KnowledgeError> {
        let mut it = molecule_of(project_id, document)?;
        it.related.retain(|related| !self.known.deleted.contains(&related.id));
        let current = molecules::find(self.session, it.id)?;
        let is_same = current.as_ref().map(|now| (now.version, *now == it));
        match self.action(&it.name, it.version, is_same, way) {
            ImportAction::Leave => {}
            ImportAction::Create => rows::put_molecule(self.session, &it)?,
            ImportAction::Change(version) => {
                it.version = version;
                rows::put_molecule(self.session, &it)?;
            }
        }
        self.changelog(Unit::Molecule, it.id, document)
    }

    fn atom(&mut self, project: Id, document: &Document, way: Way) -> Result<(), KnowledgeError> {
        let mut it = atom_of(project, document)?;
        it.related.retain(|related| !self.known.deleted.contains(&related.id));
        it.molecule_id = it.molecule_id.filter(|molecule| !self.known.deleted.contains(molecule));
        let current = atoms::find(self.session, it.id)?;
        let is_same = current.as_ref().map(|now| (now.version, *now == it));
        let conflicts = self.done.conflicts.len();
        let action = self.action(&it.name, it.version, is_same, way);
        if let ImportAction::Change(version) = action {
            it.version = version;
        }
        if !matches!(action, ImportAction::Leave) {
            rows::put_atom(self.session, &it)?;
        }
        // What was said again elsewhere counts for the same text; a new text has only its own stamps.
        let is_new_text = !matches!(action, ImportAction::Leave) && way != Way::Merge;
        if self.done.conflicts.len() == conflicts {
            marks::read(self.session, it.id, self.files, is_new_text)?;
        }
        self.changelog(Unit::Atom, it.id, document)
    }

    /// A feature or task. What it is part of and linked with is set when all are there.
    fn container(
        &mut self,
        kind: Kind,
        project: Id,
        document: &Document,
        text: &str,
        way: Way,
    ) -> Result<(), KnowledgeError> {
        let mut file = WorkFile::read(kind, project, document)?;
        let it = &mut file.container;
        it.feature_id = it.feature_id.filter(|feature| !self.known.deleted.contains(feature));
        if let Some(feature) = it.feature_id {
            let of = containers::get(self.session, Kind::Feature, feature)?.project_id;
            if of != Some(project) {
                return Err(wrong(document.wrong(format!("feature {feature} belongs to another project"))));
            }
        }
        let is_same = way != Way::Merge && self.known.is_ours(it.id, text);
        let current = containers::find(self.session, kind, it.id)?.map(|now| (now.version, is_same));
        match self.action(&it.name, it.version, current, way) {
            ImportAction::Leave => return Ok(()),
            ImportAction::Create => {}
            ImportAction::Change(version) => it.version = version,
        }
        file.put(self.session)?;
        self.work.push(file);
        Ok(())
    }

    /// Adds the entries that are not there yet.
    fn changelog(&self, unit: Unit, parent: Id, document: &Document) -> Result<(), KnowledgeError> {
        for entry in document.entries::<LogLine>("changelog") {
            let entry = entry.0.unwrap_or_default();
            let text = |key: &str, found: Loose<String>| {
                let none = || wrong(document.wrong(format!("an entry of `changelog` has no `{key}`")));
                found.0.ok_or_else(none)
            };
            let id = bounds::id("id", &text("id", entry.id)?)?;
            let task = bounds::id("taskId", &text("taskId", entry.task_id)?)?;
            let summary = bounds::filled("summary", &text("summary", entry.summary)?, bounds::SUMMARY_BYTES)?;
            let created_at = text("createdAt", entry.created_at)?;
            self.session.execute(
                "INSERT OR IGNORE INTO graph_changelog (id, parent_type, parent_id, task_id, summary, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![id, unit, parent, task, summary, created_at],
            )?;
        }
        Ok(())
    }

    /// Deletes what was deleted elsewhere. What was written after that, here or there, stays.
    fn bury(&mut self, documents: &[(&str, Document)]) -> Result<(), KnowledgeError> {
        for (grave, is_deleted) in self.known.graves() {
            let id = grave.id;
            if !is_deleted {
                deleted::forget(self.session, id)?;
                continue;
            }
            if let Some(name) = self.bury_one(id, grave.version)? {
                self.done.deleted.push(name);
                continue;
            }
            let file = documents.iter().find(|(path, _)| path.contains(&format!("deleted/{id}.")));
            if let Some((path, _)) = file {
                deleted::bury(self.session, self.project_of(documents, path)?, grave)?;
            }
        }
        Ok(())
    }

    /// Deletes what there is of an id; its name.
    fn bury_one(&self, id: Id, version: i64) -> Result<Option<String>, KnowledgeError> {
        if let Some(it) = atoms::find(self.session, id)? {
            burial::bury(self.session, Unit::Atom, it.project_id, id, version)?;
            return Ok(Some(it.name));
        }
        if let Some(it) = molecules::find(self.session, id)? {
            burial::bury(self.session, Unit::Molecule, it.project_id, id, version)?;
            return Ok(Some(it.name));
        }
        if let Some(it) = containers::find_work(self.session, id)?
            && let Some(project) = it.project_id
        {
            burial::bury_work(self.session, &it, project, version)?;
            return Ok(Some(it.name));
        }
        Ok(None)
    }

    /// Checks what can only be checked when all is there, and names what has no file.
    fn finish(mut self, documents: &[(&str, Document)], directory: &str) -> Result<Imported, KnowledgeError> {
        let check = |unit, project, id, entries: &[Related]| {
            related::check(self.session, unit, project, Some(id), entries)
        };
        for (_, document) in documents {
            let id = id_of(document, "id")?;
            if let Some(it) = atoms::find(self.session, id)? {
                check(Unit::Atom, it.project_id, id, &it.related)?;
                if let Some(molecule) = it.molecule_id {
                    let of = molecules::get(self.session, molecule)?.project_id;
                    if of != it.project_id {
                        return Err(KnowledgeError::Invariant(format!(
                            "molecule {molecule} must belong to the same project"
                        )));
                    }
                }
            } else if let Some(it) = molecules::find(self.session, id)? {
                check(Unit::Molecule, it.project_id, id, &it.related)?;
            } else {
                // Work travels only where its files are.
                let has_work =
                    documents.iter().any(|(_, it)| it.text("kind").is_ok_and(|kind| kind == "task"));
                let sql = "SELECT id, name FROM graph_atoms WHERE project_id = ?1
                           UNION ALL SELECT id, name FROM graph_molecules WHERE project_id = ?1
                           UNION ALL SELECT id, name FROM features WHERE project_id = ?1 AND ?2
                           UNION ALL SELECT id, name FROM tasks WHERE project_id = ?1 AND ?2 ORDER BY 2, 1";
                let all = self.session.rows(sql, params![id, has_work], |row| {
                    Ok((row.get::<_, Id>(0)?, row.get::<_, String>(1)?))
                })?;
                let left = all.into_iter().filter(|(id, _)| !self.seen.contains(id)).map(|(_, name)| name);
                self.done.without_file.extend(left);
            }
        }
        for file in self.files {
            let name = documents.iter().find(|(path, _)| *path == file.path);
            let name = name.and_then(|(_, document)| document.text("name").ok());
            if !name.is_some_and(|name| self.done.conflicts.contains(&name)) {
                travel::put(self.session, directory, file)?;
            }
        }
        Ok(self.done)
    }
}
