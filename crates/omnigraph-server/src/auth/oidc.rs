//! Signed tokens of an issuer (OIDC, RFC 7519): who somebody is, is a claim of the token.
//!
//! ```text
//! token ─header─▶ key id ─keys of the issuer─▶ key ─signature, issuer, audience, times─▶ claims ─claim─▶ actor
//! ```
//!
//! Invariants:
//! - The algorithm is one that the key is for; `none` and shared secrets are never taken.
//! - A token without issuer, audience or an end is not taken.
//! - Keys are fetched for a key id that is not known, no more often than [`PAUSE`], and again after [`FRESH`], so that keys
//!   that the issuer gave up do not open for long. While they cannot be fetched, those that are known stay.

use super::TokenError;
use super::signature::{ALGORITHMS, install};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use omnigraph_api::config::OidcConfig;
use serde_json::{Map, Value};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Between two attempts to fetch keys.
const PAUSE: Duration = Duration::from_secs(10);
/// Keys older than this are fetched again.
const FRESH: Duration = Duration::from_mins(10);
/// For one answer of the issuer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest document of keys.
const LONGEST: u64 = 1 << 20;
/// The longest name of an actor.
const NAME: usize = 200;
/// Clocks may differ by so many seconds.
const LEEWAY: u64 = 60;

const ISSUER: &str = "OMNIGRAPH_OIDC_ISSUER";
const AUDIENCE: &str = "OMNIGRAPH_OIDC_AUDIENCE";
const JWKS: &str = "OMNIGRAPH_OIDC_JWKS";
const CLAIM: &str = "OMNIGRAPH_OIDC_ACTOR_CLAIM";

/// Where keys are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    File(PathBuf),
    Address(String),
    /// The issuer's own document names the address.
    Issuer(String),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => write!(out, "{}", path.display()),
            Place::Address(address) | Place::Issuer(address) => out.write_str(address),
        }
    }
}

/// What a token says that it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is signed with a key that is not known yet.
    UnknownKey,
    /// It is not taken, because of this.
    Invalid(&'static str),
}

#[derive(Default)]
struct Keys {
    set: Option<JwkSet>,
    /// When they were asked for, with or without success.
    asked: Option<Instant>,
}

/// An issuer whose tokens are taken.
pub struct Oidc {
    config: OidcConfig,
    place: Place,
    keys: RwLock<Keys>,
    /// One thread fetches, the others wait for it.
    fetching: Mutex<()>,
}

impl fmt::Debug for Oidc {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Oidc").field("config", &self.config).finish_non_exhaustive()
    }
}

/// What the environment says, or else the configuration.
pub fn settings(config: Option<OidcConfig>) -> Result<Option<OidcConfig>, TokenError> {
    let set = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
    let Some(issuer) = set(ISSUER) else {
        return match [AUDIENCE, JWKS, CLAIM].into_iter().find(|name| set(name).is_some()) {
            Some(name) if config.is_none() => Err(wrong(name, format!("needs {ISSUER}, too"))),
            _ => Ok(config),
        };
    };
    let audience = set(AUDIENCE).ok_or_else(|| wrong(ISSUER, format!("needs {AUDIENCE}, too")))?;
    Ok(Some(OidcConfig { issuer, audience, jwks: set(JWKS), actor_claim: set(CLAIM) }))
}

fn wrong(source: &str, message: impl Into<String>) -> TokenError {
    TokenError { source: source.to_owned(), message: message.into() }
}

impl Oidc {
    /// An issuer with its keys. A file must be there; an address may be away for now, which is logged.
    pub fn load(config: OidcConfig) -> Result<Oidc, TokenError> {
        install();
        for (name, text) in [("issuer", &config.issuer), ("audience", &config.audience)] {
            if text.trim().is_empty() {
                return Err(wrong("oidc", format!("{name} must not be blank")));
            }
        }
        let place = match &config.jwks {
            Some(jwks) if jwks.contains("://") => Place::Address(jwks.clone()),
            Some(path) => Place::File(path.into()),
            None => Place::Issuer(format!(
                "{}/.well-known/openid-configuration",
                config.issuer.trim_end_matches('/')
            )),
        };
        if let Place::Address(address) | Place::Issuer(address) = &place {
            check_address(address).map_err(|message| wrong(&config.issuer, message))?;
        }
        let oidc = Oidc { config, place, keys: RwLock::default(), fetching: Mutex::default() };
        match (oidc.fetch(), &oidc.place) {
            (Err(error), Place::File(_)) => return Err(error),
            (Err(error), _) => {
                tracing::error!(%error, "signed tokens are not taken until the keys are there");
            }
            (Ok(()), _) => {}
        }
        Ok(oidc)
    }

    /// The issuer.
    pub fn issuer(&self) -> &str {
        &self.config.issuer
    }

    /// Whether it looks like a token of an issuer: three parts.
    pub(crate) fn is_signed(token: &str) -> bool {
        token.split('.').count() == 3
    }

