//! Which provider, from the environment.

use super::{Cached, Embedder, Gemini, HttpOptions, Mock, OpenAi};
use crate::error::Error;
use std::time::Duration;

/// Prefixes of settings; the second is what older installations have.
const PREFIXES: [&str; 2] = ["OMNIGRAPH_", "NANOGRAPH_"];

/// The provider that the settings speak of. `get` looks up a variable of the environment.
///
/// `OMNIGRAPH_EMBEDDINGS_MOCK=1` wins; else `OMNIGRAPH_EMBED_PROVIDER` (`gemini`, `openai`, `mock`); else Gemini with
/// `GEMINI_API_KEY`, or OpenAI's protocol with `OPENAI_API_KEY` or `OPENAI_BASE_URL`.
pub fn from_settings(get: impl Fn(&str) -> Option<String>) -> Result<Box<dyn Embedder>, Error> {
    let get = |name: &str| get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let own = |name: &str| PREFIXES.iter().find_map(|prefix| get(&format!("{prefix}{name}")));
    if own("EMBEDDINGS_MOCK").is_some_and(|value| is_yes(&value)) {
        return Ok(Box::new(Mock));
    }
    let (gemini, openai) = (get("GEMINI_API_KEY"), get("OPENAI_API_KEY"));
    let base_url = get("OPENAI_BASE_URL");
    let provider = own("EMBED_PROVIDER").map(|name| name.to_ascii_lowercase()).or_else(|| {
        let is_openai = openai.is_some() || base_url.is_some();
        gemini.is_some().then_some("gemini").or(is_openai.then_some("openai")).map(str::to_owned)
    });
    let options = HttpOptions {
        timeout: Duration::from_millis(number(own("EMBED_TIMEOUT_MS"), "EMBED_TIMEOUT_MS", 30_000)?),
        attempts: number(own("EMBED_RETRY_ATTEMPTS"), "EMBED_RETRY_ATTEMPTS", 4)? as u32,
        backoff: Duration::from_millis(number(own("EMBED_RETRY_BACKOFF_MS"), "EMBED_RETRY_BACKOFF_MS", 200)?),
    };
    match provider.as_deref() {
        Some("mock") => Ok(Box::new(Mock)),
        Some("gemini") => {
            let key = gemini.ok_or_else(|| Error::Config("GEMINI_API_KEY is needed for embeddings by Gemini".into()))?;
            let url = get("OMNIGRAPH_GEMINI_BASE_URL").unwrap_or_else(|| Gemini::BASE_URL.into());
            let model = get("OMNIGRAPH_EMBED_MODEL").unwrap_or_else(|| Gemini::MODEL.into());
            Ok(Box::new(Cached::new(Gemini::new(&url, &model, key, options))))
        }
        Some("openai") => {
            let model = own("EMBED_MODEL").unwrap_or_else(|| OpenAi::MODEL.into());
            if openai.is_none() && base_url.is_none() {
                let message = "OPENAI_API_KEY is needed for embeddings, or OPENAI_BASE_URL of a server without keys";
                return Err(Error::Config(message.into()));
            }
            let url = base_url.unwrap_or_else(|| OpenAi::BASE_URL.into());
            Ok(Box::new(Cached::new(OpenAi::new(&url, &model, openai, options))))
        }
        Some(other) => {
            Err(Error::Config(format!("OMNIGRAPH_EMBED_PROVIDER is `{other}`; it can be gemini, openai or mock")))
        }
        None => Err(Error::Config(
            "embeddings need a provider: set GEMINI_API_KEY, or OPENAI_API_KEY, or OPENAI_BASE_URL of a local server, \
             or OMNIGRAPH_EMBEDDINGS_MOCK=1 to try things out"
                .into(),
        )),
    }
}

fn is_yes(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on")
}

fn number(value: Option<String>, name: &str, default: u64) -> Result<u64, Error> {
    let Some(value) = value else { return Ok(default) };
    let parsed = value.parse().ok().filter(|number| *number > 0);
    parsed.ok_or_else(|| Error::Config(format!("OMNIGRAPH_{name} is `{value}`; it must be a number above 0")))
}
