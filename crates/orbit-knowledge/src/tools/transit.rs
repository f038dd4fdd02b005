//! `advance`, `revert`, `terminate`, `block`, `unblock`, `query_workflow_state`.

use super::containers::single;
use super::{fields, hints};
use crate::bounds::{self, Page};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Status};
use crate::store::{Session, Store};
use crate::wire::envelope::{Answer, Envelope};
use crate::wire::json;
use crate::wire::lenient::List;
use crate::wire::requests::{Blocking, QueryWorkflowState, Transit};
use crate::work::blocking::{self, Blockers};
use crate::work::moves::{self, Moved, Order};
use crate::work::{reservations, rows};
use serde_json::{Value, json};
use std::fmt::Write as _;

impl Store {
    /// `advance`: one state forwards.
    pub fn advance(&self, request: &Transit) -> Envelope {
        self.transit(request, "advanced", moves::advance)
    }

    /// `revert`: one state backwards.
    pub fn revert(&self, request: &Transit) -> Envelope {
        self.transit(request, "reverted", moves::revert)
    }

    /// `terminate`: gives up, for a reason that is kept.
    pub fn terminate(&self, request: &Transit) -> Envelope {
        let cascade = fields::flag(request.cascade, false);
        self.transit(request, "terminated", |session, order| moves::terminate(session, order, cascade))
    }

    fn transit(
        &self,
        request: &Transit,
        word: &str,
        run: impl FnOnce(&Session<'_>, &Order<'_>) -> Result<Moved, KnowledgeError>,
    ) -> Envelope {
        let claimed = self.claimed(request);
        let done = self.write(|session| {
            let order = Order {
                kind: fields::work_kind(&request.container_type)?,
                id: bounds::id("id", &request.id)?,
                version: fields::version(request.version, "a change of state")?,
                actor: fields::said("actor", request.actor.as_ref())?,
                reason: fields::said("reason", request.reason.as_ref())?,
            };
            let moved = run(session, &order)?;
            Ok((moved.container.project_id, order.id, told(session, word, &moved, order.reason)))
        });
        Envelope::of(done.and_then(|(project, task, (message, mut data))| {
            if let Some(hints) = data.get_mut("graphHints") {
                self.name_names(hints, task, project, &claimed)?;
            }
            Ok((message, data))
        }))
    }

    /// The paths that a task has for itself: closing it lets go of them.
    fn claimed(&self, request: &Transit) -> Vec<String> {
        let Some(id) = Id::parse(&request.id) else { return Vec::new() };
        let held = self.read(|session| reservations::list(session, Some(id), None));
        held.map(|held| held.into_iter().map(|it| it.pattern).collect()).unwrap_or_default()
    }

    /// `block`: something must be closed before this goes on.
    pub fn block(&self, request: &Blocking) -> Envelope {
        Envelope::of(self.write(|session| {
            let (kind, id) = (fields::work_kind(&request.container_type)?, bounds::id("id", &request.id)?);
            let version = fields::version(request.version, "block")?;
            let reason = fields::said("blockedReason", request.blocked_reason.as_ref())?;
            let done = blocking::block(session, kind, id, version, &blockers(request)?, reason)?;
            let mut data = single(&done.container);
            let total = total_blockers(&done.container);
            data["addedBlockers"] = done.changed.into();
            data["totalBlockers"] = total.into();
            Ok((format!("{} blocked by {total}", kind.word()), data))
        }))
    }

    /// `unblock`: removes blockers.
    pub fn unblock(&self, request: &Blocking) -> Envelope {
        Envelope::of(self.write(|session| {
            let (kind, id) = (fields::work_kind(&request.container_type)?, bounds::id("id", &request.id)?);
            let version = fields::version(request.version, "unblock")?;
            let done = blocking::unblock(session, kind, id, version, &blockers(request)?)?;
            let mut data = single(&done.container);
            let left = total_blockers(&done.container);
            data["removedBlockers"] = done.changed.into();
            data["remainingBlockers"] = left.into();
            data["isFullyUnblocked"] = (left == 0).into();
            Ok((format!("{} has {left} blockers left", kind.word()), data))
        }))
    }

