//! What a closed task should leave behind, with the calls that would do it.

use super::{AtomFinding, AtomName, NewAtom};
use crate::id::Id;
use crate::model::Unit;
use serde::Serialize;

/// What a closed task should leave behind.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphHints {
    /// What is always said.
    pub message: &'static str,
    /// What can always be done.
    pub suggested_actions: [&'static str; 3],
    /// What is known of the task's own work; none without a project, or when it changed nothing.
    #[serde(flatten)]
    pub named: Option<NamedHints>,
}

/// Hints by name.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedHints {
    /// The least believable first.
    pub affected_atoms: Vec<AffectedAtom>,
    /// Paths that no atom covers.
    pub uncovered_paths: Vec<String>,
    /// The call that would cover them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncovered_fix: Option<Fix<NewAtom>>,
    /// How many paths the task changed.
    pub changed_paths: usize,
    /// Commits that carry the task's id.
    pub commits: Vec<String>,
}

/// An atom whose code a task changed.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AffectedAtom {
    /// Which atom.
    #[serde(flatten)]
    pub atom: AtomName,
    /// To be given with a change.
    pub version: i64,
    /// Whether it can still be believed.
    #[serde(flatten)]
    pub finding: AtomFinding,
    /// Clients read `because` of every entry: an empty list where the finding has none.
    #[serde(rename = "because", skip_serializing_if = "Option::is_none")]
    pub(crate) no_cause: Option<[(); 0]>,
    /// The call that would write down what changed.
    pub fix: Fix<ChangedAtom>,
    /// The call for when nothing needs to be written.
    pub if_it_still_holds: Fix<AtomAtVersion>,
}

/// A call that would mend something.
#[derive(Clone, Debug, Serialize)]
pub struct Fix<A> {
    tool: &'static str,
    /// What the tool is to be called with.
    pub arguments: A,
}

impl<A> Fix<A> {
    pub(crate) fn of(arguments: A) -> Fix<A> {
        Fix { tool: "manage_graph", arguments }
    }
}

/// Arguments of `manage_graph` that change what an atom says.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedAtom {
    #[serde(flatten)]
    pub(crate) which: AtomAtVersion,
    pub(crate) knowledge: &'static str,
    pub(crate) last_task_id: Id,
    /// All globs, when some are missing for what has moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
}

/// Arguments of `manage_graph` that name an operation and an atom.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AtomAtVersion {
    pub(crate) operation: &'static str,
    pub(crate) entity_type: Unit,
    pub(crate) id: Id,
    pub(crate) version: i64,
}
