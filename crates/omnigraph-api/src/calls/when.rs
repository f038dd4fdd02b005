//! Which state of a graph a call is about.

use super::main_if_none;
use crate::fault::Fault;
use omnigraph::Target;

/// The state that a caller names: a branch (`main` if nothing is said), a snapshot, or a branch as it was at a time.
pub(super) fn target(
    branch: Option<String>,
    snapshot: Option<&str>,
    at: Option<&str>,
) -> Result<Target, Fault> {
    match (snapshot, at) {
        (Some(_), _) if branch.is_some() || at.is_some() => {
            Err(Fault::new("bad_request", "a snapshot is the same on every branch and at all times")
                .hint("give `snapshot`, or `branch` with or without `at`"))
        }
        (Some(snapshot), _) => Ok(Target::snapshot(snapshot)?),
        (None, Some(time)) => Ok(Target::At(main_if_none(branch), omnigraph::parse_time(time)?)),
        (None, None) => Ok(Target::Branch(main_if_none(branch))),
    }
}
