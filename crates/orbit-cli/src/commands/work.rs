//! `orbit project`, `orbit feature`, `orbit task`

use super::store::{Desk, refused};
use super::{claims, guard};
use crate::args::{
    BlockArgs, CommentArgs, CreateArgs, DeleteArgs, FeatureArgs, ListWorkArgs, MoveArgs, PriorityArg,
    ProjectArgs, ProjectCommand, ShowWorkArgs, TaskArgs, TaskCommand, UpdateArgs, WorkCommand,
};
use crate::failure::Failure;
use crate::render;
use crate::render::work::{Shown, ShownState};
use orbit_knowledge::{
    Answer, Blocking, Change, Kind, KnowledgeError, List, ManageContainer, QueryContainer,
    QueryWorkflowState, Store, Transit, Transited,
};

pub(super) fn project(args: ProjectArgs) -> Result<(), Failure> {
    let desk = Desk::open(&args.store)?;
    match args.command {
        ProjectCommand::Create(args) => create(&desk, Kind::Project, &args),
        ProjectCommand::List(args) => list(&desk, Kind::Project, &args),
        ProjectCommand::Show(args) => show(&desk, Kind::Project, &args),
        ProjectCommand::Update(args) => update(&desk, Kind::Project, &args),
        ProjectCommand::Delete(args) => delete(&desk, Kind::Project, &args),
    }
}

pub(super) fn feature(args: FeatureArgs) -> Result<(), Failure> {
    work(&Desk::open(&args.store)?, Kind::Feature, args.command)
}

pub(super) fn task(args: TaskArgs) -> Result<(), Failure> {
    let TaskArgs { store, command } = args;
    let desk = Desk::open(&store)?;
    match command {
        TaskCommand::Work(command) => work(&desk, Kind::Task, command),
        TaskCommand::Reserve(args) => claims::reserve(&desk, &args),
        TaskCommand::Release(args) => claims::release(&desk, &args),
        TaskCommand::Guard(args) => guard::run(&desk, &store.dir, &args),
        TaskCommand::Ready(args) => claims::ready(&desk, &args),
        TaskCommand::Mine(args) => claims::mine(&desk, &args),
    }
}

fn work(desk: &Desk, kind: Kind, command: WorkCommand) -> Result<(), Failure> {
    match command {
        WorkCommand::Create(args) => create(desk, kind, &args),
        WorkCommand::List(args) => list(desk, kind, &args),
        WorkCommand::Show(args) => show(desk, kind, &args),
        WorkCommand::Update(args) => update(desk, kind, &args),
        WorkCommand::Advance(args) => transit(desk, kind, Store::advance, &args),
        WorkCommand::Revert(args) => transit(desk, kind, Store::revert, &args),
        WorkCommand::Terminate(args) => transit(desk, kind, Store::terminate, &args),
        WorkCommand::Block(args) => desk.done(desk.store.block(&blocking(desk, kind, &args)?)),
        WorkCommand::Unblock(args) => desk.done(desk.store.unblock(&blocking(desk, kind, &args)?)),
        WorkCommand::Next(args) => claims::next(desk, kind, &args),
        WorkCommand::Reopen(args) => transit(desk, kind, Store::reopen, &args),
        WorkCommand::Claim(args) => desk.done(desk.store.claim(&claims::request(desk, kind, &args)?)),
        WorkCommand::Unclaim(args) => desk.done(desk.store.unclaim(&claims::request(desk, kind, &args)?)),
        WorkCommand::Comment(args) => comment(desk, kind, &args),
        WorkCommand::Delete(args) => delete(desk, kind, &args),
    }
}

fn priority(given: PriorityArg) -> String {
    let word = match given {
        PriorityArg::High => "HIGH",
        PriorityArg::Medium => "MEDIUM",
        PriorityArg::Low => "LOW",
    };
    word.to_owned()
}

/// Tags that replace those that are there; none leave them.
fn tags(given: &[String]) -> Option<List> {
    (!given.is_empty()).then(|| given.to_vec().into())
}

/// A request about a container of a kind, with the parameter that holds its name.
fn named(kind: Kind, name: Option<&String>) -> ManageContainer {
    let (container_type, name) = (kind.word().to_owned(), name.cloned());
    match kind {
        Kind::Task => ManageContainer { container_type, title: name, ..ManageContainer::default() },
        _ => ManageContainer { container_type, name, ..ManageContainer::default() },
    }
}

fn create(desk: &Desk, kind: Kind, args: &CreateArgs) -> Result<(), Failure> {
    let mut request = ManageContainer {
        description: Change::said(args.description.clone()),
        summary: Some(args.summary.as_ref().unwrap_or(&args.title).clone()),
        tags: Some(args.tags.clone().into()),
        ..named(kind, Some(&args.title))
    };
    if kind != Kind::Project {
        request.priority = Some(priority(args.priority));
        let feature = desk.maybe(Kind::Feature, args.feature.as_deref())?;
        let parent = desk.maybe(Kind::Task, args.parent.as_deref())?;
        // Part of something, it is where that is.
        if (feature.is_none() && parent.is_none()) || args.project.is_some() {
            request.project_id = Change::Set(desk.project(args.project.as_deref())?.id.to_string());
        }
        request.feature_id = Change::said(feature);
        request.parent_id = Change::said(parent);
        request.discovered_from = Some(any_work(desk, &args.discovered_from)?.into());
    }
    if kind == Kind::Task {
        request.complexity = Some(args.complexity.into());
    }
    let made = desk.store.create_container(&request).map_err(refused)?.data;
    desk.tell(&made, || render::work::made(&made.container))
}

