//! Rows in conflict that somebody decided about: which side's row the merged graph has.
//!
//! To take a side is to take what that side has of a row, its absence included, whatever the other side did to it. So a
//! decision is also a way out where each row is fine and both together break a promise of the schema.

use super::conflict::{ConflictKind, ConflictRows, MergeConflict};
use super::plan::Plan;
use super::schema::Side;
use super::table::TableMerge;
use crate::error::{Error, Result};
use crate::table_name::TableName;
use crate::versions::delta::{Delta, RowChange};
use crate::versions::diff::{ends, object};
use crate::versions::rows::Reader;
use omnigraph_store::RowAddr;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Conflicts whose rows are shown.
const SHOWN: usize = 200;

/// What becomes of rows in conflict. Nothing is decided by default: they stop the merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolutions {
    /// For rows that are not listed.
    pub otherwise: Option<Side>,
    /// By the table and the row of a conflict, as [`MergeConflict`] names them.
    pub rows: BTreeMap<(String, String), Side>,
}

/// A conflict that was decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResolvedConflict {
    /// The conflict.
    pub conflict: MergeConflict,
    /// The side that was taken.
    pub take: Side,
}

impl Resolutions {
    fn side_of(&self, table: &str, row: &str) -> Option<Side> {
        let listed = self.rows.get(&(table.to_owned(), row.to_owned()));
        listed.copied().or(self.otherwise)
    }

    /// A decision about something that is not in conflict is a mistake, most likely a misspelled row.
    pub(in crate::versions) fn check_used(&self, resolved: &[ResolvedConflict]) -> Result<()> {
        let used: BTreeSet<(&str, &str)> = resolved
            .iter()
            .filter_map(|resolved| {
                Some((resolved.conflict.table_key.as_str(), resolved.conflict.row_id.as_deref()?))
            })
            .collect();
        match self.rows.keys().find(|(table, row)| !used.contains(&(table.as_str(), row.as_str()))) {
            None => Ok(()),
            Some((table, row)) => Err(Error::request(format!(
                "a side is chosen for `{row}` of {table}, which is not in conflict; `merge --dry-run` lists the \
                 conflicts"
            ))),
        }
    }
}

/// Where both sides have a row, and whose is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) ours: Option<RowAddr>,
    pub(super) theirs: Option<RowAddr>,
    pub(super) take: Side,
}

/// The change of a row, if there is one.
pub(super) fn change_of<'d>(delta: &'d Delta, id: &str) -> Option<(usize, &'d RowChange)> {
    let at = delta.rows.binary_search_by(|row| row.id.as_str().cmp(id)).ok()?;
    Some((at, &delta.rows[at]))
}

impl TableMerge {
    /// Where each side has a row that one of them changed.
    pub(super) fn places(&self, id: &str) -> Option<(Option<RowAddr>, Option<RowAddr>)> {
        let (ours, theirs) = (change_of(&self.ours, id), change_of(&self.theirs, id));
        let place =
            |own: Option<(usize, &RowChange)>, other: Option<(usize, &RowChange)>, delta: &Delta| match (
                own, other,
            ) {
                (Some((_, own)), _) => own.new,
                (None, other) => other.and_then(|(_, other)| other.old).map(|old| delta.place(old)),
            };
        (ours.is_some() || theirs.is_some())
            .then(|| (place(ours, theirs, &self.ours), place(theirs, ours, &self.theirs)))
    }

    /// Takes a side's row; false when the merged graph has that row anyway.
    fn settle(&mut self, id: &str, take: Side) -> bool {
        let Some((ours, theirs)) = self.places(id) else { return false };
        let at = |delta: &Delta| change_of(delta, id).map(|(at, _)| at);
        let only_ours = at(&self.ours).and_then(|at| self.only_ours.binary_search(&at).ok());
        let only_theirs = at(&self.theirs).and_then(|at| self.only_theirs.binary_search(&at).ok());
        let is_so = match take {
            Side::Ours => only_ours.is_some(),
            Side::Theirs => only_theirs.is_some(),
        };
        if is_so || self.settled.contains_key(id) {
            return false;
        }
        if let Some(at) = only_ours {
            self.only_ours.remove(at);
        }
        if let Some(at) = only_theirs {
            self.only_theirs.remove(at);
        }
        self.settled.insert(id.to_owned(), Settled { ours, theirs, take });
        true
    }

