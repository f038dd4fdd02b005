//! Projects, features and tasks as clients see them: each kind has its own fields.

use crate::id::Id;
use crate::model::{Container, Kind};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::{Display, Formatter};

/// What something waits for: something of the store, or something outside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocker<T> {
    /// A feature or task.
    One(T),
    /// Something outside of the store, which answers call `NO_OP`.
    Outside,
}

impl<T: Serialize> Serialize for Blocker<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Blocker::One(it) => it.serialize(serializer),
            Blocker::Outside => serializer.serialize_str("NO_OP"),
        }
    }
}

impl<T: Display> Display for Blocker<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Blocker::One(it) => it.fmt(f),
            Blocker::Outside => f.write_str("NO_OP"),
        }
    }
}

impl<T> Blocker<T> {
    pub(crate) fn list(of: impl IntoIterator<Item = T>, is_held: bool) -> Vec<Blocker<T>> {
        of.into_iter().map(Blocker::One).chain(is_held.then_some(Blocker::Outside)).collect()
    }
}

impl Container {
    /// Everything that must happen before it can go on.
    pub fn blockers(&self) -> Vec<Blocker<Id>> {
        Blocker::list(self.blocked_by.iter().copied(), self.is_held)
    }
}

impl Serialize for Container {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (is_task, has_state) = (self.kind == Kind::Task, self.kind != Kind::Project);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        if has_state {
            map.serialize_entry("projectId", &self.project_id)?;
        }
        if is_task {
            map.serialize_entry("featureId", &self.feature_id)?;
        }
        if let Some(parent) = &self.parent_id {
            map.serialize_entry("parentId", parent)?;
        }
        map.serialize_entry(if is_task { "title" } else { "name" }, &self.name)?;
        map.serialize_entry("summary", &self.summary)?;
        map.serialize_entry("description", &self.description)?;
        if has_state {
            map.serialize_entry("status", &self.status)?;
            map.serialize_entry("priority", &self.priority)?;
        }
        if is_task {
            map.serialize_entry("complexity", &self.complexity)?;
        }
        map.serialize_entry("tags", &self.tags)?;
        if has_state {
            map.serialize_entry("blockedBy", &self.blockers())?;
            map.serialize_entry("blockedReason", &self.blocked_reason)?;
            map.serialize_entry("relatedTo", &self.related_to)?;
            if !self.discovered_from.is_empty() {
                map.serialize_entry("discoveredFrom", &self.discovered_from)?;
            }
            map.serialize_entry("claim", &self.claim)?;
        }
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry("createdAt", &self.created_at)?;
        map.serialize_entry("modifiedAt", &self.modified_at)?;
        map.end()
    }
}
