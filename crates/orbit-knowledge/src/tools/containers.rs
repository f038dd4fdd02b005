//! `manage_container` and `query_container`.

use super::questions::CHANGELOG;
use super::{fields, unknown};
use crate::bounds::{self, PAGE_ROWS, Page};
use crate::error::KnowledgeError;
use crate::graph::context::{self, Asked};
use crate::graph::context_files;
use crate::model::{Container, Kind};
use crate::store::{Session, Store};
use crate::wire::answers::{
    Answer, ContainerChange, ContainerView, Containers, DeletedContainer, Listed, OneComment, OneContainer,
    Subtask, TaskCounts,
};
use crate::wire::lenient::List;
use crate::wire::requests::{ManageContainer, QueryContainer};
use crate::words::Word;
use crate::work::containers::{self, Draft};
use crate::work::holder::By;
use crate::work::search::{self, Filter, Query};
use crate::work::{comments, deletion, rows, sections, subtasks};

impl Store {
    /// `manage_container`: making, changing and deleting projects, features and tasks.
    pub fn manage_container(
        &self,
        request: &ManageContainer,
    ) -> Result<Answer<ContainerChange>, KnowledgeError> {
        match request.operation.as_str() {
            "create" => Ok(self.create_container(request)?.map(ContainerChange::Kept)),
            operation => self.write(|session| {
                let kind = changed_kind(request)?;
                match operation {
                    "update" => Ok(update(session, request, kind)?.map(ContainerChange::Kept)),
                    "delete" => Ok(delete(session, request, kind)?.map(ContainerChange::Gone)),
                    "comment" => Ok(comment(session, request, kind)?.map(ContainerChange::Said)),
                    "uncomment" => Ok(uncomment(session, request, kind)?.map(ContainerChange::Said)),
                    other => Err(unknown(other, "create, update, delete, comment, uncomment")),
                }
            }),
        }
    }

    /// `manage_container create`.
    pub fn create_container(
        &self,
        request: &ManageContainer,
    ) -> Result<Answer<OneContainer>, KnowledgeError> {
        self.write(|session| {
            let kind = changed_kind(request)?;
            Ok(told("created", containers::create(session, kind, &draft(request, kind)?)?))
        })
    }

    /// `query_container`: one project, feature or task, a filtered list, or an overview.
    pub fn query_container(&self, request: &QueryContainer) -> Result<Answer<Containers>, KnowledgeError> {
        let one = |view| Containers::One(Box::new(view));
        let kind: Kind = bounds::word("containerType", &request.container_type)?;
        match (request.operation.as_str(), &request.id) {
            ("get", _) => Ok(self.get_container(request)?.map(one)),
            ("overview", Some(_)) => Ok(self.read(|session| overview(session, request, kind))?.map(one)),
            ("search" | "overview", _) => Ok(self.search_containers(request)?.map(Containers::Page)),
            (other, _) => Err(unknown(other, "get, search, overview")),
        }
    }

    /// `query_container get`.
    pub fn get_container(&self, request: &QueryContainer) -> Result<Answer<ContainerView>, KnowledgeError> {
        let kind: Kind = bounds::word("containerType", &request.container_type)?;
        let mut found = self.read(|session| get(session, request, kind))?;
        if let Some(context) = &mut found.data.graph_context {
            self.check_context(context)?;
        }
        Ok(found)
    }

    /// `query_container search`.
    pub fn search_containers(
        &self,
        request: &QueryContainer,
    ) -> Result<Answer<Listed<Container>>, KnowledgeError> {
        let kind: Kind = bounds::word("containerType", &request.container_type)?;
        self.read(|session| search_page(session, request, kind))
    }
}

fn changed_kind(request: &ManageContainer) -> Result<Kind, KnowledgeError> {
    let kind = bounds::word("containerType", &request.container_type)?;
    if request.status.is_some() {
        let text = "status cannot be set: use the advance, revert or terminate tools";
        return Err(KnowledgeError::validation("status", text));
    }
    Ok(kind)
}

fn told(word: &str, container: Container) -> Answer<OneContainer> {
    let message = format!("{} \"{}\" {word}", container.kind.word(), container.name);
    Answer::new(message, OneContainer { container })
}

