//! `advance`, `revert`, `terminate`, `block`, `unblock`, `query_workflow_state`.

use super::{fields, hints};
use crate::bounds::{self, Page};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Kind, Status};
use crate::store::{Session, Store};
use crate::wire::answers::{
    Answer, Blocked, Brief, FeatureFollowed, FeatureStep, OneContainer, Step, Terminated, Transited,
    Unblocked, WorkflowState,
};
use crate::wire::lenient::List;
use crate::wire::requests::{Blocking, QueryWorkflowState, Transit};
use crate::work::blocking::{self, Blockers};
use crate::work::moves::{self, FeatureMoved, Moved, Order};
use crate::work::{reservations, rows, transitions};
use std::fmt::Write as _;

impl Store {
    /// `advance`: one state forwards.
    pub fn advance(&self, request: &Transit) -> Result<Answer<Transited>, KnowledgeError> {
        self.transit(request, "advanced", moves::advance)
    }

    /// `revert`: one state backwards.
    pub fn revert(&self, request: &Transit) -> Result<Answer<Transited>, KnowledgeError> {
        self.transit(request, "reverted", moves::revert)
    }

    /// `terminate`: gives up, for a reason that is kept.
    pub fn terminate(&self, request: &Transit) -> Result<Answer<Transited>, KnowledgeError> {
        let cascade = fields::flag(request.cascade, false);
        self.transit(request, "terminated", |session, order| moves::terminate(session, order, cascade))
    }

    /// `reopen`: takes up again what had ended.
    pub fn reopen(&self, request: &Transit) -> Result<Answer<Transited>, KnowledgeError> {
        self.transit(request, "reopened", moves::reopen)
    }

    fn transit(
        &self,
        request: &Transit,
        word: &str,
        run: impl FnOnce(&Session<'_>, &Order<'_>) -> Result<Moved, KnowledgeError>,
    ) -> Result<Answer<Transited>, KnowledgeError> {
        let claimed = self.claimed(request);
        let mut done = self.write(|session| {
            let order = Order {
                kind: fields::work_kind(&request.container_type)?,
                id: bounds::id("id", &request.id)?,
                version: fields::version(request.version, "a change of state")?,
                by: fields::by(request.actor.as_ref(), request.force)?,
                reason: fields::said("reason", request.reason.as_ref())?,
            };
            let moved = run(session, &order)?;
            Ok(told(session, word, moved, order.reason))
        })?;
        let Transited { one: OneContainer { container }, graph_hints, .. } = &mut done.data;
        if let Some(hints) = graph_hints {
            hints.named = self.named_hints(container.id, container.project_id, &claimed)?;
        }
        Ok(done)
    }

    /// The paths that a task has for itself: closing it lets go of them.
    fn claimed(&self, request: &Transit) -> Vec<String> {
        let Some(id) = Id::parse(&request.id) else { return Vec::new() };
        let held = self.read(|session| reservations::list(session, Some(id), None));
        held.map(|held| held.into_iter().map(|it| it.pattern).collect()).unwrap_or_default()
    }

    /// `block`: something must be closed before this goes on.
    pub fn block(&self, request: &Blocking) -> Result<Answer<Blocked>, KnowledgeError> {
        self.write(|session| {
            let (kind, id) = (fields::work_kind(&request.container_type)?, bounds::id("id", &request.id)?);
            let version = fields::version(request.version, "block")?;
            let reason = fields::said("blockedReason", request.blocked_reason.as_ref())?;
            let done = blocking::block(session, kind, id, version, &blockers(request)?, reason)?;
            let total = done.container.blockers().len();
            let one = OneContainer { container: done.container };
            let data = Blocked { one, added_blockers: done.changed, total_blockers: total };
            Ok(Answer::new(format!("{} blocked by {total}", kind.word()), data))
        })
    }

