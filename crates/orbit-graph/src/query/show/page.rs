//! Which lines of a text are shown: those that were asked for, as many as fit, cut between lines.

use std::fmt;
use std::str::FromStr;

/// Lines of a file, 1-based, the last one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The first.
    pub first: u32,
    /// The last; [`u32::MAX`] for the end of the file.
    pub last: u32,
}

impl FromStr for Lines {
    type Err = String;

    /// `10-40`, `10-` to the end, `-40` from the beginning, `10` alone; as in `L10-L40`, too.
    fn from_str(text: &str) -> Result<Lines, String> {
        let wrong = || "lines are like 10-40, 10- or 10".to_owned();
        let number = |text: &str| {
            let text = text.trim();
            text.strip_prefix('L').unwrap_or(text).parse::<u32>().ok().filter(|line| *line > 0)
        };
        let (first, last) = match text.split_once('-') {
            Some(("", "")) => return Err(wrong()),
            Some((first, "")) => (number(first), Some(u32::MAX)),
            Some(("", last)) => (Some(1), number(last)),
            Some((first, last)) => (number(first), number(last)),
            None => (number(text), number(text)),
        };
        let (first, last) = first.zip(last).ok_or_else(wrong)?;
        if first > last {
            return Err(format!("line {first} comes after line {last}"));
        }
        Ok(Lines { first, last })
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            u32::MAX => write!(f, "{}-", self.first),
            last => write!(f, "{}-{last}", self.first),
        }
    }
}

/// A part of a text.
pub(super) struct Page {
    pub(super) text: String,
    /// Where it is.
    pub(super) lines: Lines,
    /// What follows of what was asked for.
    pub(super) next: Option<Lines>,
    /// A line that is longer than the limit and ends early.
    pub(super) cut_line: Option<u32>,
}

/// The lines of a span of a file: those that are `wanted`, up to `max_bytes`. The error is where the span is when it has none
/// of them.
pub(super) fn page(
    bytes: &[u8],
    span: (usize, usize),
    wanted: Option<Lines>,
    max_bytes: usize,
) -> Result<Page, Lines> {
    let (start, end) = (span.0.min(bytes.len()), span.1.min(bytes.len()));
    let all = lines_of(bytes, start, end);
    let wanted = wanted.unwrap_or(all);
    if wanted.first > all.last || wanted.last < all.first {
        return Err(all);
    }
    let (first, last) = (wanted.first.max(all.first), wanted.last.min(all.last));
    let mut shown = Vec::new();
    let mut number = all.first;
    for line in bytes[start..end].split_inclusive(|byte| *byte == b'\n') {
        if number > last || number >= first && shown.len() + line.len() > max_bytes {
            break;
        }
        if number >= first {
            shown.extend_from_slice(line);
        }
        number += 1;
    }
    let mut cut_line = None;
    if number == first {
        // Not even one line fits.
        let line = bytes[start..end].split(|byte| *byte == b'\n').nth((first - all.first) as usize);
        let line = line.unwrap_or_default();
        let cut = between_words(line, max_bytes);
        shown.extend_from_slice(&line[..cut]);
        cut_line = (cut < line.len()).then_some(first);
        number += 1;
    }
    Ok(Page {
        text: String::from_utf8_lossy(&shown).into_owned(),
        lines: Lines { first, last: (number - 1).min(last) },
        next: (number <= last).then_some(Lines { first: number, last }),
        cut_line,
    })
}

/// The lines that a span of a file is on; an empty span is on one.
pub(super) fn lines_of(bytes: &[u8], start: usize, end: usize) -> Lines {
    let breaks = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').count() as u32 - 1;
    let first = 1 + breaks(&bytes[..start]);
    // A line break at the very end ends the last line.
    let inside = end.saturating_sub(1).max(start);
    Lines { first, last: first + breaks(&bytes[start..inside]) }
}

/// The last place up to `most` where no word is cut, or between characters where a word is longer than that.
fn between_words(line: &[u8], most: usize) -> usize {
    if line.len() <= most {
        return line.len();
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let is_between = |at: &usize| !(is_word(line[*at - 1]) && is_word(line[*at]));
    let is_character = |at: &usize| line[*at] & 0xc0 != 0x80;
    (1..=most).rev().find(is_between).or_else(|| (1..=most).rev().find(is_character)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        text.parse().unwrap()
    }

    #[test]
    fn ranges_are_read_as_people_write_them() {
        for (text, wanted) in
            [("10-40", "10-40"), ("10-", "10-"), ("-40", "1-40"), ("7", "7-7"), ("L10-L40", "10-40")]
        {
            assert_eq!(lines(text).to_string(), wanted);
        }
        for wrong in ["", "-", "0", "0-3", "9-3", "a-b", "1-2-3", "-0"] {
            assert!(wrong.parse::<Lines>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn pages_follow_each_other_and_are_the_whole_text() {
        let text = "// über\nfn a() {\n    b();\n}\n\nfn c() {}\n";
        for most in 0..text.len() + 2 {
            let (mut wanted, mut joined, mut rounds) = (None, String::new(), 0);
            loop {
                let page = page(text.as_bytes(), (0, text.len()), wanted, most).ok().unwrap();
                assert!(page.text.len() <= most, "{most}");
                assert!(
                    page.cut_line.is_some() || text.lines().any(|line| page.text.trim_end().ends_with(line)),
                    "{most}"
                );
                joined.push_str(&page.text);
                wanted = page.next;
                rounds += 1;
                if wanted.is_none() {
                    break;
                }
            }
            assert!(rounds <= 6);
            if most >= 10 {
                assert_eq!(joined, text, "{most}");
            }
        }
    }

    #[test]
    fn a_span_keeps_its_lines() {
        let text = b"a\nbb cc\ndd\nee";
        let shown = |wanted: Option<&str>, most| {
            let page = page(text, (2, 10), wanted.map(lines), most);
            page.map(|page| (page.text, page.lines.to_string(), page.next.map(|next| next.to_string())))
                .map_err(|all| all.to_string())
        };
        assert_eq!(shown(None, 99), Ok(("bb cc\ndd".into(), "2-3".into(), None)));
        assert_eq!(shown(Some("3-9"), 99), Ok(("dd".into(), "3-3".into(), None)));
        assert_eq!(shown(Some("1-2"), 99), Ok(("bb cc\n".into(), "2-2".into(), None)));
        assert_eq!(shown(None, 7), Ok(("bb cc\n".into(), "2-2".into(), Some("3-3".into()))));
        assert_eq!(shown(None, 4), Ok(("bb ".into(), "2-2".into(), Some("3-3".into()))));
        assert_eq!(shown(Some("4-"), 99), Err("2-3".into()));
    }

    #[test]
    fn a_long_line_is_cut_between_words_or_characters() {
        assert_eq!(between_words(b"let total = 1;", 8), 4);
        assert_eq!(between_words(b"let total = 1;", 9), 9);
        assert_eq!(between_words("äöü".as_bytes(), 3), 2);
        assert_eq!(between_words(b"abc", 0), 0);
    }
}
