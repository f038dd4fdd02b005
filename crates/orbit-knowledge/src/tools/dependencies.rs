//! `manage_dependency` and `query_dependencies`.

use super::{fields, unknown};
use crate::bounds;
use crate::error::{Current, KnowledgeError};
use crate::model::{Container, Link};
use crate::store::{Session, Store};
use crate::wire::answers::{Answer, Dependencies, Dependency, Linked, Outside};
use crate::wire::container::Blocker;
use crate::wire::requests::{ManageDependency, QueryDependencies};
use crate::work::blocking::{self, Blockers};
use crate::work::links::{self, Edge};
use crate::work::rows;

impl Store {
    /// `manage_dependency`: links two features or tasks, or takes the link away.
    pub fn manage_dependency(&self, request: &ManageDependency) -> Result<Answer<Linked>, KnowledgeError> {
        self.write(|session| {
            let link = request.r#type.as_ref().map_or(Ok(Link::Blocks), |word| bounds::word("type", word))?;
            let from = links::work(session, bounds::id("fromId", &request.from_id)?)?;
            let to = links::work(session, bounds::id("toId", &request.to_id)?)?;
            if let Some(given) = fields::number(request.version).filter(|given| *given != to.version) {
                return Err(KnowledgeError::Conflict { given, current: Box::new(Current::Container(to)) });
            }
            match request.operation.as_str() {
                "create" => create(session, link, &from, &to),
                "delete" => delete(session, link, &from, &to),
                other => Err(unknown(other, "create, delete")),
            }
        })
    }

    /// `query_dependencies`: what it waits for, what waits for it.
    pub fn query_dependencies(
        &self,
        request: &QueryDependencies,
    ) -> Result<Answer<Dependencies>, KnowledgeError> {
        self.read(|session| {
            let kind = fields::work_kind(&request.container_type)?;
            let it = rows::get(session, kind, bounds::id("id", &request.id)?)?;
            let direction = request.direction.as_deref().unwrap_or("both");
            if !["dependencies", "dependents", "both"].contains(&direction) {
                let text = "direction must be one of dependencies, dependents, both";
                return Err(KnowledgeError::validation("direction", text));
            }
            let linked = |is_incoming| -> Result<Vec<Dependency>, KnowledgeError> {
                Ok(links::of(session, it.id, is_incoming)?.iter().map(edge).collect())
            };
            let mut dependencies = (direction != "dependents").then(|| linked(true)).transpose()?;
            if let Some(found) = &mut dependencies {
                found.extend(it.is_held.then(|| held(&it)));
            }
            let dependents = (direction != "dependencies").then(|| linked(false)).transpose()?;
            let total: usize = [&dependencies, &dependents].into_iter().flatten().map(Vec::len).sum();
            let message = format!("{} \"{}\": {total} links", kind.word(), it.name);
            Ok(Answer::new(message, Dependencies { dependencies, dependents, total }))
        })
    }
}

fn edge(it: &Edge) -> Dependency {
    Dependency {
        r#type: it.link,
        from_id: Blocker::One(it.from.1),
        to_id: it.to.1,
        from_entity_type: Some(it.from.0),
        to_entity_type: it.to.0,
        outside: None,
    }
}

/// Something outside of the store that must happen first.
fn held(it: &Container) -> Dependency {
    Dependency {
        r#type: Link::Blocks,
        from_id: Blocker::Outside,
        to_id: it.id,
        from_entity_type: None,
        to_entity_type: it.kind,
        outside: Some(Outside { reason: it.blocked_reason.clone() }),
    }
}

fn answer(
    session: &Session<'_>,
    message: String,
    from: &Container,
    to: &Container,
) -> Result<Answer<Linked>, KnowledgeError> {
    let now = |it: &Container| rows::get(session, it.kind, it.id);
    Ok(Answer::new(message, Linked { from: now(from)?, to: now(to)? }))
}

fn create(
    session: &Session<'_>,
    link: Link,
    from: &Container,
    to: &Container,
) -> Result<Answer<Linked>, KnowledgeError> {
    match link {
        Link::Blocks => {
            if from.id == to.id {
                return Err(KnowledgeError::Circular(vec![rows::named(from), rows::named(to)]));
            }
            blocking::block(session, to.kind, to.id, to.version, &Blockers::Ids(vec![from.id]), None)?;
        }
        Link::RelatesTo => {
            if from.id == to.id {
                return Err(KnowledgeError::validation("toId", "nothing relates to itself"));
            }
            if links::add(session, link, from, to)? {
                rows::touch(session, from.kind, from.id)?;
                rows::touch(session, to.kind, to.id)?;
            }
        }
        Link::DiscoveredFrom => {
            if from.id == to.id {
                return Err(KnowledgeError::validation("toId", "nothing is discovered from itself"));
            }
            if links::add(session, link, from, to)? {
                rows::touch(session, from.kind, from.id)?;
            }
        }
    }
    answer(session, format!("\"{}\" {} \"{}\"", from.name, link.word(), to.name), from, to)
}

fn delete(
    session: &Session<'_>,
    link: Link,
    from: &Container,
    to: &Container,
) -> Result<Answer<Linked>, KnowledgeError> {
    let is_there = match link {
        Link::Blocks => to.blocked_by.contains(&from.id),
        Link::RelatesTo => to.related_to.contains(&from.id),
        Link::DiscoveredFrom => from.discovered_from.contains(&to.id),
    };
    if !is_there {
        return Err(KnowledgeError::not_found(
            "dependency",
            format!("{} {} {}", from.id, link.word(), to.id),
        ));
    }
    match link {
        Link::Blocks => {
            blocking::unblock(session, to.kind, to.id, to.version, &Blockers::Ids(vec![from.id]))?;
        }
        Link::RelatesTo => {
            links::remove(session, link, from.id, to.id)?;
            rows::touch(session, from.kind, from.id)?;
            rows::touch(session, to.kind, to.id)?;
        }
        Link::DiscoveredFrom => {
            links::remove(session, link, from.id, to.id)?;
            rows::touch(session, from.kind, from.id)?;
        }
    }
    answer(session, format!("\"{}\" no longer {} \"{}\"", from.name, link.word(), to.name), from, to)
}
