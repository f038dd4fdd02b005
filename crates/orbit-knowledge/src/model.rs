//! What is stored, as plain values. They go out as they are: fields stand in the order of the answer, under the names
//! that clients know.

mod knowledge;
mod work;

use crate::words::words;

pub use knowledge::{Atom, ChangelogEntry, Molecule, Related};
pub use work::{
    Claim, Comment, Container, Named, Reservation, Section, Template, TemplateSection, Transition,
};

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
        /// Nobody has begun with it.
        New = "NEW",
        /// Being worked on.
        Active = "ACTIVE",
        /// Waits for a test; tasks only.
        ToBeTested = "TO_BE_TESTED",
        /// Waits for a release.
        ReadyToProd = "READY_TO_PROD",
        /// Done: nothing comes after it.
        Closed = "CLOSED",
        /// Given up: nothing comes after it.
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
    /// How urgent a task or feature is; the queue goes by it.
    Priority {
        /// Given out before all others.
        High = "HIGH",
        /// The default, given out after `High`.
        Medium = "MEDIUM",
        /// Given out after all others.
        Low = "LOW",
    }
}

words! {
    /// What a section's content is.
    Format {
        /// What a section is when nothing is said.
        Markdown = "MARKDOWN",
        /// Text without markup.
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
        /// The first came up while somebody worked on the second; neither waits.
        DiscoveredFrom = "DISCOVERED_FROM",
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
        /// Taken up again after its end.
        Reopen = "reopen",
        /// Changed by somebody else than who held it, on purpose.
        Override = "override",
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
