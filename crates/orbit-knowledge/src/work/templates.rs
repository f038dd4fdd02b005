//! Templates: sections that are put onto containers.

use super::sections::{self, SectionDraft, split_tags};
use crate::bounds::{self, TEXT_BYTES};
use crate::error::{Current, KnowledgeError};
use crate::id::Id;
use crate::model::{Format, Kind, Section, Template, TemplateSection};
use crate::store::Session;
use rusqlite::{Row, params};

/// What a caller says about a template; `None` leaves it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TemplateDraft {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) target: Option<Kind>,
    pub(crate) tags: Option<Vec<String>>,
}

const COLUMNS: &str =
    "SELECT id, name, description, target, is_built_in, is_enabled, tags, version, created_at,
   modified_at FROM templates";

fn template(row: &Row<'_>) -> rusqlite::Result<Template> {
    Ok(Template {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        target: row.get(3)?,
        is_built_in: row.get(4)?,
        is_enabled: row.get(5)?,
        tags: split_tags(&row.get::<_, String>(6)?),
        version: row.get(7)?,
        created_at: row.get(8)?,
        modified_at: row.get(9)?,
        sections: None,
    })
}

fn complete(session: &Session<'_>, mut it: Template) -> Result<Template, KnowledgeError> {
    let sections = session.rows(
        "SELECT id, title, usage_description, content_sample, format, ordinal, is_required, tags
         FROM template_sections WHERE template_id = ?1 ORDER BY ordinal",
        [it.id],
        |row| {
            Ok(TemplateSection {
                id: row.get(0)?,
                title: row.get(1)?,
                usage_description: row.get(2)?,
                content_sample: row.get(3)?,
                format: row.get(4)?,
                ordinal: row.get(5)?,
                is_required: row.get(6)?,
                tags: split_tags(&row.get::<_, String>(7)?),
            })
        },
    )?;
    it.sections = Some(sections);
    Ok(it)
}

/// All templates by name.
pub(crate) fn list(session: &Session<'_>) -> Result<Vec<Template>, KnowledgeError> {
    let found = session.rows(&format!("{COLUMNS} ORDER BY name"), [], template)?;
    found.into_iter().map(|it| complete(session, it)).collect()
}

/// A template by id.
pub(crate) fn get(session: &Session<'_>, id: Id) -> Result<Template, KnowledgeError> {
    let found = session.first(&format!("{COLUMNS} WHERE id = ?1"), [id], template)?;
    complete(session, found.ok_or_else(|| KnowledgeError::not_found("template", id))?)
}

fn get_at(session: &Session<'_>, id: Id, version: i64) -> Result<Template, KnowledgeError> {
    let found = get(session, id)?;
    if found.version != version {
        return Err(KnowledgeError::Conflict { given: version, current: Box::new(Current::Template(found)) });
    }
    Ok(found)
}

fn own_at(session: &Session<'_>, id: Id, version: i64) -> Result<Template, KnowledgeError> {
    let found = get_at(session, id, version)?;
    if found.is_built_in {
        let text = format!("template \"{}\" is built in; it can be disabled, not changed", found.name);
        return Err(KnowledgeError::Operation(text));
    }
    Ok(found)
}

/// Makes a template without sections.
pub(crate) fn create(session: &Session<'_>, draft: &TemplateDraft) -> Result<Template, KnowledgeError> {
    let needed = |field, given: &Option<String>| {
        given.clone().ok_or_else(|| KnowledgeError::missing(field, "create template"))
    };
    let name = bounds::name("name", &needed("name", &draft.name)?)?;
    let description = bounds::filled("description", &needed("description", &draft.description)?, TEXT_BYTES)?;
    let target =
        draft.target.ok_or_else(|| KnowledgeError::missing("targetEntityType", "create template"))?;
    let tags = bounds::tags(draft.tags.as_deref().unwrap_or_default())?;
    let id = session.new_id();
    refuse_taken(session, &name, id)?;
    session.execute(
        "INSERT INTO templates (id, name, description, target, tags, created_at, modified_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        params![id, name, description, target, tags.join(","), session.stamp()],
    )?;
    get(session, id)
}

