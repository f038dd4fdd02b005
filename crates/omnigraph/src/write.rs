//! Changing a graph: statements and bulk loads, checked, staged, published.
//!
//! ```text
//! statements ─▶ Transaction (edits in memory, seen by the statements behind them) ─check─▶ stage ─publish─▶ Receipt
//! file ─blocks─▶ Bulk (staged as it is read) ─check─▶ publish─▶ Receipt
//! ```

mod beside;
mod bulk;
mod checks;
mod commit;
mod edit;
mod embedding;
mod matching;
mod mutate;
mod transaction;

pub(crate) use beside::{Beside, Touched};
pub(crate) use bulk::{Bulk, different};
pub use bulk::{LoadMode, LoadReport};
pub use commit::Receipt;
pub(crate) use commit::{WriteOptions, expect_commit};
pub(crate) use edit::Edit;
pub(crate) use mutate::Affected;
pub(crate) use transaction::Transaction;

/// A table of a graph, by place of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TableKey {
    /// Of nodes.
    Node(u16),
    /// Of edges.
    Edge(u16),
}
