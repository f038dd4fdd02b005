//! `query_templates`, `manage_template`, `apply_template`.

use super::{fields, unknown};
use crate::bounds;
use crate::error::KnowledgeError;
use crate::model::{Kind, Template};
use crate::store::Store;
use crate::wire::answers::{Answer, Deleted, OneTemplate, Sections, TemplateChange, TemplateList, Templates};
use crate::wire::requests::{ApplyTemplate, ManageTemplate, QueryTemplates};
use crate::work::sections::SectionDraft;
use crate::work::templates::{self, TemplateDraft};

impl Store {
    /// `query_templates`: one template, or all by name.
    pub fn query_templates(&self, request: &QueryTemplates) -> Result<Answer<Templates>, KnowledgeError> {
        self.read(|session| match request.operation.as_str() {
            "get" => {
                let mut it = templates::get(session, fields::id("id", request.id.as_ref(), "get")?)?;
                if !fields::flag(request.include_sections, true) {
                    it.sections = None;
                }
                let message = format!("template \"{}\"", it.name);
                Ok(Answer::new(message, Templates::One(OneTemplate { template: it })))
            }
            "list" => {
                let target: Option<Kind> = target(request.target_entity_type.as_ref())?;
                let mut found = templates::list(session)?;
                found.retain(|it| target.is_none_or(|target| it.target == target));
                if !fields::flag(request.include_sections, false) {
                    for it in &mut found {
                        it.sections = None;
                    }
                }
                let total = found.len();
                let data = Templates::All(TemplateList { templates: found, total });
                Ok(Answer::new(format!("{total} templates"), data))
            }
            other => Err(unknown(other, "get, list")),
        })
    }

    /// `manage_template`: making, changing and deleting templates. Built-in ones can only be enabled and disabled.
    pub fn manage_template(
        &self,
        request: &ManageTemplate,
    ) -> Result<Answer<TemplateChange>, KnowledgeError> {
        self.write(|session| {
            let operation = request.operation.as_str();
            let draft = TemplateDraft {
                name: request.name.clone(),
                description: request.description.clone(),
                target: target(request.target_entity_type.as_ref())?,
                tags: request.tags.clone().map(|tags| tags.0),
            };
            if operation == "create" {
                return Ok(told("created", templates::create(session, &draft)?));
            }
            if !["update", "delete", "enable", "disable", "addSection"].contains(&operation) {
                return Err(unknown(operation, "create, update, delete, enable, disable, addSection"));
            }
            let id = fields::id("id", request.id.as_ref(), operation)?;
            let version = fields::version(request.version, operation)?;
            Ok(match operation {
                "update" => told("updated", templates::update(session, id, version, &draft)?),
                "enable" => told("enabled", templates::enable(session, id, version, true)?),
                "disable" => told("disabled", templates::enable(session, id, version, false)?),
                "delete" => {
                    templates::delete(session, id, version)?;
                    Answer::new("template deleted", TemplateChange::Gone(Deleted::DONE))
                }
                _ => {
                    let is_required = fields::flag(request.is_required, false);
                    told(
                        "extended",
                        templates::add_section(session, id, version, &section(request)?, is_required)?,
                    )
                }
            })
        })
    }

    /// `apply_template`: puts a template's sections after those that are there.
    pub fn apply_template(&self, request: &ApplyTemplate) -> Result<Answer<Sections>, KnowledgeError> {
        self.write(|session| {
            let template = bounds::id("templateId", &request.template_id)?;
            let kind: Kind = bounds::word("entityType", &request.entity_type)?;
            let owner = bounds::id("entityId", &request.entity_id)?;
            let made = templates::apply(session, template, kind, owner)?;
            Ok(Answer::new(format!("{} sections added", made.len()), Sections::of(made)))
        })
    }
}

fn target(given: Option<&String>) -> Result<Option<Kind>, KnowledgeError> {
    given.map(|word| bounds::word("targetEntityType", word)).transpose()
}

fn section(request: &ManageTemplate) -> Result<SectionDraft, KnowledgeError> {
    Ok(SectionDraft {
        title: request.title.clone(),
        usage_description: request.usage_description.clone(),
        content: request.content_sample.clone(),
        format: request
            .content_format
            .as_ref()
            .map(|word| bounds::word("contentFormat", word))
            .transpose()?,
        ordinal: None,
        tags: request.tags.clone().map(|tags| tags.0),
    })
}

fn told(word: &str, template: Template) -> Answer<TemplateChange> {
    let message = format!("template \"{}\" {word}", template.name);
    Answer::new(message, TemplateChange::Kept(OneTemplate { template }))
}
