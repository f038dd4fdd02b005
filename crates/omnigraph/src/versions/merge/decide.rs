//! What becomes of a row that one side or both have changed.

use super::conflict::ConflictKind;
use crate::versions::diff::ChangeOp;

/// What a side did to a row since the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    Nothing,
    Insert,
    Update,
    Delete,
}

impl From<Option<ChangeOp>> for Did {
    fn from(op: Option<ChangeOp>) -> Did {
        match op {
            None => Did::Nothing,
            Some(ChangeOp::Insert) => Did::Insert,
            Some(ChangeOp::Update) => Did::Update,
            Some(ChangeOp::Delete) => Did::Delete,
        }
    }
}

/// What becomes of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Neither changed it, or both left the same.
    Agree,
    /// Only we changed it.
    Ours,
    /// Only they changed it.
    Theirs,
    /// Both have a row: they agree when the rows are equal, else this is the conflict.
    Compare(ConflictKind),
    /// No row is right.
    Conflict(ConflictKind),
    /// One says that the base has the row and the other that it has not.
    Impossible,
}

/// Every pair is decided here, or this does not compile.
pub(super) fn decide(ours: Did, theirs: Did) -> Verdict {
    use Did::{Delete, Insert, Nothing, Update};
    match (ours, theirs) {
        (Nothing, Nothing) | (Delete, Delete) => Verdict::Agree,
        (Insert | Update | Delete, Nothing) => Verdict::Ours,
        (Nothing, Insert | Update | Delete) => Verdict::Theirs,
        (Insert, Insert) => Verdict::Compare(ConflictKind::DivergentInsert),
        (Update, Update) => Verdict::Compare(ConflictKind::DivergentUpdate),
        (Update, Delete) | (Delete, Update) => Verdict::Conflict(ConflictKind::DeleteVsUpdate),
        (Insert, Update | Delete) | (Update | Delete, Insert) => Verdict::Impossible,
    }
}

/// As [`decide`], for a row that the states which the base is made of do not agree about: only equal rows are right.
pub(super) fn decide_contested(ours: Did, theirs: Did) -> Verdict {
    match (ours, theirs) {
        (Did::Nothing, Did::Nothing) | (Did::Delete, Did::Delete) => Verdict::Agree,
        (Did::Delete, _) | (_, Did::Delete) => Verdict::Conflict(ConflictKind::DeleteVsUpdate),
        (Did::Nothing | Did::Insert | Did::Update, Did::Nothing | Did::Insert | Did::Update) => {
            Verdict::Conflict(ConflictKind::DivergentUpdate)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Did, Verdict, decide};

    const ALL: [Did; 4] = [Did::Nothing, Did::Insert, Did::Update, Did::Delete];

    /// Whoever merges into whom, the verdict is the same seen from the other side.
    #[test]
    fn sides_can_be_swapped() {
        for ours in ALL {
            for theirs in ALL {
                let swapped = match decide(theirs, ours) {
                    Verdict::Ours => Verdict::Theirs,
                    Verdict::Theirs => Verdict::Ours,
                    other => other,
                };
                assert_eq!(decide(ours, theirs), swapped, "{ours:?} {theirs:?}");
            }
        }
    }

    /// A pair is impossible exactly when one side needs the row in the base and the other needs it not to be there.
    #[test]
    fn only_contradictions_are_impossible() {
        let in_base = |did: Did| match did {
            Did::Nothing => None,
            Did::Insert => Some(false),
            Did::Update | Did::Delete => Some(true),
        };
        for ours in ALL {
            for theirs in ALL {
                let contradicts =
                    in_base(ours).zip(in_base(theirs)).is_some_and(|(ours, theirs)| ours != theirs);
                assert_eq!(decide(ours, theirs) == Verdict::Impossible, contradicts, "{ours:?} {theirs:?}");
            }
        }
    }
}
