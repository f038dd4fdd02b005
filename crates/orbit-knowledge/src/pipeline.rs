//! Which states features and tasks pass through, in which order.

use crate::error::KnowledgeError;
use crate::model::{Kind, Status};
use crate::words::Word;

const FEATURE: [Status; 4] = [Status::New, Status::Active, Status::ReadyToProd, Status::Closed];
const TASK: [Status; 5] =
    [Status::New, Status::Active, Status::ToBeTested, Status::ReadyToProd, Status::Closed];

/// The states of a kind in order, from `NEW` to `CLOSED`. The exit `WILL_NOT_IMPLEMENT` is never among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline(Vec<Status>);

impl Default for Pipeline {
    fn default() -> Pipeline {
        Pipeline(vec![Status::New, Status::Active, Status::Closed])
    }
}

impl Pipeline {
    /// Checks words: known to the kind, in order, once each, with `NEW`, `ACTIVE` and `CLOSED`.
    pub fn of(kind: Kind, words: &[String]) -> Result<Pipeline, KnowledgeError> {
        let catalog: &[Status] = if kind == Kind::Task { &TASK } else { &FEATURE };
        let refuse = |why: String| {
            let known = catalog.iter().map(|status| status.word()).collect::<Vec<_>>().join(" ");
            KnowledgeError::Pipeline(format!("pipelines.{}: {why}; the states are {known}", kind.word()))
        };
        let mut chosen: Vec<Status> = Vec::new();
        let mut place = None;
        for word in words {
            let status = Status::parse(word).filter(|status| catalog.contains(status));
            let status =
                status.ok_or_else(|| refuse(format!("`{word}` is not a state of a {}", kind.word())))?;
            let here = catalog.iter().position(|known| *known == status);
            if here <= place {
                return Err(refuse(format!("`{word}` stands twice or too late")));
            }
            place = here;
            chosen.push(status);
        }
        for needed in [Status::New, Status::Active, Status::Closed] {
            if !chosen.contains(&needed) {
                return Err(refuse(format!("`{}` is missing", needed.word())));
            }
        }
        Ok(Pipeline(chosen))
    }

    /// The states in order.
    pub fn states(&self) -> &[Status] {
        &self.0
    }

    /// The state after this one.
    pub fn next(&self, status: Status) -> Option<Status> {
        self.place(status).and_then(|place| self.0.get(place + 1)).copied()
    }

    /// The state before this one; none for terminal states, which nothing leaves.
    pub fn previous(&self, status: Status) -> Option<Status> {
        let place = self.place(status).filter(|_| !status.is_terminal())?;
        place.checked_sub(1).map(|place| self.0[place])
    }

    /// `"2 of 3"`; none for the exit state.
    pub fn position(&self, status: Status) -> Option<String> {
        self.place(status).map(|place| format!("{} of {}", place + 1, self.0.len()))
    }

    fn place(&self, status: Status) -> Option<usize> {
        self.0.iter().position(|known| *known == status)
    }
}

/// The pipelines in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipelines {
    /// Of features.
    pub feature: Pipeline,
    /// Of tasks.
    pub task: Pipeline,
}

impl Pipelines {
    /// The one for a kind.
    pub fn of(&self, kind: Kind) -> &Pipeline {
        if kind == Kind::Task { &self.task } else { &self.feature }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipeline(words: &str) -> Result<Pipeline, String> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        Pipeline::of(Kind::Task, &words).map_err(|error| error.to_string())
    }

    #[test]
    fn steps_follow_the_chosen_states() {
        let long = pipeline("NEW ACTIVE TO_BE_TESTED READY_TO_PROD CLOSED").unwrap();
        assert_eq!(long.next(Status::Active), Some(Status::ToBeTested));
        assert_eq!(long.previous(Status::ToBeTested), Some(Status::Active));
        assert_eq!(long.position(Status::Closed).as_deref(), Some("5 of 5"));
        assert_eq!((long.next(Status::Closed), long.previous(Status::Closed)), (None, None));
        assert_eq!(long.previous(Status::New), None);
        assert_eq!(long.position(Status::WillNotImplement), None);
    }

    #[test]
    fn impossible_pipelines_are_refused_with_the_states() {
        for (words, why) in [
            ("NEW ACTIVE", "`CLOSED` is missing"),
            ("ACTIVE CLOSED", "`NEW` is missing"),
            ("NEW CLOSED ACTIVE", "`ACTIVE` stands twice or too late"),
            ("NEW NEW ACTIVE CLOSED", "`NEW` stands twice or too late"),
            ("NEW ACTIVE DONE CLOSED", "`DONE` is not a state of a task"),
            ("NEW ACTIVE CLOSED WILL_NOT_IMPLEMENT", "`WILL_NOT_IMPLEMENT` is not a state of a task"),
        ] {
            let message = pipeline(words).unwrap_err();
            assert!(message.contains(why), "{message}");
            assert!(message.contains("TO_BE_TESTED"), "{message}");
        }
        let of_feature =
            Pipeline::of(Kind::Feature, &["NEW", "ACTIVE", "TO_BE_TESTED", "CLOSED"].map(str::to_owned));
        assert!(of_feature.is_err());
    }
}
