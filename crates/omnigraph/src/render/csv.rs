//! Comma-separated values.

use super::QueryResult;
use super::plain::write_plain;
use arrow_array::Array;

impl QueryResult {
    /// A header, then a line per row. Null is empty, an empty text is `""`; fields with commas, quotes or line ends are
    /// in quotes. Lists and vectors are JSON.
    pub fn to_csv(&self) -> String {
        let mut out = String::new();
        for (at, (name, _)) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write_field(name, &mut out);
        }
        out.push('\n');
        let mut value = String::new();
        self.each_row(|batch, row| {
            for (at, column) in batch.columns().iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                if column.is_valid(row) {
                    value.clear();
                    write_plain(column, row, &mut value);
                    write_field(&value, &mut out);
                }
            }
            out.push('\n');
        });
        out
    }
}

fn write_field(value: &str, out: &mut String) {
    let is_quoted = value.is_empty()
        || value.contains([',', '"', '\n', '\r'])
        || value.starts_with(' ')
        || value.ends_with(' ');
    if !is_quoted {
        return out.push_str(value);
    }
    out.push('"');
    out.push_str(&value.replace('"', "\"\""));
    out.push('"');
}
