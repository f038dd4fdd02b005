//! Who is calling: bearer tokens, of which only hashes are kept.
//!
//! Invariants:
//! - The text of a token lives as long as it takes to hash it; no `Debug`, log line or error has it.
//! - A presented token is compared with every known one, each in constant time: how long an answer takes says nothing
//!   about how close a guess is.

mod oidc;
mod signature;
mod source;

pub use oidc::{Oidc, settings};
pub use source::{TokenError, TokenSource};

use oidc::Refusal;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// The SHA-256 of a token.
type Hash = [u8; 32];

/// Tokens by hash, with the actor that each stands for.
#[derive(Clone, Default)]
struct Table {
    rows: Vec<(Hash, Arc<str>)>,
}

impl fmt::Debug for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.rows.iter().map(|(_, actor)| actor)).finish()
    }
}

impl Table {
    fn new(tokens: &BTreeMap<String, String>) -> Table {
        let rows = tokens.iter().map(|(actor, token)| (hash(token), actor.as_str().into()));
        Table { rows: rows.collect() }
    }

    fn actor(&self, token: &str) -> Option<Arc<str>> {
        let presented = hash(token);
        let (mut found, mut at) = (Choice::from(0), 0_u32);
        for (row, (known, _)) in self.rows.iter().enumerate() {
            let same = known.ct_eq(&presented);
            at = u32::conditional_select(&at, &(row as u32), same);
            found |= same;
        }
        bool::from(found).then(|| self.rows[at as usize].1.clone())
    }
}

fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

/// The tokens of a server, which can be read again while it runs.
#[derive(Debug)]
pub struct Tokens {
    source: TokenSource,
    table: RwLock<Table>,
    oidc: Option<Arc<Oidc>>,
}

impl Tokens {
    /// Reads the tokens of a source.
    pub fn load(source: TokenSource) -> Result<Tokens, TokenError> {
        let table = RwLock::new(Table::new(&source.read()?));
        Ok(Tokens { source, table, oidc: None })
    }

    /// With the tokens that an issuer signs.
    #[must_use]
    pub fn signed_by(mut self, oidc: Option<Oidc>) -> Tokens {
        self.oidc = oidc.map(Arc::new);
        self
    }

    /// Reads them again. When that fails, those that were known stay.
    pub fn reload(&self) -> Result<usize, TokenError> {
        let table = Table::new(&self.source.read()?);
        let known = table.rows.len();
        *self.table.write().unwrap_or_else(PoisonError::into_inner) = table;
        Ok(known)
    }

    /// Whether callers must present a token.
    pub fn is_required(&self) -> bool {
        !matches!(self.source, TokenSource::None) || self.oidc.is_some()
    }

    /// Where they come from.
    pub fn source(&self) -> &TokenSource {
        &self.source
    }

    /// Who presents this token, or why nobody does, as far as that is nobody's secret.
    pub(crate) async fn actor(&self, token: &str) -> Result<Arc<str>, Option<&'static str>> {
        let given = self.table.read().unwrap_or_else(PoisonError::into_inner).actor(token);
        match (given, &self.oidc) {
            (Some(actor), _) => Ok(actor),
            (None, Some(oidc)) if Oidc::is_signed(token) => signed(oidc, token).await,
            (None, _) => Err(None),
        }
    }
}

/// Who an issuer says that it is. Keys are fetched beside the work of other callers.
async fn signed(oidc: &Arc<Oidc>, token: &str) -> Result<Arc<str>, Option<&'static str>> {
    if oidc.wants_keys(false) {
        let oidc = oidc.clone();
        tokio::task::spawn_blocking(move || oidc.refresh(false));
    }
    let refused = match oidc.actor(token) {
        Err(Refusal::UnknownKey) if oidc.wants_keys(true) => {
            let fetching = oidc.clone();
            // Without keys the next look says so.
            let _ = tokio::task::spawn_blocking(move || fetching.refresh(true)).await;
            oidc.actor(token)
        }
        answer => answer,
    };
    refused.map_err(|refusal| {
        Some(match refusal {
            Refusal::UnknownKey => "it is signed with a key that the issuer does not show",
            Refusal::Invalid(reason) => reason,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let tokens = [("ann", "s3cret-a"), ("bob", "s3cret-b"), ("cid", "")];
        Table::new(&tokens.map(|(actor, token)| (actor.to_owned(), token.to_owned())).into())
    }

    #[test]
    fn a_token_leads_to_its_actor_and_nothing_else_does() {
        assert_eq!(table().actor("s3cret-a").as_deref(), Some("ann"));
        assert_eq!(table().actor("s3cret-b").as_deref(), Some("bob"));
        assert_eq!(table().actor("s3cret-c"), None);
        assert_eq!(table().actor("s3cret-a "), None);
        assert_eq!(Table::default().actor(""), None);
    }

    #[test]
    fn what_is_printed_of_the_table_has_no_token_and_no_hash() {
        assert_eq!(format!("{:?}", table()), r#"{"ann", "bob", "cid"}"#);
    }
}
