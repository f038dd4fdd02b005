//! A diff as JSON lines that `load --mode merge` applies.
//!
//! Rows that are new or different are whole, as `export` writes them. Rows that are gone are
//! `{"delete":"Person","id":"Alice"}` and `{"delete":"Knows","from":"Alice","to":"Bob","id":"…"}`. What is deleted comes
//! first, edges before nodes; then nodes, then edges: a reader who applies line by line never has an edge without ends.

use super::delta::{Delta, RowChange};
use super::diff::{ChangeFilter, ChangeOp, ChangeStats, ends};
use super::rows::AT_ONCE;
use crate::error::{Error, Result};
use crate::graph::{Graph, Lines};
use crate::rows::write_string;
use crate::table_name::TableName;
use omnigraph_store::{RowAddr, Target};
use std::io::Write;

impl Graph {
    /// Writes what leads from one target to another.
    pub fn patch(
        &self,
        from: &Target,
        to: &Target,
        filter: &ChangeFilter,
        out: &mut dyn Write,
    ) -> Result<ChangeStats> {
        let (from, to) = self.comparable(from, to, filter)?;
        let deltas = self.deltas(&from, &to, filter)?;
        let mut stats = ChangeStats::default();
        let wanted = |delta: &Delta, gone: bool| -> Vec<RowChange> {
            let rows = delta.rows.iter().filter(|row| (row.op() == ChangeOp::Delete) == gone);
            rows.filter(|row| filter.has_op(row.op())).cloned().collect()
        };
        for (key, delta) in deltas.iter().rev() {
            let rows = wanted(delta, true);
            for row in &rows {
                stats.count(key, row.op());
            }
            write_deleted(key, delta, &rows, out)?;
        }
        let loaded = self.schema_of(&to)?;
        for (key, delta) in &deltas {
            let rows = wanted(delta, false);
            for row in &rows {
                stats.count(key, row.op());
            }
            let Some(reader) = delta.new.as_ref().filter(|_| !rows.is_empty()) else { continue };
            let table = TableName::of(key);
            let body = loaded.catalog.body(table.type_name());
            let body = body.ok_or_else(|| Error::damaged(format!("no type {key}")))?;
            let lines = Lines::new(table.is_edge(), table.type_name(), body, &|_| true);
            let reader = reader.narrowed(&lines.columns());
            for some in rows.chunks(AT_ONCE) {
                let places: Vec<RowAddr> = some.iter().filter_map(|row| row.new).collect();
                let batch = reader.rows(&places)?;
                let mut text = String::new();
                (0..batch.num_rows()).for_each(|row| lines.line(batch.columns(), row, &mut text));
                out.write_all(text.as_bytes())?;
            }
        }
        out.flush()?;
        Ok(stats)
    }
}

fn write_deleted(key: &str, delta: &Delta, rows: &[RowChange], out: &mut dyn Write) -> Result<()> {
    for some in rows.chunks(AT_ONCE) {
        let some: Vec<&RowChange> = some.iter().collect();
        let ends = if TableName::of(key).is_edge() { ends(delta, &some)? } else { vec![None; some.len()] };
        let mut text = String::new();
        for (row, ends) in some.iter().zip(ends) {
            text.push_str("{\"delete\":");
            write_string(TableName::of(key).type_name(), &mut text);
            if let Some(ends) = ends {
                text.push_str(",\"from\":");
                write_string(&ends.src, &mut text);
                text.push_str(",\"to\":");
                write_string(&ends.dst, &mut text);
            }
            text.push_str(",\"id\":");
            write_string(&row.id, &mut text);
            text.push_str("}\n");
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
