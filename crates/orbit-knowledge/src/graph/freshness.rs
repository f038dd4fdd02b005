//! Whether atoms can still be believed, found out after the store was read: looking at code takes longer than any
//! transaction should.

use super::context::Context;
use super::{atoms, stamps};
use crate::code::{Finding, Freshness, Stamp};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::store::Store;
use crate::wire::answers::AtomFinding;
use std::collections::BTreeMap;

/// The stamps of an atom, or why there are none.
type Stamps = Result<Vec<Stamp>, String>;

impl Store {
    /// How atoms stand now.
    pub(crate) fn findings(&self, atoms: &[Id]) -> Result<BTreeMap<Id, Finding>, KnowledgeError> {
        let kept: Vec<(Id, Stamps)> =
            self.read(|session| atoms.iter().map(|atom| Ok((*atom, stamps::of(session, *atom)?))).collect())?;
        let stamped: Vec<&[Stamp]> = kept.iter().filter_map(|(_, kept)| kept.as_deref().ok()).collect();
        let mut checked = self.code().check(&stamped).into_iter();
        let mut finding = |kept: &Stamps| match kept {
            Ok(_) => checked.next().unwrap_or_else(|| Finding::not_checked("the check gave no answer")),
            Err(why) => Finding::not_checked(why),
        };
        let found: BTreeMap<Id, Finding> = kept.iter().map(|(atom, kept)| (*atom, finding(kept))).collect();
        self.settle(&found);
        Ok(found)
    }

    /// Writes down which stamps hold on the branch that asked. Whoever only reads goes on when that fails.
    fn settle(&self, found: &BTreeMap<Id, Finding>) {
        let settled = found.iter().filter_map(|(atom, finding)| Some((*atom, finding.settled.as_ref()?)));
        let settled: Vec<(Id, &Stamp)> = settled.collect();
        if settled.is_empty() {
            return;
        }
        let _ = self.write(|session| {
            for (atom, stamp) in &settled {
                // The one that it was made of may hold elsewhere still.
                let is_there = atoms::find(session, *atom)?.is_some();
                if is_there {
                    stamps::add(session, *atom, &Ok(Stamp { id: String::new(), ..(*stamp).clone() }))?;
                }
            }
            Ok(())
        });
    }

    /// Says of every atom of a context whether it can still be believed.
    pub(crate) fn check_context(&self, context: &mut Context) -> Result<(), KnowledgeError> {
        self.check_atoms(context.atoms_mut().map(|it| (it.atom.id, &mut it.finding)).collect())
    }

    /// Says of atoms whether they can still be believed.
    pub(crate) fn check_atoms(
        &self,
        atoms: Vec<(Id, &mut Option<AtomFinding>)>,
    ) -> Result<(), KnowledgeError> {
        let mut ids: Vec<Id> = atoms.iter().map(|(id, _)| *id).collect();
        if ids.is_empty() {
            return Ok(());
        }
        ids.sort_unstable();
        ids.dedup();
        let findings = self.findings(&ids)?;
        for (id, place) in atoms {
            *place = findings.get(&id).map(AtomFinding::of);
        }
        Ok(())
    }
}

/// How much an atom is to be believed, for ranking: less is better.
pub(crate) fn doubt(freshness: Freshness) -> u8 {
    match freshness {
        Freshness::Fresh => 0,
        Freshness::NotChecked => 1,
        Freshness::Unbound => 2,
        Freshness::BodyDrifted => 3,
        Freshness::SignatureChanged => 4,
        Freshness::AnchorGone => 5,
    }
}
