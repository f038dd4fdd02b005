//! Tables for people: columns as wide as they need to be, the last one as it comes.

use super::text::printable;
use crate::failure::Failure;
use std::io::Write;

/// A cell is never padded beyond this.
const WIDEST: usize = 48;

/// Rows of equally many cells.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|cell| cell.to_uppercase()).collect()] }
    }

    pub(super) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| printable(cell)).collect());
    }

    pub(super) fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |at: usize| {
            let cells = self.rows.iter().map(|row| row[at].chars().count());
            cells.filter(|width| *width <= WIDEST).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (at, cell) in row.iter().enumerate() {
                line.push_str(cell);
                if at + 1 < columns {
                    let gap = widths[at].saturating_sub(cell.chars().count()) + 2;
                    line.push_str(&" ".repeat(gap));
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
