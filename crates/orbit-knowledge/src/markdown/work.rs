//! Features and tasks as files: where they stand, what they wait for, their sections, what was said, and every move.
//! Claims and reservations are leases of this clone, and stay.

use super::document::Writer;
use super::export::{ExportedFile, file_name};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Format, Kind, Link, Section, Status, Transition, Trigger};
use crate::store::Session;
use crate::work::{comments, rows, sections, transitions};
use rusqlite::params;
use serde::{Deserialize, Serialize};

/// A section as a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SectionLine {
    pub(super) id: String,
    pub(super) ordinal: i64,
    pub(super) title: String,
    pub(super) usage_description: String,
    pub(super) content_format: String,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    pub(super) version: i64,
    pub(super) created_at: String,
    pub(super) modified_at: String,
    pub(super) content: String,
}

/// A comment as a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentLine {
    pub(super) id: String,
    pub(super) created_at: String,
    pub(super) actor: Option<String>,
    pub(super) text: String,
}

/// A move as a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MoveLine {
    pub(super) at: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) trigger: String,
    pub(super) actor: Option<String>,
    pub(super) reason: Option<String>,
}

impl MoveLine {
    pub(super) fn of(it: &Transition) -> MoveLine {
        MoveLine {
            at: it.at.clone(),
            from: it.from.word().to_owned(),
            to: it.to.word().to_owned(),
            trigger: it.trigger.word().to_owned(),
            actor: it.actor.clone(),
            reason: it.reason.clone(),
        }
    }

    /// `None` when a word is not one of ours.
    pub(super) fn read(self) -> Option<Transition> {
        use crate::words::Word as _;
        Some(Transition {
            from: Status::parse(&self.from)?,
            to: Status::parse(&self.to)?,
            trigger: Trigger::parse(&self.trigger)?,
            actor: self.actor,
            at: self.at,
            reason: self.reason,
        })
    }
}

impl SectionLine {
    fn of(it: Section) -> SectionLine {
        SectionLine {
            id: it.id.to_string(),
            ordinal: it.ordinal,
            title: it.title,
            usage_description: it.usage_description,
            content_format: it.format.word().to_owned(),
            tags: it.tags,
            version: it.version,
            created_at: it.created_at,
            modified_at: it.modified_at,
            content: it.content,
        }
    }

    pub(super) fn format(&self) -> Option<Format> {
        use crate::words::Word as _;
        Format::parse(&self.content_format)
    }
}

/// Adds the features and tasks of a project.
pub(super) fn export(
    session: &Session<'_>,
    dir: &str,
    project: Id,
    files: &mut Vec<ExportedFile>,
) -> Result<(), KnowledgeError> {
    for (kind, folder) in [(Kind::Feature, "features"), (Kind::Task, "tasks")] {
        for it in rows::list(session, kind, "WHERE project_id = ?1 ORDER BY id", [project])? {
            let path = format!("{dir}/{folder}/{}.md", file_name(&it.name, it.id));
            files.push(ExportedFile { path, text: text(session, &it)? });
        }
    }
    Ok(())
}

fn text(session: &Session<'_>, it: &Container) -> Result<String, KnowledgeError> {
    let mut out = Writer::new();
    out.value("kind", it.kind).value("id", it.id).value("name", &it.name).value("summary", &it.summary);
    out.value("status", it.status).value("priority", it.priority);
    if it.kind == Kind::Task {
        out.value("complexity", it.complexity)
            .value("featureId", it.feature_id)
            .value("parentId", it.parent_id);
    }
    out.value("isHeld", it.is_held)
        .value("blockedReason", &it.blocked_reason)
        .value("version", it.version)
        .value("createdAt", &it.created_at)
        .value("updatedAt", &it.modified_at)
        .list("tags", &it.tags)
        .list("blockedBy", &it.blocked_by)
        .list("relatedTo", own_relations(session, it.id)?)
        .list("discoveredFrom", &it.discovered_from)
        .list("sections", sections::of(session, it.id)?.into_iter().map(SectionLine::of))
        .list("comments", comment_lines(session, it.id)?)
        .list("history", moves(session, it.id)?.iter().map(MoveLine::of));
    Ok(out.prose(it.description.as_deref().unwrap_or_default()))
}

fn comment_lines(session: &Session<'_>, id: Id) -> Result<Vec<CommentLine>, KnowledgeError> {
    let line = |it: crate::model::Comment| CommentLine {
        id: it.id.to_string(),
        created_at: it.created_at,
        actor: it.actor,
        text: it.text,
    };
    Ok(comments::of(session, id)?.into_iter().map(line).collect())
}

/// Every move, the oldest first.
pub(super) fn moves(session: &Session<'_>, id: Id) -> Result<Vec<Transition>, KnowledgeError> {
    let (mut kept, _) = transitions::history(session, id, i64::MAX)?;
    kept.reverse();
    Ok(kept)
}

/// What it relates to, of the links that began here: each stands in one file.
fn own_relations(session: &Session<'_>, id: Id) -> Result<Vec<Id>, KnowledgeError> {
    let sql = "SELECT to_id FROM links WHERE from_id = ?1 AND link = ?2 ORDER BY to_id";
    session.rows(sql, params![id, Link::RelatesTo], |row| row.get(0))
}
