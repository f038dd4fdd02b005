//! What is stored, as plain values.

use crate::id::Id;
use crate::words::words;

words! {
    /// What holds work.
    Kind {
        /// A stateless board.
        Project = "project",
        /// A part of a project that ends when its tasks do.
        Feature = "feature",
        /// A piece of work.
        Task = "task",
    }
}

words! {
    /// Where a feature or task stands.
    Status {
        /// Not begun.
        New = "NEW",
        /// Being worked on.
        Active = "ACTIVE",
        /// Waits for a test; tasks only.
        ToBeTested = "TO_BE_TESTED",
        /// Waits for a release.
        ReadyToProd = "READY_TO_PROD",
        /// Done.
        Closed = "CLOSED",
        /// Given up.
        WillNotImplement = "WILL_NOT_IMPLEMENT",
    }
}

impl Status {
    /// Whether nothing comes after it.
    pub fn is_terminal(self) -> bool {
        matches!(self, Status::Closed | Status::WillNotImplement)
    }
}

words! {
    /// Whether an atom is taken for true.
    Standing {
        /// Written, or agreed to.
        Confirmed = "confirmed",
        /// Drafted from the code; nobody agreed yet.
        Proposed = "proposed",
    }
}

words! {
    /// How urgent.
    Priority {
        /// First.
        High = "HIGH",
        /// Then.
        Medium = "MEDIUM",
        /// Last.
        Low = "LOW",
    }
}

words! {
    /// What a section's content is.
    Format {
        /// The default.
        Markdown = "MARKDOWN",
        /// No markup.
        PlainText = "PLAIN_TEXT",
        /// A JSON document.
        Json = "JSON",
        /// Source code.
        Code = "CODE",
    }
}

words! {
    /// How two features or tasks hang together.
    Link {
        /// The second cannot go on before the first is closed.
        Blocks = "BLOCKS",
        /// Worth knowing of each other; the same from both ends.
        RelatesTo = "RELATES_TO",
    }
}

words! {
    /// What moved a feature or task.
    Trigger {
        /// One state forwards.
        Advance = "advance",
        /// One state backwards.
        Revert = "revert",
        /// Given up.
        Terminate = "terminate",
        /// A task of the feature moved.
        Cascade = "cascade",
    }
}

words! {
    /// What knowledge hangs on.
    Unit {
        /// An area of the code.
        Atom = "atom",
        /// A group of areas.
        Molecule = "molecule",
    }
}

words! {
    /// What happens to the knowledge that is there.
    Mode {
        /// It is replaced.
        Overwrite = "overwrite",
        /// The new text follows it, behind a line that says when and by which task.
        Append = "append",
    }
}

/// Who works on something, until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who.
    pub actor: String,
    /// When the lease began or was last renewed.
    pub claimed_at: String,
    /// When it ends unless renewed.
    pub expires_at: String,
}

/// A project, feature or task. Fields that its kind does not have are empty.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Which table.
    pub kind: Kind,
    /// Its id.
    pub id: Id,
    /// Name or title.
    pub name: String,
}

/// A titled text that belongs to a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its id.
    pub id: Id,
    /// What it belongs to.
    pub owner_kind: Kind,
    /// What it belongs to.
    pub owner_id: Id,
    /// Its heading.
    pub title: String,
    /// What the content is for.
    pub usage_description: String,
    /// The text.
    pub content: String,
    /// What the text is.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its id.
    pub id: Id,
    /// Unique.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it can be applied to.
    pub target: Kind,
    /// Came with the program; cannot be changed or deleted.
    pub is_built_in: bool,
    /// Whether it can be applied.
    pub is_enabled: bool,
    /// Lowercase.
    pub tags: Vec<String>,
    /// By ordinal.
    pub sections: Vec<TemplateSection>,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub modified_at: String,
}

/// A section as a template has it.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub format: Format,
    /// Place in the template, from 0.
    pub ordinal: i64,
    /// Whether it should be filled in.
    pub is_required: bool,
    /// Lowercase.
    pub tags: Vec<String>,
}

/// A move of a feature or task from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Who.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The holder.
    pub task_id: Id,
    /// The holder's title.
    pub task_title: String,
    /// The holder's actor.
    pub actor: String,
    /// Path or glob.
    pub pattern: String,
    /// ISO-8601.
    pub reserved_at: String,
    /// When the claim ends unless renewed.
    pub expires_at: String,
}

/// A relationship to another atom or molecule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The other.
    pub id: Id,
    /// How they hang together.
    pub reason: String,
}

/// A group of atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Molecule {
    /// Its id.
    pub id: Id,
    /// The project it belongs to, for good.
    pub project_id: Id,
    /// "Pages", "API Layer".
    pub name: String,
    /// What holds for all of its atoms.
    pub knowledge: String,
    /// Other molecules.
    pub related: Vec<Related>,
    /// The task that triggered its creation.
    pub created_by_task_id: Id,
    /// The task that touched it last.
    pub last_task_id: Id,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub updated_at: String,
}

/// What is known about an area of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Its id.
    pub id: Id,
    /// The project it belongs to, for good.
    pub project_id: Id,
    /// Its group; orphans have none.
    pub molecule_id: Option<Id>,
    /// "Checkout Page", "Event Bus".
    pub name: String,
    /// Globs that say where the area is.
    pub paths: Vec<String>,
    /// Symbols and files that are named outright, as selectors.
    pub anchors: Vec<String>,
    /// Whether it is taken for true.
    pub standing: Standing,
    /// How the files of the area work together.
    pub knowledge: String,
    /// Other atoms.
    pub related: Vec<Related>,
    /// The task that triggered its creation.
    pub created_by_task_id: Id,
    /// The task that touched it last.
    pub last_task_id: Id,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub updated_at: String,
}

/// One step of how an atom or molecule came to be what it is. Never edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangelogEntry {
    /// Its id.
    pub id: Id,
    /// What it belongs to.
    pub parent_type: Unit,
    /// What it belongs to.
    pub parent_id: Id,
    /// The task behind the change; it may be deleted since.
    pub task_id: Id,
    /// What changed and why.
    pub summary: String,
    /// ISO-8601.
    pub created_at: String,
}
