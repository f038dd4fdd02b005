//! Reading single parameters.

use crate::bounds;
use crate::change::Change;
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::Kind;
use crate::wire::lenient::{Flag, List, Number};
use crate::work::holder::By;
use crate::work::queue::{LEASE_SECONDS, LEASE_SECONDS_MOST, Lease};

/// An id that the operation needs.
pub(super) fn id(field: &'static str, given: Option<&String>, operation: &str) -> Result<Id, KnowledgeError> {
    let given = given.ok_or_else(|| KnowledgeError::missing(field, operation))?;
    bounds::id(field, given)
}

/// An id that may be given.
pub(super) fn maybe_id(field: &'static str, given: Option<&String>) -> Result<Option<Id>, KnowledgeError> {
    given.map(|given| bounds::id(field, given)).transpose()
}

/// An id that may be left, removed or set.
pub(super) fn change(field: &'static str, given: &Change) -> Result<Change<Id>, KnowledgeError> {
    given.map(|text| bounds::id(field, text))
}

/// Several ids.
pub(super) fn ids(field: &'static str, given: &List) -> Result<Vec<Id>, KnowledgeError> {
    given.0.iter().map(|text| bounds::id(field, text)).collect()
}

/// The version that every change of something existing needs.
pub(super) fn version(given: Option<Number>, operation: &str) -> Result<i64, KnowledgeError> {
    given.map(|number| number.0).ok_or_else(|| KnowledgeError::missing("version", operation))
}

/// A feature or task; projects have no state.
pub(super) fn work_kind(given: &str) -> Result<Kind, KnowledgeError> {
    match bounds::word("containerType", given)? {
        Kind::Project => Err(KnowledgeError::validation(
            "containerType",
            "containerType must be one of feature, task; projects have no state",
        )),
        kind => Ok(kind),
    }
}

pub(super) fn flag(given: Option<Flag>, otherwise: bool) -> bool {
    given.map_or(otherwise, |flag| flag.0)
}

pub(super) fn number(given: Option<Number>) -> Option<i64> {
    given.map(|number| number.0)
}

/// A text that says something, or nothing.
pub(super) fn said<'t>(
    field: &'static str,
    given: Option<&'t String>,
) -> Result<Option<&'t str>, KnowledgeError> {
    let text = given.map(|text| text.trim()).filter(|text| !text.is_empty());
    text.map_or(Ok(()), |text| bounds::fits(field, text, bounds::SUMMARY_BYTES))?;
    Ok(text)
}

/// Who changes something, and whether in spite of somebody else's claim.
pub(super) fn by(actor: Option<&String>, force: Option<Flag>) -> Result<By<'_>, KnowledgeError> {
    Ok(By { actor: said("actor", actor)?, is_forced: flag(force, false) })
}

/// Who takes something and for how long.
pub(super) fn lease<'r>(
    actor: Option<&'r String>,
    seconds: Option<Number>,
    operation: &str,
) -> Result<Lease<'r>, KnowledgeError> {
    let actor = said("actor", actor)?.ok_or_else(|| KnowledgeError::missing("actor", operation))?;
    bounds::name("actor", actor)?;
    let seconds = number(seconds).unwrap_or(LEASE_SECONDS);
    if !(1..=LEASE_SECONDS_MOST).contains(&seconds) {
        let text = format!("ttlSeconds must be 1 to {LEASE_SECONDS_MOST}");
        return Err(KnowledgeError::validation("ttlSeconds", text));
    }
    Ok(Lease { actor, seconds })
}
