//! The rows of one table that two sides have changed.

use super::conflict::{ConflictKind, MergeConflict};
use super::decide::{Did, Verdict, decide, decide_contested};
use super::schema::Side;
use super::settle::Settled;
use crate::error::{Error, Result};
use crate::rows::cell_to_json;
use crate::table_name::TableName;
use crate::versions::delta::{Delta, RowChange};
use crate::versions::diff::ChangeOp;
use crate::versions::rows::{AT_ONCE, Reader};
use crate::write::different;
use arrow_array::RecordBatch;
use omnigraph_store::{ChangedIds, RowAddr, TableChange};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Differences that a message names.
const SHOWN: usize = 3;

/// What a merge makes of one table; nothing is written yet.
#[derive(Debug)]
pub(super) struct TableMerge {
    pub(super) key: String,
    pub(super) ours: Delta,
    pub(super) theirs: Delta,
    /// Places in `ours.rows` of what only we changed.
    pub(super) only_ours: Vec<usize>,
    /// Places in `theirs.rows` of what only they changed.
    pub(super) only_theirs: Vec<usize>,
    /// Rows that somebody decided about, by id.
    pub(super) settled: BTreeMap<String, Settled>,
    pub(super) conflicts: Vec<MergeConflict>,
}

/// A row that both have: places in both lists, and what it is if the rows differ.
type Pair = (usize, usize, ConflictKind);

impl TableMerge {
    /// Decides about every row that changed. Of `contested` ids the base does not know what they were.
    pub(super) fn new(
        key: String,
        ours: Delta,
        theirs: Delta,
        contested: Option<&BTreeSet<String>>,
    ) -> Result<TableMerge> {
        let mut merge = TableMerge {
            key,
            ours,
            theirs,
            only_ours: Vec::new(),
            only_theirs: Vec::new(),
            settled: BTreeMap::new(),
            conflicts: Vec::new(),
        };
        let mut pairs: Vec<Pair> = Vec::new();
        let (mut our, mut their) = (0, 0);
        loop {
            let order = match (merge.ours.rows.get(our), merge.theirs.rows.get(their)) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(our), Some(their)) => our.id.cmp(&their.id),
            };
            let at = (order.is_le().then_some(our), order.is_ge().then_some(their));
            merge.decide(at, contested, &mut pairs)?;
            our += usize::from(order.is_le());
            their += usize::from(order.is_ge());
        }
        for some in pairs.chunks(AT_ONCE) {
            merge.compare(some)?;
        }
        merge.conflicts.sort();
        Ok(merge)
    }

    fn decide(
        &mut self,
        (our, their): (Option<usize>, Option<usize>),
        contested: Option<&BTreeSet<String>>,
        pairs: &mut Vec<Pair>,
    ) -> Result<()> {
        let (ours, theirs) = (our.map(|at| &self.ours.rows[at]), their.map(|at| &self.theirs.rows[at]));
        let Some(id) = ours.or(theirs).map(|row| row.id.clone()) else { return Ok(()) };
        let did = |row: Option<&RowChange>| Did::from(row.map(RowChange::op));
        let (we, they) = (did(ours), did(theirs));
        let verdict = if contested.is_some_and(|contested| contested.contains(&id)) {
            match (our, their, decide_contested(we, they)) {
                // With a row on both sides they may still be equal.
                (Some(_), Some(_), Verdict::Conflict(ConflictKind::DivergentUpdate)) => {
                    Verdict::Compare(ConflictKind::DivergentUpdate)
                }
                (_, _, verdict) => verdict,
            }
        } else {
            decide(we, they)
        };
        match (verdict, our, their) {
            (Verdict::Agree, _, _) => {}
            (Verdict::Ours, Some(our), _) => self.only_ours.push(our),
            (Verdict::Theirs, _, Some(their)) => self.only_theirs.push(their),
            (Verdict::Compare(kind), Some(our), Some(their)) => pairs.push((our, their, kind)),
            (Verdict::Conflict(kind), _, _) => {
                let message = deleted_and_updated(&self.key, &id, kind, we == Did::Delete);
                self.conflicts.push(MergeConflict::new(&self.key, Some(id), kind, message));
            }
            (Verdict::Impossible | Verdict::Ours | Verdict::Theirs | Verdict::Compare(_), _, _) => {
                return Err(Error::damaged(format!("{} of {} cannot be: {we:?}, {they:?}", id, self.key)));
            }
        }
        Ok(())
    }

    /// Rows that both have are in conflict when they differ.
    fn compare(&mut self, pairs: &[Pair]) -> Result<()> {
        let place = |row: &RowChange| row.new.ok_or_else(|| Error::damaged("a row without a place"));
        let ours: Result<Vec<RowAddr>> = pairs.iter().map(|pair| place(&self.ours.rows[pair.0])).collect();
        let theirs: Result<Vec<RowAddr>> =
            pairs.iter().map(|pair| place(&self.theirs.rows[pair.1])).collect();
        let read = |reader: &Option<Reader>, rows: &[RowAddr]| match reader {
            Some(reader) => reader.rows(rows),
            None => Err(Error::damaged("rows without a table")),
        };
        let (ours, theirs) = (read(&self.ours.new, &ours?)?, read(&self.theirs.new, &theirs?)?);
        for at in different(&ours, &theirs, &(0..pairs.len() as u32).collect::<Vec<_>>())? {
            let (our, _, kind) = pairs[at];
            let id = self.ours.rows[our].id.clone();
            let message = diverged(&self.key, &id, kind, (&ours, &theirs), at)?;
            self.conflicts.push(MergeConflict::new(&self.key, Some(id), kind, message));
        }
        Ok(())
    }

    /// What this table gains from their side.
    pub(super) fn change(&self) -> TableChange {
        let theirs = self.only_theirs.iter().map(|at| self.theirs.rows[*at].clone());
        let taken = self.settled.iter().filter(|(_, settled)| settled.take == Side::Theirs);
        let taken =
            taken.map(|(id, settled)| RowChange { id: id.clone(), old: settled.ours, new: settled.theirs });
        let mut rows: Vec<RowChange> =
            theirs.chain(taken.filter(|row| row.old.or(row.new).is_some())).collect();
        rows.sort_by(|left, right| left.id.cmp(&right.id));
        summed(rows.iter())
    }

    /// Whether the target gains anything.
    pub(super) fn gains(&self) -> bool {
        !self.only_theirs.is_empty() || self.settled.values().any(|settled| settled.take == Side::Theirs)
    }
}