fn list(desk: &Desk, kind: Kind, args: &ListWorkArgs) -> Result<(), Failure> {
    let request = QueryContainer {
        container_type: kind.word().to_owned(),
        query: args.query.clone(),
        tags: tags(&args.tags),
        project_id: desk.maybe(Kind::Project, args.project.as_deref())?,
        feature_id: desk.maybe(Kind::Feature, args.feature.as_deref())?,
        status: args.status.as_deref().map(str::parse).transpose().map_err(refused)?,
        limit: Some(args.limit.into()),
        offset: Some(args.offset.into()),
        ..QueryContainer::default()
    };
    let found = desk.store.search_containers(&request).map_err(refused)?.data;
    desk.tell(&found, || render::work::list(&found, kind))
}

fn show(desk: &Desk, kind: Kind, args: &ShowWorkArgs) -> Result<(), Failure> {
    let id = desk.store.find_container(kind, &args.id)?.id.to_string();
    let container_type = kind.word().to_owned();
    let request = QueryContainer {
        container_type: container_type.clone(),
        id: Some(id.clone()),
        include_sections: Some(true.into()),
        include_comments: Some(true.into()),
        include_graph_context: Some(args.context.into()),
        ..QueryContainer::default()
    };
    let view = desk.store.get_container(&request).map_err(refused)?.data;
    let mut state = None;
    if kind != Kind::Project {
        let request = QueryWorkflowState { container_type, id, limit: Some(100.into()) };
        let found = desk.store.query_workflow_state(&request).map_err(refused)?.data;
        state = Some(ShownState { transitions: found.transitions, next_status: found.next_status });
    }
    let shown = Shown { view, state };
    desk.tell(&shown, || render::work::show(&shown))
}

fn update(desk: &Desk, kind: Kind, args: &UpdateArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let request = ManageContainer {
        operation: "update".to_owned(),
        id: Some(found.id.to_string()),
        version: Some(args.at.unwrap_or(found.version).into()),
        summary: args.summary.clone(),
        description: Change::said(args.description.clone()),
        priority: args.priority.map(priority),
        complexity: args.complexity.map(Into::into),
        tags: tags(&args.tags),
        feature_id: match args.feature.as_deref() {
            Some("") => Change::Clear,
            other => Change::said(desk.maybe(Kind::Feature, other)?),
        },
        parent_id: match args.parent.as_deref() {
            Some("") => Change::Clear,
            other => Change::said(desk.maybe(Kind::Task, other)?),
        },
        actor: desk.actor(args.who.actor.as_ref()),
        force: Some(args.who.force.into()),
        ..named(kind, args.title.as_ref())
    };
    desk.done(desk.store.manage_container(&request))
}

fn delete(desk: &Desk, kind: Kind, args: &DeleteArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let request = ManageContainer {
        operation: "delete".to_owned(),
        container_type: kind.word().to_owned(),
        id: Some(found.id.to_string()),
        version: Some(args.at.unwrap_or(found.version).into()),
        cascade: Some(args.cascade.into()),
        actor: desk.actor(args.who.actor.as_ref()),
        force: Some(args.who.force.into()),
        ..ManageContainer::default()
    };
    desk.done(desk.store.manage_container(&request))
}

fn transit(
    desk: &Desk,
    kind: Kind,
    run: impl FnOnce(&Store, &Transit) -> Result<Answer<Transited>, KnowledgeError>,
    args: &MoveArgs,
) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let request = Transit {
        container_type: kind.word().to_owned(),
        id: found.id.to_string(),
        version: Some(args.at.unwrap_or(found.version).into()),
        actor: desk.actor(args.who.actor.as_ref()),
        reason: args.reason.clone(),
        cascade: Some(args.cascade.into()),
        force: Some(args.who.force.into()),
    };
    let Answer { message, data } = run(&desk.store, &request).map_err(refused)?;
    desk.tell(&data, || {
        render::line(&message)?;
        data.graph_hints.as_ref().map_or(Ok(()), render::work::hints)
    })
}

fn blocking(desk: &Desk, kind: Kind, args: &BlockArgs) -> Result<Blocking, Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let mut by = any_work(desk, &args.by)?;
    if by.is_empty() {
        by.push("NO_OP".into());
    }
    Ok(Blocking {
        container_type: kind.word().to_owned(),
        id: found.id.to_string(),
        version: Some(args.at.unwrap_or(found.version).into()),
        blocked_by: Some(by.into()),
        blocked_reason: args.reason.clone(),
    })
}

/// Ids of what was typed: tasks, or else features.
fn any_work(desk: &Desk, typed: &[String]) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for text in typed {
        let found = desk.store.find_container(Kind::Task, text);
        ids.push(found.or_else(|_| desk.store.find_container(Kind::Feature, text))?.id.to_string());
    }
    Ok(ids)
}

fn comment(desk: &Desk, kind: Kind, args: &CommentArgs) -> Result<(), Failure> {
    let found = desk.store.find_container(kind, &args.id)?;
    let (operation, comment) = match (&args.remove, &args.text) {
        (Some(begin), _) => ("uncomment", desk.store.find_comment(found.id, begin)?.to_string()),
        (None, text) => ("comment", text.clone().unwrap_or_default()),
    };
    let request = ManageContainer {
        operation: operation.to_owned(),
        container_type: kind.word().to_owned(),
        id: Some(found.id.to_string()),
        comment: Some(comment),
        actor: desk.actor(args.actor.as_ref()),
        ..ManageContainer::default()
    };
    desk.done(desk.store.manage_container(&request))
}
