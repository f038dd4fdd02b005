//! Rows of commands, and of the code that runs where a pattern names a variant.

use super::Writer;
use crate::error::GraphError;
use crate::resolve::ResolvedFile;
use crate::resolve::surface::SymRef;
use rusqlite::params;

impl Writer<'_> {
    pub(super) fn write_commands(
        &self,
        first: i64,
        commands: &[orbit_extract::RawCommand],
        resolved: &ResolvedFile,
        sym_row: &dyn Fn(SymRef) -> i64,
    ) -> Result<(), GraphError> {
        let mut command =
            self.connection.prepare_cached("INSERT INTO command_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        for (index, (row, handler)) in commands.iter().zip(&resolved.handlers).enumerate() {
            let (id, handler) = (first + index as i64, handler.map(sym_row));
            let body = (row.body.map(|body| body.start), row.body.map(|body| body.end));
            command.execute(params![id, row.name, row.span.start, row.line, handler, body.0, body.1])?;
        }
        let mut arm =
            self.connection.prepare_cached("INSERT INTO arm_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
        for (index, row) in resolved.arms.iter().enumerate() {
            let (id, variant) = (first + index as i64, sym_row(row.variant));
            let body = row.arm.body;
            arm.execute(params![id, variant, row.arm.line, body.start, body.end, row.arm.call])?;
        }
        Ok(())
    }
}
