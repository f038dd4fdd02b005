//! Features and tasks from files. Rows come first; what they are part of, wait for and relate to is set when all are there.

use super::document::Document;
use super::units::{id_of, wrong};
use super::work::{self, CommentLine, MoveLine, SectionLine};
use crate::bounds::{self, TEXT_BYTES};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Comment, Container, Kind, Link, Status, Transition};
use crate::store::Session;
use crate::words::Word;
use crate::work::{comments, links, rows, subtasks, tags};
use rusqlite::params;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// A feature or task as a file has it.
pub(super) struct WorkFile {
    pub(super) container: Container,
    sections: Vec<SectionLine>,
    comments: Vec<Comment>,
    moves: Vec<Transition>,
}

impl WorkFile {
    pub(super) fn read(kind: Kind, project: Id, document: &Document) -> Result<WorkFile, KnowledgeError> {
        let sections: Vec<SectionLine> = lines(document, "sections")?;
        if sections.iter().any(|section| section.format().is_none() || Id::parse(&section.id).is_none()) {
            return Err(wrong(document.wrong("an entry of `sections` has a bad `id` or `contentFormat`")));
        }
        let comment = |line: CommentLine| {
            let id = bounds::id("id", &line.id)?;
            let text = bounds::filled("comment", &line.text, TEXT_BYTES)?;
            Ok(Comment { id, actor: line.actor, created_at: line.created_at, text })
        };
        let said = lines(document, "comments")?.into_iter().map(comment);
        let step = |line: MoveLine| {
            line.read().ok_or_else(|| wrong(document.wrong("an entry of `history` has an unknown word")))
        };
        let moves = lines(document, "history")?.into_iter().map(step).collect::<Result<_, _>>()?;
        let comments = said.collect::<Result<_, KnowledgeError>>()?;
        Ok(WorkFile { container: container(kind, project, document)?, sections, comments, moves })
    }

    /// Writes the row with what belongs to it alone.
    pub(super) fn put(&self, session: &Session<'_>) -> Result<(), KnowledgeError> {
        let it = &self.container;
        write(session, it)?;
        tags::set(session, it.kind, it.id, &it.tags)?;
        session.execute("DELETE FROM sections WHERE owner_id = ?1", [it.id])?;
        // Two that were added on two branches have one ordinal.
        for (ordinal, section) in self.sections.iter().enumerate() {
            session.execute(
                "INSERT OR REPLACE INTO sections (id, owner_kind, owner_id, title, usage_description, content, format,
                   ordinal, tags, version, created_at, modified_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                params![
                    Id::parse(&section.id),
                    it.kind,
                    it.id,
                    bounds::name("title", &section.title)?,
                    section.usage_description,
                    section.content,
                    section.format(),
                    ordinal as i64,
                    bounds::tags(&section.tags)?.join(","),
                    section.version,
                    section.created_at,
                    section.modified_at
                ],
            )?;
        }
        session.execute("DELETE FROM comments WHERE owner_id = ?1", [it.id])?;
        for comment in &self.comments {
            comments::put(session, it.kind, it.id, comment)?;
        }
        if it.status.is_terminal() {
            session.execute("DELETE FROM claims WHERE entity_id = ?1", [it.id])?;
            session.execute("DELETE FROM reservations WHERE task_id = ?1", [it.id])?;
        }
        self.keep_moves(session)
    }

    /// Every move that either side knows, in the order of time.
    fn keep_moves(&self, session: &Session<'_>) -> Result<(), KnowledgeError> {
        let it = &self.container;
        let mut all = self.moves.clone();
        let known: BTreeSet<String> = all.iter().map(|step| format!("{:?}", MoveLine::of(step))).collect();
        let own = work::moves(session, it.id)?;
        all.extend(own.into_iter().filter(|step| !known.contains(&format!("{:?}", MoveLine::of(step)))));
        all.sort_by(|a, b| a.at.cmp(&b.at));
        session.execute("DELETE FROM transitions WHERE entity_id = ?1", [it.id])?;
        for step in all {
            session.execute(
                "INSERT INTO transitions (entity_kind, entity_id, actor, at, from_status, to_status, \"trigger\", reason)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![it.kind, it.id, step.actor, step.at, step.from, step.to, step.trigger, step.reason],
            )?;
        }
        Ok(())
    }

    /// Puts it under its task. One that is gone is left out.
    pub(super) fn place(&self, session: &Session<'_>) -> Result<(), KnowledgeError> {
        let it = &self.container;
        let parent = match it.parent_id {
            Some(parent) => rows::find(session, Kind::Task, parent)?.map(|parent| parent.id),
            None => None,
        };
        if it.kind == Kind::Task {
            session.execute("UPDATE tasks SET parent_id = ?2 WHERE id = ?1", params![it.id, parent])?;
        }
        Ok(())
    }