fn refuse_taken(session: &Session<'_>, name: &str, id: Id) -> Result<(), KnowledgeError> {
    let sql = "SELECT count(*) FROM templates WHERE name = ?1 AND id <> ?2";
    match session.count(sql, params![name, id])? {
        0 => Ok(()),
        _ => Err(KnowledgeError::validation("name", format!("a template is called \"{name}\" already"))),
    }
}

/// Changes name, description or tags.
pub(crate) fn update(
    session: &Session<'_>,
    id: Id,
    version: i64,
    draft: &TemplateDraft,
) -> Result<Template, KnowledgeError> {
    let it = own_at(session, id, version)?;
    let name = bounds::name("name", draft.name.as_ref().unwrap_or(&it.name))?;
    let description = draft.description.as_ref().unwrap_or(&it.description);
    let description = bounds::filled("description", description, TEXT_BYTES)?;
    let tags = bounds::tags(draft.tags.as_ref().unwrap_or(&it.tags))?;
    refuse_taken(session, &name, id)?;
    session.execute(
        "UPDATE templates SET name = ?2, description = ?3, target = ?4, tags = ?5, modified_at = ?6,
           version = version + 1 WHERE id = ?1",
        params![id, name, description, draft.target.unwrap_or(it.target), tags.join(","), session.stamp()],
    )?;
    get(session, id)
}

/// Deletes a template; sections that were made from it stay.
pub(crate) fn delete(session: &Session<'_>, id: Id, version: i64) -> Result<(), KnowledgeError> {
    own_at(session, id, version)?;
    session.execute("DELETE FROM templates WHERE id = ?1", [id])?;
    Ok(())
}

/// Says whether it can be applied; built-in ones too.
pub(crate) fn enable(
    session: &Session<'_>,
    id: Id,
    version: i64,
    is_enabled: bool,
) -> Result<Template, KnowledgeError> {
    get_at(session, id, version)?;
    let sql = "UPDATE templates SET is_enabled = ?2, modified_at = ?3, version = version + 1 WHERE id = ?1";
    session.execute(sql, params![id, is_enabled, session.stamp()])?;
    get(session, id)
}

/// Adds a section after the template's last.
pub(crate) fn add_section(
    session: &Session<'_>,
    id: Id,
    version: i64,
    draft: &SectionDraft,
    is_required: bool,
) -> Result<Template, KnowledgeError> {
    let it = own_at(session, id, version)?;
    let needed = |field, given: &Option<String>| {
        given.clone().ok_or_else(|| KnowledgeError::missing(field, "addSection"))
    };
    let ordinal = it.sections.iter().flatten().next_back().map_or(0, |last| last.ordinal + 1);
    session.execute(
        "INSERT INTO template_sections (id, template_id, title, usage_description, content_sample, format, ordinal,
           is_required, tags) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            session.new_id(),
            id,
            bounds::name("title", &needed("title", &draft.title)?)?,
            bounds::filled("usageDescription", &needed("usageDescription", &draft.usage_description)?, TEXT_BYTES)?,
            bounds::filled("contentSample", &needed("contentSample", &draft.content)?, TEXT_BYTES)?,
            draft.format.unwrap_or(Format::Markdown),
            ordinal,
            is_required,
            bounds::tags(draft.tags.as_deref().unwrap_or_default())?.join(","),
        ],
    )?;
    let sql = "UPDATE templates SET modified_at = ?2, version = version + 1 WHERE id = ?1";
    session.execute(sql, params![id, session.stamp()])?;
    get(session, id)
}

/// Puts a template's sections after those that a container has.
pub(crate) fn apply(
    session: &Session<'_>,
    id: Id,
    kind: Kind,
    owner: Id,
) -> Result<Vec<Section>, KnowledgeError> {
    let it = get(session, id)?;
    if !it.is_enabled {
        return Err(KnowledgeError::Operation(format!("template \"{}\" is disabled", it.name)));
    }
    if it.target != kind {
        let text = format!("template \"{}\" is for a {}, not a {}", it.name, it.target.word(), kind.word());
        return Err(KnowledgeError::validation("entityType", text));
    }
    let mut made = Vec::new();
    for part in it.sections.into_iter().flatten() {
        let draft = SectionDraft {
            title: Some(part.title),
            usage_description: Some(part.usage_description),
            content: Some(part.content_sample),
            format: Some(part.format),
            ordinal: None,
            tags: Some(part.tags),
        };
        made.push(sections::add(session, kind, owner, &draft)?);
    }
    Ok(made)
}
