//! A stream of bytes as chunks of whole lines.

use crate::error::Error;
use std::io::Read;

/// Whole lines.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    /// The number of its first line, from 1.
    pub(super) first_line: u64,
}

/// Reads chunks of about the same size; a longer line makes a longer chunk, up to a bound.
pub(super) struct Chunks<R> {
    reader: R,
    chunk_bytes: usize,
    max_line_bytes: usize,
    /// The begin of a line whose end has not been read.
    rest: Vec<u8>,
    line: u64,
    is_done: bool,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(reader: R, chunk_bytes: usize, max_line_bytes: usize) -> Chunks<R> {
        let chunk_bytes = chunk_bytes.max(1);
        Chunks { reader, chunk_bytes, max_line_bytes, rest: Vec::new(), line: 1, is_done: false }
    }

    /// The next chunk; `None` behind the last.
    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut searched = 0;
        while !self.is_done {
            self.fill(&mut bytes)?;
            if let Some(at) = memchr::memrchr(b'\n', &bytes[searched..]) {
                self.rest = bytes.split_off(searched + at + 1);
                break;
            }
            searched = bytes.len();
            if searched > self.max_line_bytes {
                let message = format!(
                    "the line is longer than {} bytes; is this JSONL, with one record per line?",
                    self.max_line_bytes
                );
                return Err(Error::Input { line: Some(self.line), message });
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Ok(Some(Chunk { bytes, first_line }))
    }

    /// Reads one more chunk's worth behind the bytes, or to the end of the input.
    fn fill(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let wanted = self.chunk_bytes as u64;
        let read = self.reader.by_ref().take(wanted).read_to_end(bytes)?;
        self.is_done = (read as u64) < wanted;
        Ok(())
    }
}