    /// The edges of a source that a side changed: what a conflict about their number is about.
    fn edges_of(&self, source: &str) -> Result<Vec<String>> {
        let mut found = BTreeSet::new();
        for delta in [&self.ours, &self.theirs] {
            let rows: Vec<&RowChange> = delta.rows.iter().collect();
            for (row, ends) in rows.iter().zip(ends(delta, &rows)?) {
                if ends.is_some_and(|ends| ends.src == source) {
                    found.insert(row.id.clone());
                }
            }
        }
        Ok(found.into_iter().collect())
    }
}

impl Plan {
    /// Decides about those of the conflicts that there is a decision for, and gives back the others.
    pub(super) fn settle(
        &mut self,
        resolutions: &Resolutions,
        conflicts: Vec<MergeConflict>,
        resolved: &mut Vec<ResolvedConflict>,
    ) -> Result<Vec<MergeConflict>> {
        let mut left = Vec::new();
        for conflict in conflicts {
            let side =
                conflict.row_id.as_deref().and_then(|row| resolutions.side_of(&conflict.table_key, row));
            match side {
                Some(take) if self.settle_one(&conflict, take)? => {
                    resolved.push(ResolvedConflict { conflict, take });
                }
                _ => left.push(conflict),
            }
        }
        Ok(left)
    }

    fn settle_one(&mut self, conflict: &MergeConflict, take: Side) -> Result<bool> {
        let Some(row) = conflict.row_id.as_deref() else { return Ok(false) };
        let key = conflict.table_key.as_str();
        let Some(at) = self.tables.iter().position(|table| table.key == key) else { return Ok(false) };
        if self.tables[at].settle(row, take) {
            return Ok(true);
        }
        match conflict.kind {
            ConflictKind::CardinalityViolation => {
                let edges = self.tables[at].edges_of(row)?;
                // Every one of them, so not `any`.
                let settled = edges.iter().filter(|edge| self.tables[at].settle(edge, take)).count();
                Ok(settled > 0)
            }
            ConflictKind::OrphanEdge => self.settle_ends(at, row, take),
            _ => Ok(false),
        }
    }

    /// Who takes the side that has an edge takes its nodes from there, too.
    fn settle_ends(&mut self, edges: usize, edge: &str, take: Side) -> Result<bool> {
        let table = &self.tables[edges];
        let delta = match take {
            Side::Ours => &table.ours,
            Side::Theirs => &table.theirs,
        };
        let name = TableName::of(&table.key).type_name();
        let Some(declared) = self.seen.catalog.edges.get(name) else { return Ok(false) };
        let nodes = [&declared.from, &declared.to].map(|node| TableName::Node(node).key());
        let Some((_, row)) = change_of(delta, edge) else { return Ok(false) };
        let Some(ends) = ends(delta, &[row])?.pop().flatten() else { return Ok(false) };
        let mut any = false;
        for (key, id) in nodes.iter().zip([ends.src, ends.dst]) {
            if let Some(table) = self.tables.iter_mut().find(|table| &table.key == key) {
                any |= table.settle(&id, take);
            }
        }
        Ok(any)
    }
}

impl Plan {
    /// Puts beside each conflict of a row what the row is on both sides, and what it was. Of very many conflicts the first
    /// ones are shown: each row is read by itself.
    pub(super) fn show(&self, conflicts: &mut [MergeConflict]) -> Result<()> {
        for conflict in conflicts.iter_mut().take(SHOWN) {
            let Some(id) = conflict.row_id.as_deref() else { continue };
            let table = self.tables.iter().find(|table| table.key == conflict.table_key);
            let Some((table, (ours, theirs))) = table.and_then(|table| Some((table, table.places(id)?)))
            else {
                continue;
            };
            let old = |delta: &Delta| change_of(delta, id).and_then(|(_, row)| row.old);
            let base = match old(&table.ours) {
                Some(place) => row(table.ours.old.as_ref(), Some(place))?,
                None => row(table.theirs.old.as_ref(), old(&table.theirs))?,
            };
            conflict.rows = Some(ConflictRows {
                base,
                ours: row(table.ours.new.as_ref(), ours)?,
                theirs: row(table.theirs.new.as_ref(), theirs)?,
            });
        }
        Ok(())
    }
}

/// One row as a JSON object.
fn row(reader: Option<&Reader>, place: Option<RowAddr>) -> Result<Option<String>> {
    let (Some(reader), Some(place)) = (reader, place) else { return Ok(None) };
    let reader = reader.readable();
    Ok(Some(Value::Object(object(&reader.rows(&[place])?, 0)?).to_string()))
}