    /// Who presents this token, as far as the keys that are known tell.
    pub(crate) fn actor(&self, token: &str) -> Result<Arc<str>, Refusal> {
        let header = decode_header(token).map_err(|_| Refusal::Invalid("it cannot be read"))?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(Refusal::Invalid("its algorithm is not taken"));
        }
        let key = self.key(header.kid.as_deref()).ok_or(Refusal::UnknownKey)?;
        if key.common.key_algorithm.is_some_and(|alg| alg.to_string() != format!("{:?}", header.alg)) {
            return Err(Refusal::Invalid("its algorithm is not that of its key"));
        }
        let key = DecodingKey::from_jwk(&key).map_err(|_| Refusal::Invalid("its key cannot be used"))?;
        let mut validation = Validation::new(header.alg);
        validation.set_audience(&[&self.config.audience]);
        validation.set_issuer(&[&self.config.issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        validation.validate_nbf = true;
        validation.leeway = LEEWAY;
        let token = decode::<Map<String, Value>>(token, &key, &validation).map_err(|error| {
            Refusal::Invalid(match error.kind() {
                ErrorKind::ExpiredSignature => "it has expired",
                ErrorKind::ImmatureSignature => "it is not valid yet",
                ErrorKind::InvalidAudience => "it is for another audience",
                ErrorKind::InvalidIssuer => "it is of another issuer",
                ErrorKind::MissingRequiredClaim(_) => "it lacks a claim",
                ErrorKind::InvalidSignature => "its signature does not fit",
                ErrorKind::InvalidAlgorithm => "its algorithm is not that of its key",
                _ => "its claims cannot be read",
            })
        })?;
        self.named(&token.claims)
    }

    fn named(&self, claims: &Map<String, Value>) -> Result<Arc<str>, Refusal> {
        let claim = self.config.actor_claim.as_deref().unwrap_or("sub");
        let name = claims.get(claim).and_then(Value::as_str).map(str::trim).unwrap_or_default();
        let is_name = !name.is_empty() && name.len() <= NAME && !name.chars().any(char::is_control);
        if is_name { Ok(name.into()) } else { Err(Refusal::Invalid("its claim does not name an actor")) }
    }

    /// The key with an id; without an id, the only one there is.
    fn key(&self, id: Option<&str>) -> Option<Jwk> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let is_for_signatures = |key: &&Jwk| {
            key.common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature)
        };
        let mut found = keys.set.iter().flat_map(|set| &set.keys).filter(is_for_signatures);
        match id {
            Some(id) => found.find(|key| key.common.key_id.as_deref() == Some(id)).cloned(),
            None => found.next().filter(|_| found.next().is_none()).cloned(),
        }
    }

    /// Whether keys are to be fetched: for one that is not known, or because they are old.
    pub(crate) fn wants_keys(&self, for_unknown: bool) -> bool {
        let asked = self.keys.read().unwrap_or_else(PoisonError::into_inner).asked;
        let after = if for_unknown { PAUSE } else { FRESH };
        asked.is_none_or(|asked| asked.elapsed() >= after)
    }

    /// Fetches the keys unless somebody just did. May block.
    pub(crate) fn refresh(&self, for_unknown: bool) {
        let guard = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        if self.wants_keys(for_unknown)
            && let Err(error) = self.fetch()
        {
            tracing::warn!(%error, "the keys that were known stay");
        }
        drop(guard);
    }

    fn fetch(&self) -> Result<(), TokenError> {
        self.keys.write().unwrap_or_else(PoisonError::into_inner).asked = Some(Instant::now());
        let set = self.read().map_err(|message| wrong(&self.place.to_string(), message))?;
        self.keys.write().unwrap_or_else(PoisonError::into_inner).set = Some(set);
        Ok(())
    }

    fn read(&self) -> Result<JwkSet, String> {
        let text = match &self.place {
            Place::File(path) => {
                std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?
            }
            Place::Address(address) => get(address)?,
            Place::Issuer(address) => {
                let document: Value =
                    serde_json::from_str(&get(address)?).map_err(|_| "is not a JSON document".to_owned())?;
                if document["issuer"].as_str() != Some(&self.config.issuer) {
                    return Err(format!("is the document of issuer {}", document["issuer"]));
                }
                let jwks = document["jwks_uri"].as_str().ok_or("names no `jwks_uri`")?;
                check_address(jwks)?;
                get(jwks)?
            }
        };
        serde_json::from_str(&text).map_err(|error| format!("is not a set of keys (JWKS): {error}"))
    }
}

/// Keys decide who gets in, so nobody on the way may change them.
fn check_address(address: &str) -> Result<(), String> {
    let host = |rest: &str| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        match host.strip_prefix('[') {
            Some(v6) => v6.split(']').next().unwrap_or_default().to_owned(),
            None => host.split(':').next().unwrap_or_default().to_owned(),
        }
    };
    match address.split_once("://") {
        Some(("https", _)) => Ok(()),
        Some(("http", rest)) if matches!(host(rest).as_str(), "localhost" | "127.0.0.1" | "::1") => Ok(()),
        _ => Err(format!("{address}: keys are fetched by https, or by http from this machine")),
    }
}

fn get(address: &str) -> Result<String, String> {
    let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).max_redirects(0).build();
    let mut answer = ureq::Agent::new_with_config(config)
        .get(address)
        .call()
        .map_err(|error| format!("no answer from {address}: {error}"))?;
    if answer.status() != 200 {
        return Err(format!("{address} answered {}", answer.status()));
    }
    answer.body_mut().with_config().limit(LONGEST).read_to_string().map_err(|error| error.to_string())
}
