//! `list_tags`, `get_tag_usage`, `rename_tag`.

use super::fields;
use crate::bounds;
use crate::error::KnowledgeError;
use crate::model::Kind;
use crate::store::Store;
use crate::wire::answers::{Answer, TagCount, TagList, TagRename, TagUsage};
use crate::wire::requests::Tags;
use crate::work::tags;

impl Store {
    /// `list_tags`: all tags with their counts, the most used first.
    pub fn list_tags(&self, request: &Tags) -> Result<Answer<TagList>, KnowledgeError> {
        self.read(|session| {
            let kind: Option<Kind> =
                request.entity_type.as_ref().map(|word| bounds::word("entityType", word)).transpose()?;
            let found = tags::list(session, kind)?;
            let tags: Vec<TagCount> = found.into_iter().map(|(tag, count)| TagCount { tag, count }).collect();
            Ok(Answer::new(format!("{} tags", tags.len()), TagList { total: tags.len(), tags }))
        })
    }

    /// `get_tag_usage`: what has a tag.
    pub fn get_tag_usage(&self, request: &Tags) -> Result<Answer<TagUsage>, KnowledgeError> {
        self.read(|session| {
            let tag = one("tag", request.tag.as_ref())?;
            let found = tags::usage(session, &tag)?;
            let total = found.len();
            Ok(Answer::new(format!("{total} have this tag"), TagUsage { tag, entities: found, total }))
        })
    }

    /// `rename_tag`: gives everything that has one tag another instead.
    pub fn rename_tag(&self, request: &Tags) -> Result<Answer<TagRename>, KnowledgeError> {
        self.write(|session| {
            let old = one("oldTag", request.old_tag.as_ref())?;
            let new = one("newTag", request.new_tag.as_ref())?;
            if old == new {
                return Err(KnowledgeError::validation("newTag", "newTag is the same as oldTag"));
            }
            let dry = fields::flag(request.dry_run, false);
            let affected = if dry { tags::usage(session, &old)? } else { tags::rename(session, &old, &new)? };
            let total = affected.len();
            let data = TagRename { old_tag: old, new_tag: new, dry_run: dry, total, entities: affected };
            Ok(Answer::new(format!("{total} affected"), data))
        })
    }
}

/// One tag as it is stored.
fn one(field: &'static str, given: Option<&String>) -> Result<String, KnowledgeError> {
    let given = given.ok_or_else(|| KnowledgeError::missing(field, "this"))?;
    let tags = bounds::tags(std::slice::from_ref(given))?;
    tags.into_iter()
        .next()
        .ok_or_else(|| KnowledgeError::validation(field, format!("{field} must not be empty")))
}
