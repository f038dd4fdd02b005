//! What becomes of a file: taken, merged with what was written here since, or left.

use super::document::Document;
use super::export;
use super::merge::merge_knowledge;
use super::travel;
use crate::error::KnowledgeError;
use crate::graph::deleted::{self, Grave};
use crate::graph::{atoms, molecules};
use crate::id::Id;
use crate::store::Session;
use crate::work::rows as work;
use std::collections::{BTreeMap, BTreeSet};

/// What a file is to be done with.
pub(super) enum Decision {
    /// Nothing is known of an earlier state: versions decide.
    ByVersion,
    /// It says what is to be.
    Take,
    /// It is merged with what was written here.
    Merge(Document),
    /// It says what was known already; what is here is newer.
    Leave,
    /// Both were changed in the same places.
    Conflict,
    /// It was deleted here.
    Deleted,
}

/// What a directory and the store know of each other.
pub(super) struct Reconciled {
    base: BTreeMap<String, String>,
    ours: BTreeMap<String, String>,
    /// Deleted here or elsewhere, with the last version that whoever did knew.
    graves: BTreeMap<Id, Grave>,
    /// Those of which neither the store nor a file has a newer version.
    pub(super) deleted: BTreeSet<Id>,
}

impl Reconciled {
    pub(super) fn new(
        session: &Session<'_>,
        directory: &str,
        documents: &[(&str, Document)],
    ) -> Result<Reconciled, KnowledgeError> {
        let base = travel::of(session, directory)?;
        let ours: BTreeMap<String, String> = export::all(session, true)?
            .into_iter()
            .filter_map(|file| Some((file.key()?, file.text)))
            .collect();
        let mut graves: BTreeMap<Id, Grave> =
            deleted::of(session, None)?.into_iter().map(|grave| (grave.id, grave)).collect();
        let mut newest: BTreeMap<Id, i64> = BTreeMap::new();
        for (_, document) in documents {
            let (Ok(id), Ok(version)) = (document.text("id"), document.number("version")) else { continue };
            let Some(id) = Id::parse(&id) else { continue };
            if document.text("kind").is_ok_and(|kind| kind == "deleted") {
                let is_work = document.text("of").is_ok_and(|of| of == export::WORK);
                let grave = graves.entry(id).or_insert(Grave { id, version, is_work });
                grave.version = version.max(grave.version);
            } else {
                let known = newest.entry(id).or_insert(version);
                *known = version.max(*known);
            }
        }
        for id in graves.keys() {
            let now = atoms::find(session, *id)?.map(|atom| atom.version);
            let now = now.or(molecules::find(session, *id)?.map(|molecule| molecule.version));
            let now = now.or(work::find_work(session, *id)?.map(|container| container.version));
            if let Some(version) = now {
                let known = newest.entry(*id).or_insert(version);
                *known = version.max(*known);
            }
        }
        let is_newer = |grave: &&Grave| newest.get(&grave.id).is_some_and(|newest| *newest > grave.version);
        let deleted = graves.values().filter(|grave| !is_newer(grave)).map(|grave| grave.id).collect();
        Ok(Reconciled { base, ours, graves, deleted })
    }

    /// What becomes of the file of an atom, molecule or project.
    pub(super) fn decide(&self, id: Id, theirs: &str) -> Decision {
        let key = id.to_string();
        if self.deleted.contains(&id) {
            return Decision::Deleted;
        }
        let (Some(base), Some(ours)) = (self.base.get(&key), self.ours.get(&key)) else {
            return Decision::ByVersion;
        };
        if ours == theirs || base == ours {
            return Decision::Take;
        }
        if base == theirs {
            return Decision::Leave;
        }
        match merge_knowledge(Some(base), ours, theirs, None).map(|text| Document::read("merged", &text)) {
            Ok(Ok(document)) => Decision::Merge(document),
            _ => Decision::Conflict,
        }
    }

    /// Everything that was deleted, and whether it still is.
    pub(super) fn graves(&self) -> Vec<(Grave, bool)> {
        self.graves.values().map(|grave| (*grave, self.deleted.contains(&grave.id))).collect()
    }

    /// Whether a file says what is here.
    pub(super) fn is_ours(&self, id: Id, text: &str) -> bool {
        self.ours.get(&id.to_string()).is_some_and(|ours| ours == text)
    }
}
