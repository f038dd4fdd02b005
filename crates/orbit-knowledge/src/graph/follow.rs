//! Anchors follow refactors: what moved is written down at its new address, with the prints it was stamped with, so
//! that what else changed still shows.

use super::stamps;
use crate::code::{Finding, Freshness, followed};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::Atom;
use crate::store::{Session, Store, json};
use crate::wire::answers::AtomFinding;
use rusqlite::params;
use serde::Serialize;

/// What became of the anchors of all atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// Atoms whose anchors were rewritten, by name.
    pub atoms: Vec<FollowedAtom>,
}

/// An atom with anchors that moved, or that could not be followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FollowedAtom {
    /// Its id.
    #[serde(rename = "atomId")]
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Whether its anchors were rewritten. Nobody is followed whose atom was written meanwhile.
    #[serde(rename = "rewritten")]
    pub is_rewritten: bool,
    /// How it stands, with what moved and what could not be told.
    #[serde(flatten)]
    pub finding: AtomFinding,
}

impl Store {
    /// Makes the anchors of all atoms follow what happened to the code: renamed, moved, split and merged symbols and
    /// renamed files are written down where they are now. Atoms of which something is gone, or may be at several
    /// places, are told. Knowledge and globs stay; globs that would be needed are in the findings.
    pub fn follow_code(&self) -> Result<Followed, KnowledgeError> {
        let atoms: Vec<Id> = self.read(|session| {
            session.rows("SELECT id FROM graph_atoms ORDER BY name, id", [], |row| row.get(0))
        })?;
        let mut report = Followed::default();
        for (id, finding) in self.findings(&atoms)? {
            let is_lost = finding.freshness == Freshness::AnchorGone;
            if finding.moved.is_empty() && !is_lost {
                continue;
            }
            let (name, is_rewritten) = self.write(|session| rewrite(session, id, &finding))?;
            report.atoms.push(FollowedAtom { id, name, is_rewritten, finding: AtomFinding::of(&finding) });
        }
        report.atoms.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
        Ok(report)
    }
}

fn rewrite(session: &Session<'_>, id: Id, finding: &Finding) -> Result<(String, bool), KnowledgeError> {
    let Some(it) = super::atoms::find(session, id)? else { return Ok((String::new(), false)) };
    let Some(stamp) = &finding.followed else { return Ok((it.name, false)) };
    if !stamps::replace(session, id, &stamp.id, stamp)? {
        return Ok((it.name, false));
    }
    let anchors = moved_anchors(&it, finding);
    if anchors != it.anchors {
        session.execute(
            "UPDATE graph_atoms SET anchors = ?2, updated_at = ?3, version = version + 1 WHERE id = ?1",
            params![id, json::paths(&anchors), session.stamp()],
        )?;
    }
    Ok((it.name, true))
}

/// The anchors where they are now; what was split has several.
fn moved_anchors(it: &Atom, finding: &Finding) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for anchor in &it.anchors {
        for now in followed(anchor, &finding.moved) {
            if !anchors.contains(&now) {
                anchors.push(now);
            }
        }
    }
    anchors
}