fn draft(request: &ManageContainer, kind: Kind) -> Result<Draft, KnowledgeError> {
    let (name, other, field) = match kind {
        Kind::Task => (&request.title, &request.name, "name"),
        _ => (&request.name, &request.title, "title"),
    };
    if other.is_some() {
        let right = if kind == Kind::Task { "title" } else { "name" };
        let text = format!("a {} has no {field}: use {right}", kind.word());
        return Err(KnowledgeError::validation(field, text));
    }
    if kind != Kind::Task && request.complexity.is_some() {
        return Err(KnowledgeError::validation("complexity", "only tasks have a complexity"));
    }
    if kind == Kind::Project && request.priority.is_some() {
        return Err(KnowledgeError::validation("priority", "projects have no priority"));
    }
    Ok(Draft {
        name: name.clone(),
        summary: request.summary.clone(),
        description: request.description.clone(),
        priority: request.priority.as_ref().map(|word| bounds::word("priority", word)).transpose()?,
        complexity: fields::number(request.complexity),
        project_id: fields::change("projectId", &request.project_id)?,
        feature_id: fields::change("featureId", &request.feature_id)?,
        parent_id: fields::change("parentId", &request.parent_id)?,
        tags: request.tags.clone().map(|tags| tags.0),
        related_to: request.related_to.as_ref().map(|list| fields::ids("relatedTo", list)).transpose()?,
        discovered_from: request
            .discovered_from
            .as_ref()
            .map(|list| fields::ids("discoveredFrom", list))
            .transpose()?,
    })
}

fn by(request: &ManageContainer) -> Result<By<'_>, KnowledgeError> {
    fields::by(request.actor.as_ref(), request.force)
}

fn update(
    session: &Session<'_>,
    request: &ManageContainer,
    kind: Kind,
) -> Result<Answer<OneContainer>, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "update")?;
    let version = fields::version(request.version, "update")?;
    Ok(told("updated", containers::update(session, kind, id, version, &draft(request, kind)?, by(request)?)?))
}

fn delete(
    session: &Session<'_>,
    request: &ManageContainer,
    kind: Kind,
) -> Result<Answer<DeletedContainer>, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "delete")?;
    let version = fields::version(request.version, "delete")?;
    let gone =
        deletion::delete(session, kind, id, version, fields::flag(request.cascade, false), by(request)?)?;
    let data = DeletedContainer {
        deleted: true,
        deleted_features: gone.features,
        deleted_tasks: gone.tasks,
        deleted_molecules: gone.molecules,
        deleted_atoms: gone.atoms,
    };
    Ok(Answer::new(format!("{} deleted", kind.word()), data))
}

/// Says something about a container; it needs no version, as nothing is overwritten.
fn comment(
    session: &Session<'_>,
    request: &ManageContainer,
    kind: Kind,
) -> Result<Answer<OneComment>, KnowledgeError> {
    let it = rows::get(session, kind, fields::id("id", request.id.as_ref(), "comment")?)?;
    let text = request.comment.as_ref().ok_or_else(|| KnowledgeError::missing("comment", "comment"))?;
    let actor = fields::said("actor", request.actor.as_ref())?;
    let comment = comments::add(session, kind, it.id, actor, text)?;
    Ok(Answer::new(format!("commented on {} \"{}\"", kind.word(), it.name), OneComment { comment }))
}

fn uncomment(
    session: &Session<'_>,
    request: &ManageContainer,
    kind: Kind,
) -> Result<Answer<OneComment>, KnowledgeError> {
    let it = rows::get(session, kind, fields::id("id", request.id.as_ref(), "uncomment")?)?;
    let comment = fields::id("comment", request.comment.as_ref(), "uncomment")?;
    let comment = comments::remove(session, it.id, comment)?;
    Ok(Answer::new(format!("comment on {} \"{}\" removed", kind.word(), it.name), OneComment { comment }))
}

