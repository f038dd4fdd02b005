//! A claim keeps others away: what somebody holds is changed by nobody else, unless they say so, and then it is kept.

use super::{rows, transitions};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::{Container, Kind, Trigger};
use crate::store::Session;

/// Who asks, and whether somebody else's claim is to be passed over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct By<'b> {
    pub(crate) actor: Option<&'b str>,
    pub(crate) is_forced: bool,
}

/// Refuses a change of what somebody else holds, naming the holder. A forced one is kept with the moves.
pub(crate) fn check(
    session: &Session<'_>,
    it: &Container,
    by: By<'_>,
    change: &str,
) -> Result<(), KnowledgeError> {
    let Some(claim) = it.claim.as_ref().filter(|claim| Some(claim.actor.as_str()) != by.actor) else {
        return Ok(());
    };
    if !by.is_forced {
        return Err(held(it, &claim.actor, &claim.expires_at));
    }
    let reason = format!("{change} in spite of the claim of {}", claim.actor);
    transitions::keep(session, it, it.status, Trigger::Override, by.actor, Some(&reason))
}

/// The same for everything in a container that goes with it.
pub(crate) fn check_all(
    session: &Session<'_>,
    inside: &[(Kind, Id)],
    by: By<'_>,
    change: &str,
) -> Result<(), KnowledgeError> {
    for (kind, id) in inside {
        check(session, &rows::get(session, *kind, *id)?, by, change)?;
    }
    Ok(())
}

/// Somebody else has it.
pub(crate) fn held(it: &Container, actor: &str, expires_at: &str) -> KnowledgeError {
    KnowledgeError::Held {
        actor: actor.to_owned(),
        expires_at: expires_at.to_owned(),
        holder: Box::new(it.clone()),
        paths: None,
    }
}
