//! `query_graph`: all reads of the knowledge graph.

use super::{fields, unknown};
use crate::bounds::{self, PAGE_ROWS, Page};
use crate::error::KnowledgeError;
use crate::graph::atoms::{self, Members};
use crate::graph::{changelog, molecules};
use crate::id::Id;
use crate::model::{Atom, Standing, Unit};
use crate::store::{Session, Store};
use crate::wire::envelope::{Answer, Envelope};
use crate::wire::json;
use crate::wire::requests::QueryGraph;
use serde_json::{Value, json};

/// How many changelog entries come along unless told.
pub(super) const CHANGELOG: i64 = 5;

impl Store {
    /// `query_graph`: an atom or molecule by id, a filtered list, or what is known about places.
    pub fn query_graph(&self, request: &QueryGraph) -> Envelope {
        Envelope::of(self.queried(request))
    }

    fn queried(&self, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
        let (message, mut data) = match request.operation.as_str() {
            "context" => return self.context(request, wanted_changelog(request)?),
            "coverage" | "suggest" => return self.surveyed_answer(request),
            "get" => self.read(|session| get(session, request))?,
            "search" => self.read(|session| search(session, request))?,
            other => return Err(unknown(other, "get, search, context, coverage, suggest")),
        };
        self.add_freshness(&mut data)?;
        Ok((message, data))
    }

    fn surveyed_answer(&self, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
        let project = fields::id("projectId", request.project_id.as_ref(), &request.operation)?;
        let limit = Page::of(fields::number(request.limit), None)?.limit as usize;
        if request.operation == "suggest" {
            let data = self.suggestions(project, limit)?;
            return Ok((format!("{} of {} suggestions", data["count"], data["total"]), data));
        }
        let data = self.coverage(project, limit)?;
        let message = format!(
            "{} of {} files are covered, {} by fresh atoms",
            data["files"]["covered"], data["files"]["total"], data["files"]["fresh"]
        );
        Ok((message, data))
    }
}

fn unit_of(request: &QueryGraph) -> Result<Unit, KnowledgeError> {
    let given = request.entity_type.as_ref();
    bounds::word(
        "entityType",
        given.ok_or_else(|| KnowledgeError::missing("entityType", &request.operation))?,
    )
}

/// How many changelog entries are wanted, if any.
fn wanted_changelog(request: &QueryGraph) -> Result<Option<i64>, KnowledgeError> {
    let limit = fields::number(request.changelog_limit).unwrap_or(CHANGELOG);
    if limit < 0 {
        return Err(KnowledgeError::validation("changelogLimit", "changelogLimit must not be negative"));
    }
    Ok(fields::flag(request.include_changelog, true).then_some(limit.min(PAGE_ROWS)))
}

/// The last entries, put into the value when wanted.
fn with_changelog(
    session: &Session<'_>,
    unit: Unit,
    id: Id,
    wanted: Option<i64>,
    mut value: Value,
) -> Result<Value, KnowledgeError> {
    if let Some(limit) = wanted {
        let entries = changelog::latest(session, unit, id, limit, 0)?;
        value["changelog"] = entries.iter().map(json::changelog_entry).collect();
    }
    Ok(value)
}

fn atom_with_changelog(
    session: &Session<'_>,
    atom: &Atom,
    wanted: Option<i64>,
) -> Result<Value, KnowledgeError> {
    with_changelog(session, Unit::Atom, atom.id, wanted, json::atom(atom))
}

fn get(session: &Session<'_>, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
    let unit = unit_of(request)?;
    let id = fields::id("id", request.id.as_ref(), "get")?;
    let wanted = wanted_changelog(request)?;
    let (name, data) = match unit {
        Unit::Atom => {
            let atom = atoms::get(session, id)?;
            (atom.name.clone(), json!({"atom": json::atom(&atom)}))
        }
        Unit::Molecule => {
            let molecule = molecules::get(session, id)?;
            let members = atoms::of_molecule(session, id)?;
            let members: Result<Value, KnowledgeError> =
                members.iter().map(|atom| atom_with_changelog(session, atom, wanted)).collect();
            (molecule.name.clone(), json!({"molecule": json::molecule(&molecule), "atoms": members?}))
        }
    };
    let data = with_changelog(session, unit, id, wanted, data)?;
    Ok((format!("{} \"{name}\"", unit.word()), data))
}

fn search(session: &Session<'_>, request: &QueryGraph) -> Result<Answer, KnowledgeError> {
    let unit = unit_of(request)?;
    let project = fields::id("projectId", request.project_id.as_ref(), "search")?;
    let page = Page::of(fields::number(request.limit), fields::number(request.offset))?;
    let text = request.query.as_deref().filter(|text| !text.is_empty());
    let wanted = wanted_changelog(request)?;
    let molecule = fields::maybe_id("moleculeId", request.molecule_id.as_ref())?;
    let members = match (molecule, fields::flag(request.orphans_only, false)) {
        (Some(_), true) => {
            return Err(KnowledgeError::validation(
                "orphansOnly",
                "orphansOnly and moleculeId exclude each other",
            ));
        }
        (Some(molecule), false) => Members::Of(molecule),
        (None, true) => Members::Orphans,
        (None, false) => Members::Any,
    };
    let standing = request.status.as_ref().map(|word| bounds::word("status", word)).transpose()?;
    let standing = standing.unwrap_or(Standing::Confirmed);
    let mut data = match unit {
        Unit::Atom => {
            let found = atoms::search(session, project, members, text, standing, page)?;
            json::page("items", &found, json::atom)
        }
        Unit::Molecule if !matches!(members, Members::Any) => {
            return Err(KnowledgeError::validation("moleculeId", "moleculeId and orphansOnly are for atoms"));
        }
        Unit::Molecule => {
            json::page("items", &molecules::search(session, project, text, page)?, json::molecule)
        }
    };
    for item in data["items"].as_array_mut().into_iter().flatten() {
        let id = bounds::id("id", item["id"].as_str().unwrap_or_default())?;
        *item = with_changelog(session, unit, id, wanted, item.take())?;
    }
    Ok((format!("{} of {} {}s", data["count"], data["total"], unit.word()), data))
}
