//! Making and changing projects, features and tasks.

use super::holder::{self, By};
use super::{links, rows, subtasks, tags};
use crate::bounds::{self, TEXT_BYTES};
use crate::change::Change;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Link, Priority, Status};
use crate::store::Session;
use rusqlite::{ToSql, params};

/// What a caller says about a container; `None` leaves it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) name: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) description: Change,
    pub(crate) priority: Option<Priority>,
    pub(crate) complexity: Option<i64>,
    /// Cleared, it is on no board.
    pub(crate) project_id: Change<Id>,
    /// Cleared, it is in no feature.
    pub(crate) feature_id: Change<Id>,
    /// Cleared, it is no subtask.
    pub(crate) parent_id: Change<Id>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) related_to: Option<Vec<Id>>,
    pub(crate) discovered_from: Option<Vec<Id>>,
}

/// Makes a container; it starts `NEW` at version 1.
pub(crate) fn create(session: &Session<'_>, kind: Kind, draft: &Draft) -> Result<Container, KnowledgeError> {
    let blank = blank(session, kind, draft)?;
    let mut made = merge(session, blank, draft)?;
    made.version = 1;
    insert(session, &made)?;
    tags::set(session, kind, made.id, &made.tags)?;
    link(session, &made, draft)?;
    rows::get(session, kind, made.id)
}

/// Changes a container that is still at the caller's version.
pub(crate) fn update(
    session: &Session<'_>,
    kind: Kind,
    id: Id,
    version: i64,
    draft: &Draft,
    by: By<'_>,
) -> Result<Container, KnowledgeError> {
    let before = rows::get_at(session, kind, id, version)?;
    holder::check(session, &before, by, "updated")?;
    let after = merge(session, before.clone(), draft)?;
    replace(session, &after)?;
    tags::set(session, kind, id, &after.tags)?;
    link(session, &after, draft)?;
    if kind == Kind::Feature && after.project_id != before.project_id {
        let sql =
            "UPDATE tasks SET project_id = ?2, version = version + 1, modified_at = ?3 WHERE feature_id = ?1";
        session.execute(sql, params![id, after.project_id, session.stamp()])?;
    }
    if (after.feature_id, after.project_id) != (before.feature_id, before.project_id) {
        subtasks::follow(session, &after)?;
    }
    if (after.feature_id, after.parent_id) != (before.feature_id, before.parent_id) {
        links::refuse_cycle(session, &after)?;
    }
    rows::get(session, kind, id)
}

/// What it is said to relate to, and to have come up in.
fn link(session: &Session<'_>, it: &Container, draft: &Draft) -> Result<(), KnowledgeError> {
    if let Some(related) = &draft.related_to {
        links::set_related(session, it, related)?;
    }
    if let Some(origins) = &draft.discovered_from {
        links::set_discovered(session, it, origins)?;
    }
    Ok(())
}

/// A container as it is before anything is said about it. What its kind needs must be said.
fn blank(session: &Session<'_>, kind: Kind, draft: &Draft) -> Result<Container, KnowledgeError> {
    let needs = |is_there: bool, field| {
        if is_there {
            Ok(())
        } else {
            Err(KnowledgeError::missing(field, &format!("create {}", kind.word())))
        }
    };
    needs(draft.name.is_some(), if kind == Kind::Task { "title" } else { "name" })?;
    needs(draft.summary.is_some(), "summary")?;
    needs(kind == Kind::Project || draft.priority.is_some(), "priority")?;
    needs(kind != Kind::Task || draft.complexity.is_some(), "complexity")?;
    let now = session.stamp();
    Ok(Container {
        kind,
        id: session.new_id(),
        project_id: None,
        feature_id: None,
        parent_id: None,
        name: String::new(),
        summary: String::new(),
        description: None,
        status: Status::New,
        priority: Priority::Medium,
        complexity: 0,
        blocked_by: Vec::new(),
        is_held: false,
        blocked_reason: None,
        related_to: Vec::new(),
        discovered_from: Vec::new(),
        tags: Vec::new(),
        claim: None,
        version: 0,
        created_at: now.clone(),
        modified_at: now,
    })
}

/// What the caller said, checked, over what is there.
fn merge(session: &Session<'_>, mut it: Container, draft: &Draft) -> Result<Container, KnowledgeError> {
    if let Some(name) = &draft.name {
        it.name = bounds::name(if it.kind == Kind::Task { "title" } else { "name" }, name)?;
    }
    if let Some(summary) = &draft.summary {
        it.summary = bounds::filled("summary", summary, TEXT_BYTES)?;
    }
    let description = draft.description.map(|text| bounds::text("description", text, TEXT_BYTES))?;
    it.description = description.over(it.description).filter(|text| !text.is_empty());
    if let Some(complexity) = draft.complexity {
        if !(1..=10).contains(&complexity) {
            return Err(KnowledgeError::validation("complexity", "complexity must be 1 to 10"));
        }
        it.complexity = complexity;
    }
    it.priority = draft.priority.unwrap_or(it.priority);
    if let Some(given) = &draft.tags {
        it.tags = bounds::tags(given)?;
    }
    it.version += 1;
    it.modified_at = session.stamp();
    place(session, it, draft)
}

