//! `list_tags`, `get_tag_usage`, `rename_tag`.

use super::fields;
use crate::bounds;
use crate::error::KnowledgeError;
use crate::model::Kind;
use crate::store::Store;
use crate::wire::envelope::Envelope;
use crate::wire::json;
use crate::wire::requests::Tags;
use crate::work::tags;
use serde_json::{Value, json};

impl Store {
    /// `list_tags`: all tags with their counts, the most used first.
    pub fn list_tags(&self, request: &Tags) -> Envelope {
        Envelope::of(self.read(|session| {
            let kind: Option<Kind> =
                request.entity_type.as_ref().map(|word| bounds::word("entityType", word)).transpose()?;
            let found = tags::list(session, kind)?;
            let data = json!({
                "tags": found.iter().map(|(tag, count)| json!({"tag": tag, "count": count})).collect::<Value>(),
                "total": found.len(),
            });
            Ok((format!("{} tags", found.len()), data))
        }))
    }

    /// `get_tag_usage`: what has a tag.
    pub fn get_tag_usage(&self, request: &Tags) -> Envelope {
        Envelope::of(self.read(|session| {
            let tag = one("tag", request.tag.as_ref())?;
            let found = tags::usage(session, &tag)?;
            let data = json!({
                "tag": tag, "entities": found.iter().map(json::named).collect::<Value>(), "total": found.len(),
            });
            Ok((format!("{} have this tag", found.len()), data))
        }))
    }

    /// `rename_tag`: gives everything that has one tag another instead.
    pub fn rename_tag(&self, request: &Tags) -> Envelope {
        Envelope::of(self.write(|session| {
            let old = one("oldTag", request.old_tag.as_ref())?;
            let new = one("newTag", request.new_tag.as_ref())?;
            if old == new {
                return Err(KnowledgeError::validation("newTag", "newTag is the same as oldTag"));
            }
            let dry = fields::flag(request.dry_run, false);
            let affected = if dry { tags::usage(session, &old)? } else { tags::rename(session, &old, &new)? };
            let data = json!({
                "oldTag": old, "newTag": new, "dryRun": dry, "total": affected.len(),
                "entities": affected.iter().map(json::named).collect::<Value>(),
            });
            Ok((format!("{} affected", affected.len()), data))
        }))
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
