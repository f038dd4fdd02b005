//! Servers that speak OpenAI's protocol, the original as well as local ones.

use super::http::{Http, HttpOptions};
use super::{Embedder, Task, in_batches, normalize, refused};
use crate::error::Error;
use serde_json::{Value, json};

/// Texts per request.
const BATCH: usize = 128;

/// `POST {base_url}/embeddings`
#[derive(Clone)]
pub struct OpenAi {
    http: Http,
    base_url: String,
    model: String,
    key: Option<String>,
}

impl std::fmt::Debug for OpenAi {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAi")
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

impl OpenAi {
    /// Where the original is.
    pub const BASE_URL: &'static str = "https://api.openai.com/v1";
    /// What is taken when nothing is said.
    pub const MODEL: &'static str = "text-embedding-3-small";

    /// Of its settings; local servers need no key.
    pub fn new(base_url: &str, model: &str, key: Option<String>, options: HttpOptions) -> OpenAi {
        let base_url = base_url.trim_end_matches('/').to_owned();
        OpenAi { http: Http::new(options), base_url, model: model.to_owned(), key }
    }

    fn request(&self, texts: &[&str], dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        let url = format!("{}/embeddings", self.base_url);
        let body = json!({ "model": self.model, "input": texts, "dimensions": dim });
        let bearer = self.key.as_ref().map(|key| format!("Bearer {key}"));
        let header = bearer.as_deref().map(|bearer| ("authorization", bearer));
        let answer = self.http.post(&url, header, &body)?;
        let items = answer.get("data").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; texts.len()];
        for (at, item) in items.iter().enumerate() {
            let index = item.get("index").and_then(Value::as_u64).map_or(at, |index| index as usize);
            if let Some(slot) = vectors.get_mut(index) {
                *slot = Some(normalize(super::gemini::floats(item.get("embedding")), dim)?);
            }
        }
        let complete: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        complete
            .ok_or_else(|| refused(format!("{url} gave {} vectors for {} texts", items.len(), texts.len())))
    }
}

impl Embedder for OpenAi {
    fn embed(&self, texts: &[&str], _: Task, dim: usize) -> Result<Vec<Vec<f32>>, Error> {
        in_batches(texts, BATCH, |texts| self.request(texts, dim))
    }

    fn model(&self) -> &str {
        &self.model
    }
}
