//! Formats read line by line: `.env` variables and the header of a table.

use super::Keys;
use crate::{ConfigKind, ExtractedFile};

/// A longer cell is text, not a column's name.
const MAX_CELL: usize = 128;

/// `NAME=value`, `export NAME=value`; a quoted value may run over several lines.
pub(super) fn env(source: &str) -> ExtractedFile {
    let mut keys = Keys::new(source, ConfigKind::Env);
    let mut open_quote: Option<char> = None;
    for (index, text) in source.trim_start_matches('\u{feff}').lines().enumerate() {
        if let Some(quote) = open_quote {
            if closes(text, quote) {
                open_quote = None;
            }
            continue;
        }
        let text = text.trim_start();
        let text = text.strip_prefix("export ").unwrap_or(text).trim_start();
        let Some((name, value)) = text.split_once('=') else { continue };
        let name = name.trim_end();
        if !is_variable(name) {
            continue;
        }
        let mark = keys.mark();
        keys.enter(name, index as u32 + 1);
        keys.leave(mark);
        let value = value.trim_start();
        open_quote = value
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\'' | '`') && !closes(&value[1..], *quote));
    }
    keys.file
}

/// Whether a quoted value ends in `text`: the quote occurs without a backslash before it.
fn closes(text: &str, quote: char) -> bool {
    let mut escaped = false;
    text.chars().any(|c| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// The cells of the first line. Numbers and empty cells name no column.
pub(super) fn table(source: &str, delimiter: u8) -> ExtractedFile {
    let mut keys = Keys::new(source, ConfigKind::Csv);
    let first = source.trim_start_matches('\u{feff}').lines().next().unwrap_or("");
    let delimiter = match delimiter {
        b',' if !first.contains(',') && first.contains(';') => ';',
        other => char::from(other),
    };
    for cell in cells(first, delimiter) {
        let cell = cell.trim();
        if cell.len() <= MAX_CELL && cell.parse::<f64>().is_err() {
            let mark = keys.mark();
            keys.enter(cell, 1);
            keys.leave(mark);
        }
    }
    keys.file
}

/// Splits a line at the delimiter, which quotes protect; `""` in quotes stands for one quote. A cell whose
/// quotes do not close on the line is dropped.
fn cells(line: &str, delimiter: char) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            c if c == delimiter && !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    if !quoted {
        cells.push(cell);
    }
    cells
}
