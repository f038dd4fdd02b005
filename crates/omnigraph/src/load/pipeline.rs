//! Chunks that several threads parse, in order.
//!
//! Chunk n goes to worker n modulo their number, and answers are taken in the same turn: order needs no bookkeeping,
//! and as every channel is short, memory is bounded.

use super::chunk::{Chunk, Chunks};
use super::{Parsed, Source};
use crate::error::Error;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Chunks that wait before and behind each worker.
const WAITING: usize = 2;

/// The answers of the workers.
pub(super) struct Pipeline {
    answers: Vec<Receiver<Result<Parsed, Error>>>,
    turn: usize,
    taken: u64,
    handed_out: Arc<HandedOut>,
}

/// What the reader gave to the workers. A thread that fails closes its channel like one that is done: only this tells
/// an end from a loss.
#[derive(Default)]
struct HandedOut {
    chunks: AtomicU64,
    is_all: AtomicBool,
}

type Job = Result<Chunk, Error>;

impl Pipeline {
    /// Starts a thread that reads and `threads` that parse. They end when the input does or the pipeline is dropped.
    pub(super) fn start<R, P>(
        chunks: Chunks<R>,
        threads: usize,
        parser: impl Fn() -> P,
    ) -> Result<Pipeline, Error>
    where
        R: Read + Send + 'static,
        P: FnMut(Chunk) -> Result<Parsed, Error> + Send + 'static,
    {
        let mut jobs = Vec::new();
        let mut answers = Vec::new();
        for _ in 0..threads.max(1) {
            let (give_job, take_job) = sync_channel::<Job>(WAITING);
            let (give_answer, take_answer) = sync_channel(WAITING);
            let parse = parser();
            thread::Builder::new()
                .name("omnigraph-parse".into())
                .spawn(move || work(&take_job, &give_answer, parse))?;
            jobs.push(give_job);
            answers.push(take_answer);
        }
        let handed_out = Arc::new(HandedOut::default());
        let count = Arc::clone(&handed_out);
        thread::Builder::new().name("omnigraph-read".into()).spawn(move || read(chunks, &jobs, &count))?;
        Ok(Pipeline { answers, turn: 0, taken: 0, handed_out })
    }
}

impl Source for Pipeline {
    fn next_part(&mut self) -> Option<Result<Parsed, Error>> {
        if let Ok(answer) = self.answers[self.turn].recv() {
            self.turn = (self.turn + 1) % self.answers.len();
            self.taken += 1;
            return Some(answer);
        }
        let HandedOut { chunks, is_all } = &*self.handed_out;
        let is_whole = is_all.load(Ordering::Acquire) && chunks.load(Ordering::Acquire) == self.taken;
        (!is_whole).then(|| Err(Error::Internal("a thread that reads the file failed".into())))
    }
}

fn read<R: Read>(mut chunks: Chunks<R>, jobs: &[SyncSender<Job>], handed_out: &HandedOut) {
    for job in jobs.iter().cycle() {
        let Some(chunk) = chunks.next_chunk().transpose() else { break };
        let is_last = chunk.is_err();
        handed_out.chunks.fetch_add(1, Ordering::Release);
        if job.send(chunk).is_err() {
            return;
        }
        if is_last {
            break;
        }
    }
    handed_out.is_all.store(true, Ordering::Release);
}

fn work(
    jobs: &Receiver<Job>,
    answers: &SyncSender<Result<Parsed, Error>>,
    mut parse: impl FnMut(Chunk) -> Result<Parsed, Error>,
) {
    for job in jobs {
        if answers.send(job.and_then(&mut parse)).is_err() {
            return;
        }
    }
}
