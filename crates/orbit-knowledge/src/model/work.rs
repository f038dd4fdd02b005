//! Projects, features and tasks, and what belongs to them.

use super::{Format, Kind, Priority, Status, Trigger};
use crate::id::Id;
use crate::wire::upper;
use serde::Serialize;

/// Who works on something, until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// The name of the actor.
    pub actor: String,
    /// When the lease began or was last renewed.
    pub claimed_at: String,
    /// When it ends unless renewed.
    pub expires_at: String,
}

/// A project, feature or task. Fields that its kind does not have are empty, and left out of answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Which of the three.
    pub kind: Kind,
    /// Its id.
    pub id: Id,
    /// The board.
    pub project_id: Option<Id>,
    /// The feature of a task.
    pub feature_id: Option<Id>,
    /// The task that this one is a part of.
    pub parent_id: Option<Id>,
    /// Name, or title of a task.
    pub name: String,
    /// What it is about, in short.
    pub summary: String,
    /// What it is about, at length.
    pub description: Option<String>,
    /// `NEW` for projects, which have no state.
    pub status: Status,
    /// `MEDIUM` for projects.
    pub priority: Priority,
    /// 1 to 10 for tasks, else 0.
    pub complexity: i64,
    /// What must be closed first, in the order in which it was said.
    pub blocked_by: Vec<Id>,
    /// Blocked by something that is not in the store.
    pub is_held: bool,
    /// Why it is blocked.
    pub blocked_reason: Option<String>,
    /// What it relates to.
    pub related_to: Vec<Id>,
    /// What somebody worked on when it came up.
    pub discovered_from: Vec<Id>,
    /// Lowercase, sorted.
    pub tags: Vec<String>,
    /// Who works on it; `None` when the lease has run out.
    pub claim: Option<Claim>,
    /// Starts at 1, one more with every write.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub modified_at: String,
}

impl Container {
    /// Whether something must happen before it can go on.
    pub fn is_blocked(&self) -> bool {
        self.is_held || !self.blocked_by.is_empty()
    }
}

/// A thing by kind, id and name, for messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    /// Its id.
    pub id: Id,
    /// Which of the three.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Name or title.
    pub name: String,
}

/// Something that was said about a container, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Its id.
    pub id: Id,
    /// The name of the actor.
    pub actor: Option<String>,
    /// ISO-8601.
    pub created_at: String,
    /// What was said.
    pub text: String,
}

/// A titled text that belongs to a container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// Its id.
    pub id: Id,
    /// What it belongs to.
    #[serde(rename = "entityType", serialize_with = "upper")]
    pub owner_kind: Kind,
    /// What it belongs to.
    #[serde(rename = "entityId")]
    pub owner_id: Id,
    /// Its heading.
    pub title: String,
    /// What the content is for.
    pub usage_description: String,
    /// The text.
    pub content: String,
    /// What the text is.
    #[serde(rename = "contentFormat")]
    pub format: Format,
    /// Place among the owner's sections, from 0.
    pub ordinal: i64,
    /// Lowercase.
    pub tags: Vec<String>,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub modified_at: String,
}

/// Sections that can be put onto a container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Its id.
    pub id: Id,
    /// Unique.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it can be applied to.
    #[serde(rename = "targetEntityType", serialize_with = "upper")]
    pub target: Kind,
    /// Came with the program; cannot be changed or deleted.
    pub is_built_in: bool,
    /// Whether it can be applied.
    pub is_enabled: bool,
    /// Lowercase.
    pub tags: Vec<String>,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub modified_at: String,
    /// By ordinal; `None` in an answer that was asked for without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<TemplateSection>>,
}

/// A section as a template has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateSection {
    /// Its id.
    pub id: Id,
    /// Its heading.
    pub title: String,
    /// What the content is for.
    pub usage_description: String,
    /// What the section starts with.
    pub content_sample: String,
    /// What the text is.
    #[serde(rename = "contentFormat")]
    pub format: Format,
    /// Place in the template, from 0.
    pub ordinal: i64,
    /// Whether it should be filled in.
    pub is_required: bool,
    /// Lowercase.
    pub tags: Vec<String>,
}

/// A move of a feature or task from one state to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Transition {
    /// The name of the actor.
    pub actor: Option<String>,
    /// ISO-8601.
    pub at: String,
    /// Before.
    pub from: Status,
    /// After.
    pub to: Status,
    /// What moved it.
    pub trigger: Trigger,
    /// Why, as given.
    pub reason: Option<String>,
}

/// A path or glob that a task has for itself while its claim lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reservation {
    /// The holder.
    pub task_id: Id,
    /// The holder's title.
    pub task_title: String,
    /// The holder's actor.
    pub actor: String,
    /// Path or glob.
    #[serde(rename = "path")]
    pub pattern: String,
    /// ISO-8601.
    pub reserved_at: String,
    /// When the claim ends unless renewed.
    pub expires_at: String,
}