fn get(
    session: &Session<'_>,
    request: &QueryContainer,
    kind: Kind,
) -> Result<Answer<ContainerView>, KnowledgeError> {
    let it = rows::get(session, kind, fields::id("id", request.id.as_ref(), "get")?)?;
    let message = format!("{} \"{}\"", kind.word(), it.name);
    let (id, project) = (it.id, it.project_id);
    let task_counts = (kind != Kind::Task).then(|| search::task_counts(session, &it)).transpose()?;
    let mut view = ContainerView { task_counts: task_counts.map(TaskCounts::of), ..ContainerView::of(it) };
    if kind == Kind::Task {
        view.subtasks = subtasks::of(session, id)?.into_iter().map(subtask).collect();
    }
    if fields::flag(request.include_comments, false) {
        view.comments = Some(comments::of(session, id)?);
    }
    let with_context = fields::flag(request.include_graph_context, false) && kind == Kind::Task;
    let with_sections = fields::flag(request.include_sections, false);
    if with_sections || with_context {
        let own = sections::of(session, id)?;
        let paths = context_files::paths_of(&own).filter(|_| with_context);
        if let (Some(paths), Some(project)) = (paths, project) {
            let asked = Asked { paths: &paths, changelog: Some(CHANGELOG), ..Asked::default() };
            view.graph_context = Some(context::of_places(session, project, &asked)?);
        }
        view.sections = with_sections.then_some(own);
    }
    Ok(Answer::new(message, view))
}

fn subtask(it: Container) -> Subtask {
    Subtask { id: it.id, title: it.name, status: it.status }
}

/// `!` before a word excludes it.
fn filter<W: Word>(field: &'static str, given: Option<&List>) -> Result<Filter<W>, KnowledgeError> {
    let words = split(given);
    let read = |words: &[String]| words.iter().map(|word| bounds::word(field, word)).collect();
    let any_of: Result<Vec<W>, KnowledgeError> = read(&words.any_of);
    let none_of: Result<Vec<W>, KnowledgeError> = read(&words.none_of);
    Ok(Filter { any_of: any_of?, none_of: none_of? })
}

fn split(given: Option<&List>) -> Filter<String> {
    let mut words = Filter::default();
    for word in given.into_iter().flat_map(|list| &list.0) {
        match word.strip_prefix('!') {
            Some(word) => words.none_of.push(word.trim().to_lowercase()),
            None => words.any_of.push(word.to_lowercase()),
        }
    }
    words
}

fn search_page(
    session: &Session<'_>,
    request: &QueryContainer,
    kind: Kind,
) -> Result<Answer<Listed<Container>>, KnowledgeError> {
    if kind == Kind::Project && (request.status.is_some() || request.priority.is_some()) {
        return Err(KnowledgeError::validation("status", "projects have neither status nor priority"));
    }
    let query = Query {
        text: request.query.clone().filter(|text| !text.is_empty()),
        status: filter("status", request.status.as_ref())?,
        priority: filter("priority", request.priority.as_ref())?,
        tags: split(request.tags.as_ref()),
        project_id: fields::maybe_id("projectId", request.project_id.as_ref())?,
        feature_id: fields::maybe_id("featureId", request.feature_id.as_ref())?,
    };
    let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
    let found = search::search(session, kind, &query, page)?;
    let message = format!("{} of {} {}s", found.items.len(), found.total, kind.word());
    Ok(Answer::new(message, Listed::of(found)))
}

/// A container with what is in it: the features of a project, the tasks of a feature.
fn overview(
    session: &Session<'_>,
    request: &QueryContainer,
    kind: Kind,
) -> Result<Answer<ContainerView>, KnowledgeError> {
    let it = rows::get(session, kind, fields::id("id", request.id.as_ref(), "overview")?)?;
    let (child, query) = match kind {
        Kind::Project => (Kind::Feature, Query { project_id: Some(it.id), ..Query::default() }),
        Kind::Feature => (Kind::Task, Query { feature_id: Some(it.id), ..Query::default() }),
        Kind::Task => {
            let children = subtasks::of(session, it.id)?;
            let message = format!("task \"{}\": {} subtasks", it.name, children.len());
            let mut view = ContainerView { total: Some(children.len() as i64), ..ContainerView::of(it) };
            view.tasks = Some(children);
            return Ok(Answer::new(message, view));
        }
    };
    let task_counts = Some(TaskCounts::of(search::task_counts(session, &it)?));
    let children = search::search(session, child, &query, Page { limit: PAGE_ROWS, offset: 0 })?;
    let total = children.total;
    let message = format!("{} \"{}\": {total} {}s", kind.word(), it.name, child.word());
    let mut view = ContainerView { task_counts, total: Some(total), ..ContainerView::of(it) };
    let children = Some(children.items);
    (view.features, view.tasks) = if kind == Kind::Project { (children, None) } else { (None, children) };
    Ok(Answer::new(message, view))
}
