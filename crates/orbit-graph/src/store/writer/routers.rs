//! Rows of routers: which symbols stand for one, which routes are on it, and where others are mounted.

use super::{PreparedFile, Writer};
use crate::error::GraphError;
use crate::store::first_row;
use crate::store::routers::Role;
use orbit_extract::{Mounted, RawRouter, RouterName};
use rusqlite::params;

/// A row without its number.
#[derive(Default)]
struct Row<'f> {
    symbol: Option<u32>,
    router: Option<u32>,
    child_at: Option<u32>,
    child_module: Option<&'f str>,
    prefix: Option<&'f str>,
    replaces: bool,
}

impl Writer<'_> {
    pub(super) fn write_routers(&self, file: &PreparedFile) -> Result<(), GraphError> {
        if file.facts.routers.is_empty() {
            return Ok(());
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO router_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?;
        let first = first_row(file.id);
        for (index, router) in file.facts.routers.iter().enumerate() {
            let (role, on, row) = row_of(router);
            let (here, at) = match on {
                RouterName::Here(router) => (Some(router), None),
                RouterName::At(at) => (None, Some(at)),
                RouterName::Unknown => (None, None),
            };
            insert.execute(params![
                first + index as i64,
                role as u8,
                row.symbol.map(|symbol| first + i64::from(file.slots[symbol as usize])),
                row.router,
                here,
                at,
                row.child_at,
                row.child_module,
                row.prefix,
                row.replaces,
            ])?;
        }
        Ok(())
    }
}

fn row_of(router: &RawRouter) -> (Role, RouterName, Row<'_>) {
    match router {
        RawRouter::Held { router, symbol, on, prefix } => {
            let (symbol, router, prefix) = (Some(*symbol), Some(*router), Some(prefix.as_ref()));
            (Role::Held, *on, Row { symbol, router, prefix, ..Row::default() })
        }
        RawRouter::Route { symbol, on } => {
            (Role::Route, *on, Row { symbol: Some(*symbol), ..Row::default() })
        }
        RawRouter::Mount { child, on, prefix, replaces } => {
            let (child_at, child_module) = match child {
                Mounted::At(at) => (Some(*at), None),
                Mounted::Module(module) => (None, Some(module.as_ref())),
            };
            let row = Row {
                child_at,
                child_module,
                prefix: prefix.as_deref(),
                replaces: *replaces,
                ..Row::default()
            };
            (Role::Mount, *on, row)
        }
    }
}
