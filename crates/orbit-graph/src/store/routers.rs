//! What the files say of routers, as rows.

use crate::error::GraphError;
use crate::store::{file_of_row, first_row};
use rusqlite::{Connection, OptionalExtension, params};

/// What a row of `router_rows` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Role {
    /// A symbol stands for a router.
    Held = 0,
    /// A route is registered.
    Route = 1,
    /// A router from elsewhere is mounted.
    Mount = 2,
}

/// What something is registered or mounted on, as a file says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// A router of a file, by its number.
    Router(u32, u32),
    /// What the reference of a file means that ends at a byte.
    At(u32, u32),
    Unknown,
}

/// One row.
#[derive(Clone, Debug)]
pub(crate) struct RouterRow {
    pub(crate) role: u8,
    pub(crate) file: u32,
    pub(crate) symbol: Option<i64>,
    pub(crate) router: Option<u32>,
    pub(crate) on: On,
    pub(crate) child_at: Option<u32>,
    pub(crate) child_module: Option<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) replaces: bool,
}

/// All rows, in the order of files.
pub(crate) fn rows(connection: &Connection) -> Result<Vec<RouterRow>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, role, symbol, router, on_router, on_at, child_at, child_module, prefix, replaces
         FROM router_rows ORDER BY id",
    )?;
    let rows = statement.query_map([], |row| {
        let file = file_of_row(row.get(0)?);
        let on = match (row.get(4)?, row.get(5)?) {
            (Some(router), _) => On::Router(file, router),
            (None, Some(at)) => On::At(file, at),
            (None, None) => On::Unknown,
        };
        Ok(RouterRow {
            role: row.get(1)?,
            file,
            symbol: row.get(2)?,
            router: row.get(3)?,
            on,
            child_at: row.get(6)?,
            child_module: row.get(7)?,
            prefix: row.get(8)?,
            replaces: row.get(9)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether anything is said of routers.
pub(crate) fn are_known(connection: &Connection) -> Result<bool, GraphError> {
    Ok(connection.prepare_cached("SELECT 1 FROM router_rows LIMIT 1")?.exists([])?)
}

/// What the reference means that ends at a byte of a file.
pub(crate) fn meant_at(connection: &Connection, file: u32, end: u32) -> Result<Option<i64>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT target FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND span_end = ?3 AND target IS NOT NULL LIMIT 1",
    )?;
    let params = params![first_row(file), first_row(file + 1) - 1, end];
    Ok(statement.query_row(params, |row| row.get(0)).optional()?)
}
