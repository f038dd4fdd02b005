//! What a closed task should leave behind: the seed's hint, and by name which atoms its work touched, what is not
//! covered, and the call that would mend each.

use crate::code::{Finding, Freshness, Question};
use crate::error::KnowledgeError;
use crate::graph::context::{self, Asked};
use crate::graph::freshness;
use crate::id::Id;
use crate::model::Atom;
use crate::store::Store;
use serde_json::{Value, json};

/// Atoms and paths that a hint lists.
const LISTED: usize = 50;

/// What is always said.
pub(super) fn plain() -> Value {
    json!({
        "message": "Task completed. Consider updating the knowledge graph.",
        "suggestedActions": [
            "Update atom knowledge for areas affected by this task",
            "Update atom paths if files were moved or new directories created",
            "Append changelog entries for significant changes",
        ],
    })
}

impl Store {
    /// Adds names to the hint of a closed task: from the commits that carry its id, and the files it had claimed.
    pub(super) fn name_names(
        &self,
        hints: &mut Value,
        task: Id,
        project: Option<Id>,
        claimed: &[String],
    ) -> Result<(), KnowledgeError> {
        let Some(project) = project else { return Ok(()) };
        let places = self.code().places(&Question::Task(task.to_string())).unwrap_or_default();
        let mut paths = places.paths;
        paths.extend(claimed.iter().filter(|path| !path.contains(['*', '?', '[', '{'])).cloned());
        paths.sort();
        paths.dedup();
        if paths.is_empty() {
            return Ok(());
        }
        let asked = Asked { paths: &paths, ..Asked::default() };
        let found = self.read(|session| context::of_places(session, project, &asked))?;
        let atoms: Vec<&Atom> = found.atoms().map(|it| &it.atom).collect();
        let findings = self.findings(&atoms.iter().map(|atom| atom.id).collect::<Vec<_>>())?;
        let mut affected: Vec<(&Atom, &Finding)> = atoms
            .iter()
            .filter_map(|atom| Some((*atom, findings.get(&atom.id)?)))
            .filter(|(_, finding)| finding.freshness != Freshness::Fresh || !finding.moved.is_empty())
            .collect();
        affected.sort_by_key(|(atom, finding)| {
            (std::cmp::Reverse(freshness::doubt(finding.freshness)), &atom.name)
        });
        hints["affectedAtoms"] =
            affected.iter().take(LISTED).map(|(atom, finding)| affected_atom(atom, finding, task)).collect();
        let uncovered: Vec<&String> = found.unmatched_paths.iter().take(LISTED).collect();
        hints["uncoveredPaths"] = json!(uncovered);
        if !uncovered.is_empty() {
            let globs: Vec<&&String> = uncovered.iter().take(crate::glob::PATTERNS).collect();
            hints["uncoveredFix"] = json!({"tool": "manage_graph", "arguments": {
                "operation": "create", "entityType": "atom", "projectId": project.to_string(), "name": "…",
                "paths": globs, "knowledge": "…", "createdByTaskId": task.to_string(),
            }});
        }
        hints["changedPaths"] = paths.len().into();
        hints["commits"] = places.commits.into();
        Ok(())
    }
}

fn affected_atom(atom: &Atom, finding: &Finding, task: Id) -> Value {
    let mut value = json!({"atomId": atom.id.to_string(), "name": atom.name, "version": atom.version});
    freshness::put(&mut value, finding);
    if value.get("because").is_none() {
        value["because"] = json!([]);
    }
    let mut arguments = json!({
        "operation": "update", "entityType": "atom", "id": atom.id.to_string(), "version": atom.version,
        "knowledge": "…", "lastTaskId": task.to_string(),
    });
    if !finding.proposed_paths.is_empty() {
        let mut paths = atom.paths.clone();
        paths.extend(finding.proposed_paths.iter().cloned());
        paths.truncate(crate::glob::PATTERNS);
        arguments["paths"] = paths.into();
    }
    value["fix"] = json!({"tool": "manage_graph", "arguments": arguments});
    value["ifItStillHolds"] = json!({"tool": "manage_graph", "arguments": {
        "operation": "reaffirm", "entityType": "atom", "id": atom.id.to_string(), "version": atom.version,
    }});
    value
}
