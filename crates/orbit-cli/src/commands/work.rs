//! `orbit project`, `orbit feature`, `orbit task`

use super::store::Desk;
use crate::args::{
    BlockArgs, CreateArgs, DeleteArgs, FeatureArgs, ListWorkArgs, MoveArgs, NextArgs, PriorityArg,
    ProjectArgs, ProjectCommand, ReleaseArgs, ReserveArgs, ShowWorkArgs, TaskArgs, TaskCommand, UpdateArgs,
    WorkCommand,
};
use crate::failure::Failure;
use crate::render;
use orbit_knowledge::Kind;
use serde_json::{Value, json};

pub(super) fn project(args: ProjectArgs) -> Result<(), Failure> {
    let desk = Desk::open(&args.place)?;
    match args.command {
        ProjectCommand::Create(args) => create(&desk, Kind::Project, &args),
        ProjectCommand::List(args) => list(&desk, Kind::Project, &args),
        ProjectCommand::Show(args) => show(&desk, Kind::Project, &args),
        ProjectCommand::Update(args) => update(&desk, Kind::Project, &args),
        ProjectCommand::Delete(args) => delete(&desk, Kind::Project, &args),
    }
}

pub(super) fn feature(args: FeatureArgs) -> Result<(), Failure> {
    work(&Desk::open(&args.place)?, Kind::Feature, args.command)
}

pub(super) fn task(args: TaskArgs) -> Result<(), Failure> {
    let desk = Desk::open(&args.place)?;
    match args.command {
        TaskCommand::Work(command) => work(&desk, Kind::Task, command),
        TaskCommand::Reserve(args) => reserve(&desk, &args),
        TaskCommand::Release(args) => release(&desk, &args),
    }
}

fn work(desk: &Desk, kind: Kind, command: WorkCommand) -> Result<(), Failure> {
    match command {
        WorkCommand::Create(args) => create(desk, kind, &args),
        WorkCommand::List(args) => list(desk, kind, &args),
        WorkCommand::Show(args) => show(desk, kind, &args),
        WorkCommand::Update(args) => update(desk, kind, &args),
        WorkCommand::Advance(args) => transit(desk, kind, "advance", &args),
        WorkCommand::Revert(args) => transit(desk, kind, "revert", &args),
        WorkCommand::Terminate(args) => transit(desk, kind, "terminate", &args),
        WorkCommand::Block(args) => block(desk, kind, "block", &args),
        WorkCommand::Unblock(args) => block(desk, kind, "unblock", &args),
        WorkCommand::Next(args) => next(desk, kind, &args),
        WorkCommand::Delete(args) => delete(desk, kind, &args),
    }
}

fn priority(given: PriorityArg) -> &'static str {
    match given {
        PriorityArg::High => "HIGH",
        PriorityArg::Medium => "MEDIUM",
        PriorityArg::Low => "LOW",
    }
}

/// The parameter that holds the name.
fn name_of(kind: Kind) -> &'static str {
    if kind == Kind::Task { "title" } else { "name" }
}

fn create(desk: &Desk, kind: Kind, args: &CreateArgs) -> Result<(), Failure> {
    let mut arguments = json!({
        "operation": "create", "containerType": kind.word(), "description": args.description,
        "summary": args.summary.as_ref().unwrap_or(&args.title), "tags": args.tags,
    });
    arguments[name_of(kind)] = args.title.as_str().into();
    if kind != Kind::Project {
        arguments["priority"] = priority(args.priority).into();
        let feature = desk.maybe(Kind::Feature, args.feature.as_deref())?;
        if feature.is_none() || args.project.is_some() {
            arguments["projectId"] = desk.project(args.project.as_deref())?.id.to_string().into();
        }
        arguments["featureId"] = json!(feature);
    }
    if kind == Kind::Task {
        arguments["complexity"] = args.complexity.into();
    }
    let (_, data) = desk.call("manage_container", arguments)?;
    desk.tell(&data, || render::work::made(&data[kind.word()]))
}

fn list(desk: &Desk, kind: Kind, args: &ListWorkArgs) -> Result<(), Failure> {
    let arguments = json!({
        "operation": "search", "containerType": kind.word(), "query": args.query, "status": args.status,
        "tags": (!args.tags.is_empty()).then_some(&args.tags),
        "projectId": desk.maybe(Kind::Project, args.project.as_deref())?,
        "featureId": desk.maybe(Kind::Feature, args.feature.as_deref())?,
        "limit": args.limit, "offset": args.offset,
    });
    let (_, data) = desk.call("query_container", arguments)?;
    desk.tell(&data, || render::work::list(&data, kind.word()))
}

