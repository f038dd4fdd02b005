//! Operation logs: what the producer of a commit says it did to symbols.
//!
//! ```text
//! note or file ─read─▶ bytes ─check (well-formed)─▶ OperationLog ─claims (against both trees)─▶ Claims
//! ```
//!
//! A log is followed as a whole or not at all, and can only add to what the matcher finds: the tree is the truth.
//! [`OperationLog`] is the format, for producers too.

pub(crate) mod check;
pub(crate) mod claims;
pub(crate) mod lives;
pub(crate) mod read;
pub(crate) mod schema;

pub use crate::git::notes::NOTES_REF;
pub use schema::{
    Address, ChangeBody, ChangeSignature, Child, Create, Delete, FilePart, Merge, Move, NamePart, Operation,
    OperationLog, Producer, Rename, SCHEMA_JSON, SCHEMA_VERSION, Source, Split, Target,
};
