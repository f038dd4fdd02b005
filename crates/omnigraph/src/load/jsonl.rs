//! JSONL: a node or an edge per line, of any type, in any order.

use super::chunk::{Chunk, Chunks};
use super::deletes::{self, Deletes, Named};
use super::pipeline::Pipeline;
use super::record::{Fault, Records};
use super::{Blocks, Options, Parsed};
use crate::error::Error;
use crate::rows::{BLOCK_ROWS, RowBuilder, Rows};
use crate::validate::{Code, Problem, RuleBook, TypeRules, Violation};
use std::io::Read;
use std::sync::Arc;

/// Reads `{"type":"Person","data":{…}}` and `{"edge":"Knows","from":"a","to":"b","data":{…}}`, one per line, and the
/// same with `delete` for rows to take away. Blank lines and lines that begin with `//` are skipped.
pub fn jsonl(
    reader: impl Read + Send + 'static,
    book: &Arc<RuleBook>,
    options: &Options,
) -> Result<Blocks, Error> {
    let chunks = Chunks::new(reader, options.chunk_bytes, options.max_line_bytes);
    let (limit, numeric_dates) = (options.max_errors.max(1), options.numeric_dates);
    let pipeline = Pipeline::start(chunks, options.threads, || {
        let mut parser = Parser { numeric_dates, ..Parser::new(Arc::clone(book), limit) };
        move |chunk: Chunk| parser.parse(&chunk)
    })?;
    Ok(Blocks::new(pipeline, options))
}

/// Parses chunks into rows by type.
struct Parser {
    book: Arc<RuleBook>,
    builders: Vec<RowBuilder>,
    /// Complete blocks of the present chunk.
    full: Vec<Rows>,
    deletes: Vec<Deletes>,
    violations: Vec<Violation>,
    limit: usize,
    numeric_dates: bool,
}

impl Parser {
    fn new(book: Arc<RuleBook>, limit: usize) -> Parser {
        Parser {
            book,
            builders: Vec::new(),
            full: Vec::new(),
            deletes: Vec::new(),
            violations: Vec::new(),
            limit,
            numeric_dates: false,
        }
    }

    fn parse(&mut self, chunk: &Chunk) -> Result<Parsed, Error> {
        match std::str::from_utf8(&chunk.bytes) {
            Ok(text) => self.lines(text, chunk.first_line)?,
            Err(_) => self.broken_lines(chunk)?,
        }
        self.answer(chunk.bytes.len() as u64)
    }

    fn lines(&mut self, text: &str, first_line: u64) -> Result<(), Error> {
        let text = if first_line == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain(std::iter::once(text.len()));
        for (number, end) in (first_line..).zip(ends) {
            self.line(&text[start..end], number)?;
            start = end + 1;
            if self.count() >= self.limit {
                break;
            }
        }
        Ok(())
    }

    /// Line by line, where some are not UTF-8.
    fn broken_lines(&mut self, chunk: &Chunk) -> Result<(), Error> {
        for (at, line) in chunk.bytes.split(|byte| *byte == b'\n').enumerate() {
            let number = chunk.first_line + at as u64;
            match std::str::from_utf8(line) {
                Ok(line) => self.lines(line, number)?,
                Err(error) => {
                    let message = format!("not UTF-8: byte {} of the line", error.valid_up_to() + 1);
                    self.report(number, "", Problem::new(Code::Record, message));
                }
            }
            if self.count() >= self.limit {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str, number: u64) -> Result<(), Error> {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with("//") {
            return Ok(());
        }
        match self.read_record(line, number) {
            Ok(Some(at)) if self.builders[at].len() >= BLOCK_ROWS => self.close_full(at),
            Ok(_) => Ok(()),
            Err(Fault { type_name, problem }) => {
                self.report(number, &type_name, problem);
                Ok(())
            }
        }
    }

    fn close_full(&mut self, at: usize) -> Result<(), Error> {
        if self.count() == 0 {
            self.full.push(self.builders[at].finish_rows()?);
        }
        Ok(())
    }

    /// Everything the chunk gave. Builders that saw a violation may hold half a row and are thrown away.
    fn answer(&mut self, bytes: u64) -> Result<Parsed, Error> {
        for builder in &mut self.builders {
            self.violations.append(&mut builder.take_violations());
        }
        let mut violations = std::mem::take(&mut self.violations);
        let mut rows = std::mem::take(&mut self.full);
        let deletes = std::mem::take(&mut self.deletes);
        if violations.is_empty() {
            for builder in self.builders.iter_mut().filter(|builder| !builder.is_empty()) {
                rows.push(builder.finish_rows()?);
            }
        } else {
            self.builders.clear();
            rows.clear();
            violations.sort_by_key(|violation| violation.line);
        }
        Ok(Parsed { rows, deletes, violations, bytes })
    }

    fn count(&self) -> usize {
        let of_rows: usize = self.builders.iter().map(|builder| builder.violations().len()).sum();
        self.violations.len() + of_rows
    }

    fn report(&mut self, line: u64, type_name: &str, problem: Problem) {
        self.violations.push(Violation::new(type_name, problem).at(Some(line)));
    }

    fn read_record(&mut self, line: &str, number: u64) -> Result<Option<usize>, Fault> {
        super::record::read(line, (number, self.numeric_dates), self)
    }
}

impl Records for Parser {
    fn open(&mut self, is_edge: bool, name: &str) -> Result<usize, Problem> {
        let same = |rules: &TypeRules| rules.ends().is_some() == is_edge && rules.name() == name;
        if let Some(at) = self.builders.iter().position(|builder| same(builder.rules())) {
            return Ok(at);
        }
        let rules = if is_edge { self.book.edge(name)? } else { self.book.node(name)? };
        let known = self.builders.iter().position(|builder| Arc::ptr_eq(builder.rules(), rules));
        Ok(known.unwrap_or_else(|| {
            self.builders.push(RowBuilder::new(Arc::clone(rules)).with_limit(self.limit));
            self.builders.len() - 1
        }))
    }

    fn builder(&mut self, at: usize) -> &mut RowBuilder {
        &mut self.builders[at]
    }

    fn delete(&mut self, named: Named<'_>, line: u64) -> Result<(), Problem> {
        deletes::add(&mut self.deletes, &self.book, named, line)
    }
}
