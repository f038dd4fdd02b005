//! Answers about how features and tasks move, and what holds them up.

use super::{GraphHints, OneContainer};
use crate::id::Id;
use crate::model::{Claim, Container, Kind, Status, Transition};
use crate::wire::container::Blocker;
use serde::Serialize;

/// From one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The state before.
    pub from: Status,
    /// The state now.
    pub to: Status,
}

/// `advance`, `revert`, `terminate`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Transited {
    /// The container as it is now.
    #[serde(flatten)]
    pub one: OneContainer,
    /// How it moved.
    pub transition: Step,
    /// `2 of 3`; `None` outside of the pipeline.
    pub pipeline_position: Option<String>,
    /// When it was closed: what waits for nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unblocked_entities: Option<Vec<Brief>>,
    /// When it was given up.
    #[serde(flatten)]
    pub terminated: Option<Terminated>,
    /// When its feature moved along.
    #[serde(flatten)]
    pub feature: Option<FeatureFollowed>,
    /// When it was a task and is closed: what it should leave behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_hints: Option<GraphHints>,
}

/// What giving up means for others.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Terminated {
    /// Why, as given.
    pub reason: Option<String>,
    /// What still waits for it.
    pub affected_dependents: Vec<Brief>,
    /// Tasks that were given up with their feature.
    pub terminated_tasks: Vec<Brief>,
}

/// How the feature of a task moved along.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureFollowed {
    /// From where to where.
    pub feature_transition: FeatureStep,
    /// The feature as it is now.
    pub feature: Container,
    /// What waits for nothing more because the feature is closed.
    pub feature_unblocked_entities: Vec<Brief>,
    /// What still waits for the feature, which was given up.
    pub feature_affected_dependents: Vec<Brief>,
}

/// A feature from one state to another.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FeatureStep {
    /// Which feature.
    pub id: Id,
    /// From where to where.
    #[serde(flatten)]
    pub step: Step,
}

/// `block`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// The container as it is now.
    #[serde(flatten)]
    pub one: OneContainer,
    /// How many of the blockers are new.
    pub added_blockers: usize,
    /// How many it has now.
    pub total_blockers: usize,
}

/// `unblock`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unblocked {
    /// The container as it is now.
    #[serde(flatten)]
    pub one: OneContainer,
    /// How many it had and has no more.
    pub removed_blockers: usize,
    /// How many it still has.
    pub remaining_blockers: usize,
    /// Whether it can go on.
    pub is_fully_unblocked: bool,
}

/// `query_workflow_state`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowState {
    /// Feature or task.
    pub container_type: Kind,
    /// Its id.
    pub id: Id,
    /// To be given with a change.
    pub version: i64,
    /// Where it stands.
    pub current_status: Status,
    /// Where `advance` leads.
    pub next_status: Option<Status>,
    /// Where `revert` leads.
    pub prev_status: Option<Status>,
    /// Where it can go at all.
    pub allowed_transitions: Vec<Status>,
    /// Whether nothing comes after its state.
    pub is_terminal: bool,
    /// Whether something must happen first.
    pub is_blocked: bool,
    /// What must happen first.
    pub blocked_by: Vec<Blocker<Id>>,
    /// Why it is blocked.
    pub blocked_reason: Option<String>,
    /// `2 of 3`; `None` outside of the pipeline.
    pub pipeline_position: Option<String>,
    /// What it relates to.
    pub related_entities: Vec<Id>,
    /// Who works on it.
    pub claim: Option<Claim>,
    /// The latest moves, the last first.
    pub transitions: Vec<Transition>,
    /// How many moves there were.
    pub total: i64,
}

/// A feature or task in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Brief {
    /// Its id.
    pub id: Id,
    /// Which of the two.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Name or title.
    pub name: String,
    /// To be given with a change.
    pub version: i64,
}

impl Brief {
    pub(crate) fn list(of: &[Container]) -> Vec<Brief> {
        let brief =
            |it: &Container| Brief { id: it.id, kind: it.kind, name: it.name.clone(), version: it.version };
        of.iter().map(brief).collect()
    }
}
