//! A graph at one commit, and the ways to name one.

use crate::branch::bad_name;
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::publish::Draft;
use crate::record::{CommitRecord, TableEntry};
use std::collections::BTreeMap;
use std::fmt;

/// All tables of a graph at one commit. Never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The commit.
    pub record: CommitRecord,
    /// The log and the number of the record.
    pub(crate) uid: String,
    pub(crate) seq: u64,
}

impl Snapshot {
    /// The commit's id.
    pub fn id(&self) -> &CommitId {
        &self.record.id
    }

    /// What the graph would be with a draft on top. It has the id of this commit and is for looking only.
    #[must_use]
    pub fn with(&self, draft: &Draft) -> Snapshot {
        let mut preview = self.clone();
        for (key, entry) in &draft.tables {
            match entry {
                Some(entry) => preview.record.tables.insert(key.clone(), entry.clone()),
                None => preview.record.tables.remove(key),
            };
        }
        if let Some(schema) = &draft.schema {
            preview.record.schema.clone_from(schema);
        }
        preview
    }

    /// A table, by `node:Person` or `edge:Knows`; `None` without rows.
    pub fn table(&self, key: &str) -> Option<&TableEntry> {
        self.record.tables.get(key)
    }

    /// Whether both are the same graph: the same schema and the same table versions.
    pub fn holds_the_same(&self, other: &Snapshot) -> bool {
        self.record.schema == other.record.schema && self.record.tables == other.record.tables
    }

    /// This graph with other versions of some tables. It is nobody's commit: its id is still that of this one.
    #[must_use]
    pub fn with_tables(&self, tables: BTreeMap<String, TableEntry>, schema: &str) -> Snapshot {
        let record = CommitRecord { tables, schema: schema.to_owned(), ..self.record.clone() };
        Snapshot { record, ..self.clone() }
    }
}

/// What to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The newest commit of a branch.
    Branch(String),
    /// A commit.
    Commit(CommitId),
    /// The commit that a tag names.
    Tag(String),
    /// A branch when it had this version.
    Version(String, u64),
    /// A branch as it was at this time, in microseconds since 1970.
    At(String, i64),
}

impl Target {
    /// From what `--snapshot` takes: the id of a commit, `manifest:BRANCH:vN`, or a tag.
    pub fn snapshot(text: &str) -> Result<Target, Error> {
        let none = || Error::NoCommit {
            wanted: format!("`{text}`: a snapshot is a commit id, `manifest:BRANCH:vN` or a tag"),
        };
        if let Ok(id) = text.parse() {
            return Ok(Target::Commit(id));
        }
        let Some(rest) = text.strip_prefix("manifest:") else {
            return if bad_name(text).is_none() { Ok(Target::Tag(text.to_owned())) } else { Err(none()) };
        };
        let (branch, version) = rest.rsplit_once(":v").ok_or_else(none)?;
        version.parse().map(|version| Target::Version(branch.to_owned(), version)).map_err(|_| none())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Branch(name) => write!(f, "branch {name}"),
            Target::Commit(id) => write!(f, "commit {id}"),
            Target::Tag(name) => write!(f, "tag {name}"),
            Target::Version(branch, version) => write!(f, "manifest:{branch}:v{version}"),
            Target::At(branch, micros) => write!(f, "branch {branch} at {}", moment(*micros)),
        }
    }
}

/// Microseconds since 1970 as people write a time, to the millisecond.
fn moment(micros: i64) -> String {
    let (days, in_day) = (micros.div_euclid(86_400_000_000), micros.rem_euclid(86_400_000_000));
    // Years begin in March here, so that a leap day is the last of its year; 400 of them are always as long.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let (seconds, millis) = (in_day / 1_000_000, in_day / 1_000 % 1_000);
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02}.{millis:03}Z", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn times_are_shown_as_times() {
        for (micros, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_577_836_800_000_999, "2020-01-01T00:00:00.000Z"),
            (951_826_496_789_000, "2000-02-29T12:14:56.789Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(moment(micros), expected);
        }
    }
}
