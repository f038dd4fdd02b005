//! `manage_container` and `query_container`.

use super::questions::CHANGELOG;
use super::{fields, unknown};
use crate::bounds::{self, PAGE_ROWS, Page};
use crate::error::KnowledgeError;
use crate::graph::context::{self, Asked};
use crate::graph::context_files;
use crate::model::{Container, Kind};
use crate::store::{Session, Store};
use crate::wire::envelope::{Answer, Envelope};
use crate::wire::json;
use crate::wire::lenient::List;
use crate::wire::requests::{ManageContainer, QueryContainer};
use crate::words::Word;
use crate::work::containers::{self, Draft};
use crate::work::search::{self, Filter, Query};
use crate::work::{deletion, rows, sections};
use serde_json::{Value, json};

impl Store {
    /// `manage_container`: making, changing and deleting projects, features and tasks.
    pub fn manage_container(&self, request: &ManageContainer) -> Envelope {
        Envelope::of(self.write(|session| {
            let kind: Kind = bounds::word("containerType", &request.container_type)?;
            if request.status.is_some() {
                let text = "status cannot be set: use the advance, revert or terminate tools";
                return Err(KnowledgeError::validation("status", text));
            }
            match request.operation.as_str() {
                "create" => {
                    let made = containers::create(session, kind, &draft(request, kind)?)?;
                    Ok((format!("{} \"{}\" created", kind.word(), made.name), single(&made)))
                }
                "update" => {
                    let id = fields::id("id", request.id.as_ref(), "update")?;
                    let version = fields::version(request.version, "update")?;
                    let it = containers::update(session, kind, id, version, &draft(request, kind)?)?;
                    Ok((format!("{} \"{}\" updated", kind.word(), it.name), single(&it)))
                }
                "delete" => delete(session, request, kind),
                other => Err(unknown(other, "create, update, delete")),
            }
        }))
    }

    /// `query_container`: one project, feature or task, a filtered list, or an overview.
    pub fn query_container(&self, request: &QueryContainer) -> Envelope {
        let found = self.read(|session| {
            let kind: Kind = bounds::word("containerType", &request.container_type)?;
            match (request.operation.as_str(), &request.id) {
                ("get", _) => get(session, request, kind),
                ("overview", Some(_)) => overview(session, request, kind),
                ("search" | "overview", _) => search_page(session, request, kind),
                (other, _) => Err(unknown(other, "get, search, overview")),
            }
        });
        Envelope::of(found.and_then(|(message, mut data)| {
            if let Some(context) = data.get_mut("graphContext") {
                self.add_freshness(context)?;
            }
            Ok((message, data))
        }))
    }
}

/// A container under the name of its kind.
pub(super) fn single(it: &Container) -> Value {
    json!({it.kind.word(): json::container(it)})
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
        tags: request.tags.clone().map(|tags| tags.0),
        related_to: request.related_to.as_ref().map(|list| fields::ids("relatedTo", list)).transpose()?,
    })
}

fn delete(session: &Session<'_>, request: &ManageContainer, kind: Kind) -> Result<Answer, KnowledgeError> {
    let id = fields::id("id", request.id.as_ref(), "delete")?;
    let version = fields::version(request.version, "delete")?;
    let gone = deletion::delete(session, kind, id, version, fields::flag(request.cascade, false))?;
    let data = json!({
        "deleted": true, "deletedFeatures": gone.features, "deletedTasks": gone.tasks,
        "deletedMolecules": gone.molecules, "deletedAtoms": gone.atoms,
    });
    Ok((format!("{} deleted", kind.word()), data))
}

fn get(session: &Session<'_>, request: &QueryContainer, kind: Kind) -> Result<Answer, KnowledgeError> {
    let it = rows::get(session, kind, fields::id("id", request.id.as_ref(), "get")?)?;
    let mut data = single(&it);
    if kind != Kind::Task {
        data["taskCounts"] = json::task_counts(&search::task_counts(session, &it)?);
    }
    let with_context = fields::flag(request.include_graph_context, false) && kind == Kind::Task;
    let with_sections = fields::flag(request.include_sections, false);
    if with_sections || with_context {
        let own = sections::of(session, it.id)?;
        if with_sections {
            data["sections"] = own.iter().map(|section| json::section(section, true)).collect();
        }
        let paths = context_files::paths_of(&own).filter(|_| with_context);
        if let (Some(paths), Some(project)) = (paths, it.project_id) {
            let asked = Asked { paths: &paths, changelog: Some(CHANGELOG), ..Asked::default() };
            let found = context::of_places(session, project, &asked)?;
            data["graphContext"] = json::context(&found);
        }
    }
    Ok((format!("{} \"{}\"", kind.word(), it.name), data))
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
) -> Result<Answer, KnowledgeError> {
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
    Ok((message, json::page("items", &found, json::container)))
}

/// A container with what is in it: the features of a project, the tasks of a feature.
fn overview(session: &Session<'_>, request: &QueryContainer, kind: Kind) -> Result<Answer, KnowledgeError> {
    let it = rows::get(session, kind, fields::id("id", request.id.as_ref(), "overview")?)?;
    let mut data = single(&it);
    let page = Page { limit: PAGE_ROWS, offset: 0 };
    let (child, key, query) = match kind {
        Kind::Project => (Kind::Feature, "features", Query { project_id: Some(it.id), ..Query::default() }),
        Kind::Feature => (Kind::Task, "tasks", Query { feature_id: Some(it.id), ..Query::default() }),
        Kind::Task => return Ok((format!("task \"{}\"", it.name), data)),
    };
    data["taskCounts"] = json::task_counts(&search::task_counts(session, &it)?);
    let children = search::search(session, child, &query, page)?;
    data[key] = children.items.iter().map(json::container).collect();
    data["total"] = children.total.into();
    Ok((format!("{} \"{}\": {} {key}", kind.word(), it.name, children.total), data))
}
