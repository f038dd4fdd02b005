//! The edge: requests as they come in, answers and envelopes as they go out. Ids and words have their text as JSON,
//! entities of the model their fields; what is put together for a tool is in [`answers`].

pub(crate) mod answers;
pub(crate) mod container;
pub(crate) mod entries;
pub(crate) mod envelope;
pub(crate) mod lenient;
pub(crate) mod related;
pub(crate) mod requests;

use crate::words::Word;
use serde::Serializer;

/// A word in capitals, as sections and templates spell what they belong to.
pub(crate) fn upper<W: Word, S: Serializer>(word: &W, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&word.as_str().to_uppercase())
}
