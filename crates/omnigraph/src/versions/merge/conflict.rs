//! Why two states do not go together.

use std::fmt;

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConflictKind {
    /// Both sides inserted a row with the same id, and the rows differ.
    DivergentInsert,
    /// Both sides updated a row, and the rows differ.
    DivergentUpdate,
    /// One side deleted a row that the other updated.
    DeleteVsUpdate,
    /// One side has a new edge to a node that the other deleted.
    OrphanEdge,
    /// `@unique` does not hold for the rows of both.
    UniqueViolation,
    /// `@card` does not hold for the edges of both.
    CardinalityViolation,
    /// A row of one side breaks what the schema of the other says of values.
    ValueConstraintViolation,
    /// Both sides changed the schema, and the schemas differ.
    DivergentSchema,
}

impl ConflictKind {
    /// A stable word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            ConflictKind::DivergentInsert => "divergent_insert",
            ConflictKind::DivergentUpdate => "divergent_update",
            ConflictKind::DeleteVsUpdate => "delete_vs_update",
            ConflictKind::OrphanEdge => "orphan_edge",
            ConflictKind::UniqueViolation => "unique_violation",
            ConflictKind::CardinalityViolation => "cardinality_violation",
            ConflictKind::ValueConstraintViolation => "value_constraint_violation",
            ConflictKind::DivergentSchema => "divergent_schema",
        }
    }
}

/// One thing that is in the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MergeConflict {
    /// `node:Person` or `edge:Knows`; `schema` when it is about the schemas.
    pub table_key: String,
    /// The row, when it is about one.
    pub row_id: Option<String>,
    /// How the two sides conflict.
    pub kind: ConflictKind,
    /// A sentence.
    pub message: String,
    /// The row on both sides and before, where the conflict is about what they did to it.
    pub rows: Option<ConflictRows>,
}

/// A row in conflict, as JSON objects without nulls, vectors and bytes. One that is not there has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConflictRows {
    /// In the state that both began with.
    pub base: Option<String>,
    /// In the target.
    pub ours: Option<String>,
    /// In the source.
    pub theirs: Option<String>,
}

impl MergeConflict {
    /// Of a row or, without one, of a table.
    pub(super) fn new(
        table_key: &str,
        row_id: Option<String>,
        kind: ConflictKind,
        message: String,
    ) -> MergeConflict {
        MergeConflict { table_key: table_key.to_owned(), row_id, kind, message, rows: None }
    }
}

impl fmt::Display for MergeConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table_key)?;
        if let Some(row) = &self.row_id {
            write!(f, ":{row}")?;
        }
        write!(f, " ({})", self.kind.as_str())
    }
}
