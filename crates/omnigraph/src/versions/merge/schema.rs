//! Which schema a merged graph has.
//!
//! When one side changed the schema, the merged graph has that schema: its tables are those of that side, and the rows
//! that the other side changed are put on them as the new schema sees them. Two different changes are a conflict.

use super::conflict::{ConflictKind, MergeConflict};
use crate::loaded::Loaded;

/// The two states that are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The target.
    Ours,
    /// The source.
    Theirs,
}

impl Side {
    /// A stable word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Ours => "ours",
            Side::Theirs => "theirs",
        }
    }
}

/// Whose schema the merged graph has. Schemas that declare the same are the same, whatever their texts.
pub(super) fn reconcile(base: &Loaded, ours: &Loaded, theirs: &Loaded) -> Result<Side, MergeConflict> {
    if theirs.catalog == base.catalog || ours.catalog == theirs.catalog {
        return Ok(Side::Ours);
    }
    if ours.catalog == base.catalog {
        return Ok(Side::Theirs);
    }
    let message = "both branches changed the schema, and not in the same way; apply the schema of the target to the \
                   source, then merge again";
    Err(MergeConflict::new("schema", None, ConflictKind::DivergentSchema, message.to_owned()))
}

/// Whether a type is the same in both.
pub(super) fn same_type(left: &Loaded, right: &Loaded, name: &str) -> bool {
    left.catalog.nodes.get(name) == right.catalog.nodes.get(name)
        && left.catalog.edges.get(name) == right.catalog.edges.get(name)
}
