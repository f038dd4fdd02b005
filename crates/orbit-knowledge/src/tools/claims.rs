//! `manage_claim`: taking a chosen task, giving it back, and what somebody was doing.

use super::{fields, unknown};
use crate::bounds::{self, Page};
use crate::error::KnowledgeError;
use crate::model::Kind;
use crate::store::Store;
use crate::wire::answers::{Answer, ClaimAnswer, OneContainer, OwnWork};
use crate::wire::requests::ManageClaim;
use crate::work::{queue, reservations, rows};

impl Store {
    /// `manage_claim`: takes a chosen feature or task, gives it back, or lists what an actor has in hand.
    pub fn manage_claim(&self, request: &ManageClaim) -> Result<Answer<ClaimAnswer>, KnowledgeError> {
        match request.operation.as_str() {
            "claim" => Ok(self.claim(request)?.map(ClaimAnswer::One)),
            "release" => Ok(self.unclaim(request)?.map(ClaimAnswer::One)),
            "mine" => Ok(self.own_work(request)?.map(ClaimAnswer::Own)),
            other => Err(unknown(other, "claim, release, mine")),
        }
    }

    /// `manage_claim claim`.
    pub fn claim(&self, request: &ManageClaim) -> Result<Answer<OneContainer>, KnowledgeError> {
        let kind = kind(request)?;
        let id = fields::id("id", request.id.as_ref(), "claim")?;
        let lease = fields::lease(request.actor.as_ref(), request.ttl_seconds, "claim")?;
        let by = fields::by(request.actor.as_ref(), request.force)?;
        self.write(|session| {
            let it = queue::claim_chosen(session, kind, id, &lease, by)?;
            let message = format!("{} \"{}\" is yours, {}", kind.word(), it.name, lease.actor);
            Ok(Answer::new(message, OneContainer { container: it }))
        })
    }

    /// `manage_claim release`: with the paths that were reserved under it.
    pub fn unclaim(&self, request: &ManageClaim) -> Result<Answer<OneContainer>, KnowledgeError> {
        let kind = kind(request)?;
        let id = fields::id("id", request.id.as_ref(), "release")?;
        let by = fields::by(request.actor.as_ref(), request.force)?;
        self.write(|session| {
            queue::release(session, &rows::get(session, kind, id)?, by)?;
            let it = rows::get(session, kind, id)?;
            Ok(Answer::new(
                format!("{} \"{}\" is free", kind.word(), it.name),
                OneContainer { container: it },
            ))
        })
    }

    /// `manage_claim mine`: what an actor holds or held last, and what is reserved for it.
    pub fn own_work(&self, request: &ManageClaim) -> Result<Answer<OwnWork>, KnowledgeError> {
        let actor = fields::said("actor", request.actor.as_ref())?
            .ok_or_else(|| KnowledgeError::missing("actor", "mine"))?;
        let page = Page::of(fields::number(request.limit), None)?;
        self.read(|session| {
            let claimed = queue::claimed_by(session, actor)?;
            let recent = queue::moved_by(session, actor, page.limit)?;
            let mut reserved = reservations::list(session, None, None)?;
            reserved.retain(|it| it.actor == actor);
            let message = format!("{actor} holds {}, and moved {} before", claimed.len(), recent.len());
            Ok(Answer::new(message, OwnWork { actor: actor.to_owned(), claimed, recent, reserved }))
        })
    }
}

fn kind(request: &ManageClaim) -> Result<Kind, KnowledgeError> {
    match &request.container_type {
        Some(word) => fields::work_kind(word),
        None => bounds::word("containerType", "task"),
    }
}
