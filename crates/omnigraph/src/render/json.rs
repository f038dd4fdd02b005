//! JSON and JSON lines.

use super::{QueryResult, ReadTarget};
use crate::rows::{write_cell, write_string};
use arrow_array::RecordBatch;

impl QueryResult {
    /// `{query_name, target, row_count, columns, rows}`; pretty has a member and a row per line.
    pub fn to_json(&self, pretty: bool) -> String {
        let (line, indent, space) = if pretty { ("\n", "  ", " ") } else { ("", "", "") };
        let mut out = String::with_capacity(256 + self.row_count() * self.columns.len() * 24);
        out.push('{');
        let member = |name: &str, is_first: bool, out: &mut String| {
            if !is_first {
                out.push(',');
            }
            out.push_str(line);
            out.push_str(indent);
            write_string(name, out);
            out.push(':');
            out.push_str(space);
        };
        member("query_name", true, &mut out);
        write_string(&self.query_name, &mut out);
        member("target", false, &mut out);
        write_target(&self.target, &mut out);
        member("row_count", false, &mut out);
        out.push_str(&self.row_count().to_string());
        member("columns", false, &mut out);
        self.write_columns(&mut out);
        member("rows", false, &mut out);
        out.push('[');
        let keys = self.keys();
        let mut is_first = true;
        self.each_row(|batch, row| {
            if !is_first {
                out.push(',');
            }
            is_first = false;
            out.push_str(line);
            out.push_str(indent);
            out.push_str(indent);
            write_row(&keys, batch, row, &mut out);
        });
        if !is_first {
            out.push_str(line);
            out.push_str(indent);
        }
        out.push(']');
        out.push_str(line);
        out.push('}');
        out
    }

    /// The rows alone: `[{…},…]`.
    pub fn rows_json(&self) -> String {
        let mut out = String::with_capacity(16 + self.row_count() * self.columns.len() * 24);
        out.push('[');
        let keys = self.keys();
        self.each_row(|batch, row| {
            if out.len() > 1 {
                out.push(',');
            }
            write_row(&keys, batch, row, &mut out);
        });
        out.push(']');
        out
    }

    /// A line about the result, then a line per row.
    pub fn to_jsonl(&self) -> String {
        let mut out = String::from("{\"kind\":\"metadata\",\"query_name\":");
        write_string(&self.query_name, &mut out);
        out.push_str(",\"target\":");
        write_target(&self.target, &mut out);
        out.push_str(",\"row_count\":");
        out.push_str(&self.row_count().to_string());
        out.push_str(",\"columns\":");
        self.write_columns(&mut out);
        out.push_str("}\n");
        let keys = self.keys();
        self.each_row(|batch, row| {
            write_row(&keys, batch, row, &mut out);
            out.push('\n');
        });
        out
    }

    /// Calls back for each row.
    pub(super) fn each_row(&self, mut found: impl FnMut(&RecordBatch, usize)) {
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                found(batch, row);
            }
        }
    }

    fn write_columns(&self, out: &mut String) {
        out.push('[');
        for (at, (name, _)) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write_string(name, out);
        }
        out.push(']');
    }

    /// What stands before each value: `"p.name":`.
    fn keys(&self) -> Vec<String> {
        let keys = self.columns.iter().map(|(name, _)| {
            let mut key = String::new();
            write_string(name, &mut key);
            key.push(':');
            key
        });
        keys.collect()
    }
}

fn write_row(keys: &[String], batch: &RecordBatch, row: usize, out: &mut String) {
    out.push('{');
    for (at, (key, column)) in keys.iter().zip(batch.columns()).enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(key);
        write_cell(column, row, out);
    }
    out.push('}');
}

fn write_target(target: &ReadTarget, out: &mut String) {
    let mut text = |name: &str, value: &Option<String>| {
        out.push_str(name);
        match value {
            Some(value) => write_string(value, out),
            None => out.push_str("null"),
        }
    };
    text("{\"branch\":", &target.branch);
    text(",\"snapshot\":", &target.snapshot);
    out.push('}');
}
