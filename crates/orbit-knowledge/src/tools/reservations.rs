//! `manage_reservation`.

use super::{fields, unknown};
use crate::error::KnowledgeError;
use crate::model::Reservation;
use crate::store::Store;
use crate::wire::answers::{Answer, Released, ReservationAnswer, Reservations};
use crate::wire::requests::ManageReservation;
use crate::work::reservations;

impl Store {
    /// `manage_reservation`: takes paths for a task, gives them back, or says what is taken.
    pub fn manage_reservation(
        &self,
        request: &ManageReservation,
    ) -> Result<Answer<ReservationAnswer>, KnowledgeError> {
        match request.operation.as_str() {
            "reserve" => Ok(self.reserve(request)?.map(ReservationAnswer::Held)),
            "release" => Ok(self.release(request)?.map(ReservationAnswer::Released)),
            "list" => Ok(self.reserved(request)?.map(ReservationAnswer::Held)),
            other => Err(unknown(other, "reserve, release, list")),
        }
    }

    /// What others than an actor have reserved of some paths.
    pub fn reserved_by_others(
        &self,
        paths: &[String],
        actor: Option<&str>,
    ) -> Result<Vec<Reservation>, KnowledgeError> {
        let mut held = self.read(|session| reservations::list(session, None, Some(paths)))?;
        held.retain(|it| Some(it.actor.as_str()) != actor);
        Ok(held)
    }

    fn reserve(&self, request: &ManageReservation) -> Result<Answer<Reservations>, KnowledgeError> {
        let task = fields::id("taskId", request.task_id.as_ref(), "reserve")?;
        let lease = fields::lease(request.actor.as_ref(), request.ttl_seconds, "reserve")?;
        let paths = request.paths.as_ref().ok_or_else(|| KnowledgeError::missing("paths", "reserve"))?;
        let held = self.write(|session| reservations::reserve(session, task, &paths.0, &lease))?;
        Ok(Answer::new(format!("the task holds {} paths", held.len()), Reservations::of(held)))
    }

    fn release(&self, request: &ManageReservation) -> Result<Answer<Released>, KnowledgeError> {
        let task = fields::id("taskId", request.task_id.as_ref(), "release")?;
        let by = fields::by(request.actor.as_ref(), request.force)?;
        let paths = request.paths.as_ref().map(|paths| paths.0.as_slice());
        let released = self.write(|session| reservations::release(session, task, paths, by))?;
        Ok(Answer::new(format!("{released} paths released"), Released { released }))
    }

    fn reserved(&self, request: &ManageReservation) -> Result<Answer<Reservations>, KnowledgeError> {
        let task = fields::maybe_id("taskId", request.task_id.as_ref())?;
        let paths = request.paths.as_ref().map(|paths| paths.0.as_slice());
        let held = self.read(|session| reservations::list(session, task, paths))?;
        Ok(Answer::new(format!("{} paths are reserved", held.len()), Reservations::of(held)))
    }
}
