//! What becomes of rows in conflict.

use crate::fault::Fault;
use omnigraph::{Resolutions, ResolvedConflict, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A side of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideChoice {
    /// What the target has.
    Ours,
    /// What the source has.
    Theirs,
}

impl From<SideChoice> for Side {
    fn from(side: SideChoice) -> Side {
        match side {
            SideChoice::Ours => Side::Ours,
            SideChoice::Theirs => Side::Theirs,
        }
    }
}

impl From<Side> for SideChoice {
    fn from(side: Side) -> SideChoice {
        match side {
            Side::Ours => SideChoice::Ours,
            Side::Theirs => SideChoice::Theirs,
        }
    }
}

/// Which side's row is taken for a conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolutionInput {
    /// Of the conflict: `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Of the conflict.
    pub row_id: String,
    /// The side.
    pub take: SideChoice,
}

/// A conflict for which a side was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResolvedOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// The row.
    pub row_id: Option<String>,
    /// `divergent_update`, `delete_vs_update`…
    pub kind: String,
    /// The side.
    pub take: SideChoice,
}

impl From<&ResolvedConflict> for ResolvedOutput {
    fn from(resolved: &ResolvedConflict) -> ResolvedOutput {
        ResolvedOutput {
            table_key: resolved.conflict.table_key.clone(),
            row_id: resolved.conflict.row_id.clone(),
            kind: resolved.conflict.kind.as_str().to_owned(),
            take: resolved.take.into(),
        }
    }
}

/// What a request says of conflicts.
pub(super) fn resolutions(
    otherwise: Option<SideChoice>,
    listed: Vec<ResolutionInput>,
) -> Result<Resolutions, Fault> {
    let mut rows = BTreeMap::new();
    for ResolutionInput { table_key, row_id, take } in listed {
        let row = (table_key, row_id);
        let take = Side::from(take);
        if rows.get(&row).is_some_and(|before| *before != take) {
            let message = format!("both sides are chosen for `{}` of {}", row.1, row.0);
            return Err(Fault::new("bad_request", message));
        }
        rows.insert(row, take);
    }
    Ok(Resolutions { otherwise: otherwise.map(Side::from), rows })
}
