//! Google's Gemini.

use super::http::{Http, HttpOptions};
use super::{Embedder, Task, in_batches, normalize, refused};
use crate::error::Error;
use serde_json::{Value, json};

/// Texts per request, the most that the service takes.
const BATCH: usize = 100;

/// `POST {base_url}/models/{model}:batchEmbedContents`
#[derive(Clone)]
pub struct Gemini {
    http: Http,
    base_url: String,
    model: String,
    key: String,
}

impl std::fmt::Debug for Gemini {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gemini")
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

impl Gemini {
    /// Where the service is.
    pub const BASE_URL: &'static str = "https://generativelanguage.googleapis.com/v1beta";
    /// What is taken when nothing is said.
    pub const MODEL: &'static str = "gemini-embedding-2-preview";

    /// Of its settings.
    pub fn new(base_url: &str, model: &str, key: String, options: HttpOptions) -> Gemini {
        let base_url = base_url.trim_end_matches('/').to_owned();
        Gemini { http: Http::new(options), base_url, model: model.to_owned(), key }
    }

    fn request(&self, texts: &[&str], task: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        let url = format!("{}/models/{}:batchEmbedContents", self.base_url, self.model);
        let task = match task {
            Task::Query => "RETRIEVAL_QUERY",
            Task::Document => "RETRIEVAL_DOCUMENT",
        };
        let request = |text: &&str| {
            json!({
                "model": format!("models/{}", self.model),
                "content": { "parts": [{ "text": text }] },
                "taskType": task,
                "outputDimensionality": dim,
            })
        };
        let body = json!({ "requests": texts.iter().map(request).collect::<Vec<_>>() });
        let answer = self.http.post(&url, Some(("x-goog-api-key", &self.key)), &body)?;
        let items = answer.get("embeddings").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if items.len() != texts.len() {
            return Err(refused(format!("{url} gave {} vectors for {} texts", items.len(), texts.len())));
        }
        items.iter().map(|item| normalize(floats(item.get("values")), dim)).collect()
    }
}

impl Embedder for Gemini {
    fn embed(&self, texts: &[&str], task: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        in_batches(texts, BATCH, |texts| self.request(texts, task, dim))
    }

    fn model(&self) -> &str {
        &self.model
    }
}

/// The numbers of a JSON list; what is not a number makes the list shorter, which its dimension then shows.
pub(super) fn floats(list: Option<&Value>) -> Vec<f32> {
    let items = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(Value::as_f64).map(|value| value as f32).collect()
}