/// Where the container belongs: a task of a feature is always on the feature's board, a subtask with its task.
fn place(session: &Session<'_>, mut it: Container, draft: &Draft) -> Result<Container, KnowledgeError> {
    if it.kind == Kind::Project && draft.project_id.is_said() {
        return Err(KnowledgeError::validation("projectId", "a project has no project"));
    }
    if it.kind != Kind::Task && draft.feature_id.is_said() {
        return Err(KnowledgeError::validation("featureId", "only tasks have a feature"));
    }
    if it.kind != Kind::Task && draft.parent_id.is_said() {
        return Err(KnowledgeError::validation("parentId", "only tasks have subtasks"));
    }
    let is_new_parent = draft.parent_id.value().is_some_and(|parent| it.parent_id != Some(parent));
    it.parent_id = draft.parent_id.over(it.parent_id);
    if let Some(parent) = it.parent_id {
        return subtasks::place(session, it, parent, is_new_parent, draft);
    }
    if let Change::Set(project) = draft.project_id {
        rows::check_exists(session, Kind::Project, project)?;
    }
    let moves_to = draft.feature_id.value().filter(|feature| it.feature_id != Some(*feature));
    it.feature_id = draft.feature_id.over(it.feature_id);
    let Some(feature) = it.feature_id else {
        it.project_id = draft.project_id.over(it.project_id);
        return Ok(it);
    };
    let feature = rows::get(session, Kind::Feature, feature)?;
    if moves_to.is_some() && feature.status.is_terminal() {
        let text = format!("feature \"{}\" is {}; it takes no tasks", feature.name, feature.status.word());
        return Err(KnowledgeError::Operation(text));
    }
    if draft.project_id.over(feature.project_id) != feature.project_id {
        let text = format!("feature \"{}\" belongs to another project", feature.name);
        return Err(KnowledgeError::Invariant(text));
    }
    it.project_id = feature.project_id;
    Ok(it)
}

fn search_text(it: &Container) -> String {
    format!("{}\n{}\n{}", it.name, it.summary, it.description.as_deref().unwrap_or_default()).to_lowercase()
}

fn insert(session: &Session<'_>, it: &Container) -> Result<(), KnowledgeError> {
    let sql = match it.kind {
        Kind::Project => {
            "INSERT INTO projects (id, name, summary, description, created_at, modified_at, search_text)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)"
        }
        Kind::Feature => {
            "INSERT INTO features (id, name, summary, description, created_at, modified_at, search_text, project_id,
               priority) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8)"
        }
        Kind::Task => {
            "INSERT INTO tasks (id, name, summary, description, created_at, modified_at, search_text, project_id,
               priority, feature_id, complexity, parent_id) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        }
    };
    write(session, sql, it)
}

/// Everything that callers can change is written anew.
fn replace(session: &Session<'_>, it: &Container) -> Result<(), KnowledgeError> {
    let sql = match it.kind {
        Kind::Project => {
            "UPDATE projects SET name = ?2, summary = ?3, description = ?4, version = version + 1, modified_at = ?5,
               search_text = ?6 WHERE id = ?1"
        }
        Kind::Feature => {
            "UPDATE features SET name = ?2, summary = ?3, description = ?4, version = version + 1, modified_at = ?5,
               search_text = ?6, project_id = ?7, priority = ?8 WHERE id = ?1"
        }
        Kind::Task => {
            "UPDATE tasks SET name = ?2, summary = ?3, description = ?4, version = version + 1, modified_at = ?5,
               search_text = ?6, project_id = ?7, priority = ?8, feature_id = ?9, complexity = ?10, parent_id = ?11 WHERE id = ?1"
        }
    };
    write(session, sql, it)
}

/// Runs a statement with as many of the columns as its kind has.
fn write(session: &Session<'_>, sql: &str, it: &Container) -> Result<(), KnowledgeError> {
    let text = search_text(it);
    let columns: [&dyn ToSql; 11] = [
        &it.id,
        &it.name,
        &it.summary,
        &it.description,
        &it.modified_at,
        &text,
        &it.project_id,
        &it.priority,
        &it.feature_id,
        &it.complexity,
        &it.parent_id,
    ];
    let count = match it.kind {
        Kind::Project => 6,
        Kind::Feature => 8,
        Kind::Task => 11,
    };
    session.execute(sql, &columns[..count])?;
    Ok(())
}

/// The blockers and relations of a container that is about to go are told: their lists get shorter.
pub(crate) fn touch_linked(session: &Session<'_>, id: Id) -> Result<(), KnowledgeError> {
    let linked = session.rows(
        "SELECT to_kind, to_id FROM links WHERE from_id = ?1 AND link <> ?2
         UNION SELECT from_kind, from_id FROM links WHERE to_id = ?1 AND link <> ?3",
        params![id, Link::DiscoveredFrom, Link::Blocks],
        |row| Ok((row.get::<_, Kind>(0)?, row.get::<_, Id>(1)?)),
    )?;
    for (kind, id) in linked {
        rows::touch(session, kind, id)?;
    }
    Ok(())
}
