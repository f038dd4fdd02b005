//! A table that fits the screen.

use super::QueryResult;
use super::plain::write_plain;
use arrow_array::Array;
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What happens to a value that is wider than its column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// It is cut, and `…` says so.
    #[default]
    Truncate,
    /// It goes on in the next line.
    Wrap,
}

/// How a table is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Cells of the screen; `None` when it is not a screen.
    pub width: Option<usize>,
    /// The widest column in cells.
    pub max_column_width: usize,
    /// What happens to wider values.
    pub layout: Layout,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions { width: None, max_column_width: 80, layout: Layout::Truncate }
    }
}

/// Between two columns.
const GAP: &str = "  ";
/// The narrowest column that is made to fit the screen.
const NARROWEST: usize = 4;

impl QueryResult {
    /// A line about the result, a header, a line per row. Numbers stand to the right.
    pub fn to_table(&self, options: &TableOptions) -> String {
        let rows = self.cells();
        let mut out = String::new();
        let count = rows.len();
        let _ = write!(out, "{count} {}", if count == 1 { "row" } else { "rows" });
        if let Some(target) = self.target.describe() {
            let _ = write!(out, " from {target}");
        }
        let _ = writeln!(out, " via {}", self.query_name);
        if self.columns.is_empty() {
            return out;
        }
        let widths = self.widths(&rows, options);
        let names: Vec<String> = self.columns.iter().map(|(name, _)| single_line(name)).collect();
        let is_right: Vec<bool> = self.columns.iter().map(|(_, kind)| kind.is_numeric()).collect();
        let set = Setting { widths: &widths, is_right: &is_right, layout: options.layout };
        set.write(&names, &mut out);
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        set.write(&rule, &mut out);
        for row in &rows {
            set.write(row, &mut out);
        }
        out
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::with_capacity(self.row_count());
        self.each_row(|batch, row| {
            let cells = batch.columns().iter().map(|column| {
                let mut cell = String::new();
                if column.is_valid(row) {
                    write_plain(column, row, &mut cell);
                } else {
                    cell.push_str("null");
                }
                single_line(&cell)
            });
            rows.push(cells.collect());
        });
        rows
    }

    /// As wide as the widest value, at most as wide as allowed; then the widest give way until all fit the screen.
    fn widths(&self, rows: &[Vec<String>], options: &TableOptions) -> Vec<usize> {
        let most = options.max_column_width.max(NARROWEST);
        let mut widths: Vec<usize> = self.columns.iter().map(|(name, _)| single_line(name).width()).collect();
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        for width in &mut widths {
            *width = (*width).clamp(1, most);
        }
        let Some(screen) = options.width else { return widths };
        let room = screen.saturating_sub(GAP.len() * (widths.len() - 1));
        while widths.iter().sum::<usize>() > room {
            match widths.iter_mut().max() {
                Some(widest) if *widest > NARROWEST => *widest -= 1,
                _ => break,
            }
        }
        widths
    }
}

/// How the lines of a table are set.
struct Setting<'s> {
    widths: &'s [usize],
    is_right: &'s [bool],
    layout: Layout,
}

impl Setting<'_> {
    /// One row, of one line or more.
    fn write(&self, cells: &[String], out: &mut String) {
        let lines: Vec<Vec<String>> = cells
            .iter()
            .zip(self.widths)
            .map(|(cell, width)| match self.layout {
                Layout::Truncate => vec![truncate(cell, *width)],
                Layout::Wrap => wrap(cell, *width),
            })
            .collect();
        let height = lines.iter().map(Vec::len).max().unwrap_or(1);
        for line in 0..height {
            let start = out.len();
            for (at, (cell, width)) in lines.iter().zip(self.widths).enumerate() {
                if at > 0 {
                    out.push_str(GAP);
                }
                let text = cell.get(line).map_or("", String::as_str);
                let pad = " ".repeat(width.saturating_sub(text.width()));
                let (before, behind) =
                    if self.is_right[at] { (pad.as_str(), "") } else { ("", pad.as_str()) };
                out.push_str(before);
                out.push_str(text);
                out.push_str(behind);
            }
            out.truncate(start + out[start..].trim_end().len());
            out.push('\n');
        }
    }
}

/// Line ends, tabs and other controls would break the table.
fn single_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn truncate(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > width {
            break;
        }
        used += wide;
        out.push(c);
    }
    out.push('…');
    out
}

/// Lines of at most so many cells, broken at blanks where there is one.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide > width && !line.is_empty() {
            let rest = match line.rfind(' ') {
                Some(blank) if blank > 0 && c != ' ' => line.split_off(blank + 1),
                _ => String::new(),
            };
            lines.push(std::mem::replace(&mut line, rest).trim_end().to_owned());
            used = line.width();
            if c == ' ' && line.is_empty() {
                continue;
            }
        }
        line.push(c);
        used += wide;
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}
