//! Rows of `path:line kind what`: one space apart for programs, in columns on a terminal.

use super::text::printable;
use crate::failure::Failure;
use owo_colors::OwoColorize;
use std::io::{IsTerminal, Write};

/// A column is never wider than this; what is longer pushes the rest of its line.
const WIDEST: usize = 60;

/// Rows that belong together.
#[derive(Default)]
pub(crate) struct Rows {
    rows: Vec<(String, String, String)>,
}

impl Rows {
    pub(crate) fn push(&mut self, file: &str, line: u32, kind: &str, what: &str) {
        self.rows.push((format!("{}:{line}", printable(file)), kind.to_owned(), what.to_owned()));
    }

    /// Writes the rows and forgets them.
    pub(crate) fn print(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let (mut place_width, mut kind_width) = (0, 0);
        if std::io::stdout().is_terminal() {
            let width = |texts: &mut dyn Iterator<Item = &String>| {
                texts.map(|text| text.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or(0)
            };
            place_width = width(&mut self.rows.iter().map(|(place, _, _)| place));
            kind_width = width(&mut self.rows.iter().map(|(_, kind, _)| kind));
        }
        for (place, kind, what) in self.rows.drain(..) {
            let gap = " ".repeat(place_width.saturating_sub(place.chars().count()));
            let rest = format!("{gap} {kind:<kind_width$} {what}");
            writeln!(out, "{}{}", place.bold(), rest.trim_end())?;
        }
        Ok(())
    }
}
