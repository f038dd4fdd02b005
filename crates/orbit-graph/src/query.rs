//! Answers from the index: one file per question. Read only; source files are touched only by `show`, for snippets, and by
//! `search` for documentation.

pub(crate) mod account;
pub(crate) mod callees;
pub(crate) mod commands;
pub(crate) mod cycles;
pub(crate) mod deps;
pub(crate) mod dispatch;
mod facts;
pub(crate) mod freshness;
pub(crate) mod impact;
pub(crate) mod implementors;
mod importers;
mod linked;
mod names;
pub(crate) mod overview;
pub(crate) mod path;
mod reach;
mod reads;
pub(crate) mod refs;
mod routes;
pub(crate) mod search;
pub(crate) mod show;
mod snippets;
pub(crate) mod symbol;
pub(crate) mod target;
pub(crate) mod trace;
mod uncertain;
pub(crate) mod unused;
mod written;

use crate::store::lists::Lists;
use rusqlite::Connection;
use std::path::Path;

/// What every query reads from.
pub(crate) struct Reader<'g> {
    pub(crate) connection: &'g Connection,
    pub(crate) root: &'g Path,
    pub(crate) lists: &'g Lists,
}
