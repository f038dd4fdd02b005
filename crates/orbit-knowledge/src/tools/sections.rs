//! `query_sections` and `manage_sections`.

use super::{fields, unknown};
use crate::bounds;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Kind, Section};
use crate::store::{Session, Store};
use crate::wire::answers::{Answer, Deleted, DeletedSections, OneSection, SectionChange, Sections};
use crate::wire::requests::{ManageSections, NewSection, QuerySections};
use crate::work::rows;
use crate::work::sections::{self, SectionDraft};

impl Store {
    /// `query_sections`: the texts of a container, in order.
    pub fn query_sections(&self, request: &QuerySections) -> Result<Answer<Sections>, KnowledgeError> {
        self.read(|session| {
            let kind: Kind = bounds::word("entityType", &request.entity_type)?;
            let owner = bounds::id("entityId", &request.entity_id)?;
            rows::check_exists(session, kind, owner)?;
            let tags = request.tags.as_ref().map(|tags| bounds::tags(&tags.0)).transpose()?;
            let ids = request.section_ids.as_ref().map(|ids| fields::ids("sectionIds", ids)).transpose()?;
            let mut found = sections::of(session, owner)?;
            found.retain(|it| tags.as_ref().is_none_or(|tags| it.tags.iter().any(|tag| tags.contains(tag))));
            found.retain(|it| ids.as_ref().is_none_or(|ids| ids.contains(&it.id)));
            let with_content = fields::flag(request.include_content, true);
            let found = if with_content { Sections::of(found) } else { Sections::headings(found) };
            Ok(Answer::new(format!("{} sections", found.total), found))
        })
    }

    /// `manage_sections`: adding, changing, ordering and deleting texts.
    pub fn manage_sections(&self, request: &ManageSections) -> Result<Answer<SectionChange>, KnowledgeError> {
        self.write(|session| match request.operation.as_str() {
            "add" => {
                let (kind, owner) = owner(request)?;
                let made = sections::add(session, kind, owner, &draft(request)?)?;
                Ok(told("added", made))
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
                Ok(Answer::new("section deleted", SectionChange::Gone(Deleted::DONE)))
            }
            "reorder" => reorder(session, request),
            "bulkCreate" => bulk_create(session, request),
            "bulkDelete" => {
                let ids = request.ids.as_ref().ok_or_else(|| KnowledgeError::missing("ids", "bulkDelete"))?;
                let count = sections::delete_all(session, &fields::ids("ids", ids)?)?;
                let data = SectionChange::AllGone(DeletedSections { deleted_count: count });
                Ok(Answer::new(format!("{count} sections deleted"), data))
            }
            other => Err(unknown(other, "add, update, updateText, delete, reorder, bulkCreate, bulkDelete")),
        })
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
) -> Result<Answer<SectionChange>, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), &request.operation)?;
    let version = fields::version(request.version, &request.operation)?;
    Ok(told("updated", sections::update(session, id, version, draft)?))
}

fn told(word: &str, section: Section) -> Answer<SectionChange> {
    let message = format!("section \"{}\" {word}", section.title);
    Answer::new(message, SectionChange::One(OneSection { section }))
}

fn reorder(session: &Session<'_>, request: &ManageSections) -> Result<Answer<SectionChange>, KnowledgeError> {
    let (kind, owner) = owner(request)?;
    let ids = request.ordered_ids.as_ref().ok_or_else(|| KnowledgeError::missing("orderedIds", "reorder"))?;
    sections::reorder(session, kind, owner, &fields::ids("orderedIds", ids)?)?;
    let after = sections::of(session, owner)?;
    let message = format!("{} sections in order", after.len());
    Ok(Answer::new(message, SectionChange::Several(Sections::headings(after))))
}

fn bulk_create(
    session: &Session<'_>,
    request: &ManageSections,
) -> Result<Answer<SectionChange>, KnowledgeError> {
    let (kind, owner) = owner(request)?;
    let given = request.sections.as_ref().ok_or_else(|| KnowledgeError::missing("sections", "bulkCreate"))?;
    let drafts = given.0.as_ref().map_err(|why| {
        KnowledgeError::validation("sections", format!("sections must be a JSON array: {why}"))
    })?;
    let mut made = Vec::new();
    for given in drafts {
        made.push(sections::add(session, kind, owner, &new_draft(given)?)?);
    }
    let message = format!("{} sections added", made.len());
    Ok(Answer::new(message, SectionChange::Several(Sections::of(made))))
}
