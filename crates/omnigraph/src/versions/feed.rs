//! What came since a commit, commit by commit.

use super::delta::{Lens, RowChange, entry_of};
use super::diff::{ChangeFilter, ChangeOp, DiffOptions, EntityChange, EntityKind, entities};
use crate::access::Action;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::table_name::TableName;
use omnigraph_store::{ChangedIds, CommitId, Snapshot, TableChange, Target};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Commits that are read at a time.
const AT_ONCE: usize = 64;

/// How far a reader of the feed has come: everything up to a commit, and so many changes of the one behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The last commit that was read whole.
    pub commit: CommitId,
    /// Changes that were read of the commit behind it.
    pub seen: usize,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.commit)?;
        if self.seen > 0 { write!(f, "+{}", self.seen) } else { Ok(()) }
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cursor> {
        let (commit, seen) = text.split_once('+').unwrap_or((text, "0"));
        match (commit.parse(), seen.parse()) {
            (Ok(commit), Ok(seen)) => Ok(Cursor { commit, seen }),
            _ => Err(Error::request(format!(
                "`{text}` is not a cursor: it is the id of a commit, or what `cursor` said"
            ))),
        }
    }
}

/// Which part of the feed.
#[derive(Clone, Debug)]
pub struct FeedOptions {
    /// `main` if none is given.
    pub branch: Option<String>,
    /// From where on.
    pub since: Cursor,
    /// At most so many changes.
    pub limit: usize,
    /// Which changes; a cursor is only good for the filter that it came from.
    pub diff: DiffOptions,
}

/// A change and the commit that made it.
#[derive(Clone, Debug)]
pub struct FeedChange {
    /// The commit.
    pub commit: Arc<Snapshot>,
    /// What changed.
    pub change: EntityChange,
}

/// A part of the feed.
#[derive(Clone, Debug)]
pub struct Feed {
    /// The branch.
    pub branch: String,
    /// Oldest commit first; inside of a commit nodes before edges, by type and id.
    pub changes: Vec<FeedChange>,
    /// Where the next part begins.
    pub cursor: Cursor,
    /// Whether there is a next part already.
    pub has_more: bool,
}

impl Graph {
    /// What commits of a branch changed since a cursor. Who keeps the cursor of the answer misses nothing.
    pub fn changes_since(&self, options: &FeedOptions) -> Result<Feed> {
        let branch = options.branch.clone().unwrap_or_else(|| "main".to_owned());
        self.allow(Action::Read, Some(&branch), None)?;
        let head = self.store().head(&branch)?;
        let mut at = self.store().resolve(&Target::Commit(options.since.commit.clone()))?;
        let schemas = [self.schema_of(&at)?, self.schema_of(&head)?];
        options.diff.filter.check(&[&schemas[0], &schemas[1]])?;
        for loaded in &schemas {
            self.allow_types(Action::Read, &branch, options.diff.filter.types_of(loaded))?;
        }
        let mut seen = options.since.seen;
        let mut changes = Vec::new();
        'pages: loop {
            let commits = self.store().after(at.id(), &head, AT_ONCE)?;
            if commits.is_empty() {
                break;
            }
            for commit in commits {
                // Of types that were taken away since, too.
                let keys = commit.record.changes.keys().filter(|key| options.diff.filter.has_table(key));
                self.allow_types(Action::Read, &branch, keys.map(|key| TableName::of(key).type_name()))?;
                let made = self.commit_changes(&at, &commit, &options.diff)?;
                let room = options.limit.saturating_sub(changes.len());
                let left = made.len().saturating_sub(seen);
                let told = made.into_iter().skip(seen).take(room);
                changes.extend(told.map(|change| FeedChange { commit: commit.clone(), change }));
                if left > room {
                    seen += room;
                    break 'pages;
                }
                (at, seen) = (commit, 0);
                if changes.len() >= options.limit {
                    break 'pages;
                }
            }
        }
        let has_more = at.id() != head.id();
        Ok(Feed { branch, changes, cursor: Cursor { commit: at.id().clone(), seen }, has_more })
    }

    /// What one commit changed. Ids of nodes come from its record; for the rest its tables are compared with those of the
    /// commit before it.
    fn commit_changes(
        &self,
        before: &Arc<Snapshot>,
        commit: &Arc<Snapshot>,
        options: &DiffOptions,
    ) -> Result<Vec<EntityChange>> {
        let loaded = self.schema_of(commit)?;
        let mut keys: Vec<(&String, &TableChange)> = commit.record.changes.iter().collect();
        keys.sort_by_key(|(key, _)| TableName::of(key).is_edge());
        let version = commit.record.version;
        let mut found = Vec::new();
        for (key, change) in keys.into_iter().filter(|(key, _)| options.filter.has_table(key)) {
            if let Some(ids) =
                change.ids.as_ref().filter(|_| !TableName::of(key).is_edge() && !options.with_rows)
            {
                found.extend(from_record(key, ids, version, &options.filter));
                continue;
            }
            let known = loaded.catalog.body(TableName::of(key).type_name()).is_some();
            let former = self.schema_of(before)?;
            let lens = Lens { loaded: if known { &loaded } else { &former }, key };
            let (old, new) = (entry_of(&loaded, before, key), commit.table(key));
            let delta = self.delta(&lens, old, new, &|| Ok(None))?;
            let rows = delta.rows.iter().filter(|row| options.filter.has_op(row.op()));
            let rows: Vec<&RowChange> = rows.collect();
            found.extend(entities(key, &delta, &rows, version, options.with_rows)?);
        }
        Ok(found)
    }
}

/// Changes of nodes as a record names them.
fn from_record(key: &str, ids: &ChangedIds, version: u64, filter: &ChangeFilter) -> Vec<EntityChange> {
    let lists = [
        (&ids.inserted, ChangeOp::Insert),
        (&ids.updated, ChangeOp::Update),
        (&ids.deleted, ChangeOp::Delete),
    ];
    let wanted = lists.into_iter().filter(|(_, op)| filter.has_op(*op));
    let mut found: Vec<EntityChange> = wanted
        .flat_map(|(ids, op)| ids.iter().map(move |id| (id, op)))
        .map(|(id, op)| EntityChange {
            table_key: key.to_owned(),
            kind: EntityKind::of(key),
            type_name: TableName::of(key).type_name().to_owned(),
            id: id.clone(),
            op,
            manifest_version: version,
            endpoints: None,
            before: None,
            after: None,
        })
        .collect();
    found.sort_by(|left, right| left.id.cmp(&right.id));
    found
}
