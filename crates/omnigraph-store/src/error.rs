//! What can go wrong, by what the caller can do about it.

use crate::commit_id::CommitId;
use std::fmt;

/// Why a call failed.
#[derive(Debug)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Error {
    /// There is no graph at this place.
    NoGraph { location: String },
    /// There is no such bucket, so no graph in it either.
    NoBucket { bucket: String },
    /// There is a graph already.
    GraphExists { location: String },
    /// A place that holds what a copy must not overwrite.
    CopyRefused { location: String, reason: String },
    /// A graph of a format that this version does not know.
    Format { location: String, found: u32, known: u32 },
    /// A place that cannot hold a graph.
    Location { given: String, reason: String },
    /// No branch of this name.
    NoBranch { name: String, similar: Option<String> },
    /// The name is taken.
    BranchExists { name: String },
    /// A name that a branch cannot have.
    BranchName { name: String, reason: String },
    /// No tag of this name.
    NoTag { name: String },
    /// The name is taken.
    TagExists { name: String, commit: CommitId },
    /// A name that a tag cannot have.
    TagName { name: String, reason: String },
    /// Neither a branch nor a tag nor a commit.
    NoTarget { wanted: String },
    /// No run of this id.
    NoRun { id: String },
    /// No such commit, version or time.
    NoCommit { wanted: String },
    /// The rows of this commit are no longer kept.
    CommitRemoved { commit: CommitId },
    /// A write took so long that its files may have been cleaned up. Write again.
    Stale { hours: u64 },
    /// The store does not honour conditional puts: two writers could overwrite each other.
    NoConditionalPut { location: String },
    /// It is not known whether the commit took effect.
    CommitUnknown { commit: CommitId, reason: String },
    /// Something in the store is not as it was written.
    Damaged { object: String, reason: String },
    /// The store could not be reached, read or written.
    Io { doing: String, reason: String },
}

impl Error {
    pub(crate) fn io(doing: impl Into<String>, reason: impl fmt::Display) -> Error {
        Error::Io { doing: doing.into(), reason: first_line(&reason.to_string()) }
    }

    pub(crate) fn damaged(object: impl Into<String>, reason: impl fmt::Display) -> Error {
        Error::Damaged { object: object.into(), reason: first_line(&reason.to_string()) }
    }
}

/// Errors of the layers below carry backtraces and places in their sources; people need the first line without them.
fn first_line(text: &str) -> String {
    let mut line = text.lines().next().unwrap_or_default();
    // Every layer adds its own.
    while let Some((said, place)) = line.rsplit_once(", ")
        && place.contains(".rs:")
    {
        line = said;
    }
    let line = line.split_once(": ProviderError(").map_or(line, |(said, _)| said);
    line.replacen("LanceError(IO): ", "", 1)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoGraph { location } => {
                write!(f, "no graph at {location}; `omnigraph init --schema FILE {location}` makes one")
            }
            Error::NoBucket { bucket } => {
                write!(f, "there is no bucket `{bucket}` at this endpoint; make it first, or check its name")
            }
            Error::GraphExists { location } => write!(f, "there is a graph at {location} already"),
            Error::CopyRefused { location, reason } => {
                write!(f, "the graph is not copied to {location}: {reason}")
            }
            Error::Format { location, found, known } => {
                write!(f, "the graph at {location} has format {found}, this version knows {known}")
            }
            Error::Location { given, reason } => write!(f, "`{given}` cannot hold a graph: {reason}"),
            Error::NoBranch { name, similar: None } => write!(f, "no branch `{name}`"),
            Error::NoBranch { name, similar: Some(similar) } => {
                write!(f, "no branch `{name}`; did you mean `{similar}`?")
            }
            Error::BranchExists { name } => write!(f, "branch `{name}` exists already"),
            Error::BranchName { name, reason } => write!(f, "`{name}` cannot name a branch: {reason}"),
            Error::NoTag { name } => write!(f, "no tag `{name}`"),
            Error::TagExists { name, commit } => write!(f, "tag `{name}` exists already and names {commit}"),
            Error::TagName { name, reason } => write!(f, "`{name}` cannot name a tag: {reason}"),
            Error::NoTarget { wanted } => write!(f, "no branch, tag or commit `{wanted}`"),
            Error::NoRun { id } => write!(f, "no run `{id}`"),
            Error::NoCommit { wanted } => write!(f, "no commit {wanted}"),
            Error::CommitRemoved { commit } => {
                write!(
                    f,
                    "commit {commit} was cleaned up: its place in the history is known, its rows are gone"
                )
            }
            Error::Stale { hours } => write!(
                f,
                "the write began {hours} hours ago, and its files may have been cleaned up since; write again"
            ),
            Error::NoConditionalPut { location } => write!(
                f,
                "{location} does not honour conditional puts (`If-None-Match: *`), so writers could overwrite each other"
            ),
            Error::CommitUnknown { commit, reason } => {
                write!(f, "it is not known whether commit {commit} took effect: {reason}")
            }
            Error::Damaged { object, reason } => write!(f, "{object} is damaged: {reason}"),
            Error::Io { doing, reason } => write!(f, "{doing}: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn people_see_what_was_said_and_not_where_in_the_source() {
        let said = "Generic N/A error: LanceError(IO): Failed to get AWS credentials: ProviderError(ProviderError { \
                    source: Forbidden }), lance-io/src/aws.rs:630:30\n  0: main";
        assert_eq!(first_line(said), "Generic N/A error: Failed to get AWS credentials");
        assert_eq!(first_line("LanceError(IO): not there, lance/src/a.rs:1:2"), "not there");
        assert_eq!(first_line("not there, io/src/a.rs:1:2, lance/src/b.rs:3:4"), "not there");
        assert_eq!(first_line("one, two"), "one, two");
    }
}