    /// `unblock`: removes blockers.
    pub fn unblock(&self, request: &Blocking) -> Result<Answer<Unblocked>, KnowledgeError> {
        self.write(|session| {
            let (kind, id) = (fields::work_kind(&request.container_type)?, bounds::id("id", &request.id)?);
            let version = fields::version(request.version, "unblock")?;
            let done = blocking::unblock(session, kind, id, version, &blockers(request)?)?;
            let left = done.container.blockers().len();
            let data = Unblocked {
                one: OneContainer { container: done.container },
                removed_blockers: done.changed,
                remaining_blockers: left,
                is_fully_unblocked: left == 0,
            };
            Ok(Answer::new(format!("{} has {left} blockers left", kind.word()), data))
        })
    }

    /// `query_workflow_state`: where it stands, where it can go, and how it came there.
    pub fn query_workflow_state(
        &self,
        request: &QueryWorkflowState,
    ) -> Result<Answer<WorkflowState>, KnowledgeError> {
        self.read(|session| {
            let kind = fields::work_kind(&request.container_type)?;
            let it = rows::get(session, kind, bounds::id("id", &request.id)?)?;
            let page = Page::of(fields::number(request.limit), None)?;
            let (transitions, total) = transitions::history(session, it.id, page.limit)?;
            let pipeline = session.pipelines.of(kind);
            let (next, previous) = (pipeline.next(it.status), pipeline.previous(it.status));
            let mut allowed: Vec<Status> = [next, previous].into_iter().flatten().collect();
            if !it.status.is_terminal() {
                allowed.push(Status::WillNotImplement);
            }
            let message = format!("{} \"{}\" is {}", kind.word(), it.name, it.status.word());
            let state = WorkflowState {
                container_type: kind,
                id: it.id,
                version: it.version,
                current_status: it.status,
                next_status: next,
                prev_status: previous,
                allowed_transitions: allowed,
                is_terminal: it.status.is_terminal(),
                is_blocked: it.is_blocked(),
                blocked_by: it.blockers(),
                blocked_reason: it.blocked_reason,
                pipeline_position: pipeline.position(it.status),
                related_entities: it.related_to,
                claim: it.claim,
                transitions,
                total,
            };
            Ok(Answer::new(message, state))
        })
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

/// What a move did, in words and data.
fn told(session: &Session<'_>, word: &str, moved: Moved, reason: Option<&str>) -> Answer<Transited> {
    let it = moved.container;
    let step = Step { from: moved.from, to: it.status };
    let position = session.pipelines.of(it.kind).position(it.status);
    let mut message = format!("{} {word}: {} → {}", it.kind.word(), step.from.word(), step.to.word());
    if let Some(position) = &position {
        let _ = write!(message, " (position: {position})");
    }
    let is_closed = it.status == Status::Closed;
    if is_closed && !moved.freed.is_empty() {
        let _ = write!(message, " Auto-unblocked {} dependent(s).", moved.freed.len());
    }
    let is_given_up = it.status == Status::WillNotImplement;
    if is_given_up && !moved.stranded.is_empty() {
        let _ = write!(message, " WARNING: {} dependent(s) stay blocked.", moved.stranded.len());
    }
    let feature = moved.feature.map(followed);
    if let Some(FeatureFollowed { feature_transition: FeatureStep { step, .. }, .. }) = &feature {
        let _ = write!(message, " Feature: {} → {}.", step.from.word(), step.to.word());
    }
    let data = Transited {
        transition: step,
        pipeline_position: position,
        unblocked_entities: is_closed.then(|| Brief::list(&moved.freed)),
        terminated: is_given_up.then(|| Terminated {
            reason: reason.map(str::to_owned),
            affected_dependents: Brief::list(&moved.stranded),
            terminated_tasks: Brief::list(&moved.terminated),
        }),
        feature,
        graph_hints: (it.kind == Kind::Task && is_closed).then(hints::plain),
        one: OneContainer { container: it },
    };
    Answer::new(message, data)
}

fn followed(moved: FeatureMoved) -> FeatureFollowed {
    let feature = moved.feature;
    let step = Step { from: moved.from, to: feature.status };
    FeatureFollowed {
        feature_transition: FeatureStep { id: feature.id, step },
        feature,
        feature_unblocked_entities: Brief::list(&moved.freed),
        feature_affected_dependents: Brief::list(&moved.stranded),
    }
}
