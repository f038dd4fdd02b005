//! Relationships as clients see them: the key of an entry's id says what it names.

use crate::graph::related::key;
use crate::id::Id;
use crate::model::{Related, Unit};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A relationship, with the name of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRelated {
    /// The other atom or molecule.
    pub id: Id,
    /// `None` when the other is gone.
    pub name: Option<String>,
    /// How they hang together.
    pub reason: String,
}

pub(crate) fn atoms<S: Serializer>(entries: &[Related], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(plain(Unit::Atom, entries))
}

pub(crate) fn molecules<S: Serializer>(entries: &[Related], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(plain(Unit::Molecule, entries))
}

pub(crate) fn named_atoms<S: Serializer>(entries: &[NamedRelated], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(named(Unit::Atom, entries))
}

pub(crate) fn named_molecules<S: Serializer>(
    entries: &[NamedRelated],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(named(Unit::Molecule, entries))
}

/// Entries without names.
pub(crate) fn plain(unit: Unit, entries: &[Related]) -> impl Iterator<Item = impl Serialize> {
    entries.iter().map(move |it| Entry { unit, id: it.id, is_named: false, name: None, reason: &it.reason })
}

fn named(unit: Unit, entries: &[NamedRelated]) -> impl Iterator<Item = impl Serialize> {
    entries.iter().map(move |it| Entry {
        unit,
        id: it.id,
        is_named: true,
        name: it.name.as_deref(),
        reason: &it.reason,
    })
}

struct Entry<'r> {
    unit: Unit,
    id: Id,
    is_named: bool,
    name: Option<&'r str>,
    reason: &'r str,
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(key(self.unit), &self.id)?;
        if self.is_named {
            map.serialize_entry("name", &self.name)?;
        }
        map.serialize_entry("reason", self.reason)?;
        map.end()
    }
}
