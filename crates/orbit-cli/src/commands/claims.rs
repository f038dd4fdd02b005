//! Taking and giving back work: `next`, `ready`, `mine`, `claim`, `unclaim`, `reserve`, `release`.

use super::store::{Desk, refused};
use crate::args::{ClaimArgs, MineArgs, NextArgs, ReadyArgs, ReleaseArgs, ReserveArgs};
use crate::failure::Failure;
use crate::render;
use orbit_knowledge::{Answer, Kind, ManageClaim, ManageReservation, NextWork, Queue};

/// The request of a claim that was typed.
pub(super) fn request(desk: &Desk, kind: Kind, args: &ClaimArgs) -> Result<ManageClaim, Failure> {
    Ok(ManageClaim {
        container_type: Some(kind.word().to_owned()),
        id: Some(desk.store.find_container(kind, &args.id)?.id.to_string()),
        actor: desk.actor(args.who.actor.as_ref()),
        ttl_seconds: Some(args.ttl.into()),
        force: Some(args.who.force.into()),
        ..ManageClaim::default()
    })
}

pub(super) fn ready(desk: &Desk, args: &ReadyArgs) -> Result<(), Failure> {
    let request = Queue {
        project_id: desk.maybe(Kind::Project, args.project.as_deref())?,
        feature_id: desk.maybe(Kind::Feature, args.feature.as_deref())?,
        limit: Some(args.limit.into()),
        ..Queue::default()
    };
    let Answer { message, data } = desk.store.get_next_task(&request).map_err(refused)?;
    match data.ready.filter(|page| !page.items.is_empty()) {
        Some(page) => desk.tell(&page, || render::work::list(&page, Kind::Task)),
        None => desk.tell(&serde_json::json!({"total": 0, "items": []}), || render::line(&message)),
    }
}

pub(super) fn mine(desk: &Desk, args: &MineArgs) -> Result<(), Failure> {
    let request = ManageClaim {
        actor: desk.actor(args.actor.as_ref()),
        limit: Some(args.limit.into()),
        ..ManageClaim::default()
    };
    let Answer { data, .. } = desk.store.own_work(&request).map_err(refused)?;
    desk.tell(&data, || render::work::own(&data))
}

pub(super) fn next(desk: &Desk, kind: Kind, args: &NextArgs) -> Result<(), Failure> {
    let request = Queue {
        project_id: desk.maybe(Kind::Project, args.project.as_deref())?,
        feature_id: desk.maybe(Kind::Feature, args.feature.as_deref())?,
        actor: desk.actor(args.actor.as_ref()),
        claim: Some(args.claim.into()),
        ttl_seconds: Some(args.ttl.into()),
        ..Queue::default()
    };
    let found = match kind {
        Kind::Task => desk.store.get_next_task(&request),
        _ => desk.store.get_next_feature(&request),
    };
    let Answer { message, data } = found.map_err(refused)?;
    desk.tell(&data, || match &data {
        NextWork { container: Some(it), .. } => render::work::made(it),
        NextWork { container: None, .. } => render::line(&message),
    })
}

pub(super) fn reserve(desk: &Desk, args: &ReserveArgs) -> Result<(), Failure> {
    let request = ManageReservation {
        operation: "reserve".to_owned(),
        task_id: Some(desk.store.find_container(Kind::Task, &args.id)?.id.to_string()),
        paths: Some(args.paths.clone().into()),
        actor: desk.actor(args.actor.as_ref()),
        ttl_seconds: Some(args.ttl.into()),
        ..ManageReservation::default()
    };
    desk.done(desk.store.manage_reservation(&request))
}

pub(super) fn release(desk: &Desk, args: &ReleaseArgs) -> Result<(), Failure> {
    let request = ManageReservation {
        operation: "release".to_owned(),
        task_id: Some(desk.store.find_container(Kind::Task, &args.id)?.id.to_string()),
        paths: (!args.paths.is_empty()).then(|| args.paths.clone().into()),
        actor: desk.actor(args.who.actor.as_ref()),
        force: Some(args.who.force.into()),
        ..ManageReservation::default()
    };
    desk.done(desk.store.manage_reservation(&request))
}
