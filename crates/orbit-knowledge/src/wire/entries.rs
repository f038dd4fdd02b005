//! Lists that requests carry as JSON: as an array, or as the text of one.

use super::lenient::{Embedded, Loose};
use crate::bounds;
use crate::error::KnowledgeError;
use crate::graph::related::{REASON_BYTES, RELATED, field, key};
use crate::model::{Related, Unit};
use serde::Deserialize;

/// Most anchors of an atom.
const ANCHORS: usize = 50;
/// Most bytes of a selector.
const ANCHOR_BYTES: usize = 1024;

/// An entry of `relatedAtoms`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedAtom {
    /// The other atom.
    pub atom_id: String,
    /// How they hang together.
    pub reason: String,
}

/// An entry of `relatedMolecules`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedMolecule {
    /// The other molecule.
    pub molecule_id: String,
    /// How they hang together.
    pub reason: String,
}

/// What entries of both kinds have in common.
pub(crate) trait RelatedEntry {
    const UNIT: Unit;
    /// The id of the other, and how they hang together.
    fn parts(&self) -> (&str, &str);
}

impl RelatedEntry for RelatedAtom {
    const UNIT: Unit = Unit::Atom;
    fn parts(&self) -> (&str, &str) {
        (&self.atom_id, &self.reason)
    }
}

impl RelatedEntry for RelatedMolecule {
    const UNIT: Unit = Unit::Molecule;
    fn parts(&self) -> (&str, &str) {
        (&self.molecule_id, &self.reason)
    }
}

/// Reads patterns as given.
pub(crate) fn paths(given: &Embedded<Vec<String>>) -> Result<Vec<String>, KnowledgeError> {
    let refuse =
        |_: &String| KnowledgeError::validation("paths", "paths must be a JSON array of glob patterns");
    let entries = given.0.as_ref().map_err(refuse)?;
    Ok(entries.iter().map(|entry| entry.trim().to_owned()).collect())
}

/// Reads selectors as given.
pub(crate) fn anchors(given: &Embedded<Vec<Loose<String>>>) -> Result<Vec<String>, KnowledgeError> {
    let refuse = |why: &str| KnowledgeError::validation("anchors", format!("anchors {why}"));
    let shape = "must be a JSON array of selectors";
    let mut anchors: Vec<String> = Vec::new();
    for entry in given.0.as_ref().map_err(|_| refuse(shape))? {
        let selector = entry.0.as_deref().map(str::trim).ok_or_else(|| refuse(shape))?;
        if selector.is_empty() || selector.len() > ANCHOR_BYTES {
            return Err(refuse(&format!("must have 1 to {ANCHOR_BYTES} bytes each")));
        }
        if !anchors.iter().any(|known| known == selector) {
            anchors.push(selector.to_owned());
        }
    }
    if anchors.len() > ANCHORS {
        return Err(refuse(&format!("has {} entries, {ANCHORS} are allowed", anchors.len())));
    }
    Ok(anchors)
}

/// Reads relationships as given.
pub(crate) fn related<E: RelatedEntry>(
    given: &Embedded<Vec<Loose<E>>>,
) -> Result<Vec<Related>, KnowledgeError> {
    let (field, key) = (field(E::UNIT), key(E::UNIT));
    let refuse = |why: String| KnowledgeError::validation(field, format!("{field} {why}"));
    let shape = || refuse(format!("must be a JSON array of {{ {key}, reason }}"));
    let entries = given.0.as_ref().map_err(|_| shape())?;
    if entries.len() > RELATED {
        return Err(refuse(format!("has {} entries, {RELATED} are allowed", entries.len())));
    }
    let mut related = Vec::new();
    for entry in entries {
        let (id, reason) = entry.0.as_ref().map(RelatedEntry::parts).ok_or_else(shape)?;
        related
            .push(Related { id: bounds::id(field, id)?, reason: bounds::text(field, reason, REASON_BYTES)? });
    }
    Ok(related)
}
