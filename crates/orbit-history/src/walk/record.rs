//! Writing down what a commit did, and handing its state on to its children.

use crate::attribute::credited;
use crate::error::HistoryError;
use crate::facts::{Change, KnownBy};
use crate::git::log::CommitDiff;
use crate::identity::{At, FilePair, Matching, Origin, old_id};
use crate::operations::claims::{Claims, Placed, Subject};
use crate::outline;
use crate::state::{FileIds, TreeState};
use crate::store::writer::{FirstSight, HopRow, Writer};
use crate::store::{CommitId, SymbolId};
use std::collections::HashMap;

/// Everything that was found out about a commit.
pub(super) struct Facts<'f> {
    pub(super) diff: &'f CommitDiff,
    pub(super) commit: CommitId,
    pub(super) files: &'f [FilePair],
    pub(super) matching: &'f Matching,
    pub(super) renames: &'f [(usize, usize)],
}

/// Writes the facts and brings the state forward.
pub(super) fn record(
    writer: &mut Writer<'_>,
    facts: &Facts<'_>,
    claims: Option<&Claims>,
    state: &mut TreeState,
) -> Result<(), HistoryError> {
    let claimed: HashMap<At, &Placed> =
        claims.iter().flat_map(|claims| &claims.placed).map(|placed| (placed.new, placed)).collect();
    let mut recorder = Recorder { writer, facts, claimed };
    recorder.files()?;
    for (file, pair) in facts.files.iter().enumerate() {
        let ids = recorder.symbols(file)?;
        if outline::has_symbols(&pair.path_text) {
            let new = facts.diff.files[file].new;
            state.set(pair.path, new.map(|blob| FileIds { blob: blob.oid, ids: ids.into() }));
        }
        recorder.gone(file)?;
    }
    if let Some(claims) = claims {
        recorder.endings(claims)?;
    }
    Ok(())
}

struct Recorder<'r, 'c> {
    writer: &'r mut Writer<'c>,
    facts: &'r Facts<'r>,
    claimed: HashMap<At, &'r Placed>,
}

impl Recorder<'_, '_> {
    /// The file itself is always credited.
    fn files(&mut self) -> Result<(), HistoryError> {
        let (facts, commit) = (self.facts, self.facts.commit);
        for (pair, file) in facts.files.iter().zip(&facts.diff.files) {
            let change = match (file.old, file.new) {
                (None, _) => Change::Added,
                (_, None) => Change::Deleted,
                _ => Change::Modified,
            };
            self.writer.touch_file(pair.path, commit, change)?;
        }
        for &(from, to) in facts.renames {
            let (old, new) = (facts.files[from].path, facts.files[to].path);
            self.writer.rename_file(old, new, commit)?;
            self.writer.touch_file(new, commit, Change::Moved)?;
        }
        Ok(())
    }

    /// The symbols of the new version of a file: their ids, in the outline's order.
    fn symbols(&mut self, file: usize) -> Result<Vec<SymbolId>, HistoryError> {
        let facts = self.facts;
        let pair = &facts.files[file];
        let Some(new) = &pair.new else { return Ok(Vec::new()) };
        let credited = credited(new, &facts.diff.files[file].hunks);
        let mut ids = Vec::with_capacity(new.symbols.len());
        for (at, is_credited) in credited.into_iter().enumerate() {
            let id = match facts.matching.origins[file][at] {
                Origin::Same(old) => self.same((file, at), old, is_credited)?,
                Origin::From(old, known_by) => self.moved((file, at), old, known_by)?,
                Origin::Parent(id) => self.taken_over((file, at), id, is_credited)?,
                Origin::New => self.found((file, at), Change::Added)?,
                Origin::Claimed => self.claimed((file, at))?,
            };
            ids.push(id);
        }
        Ok(ids)
    }

    fn same(&mut self, new: At, old: At, is_credited: bool) -> Result<SymbolId, HistoryError> {
        let id = match old_id(self.facts.files, old) {
            Some(id) => id,
            None => self.assign_first_sight(new)?,
        };
        let change = self.claimed.get(&new).and_then(|placed| placed.change);
        if let Some(change) = change.or(is_credited.then_some(Change::Modified)) {
            self.writer.touch(id, self.facts.commit, change)?;
        }
        Ok(id)
    }

