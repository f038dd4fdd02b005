//! Files as blocks of typed, checked rows.
//!
//! ```text
//! bytes ─chunk (reader thread)─▶ whole lines ─parse (worker threads)─▶ Rows per type
//!       ─gather (in order)─▶ Block (≤ 8,192 rows of one type)
//! ```
//!
//! Invariants:
//! - Memory is bounded by the size of chunks, the number of threads and one block per type, whatever the file's size.
//! - The same file gives the same blocks in the same order with any number of threads.
//! - From the first violation on no block comes; up to `max_errors` violations are gathered, then they are the result.

mod arrow;
mod chunk;
mod csv;
mod cypher;
mod deletes;
mod gather;
mod jsonl;
mod pipeline;
mod record;
mod value;

pub use arrow::{arrow_ipc, batches, parquet};
pub use csv::csv;
pub use cypher::cypher;
pub use jsonl::jsonl;

use crate::error::Error;
use crate::rows::{Rows, Ulids};
use crate::validate::{TypeRules, Violation};
use arrow_array::RecordBatch;
use gather::Gather;
use std::sync::Arc;

/// How to read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Violations after which reading stops.
    pub max_errors: usize,
    /// Threads that parse; the caller's own is beside them.
    pub threads: usize,
    /// The longest line in bytes.
    pub max_line_bytes: usize,
    /// Bytes of a chunk that one thread parses at a time.
    pub chunk_bytes: usize,
    /// Whether dates may be whole days, and moments whole milliseconds, since 1970. Otherwise a number is a mistake: it
    /// could as well be a year.
    pub numeric_dates: bool,
}

impl Default for Options {
    fn default() -> Options {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            max_errors: 20,
            threads,
            max_line_bytes: 64 << 20,
            chunk_bytes: 1 << 20,
            numeric_dates: false,
        }
    }
}

/// Which table rows belong to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A node type.
    Node(String),
    /// An edge type.
    Edge(String),
}

impl Target {
    fn of(rules: &TypeRules) -> Target {
        let name = rules.name().to_owned();
        if rules.ends().is_some() { Target::Edge(name) } else { Target::Node(name) }
    }
}

/// Rows of one type.
#[derive(Clone, Debug)]
pub struct Block {
    /// Their table.
    pub target: Target,
    /// In the order of the file, in the open schema of the type ([`TypeRules::open_schema`]).
    pub batch: RecordBatch,
    /// Where each row stands in the file, from 1; in files without lines its number.
    pub lines: Vec<u64>,
    /// Whether the rows are taken away: then there are only ids, and the ends of edges.
    pub is_delete: bool,
}

/// A part of the input, checked.
#[derive(Debug, Default)]
struct Parsed {
    rows: Vec<Rows>,
    deletes: Vec<deletes::Deletes>,
    violations: Vec<Violation>,
    /// How many bytes of the input it stands for.
    bytes: u64,
}

/// Parts of the input, in order.
trait Source: Send {
    fn next_part(&mut self) -> Option<Result<Parsed, Error>>;
}

/// Blocks as they are read. After an error nothing comes.
pub struct Blocks {
    source: Option<Box<dyn Source>>,
    gather: Gather,
    violations: Vec<Violation>,
    max_errors: usize,
    bytes: u64,
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blocks").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Blocks {
    fn new(source: impl Source + 'static, options: &Options) -> Blocks {
        Blocks {
            source: Some(Box::new(source)),
            gather: Gather::new(Ulids::new()),
            violations: Vec::new(),
            max_errors: options.max_errors.max(1),
            bytes: 0,
        }
    }

    /// Takes random ids from here; for tests that want the same ids again.
    #[must_use]
    pub fn with_ids(mut self, ids: Ulids) -> Blocks {
        self.gather = Gather::new(ids);
        self
    }

    /// How many bytes of the input have been read into blocks, for a progress bar.
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    fn step(&mut self) -> Result<(), Error> {
        let Some(source) = &mut self.source else { return Ok(()) };
        match source.next_part() {
            None => {
                self.source = None;
                if !self.violations.is_empty() {
                    return Err(self.invalid(false));
                }
                self.gather.flush()
            }
            Some(Err(error)) => {
                self.source = None;
                self.gather.clear();
                Err(error)
            }
            Some(Ok(part)) => self.take(part),
        }
    }

    fn take(&mut self, part: Parsed) -> Result<(), Error> {
        self.bytes += part.bytes;
        self.violations.extend(part.violations);
        if self.violations.len() >= self.max_errors {
            self.source = None;
            return Err(self.invalid(true));
        }
        if self.violations.is_empty() {
            for rows in part.rows {
                self.gather.add(rows)?;
            }
            for deletes in part.deletes {
                self.gather.hand_over(deletes.into_block()?);
            }
        }
        Ok(())
    }

    fn invalid(&mut self, truncated: bool) -> Error {
        self.gather.clear();
        let mut violations = std::mem::take(&mut self.violations);
        violations.truncate(self.max_errors);
        Error::Invalid { violations, truncated }
    }
}

impl Iterator for Blocks {
    type Item = Result<Block, Error>;

    fn next(&mut self) -> Option<Result<Block, Error>> {
        loop {
            if let Some(block) = self.gather.next_block().filter(|_| self.violations.is_empty()) {
                return Some(Ok(block));
            }
            self.source.as_ref()?;
            if let Err(error) = self.step() {
                self.source = None;
                return Some(Err(error));
            }
        }
    }
}

/// The format a file's name speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One record per line, of any type.
    Jsonl,
    /// Rows of one type below a header.
    Csv,
    /// Rows of one type.
    Parquet,
    /// Rows of one type, as an Arrow IPC file or stream.
    Arrow,
    /// A whole graph in one CSV, as databases write it that speak Cypher.
    Cypher,
}

impl Format {
    /// By the end of a file's name, without the point.
    pub fn of_extension(extension: &str) -> Option<Format> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Format::Jsonl,
            "csv" => Format::Csv,
            "parquet" => Format::Parquet,
            "arrow" | "arrows" | "ipc" | "feather" => Format::Arrow,
            _ => return None,
        })
    }
}

/// A builder for rows of one type, and what it has built.
fn finish(
    builder: &mut crate::rows::RowBuilder,
    rules: &Arc<TypeRules>,
    bytes: u64,
) -> Result<Parsed, Error> {
    let violations = builder.take_violations();
    if !violations.is_empty() {
        let limit = builder.limit();
        *builder = crate::rows::RowBuilder::new(Arc::clone(rules)).with_limit(limit);
        return Ok(Parsed { violations, bytes, ..Parsed::default() });
    }
    Ok(Parsed { rows: vec![builder.finish_rows()?], violations, bytes, ..Parsed::default() })
}
