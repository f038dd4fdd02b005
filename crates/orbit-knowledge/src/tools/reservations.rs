//! `manage_reservation`.

use super::{fields, unknown};
use crate::error::KnowledgeError;
use crate::store::Store;
use crate::wire::envelope::{Answer, Envelope};
use crate::wire::json;
use crate::wire::requests::ManageReservation;
use crate::work::reservations;
use serde_json::{Value, json};

impl Store {
    /// `manage_reservation`: takes paths for a task, gives them back, or says what is taken.
    pub fn manage_reservation(&self, request: &ManageReservation) -> Envelope {
        Envelope::of(match request.operation.as_str() {
            "reserve" => self.reserve(request),
            "release" => self.release(request),
            "list" => self.reserved(request),
            other => Err(unknown(other, "reserve, release, list")),
        })
    }

    fn reserve(&self, request: &ManageReservation) -> Result<Answer, KnowledgeError> {
        let task = fields::id("taskId", request.task_id.as_ref(), "reserve")?;
        let lease = fields::lease(request.actor.as_ref(), request.ttl_seconds, "reserve")?;
        let paths = request.paths.as_ref().ok_or_else(|| KnowledgeError::missing("paths", "reserve"))?;
        let held = self.write(|session| reservations::reserve(session, task, &paths.0, &lease))?;
        let data = json!({"total": held.len(), "reservations": held.iter().map(json::reservation).collect::<Value>()});
        Ok((format!("the task holds {} paths", held.len()), data))
    }

    fn release(&self, request: &ManageReservation) -> Result<Answer, KnowledgeError> {
        let task = fields::id("taskId", request.task_id.as_ref(), "release")?;
        let lease = fields::lease(request.actor.as_ref(), None, "release")?;
        let paths = request.paths.as_ref().map(|paths| paths.0.as_slice());
        let released = self.write(|session| reservations::release(session, task, paths, lease.actor))?;
        Ok((format!("{released} paths released"), json!({"released": released})))
    }

    fn reserved(&self, request: &ManageReservation) -> Result<Answer, KnowledgeError> {
        let task = fields::maybe_id("taskId", request.task_id.as_ref())?;
        let paths = request.paths.as_ref().map(|paths| paths.0.as_slice());
        let held = self.read(|session| reservations::list(session, task, paths))?;
        let data = json!({"total": held.len(), "reservations": held.iter().map(json::reservation).collect::<Value>()});
        Ok((format!("{} paths are reserved", held.len()), data))
    }
}
