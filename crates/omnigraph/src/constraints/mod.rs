//! Constraints of a schema that concern several rows: ends of edges, unique values, numbers of edges.
//!
//! Changes, merges, loads and `fsck` all decide here whether a constraint holds and what is said when it does not. They
//! differ only in what they ask about:
//!
//! | who asks | rows | stored rows they are compared with |
//! |---|---|---|
//! | a change | the edited ones | all that stay |
//! | a merge | those that the losing side changed | those that the winning side changed |
//! | a load | those of the file | all that stay |
//! | `fsck` | all that are stored | none: all are asked about |
//!
//! Constraints of single values stand in [`crate::validate`].

mod bounds;
mod ends;
mod uniques;

pub(crate) use bounds::Bounds;
pub(crate) use ends::End;
pub(crate) use uniques::Uniques;
