//! The operation log of a commit: its own, or that of a commit it replaces.
//!
//! ```text
//! note or file of the commit ─fits both trees?─▶ followed | warning
//! none ─logs of commits elsewhere that fit─▶ followed, and said
//! ```
//!
//! A log is bound to what it says, not to the id of the commit it was written for: `--amend`, `rebase`, squashing and
//! `cherry-pick` make other commits of the same change. What a log says is held against both trees either way.

use super::Walker;
use crate::error::HistoryError;
use crate::git::log::CommitDiff;
use crate::identity::FilePair;
use crate::operations::claims::{self, Claims, KnownIds};
use crate::operations::read::{Elsewhere, LogBytes};
use crate::operations::{Operation, OperationLog, check};
use crate::store::{CommitId, reach};
use std::collections::BTreeSet;

const LOG_FOLLOWED: u8 = 2;
const LOG_IGNORED: u8 = 4;

/// Most logs of other commits that are tried on one commit.
const MOST: usize = 64;

/// What a commit's log came to.
#[derive(Default)]
pub(super) struct Logged {
    pub(super) claims: Option<Claims>,
    /// Of a log that is followed: what each operation is called, and whom it names.
    pub(super) operations: Vec<(&'static str, Vec<String>)>,
    pub(super) flags: u8,
    pub(super) hash: Option<[u8; 32]>,
    pub(super) warnings: Vec<String>,
}

impl Logged {
    fn follow(log: &OperationLog, claims: Claims) -> Logged {
        let named = |op: &Operation| op.stable_ids().into_iter().map(str::to_owned).collect();
        Logged {
            claims: Some(claims),
            operations: log.operations.iter().map(|op| (op.name(), named(op))).collect(),
            flags: LOG_FOLLOWED,
            ..Logged::default()
        }
    }
}

impl Walker<'_> {
    /// Reads and checks the commit's operation log, if there is one.
    pub(super) fn read_log(
        &mut self,
        diff: &CommitDiff,
        parents: &[CommitId],
        files: &[FilePair],
    ) -> Result<Logged, HistoryError> {
        let sha = diff.sha;
        let Some(log) = self.logs.of(sha)? else { return self.replaced(diff, parents, files) };
        let (hash, LogBytes { bytes, remark }) = (Some(log.hash()), log);
        let mut warnings: Vec<String> = remark.into_iter().collect();
        let checked = match check::parse(&bytes) {
            Ok(log) => {
                let is_own = log.commit_sha == sha.to_string();
                let known = if is_own { self.known_ids(&log)? } else { self.known_before(&log, parents)? };
                claims::claims(&log, files, &known).map(|claims| (is_own, log, claims))
            }
            Err(reason) => Err(reason),
        };
        Ok(match checked {
            Ok((is_own, log, claims)) => {
                if !is_own {
                    warnings.push(format!(
                        "the operation log of {sha} was written for {}; what it says fits, and it is followed",
                        log.commit_sha
                    ));
                }
                Logged { hash, warnings, ..Logged::follow(&log, claims) }
            }
            Err(reason) => {
                warnings.push(format!("the operation log of {sha} is not followed: {reason}"));
                Logged { flags: LOG_IGNORED, hash, warnings, ..Logged::default() }
            }
        })
    }

    /// Follows the logs of commits that this one replaces: all that fit together.
    fn replaced(
        &mut self,
        diff: &CommitDiff,
        parents: &[CommitId],
        files: &[FilePair],
    ) -> Result<Logged, HistoryError> {
        let paths: BTreeSet<&str> = diff.files.iter().map(|file| file.path.as_str()).collect();
        let candidates = self.logs.elsewhere(&paths)?;
        if candidates.is_empty() || candidates.len() > MOST {
            return Ok(Logged::default());
        }
        let all: Vec<&Elsewhere> = candidates.iter().collect();
        let mut taken = all.clone();
        let mut fitting = self.fit(&taken, parents, files)?;
        if fitting.is_err() {
            taken.clear();
            for log in &all {
                let more: Vec<&Elsewhere> = taken.iter().copied().chain([*log]).collect();
                let tried = self.fit(&more, parents, files)?;
                if tried.is_ok() {
                    (taken, fitting) = (more, tried);
                }
            }
        }
        let sha = diff.sha;
        if let Ok((log, claims)) = fitting {
            let commits: Vec<String> = taken.iter().map(|log| log.commit.to_string()).collect();
            let mut logged = Logged::follow(&log, claims);
            logged.warnings.push(format!(
                "{sha} has no operation log; that of {} fits it and is followed",
                commits.join(" and ")
            ));
            return Ok(logged);
        }
        let mut logged = Logged::default();
        for log in all.into_iter().filter(|log| log.date == Some(diff.date)) {
            if let Err(reason) = self.fit(&[log], parents, files)? {
                let commit = log.commit;
                logged.warnings.push(format!(
                    "the operation log of {commit}, which {sha} seems to replace, is not followed: {reason}"
                ));
            }
        }
        Ok(logged)
    }

    /// Several logs as one, held against both trees.
    fn fit(
        &self,
        logs: &[&Elsewhere],
        parents: &[CommitId],
        files: &[FilePair],
    ) -> Result<Result<(OperationLog, Claims), String>, HistoryError> {
        let Some(first) = logs.first() else { return Ok(Err("nothing is said".into())) };
        let mut whole = first.log.clone();
        whole.operations = logs.iter().flat_map(|log| log.log.operations.clone()).collect();
        if whole.operations.is_empty() {
            return Ok(Err("it says nothing".into()));
        }
        let known = self.known_before(&whole, parents)?;
        Ok(claims::claims(&whole, files, &known).map(|claims| (whole, claims)))
    }

    fn known_ids(&self, log: &OperationLog) -> Result<KnownIds, HistoryError> {
        let mut known = KnownIds::new();
        for id in log.operations.iter().flat_map(Operation::stable_ids) {
            if let Some(symbol) = self.writer.known_symbol(id)?
                && self.writer.is_used(symbol)?
            {
                known.insert(id.to_owned(), symbol);
            }
        }
        Ok(known)
    }

    /// Those of the ids that something the parents see has: the commit that a log was written for brought others in, and
    /// is not one of them.
    fn known_before(&self, log: &OperationLog, parents: &[CommitId]) -> Result<KnownIds, HistoryError> {
        let view = reach::view_of_all(self.writer.connection, parents)?;
        let mut known = self.known_ids(log)?;
        let mut commits =
            self.writer.connection.prepare_cached("SELECT commit_id FROM assigns WHERE symbol = ?1")?;
        for id in log.operations.iter().flat_map(Operation::stable_ids) {
            let Some(symbol) = known.get(id) else { continue };
            let rows = commits.query_map([symbol], |row| row.get::<_, CommitId>(0))?;
            let rows = rows.collect::<Result<Vec<CommitId>, _>>()?;
            if !rows.into_iter().any(|commit| view.seen.contains(commit)) {
                known.remove(id);
            }
        }
        Ok(known)
    }
}