    fn moved(&mut self, new: At, old: At, known_by: KnownBy) -> Result<SymbolId, HistoryError> {
        let Some(id) = old_id(self.facts.files, old) else { return self.found(new, Change::Added) };
        let (from, to) = (self.old_address(old)?, self.new_address(new)?);
        let change = if old.0 == new.0 { Change::Renamed } else { Change::Moved };
        let commit = self.facts.commit;
        self.writer.assign(commit, to, id)?;
        let (from, to, other) = (Some(from), Some(to), None);
        self.writer.hop(commit, &HopRow { symbol: id, change, known_by, from, to, other })?;
        let change = self.claimed.get(&new).and_then(|placed| placed.change).unwrap_or(change);
        self.writer.touch(id, commit, change)?;
        Ok(id)
    }

    /// A merge brought it from another parent, where its history is.
    fn taken_over(&mut self, new: At, id: SymbolId, is_credited: bool) -> Result<SymbolId, HistoryError> {
        let address = self.new_address(new)?;
        self.writer.assign(self.facts.commit, address, id)?;
        if is_credited {
            self.writer.touch(id, self.facts.commit, Change::Modified)?;
        }
        Ok(id)
    }

    fn found(&mut self, new: At, change: Change) -> Result<SymbolId, HistoryError> {
        let id = self.assign_first_sight(new)?;
        self.writer.touch(id, self.facts.commit, change)?;
        Ok(id)
    }

    fn claimed(&mut self, new: At) -> Result<SymbolId, HistoryError> {
        let Some(placed) = self.claimed.get(&new).copied() else { return self.found(new, Change::Added) };
        let id = self.subject(&placed.subject)?;
        let address = self.new_address(new)?;
        self.writer.assign(self.facts.commit, address, id)?;
        self.writer.touch(id, self.facts.commit, placed.change.unwrap_or(Change::Added))?;
        Ok(id)
    }

    fn assign_first_sight(&mut self, new: At) -> Result<SymbolId, HistoryError> {
        let address = self.new_address(new)?;
        let pair = &self.facts.files[new.0];
        let symbol = pair.new.as_ref().map(|outline| &outline.symbols[new.1]).expect("the new tree has it");
        let seen = FirstSight { address, path: &pair.path_text, name: &symbol.local, kind: symbol.kind };
        let id = self.writer.first_sight(self.facts.diff.sha, &seen)?;
        self.writer.assign(self.facts.commit, address, id)?;
        Ok(id)
    }

    /// Symbols of the old version that live on nowhere.
    fn gone(&mut self, file: usize) -> Result<(), HistoryError> {
        let facts = self.facts;
        let settled = &facts.matching.settled[file];
        for at in (0..settled.len()).filter(|at| !settled[*at]) {
            if let Some(id) = old_id(facts.files, (file, at)) {
                self.writer.touch(id, facts.commit, Change::Deleted)?;
            }
        }
        Ok(())
    }

    /// What a log says about symbols that end, and about those that came out of them.
    fn endings(&mut self, claims: &Claims) -> Result<(), HistoryError> {
        let facts = self.facts;
        for ended in &claims.ended {
            if let Some(id) = old_id(facts.files, ended.old) {
                self.writer.touch(id, facts.commit, ended.change)?;
            }
        }
        for descent in &claims.descents {
            let symbol = self.subject(&descent.subject)?;
            let hop = HopRow {
                symbol,
                change: descent.change,
                known_by: KnownBy::Operation,
                from: Some(self.old_address(descent.from)?),
                to: Some(self.new_address(descent.to)?),
                other: old_id(facts.files, descent.from),
            };
            self.writer.hop(facts.commit, &hop)?;
        }
        Ok(())
    }

    fn subject(&mut self, subject: &Subject) -> Result<SymbolId, HistoryError> {
        match subject {
            Subject::Known(id) => Ok(*id),
            Subject::Fresh(stable_id) => self.writer.symbol(stable_id),
        }
    }

    fn new_address(&self, (file, at): At) -> Result<i64, HistoryError> {
        let pair = &self.facts.files[file];
        let symbol = pair.new.as_ref().map(|outline| &outline.symbols[at]).expect("the new tree has it");
        self.writer.address(pair.path, &symbol.local, symbol.kind)
    }

    fn old_address(&self, (file, at): At) -> Result<i64, HistoryError> {
        let pair = &self.facts.files[file];
        let symbol = pair.old.as_ref().map(|side| &side.outline.symbols[at]).expect("the old tree has it");
        self.writer.address(pair.path, &symbol.local, symbol.kind)
    }
}
