//! Commits as answers show them.

use super::History;
use crate::error::HistoryError;
use crate::git::Oid;
use crate::store::CommitId;
use serde::Serialize;

/// A commit that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommitRow {
    /// In full.
    pub sha: String,
    /// When it was authored, in UTC.
    pub date: String,
    /// The author's name.
    pub author: String,
    /// The first line of its message.
    pub summary: String,
    /// What it did: `added`, `modified`, `deleted`, `renamed`, `moved`, `split`, `merged`.
    pub change: &'static str,
    /// The tasks that its message names.
    pub task_ids: Vec<String>,
}

impl History {
    /// A commit with its author and tasks.
    pub(crate) fn commit_row(&self, id: CommitId, change: &'static str) -> Result<CommitRow, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT c.sha, c.date, a.name, m.text FROM commits c JOIN authors a ON a.id = c.author
             JOIN messages m ON m.commit_id = c.id WHERE c.id = ?1",
        )?;
        let row = statement.query_row([id], |row| {
            let (sha, message): (Vec<u8>, String) = (row.get(0)?, row.get(3)?);
            Ok(CommitRow {
                sha: Oid::from_bytes(&sha).map(|sha| sha.to_string()).unwrap_or_default(),
                date: iso_date(row.get(1)?),
                author: row.get(2)?,
                summary: message.lines().next().unwrap_or_default().to_owned(),
                change,
                task_ids: Vec::new(),
            })
        })?;
        Ok(CommitRow { task_ids: self.tasks_of(id)?, ..row })
    }

    /// The tasks that a commit names.
    pub(crate) fn tasks_of(&self, commit: CommitId) -> Result<Vec<String>, HistoryError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT t.name FROM task_commits k JOIN tasks t ON t.id = k.task WHERE k.commit_id = ?1 ORDER BY t.name",
        )?;
        let rows = statement.query_map([commit], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Seconds since the epoch as `2026-04-21T05:28:00Z`.
pub(crate) fn iso_date(seconds: i64) -> String {
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days of the proleptic Gregorian calendar, counted in eras of 400 years from 1 March of year 0.
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_era_year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = of_era_year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::iso_date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(iso_date(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_date(1_776_749_280), "2026-04-21T05:28:00Z");
        assert_eq!(iso_date(-1), "1969-12-31T23:59:59Z");
    }
}
