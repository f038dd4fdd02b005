//! Atoms and molecules.

use super::{Standing, Unit};
use crate::id::Id;
use crate::wire::related;
use serde::Serialize;

/// A relationship to another atom or molecule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The other.
    pub id: Id,
    /// How they hang together.
    pub reason: String,
}

/// A group of atoms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Molecule {
    /// Its id.
    pub id: Id,
    /// The project it belongs to, for good.
    pub project_id: Id,
    /// "Pages", "API Layer".
    pub name: String,
    /// What holds for all of its atoms.
    pub knowledge: String,
    /// Other molecules.
    #[serde(rename = "relatedMolecules", serialize_with = "related::molecules")]
    pub related: Vec<Related>,
    /// The task that triggered its creation.
    pub created_by_task_id: Id,
    /// The task that touched it last.
    pub last_task_id: Id,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub updated_at: String,
}

/// What is known about an area of the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Atom {
    /// Its id.
    pub id: Id,
    /// The project it belongs to, for good.
    pub project_id: Id,
    /// Its group; orphans have none.
    pub molecule_id: Option<Id>,
    /// "Checkout Page", "Event Bus".
    pub name: String,
    /// Globs that say where the area is.
    pub paths: Vec<String>,
    /// Symbols and files that are named outright, as selectors.
    pub anchors: Vec<String>,
    /// How the files of the area work together.
    pub knowledge: String,
    /// Other atoms.
    #[serde(rename = "relatedAtoms", serialize_with = "related::atoms")]
    pub related: Vec<Related>,
    /// Whether it is taken for true.
    #[serde(rename = "status")]
    pub standing: Standing,
    /// The task that triggered its creation.
    pub created_by_task_id: Id,
    /// The task that touched it last.
    pub last_task_id: Id,
    /// Starts at 1.
    pub version: i64,
    /// ISO-8601.
    pub created_at: String,
    /// ISO-8601.
    pub updated_at: String,
}

/// One step of how an atom or molecule came to be what it is. Never edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangelogEntry {
    /// Its id.
    pub id: Id,
    /// What it belongs to.
    pub parent_type: Unit,
    /// What it belongs to.
    pub parent_id: Id,
    /// The task behind the change; it may be deleted since.
    pub task_id: Id,
    /// What changed and why.
    pub summary: String,
    /// ISO-8601.
    pub created_at: String,
}
