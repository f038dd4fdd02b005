//! CSV: rows of one type below a header that names properties, `id`, and for edges `from` and `to`.

use super::value::CellSeed;
use super::{Blocks, Options, Parsed, Source, finish};
use crate::error::Error;
use crate::rows::{BLOCK_ROWS, Cell, ID, RowBuilder};
use crate::validate::{Code, Problem, Rule, TypeRules, Violation};
use ::csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use omnigraph_compiler::Scalar;
use serde::de::DeserializeSeed;
use std::io::Read;
use std::sync::Arc;

/// Reads rows of one type. An empty field is a missing value, except where a required text can be empty. Lists and
/// vectors are written as JSON.
pub fn csv(
    reader: impl Read + Send + 'static,
    rules: &Arc<TypeRules>,
    options: &Options,
) -> Result<Blocks, Error> {
    let mut reader = ReaderBuilder::new().from_reader(Unmarked::new(reader));
    let header = reader.headers().map_err(|error| input(&error))?.clone();
    let builder = RowBuilder::new(Arc::clone(rules)).with_limit(options.max_errors);
    let (columns, violations) = columns_of(&header, rules);
    let source = CsvSource {
        reader,
        columns,
        rules: Arc::clone(rules),
        builder,
        violations,
        bytes: 0,
        is_done: false,
    };
    Ok(Blocks::new(source, options))
}

/// What a column of the file is.
#[derive(Clone, Copy, Debug)]
enum Role {
    Id,
    From,
    To,
    Property(usize),
    Unknown,
}

struct CsvSource<R> {
    reader: Reader<Unmarked<R>>,
    columns: Vec<Role>,
    rules: Arc<TypeRules>,
    builder: RowBuilder,
    /// Of the header.
    violations: Vec<Violation>,
    bytes: u64,
    is_done: bool,
}

fn columns_of(header: &StringRecord, rules: &TypeRules) -> (Vec<Role>, Vec<Violation>) {
    let mut violations = Vec::new();
    let mut columns = Vec::new();
    for name in header {
        let name = name.trim();
        let is_edge = rules.ends().is_some();
        let role = match (rules.position(name), name) {
            (Some(position), _) => Role::Property(position),
            (_, ID) => Role::Id,
            (_, "from" | "src") if is_edge => Role::From,
            (_, "to" | "dst") if is_edge => Role::To,
            _ => {
                let unknown = Violation::new(rules.name(), rules.unknown(name));
                violations.push(unknown.of(name).at(Some(1)));
                Role::Unknown
            }
        };
        columns.push(role);
    }
    (columns, violations)
}

impl<R: Read + Send> Source for CsvSource<R> {
    fn next_part(&mut self) -> Option<Result<Parsed, Error>> {
        if self.is_done {
            return None;
        }
        if !self.violations.is_empty() {
            self.is_done = true;
            return Some(Ok(Parsed {
                violations: std::mem::take(&mut self.violations),
                ..Parsed::default()
            }));
        }
        let mut record = StringRecord::new();
        while self.builder.len() < BLOCK_ROWS && self.builder.violations().len() < self.builder.limit() {
            match self.reader.read_record(&mut record) {
                Ok(true) => self.row(&record),
                Ok(false) => {
                    self.is_done = true;
                    break;
                }
                Err(error) => match input(&error) {
                    Error::Input { line, message } => {
                        self.builder.start(line);
                        self.builder.violate(None, Problem::new(Code::Record, message));
                    }
                    other => {
                        self.is_done = true;
                        return Some(Err(other));
                    }
                },
            }
        }
        let now = self.reader.position().byte();
        let bytes = now - self.bytes;
        self.bytes = now;
        Some(finish(&mut self.builder, &self.rules, bytes))
    }
}

impl<R: Read> CsvSource<R> {
    fn row(&mut self, record: &StringRecord) {
        let shift = self.reader.get_ref().shift();
        self.builder.start(record.position().map(|position| position.line() + shift));
        let (mut from, mut to) = ("", "");
        for (role, text) in self.columns.iter().zip(record) {
            match role {
                Role::Id if !text.is_empty() => self.builder.id(text),
                Role::From => from = text,
                Role::To => to = text,
                Role::Property(position) => put(&mut self.builder, *position, text),
                Role::Id | Role::Unknown => {}
            }
        }
        if self.rules.ends().is_some() {
            self.builder.ends(from, to);
        }
        self.builder.end();
    }
}

