//! Titled texts of containers, in an order of their own.

use super::rows;
use crate::bounds::{self, TEXT_BYTES};
use crate::error::{Current, KnowledgeError};
use crate::id::Id;
use crate::model::{Format, Kind, Section};
use crate::store::Session;
use rusqlite::{Row, params};

/// What a caller says about a section; `None` leaves it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SectionDraft {
    pub(crate) title: Option<String>,
    pub(crate) usage_description: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) format: Option<Format>,
    pub(crate) ordinal: Option<i64>,
    pub(crate) tags: Option<Vec<String>>,
}

const COLUMNS: &str =
    "SELECT id, owner_kind, owner_id, title, usage_description, content, format, ordinal, tags, version,
   created_at, modified_at FROM sections";

fn section(row: &Row<'_>) -> rusqlite::Result<Section> {
    Ok(Section {
        id: row.get(0)?,
        owner_kind: row.get(1)?,
        owner_id: row.get(2)?,
        title: row.get(3)?,
        usage_description: row.get(4)?,
        content: row.get(5)?,
        format: row.get(6)?,
        ordinal: row.get(7)?,
        tags: split_tags(&row.get::<_, String>(8)?),
        version: row.get(9)?,
        created_at: row.get(10)?,
        modified_at: row.get(11)?,
    })
}

/// Tags as a row of a section or template keeps them.
pub(crate) fn split_tags(text: &str) -> Vec<String> {
    text.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// The sections of a container, by ordinal.
pub(crate) fn of(session: &Session<'_>, owner: Id) -> Result<Vec<Section>, KnowledgeError> {
    session.rows(&format!("{COLUMNS} WHERE owner_id = ?1 ORDER BY ordinal"), [owner], section)
}

fn get(session: &Session<'_>, id: Id) -> Result<Section, KnowledgeError> {
    let found = session.first(&format!("{COLUMNS} WHERE id = ?1"), [id], section)?;
    found.ok_or_else(|| KnowledgeError::not_found("section", id))
}

fn get_at(session: &Session<'_>, id: Id, version: i64) -> Result<Section, KnowledgeError> {
    let found = get(session, id)?;
    if found.version != version {
        return Err(KnowledgeError::Conflict { given: version, current: Box::new(Current::Section(found)) });
    }
    Ok(found)
}

/// Adds a section at its ordinal, or after the last.
pub(crate) fn add(
    session: &Session<'_>,
    kind: Kind,
    owner: Id,
    draft: &SectionDraft,
) -> Result<Section, KnowledgeError> {
    rows::check_exists(session, kind, owner)?;
    let after_last =
        session.count("SELECT coalesce(max(ordinal) + 1, 0) FROM sections WHERE owner_id = ?1", [owner])?;
    let needed = |field, given: &Option<String>| {
        given.clone().ok_or_else(|| KnowledgeError::missing(field, "a new section"))
    };
    let blank = Section {
        id: session.new_id(),
        owner_kind: kind,
        owner_id: owner,
        title: needed("title", &draft.title)?,
        usage_description: needed("usageDescription", &draft.usage_description)?,
        content: needed("content", &draft.content)?,
        format: Format::Markdown,
        ordinal: after_last,
        tags: Vec::new(),
        version: 0,
        created_at: session.stamp(),
        modified_at: session.stamp(),
    };
    let made = merge(session, blank, draft)?;
    session.execute(
        "INSERT INTO sections (id, title, usage_description, content, format, ordinal, tags, modified_at, owner_kind,
           owner_id, created_at, version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?8, 1)",
        params![
            made.id, made.title, made.usage_description, made.content, made.format, made.ordinal,
            made.tags.join(","), made.modified_at, kind, owner
        ],
    )?;
    get(session, made.id)
}

/// Changes a section that is still at the caller's version.
pub(crate) fn update(
    session: &Session<'_>,
    id: Id,
    version: i64,
    draft: &SectionDraft,
) -> Result<Section, KnowledgeError> {
    let it = merge(session, get_at(session, id, version)?, draft)?;
    session.execute(
        "UPDATE sections SET title = ?2, usage_description = ?3, content = ?4, format = ?5, ordinal = ?6, tags = ?7,
           modified_at = ?8, version = version + 1 WHERE id = ?1",
        params![
            it.id, it.title, it.usage_description, it.content, it.format, it.ordinal, it.tags.join(","),
            session.stamp()
        ],
    )?;
    get(session, id)
}

fn merge(session: &Session<'_>, mut it: Section, draft: &SectionDraft) -> Result<Section, KnowledgeError> {
    it.title = bounds::name("title", draft.title.as_ref().unwrap_or(&it.title))?;
    let usage = draft.usage_description.as_ref().unwrap_or(&it.usage_description);
    it.usage_description = bounds::filled("usageDescription", usage, TEXT_BYTES)?;
    if let Some(content) = &draft.content {
        bounds::filled("content", content, TEXT_BYTES)?;
        it.content.clone_from(content);
    }
    it.format = draft.format.unwrap_or(it.format);
    if let Some(tags) = &draft.tags {
        it.tags = bounds::tags(tags)?;
    }
    if let Some(ordinal) = draft.ordinal {
        if ordinal < 0 {
            return Err(KnowledgeError::validation("ordinal", "ordinal must not be negative"));
        }
        let sql = format!("{COLUMNS} WHERE owner_id = ?1 AND ordinal = ?2 AND id <> ?3");
        if let Some(other) = session.first(&sql, params![it.owner_id, ordinal, it.id], section)? {
            return Err(KnowledgeError::Conflict {
                given: it.version,
                current: Box::new(Current::Section(other)),
            });
        }
        it.ordinal = ordinal;
    }
    Ok(it)
}

/// Deletes a section that is still at the caller's version.
pub(crate) fn delete(session: &Session<'_>, id: Id, version: i64) -> Result<(), KnowledgeError> {
    get_at(session, id, version)?;
    session.execute("DELETE FROM sections WHERE id = ?1", [id])?;
    Ok(())
}

/// Deletes all of these or, when one does not exist, none.
pub(crate) fn delete_all(session: &Session<'_>, ids: &[Id]) -> Result<usize, KnowledgeError> {
    for id in ids {
        get(session, *id)?;
        session.execute("DELETE FROM sections WHERE id = ?1", [id])?;
    }
    Ok(ids.len())
}

/// Puts the named sections first, in this order; the others follow as they stood.
pub(crate) fn reorder(
    session: &Session<'_>,
    kind: Kind,
    owner: Id,
    ids: &[Id],
) -> Result<(), KnowledgeError> {
    rows::check_exists(session, kind, owner)?;
    let before = of(session, owner)?;
    for (at, id) in ids.iter().enumerate() {
        if !before.iter().any(|section| section.id == *id) || ids[..at].contains(id) {
            let text = format!("{id} is not a section of this {}, or stands twice", kind.word());
            return Err(KnowledgeError::validation("orderedIds", text));
        }
    }
    let rest = before.iter().map(|section| section.id).filter(|id| !ids.contains(id));
    let order: Vec<Id> = ids.iter().copied().chain(rest).collect();
    // Ordinals are unique at every moment: out of the way first, then into place.
    session.execute("UPDATE sections SET ordinal = -1 - ordinal WHERE owner_id = ?1", [owner])?;
    for (ordinal, id) in order.iter().enumerate() {
        let sql = "UPDATE sections SET ordinal = ?2, version = version + 1, modified_at = ?3 WHERE id = ?1";
        session.execute(sql, params![id, ordinal as i64, session.stamp()])?;
    }
    Ok(())
}
