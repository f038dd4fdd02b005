//! Whether atoms can still be believed, put into answers after the store was read: looking at code takes longer than
//! any transaction should.

use super::stamps::{self, Kept};
use crate::code::{Cause, Finding, Freshness, Stamp};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Store;
use crate::words::Word as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Causes that an answer lists for one atom; the rest is counted.
const CAUSES: usize = 10;
/// Commits that an answer lists for one cause.
const COMMITS: usize = 5;

impl Store {
    /// How atoms stand now.
    pub(crate) fn findings(&self, atoms: &[Id]) -> Result<BTreeMap<Id, Finding>, KnowledgeError> {
        let kept: Vec<(Id, Kept)> =
            self.read(|session| atoms.iter().map(|atom| Ok((*atom, stamps::of(session, *atom)?))).collect())?;
        let stamped: Vec<&Stamp> = kept.iter().filter_map(|(_, kept)| kept.as_ref().ok()).collect();
        let mut checked = self.code().check(&stamped).into_iter();
        let finding = |kept: &Kept| match kept {
            Ok(_) => checked.next().unwrap_or_else(|| Finding::not_checked("the check gave no answer")),
            Err(why) => Finding::not_checked(why),
        };
        let mut finding = finding;
        Ok(kept.iter().map(|(atom, kept)| (*atom, finding(kept))).collect())
    }

    /// Adds freshness to every atom of an answer.
    pub(crate) fn add_freshness(&self, data: &mut Value) -> Result<(), KnowledgeError> {
        let mut atoms = Vec::new();
        visit(data, &mut |atom| atoms.extend(atom["id"].as_str().and_then(Id::parse)));
        if atoms.is_empty() {
            return Ok(());
        }
        atoms.sort_unstable();
        atoms.dedup();
        let findings = self.findings(&atoms)?;
        visit(data, &mut |atom| {
            let id = atom["id"].as_str().and_then(Id::parse);
            if let Some(finding) = id.and_then(|id| findings.get(&id)) {
                put(atom, finding);
            }
        });
        Ok(())
    }
}

/// Calls `on` with every atom of an answer, wherever it stands in it.
fn visit(data: &mut Value, on: &mut dyn FnMut(&mut Value)) {
    let Some(object) = data.as_object_mut() else { return };
    for (key, value) in object {
        match key.as_str() {
            "atom" => on(value),
            "atoms" | "orphanAtoms" | "items" => {
                for atom in value.as_array_mut().into_iter().flatten() {
                    if atom.get("relatedMolecules").is_none() {
                        on(atom);
                    }
                }
            }
            "molecules" => {
                for molecule in value.as_array_mut().into_iter().flatten() {
                    visit(molecule, on);
                }
            }
            "graphContext" => visit(value, on),
            _ => {}
        }
    }
}

/// The freshness of every atom of an answer.
pub(crate) fn words(data: &Value) -> BTreeMap<Id, Freshness> {
    let mut found = BTreeMap::new();
    visit(&mut data.clone(), &mut |atom| {
        let id = atom["id"].as_str().and_then(Id::parse);
        let word = atom["freshness"].as_str().and_then(Freshness::parse);
        found.extend(id.zip(word));
    });
    found
}

impl Finding {
    /// Adds what was found to an atom as clients see it.
    pub fn put_into(&self, atom: &mut Value) {
        put(atom, self);
    }
}

/// Puts a finding into an atom.
pub(crate) fn put(atom: &mut Value, finding: &Finding) {
    atom["freshness"] = finding.freshness.word().into();
    if !finding.because.is_empty() {
        atom["because"] = finding.because.iter().take(CAUSES).map(cause).collect();
        if finding.because.len() > CAUSES {
            atom["moreCauses"] = (finding.because.len() - CAUSES).into();
        }
    }
    if !finding.moved.is_empty() {
        let moved = |it: &crate::code::Moved| json!({"from": it.from, "to": it.to, "knownBy": it.known_by});
        atom["moved"] = finding.moved.iter().take(CAUSES).map(moved).collect();
    }
    if !finding.proposed_paths.is_empty() {
        atom["proposedPaths"] = finding.proposed_paths.clone().into();
    }
    if let Some(note) = &finding.note {
        atom["notCheckedBecause"] = note.as_str().into();
    }
}

/// A cause as clients see it.
pub(crate) fn cause(it: &Cause) -> Value {
    let mut value = json!({"selector": it.selector, "freshness": it.freshness.word()});
    if !it.commits.is_empty() {
        value["commits"] = it.commits.iter().take(COMMITS).cloned().collect::<Vec<_>>().into();
    }
    if !it.task_ids.is_empty() {
        value["taskIds"] = it.task_ids.clone().into();
    }
    if it.is_uncommitted {
        value["uncommitted"] = true.into();
    }
    if !it.candidates.is_empty() {
        value["candidates"] = it.candidates.clone().into();
    }
    value
}

/// How much an atom is to be believed, for ranking: less is better.
pub(crate) fn doubt(freshness: Freshness) -> u8 {
    match freshness {
        Freshness::Fresh => 0,
        Freshness::NotChecked => 1,
        Freshness::BodyDrifted => 2,
        Freshness::SignatureChanged => 3,
        Freshness::AnchorGone => 4,
    }
}