fn show(desk: &Desk, kind: Kind, args: &ShowWorkArgs) -> Result<(), Failure> {
    let id = desk.store.find_container(kind, &args.id)?.id.to_string();
    let arguments = json!({
        "operation": "get", "containerType": kind.word(), "id": id, "includeSections": true,
        "includeGraphContext": args.context,
    });
    let (_, mut data) = desk.call("query_container", arguments)?;
    if kind != Kind::Project {
        let (_, state) =
            desk.call("query_workflow_state", json!({"containerType": kind.word(), "id": id, "limit": 100}))?;
        data["transitions"] = state["transitions"].clone();
        data["nextStatus"] = state["nextStatus"].clone();
    }
    desk.tell(&data, || render::work::show(&data, kind.word()))
}

fn update(desk: &Desk, kind: Kind, args: &UpdateArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let mut arguments = json!({
        "operation": "update", "containerType": kind.word(), "id": found.id.to_string(),
        "version": args.at.unwrap_or(found.version), "summary": args.summary, "description": args.description,
        "priority": args.priority.map(priority), "complexity": args.complexity,
        "tags": (!args.tags.is_empty()).then_some(&args.tags),
    });
    arguments[name_of(kind)] = json!(args.title);
    arguments["featureId"] = match args.feature.as_deref() {
        Some("") => "".into(),
        other => json!(desk.maybe(Kind::Feature, other)?),
    };
    desk.done("manage_container", arguments)
}

fn delete(desk: &Desk, kind: Kind, args: &DeleteArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let arguments = json!({
        "operation": "delete", "containerType": kind.word(), "id": found.id.to_string(),
        "version": args.at.unwrap_or(found.version), "cascade": args.cascade,
    });
    desk.done("manage_container", arguments)
}

fn transit(desk: &Desk, kind: Kind, tool: &str, args: &MoveArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let mut arguments = json!({
        "containerType": kind.word(), "id": found.id.to_string(), "version": args.at.unwrap_or(found.version),
        "actor": args.actor, "reason": args.reason,
    });
    if args.cascade {
        arguments["cascade"] = true.into();
    }
    let (message, data) = desk.call(tool, arguments)?;
    desk.tell(&data, || {
        render::line(&message)?;
        render::work::hints(&data["graphHints"])
    })
}

fn block(desk: &Desk, kind: Kind, tool: &str, args: &BlockArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let mut by: Vec<String> = Vec::new();
    for text in &args.by {
        let other = desk.store.find_container(Kind::Task, text);
        by.push(other.or_else(|_| desk.store.find_container(Kind::Feature, text))?.id.to_string());
    }
    if by.is_empty() {
        by.push("NO_OP".into());
    }
    let arguments = json!({
        "containerType": kind.word(), "id": found.id.to_string(), "version": args.at.unwrap_or(found.version),
        "blockedBy": by, "blockedReason": args.reason,
    });
    desk.done(tool, arguments)
}

fn next(desk: &Desk, kind: Kind, args: &NextArgs) -> Result<(), Failure> {
    let tool = if kind == Kind::Task { "get_next_task" } else { "get_next_feature" };
    let mut arguments = json!({
        "projectId": desk.maybe(Kind::Project, args.project.as_deref())?,
        "featureId": desk.maybe(Kind::Feature, args.feature.as_deref())?, "actor": args.actor,
    });
    if args.claim {
        arguments["claim"] = true.into();
        arguments["ttlSeconds"] = args.ttl.into();
    }
    let (message, data) = desk.call(tool, arguments)?;
    desk.tell(&data, || match &data[kind.word()] {
        Value::Null => render::line(&message),
        it => render::work::made(it),
    })
}

fn reserve(desk: &Desk, args: &ReserveArgs) -> Result<(), Failure> {
    let task = desk.store.find_container(Kind::Task, &args.id)?.id.to_string();
    let arguments = json!({"operation": "reserve", "taskId": task, "paths": args.paths, "actor": args.actor,
        "ttlSeconds": args.ttl});
    desk.done("manage_reservation", arguments)
}

fn release(desk: &Desk, args: &ReleaseArgs) -> Result<(), Failure> {
    let task = desk.store.find_container(Kind::Task, &args.id)?.id.to_string();
    let paths = (!args.paths.is_empty()).then_some(&args.paths);
    desk.done("manage_reservation", json!({"operation": "release", "taskId": task, "paths": paths}))
}
