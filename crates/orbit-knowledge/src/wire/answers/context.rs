//! `query_graph context`: the atoms and molecules that cover places.

use crate::code::Freshness;
use crate::graph::context::{AtomContext, Context, MoleculeContext};
use crate::id::Id;
use crate::model::ChangelogEntry;
use crate::wire::answers::AtomFinding;
use crate::wire::related::{self, NamedRelated};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What is known about places, in full or below a number of tokens.
#[derive(Clone, Debug, Default)]
pub struct ContextAnswer {
    /// Molecules and atoms; those for which there is room.
    pub known: Context,
    /// All atoms in short, the best fitting first; none when only paths were asked for.
    pub digest: Option<Vec<DigestRow>>,
    /// What had no room.
    pub omitted: Option<Omitted>,
    /// Where the question led, when not only paths were asked for.
    pub origin: Option<Origin>,
    /// Whether the answer stays below a number of tokens. A reader that stops early has then read the digest.
    pub(crate) is_digest_first: bool,
}

impl Serialize for ContextAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let (first, last) = if self.is_digest_first { (&self.digest, &None) } else { (&None, &self.digest) };
        if let Some(digest) = first {
            map.serialize_entry("digest", digest)?;
        }
        map.serialize_entry("molecules", &self.known.molecules)?;
        map.serialize_entry("orphanAtoms", &self.known.orphan_atoms)?;
        map.serialize_entry("unmatchedPaths", &self.known.unmatched_paths)?;
        if let Some(digest) = last {
            map.serialize_entry("digest", digest)?;
        }
        if let Some(omitted) = &self.omitted {
            map.serialize_entry("omitted", omitted)?;
        }
        if let Some(origin) = &self.origin {
            map.serialize_entry("source", origin.source)?;
            map.serialize_entry("asked", &origin.asked)?;
        }
        map.end()
    }
}

/// An atom in short.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DigestRow {
    /// Its id.
    pub atom_id: Id,
    /// Its name.
    pub name: String,
    /// Whether it can still be believed.
    pub freshness: Freshness,
    /// Calls between what was asked for and the area; 0 when the area was asked for.
    pub distance: u32,
    /// How many of the paths it covers.
    pub paths: usize,
}

/// What had no room.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// How many atoms are only in the digest.
    pub atoms: usize,
    /// How many atoms there are.
    pub digest: usize,
    /// How many paths no atom covers.
    pub unmatched_paths: usize,
    /// How to see them.
    pub hint: &'static str,
}

/// Where a question led.
#[derive(Clone, Debug)]
pub struct Origin {
    /// What that is known from: `paths`, `diff`, `selectors`, `context_files`, `commits`.
    pub source: &'static str,
    /// What was looked up.
    pub asked: AskedPlaces,
}

/// What was looked up.
#[derive(Clone, Debug, Serialize)]
pub struct AskedPlaces {
    /// Relative to the worktree.
    pub paths: Vec<String>,
    /// Symbols.
    pub selectors: Vec<String>,
    /// Commits that were looked at.
    pub commits: Vec<String>,
}

impl Serialize for MoleculeContext {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct View<'a> {
            id: Id,
            name: &'a str,
            knowledge: &'a str,
            #[serde(serialize_with = "related::named_molecules")]
            related_molecules: &'a [NamedRelated],
            version: i64,
            atoms: &'a [AtomContext],
            #[serde(skip_serializing_if = "Option::is_none")]
            changelog: Option<Vec<ShortEntry<'a>>>,
        }
        let view = View {
            id: self.molecule.id,
            name: &self.molecule.name,
            knowledge: &self.molecule.knowledge,
            related_molecules: &self.related,
            version: self.molecule.version,
            atoms: &self.atoms,
            changelog: short(self.changelog.as_deref()),
        };
        view.serialize(serializer)
    }
}

impl Serialize for AtomContext {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct View<'a> {
            id: Id,
            name: &'a str,
            knowledge: &'a str,
            matched_paths: &'a [String],
            #[serde(serialize_with = "related::named_atoms")]
            related_atoms: &'a [NamedRelated],
            version: i64,
            #[serde(skip_serializing_if = "Option::is_none")]
            changelog: Option<Vec<ShortEntry<'a>>>,
            #[serde(flatten)]
            finding: Option<&'a AtomFinding>,
        }
        let view = View {
            id: self.atom.id,
            name: &self.atom.name,
            knowledge: &self.atom.knowledge,
            matched_paths: &self.matched_paths,
            related_atoms: &self.related,
            version: self.atom.version,
            changelog: short(self.changelog.as_deref()),
            finding: self.finding.as_ref(),
        };
        view.serialize(serializer)
    }
}

/// An entry beside what it belongs to.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShortEntry<'a> {
    task_id: Id,
    summary: &'a str,
    created_at: &'a str,
}

fn short(entries: Option<&[ChangelogEntry]>) -> Option<Vec<ShortEntry<'_>>> {
    let entries = entries?.iter();
    Some(
        entries
            .map(|it| ShortEntry { task_id: it.task_id, summary: &it.summary, created_at: &it.created_at })
            .collect(),
    )
}
