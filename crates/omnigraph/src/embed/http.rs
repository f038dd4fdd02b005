//! JSON over HTTP, with patience.

use crate::error::Error;
use serde_json::Value;
use std::thread::sleep;
use std::time::Duration;
use ureq::Agent;

/// The longest pause between two attempts, whatever a server asks for.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// The largest answer: 2,000 vectors of 3,072 numbers.
const ANSWER_BYTES: u64 = 128 << 20;

/// How patient to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// For one attempt.
    pub timeout: Duration,
    /// At least one.
    pub attempts: u32,
    /// Before the second attempt; doubled before each further one.
    pub backoff: Duration,
}

impl Default for HttpOptions {
    fn default() -> HttpOptions {
        HttpOptions { timeout: Duration::from_secs(30), attempts: 4, backoff: Duration::from_millis(200) }
    }
}

/// A client.
#[derive(Clone, Debug)]
pub(super) struct Http {
    agent: Agent,
    options: HttpOptions,
}

/// Why an attempt failed.
struct Failure {
    message: String,
    retryable: bool,
    /// What the server asked for.
    pause: Option<Duration>,
}

impl Http {
    pub(super) fn new(options: HttpOptions) -> Http {
        let config =
            Agent::config_builder().timeout_global(Some(options.timeout)).http_status_as_error(false).build();
        Http { agent: config.into(), options }
    }

    /// Sends JSON and reads JSON. Timeouts, refused connections, 408, 429 and 5xx are tried again.
    pub(super) fn post(&self, url: &str, header: Option<(&str, &str)>, body: &Value) -> Result<Value, Error> {
        let body = body.to_string();
        let mut attempt = 1;
        loop {
            let failure = match self.attempt(url, header, &body) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            if !failure.retryable || attempt >= self.options.attempts.max(1) {
                return Err(Error::Embedding { message: failure.message, retryable: failure.retryable });
            }
            let pause = self.options.backoff.saturating_mul(1 << (attempt - 1).min(10));
            sleep(failure.pause.unwrap_or_else(|| jitter(pause)).min(LONGEST_PAUSE));
            attempt += 1;
        }
    }

    fn attempt(&self, url: &str, header: Option<(&str, &str)>, body: &str) -> Result<Value, Failure> {
        let mut request = self.agent.post(url).header("content-type", "application/json");
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        let mut response = request.send(body).map_err(|error| Failure {
            retryable: !matches!(error, ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::Tls(_)),
            message: format!("no answer from {url}: {error}"),
            pause: None,
        })?;
        let status = response.status().as_u16();
        let pause = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let pause = pause.and_then(|seconds| seconds.trim().parse().ok()).map(Duration::from_secs);
        let text = response.body_mut().with_config().limit(ANSWER_BYTES).read_to_string();
        let text = text.map_err(|error| Failure {
            message: format!("the answer of {url} broke off: {error}"),
            retryable: true,
            pause: None,
        })?;
        if !(200..300).contains(&status) {
            let message = format!("{url} answered {status}: {}", reason(&text));
            return Err(Failure { message, retryable: matches!(status, 408 | 429 | 500..), pause });
        }
        serde_json::from_str(&text).map_err(|error| Failure {
            message: format!("{url} did not answer with JSON: {error}"),
            retryable: false,
            pause: None,
        })
    }
}

/// What the server says went wrong, in the shapes that servers use, or the begin of the answer.
fn reason(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let said =
        value.pointer("/error/message").or_else(|| value.get("error")).or_else(|| value.get("message"));
    let said = said.and_then(Value::as_str).unwrap_or(text);
    said.chars().take(300).collect()
}

/// Between half of the pause and all of it, so that many clients do not come back at once.
fn jitter(pause: Duration) -> Duration {
    let random = getrandom::u64().unwrap_or(u64::MAX) as f64 / u64::MAX as f64;
    pause.mul_f64(0.5 + random / 2.0)
}
