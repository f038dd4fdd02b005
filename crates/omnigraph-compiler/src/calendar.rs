//! Dates and moments from text. The proleptic Gregorian calendar, years 0001 to 9999.

/// Days since 1970-01-01 of `YYYY-MM-DD`.
pub fn parse_date(text: &str) -> Option<i32> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (digits(&bytes[..4])?, digits(&bytes[5..7])?, digits(&bytes[8..])?);
    if year == 0 || !(1..=12).contains(&month) || day == 0 || day > days_in(year, month) {
        return None;
    }
    Some(days_from_civil(year, month, day))
}

/// Milliseconds since 1970-01-01T00:00:00Z of an RFC 3339 moment.
///
/// The time may be left out (midnight), seconds and fractions too; without `Z` or an offset it is UTC. What is finer
/// than a millisecond is cut off.
pub fn parse_datetime(text: &str) -> Option<i64> {
    let date = parse_date(text.get(..10)?)?;
    let midnight = i64::from(date) * 86_400_000;
    let rest = &text[10..];
    if rest.is_empty() {
        return Some(midnight);
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let split = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    Some(midnight + parse_time(&rest[..split])? - parse_offset(&rest[split..])?)
}

/// Milliseconds of `HH:MM[:SS[.fraction]]`.
fn parse_time(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Option<Vec<i32>> =
        clock.split(':').map(|part| if part.len() == 2 { digits(part.as_bytes()) } else { None }).collect();
    let (hour, minute, second) = match parts?[..] {
        [hour, minute] if clock == text => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 59 || fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let padded = format!("{fraction:0<3}");
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let millis = digits(&padded.as_bytes()[..3])?;
    Some(i64::from((hour * 60 + minute) * 60 + second) * 1000 + i64::from(millis))
}

/// Milliseconds of nothing, `Z`, `+HH:MM` or `-HH:MM`.
fn parse_offset(text: &str) -> Option<i64> {
    if text.is_empty() || text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = text[1..].split_once(':')?;
    if hours.len() != 2 || minutes.len() != 2 {
        return None;
    }
    let (hours, minutes) = (digits(hours.as_bytes())?, digits(minutes.as_bytes())?);
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 60 + minutes) * 60_000)
}

fn digits(bytes: &[u8]) -> Option<i32> {
    let all = !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit);
    all.then(|| bytes.iter().fold(0, |sum, b| sum * 10 + i32::from(b - b'0')))
}

fn days_in(year: i32, month: i32) -> i32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Years begin in March here, so that the leap day is the last of its year.
fn days_from_civil(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::{parse_date, parse_datetime};

    #[test]
    fn dates() {
        assert_eq!(parse_date("1970-01-01"), Some(0));
        assert_eq!(parse_date("2000-02-29"), Some(11_016));
        assert_eq!(parse_date("2026-11-15"), Some(20_772));
        assert_eq!(parse_date("1969-12-31"), Some(-1));
        assert_eq!(parse_date("0001-01-01"), Some(-719_162));
        for bad in ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "x", "2024-01-32", ""]
        {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
    }

    #[test]
    fn moments() {
        assert_eq!(parse_datetime("1970-01-01T00:00:01Z"), Some(1000));
        assert_eq!(parse_datetime("1970-01-01T00:00:00.25Z"), Some(250));
        assert_eq!(parse_datetime("1970-01-01T01:30+01:30"), Some(0));
        assert_eq!(parse_datetime("1970-01-02"), Some(86_400_000));
        assert_eq!(parse_datetime("1970-01-01 00:00:00.123456789"), Some(123));
        for bad in [
            "1970-01-01T24:00Z",
            "1970-01-01T1:00Z",
            "1970-01-01TZ",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00+1:00",
        ] {
            assert_eq!(parse_datetime(bad), None, "{bad}");
        }
    }
}
