//! The knowledge graph: molecules group atoms, atoms own globs and say what must be known there, the changelog says
//! how it came to be. Nothing points at files; paths are matched when asked.

pub(crate) mod atoms;
pub(crate) mod changelog;
pub(crate) mod context;
pub(crate) mod context_files;
pub(crate) mod coverage;
pub(crate) mod deleted;
pub(crate) mod follow;
pub(crate) mod freshness;
pub(crate) mod gaps;
pub(crate) mod known;
pub(crate) mod molecules;
pub(crate) mod notices;
pub(crate) mod related;
pub(crate) mod stamps;
pub(crate) mod suggest;
pub(crate) mod text;