    /// Sets what it waits for, relates to and came up in, and checks that it waits for nothing that waits for it.
    pub(super) fn link(&self, session: &Session<'_>) -> Result<(), KnowledgeError> {
        let it = &self.container;
        if subtasks::below(session, it.id)?.iter().any(|task| task.id == it.id) {
            let text = format!("task \"{}\" is a subtask of itself: change `parentId` in a file", it.name);
            return Err(wrong(text));
        }
        session.execute(
            "DELETE FROM links WHERE (to_id = ?1 AND link = 'BLOCKS') OR (from_id = ?1 AND link <> 'BLOCKS')",
            [it.id],
        )?;
        for id in &it.blocked_by {
            // Closed on another branch, it frees what came to wait for it on this one.
            if let Some(blocker) = rows::find_work(session, *id)?.filter(|it| it.status != Status::Closed) {
                links::add(session, Link::Blocks, &blocker, it)?;
            }
        }
        for (link, ids) in [(Link::RelatesTo, &it.related_to), (Link::DiscoveredFrom, &it.discovered_from)] {
            for id in ids {
                if let Some(other) = rows::find_work(session, *id)? {
                    links::add(session, link, it, &other)?;
                }
            }
        }
        links::refuse_cycle(session, it)?;
        // A part that was made on one branch goes with a whole that was moved on another.
        if it.parent_id.is_none() { subtasks::follow(session, it) } else { Ok(()) }
    }
}

fn lines<T: DeserializeOwned>(document: &Document, key: &str) -> Result<Vec<T>, KnowledgeError> {
    let read = |value: &serde_json::Value| serde_json::from_value(value.clone());
    let found: Result<Vec<T>, _> = document.lists.get(key).into_iter().flatten().map(read).collect();
    found.map_err(|error| wrong(document.wrong(format!("an entry of `{key}`: {error}"))))
}

fn word<W: Word>(document: &Document, key: &str) -> Result<W, KnowledgeError> {
    let text = document.text(key).map_err(wrong)?;
    W::parse(&text)
        .ok_or_else(|| wrong(document.wrong(format!("`{key}` must be one of {}; got `{text}`", W::listed()))))
}

fn ids(document: &Document, key: &str) -> Result<Vec<Id>, KnowledgeError> {
    let texts = document.texts(key).map_err(wrong)?;
    let read = |text: &String| {
        Id::parse(text).ok_or_else(|| wrong(document.wrong(format!("`{key}` must hold UUIDs"))))
    };
    texts.iter().map(read).collect()
}

fn maybe_id(document: &Document, key: &str) -> Result<Option<Id>, KnowledgeError> {
    if document.maybe_text(key).map_err(wrong)?.is_none() {
        return Ok(None);
    }
    id_of(document, key).map(Some)
}

fn container(kind: Kind, project: Id, document: &Document) -> Result<Container, KnowledgeError> {
    let is_task = kind == Kind::Task;
    let text = |key| document.text(key).map_err(wrong);
    let complexity = if is_task { document.number("complexity").map_err(wrong)? } else { 0 };
    if is_task && !(1..=10).contains(&complexity) {
        return Err(wrong(document.wrong("`complexity` must be 1 to 10")));
    }
    let description = bounds::text("description", &document.prose, TEXT_BYTES)?;
    Ok(Container {
        kind,
        id: id_of(document, "id")?,
        project_id: Some(project),
        feature_id: if is_task { maybe_id(document, "featureId")? } else { None },
        parent_id: if is_task { maybe_id(document, "parentId")? } else { None },
        name: bounds::name("name", &text("name")?)?,
        summary: bounds::filled("summary", &text("summary")?, TEXT_BYTES)?,
        description: Some(description).filter(|text| !text.is_empty()),
        status: word(document, "status")?,
        priority: word(document, "priority")?,
        complexity,
        blocked_by: ids(document, "blockedBy")?,
        is_held: document.values.get("isHeld").and_then(serde_json::Value::as_bool).unwrap_or_default(),
        blocked_reason: document.maybe_text("blockedReason").map_err(wrong)?,
        related_to: ids(document, "relatedTo")?,
        discovered_from: ids(document, "discoveredFrom")?,
        tags: bounds::tags(&document.texts("tags").map_err(wrong)?)?,
        claim: None,
        version: document.number("version").map_err(wrong)?,
        created_at: text("createdAt")?,
        modified_at: text("updatedAt")?,
    })
}

/// The row of a feature or task, version and times included, in nothing yet.
fn write(session: &Session<'_>, it: &Container) -> Result<(), KnowledgeError> {
    let text = format!("{}\n{}\n{}", it.name, it.summary, it.description.as_deref().unwrap_or_default());
    let (table, more, values, set) = match it.kind {
        Kind::Task => {
            ("tasks", ", complexity, feature_id", ", ?14, ?15", ", complexity = ?14, feature_id = ?15")
        }
        _ => ("features", "", "", ""),
    };
    let sql = format!(
        "INSERT INTO {table} (id, project_id, name, summary, description, status, priority, is_held, blocked_reason,
           version, created_at, modified_at, search_text{more})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13{values})
         ON CONFLICT (id) DO UPDATE SET project_id = ?2, name = ?3, summary = ?4, description = ?5, status = ?6,
           priority = ?7, is_held = ?8, blocked_reason = ?9, version = ?10, modified_at = ?12, search_text = ?13{set}"
    );
    let (search, common) = (text.to_lowercase(), 13);
    let columns: [&dyn rusqlite::ToSql; 15] = [
        &it.id,
        &it.project_id,
        &it.name,
        &it.summary,
        &it.description,
        &it.status,
        &it.priority,
        &it.is_held,
        &it.blocked_reason,
        &it.version,
        &it.created_at,
        &it.modified_at,
        &search,
        &it.complexity,
        &it.feature_id,
    ];
    let count = if it.kind == Kind::Task { columns.len() } else { common };
    session.execute(&sql, &columns[..count])?;
    Ok(())
}
