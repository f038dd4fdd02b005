//! Answers about projects, features and tasks.

use super::Listed;
use crate::graph::context::Context;
use crate::id::Id;
use crate::model::{Comment, Container, Kind, Link, Reservation, Section, Status};
use crate::wire::container::Blocker;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// A container under the name of its kind: `{"task": {…}}`.
#[derive(Clone, Debug)]
pub struct OneContainer {
    /// The project, feature or task.
    pub container: Container,
}

impl Serialize for OneContainer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.container.kind.word(), &self.container)?;
        map.end()
    }
}

/// `get_next_task`, `get_next_feature`: the same, with `null` when nothing is ready.
#[derive(Clone, Debug)]
pub struct NextWork {
    /// What was asked for.
    pub kind: Kind,
    /// The one that comes first.
    pub container: Option<Container>,
    /// All that are ready, in order, when asked for.
    pub ready: Option<Listed<Container>>,
}

impl Serialize for NextWork {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.kind.word(), &self.container)?;
        if let Some(ready) = &self.ready {
            map.serialize_entry("ready", ready)?;
        }
        map.end()
    }
}

/// `manage_claim`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "made once per call")]
pub enum ClaimAnswer {
    /// Taken or given back.
    One(OneContainer),
    /// What an actor has in hand.
    Own(OwnWork),
}

/// What an actor has in hand.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnWork {
    /// The name of the actor.
    pub actor: String,
    /// What it claimed and did not finish, the latest first; without `claim` the lease ran out.
    pub claimed: Vec<Container>,
    /// What it moved last.
    pub recent: Vec<Container>,
    /// Paths that are reserved for it.
    pub reserved: Vec<Reservation>,
}

/// `manage_container`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "made once per call")]
pub enum ContainerChange {
    /// Made or changed.
    Kept(OneContainer),
    /// Deleted, with what was in it.
    Gone(DeletedContainer),
    /// Said, or taken back.
    Said(OneComment),
}

/// A comment that was made or taken back.
#[derive(Clone, Debug, Serialize)]
pub struct OneComment {
    /// What was said.
    pub comment: Comment,
}

/// A subtask, in short.
#[derive(Clone, Debug, Serialize)]
pub struct Subtask {
    /// Its id.
    pub id: Id,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub status: Status,
}

/// What a deletion took with it.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedContainer {
    pub(crate) deleted: bool,
    /// How many features of the project.
    pub deleted_features: usize,
    /// How many tasks of the project or feature.
    pub deleted_tasks: usize,
    /// How many molecules of the project.
    pub deleted_molecules: usize,
    /// How many atoms of the project.
    pub deleted_atoms: usize,
}

/// `query_container`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Containers {
    /// `get`, and `overview` of one.
    One(Box<ContainerView>),
    /// `search`, and `overview` of all.
    Page(Listed<Container>),
}

/// A container, with what was asked for beside it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerView {
    /// The container itself.
    #[serde(flatten)]
    pub one: OneContainer,
    /// Of a project or feature: how its tasks stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_counts: Option<TaskCounts>,
    /// Of a task: its parts, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subtasks: Vec<Subtask>,
    /// Its texts, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<Section>>,
    /// What was said, the oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<Vec<Comment>>,
    /// Of a task: what is known about its Context Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_context: Option<Context>,
    /// In an overview of a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Vec<Container>>,
    /// In an overview of a feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Vec<Container>>,
    /// In an overview: how many features or tasks there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
}

impl ContainerView {
    pub(crate) fn of(container: Container) -> ContainerView {
        ContainerView {
            one: OneContainer { container },
            task_counts: None,
            subtasks: Vec::new(),
            sections: None,
            comments: None,
            graph_context: None,
            features: None,
            tasks: None,
            total: None,
        }
    }
}

/// How many tasks there are, in all and in each state.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskCounts {
    /// In any state.
    pub total: i64,
    /// States without a task are left out.
    pub by_status: BTreeMap<Status, i64>,
}

impl TaskCounts {
    pub(crate) fn of(by_status: BTreeMap<Status, i64>) -> TaskCounts {
        TaskCounts { total: by_status.values().sum(), by_status }
    }
}

/// `manage_dependency`: both ends as they are now.
#[derive(Clone, Debug, Serialize)]
pub struct Linked {
    /// The one that blocks.
    pub from: Container,
    /// The one that waits.
    pub to: Container,
}

/// `query_dependencies`.
#[derive(Clone, Debug, Serialize)]
pub struct Dependencies {
    /// What it waits for or relates to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<Vec<Dependency>>,
    /// What waits for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependents: Option<Vec<Dependency>>,
    /// How many of both.
    pub total: usize,
}

/// A link between two features or tasks.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dependency {
    /// How they hang together.
    pub r#type: Link,
    /// The one that blocks.
    pub from_id: Blocker<Id>,
    /// The one that waits.
    pub to_id: Id,
    /// Left out for something outside of the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_entity_type: Option<Kind>,
    /// Feature or task.
    pub to_entity_type: Kind,
    /// Of something outside of the store.
    #[serde(flatten)]
    pub outside: Option<Outside>,
}

/// Something outside of the store that must happen first.
#[derive(Clone, Debug, Serialize)]
pub struct Outside {
    /// Why it is waited for.
    pub reason: Option<String>,
}

/// `manage_reservation`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ReservationAnswer {
    /// `reserve`, `list`.
    Held(Reservations),
    /// `release`.
    Released(Released),
}

/// Paths that tasks have for themselves.
#[derive(Clone, Debug, Serialize)]
pub struct Reservations {
    /// How many there are.
    pub total: usize,
    /// By holder and path.
    pub reservations: Vec<Reservation>,
}

impl Reservations {
    pub(crate) fn of(reservations: Vec<Reservation>) -> Reservations {
        Reservations { total: reservations.len(), reservations }
    }
}

/// Paths that were let go of.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Released {
    /// How many there were.
    pub released: usize,
}
