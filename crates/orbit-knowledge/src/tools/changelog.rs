//! `manage_changelog`.

use super::{fields, unknown};
use crate::bounds::{self, Page};
use crate::error::KnowledgeError;
use crate::graph::changelog;
use crate::model::Unit;
use crate::store::Store;
use crate::wire::answers::{Answer, ChangelogAnswer, ChangelogPage};
use crate::wire::requests::ManageChangelog;

impl Store {
    /// `manage_changelog`: appends an entry, or reads the history page by page, the latest first.
    pub fn manage_changelog(
        &self,
        request: &ManageChangelog,
    ) -> Result<Answer<ChangelogAnswer>, KnowledgeError> {
        match request.operation.as_str() {
            "append" => self.append_changelog(request),
            "search" => Ok(self.search_changelog(request)?.map(ChangelogAnswer::Page)),
            other => Err(unknown(other, "append, search")),
        }
    }

    fn append_changelog(&self, request: &ManageChangelog) -> Result<Answer<ChangelogAnswer>, KnowledgeError> {
        let unit: Unit = bounds::word("parentType", &request.parent_type)?;
        let parent = bounds::id("parentId", &request.parent_id)?;
        let task = fields::id("taskId", request.task_id.as_ref(), "append")?;
        let summary = request.summary.as_ref().ok_or_else(|| KnowledgeError::missing("summary", "append"))?;
        let entry = self.write(|session| changelog::append(session, unit, parent, task, summary))?;
        Ok(Answer::new("changelog entry appended", ChangelogAnswer::Appended { entry }))
    }

    /// `manage_changelog search`.
    pub fn search_changelog(
        &self,
        request: &ManageChangelog,
    ) -> Result<Answer<ChangelogPage>, KnowledgeError> {
        let unit: Unit = bounds::word("parentType", &request.parent_type)?;
        let parent = bounds::id("parentId", &request.parent_id)?;
        let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
        let found = self.read(|session| changelog::search(session, unit, parent, page))?;
        let message = format!("{} of {} changelog entries", found.items.len(), found.total);
        Ok(Answer::new(message, ChangelogPage::of(found)))
    }
}
