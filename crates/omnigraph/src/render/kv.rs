//! A block of `name: value` lines per row.

use super::QueryResult;
use super::plain::write_plain;
use arrow_array::Array;
use std::fmt::Write as _;

impl QueryResult {
    /// `row 1`, then a line per column; blocks are parted by a blank line. Further lines of a text are indented.
    pub fn to_kv(&self) -> String {
        let mut out = String::new();
        let mut number = 0;
        let mut value = String::new();
        self.each_row(|batch, row| {
            number += 1;
            let gap = if number > 1 { "\n" } else { "" };
            let _ = writeln!(out, "{gap}row {number}");
            for ((name, _), column) in self.columns.iter().zip(batch.columns()) {
                value.clear();
                if column.is_valid(row) {
                    write_plain(column, row, &mut value);
                } else {
                    value.push_str("null");
                }
                let _ = writeln!(out, "{name}: {}", value.replace('\n', "\n  "));
            }
        });
        out
    }
}
