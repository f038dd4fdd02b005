//! What is known about paths, whatever the project: for prompts that are put together elsewhere.

use super::context::{self, Asked};
use crate::code::Freshness;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::Atom;
use crate::store::Store;

/// An atom that covers some of the paths.
#[derive(Clone, Debug)]
pub struct Known {
    /// The atom.
    pub atom: Atom,
    /// What holds for its whole molecule: name and text.
    pub molecule: Option<(String, String)>,
    /// Whether it can still be believed.
    pub freshness: Freshness,
}

impl Store {
    /// The confirmed atoms of all projects that cover paths, the best fitting first.
    pub fn known_about(&self, paths: &[String]) -> Result<Vec<Known>, KnowledgeError> {
        let asked = Asked { paths, ..Asked::default() };
        let mut found = self.read(|session| {
            let projects: Vec<Id> =
                session.rows("SELECT id FROM projects ORDER BY id", [], |row| row.get(0))?;
            let mut found = Vec::new();
            for project in projects {
                let context = context::of_places(session, project, &asked)?;
                for it in context.molecules {
                    let molecule = (it.molecule.name, it.molecule.knowledge);
                    found.extend(
                        it.atoms.into_iter().map(|atom| (atom.hit, atom.atom, Some(molecule.clone()))),
                    );
                }
                found.extend(context.orphan_atoms.into_iter().map(|atom| (atom.hit, atom.atom, None)));
            }
            Ok(found)
        })?;
        found.sort_by(|a, b| (a.0, &a.1.name, a.1.id).cmp(&(b.0, &b.1.name, b.1.id)));
        let ids: Vec<Id> = found.iter().map(|(_, atom, _)| atom.id).collect();
        let findings = self.findings(&ids)?;
        let known = found.into_iter().map(|(_, atom, molecule)| {
            let freshness = findings.get(&atom.id).map_or(Freshness::NotChecked, |finding| finding.freshness);
            Known { atom, molecule, freshness }
        });
        Ok(known.collect())
    }
}