/// A field of a property. An empty one is a missing value, except where a required text can be empty.
pub(super) fn put(builder: &mut RowBuilder, position: usize, text: &str) {
    let rules = Arc::clone(builder.rules());
    let Some(rule) = rules.rule(position) else { return };
    let can_be_empty = rule.ty.is_text() && !rule.ty.nullable && rule.default.is_none();
    if text.is_empty() && !can_be_empty {
        return;
    }
    if (rule.ty.list || rule.is_vector()) && text.trim_start().starts_with('[') {
        return put_json(builder, position, rule, text);
    }
    builder.set_at(position, typed(rule, text));
}

fn put_json(builder: &mut RowBuilder, position: usize, rule: &Rule, text: &str) {
    if !builder.claim(position) {
        return;
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let seed = CellSeed { column: builder.column(position), numeric_dates: false };
    let done = seed.deserialize(&mut json).unwrap_or_else(|_| Err(rule.mismatch(&Cell::Text(text))));
    builder.note(position, done);
}

/// The text as what the property wants; as text when it cannot be read so, which is reported where it is stored.
fn typed<'t>(rule: &Rule, text: &'t str) -> Cell<'t> {
    let plain = text.trim();
    let read = match &rule.ty.scalar {
        _ if rule.ty.list => None,
        Scalar::Bool => plain.to_ascii_lowercase().parse().ok().map(Cell::Bool),
        Scalar::F32 | Scalar::F64 => plain.parse().ok().map(Cell::Float),
        scalar if scalar.is_integer() => {
            let signed = plain.parse().ok().map(Cell::Int);
            signed.or_else(|| plain.parse().ok().map(Cell::UInt))
        }
        _ => None,
    };
    read.unwrap_or(Cell::Text(text))
}

/// What is wrong with a record, with its line.
pub(super) fn input(error: &::csv::Error) -> Error {
    let line = error.position().map(::csv::Position::line);
    let message = match error.kind() {
        ErrorKind::Io(error) => return Error::Io(std::io::Error::new(error.kind(), error.to_string())),
        ErrorKind::Utf8 { err, .. } => format!("not UTF-8: field {}", err.field() + 1),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields, but the header has {expected_len}")
        }
        _ => error.to_string(),
    };
    Error::Input { line, message }
}

/// A reader without the byte order mark that some programs put first.
pub(super) struct Unmarked<R> {
    reader: R,
    /// Bytes that were read ahead and belong to the text.
    ahead: Vec<u8>,
    is_begun: bool,
    /// Whether the first line ends with "\r\n"; `is_line_seen` when that is known.
    ends_with_crlf: bool,
    is_line_seen: bool,
    last: u8,
}

impl<R> Unmarked<R> {
    pub(super) fn new(reader: R) -> Unmarked<R> {
        Unmarked {
            reader,
            ahead: Vec::new(),
            is_begun: false,
            ends_with_crlf: false,
            is_line_seen: false,
            last: 0,
        }
    }
}

impl<R> Unmarked<R> {
    /// Of "\r\n" the reader counts the "\n" to the record behind it.
    pub(super) fn shift(&self) -> u64 {
        u64::from(self.ends_with_crlf)
    }
}

impl<R: Read> Unmarked<R> {
    fn read_on(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if !self.is_begun {
            self.is_begun = true;
            self.reader.by_ref().take(3).read_to_end(&mut self.ahead)?;
            if self.ahead == b"\xEF\xBB\xBF" {
                self.ahead.clear();
            }
        }
        if self.ahead.is_empty() {
            return self.reader.read(out);
        }
        let taken = self.ahead.len().min(out.len());
        out[..taken].copy_from_slice(&self.ahead[..taken]);
        self.ahead.drain(..taken);
        Ok(taken)
    }
}

impl<R: Read> Read for Unmarked<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let read = self.read_on(out)?;
        if !self.is_line_seen && read > 0 {
            if let Some(at) = memchr::memchr(b'\n', &out[..read]) {
                let before = if at == 0 { self.last } else { out[at - 1] };
                self.ends_with_crlf = before == b'\r';
                self.is_line_seen = true;
            }
            self.last = out[read - 1];
        }
        Ok(read)
    }
}
