//! Dates and moments as text. The proleptic Gregorian calendar.

use std::fmt::{self, Write as _};

const DAY_MILLIS: i64 = 86_400_000;

/// `YYYY-MM-DD` of days since 1970-01-01.
pub fn write_date(days: i64, out: &mut String) {
    let (year, month, day) = civil(days);
    if (0..=9999).contains(&year) {
        push(year, 4, out);
    } else {
        discard(write!(out, "{year:+}"));
    }
    out.push('-');
    push(month, 2, out);
    out.push('-');
    push(day, 2, out);
}

/// `YYYY-MM-DDTHH:MM:SS.mmmZ` of milliseconds since 1970-01-01T00:00:00Z.
pub fn write_datetime(millis: i64, out: &mut String) {
    write_date(millis.div_euclid(DAY_MILLIS), out);
    let rest = millis.rem_euclid(DAY_MILLIS);
    let fields = [('T', rest / 3_600_000, 2), (':', rest / 60_000 % 60, 2), (':', rest / 1000 % 60, 2)];
    for (mark, value, width) in fields.into_iter().chain([('.', rest % 1000, 3)]) {
        out.push(mark);
        push(value, width, out);
    }
    out.push('Z');
}

/// The number with so many digits.
fn push(value: i64, width: u32, out: &mut String) {
    for place in (0..width).rev() {
        let digit = value / 10_i64.pow(place) % 10;
        out.push(char::from(b'0' + digit as u8));
    }
}

/// Writing to a string cannot fail.
pub(crate) fn discard(result: fmt::Result) {
    debug_assert!(result.is_ok(), "a String takes everything");
}

/// Years begin in March here, so that the leap day is the last of its year.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}
