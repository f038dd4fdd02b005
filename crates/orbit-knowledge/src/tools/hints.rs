//! What a closed task should leave behind: the seed's hint, and by name which atoms its work touched, what is not
//! covered, and the call that would mend each.

use crate::code::{Finding, Freshness, Question};
use crate::error::KnowledgeError;
use crate::graph::context::{self, Asked};
use crate::graph::freshness;
use crate::id::Id;
use crate::model::{Atom, Unit};
use crate::store::Store;
use crate::wire::answers::{
    AffectedAtom, AtomAtVersion, AtomFinding, AtomName, ChangedAtom, Fix, GraphHints, NamedHints, NewAtom,
};

/// Atoms and paths that a hint lists.
const LISTED: usize = 50;

/// What is always said.
pub(super) fn plain() -> GraphHints {
    GraphHints {
        message: "Task completed. Consider updating the knowledge graph.",
        suggested_actions: [
            "Update atom knowledge for areas affected by this task",
            "Update atom paths if files were moved or new directories created",
            "Append changelog entries for significant changes",
        ],
        named: None,
    }
}

impl Store {
    /// What a closed task did, by name: from the commits that carry its id, and the files it had claimed.
    pub(super) fn named_hints(
        &self,
        task: Id,
        project: Option<Id>,
        claimed: &[String],
    ) -> Result<Option<NamedHints>, KnowledgeError> {
        let Some(project) = project else { return Ok(None) };
        let places = self.code().places(&Question::Task(task.to_string())).unwrap_or_default();
        let mut paths = places.paths;
        paths.extend(claimed.iter().filter(|path| !path.contains(['*', '?', '[', '{'])).cloned());
        paths.sort();
        paths.dedup();
        if paths.is_empty() {
            return Ok(None);
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
        let affected = affected.into_iter().take(LISTED);
        let affected_atoms = affected.map(|(atom, finding)| affected_atom(atom, finding, task)).collect();
        let mut uncovered_paths = found.unmatched_paths;
        uncovered_paths.truncate(LISTED);
        let uncovered_fix = (!uncovered_paths.is_empty()).then(|| {
            let globs = uncovered_paths.iter().take(crate::glob::PATTERNS).cloned().collect();
            Fix::of(NewAtom::to_fill_in(project, globs, task))
        });
        let (changed_paths, commits) = (paths.len(), places.commits);
        Ok(Some(NamedHints { affected_atoms, uncovered_paths, uncovered_fix, changed_paths, commits }))
    }
}

fn affected_atom(atom: &Atom, finding: &Finding, task: Id) -> AffectedAtom {
    let which =
        |operation| AtomAtVersion { operation, entity_type: Unit::Atom, id: atom.id, version: atom.version };
    let paths = (!finding.proposed_paths.is_empty()).then(|| {
        let paths = atom.paths.iter().chain(&finding.proposed_paths);
        paths.take(crate::glob::PATTERNS).cloned().collect()
    });
    AffectedAtom {
        atom: AtomName { atom_id: atom.id, name: atom.name.clone() },
        version: atom.version,
        finding: AtomFinding::of(finding),
        no_cause: finding.because.is_empty().then_some([]),
        fix: Fix::of(ChangedAtom { which: which("update"), knowledge: "…", last_task_id: task, paths }),
        if_it_still_holds: Fix::of(which("reaffirm")),
    }
}
