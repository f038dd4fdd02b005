//! Parquet and Arrow IPC: rows of one type, matched to properties by name.

use super::{Blocks, Options, Parsed, Source, finish};
use crate::error::Error;
use crate::rows::{BLOCK_ROWS, Cell, DST, ID, RowBuilder, SRC, cell_at};
use crate::validate::{TypeRules, Violation};
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// What an Arrow IPC file, other than a stream, begins with.
const FILE_MAGIC: &[u8; 6] = b"ARROW1";

/// What an Arrow IPC stream begins with.
const STREAM_MARK: [u8; 4] = [0xff; 4];

/// Batches, or why there are no more.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Reads a Parquet file.
pub fn parquet(file: File, rules: &Arc<TypeRules>, options: &Options) -> Result<Blocks, Error> {
    let bytes = file.metadata()?.len();
    let bad =
        |error: ::parquet::errors::ParquetError| Error::Input { line: None, message: error.to_string() };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(bad)?;
    let rows = builder.metadata().file_metadata().num_rows().max(1) as u64;
    let reader = builder.with_batch_size(BLOCK_ROWS).build().map_err(bad)?;
    Ok(start(Box::new(reader), Some((bytes, rows)), rules, options))
}

/// Reads an Arrow IPC file or stream; its first bytes tell which.
pub fn arrow_ipc(mut file: File, rules: &Arc<TypeRules>, options: &Options) -> Result<Blocks, Error> {
    let mut head = [0; 8];
    let is_long = file.read_exact(&mut head).is_ok();
    let is_file = head.starts_with(FILE_MAGIC);
    if !is_long || !(is_file || begins_stream(head, file.metadata()?.len())) {
        return Err(Error::Input { line: None, message: "this is not an Arrow IPC file or stream".into() });
    }
    file.seek(SeekFrom::Start(0))?;
    let reader = BufReader::new(file);
    let bad = |error: ArrowError| Error::Input { line: None, message: format!("no Arrow IPC: {error}") };
    let batches: Batches = if is_file {
        Box::new(FileReader::try_new(reader, None).map_err(bad)?)
    } else {
        Box::new(StreamReader::try_new(reader, None).map_err(bad)?)
    };
    Ok(start(batches, None, rules, options))
}

/// A stream begins with a mark and the length of its schema. A length beyond the file's would be believed otherwise.
fn begins_stream(head: [u8; 8], file_bytes: u64) -> bool {
    let (mark, length) = (&head[..4], [head[4], head[5], head[6], head[7]]);
    *mark == STREAM_MARK && u64::from(u32::from_le_bytes(length)) <= file_bytes
}

/// Takes batches that somebody else reads.
pub fn batches(
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    rules: &Arc<TypeRules>,
    options: &Options,
) -> Blocks {
    start(Box::new(batches), None, rules, options)
}

fn start(batches: Batches, size: Option<(u64, u64)>, rules: &Arc<TypeRules>, options: &Options) -> Blocks {
    let builder = RowBuilder::new(Arc::clone(rules)).with_limit(options.max_errors);
    let source =
        ArrowSource { batches, size, rules: Arc::clone(rules), builder, open: None, row: 0, rows_done: 0 };
    Blocks::new(source, options)
}

struct ArrowSource {
    batches: Batches,
    /// Bytes and rows of the file, if they are known.
    size: Option<(u64, u64)>,
    rules: Arc<TypeRules>,
    builder: RowBuilder,
    /// The batch being read.
    open: Option<RecordBatch>,
    /// The next row of it.
    row: usize,
    rows_done: u64,
}

impl Source for ArrowSource {
    fn next_part(&mut self) -> Option<Result<Parsed, Error>> {
        while self.open.as_ref().is_none_or(|batch| self.row >= batch.num_rows()) {
            match self.batches.next()? {
                Ok(batch) => {
                    self.row = 0;
                    self.open = Some(batch);
                }
                Err(error) => {
                    let message = format!("cannot be read behind row {}: {error}", self.rows_done);
                    return Some(Err(Error::Input { line: None, message }));
                }
            }
        }
        let batch = self.open.clone()?;
        let columns = match self.columns(&batch) {
            Ok(columns) => columns,
            Err(violations) => {
                self.batches = Box::new(std::iter::empty());
                self.open = None;
                return Some(Ok(Parsed { violations, ..Parsed::default() }));
            }
        };
        let taken = (batch.num_rows() - self.row).min(BLOCK_ROWS);
        for row in self.row..self.row + taken {
            self.rows_done += 1;
            self.put(&columns, row);
        }
        self.row += taken;
        let bytes = self.size.map_or(0, |(bytes, rows)| bytes * taken as u64 / rows);
        Some(finish(&mut self.builder, &self.rules, bytes))
    }
}

/// What a column of the file is.
enum Role {
    Id,
    From,
    To,
    Property(usize),
}

impl ArrowSource {
    fn columns(&self, batch: &RecordBatch) -> Result<Vec<(Role, ArrayRef)>, Vec<Violation>> {
        let is_edge = self.rules.ends().is_some();
        let mut columns = Vec::new();
        let mut unknown = Vec::new();
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            let name = field.name().as_str();
            let role = match (self.rules.position(name), name) {
                (Some(position), _) => Role::Property(position),
                (_, ID) => Role::Id,
                (_, SRC | "from") if is_edge => Role::From,
                (_, DST | "to") if is_edge => Role::To,
                _ => {
                    unknown.push(Violation::new(self.rules.name(), self.rules.unknown(name)).of(name));
                    continue;
                }
            };
            columns.push((role, plain(array)));
        }
        if unknown.is_empty() { Ok(columns) } else { Err(unknown) }
    }

    fn put(&mut self, columns: &[(Role, ArrayRef)], row: usize) {
        self.builder.start(Some(self.rows_done));
        let (mut from, mut to) = (String::new(), String::new());
        for (role, array) in columns {
            let cell = cell_at(array, row);
            match role {
                Role::Property(position) => self.builder.set_at(*position, cell),
                Role::Id => {
                    if let Some(id) = id_text(&cell) {
                        self.builder.id(&id);
                    }
                }
                Role::From => from = id_text(&cell).unwrap_or_default(),
                Role::To => to = id_text(&cell).unwrap_or_default(),
            }
        }
        if self.rules.ends().is_some() {
            self.builder.ends(&from, &to);
        }
        self.builder.end();
    }
}

/// Encoded and unusual types as those that cells are read from. What cannot be converted is reported cell by cell.
fn plain(array: &ArrayRef) -> ArrayRef {
    let plain_type = match array.data_type() {
        DataType::Dictionary(_, value) => value.as_ref().clone(),
        DataType::RunEndEncoded(_, value) => value.data_type().clone(),
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) => DataType::Float64,
        DataType::Float16 => DataType::Float32,
        _ => return Arc::clone(array),
    };
    cast(array, &plain_type).unwrap_or_else(|_| Arc::clone(array))
}

/// An id is text, or a whole number as its decimal text.
fn id_text(cell: &Cell<'_>) -> Option<String> {
    match cell {
        Cell::Text(text) => Some((*text).to_owned()),
        Cell::Int(value) => Some(value.to_string()),
        Cell::UInt(value) => Some(value.to_string()),
        _ => None,
    }
}