/// Changed rows as a record keeps them.
pub(super) fn summed<'r>(rows: impl Iterator<Item = &'r RowChange>) -> TableChange {
    let mut change = TableChange::default();
    let mut ids = ChangedIds::default();
    let mut total = 0;
    for row in rows {
        total += 1;
        let (count, list) = match row.op() {
            ChangeOp::Insert => (&mut change.inserted, &mut ids.inserted),
            ChangeOp::Update => (&mut change.updated, &mut ids.updated),
            ChangeOp::Delete => (&mut change.deleted, &mut ids.deleted),
        };
        *count += 1;
        if total <= ChangedIds::MOST {
            list.push(row.id.clone());
        }
    }
    change.ids = (total <= ChangedIds::MOST).then_some(ids);
    change
}

fn deleted_and_updated(key: &str, id: &str, kind: ConflictKind, we_deleted: bool) -> String {
    let name = TableName::of(key).type_name();
    match (kind, we_deleted) {
        (ConflictKind::DeleteVsUpdate, true) => {
            format!("{name} '{id}' is deleted in the target and updated in the source")
        }
        (ConflictKind::DeleteVsUpdate, false) => {
            format!("{name} '{id}' is updated in the target and deleted in the source")
        }
        _ => format!("{name} '{id}' was merged differently before and is not the same in both"),
    }
}

/// Says which properties differ, and how.
fn diverged(
    key: &str,
    id: &str,
    kind: ConflictKind,
    (ours, theirs): (&RecordBatch, &RecordBatch),
    row: usize,
) -> Result<String> {
    let did = if kind == ConflictKind::DivergentInsert { "inserted" } else { "updated" };
    let mut differ = Vec::new();
    for (at, field) in ours.schema_ref().fields().iter().enumerate() {
        let (ours, theirs) = (ours.project(&[at])?, theirs.project(&[at])?);
        let (ours, theirs) = (ours.slice(row, 1), theirs.slice(row, 1));
        if !different(&ours, &theirs, &[0])?.is_empty() {
            let text = |batch: &RecordBatch| excerpt(&cell_to_json(batch.column(0), 0));
            differ.push(format!(
                "{} is {} in the target and {} in the source",
                field.name(),
                text(&ours),
                text(&theirs)
            ));
        }
    }
    let more = differ.len().saturating_sub(SHOWN);
    differ.truncate(SHOWN);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    Ok(format!("{} '{id}' is {did} differently: {}{more}", TableName::of(key).type_name(), differ.join(", ")))
}

/// A value short enough for a sentence.
fn excerpt(json: &str) -> String {
    const MOST: usize = 40;
    if json.chars().count() <= MOST {
        json.to_owned()
    } else {
        json.chars().take(MOST).chain(['…']).collect()
    }
}
