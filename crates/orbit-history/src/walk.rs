//! One commit after the other, parents first: outlines in, identities settled, facts out.

mod logged;
mod record;

use crate::error::HistoryError;
use crate::git::Oid;
use crate::git::log::{Blob, CommitDiff};
use crate::git::renames::Renames;
use crate::identity::{At, FilePair, Matching, Origin, Side};
use crate::operations::claims::Claims;
use crate::operations::read::Logs;
use crate::outline::Outline;
use crate::outlines::{Outlines, Slot};
use crate::state::{Known, States, TreeState};
use crate::store::writer::Writer;
use crate::store::{self, CommitId, PathId, SymbolId, reach};
use crate::tasks::TaskIdPattern;
use orbit_extract::SymbolKind;
use orbit_git::Git;
use rusqlite::Connection;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The parents are cut off by a shallow clone.
pub(crate) const SHALLOW: u8 = 1;

/// A commit whose outlines are in the making.
pub(crate) struct Prepared {
    pub(crate) diff: CommitDiff,
    /// Of each file, before and after.
    pub(crate) outlines: Vec<Slots>,
}

/// The outlines of a file before and after.
type Slots = (Option<Arc<Slot>>, Option<Arc<Slot>>);

impl Prepared {
    /// Asks for all outlines that the commit needs.
    pub(crate) fn new(diff: CommitDiff, outlines: &Outlines) -> Prepared {
        let slot = |blob: Option<Blob>, path: &str| {
            blob.map(|blob| if blob.is_link { Slot::empty() } else { outlines.request(blob.oid, path) })
        };
        let files = diff.files.iter();
        let outlines = files.map(|file| (slot(file.old, &file.path), slot(file.new, &file.path))).collect();
        Prepared { diff, outlines }
    }
}

/// Walks commits into the history.
pub(crate) struct Walker<'c> {
    pub(crate) writer: Writer<'c>,
    states: States,
    outlines: Arc<Outlines>,
    renames: Renames,
    logs: Logs,
    pattern: TaskIdPattern,
    shallow: BTreeSet<Oid>,
    pub(crate) commits: usize,
    pub(crate) submodules: usize,
    pub(crate) warnings: Vec<String>,
}

