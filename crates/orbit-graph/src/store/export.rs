//! The whole index as JSON lines, in an order and form that depend on the files alone.

use crate::error::GraphError;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};
use std::io::Write;

/// Tables in the order they are written: name, columns, order.
const SECTIONS: [(&str, &str); 10] = [
    (
        "file",
        "SELECT path, hex(content_hash) AS content_hash, lang, byte_len, module, has_errors FROM files ORDER BY path",
    ),
    (
        "symbol",
        "SELECT s.file_path AS file, s.kind, s.name, s.qualified, s.line, s.end_line, s.span_start, s.span_end, s.signature,
           s.exported, p.qualified AS parent
         FROM symbols s LEFT JOIN symbols p ON p.id = s.parent_symbol
         ORDER BY s.file_path, s.span_start, s.span_end DESC, s.qualified, s.kind",
    ),
    (
        "ref",
        "SELECT r.from_file AS file, r.line, r.from_span_start AS span_start, r.from_span_end AS span_end,
           r.target_name AS name, r.kind, r.confidence, t.file_path AS target_file, r.target_qualified AS target,
           t.line AS target_line, t.kind AS target_kind, o.qualified AS from_symbol, r.external
         FROM refs r LEFT JOIN symbols t ON t.id = r.target_symbol_hint LEFT JOIN symbols o ON o.id = r.from_symbol
         ORDER BY r.from_file, r.from_span_start, r.from_span_end, r.kind, r.target_name",
    ),
    (
        "relation",
        "SELECT def_file AS file, line, from_qualified AS \"from\", kind, to_qualified AS \"to\", confidence
         FROM relations ORDER BY def_file, def_span_start, def_span_end, kind, from_qualified, to_qualified",
    ),
    (
        "import",
        "SELECT from_file AS file, line, target_path, target_symbol, alias, reexport, resolved_file
         FROM imports ORDER BY from_file, line, target_path, target_symbol, alias, reexport",
    ),
    (
        "command",
        "SELECT c.name, c.file_path AS file, c.line, h.file_path AS handler_file, h.qualified AS handler
         FROM commands c LEFT JOIN symbols h ON h.id = c.handler_symbol ORDER BY c.name, c.file_path, c.span_start",
    ),
    (
        "arm",
        "SELECT a.file_path AS file, a.line, v.file_path AS variant_file, v.qualified AS variant, a.body_start, a.body_end,
           a.call FROM arms a JOIN symbols v ON v.id = a.variant_symbol ORDER BY a.file_path, a.body_start, a.id",
    ),
    (
        "string",
        "SELECT s.file_path AS file, s.line, s.value, c.qualified AS in_symbol FROM strings s
         LEFT JOIN symbols c ON c.id = s.context_symbol ORDER BY s.file_path, s.line, s.value, s.id",
    ),
    ("config", "SELECT file_path AS file, line, key, kind FROM configs ORDER BY file_path, line, key"),
    (
        "router",
        "SELECT f.path AS file, r.role, s.qualified AS symbol, r.router, r.on_router, r.on_at, r.child_at, r.child_module,
           r.prefix, r.replaces FROM router_rows r JOIN file_rows f ON f.id = r.id >> 22
         LEFT JOIN symbols s ON s.id = r.symbol ORDER BY f.path, r.id",
    ),
];

pub(crate) fn export(connection: &Connection, out: &mut dyn Write) -> Result<(), GraphError> {
    connection.execute_batch("BEGIN")?; // one snapshot for all sections
    for (section, sql) in SECTIONS {
        let mut statement = connection.prepare(sql)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let mut object = Map::with_capacity(columns.len() + 1);
            object.insert("type".into(), section.into());
            for (index, column) in columns.iter().enumerate() {
                object.insert(column.clone(), value(row.get_ref(index)?));
            }
            let written = serde_json::to_writer(&mut *out, &object).map_err(std::io::Error::from);
            written
                .and_then(|()| out.write_all(b"\n"))
                .map_err(|error| GraphError::State("the output".into(), error))?;
        }
    }
    // The counts of words are too many to be written out; two indexes that count alike have the same digest.
    if let Some(digest) = super::words::digest(connection)? {
        let words = serde_json::json!({ "type": "words", "digest": digest });
        writeln!(out, "{words}").map_err(|error| GraphError::State("the output".into(), error))?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned().into(),
    }
}
