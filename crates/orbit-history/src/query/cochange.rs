//! What changes together with a symbol or file.

use super::subject::Subject;
use super::{History, Staleness};
use crate::error::HistoryError;
use crate::store::CommitId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A commit that touches more than this says nothing about what belongs together.
const LARGEST: usize = 100;
/// Candidates whose own commits are counted, or as many as are shown if that is more.
const POOL: usize = 400;

/// Something that changed in the same commits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Companion {
    /// Canonical.
    pub selector: String,
    /// Commits that touched both.
    pub together: usize,
    /// Commits that touched this one.
    pub commits: usize,
    /// `together` over the geometric mean of both counts: 1 when they never change apart.
    pub score: f64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cochange {
    /// Canonical.
    pub selector: String,
    /// Commits that touched it.
    pub commits: usize,
    /// Of them, those that touched so much that they were left out.
    pub large_commits: usize,
    /// Best first.
    pub companions: Vec<Companion>,
    /// How many there are.
    pub total: usize,
    /// Whether the limit cut the list.
    pub truncated: bool,
    /// `null` when the history is up to HEAD.
    pub staleness: Option<Staleness>,
    /// What a reader should know.
    pub warnings: Vec<String>,
}

impl History {
    /// What changes together with a symbol (other symbols) or a file (other files).
    pub fn cochange(&self, subject: &Subject, limit: usize) -> Result<Cochange, HistoryError> {
        let id = match subject {
            Subject::Symbol { .. } => self.symbol_at(subject)?,
            Subject::File(path) => self.path_id(path)?,
        };
        let is_symbol = matches!(subject, Subject::Symbol { .. });
        let own = match id {
            Some(id) => self.commits_touching(id, is_symbol)?,
            None => BTreeSet::new(),
        };
        let mut warnings = self.warnings().to_vec();
        if own.is_empty() {
            warnings.push("no commit that HEAD can see has touched this yet".into());
        }
        let (small, counts) = self.companions(&own, id.unwrap_or(0), is_symbol)?;
        let large_commits = own.len() - small.len();
        let (mut companions, total) = self.ranked(counts, &small, own.len(), is_symbol, limit)?;
        companions.truncate(limit);
        Ok(Cochange {
            selector: subject.selector(),
            commits: own.len(),
            large_commits,
            truncated: companions.len() < total,
            companions,
            total,
            staleness: self.staleness().cloned(),
            warnings,
        })
    }

    /// The commits of a symbol, or of a file under all of its names.
    fn commits_touching(&self, id: u32, is_symbol: bool) -> Result<BTreeSet<CommitId>, HistoryError> {
        if is_symbol {
            return Ok(self.touches_of(id)?.into_iter().map(|(commit, _)| commit).collect());
        }
        Ok(self.of_file(&self.path_text(id)?)?.touches.into_keys().collect())
    }

    /// What git says a file is called now that was called so at a commit. Another file may have had the name before.
    fn newest_path(&self, path: u32, at: CommitId) -> Result<u32, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT commit_id, path FROM file_renames WHERE old_path = ?1 AND commit_id > ?2 ORDER BY commit_id",
        )?;
        let (mut path, mut since): (u32, CommitId) = (path, at);
        loop {
            let rows = statement.query_map([path, since], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let rows: Vec<(CommitId, u32)> = rows.collect::<Result<_, _>>()?;
            match rows.into_iter().find(|(commit, _)| self.view.seen.contains(*commit)) {
                Some((commit, newer)) => (path, since) = (newer, commit),
                None => return Ok(path),
            }
        }
    }

    /// Those of these commits that are small enough to tell what belongs together, and how often others were touched in them.
    fn companions(
        &self,
        commits: &BTreeSet<CommitId>,
        own: u32,
        is_symbol: bool,
    ) -> Result<(BTreeSet<CommitId>, BTreeMap<u32, usize>), HistoryError> {
        let sql = if is_symbol {
            "SELECT symbol FROM touches WHERE commit_id = ?1 LIMIT ?2"
        } else {
            "SELECT path FROM file_touches WHERE commit_id = ?1 LIMIT ?2"
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let (mut small, mut counts) = (BTreeSet::new(), BTreeMap::new());
        for commit in commits {
            let rows = statement.query_map([*commit, LARGEST as u32 + 1], |row| row.get(0))?;
            let touched: Vec<u32> = rows.collect::<Result<_, _>>()?;
            if touched.len() > LARGEST {
                continue;
            }
            small.insert(*commit);
            let mut others = BTreeSet::new();
            for other in touched {
                others.insert(if is_symbol { other } else { self.newest_path(other, *commit)? });
            }
            for other in others.into_iter().filter(|other| *other != own) {
                *counts.entry(other).or_insert(0) += 1;
            }
        }
        Ok((small, counts))
    }

    /// Those that changed together more than once, or, when there are none, once; and how many they are. Of very many only
    /// the most frequent are ranked.
    fn ranked(
        &self,
        counts: BTreeMap<u32, usize>,
        small: &BTreeSet<CommitId>,
        own: usize,
        is_symbol: bool,
        limit: usize,
    ) -> Result<(Vec<Companion>, usize), HistoryError> {
        let least = if counts.values().any(|count| *count > 1) { 2 } else { 1 };
        let mut pool: Vec<(u32, usize)> = counts.into_iter().filter(|(_, count)| *count >= least).collect();
        pool.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut ranked = Vec::new();
        let mut total = 0;
        for (id, _) in pool {
            let Some(selector) = self.companion(id, is_symbol)? else { continue };
            total += 1;
            if total > POOL.max(limit) {
                continue;
            }
            // Counted from its own commits, so that there cannot be more together than it has.
            let touching = self.commits_touching(id, is_symbol)?;
            let (together, commits) = (small.intersection(&touching).count(), touching.len());
            let score = together as f64 / ((own * commits) as f64).sqrt().max(1.0);
            let score = (score * 1000.0).round() / 1000.0;
            ranked.push(Companion { selector, together, commits, score });
        }
        ranked.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then(b.together.cmp(&a.together)).then(a.selector.cmp(&b.selector))
        });
        Ok((ranked, total))
    }

    /// What it is called now; `None` when it is gone.
    fn companion(&self, id: u32, is_symbol: bool) -> Result<Option<String>, HistoryError> {
        if is_symbol {
            return Ok(self.address_of(id)?.map(|address| address.to_string()));
        }
        Ok(Some(format!("file:{}", self.path_text(id)?)))
    }
}
