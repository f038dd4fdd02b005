//! The two columns that hold JSON.

use crate::id::Id;
use crate::model::{Related, Unit};
use crate::wire::entries::{RelatedAtom, RelatedEntry, RelatedMolecule};
use crate::wire::lenient::Loose;
use crate::wire::related::plain;
use serde::de::DeserializeOwned;

/// Globs as they are stored.
pub(crate) fn paths(paths: &[String]) -> String {
    serde_json::to_string(paths).unwrap_or_default()
}

/// Reads what [`paths`] wrote. What does not fit is left out.
pub(crate) fn read_paths(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Relationships as they are stored.
pub(crate) fn related(unit: Unit, related: &[Related]) -> String {
    serde_json::to_string(&plain(unit, related).collect::<Vec<_>>()).unwrap_or_default()
}

/// Reads what [`related`] wrote. What does not fit is left out.
pub(crate) fn read_related(unit: Unit, text: &str) -> Vec<Related> {
    match unit {
        Unit::Atom => read::<RelatedAtom>(text),
        Unit::Molecule => read::<RelatedMolecule>(text),
    }
}

fn read<E: RelatedEntry + DeserializeOwned>(text: &str) -> Vec<Related> {
    let entries: Vec<Loose<E>> = serde_json::from_str(text).unwrap_or_default();
    let entry = |entry: &Loose<E>| {
        let (id, reason) = entry.0.as_ref()?.parts();
        Some(Related { id: Id::parse(id)?, reason: reason.to_owned() })
    };
    entries.iter().filter_map(entry).collect()
}
