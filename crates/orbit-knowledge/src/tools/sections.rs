//! `query_sections` and `manage_sections`.

use super::{fields, unknown};
use crate::bounds;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::Kind;
use crate::store::{Session, Store};
use crate::wire::envelope::{Answer, Envelope};
use crate::wire::json;
use crate::wire::requests::{ManageSections, NewSection, QuerySections};
use crate::work::rows;
use crate::work::sections::{self, SectionDraft};
use serde_json::{Value, json};

impl Store {
    /// `query_sections`: the texts of a container, in order.
    pub fn query_sections(&self, request: &QuerySections) -> Envelope {
        Envelope::of(self.read(|session| {
            let kind: Kind = bounds::word("entityType", &request.entity_type)?;
            let owner = bounds::id("entityId", &request.entity_id)?;
            rows::check_exists(session, kind, owner)?;
            let tags = request.tags.as_ref().map(|tags| bounds::tags(&tags.0)).transpose()?;
            let ids = request.section_ids.as_ref().map(|ids| fields::ids("sectionIds", ids)).transpose()?;
            let mut found = sections::of(session, owner)?;
            found.retain(|it| tags.as_ref().is_none_or(|tags| it.tags.iter().any(|tag| tags.contains(tag))));
            found.retain(|it| ids.as_ref().is_none_or(|ids| ids.contains(&it.id)));
            let with_content = fields::flag(request.include_content, true);
            let data = json!({
                "sections": found.iter().map(|it| json::section(it, with_content)).collect::<Value>(),
                "total": found.len(),
            });
            Ok((format!("{} sections", found.len()), data))
        }))
    }

    /// `manage_sections`: adding, changing, ordering and deleting texts.
    pub fn manage_sections(&self, request: &ManageSections) -> Envelope {
        Envelope::of(self.write(|session| match request.operation.as_str() {
            "add" => {
                let (kind, owner) = owner(request)?;
                let made = sections::add(session, kind, owner, &draft(request)?)?;
                Ok((
                    format!("section \"{}\" added", made.title),
                    json!({"section": json::section(&made, true)}),
                ))
            }
            "update" => update(session, request, &draft(request)?),
            "updateText" => {
                if request.content.is_none() {
                    return Err(KnowledgeError::missing("content", "updateText"));
                }
                update(
                    session,
                    request,
                    &SectionDraft { content: request.content.clone(), ..SectionDraft::default() },
                )
            }
            "delete" => {
                let id = fields::id("id", request.id.as_ref(), "delete")?;
                sections::delete(session, id, fields::version(request.version, "delete")?)?;
                Ok(("section deleted".into(), json!({"deleted": true})))
            }
            "reorder" => reorder(session, request),
            "bulkCreate" => bulk_create(session, request),
            "bulkDelete" => {
                let ids = request.ids.as_ref().ok_or_else(|| KnowledgeError::missing("ids", "bulkDelete"))?;
                let count = sections::delete_all(session, &fields::ids("ids", ids)?)?;
                Ok((format!("{count} sections deleted"), json!({"deletedCount": count})))
            }
            other => Err(unknown(other, "add, update, updateText, delete, reorder, bulkCreate, bulkDelete")),
        }))
    }
}

fn owner(request: &ManageSections) -> Result<(Kind, Id), KnowledgeError> {
    let kind = request.entity_type.as_ref();
    let kind = kind.ok_or_else(|| KnowledgeError::missing("entityType", &request.operation))?;
    let id = fields::id("entityId", request.entity_id.as_ref(), &request.operation)?;
    Ok((bounds::word("entityType", kind)?, id))
}

fn draft(request: &ManageSections) -> Result<SectionDraft, KnowledgeError> {
    new_draft(&NewSection {
        title: request.title.clone(),
        usage_description: request.usage_description.clone(),
        content: request.content.clone(),
        content_format: request.content_format.clone(),
        ordinal: request.ordinal,
        tags: request.tags.clone(),
    })
}

fn new_draft(given: &NewSection) -> Result<SectionDraft, KnowledgeError> {
    Ok(SectionDraft {
        title: given.title.clone(),
        usage_description: given.usage_description.clone(),
        content: given.content.clone(),
        format: given.content_format.as_ref().map(|word| bounds::word("contentFormat", word)).transpose()?,
        ordinal: fields::number(given.ordinal),
        tags: given.tags.clone().map(|tags| tags.0),
    })
}

fn update(
    session: &Session<'_>,
    request: &ManageSections,
    draft: &SectionDraft,
) -> Result<Answer, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), &request.operation)?;
    let version = fields::version(request.version, &request.operation)?;
    let it = sections::update(session, id, version, draft)?;
    Ok((format!("section \"{}\" updated", it.title), json!({"section": json::section(&it, true)})))
}

fn reorder(session: &Session<'_>, request: &ManageSections) -> Result<Answer, KnowledgeError> {
    let (kind, owner) = owner(request)?;
    let ids = request.ordered_ids.as_ref().ok_or_else(|| KnowledgeError::missing("orderedIds", "reorder"))?;
    sections::reorder(session, kind, owner, &fields::ids("orderedIds", ids)?)?;
    let after = sections::of(session, owner)?;
    let data = json!({
        "sections": after.iter().map(|it| json::section(it, false)).collect::<Value>(), "total": after.len(),
    });
    Ok((format!("{} sections in order", after.len()), data))
}

fn bulk_create(session: &Session<'_>, request: &ManageSections) -> Result<Answer, KnowledgeError> {
    let (kind, owner) = owner(request)?;
    let refuse =
        |why: String| KnowledgeError::validation("sections", format!("sections must be a JSON array: {why}"));
    let given = request.sections.clone().ok_or_else(|| KnowledgeError::missing("sections", "bulkCreate"))?;
    let drafts: Vec<NewSection> = match given {
        Value::String(text) => serde_json::from_str(&text),
        other => serde_json::from_value(other),
    }
    .map_err(|error| refuse(error.to_string()))?;
    let mut made = Vec::new();
    for given in &drafts {
        made.push(sections::add(session, kind, owner, &new_draft(given)?)?);
    }
    let data = json!({
        "sections": made.iter().map(|it| json::section(it, true)).collect::<Value>(), "total": made.len(),
    });
    Ok((format!("{} sections added", made.len()), data))
}
