//! Texts as vectors.
//!
//! ```text
//! settings (environment) ─from_settings─▶ Embedder: OpenAi | Gemini | Mock, behind Cached
//! Block with missing vectors ─fill─▶ batch in the schema of its type
//! JSONL ─pipeline::run─▶ JSONL with vectors
//! ```
//!
//! Every vector has length 1. The same text, task and dimension are asked for once.

mod cache;
mod gemini;
mod http;
mod ingest;
mod mock;
mod openai;
mod pipeline;
mod settings;

pub use cache::Cached;
pub use gemini::Gemini;
pub use http::HttpOptions;
pub use ingest::fill;
pub(crate) use ingest::vectors;
pub use mock::Mock;
pub use openai::OpenAi;
pub use pipeline::{EmbedJob, EmbedMode, EmbedReport, EmbedSpec, Selector, TypeSpec, run};
pub use settings::from_settings;

use crate::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a vector is for. Some models make different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// To search with.
    Query,
    /// To be found.
    Document,
}

/// Makes vectors of texts.
pub trait Embedder: Send + Sync + std::fmt::Debug {
    /// One vector of length 1 with `dim` elements per text, in their order.
    fn embed(&self, texts: &[&str], task: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error>;

    /// What makes the vectors, for reports.
    fn model(&self) -> &str;
}

/// Requests that are under way at the same time.
const REQUESTS: usize = 4;

/// Asks for the texts in batches, several at a time. After a failure nothing new is asked for.
fn in_batches(
    texts: &[&str],
    batch: usize,
    ask: impl Fn(&[&str]) -> Result<Vec<Vec<f32>>, Error> + Sync,
) -> Result<Vec<Vec<f32>>, Error> {
    let batches: Vec<&[&str]> = texts.chunks(batch).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(texts) = batches.get(at) else { return Ok(done) };
            match ask(texts) {
                Ok(vectors) => done.push((at, vectors)),
                Err(error) => {
                    next.store(batches.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..REQUESTS.min(batches.len())).map(|_| scope.spawn(work)).collect();
        let mut done = work()?;
        for other in others {
            done.extend(other.join().map_err(|_| Error::Internal("a thread that embeds failed".into()))??);
        }
        Ok::<_, Error>(done)
    })?;
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().flat_map(|(_, vectors)| vectors).collect())
}

/// The vector with length 1, if it has the dimension and a direction.
fn normalize(mut vector: Vec<f32>, dim: usize) -> Result<Vec<f32>, Error> {
    if vector.len() != dim {
        let found = vector.len();
        return Err(refused(format!("the model gave {found} dimensions, the property has {dim}")));
    }
    let square: f64 = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    let length = square.sqrt() as f32;
    if !length.is_finite() || length <= 0.0 {
        return Err(refused("the model gave a vector without a direction".into()));
    }
    for value in &mut vector {
        *value /= length;
    }
    Ok(vector)
}

/// A failure that the same request would have again.
fn refused(message: String) -> Error {
    Error::Embedding { message, retryable: false }
}
