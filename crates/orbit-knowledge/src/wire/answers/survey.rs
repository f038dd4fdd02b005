//! `query_graph coverage` and `suggest`.

use crate::id::Id;
use crate::model::{Standing, Unit};
use crate::wire::requests::ManageGraph;
use serde::Serialize;
use std::collections::BTreeMap;

/// How much of the code is known about.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Counted one by one.
    pub files: CoveredShare,
    /// Counted by file.
    pub symbols: CoveredShare,
    /// Commits, counted by file.
    pub churn: CoveredShare,
    /// The confirmed atoms.
    pub atoms: AtomCounts,
    /// Where knowledge is missed most.
    pub worklist: Vec<MissedArea>,
    /// How long the worklist is.
    pub worklist_total: usize,
    /// Globs that match nothing.
    pub dead_globs: Vec<DeadGlob>,
    /// Atoms that cover the same files.
    pub overlaps: Vec<Overlap>,
}

/// Files, symbols or commits: how many there are, and how many are covered.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CoveredShare {
    /// How many there are.
    pub total: u64,
    /// How many an atom covers.
    pub covered: u64,
    /// How many a fresh atom covers.
    pub fresh: u64,
    /// 0 to 1, in thousandths.
    pub covered_share: f64,
    /// 0 to 1, in thousandths.
    pub fresh_share: f64,
}

/// How many atoms there are, in all and by freshness.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AtomCounts {
    /// However fresh.
    pub total: usize,
    /// By word.
    pub by_freshness: BTreeMap<&'static str, u64>,
}

/// A directory without knowledge.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissedArea {
    /// The directory.
    pub area: String,
    /// How many files nothing covers.
    pub files: usize,
    /// How many symbols they have.
    pub symbols: u64,
    /// How many commits touched them.
    pub churn: u64,
    /// How many files import them.
    pub fan_in: u64,
    /// How often they were asked for.
    pub asked: u64,
    /// What the list is ordered by.
    pub score: u64,
    /// The first of the files.
    pub paths: Vec<String>,
}

/// A glob that matches nothing.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadGlob {
    /// Whose glob.
    #[serde(flatten)]
    pub atom: AtomName,
    /// As it is stored.
    pub glob: String,
}

/// An atom by id and name.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AtomName {
    /// Its id.
    pub atom_id: Id,
    /// Its name.
    pub name: String,
}

/// Two atoms that cover the same files.
#[derive(Clone, Debug, Serialize)]
pub struct Overlap {
    /// The two.
    pub atoms: [AtomName; 2],
    /// How many files they share.
    pub files: u64,
}

/// Drafts of atoms.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestions {
    /// How many are listed.
    pub count: usize,
    /// How many there are.
    pub total: usize,
    /// The most telling first.
    pub suggestions: Vec<Suggestion>,
}

/// A draft of an atom.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    /// What it would be called.
    pub name: String,
    /// What speaks for it.
    pub because: Evidence,
    /// What would make it a proposed atom.
    pub arguments: NewAtom,
}

/// What files have in common.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Evidence {
    /// Pairs of files that import each other.
    pub imports: u64,
    /// Commits that changed several of them.
    pub commits: u64,
    /// How many files they are.
    pub files: usize,
}

/// Arguments of `manage_graph` that make an atom.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewAtom {
    operation: &'static str,
    entity_type: Unit,
    project_id: Id,
    name: String,
    /// Globs that say where the area is.
    pub paths: Vec<String>,
    knowledge: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Standing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_by_task_id: Option<Id>,
}

impl NewAtom {
    /// A draft that somebody may agree to.
    pub(crate) fn proposed(project_id: Id, name: String, paths: Vec<String>, knowledge: String) -> NewAtom {
        let (operation, entity_type) = ("create", Unit::Atom);
        let (status, created_by_task_id) = (Some(Standing::Proposed), None);
        NewAtom { operation, entity_type, project_id, name, paths, knowledge, status, created_by_task_id }
    }

    /// A form that a task is to fill in for what it left uncovered.
    pub(crate) fn to_fill_in(project_id: Id, paths: Vec<String>, task: Id) -> NewAtom {
        let form = NewAtom::proposed(project_id, "…".into(), paths, "…".into());
        NewAtom { status: None, created_by_task_id: Some(task), ..form }
    }

    /// The request that makes the atom for a task.
    pub fn request(&self, task: Option<String>) -> ManageGraph {
        ManageGraph {
            operation: self.operation.to_owned(),
            entity_type: self.entity_type.word().to_owned(),
            project_id: Some(self.project_id.to_string()),
            name: Some(self.name.clone()),
            paths: Some(self.paths.clone().into()),
            knowledge: Some(self.knowledge.clone()),
            status: self.status.map(|status| status.word().to_owned()),
            created_by_task_id: task.or_else(|| self.created_by_task_id.map(|id| id.to_string())),
            ..ManageGraph::default()
        }
    }
}
