//! Answers about sections, templates and tags.

use super::Deleted;
use crate::model::{Named, Section, Template};
use serde::Serialize;

/// `query_sections`, `apply_template`, and what orders or makes several.
#[derive(Clone, Debug, Serialize)]
pub struct Sections {
    /// In order. The content is empty where it was not asked for.
    pub sections: Vec<Section>,
    /// How many there are.
    pub total: usize,
}

impl Sections {
    pub(crate) fn of(sections: Vec<Section>) -> Sections {
        Sections { total: sections.len(), sections }
    }

    /// Without their texts.
    pub(crate) fn headings(mut sections: Vec<Section>) -> Sections {
        for section in &mut sections {
            section.content.clear();
        }
        Sections::of(sections)
    }
}

/// `manage_sections`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum SectionChange {
    /// Added or changed.
    One(OneSection),
    /// Ordered or made at once.
    Several(Sections),
    /// One was deleted.
    Gone(Deleted),
    /// Several were deleted.
    AllGone(DeletedSections),
}

/// A section that was written.
#[derive(Clone, Debug, Serialize)]
pub struct OneSection {
    /// As it is now.
    pub section: Section,
}

/// `bulkDelete`.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedSections {
    /// How many there were.
    pub deleted_count: usize,
}

/// `query_templates`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Templates {
    /// `get`.
    One(OneTemplate),
    /// `list`.
    All(TemplateList),
}

/// A template that was read or written.
#[derive(Clone, Debug, Serialize)]
pub struct OneTemplate {
    /// As it is now.
    pub template: Template,
}

/// All templates that fit.
#[derive(Clone, Debug, Serialize)]
pub struct TemplateList {
    /// The templates, sorted by name.
    pub templates: Vec<Template>,
    /// How many there are.
    pub total: usize,
}

/// `manage_template`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum TemplateChange {
    /// Made or changed.
    Kept(OneTemplate),
    /// Deleted.
    Gone(Deleted),
}

/// `list_tags`.
#[derive(Clone, Debug, Serialize)]
pub struct TagList {
    /// The most used first.
    pub tags: Vec<TagCount>,
    /// How many tags there are.
    pub total: usize,
}

/// A tag, and how often it is used.
#[derive(Clone, Debug, Serialize)]
pub struct TagCount {
    /// In lowercase.
    pub tag: String,
    /// How many containers have it.
    pub count: i64,
}

/// `get_tag_usage`.
#[derive(Clone, Debug, Serialize)]
pub struct TagUsage {
    /// As it is stored.
    pub tag: String,
    /// What has it.
    pub entities: Vec<Named>,
    /// How many have it.
    pub total: usize,
}

/// `rename_tag`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TagRename {
    /// As it was stored.
    pub old_tag: String,
    /// As it is stored now.
    pub new_tag: String,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// How many had the old tag.
    pub total: usize,
    /// What had the old tag.
    pub entities: Vec<Named>,
}