    /// `query_workflow_state`: where it stands, where it can go, and how it came there.
    pub fn query_workflow_state(&self, request: &QueryWorkflowState) -> Envelope {
        Envelope::of(self.read(|session| {
            let kind = fields::work_kind(&request.container_type)?;
            let it = rows::get(session, kind, bounds::id("id", &request.id)?)?;
            let page = Page::of(fields::number(request.limit), None)?;
            let (kept, total) = moves::history(session, it.id, page.limit)?;
            let pipeline = session.pipelines.of(kind);
            let word = |status: Option<Status>| status.map(Status::word);
            let next = pipeline.next(it.status);
            let previous = pipeline.previous(it.status);
            let mut allowed: Vec<&str> = [next, previous].into_iter().flatten().map(Status::word).collect();
            if !it.status.is_terminal() {
                allowed.push(Status::WillNotImplement.word());
            }
            let data = json!({
                "containerType": kind.word(), "id": it.id.to_string(), "version": it.version,
                "currentStatus": it.status.word(), "nextStatus": word(next), "prevStatus": word(previous),
                "allowedTransitions": allowed, "isTerminal": it.status.is_terminal(), "isBlocked": it.is_blocked(),
                "blockedBy": json::blocked_by(&it), "blockedReason": it.blocked_reason,
                "pipelinePosition": pipeline.position(it.status),
                "relatedEntities": it.related_to.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "claim": json::claim(&it),
                "transitions": kept.iter().map(json::transition).collect::<Value>(), "total": total,
            });
            Ok((format!("{} \"{}\" is {}", kind.word(), it.name, it.status.word()), data))
        }))
    }
}

fn blockers(request: &Blocking) -> Result<Blockers, KnowledgeError> {
    let given = request.blocked_by.as_ref().ok_or_else(|| KnowledgeError::missing("blockedBy", "this"))?;
    if given.0 == ["NO_OP"] {
        return Ok(Blockers::NoOp);
    }
    if given.0.iter().any(|word| word == "NO_OP") {
        return Err(KnowledgeError::validation(
            "blockedBy",
            "NO_OP stands alone: call once for it, once for the ids",
        ));
    }
    Ok(Blockers::Ids(fields::ids("blockedBy", &List(given.0.clone()))?))
}

fn total_blockers(it: &Container) -> usize {
    it.blocked_by.len() + usize::from(it.is_held)
}

/// What a move did, in words and data.
fn told(session: &Session<'_>, word: &str, moved: &Moved, reason: Option<&str>) -> Answer {
    let it = &moved.container;
    let position = session.pipelines.of(it.kind).position(it.status);
    let mut message = format!("{} {word}: {} → {}", it.kind.word(), moved.from.word(), it.status.word());
    if let Some(position) = &position {
        let _ = write!(message, " (position: {position})");
    }
    let mut data = single(it);
    data["transition"] = json!({"from": moved.from.word(), "to": it.status.word()});
    data["pipelinePosition"] = position.into();
    let briefs = |list: &[Container]| -> Value { list.iter().map(json::brief).collect() };
    if it.status == Status::Closed {
        data["unblockedEntities"] = briefs(&moved.freed);
        if !moved.freed.is_empty() {
            let _ = write!(message, " Auto-unblocked {} dependent(s).", moved.freed.len());
        }
    }
    if it.status == Status::WillNotImplement {
        data["reason"] = reason.into();
        data["affectedDependents"] = briefs(&moved.stranded);
        data["terminatedTasks"] = briefs(&moved.terminated);
        if !moved.stranded.is_empty() {
            let _ = write!(message, " WARNING: {} dependent(s) stay blocked.", moved.stranded.len());
        }
    }
    if let Some(feature) = &moved.feature {
        let (from, to) = (feature.from.word(), feature.feature.status.word());
        let _ = write!(message, " Feature: {from} → {to}.");
        data["featureTransition"] = json!({"id": feature.feature.id.to_string(), "from": from, "to": to});
        data["feature"] = json::container(&feature.feature);
        data["featureUnblockedEntities"] = briefs(&feature.freed);
        data["featureAffectedDependents"] = briefs(&feature.stranded);
    }
    if it.kind == Kind::Task && it.status == Status::Closed {
        data["graphHints"] = hints::plain();
    }
    (message, data)
}
