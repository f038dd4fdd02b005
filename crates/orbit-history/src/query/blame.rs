//! Who touched each symbol of a file last.

use super::History;
use super::commit::CommitRow;
use crate::error::HistoryError;
use crate::facts::Change;
use crate::store::{CommitId, SymbolId};
use orbit_graph::{SymbolAddress, SymbolKind};
use serde::Serialize;

/// A symbol and the last commit that touched it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blame {
    /// Canonical.
    pub selector: String,
    /// Which it is for good.
    pub stable_id: String,
    /// The last commit.
    pub commit: CommitRow,
    /// How many commits touched it.
    pub commits: usize,
    /// All tasks that touched it.
    pub task_ids: Vec<String>,
}

impl History {
    /// The symbols of a file at HEAD, by name.
    pub fn blame(&self, path: &str) -> Result<Vec<Blame>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT a.id, a.name, a.kind, s.commit_id, s.symbol FROM paths p JOIN addresses a ON a.path = p.id
             JOIN assigns s ON s.address = a.id WHERE p.path = ?1 ORDER BY a.id, s.commit_id DESC",
        )?;
        let mut rows = statement.query([path])?;
        let (mut done, mut found) = (None, Vec::new());
        while let Some(row) = rows.next()? {
            let (address, commit, symbol): (i64, CommitId, SymbolId) =
                (row.get(0)?, row.get(3)?, row.get(4)?);
            if done == Some(address) || !self.view.line.contains(commit) {
                continue;
            }
            done = Some(address);
            let kind = SymbolKind::from_u8(row.get(2)?).unwrap_or(SymbolKind::Variable);
            let address = SymbolAddress { path: path.to_owned(), local: row.get(1)?, kind };
            found.extend(self.blame_symbol(symbol, &address)?);
        }
        found.sort_by(|a, b| a.selector.cmp(&b.selector));
        Ok(found)
    }

    /// `None` when the symbol is gone, or is somewhere else by now.
    fn blame_symbol(&self, symbol: SymbolId, address: &SymbolAddress) -> Result<Option<Blame>, HistoryError> {
        let touches = self.touches_of(symbol)?;
        let Some((commit, change)) = touches.first().copied() else { return Ok(None) };
        let change = Change::from_u8(change);
        let is_here = self.address_of(symbol)?.as_ref() == Some(address);
        if change == Change::Deleted || !is_here {
            return Ok(None);
        }
        let mut task_ids = Vec::new();
        for (commit, _) in &touches {
            task_ids.append(&mut self.tasks_of(*commit)?);
        }
        task_ids.sort();
        task_ids.dedup();
        let stable_id = "SELECT stable_id FROM symbols WHERE id = ?1";
        let stable_id = self.connection.prepare_cached(stable_id)?.query_row([symbol], |row| row.get(0))?;
        let commit = self.commit_row(commit, change.as_str())?;
        Ok(Some(Blame { selector: address.to_string(), stable_id, commit, commits: touches.len(), task_ids }))
    }
}
