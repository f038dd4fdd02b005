//! The orchestrator: projects, features and tasks, what hangs on them, and how they move.
//!
//! [`containers`] makes and changes them, [`search`] finds them, [`subtasks`] are their parts, [`comments`] what was said, [`links`] says what waits for what, [`moves`]
//! takes them through their pipeline, [`queue`] hands out work, [`holder`] keeps others away from what is claimed, [`reservations`] keeps writers apart.

pub(crate) mod blocking;
pub(crate) mod comments;
pub(crate) mod containers;
pub(crate) mod deletion;
pub(crate) mod holder;
pub(crate) mod links;
pub(crate) mod moves;
pub(crate) mod queue;
pub(crate) mod reservations;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod sections;
pub(crate) mod subtasks;
pub(crate) mod tags;
pub(crate) mod templates;
pub(crate) mod transitions;
