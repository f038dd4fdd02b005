//! `get_next_task`, `get_next_feature`, `get_blocked_tasks`, `get_blocked_features`.

use super::fields;
use crate::bounds::{self, Page};
use crate::error::KnowledgeError;
use crate::model::{Container, Kind};
use crate::store::{Session, Store};
use crate::wire::answers::{Answer, Listed, NextWork};
use crate::wire::requests::Queue;
use crate::work::queue::{self, Lease, Want};

type Next = fn(&Session<'_>, &Want, Option<&Lease<'_>>) -> Result<Option<Container>, KnowledgeError>;

impl Store {
    /// `get_next_task`: the unblocked task that comes first; taken with a lease when asked for.
    pub fn get_next_task(&self, request: &Queue) -> Result<Answer<NextWork>, KnowledgeError> {
        self.next(request, Kind::Task, queue::next_task)
    }

    /// `get_next_feature`: the unblocked feature that comes first.
    pub fn get_next_feature(&self, request: &Queue) -> Result<Answer<NextWork>, KnowledgeError> {
        self.next(request, Kind::Feature, queue::next_feature)
    }

    /// `get_blocked_tasks`: the open tasks that wait for something.
    pub fn get_blocked_tasks(&self, request: &Queue) -> Result<Answer<Listed<Container>>, KnowledgeError> {
        self.blocked(request, Kind::Task)
    }

    /// `get_blocked_features`: the open features that wait for something.
    pub fn get_blocked_features(&self, request: &Queue) -> Result<Answer<Listed<Container>>, KnowledgeError> {
        self.blocked(request, Kind::Feature)
    }

    fn next(&self, request: &Queue, kind: Kind, next: Next) -> Result<Answer<NextWork>, KnowledgeError> {
        let want = want(request, kind)?;
        let found = if fields::flag(request.claim, false) {
            let lease = fields::lease(request.actor.as_ref(), request.ttl_seconds, "claim")?;
            self.write(|session| next(session, &want, Some(&lease)))?
        } else {
            self.read(|session| next(session, &want, None))?
        };
        let ready = if kind == Kind::Task && request.limit.is_some() {
            let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
            Some(Listed::of(page.cut(self.read(|session| queue::ready(session, &want))?)))
        } else {
            None
        };
        let message = match &found {
            Some(it) => format!("next {}: \"{}\"", kind.word(), it.name),
            None => format!("no {} is ready", kind.word()),
        };
        Ok(Answer::new(message, NextWork { kind, container: found, ready }))
    }

    fn blocked(&self, request: &Queue, kind: Kind) -> Result<Answer<Listed<Container>>, KnowledgeError> {
        let want = want(request, kind)?;
        let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
        let found = page.cut(self.read(|session| queue::blocked(session, kind, &want))?);
        Ok(Answer::new(format!("{} {}s are blocked", found.total, kind.word()), Listed::of(found)))
    }
}

fn want(request: &Queue, kind: Kind) -> Result<Want, KnowledgeError> {
    if kind == Kind::Feature && request.feature_id.is_some() {
        return Err(KnowledgeError::validation("featureId", "featureId is for tasks"));
    }
    Ok(Want {
        project_id: fields::maybe_id("projectId", request.project_id.as_ref())?,
        feature_id: fields::maybe_id("featureId", request.feature_id.as_ref())?,
        priority: request.priority.as_ref().map(|word| bounds::word("priority", word)).transpose()?,
    })
}
