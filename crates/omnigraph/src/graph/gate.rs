//! The gate: what a call may touch is asked here, before it touches it.
//!
//! A state belongs to the branch that it was named by; a commit or a tag to the branch that the commit was made on. The
//! private branch of a run is judged as the branch that the run is for: else it would be a way around rules for that
//! branch, or runs could not be used at all. Where nobody decides, nothing is read to ask.
//!
//! Rules can be about types. What reads or changes rows asks once for the branch and once for each type: a query for those
//! that its plan names, a change also for all tables that its commit touches, an export or a difference for all that it
//! would show. What has no rows in it (names, counts, schemas, commits) asks for the branch alone.

use super::Graph;
use crate::access::Action;
use crate::error::{Error, Result};
use crate::table_name::TableName;
use omnigraph_compiler::{parse_date, parse_datetime};
use omnigraph_store::{Error as StoreError, Snapshot, TableChange, Target};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Graph {
    /// Fails unless the guard allows an action, on a branch where it is about one. For what is decided outside of the
    /// engine; calls of a graph ask for themselves.
    pub fn check_access(&self, action: Action, branch: Option<&str>) -> Result<()> {
        self.allow(action, branch, branch)
    }

    /// Fails unless the guard allows it.
    pub(crate) fn allow(
        &self,
        action: Action,
        branch: Option<&str>,
        target_branch: Option<&str>,
    ) -> Result<()> {
        if !self.access.is_guarded() {
            return Ok(());
        }
        let branch = branch.map(|name| self.judged(name)).transpose()?;
        let target_branch = target_branch.map(|name| self.judged(name)).transpose()?;
        self.access.check(action, branch.as_deref(), target_branch.as_deref())
    }

    /// Fails unless the guard allows an action on the rows of each of these types, on a branch.
    pub(crate) fn allow_types<'t>(
        &self,
        action: Action,
        branch: &str,
        types: impl IntoIterator<Item = &'t str>,
    ) -> Result<()> {
        if !self.access.tells_types_apart() {
            return Ok(());
        }
        let branch = self.judged(branch)?;
        types.into_iter().try_for_each(|name| self.access.check_type(action, &branch, name))
    }

    /// The same for a target that was resolved.
    pub(crate) fn allow_types_at<'t>(
        &self,
        action: Action,
        (target, snapshot): (&Target, &Snapshot),
        types: impl IntoIterator<Item = &'t str>,
    ) -> Result<()> {
        self.allow_types(action, named_branch(target).unwrap_or(&snapshot.record.branch), types)
    }

    /// The same for the tables that a commit would touch.
    pub(crate) fn allow_changes(&self, branch: &str, changes: &BTreeMap<String, TableChange>) -> Result<()> {
        self.allow_types(Action::Change, branch, changes.keys().map(|key| TableName::of(key).type_name()))
    }

    /// The branch whose rules hold for a name. Runs can begin on branches of runs.
    fn judged<'n>(&self, name: &'n str) -> Result<Cow<'n, str>> {
        let mut name = Cow::Borrowed(name);
        while let Some(run) = self.store().run_of_branch(&name)? {
            name = Cow::Owned(run.target_branch);
        }
        Ok(name)
    }

    /// Those of a list whose branches may be read: a name is information too. What has no branch is left out.
    pub(crate) fn only_readable<T>(
        &self,
        all: Vec<T>,
        branch_of: impl Fn(&T) -> Result<Option<String>>,
    ) -> Result<Vec<T>> {
        if !self.access.is_guarded() {
            return Ok(all);
        }
        let mut found = Vec::new();
        for one in all {
            let Some(branch) = branch_of(&one)? else { continue };
            match self.allow(Action::Read, Some(&branch), None) {
                Ok(()) => found.push(one),
                Err(Error::Denied { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// The graph at a target that may be read.
    pub(crate) fn readable(&self, target: &Target) -> Result<Arc<Snapshot>> {
        self.resolve(Action::Read, target)
    }

    /// The graph at a target, for an action on its branch.
    pub(crate) fn resolve(&self, action: Action, target: &Target) -> Result<Arc<Snapshot>> {
        if let Some(branch) = named_branch(target) {
            self.allow(action, Some(branch), None)?;
            return Ok(self.store().resolve(target)?);
        }
        let snapshot = self.store().resolve(target)?;
        self.allow(action, Some(&snapshot.record.branch), None)?;
        Ok(snapshot)
    }

    /// What a person calls a state, for an action that takes it from its branch to `target_branch`.
    pub(crate) fn named(
        &self,
        text: &str,
        action: Action,
        target_branch: Option<&str>,
    ) -> Result<(Target, Arc<Snapshot>)> {
        let found = self.look_for(text);
        self.allow(action, Some(meant_branch(text, &found)), target_branch)?;
        found
    }

    /// What a person calls a state; nobody is asked.
    pub(super) fn look_for(&self, text: &str) -> Result<(Target, Arc<Snapshot>)> {
        match self.store().named(text) {
            Err(StoreError::NoTarget { wanted }) => match text.rsplit_once('@') {
                Some((branch, time)) => {
                    let target = Target::At(branch.to_owned(), parse_time(time)?);
                    let snapshot = self.store().resolve(&target)?;
                    Ok((target, snapshot))
                }
                None => Err(StoreError::NoTarget { wanted }.into()),
            },
            found => Ok(found?),
        }
    }

    /// Who writes.
    pub(crate) fn actor(&self) -> Option<String> {
        self.access.actor().map(str::to_owned)
    }
}

/// The branch that a target names.
pub(super) fn named_branch(target: &Target) -> Option<&str> {
    match target {
        Target::Branch(name) | Target::Version(name, _) | Target::At(name, _) => Some(name),
        Target::Commit(_) | Target::Tag(_) => None,
    }
}

/// The branch of what was looked for. When nothing was found, it is what the text looks like: whoever may not ask is not
/// told that nothing is there either.
pub(super) fn meant_branch<'f>(text: &'f str, found: &'f Result<(Target, Arc<Snapshot>)>) -> &'f str {
    match found {
        Ok((target, snapshot)) => named_branch(target).unwrap_or(&snapshot.record.branch),
        Err(_) => match text.strip_prefix("manifest:").and_then(|rest| rest.rsplit_once(":v")) {
            Some((branch, _)) => branch,
            None => text.rsplit_once('@').map_or(text, |(branch, _)| branch),
        },
    }
}

/// A time as microseconds since 1970. Of a moment the whole millisecond counts, because commits are shown with no more;
/// a date is its first moment.
pub fn parse_time(text: &str) -> Result<i64> {
    const DAY: i64 = 86_400_000_000;
    let day = parse_date(text).map(|days| i64::from(days) * DAY);
    let moment = || parse_datetime(text).map(|millis| millis * 1_000 + 999);
    day.or_else(moment).ok_or_else(|| {
        Error::request(format!(
            "`{text}` is not a time: write 2026-11-01T12:00:00Z, or 2026-11-01 for the first moment of the day in UTC"
        ))
    })
}
