//! Finding things by what people type: an id, the beginning of one, or a name.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Kind, Unit};
use crate::store::Store;
use rusqlite::params;

/// The least letters of an id's beginning.
const LEAST: usize = 4;

/// Something found, and the version it is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// Its id.
    pub id: Id,
    /// To be given with a change.
    pub version: i64,
    /// Its name.
    pub name: String,
}

impl Store {
    /// A project, feature or task.
    pub fn find_container(&self, kind: Kind, text: &str) -> Result<Handle, KnowledgeError> {
        let table = match kind {
            Kind::Project => "projects",
            Kind::Feature => "features",
            Kind::Task => "tasks",
        };
        self.find(kind.word(), table, text)
    }

    /// A comment on something, by its id or the beginning of it.
    pub fn find_comment(&self, owner: Id, text: &str) -> Result<Id, KnowledgeError> {
        let begin = text.trim().to_lowercase();
        let said = self.read(|session| crate::work::comments::of(session, owner))?;
        let mut found = said.iter().map(|comment| comment.id).filter(|id| id.to_string().starts_with(&begin));
        match (found.next(), found.next()) {
            (Some(id), None) if begin.len() >= LEAST => Ok(id),
            (Some(_), Some(_)) => {
                Err(KnowledgeError::validation("comment", format!("`{begin}` fits several comments")))
            }
            _ => Err(KnowledgeError::not_found("comment", text)),
        }
    }

    /// An atom or molecule.
    pub fn find_unit(&self, unit: Unit, text: &str) -> Result<Handle, KnowledgeError> {
        let table = match unit {
            Unit::Atom => "graph_atoms",
            Unit::Molecule => "graph_molecules",
        };
        self.find(unit.word(), table, text)
    }

    /// The only project there is.
    pub fn only_project(&self) -> Result<Handle, KnowledgeError> {
        let found =
            self.handles("SELECT id, version, name FROM projects ORDER BY name, id LIMIT ?1", "10")?;
        match &found[..] {
            [] => Err(KnowledgeError::validation(
                "project",
                "there is no project yet: make one with `orbit project create NAME`",
            )),
            [only] => Ok(only.clone()),
            several => Err(several_fit("project", "there are several", several)),
        }
    }

    fn find(&self, what: &'static str, table: &str, text: &str) -> Result<Handle, KnowledgeError> {
        let text = text.trim();
        if let Some(id) = Id::parse(text) {
            let sql = format!("SELECT id, version, name FROM {table} WHERE id = ?1");
            let found = self.handles(&sql, &id.to_string())?;
            return found.into_iter().next().ok_or_else(|| KnowledgeError::not_found(what, id));
        }
        let sql = format!(
            "SELECT id, version, name FROM {table} WHERE name = ?1 COLLATE NOCASE ORDER BY id LIMIT 10"
        );
        let mut found = self.handles(&sql, text)?;
        let is_beginning =
            text.len() >= LEAST && text.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
        if found.is_empty() && is_beginning {
            let sql =
                format!("SELECT id, version, name FROM {table} WHERE id LIKE ?1 || '%' ORDER BY id LIMIT 10");
            found = self.handles(&sql, &text.to_lowercase())?;
        }
        match &found[..] {
            [] => Err(KnowledgeError::NotFound { what, id: text.to_owned() }),
            [only] => Ok(only.clone()),
            several => Err(several_fit(what, &format!("`{text}` fits several"), several)),
        }
    }

    fn handles(&self, sql: &str, text: &str) -> Result<Vec<Handle>, KnowledgeError> {
        self.read(|session| {
            session.rows(sql, params![text], |row| {
                Ok(Handle { id: row.get(0)?, version: row.get(1)?, name: row.get(2)? })
            })
        })
    }
}

fn several_fit(field: &'static str, why: &str, several: &[Handle]) -> KnowledgeError {
    let list: Vec<String> = several.iter().map(|it| format!("{} \"{}\"", it.id, it.name)).collect();
    KnowledgeError::validation(field, format!("{why}; name one: {}", list.join(", ")))
}
