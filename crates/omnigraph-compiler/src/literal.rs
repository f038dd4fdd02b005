//! Values that are written down, in both languages.

use std::fmt::{self, Write as _};

/// A literal as written. Dates keep their text; [`crate::parse_date`] and [`crate::parse_datetime`] read them.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// From the least `I64` to the greatest `U64`.
    Int(i128),
    /// Finite.
    Float(f64),
    /// Decoded.
    String(String),
    /// `date("2026-01-31")`
    Date(String),
    /// `datetime("2026-01-31T12:00:00Z")`
    DateTime(String),
}

impl fmt::Display for Literal {
    /// As it is written in a query.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Float(value) => write!(f, "{value:?}"),
            Literal::String(text) => f.write_str(&quote(text)),
            Literal::Date(text) => write!(f, "date({})", quote(text)),
            Literal::DateTime(text) => write!(f, "datetime({})", quote(text)),
        }
    }
}

/// A string in quotes, with the escapes that [`unquote`] reads.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// What a string in quotes means; else where in it, and with how many bytes, an escape stands that no rule knows.
pub(crate) fn unquote(quoted: &str) -> Result<String, (usize, usize)> {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some((_, '"')) => out.push('"'),
            Some((_, '\\')) => out.push('\\'),
            Some((_, 'n')) => out.push('\n'),
            Some((_, 'r')) => out.push('\r'),
            Some((_, 't')) => out.push('\t'),
            other => return Err((at + 1, 1 + other.map_or(0, |(_, c)| c.len_utf8()))),
        }
    }
    Ok(out)
}

/// The values joined by `, `.
pub(crate) fn comma<T: fmt::Display>(values: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for (at, value) in values.into_iter().enumerate() {
        let _ = write!(out, "{}{value}", if at > 0 { ", " } else { "" });
    }
    out
}