impl<'c> Walker<'c> {
    pub(crate) fn new(
        writer: Writer<'c>,
        git: &Git,
        outlines: Arc<Outlines>,
        logs: Logs,
        pattern: TaskIdPattern,
        shallow: BTreeSet<Oid>,
    ) -> Walker<'c> {
        Walker {
            writer,
            states: States::default(),
            outlines,
            renames: Renames::new(git),
            logs,
            pattern,
            shallow,
            commits: 0,
            submodules: 0,
            warnings: Vec::new(),
        }
    }

    /// Adds one commit. Its parents are there.
    pub(crate) fn add(&mut self, prepared: Prepared) -> Result<(), HistoryError> {
        let diff = &prepared.diff;
        if store::commit_id(self.writer.connection, diff.sha)?.is_some() {
            return Ok(());
        }
        let mut parents = Vec::new();
        for parent in &diff.parents {
            parents.extend(store::commit_id(self.writer.connection, *parent)?);
        }
        let mut state = match parents.first() {
            Some(parent) => self.state_of(*parent)?,
            None => TreeState::empty(),
        };
        let files = self.pairs(&prepared, &state, &parents)?;
        let logged = self.read_log(diff, &parents, &files)?;
        let mut matching = Matching::new(&files);
        if let Some(claims) = &logged.claims {
            settle_claims(&mut matching, claims);
        }
        let renames = self.renames(diff, &parents)?;
        matching.run(&files, &renames);
        let flags = logged.flags | if self.shallow.contains(&diff.sha) { SHALLOW } else { 0 };
        let hash = logged.hash.as_ref().map(|hash| &hash[..]);
        let commit = self.writer.commit(diff, &parents, flags, hash)?;
        store::writer::tasks(self.writer.connection, commit, &self.pattern.ids(&diff.message))?;
        let facts = record::Facts { diff, commit, files: &files, matching: &matching, renames: &renames };
        record::record(&mut self.writer, &facts, logged.claims.as_ref(), &mut state)?;
        for (place, (op, ids)) in logged.operations.iter().enumerate() {
            for id in ids {
                if let Some(symbol) = self.writer.known_symbol(id)? {
                    self.writer.operation(symbol, commit, place, op)?;
                }
            }
        }
        for warning in logged.warnings {
            self.writer.warning(commit, &warning)?;
            self.warnings.push(warning);
        }
        self.states.put(commit, state);
        self.commits += 1;
        self.submodules += diff.submodules;
        Ok(())
    }

    fn state_of(&mut self, commit: CommitId) -> Result<TreeState, HistoryError> {
        if let Some(state) = self.states.get(commit) {
            return Ok(state);
        }
        let state = TreeState::stored(reach::line(self.writer.connection, commit)?);
        self.states.put(commit, state.clone());
        Ok(state)
    }

    /// Both versions of every changed file, with what is known about their symbols.
    fn pairs(
        &mut self,
        prepared: &Prepared,
        state: &TreeState,
        parents: &[CommitId],
    ) -> Result<Vec<FilePair>, HistoryError> {
        let mut others = Vec::new();
        for parent in parents.iter().skip(1) {
            others.push(self.state_of(*parent)?);
        }
        let mut pairs = Vec::new();
        for (file, (old, new)) in prepared.diff.files.iter().zip(&prepared.outlines) {
            let path = self.writer.path(&file.path)?;
            let new = new.as_ref().map(|slot| slot.wait());
            let old = match (file.old, old) {
                (Some(blob), Some(slot)) => {
                    let outline = slot.wait();
                    let ids = self.ids(path, blob.oid, &outline, state)?;
                    Some(Side { outline, ids })
                }
                _ => None,
            };
            let mut pair = FilePair { path, path_text: file.path.clone(), old, new, others: Vec::new() };
            if let (Some(blob), Some(new)) = (file.new, &pair.new)
                && !new.symbols.is_empty()
            {
                for other in &others {
                    let there = self.ids_elsewhere(path, &file.path, (blob.oid, new), other)?;
                    pair.others.push(there);
                }
            }
            pairs.push(pair);
        }
        Ok(pairs)
    }

    /// The symbols of a file in a state, in the outline's order.
    fn ids(
        &self,
        path: PathId,
        blob: Oid,
        outline: &Outline,
        state: &TreeState,
    ) -> Result<Arc<[SymbolId]>, HistoryError> {
        match state.get(path) {
            Known::File(known) if known.blob == blob && known.ids.len() == outline.symbols.len() => {
                Ok(Arc::clone(&known.ids))
            }
            Known::Ask(line) => {
                let stored = stored_ids(self.writer.connection, path, line)?;
                let id = |symbol: &crate::outline::OutlineSymbol| {
                    stored.get(&(symbol.local.clone(), symbol.kind)).copied().unwrap_or(0)
                };
                Ok(outline.symbols.iter().map(id).collect())
            }
            _ => Ok(outline.symbols.iter().map(|_| 0).collect()),
        }
    }

    /// The symbols of a file in another parent of a merge, by name.
    fn ids_elsewhere(
        &self,
        path: PathId,
        path_text: &str,
        new: (Oid, &Arc<Outline>),
        state: &TreeState,
    ) -> Result<HashMap<(Box<str>, SymbolKind), SymbolId>, HistoryError> {
        let known = match state.get(path) {
            Known::File(known) => known,
            Known::Ask(line) => return stored_ids(self.writer.connection, path, line),
            Known::Nothing => return Ok(HashMap::new()),
        };
        let outline = if known.blob == new.0 {
            Arc::clone(new.1)
        } else {
            self.outlines.request(known.blob, path_text).wait()
        };
        let named = outline.symbols.iter().zip(known.ids.iter()).filter(|(_, id)| **id != 0);
        Ok(named.map(|(symbol, id)| ((symbol.local.clone(), symbol.kind), *id)).collect())
    }

    /// Git's renamed files, as indices of the commit's files. Asked for only where files came and went.
    fn renames(
        &mut self,
        diff: &CommitDiff,
        parents: &[CommitId],
    ) -> Result<Vec<(usize, usize)>, HistoryError> {
        let has = |is: fn(&crate::git::log::FileDiff) -> bool| diff.files.iter().any(is);
        let can = has(|file| file.old.is_none()) && has(|file| file.new.is_none());
        let (true, false, Some(parent)) = (can, parents.is_empty(), diff.parents.first()) else {
            return Ok(Vec::new());
        };
        let pairs = self.renames.of(diff.sha, *parent)?;
        let index: HashMap<&str, usize> =
            diff.files.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
        let found = pairs.iter().filter_map(|(old, new)| Some((*index.get(&**old)?, *index.get(&**new)?)));
        Ok(found.collect())
    }
}

/// What the log says comes before what the matcher would find.
fn settle_claims(matching: &mut Matching, claims: &Claims) {
    for placed in &claims.placed {
        match placed.from {
            Some(old) if placed.is_new_address => {
                matching.link(old, placed.new, crate::facts::KnownBy::Operation);
            }
            Some(old) => {
                matching.origins[placed.new.0][placed.new.1] = Origin::Same(old);
                matching.settled[old.0][old.1] = true;
            }
            None => matching.origins[placed.new.0][placed.new.1] = Origin::Claimed,
        }
    }
    for ended in &claims.ended {
        let (file, at): At = ended.old;
        matching.settled[file][at] = true;
    }
}

/// What the history says about the symbols of a file along a line of first parents.
fn stored_ids(
    connection: &Connection,
    path: PathId,
    line: &reach::CommitSet,
) -> Result<HashMap<(Box<str>, SymbolKind), SymbolId>, HistoryError> {
    let mut statement = connection.prepare_cached(
        "SELECT a.name, a.kind, s.commit_id, s.symbol FROM addresses a JOIN assigns s ON s.address = a.id
         WHERE a.path = ?1 ORDER BY s.commit_id",
    )?;
    let mut rows = statement.query([path])?;
    let mut found = HashMap::new();
    while let Some(row) = rows.next()? {
        let (name, kind, commit, symbol): (Box<str>, u8, CommitId, SymbolId) =
            (row.get::<_, String>(0)?.into(), row.get(1)?, row.get(2)?, row.get(3)?);
        if let Some(kind) = SymbolKind::from_u8(kind)
            && line.contains(commit)
        {
            found.insert((name, kind), symbol);
        }
    }
    Ok(found)
}
