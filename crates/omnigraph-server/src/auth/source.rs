//! Where tokens come from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Tokens in AWS Secrets Manager, by the name of the secret.
pub(crate) const AWS_SECRET: &str = "OMNIGRAPH_SERVER_BEARER_TOKENS_AWS_SECRET";
/// A file with `{actor: token}`.
pub(crate) const FILE: &str = "OMNIGRAPH_SERVER_BEARER_TOKENS_FILE";
/// `{actor: token}` itself.
pub(crate) const JSON: &str = "OMNIGRAPH_SERVER_BEARER_TOKENS_JSON";
/// One token, of the actor `default`.
pub(crate) const SINGLE: &str = "OMNIGRAPH_SERVER_BEARER_TOKEN";

/// Why there are no tokens. Correct the source that is named. No text of it is repeated.
#[derive(Debug)]
pub struct TokenError {
    /// Which source.
    pub source: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for TokenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "tokens of {}: {}", self.source, self.message)
    }
}

impl std::error::Error for TokenError {}

/// The first of these that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// A secret of AWS Secrets Manager.
    AwsSecret(String),
    /// A file.
    File(PathBuf),
    /// The environment: `{actor: token}`.
    Json,
    /// The environment: one token.
    Single,
    /// No source: everybody may call.
    None,
}

impl fmt::Display for TokenSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenSource::AwsSecret(name) => write!(out, "AWS secret {name}"),
            TokenSource::File(path) => write!(out, "file {}", path.display()),
            TokenSource::Json => out.write_str(JSON),
            TokenSource::Single => out.write_str(SINGLE),
            TokenSource::None => out.write_str("nowhere"),
        }
    }
}

impl TokenSource {
    /// What the environment names. A variable without text counts as not set.
    pub fn from_env() -> TokenSource {
        let set = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
        if let Some(name) = set(AWS_SECRET) {
            return TokenSource::AwsSecret(name);
        }
        if let Some(path) = set(FILE) {
            return TokenSource::File(path.into());
        }
        match (set(JSON), set(SINGLE)) {
            (Some(_), _) => TokenSource::Json,
            (None, Some(_)) => TokenSource::Single,
            (None, None) => TokenSource::None,
        }
    }

    /// The tokens, by actor.
    pub(super) fn read(&self) -> Result<BTreeMap<String, String>, TokenError> {
        let fail = |message: String| TokenError { source: self.to_string(), message };
        let env = |name| std::env::var(name).map_err(|_| fail("is not set".to_owned()));
        let text = match self {
            TokenSource::None => return Ok(BTreeMap::new()),
            TokenSource::Single => {
                return Ok(BTreeMap::from([("default".to_owned(), env(SINGLE)?.trim().to_owned())]));
            }
            TokenSource::Json => env(JSON)?,
            TokenSource::File(path) => {
                std::fs::read_to_string(path).map_err(|error| fail(format!("cannot be read: {error}")))?
            }
            TokenSource::AwsSecret(name) => secret(name).map_err(fail)?,
        };
        parse(&text).map_err(|message| fail(message.to_owned()))
    }
}

/// Reads `{actor: token}`. Errors of the parser are not passed on: they quote what they read.
fn parse(text: &str) -> Result<BTreeMap<String, String>, &'static str> {
    const FORM: &str = "must be a JSON object of the form {\"actor\": \"token\"}";
    let tokens: BTreeMap<String, String> = serde_json::from_str(text).map_err(|_| FORM)?;
    if tokens.is_empty() {
        return Err("has no token");
    }
    let is_blank = |text: &String| text.trim().is_empty();
    if tokens.keys().any(is_blank) {
        return Err("has an actor without a name");
    }
    if tokens.values().any(is_blank) {
        return Err("has an actor without a token");
    }
    let mut seen: Vec<&String> = tokens.values().collect();
    seen.sort_unstable();
    if seen.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("has the same token for two actors");
    }
    Ok(tokens)
}

#[cfg(not(feature = "aws"))]
fn secret(_name: &str) -> Result<String, String> {
    Err("this program was built without AWS Secrets Manager; build it with `--features aws`".to_owned())
}

#[cfg(feature = "aws")]
fn secret(name: &str) -> Result<String, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let config = aws_config::load_defaults(aws_config::BehaviorVersion::latest()).await;
        let asked =
            aws_sdk_secretsmanager::Client::new(&config).get_secret_value().secret_id(name).send().await;
        let answer = asked.map_err(|error| {
            let error = error.into_service_error();
            format!("cannot be read: {error}")
        })?;
        answer.secret_string().map(str::to_owned).ok_or_else(|| "has no text".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_without_repeating_it() {
        let cases = [
            ("[\"tok-1\"]", "must be a JSON object of the form {\"actor\": \"token\"}"),
            ("{\"a\": tok-1}", "must be a JSON object of the form {\"actor\": \"token\"}"),
            ("{}", "has no token"),
            ("{\" \": \"tok-1\"}", "has an actor without a name"),
            ("{\"a\": \"\"}", "has an actor without a token"),
            ("{\"a\": \"tok-1\", \"b\": \"tok-1\"}", "has the same token for two actors"),
        ];
        for (text, message) in cases {
            assert_eq!(parse(text), Err(message), "{text}");
        }
        assert_eq!(parse("{\"a\": \"tok-1\"}").map(|tokens| tokens.len()), Ok(1));
    }
}
