//! `manage_changelog`.

use super::{fields, unknown};
use crate::bounds::{self, Page};
use crate::error::KnowledgeError;
use crate::graph::changelog;
use crate::model::Unit;
use crate::store::Store;
use crate::wire::envelope::Envelope;
use crate::wire::json;
use crate::wire::requests::ManageChangelog;
use serde_json::json;

impl Store {
    /// `manage_changelog`: appends an entry, or reads the history page by page, the latest first.
    pub fn manage_changelog(&self, request: &ManageChangelog) -> Envelope {
        Envelope::of(match request.operation.as_str() {
            "append" => self.append_changelog(request),
            "search" => self.search_changelog(request),
            other => Err(unknown(other, "append, search")),
        })
    }

    fn append_changelog(
        &self,
        request: &ManageChangelog,
    ) -> Result<crate::wire::envelope::Answer, KnowledgeError> {
        let unit: Unit = bounds::word("parentType", &request.parent_type)?;
        let parent = bounds::id("parentId", &request.parent_id)?;
        let task = fields::id("taskId", request.task_id.as_ref(), "append")?;
        let summary = request.summary.as_ref().ok_or_else(|| KnowledgeError::missing("summary", "append"))?;
        let entry = self.write(|session| changelog::append(session, unit, parent, task, summary))?;
        Ok(("changelog entry appended".into(), json!({"entry": json::changelog_entry(&entry)})))
    }

    fn search_changelog(
        &self,
        request: &ManageChangelog,
    ) -> Result<crate::wire::envelope::Answer, KnowledgeError> {
        let unit: Unit = bounds::word("parentType", &request.parent_type)?;
        let parent = bounds::id("parentId", &request.parent_id)?;
        let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
        let found = self.read(|session| changelog::search(session, unit, parent, page))?;
        let message = format!("{} of {} changelog entries", found.items.len(), found.total);
        Ok((message, json::page("entries", &found, json::changelog_entry)))
    }
}
