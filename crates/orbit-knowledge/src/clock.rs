//! Time: who tells it, and how it is written.

use chrono::{DateTime, SecondsFormat};
use std::time::{SystemTime, UNIX_EPOCH};

/// A point in time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i64);

impl Moment {
    /// From milliseconds since 1970.
    pub fn from_millis(millis: i64) -> Moment {
        Moment(millis)
    }

    /// ISO-8601, UTC, with milliseconds. The texts of two moments order as the moments do.
    pub fn iso(self) -> String {
        let time = DateTime::from_timestamp_millis(self.0).unwrap_or(DateTime::UNIX_EPOCH);
        time.to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    /// This many seconds later.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Moment {
        Moment(self.0.saturating_add(seconds.saturating_mul(1000)))
    }
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Moment;
}

/// The clock of the machine.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(since.as_millis() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_with_milliseconds() {
        assert_eq!(Moment(0).iso(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Moment(1_709_164_800_007).iso(), "2024-02-29T00:00:00.007Z");
        assert_eq!(Moment(0).plus_seconds(900).iso(), "1970-01-01T00:15:00.000Z");
    }
}
