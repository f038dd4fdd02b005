//! The state that two branches have in common.

use super::apply::Applied;
use super::schema::Side;
use crate::error::{Error, Result};
use crate::graph::Graph;
use omnigraph_store::Snapshot;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What both sides are compared with.
#[derive(Debug)]
pub(in crate::versions) struct Base {
    pub(super) snapshot: Arc<Snapshot>,
    /// Whether it is a commit, and not made of several.
    pub(super) is_commit: bool,
    /// Rows that the commits which it is made of do not agree about, by table.
    pub(super) contested: BTreeMap<String, BTreeSet<String>>,
}

impl Base {
    /// A commit.
    pub(in crate::versions) fn of(snapshot: Arc<Snapshot>) -> Base {
        Base { snapshot, is_commit: true, contested: BTreeMap::new() }
    }
}

impl Graph {
    /// The newest state that both have in their history. Two branches that were merged into each other can have several
    /// such commits; then it is those, merged with each other. Nothing of that is ever visible.
    pub(super) fn merge_base(&self, points: Vec<Arc<Snapshot>>) -> Result<Base> {
        let mut points = points.into_iter();
        let first = points.next().ok_or_else(|| {
            Error::request(
                "the commits that both branches have in common were cleaned up; load a diff instead",
            )
        })?;
        let mut base = Base::of(first.clone());
        for next in points {
            let below = self.store().meeting_points(&first, &next)?;
            let below = self.merge_base(below)?;
            let mut plan = self.plan_merge(&below, &base.snapshot, &next)?;
            // Of a row that they do not agree about the first one's is taken, and it is remembered.
            for conflict in std::mem::take(&mut plan.conflicts) {
                if let Some(row) = conflict.row_id {
                    base.contested.entry(conflict.table_key).or_default().insert(row);
                }
            }
            for (key, rows) in below.contested {
                base.contested.entry(key).or_default().extend(rows);
            }
            let (onto, other) = match plan.winner {
                Side::Ours => (&base.snapshot, &next),
                Side::Theirs => (&next, &base.snapshot),
            };
            let Applied { tables } = self.apply_merge(&plan, onto, other)?;
            base.snapshot = Arc::new(onto.with_tables(tables, &onto.record.schema));
            base.is_commit = false;
        }
        Ok(base)
    }
}
