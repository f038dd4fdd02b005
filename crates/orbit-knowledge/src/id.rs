//! Ids: random UUIDs (version 4), shown with dashes, read with or without.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Serialize, Serializer};
use std::fmt;
use uuid::Uuid;

/// The id of anything that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(Uuid);

impl Id {
    /// Reads 32 hexadecimal digits in any case, dashed or not.
    pub fn parse(text: &str) -> Option<Id> {
        let text = text.trim();
        matches!(text.len(), 32 | 36).then(|| Uuid::try_parse(text).ok().map(Id)).flatten()
    }

    /// From a number, for tests that own their ids.
    pub fn from_number(number: u128) -> Id {
        Id(uuid::Builder::from_random_bytes(number.to_be_bytes()).into_uuid())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl ToSql for Id {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for Id {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Id> {
        Id::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

/// Gives new ids.
pub trait IdSource: Send + Sync {
    /// An id that was never given before.
    fn next(&self) -> Id;
}

/// Random ids.
pub struct RandomIds;

impl IdSource for RandomIds {
    fn next(&self) -> Id {
        Id(Uuid::new_v4())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_dashed_or_not_in_any_case() {
        let id = Id::from_number(7);
        let dashed = id.to_string();
        assert_eq!(dashed.len(), 36);
        assert_eq!(Id::parse(&dashed), Some(id));
        assert_eq!(Id::parse(&dashed.replace('-', "").to_uppercase()), Some(id));
        for wrong in
            ["", "7", "not-a-uuid", &format!("{{{dashed}}}"), &format!("urn:uuid:{dashed}"), &dashed[1..]]
        {
            assert_eq!(Id::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn random_ids_are_version_four() {
        assert_eq!(RandomIds.next().0.get_version_num(), 4);
        assert_ne!(RandomIds.next(), RandomIds.next());
    }
}
