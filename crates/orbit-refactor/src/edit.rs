//! Edits as data: which bytes of a file become which.

use crate::error::{RefactorError, Refusal};

/// A replacement of bytes of the old text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// First byte, and one past the last, in the old text.
    pub span: (u32, u32),
    /// What stands there instead.
    pub text: String,
}

impl Edit {
    pub(crate) fn new(start: u32, end: u32, text: impl Into<String>) -> Edit {
        Edit { span: (start, end), text: text.into() }
    }
}

/// The text with all edits made. They may come in any order and must not overlap.
pub(crate) fn apply(path: &str, old: &[u8], edits: &mut Vec<Edit>) -> Result<Vec<u8>, RefactorError> {
    edits.sort();
    edits.dedup();
    let mut new = Vec::with_capacity(old.len() + 64);
    let mut at = 0;
    for edit in edits.iter() {
        let (start, end) = (edit.span.0 as usize, edit.span.1 as usize);
        let Some(kept) = old.get(at..start).filter(|_| start <= end && end <= old.len()) else {
            return Err(
                Refusal::new("overlap", format!("two edits of {path} overlap at byte {start}")).into()
            );
        };
        new.extend_from_slice(kept);
        new.extend_from_slice(edit.text.as_bytes());
        at = end;
    }
    new.extend_from_slice(&old[at..]);
    Ok(new)
}

/// Where a byte of the old text is in the new one; `None` inside of what was replaced, but for its first byte.
pub(crate) fn map(edits: &[Edit], at: u32) -> Option<u32> {
    let mut shift = 0i64;
    for edit in edits {
        if edit.span.0 > at || (edit.span.0 == at && edit.span.1 > at) {
            break;
        }
        if at < edit.span.1 {
            return None;
        }
        shift += edit.text.len() as i64 - i64::from(edit.span.1 - edit.span.0);
    }
    u32::try_from(i64::from(at) + shift).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_place_and_places_follow() {
        let mut edits = vec![Edit::new(8, 11, "b"), Edit::new(0, 3, "longer")];
        let new = apply("x", b"abc def abc!", &mut edits).unwrap();
        assert_eq!(new, b"longer def b!");
        assert_eq!(map(&edits, 0), Some(0));
        assert_eq!(map(&edits, 4), Some(7));
        assert_eq!(map(&edits, 8), Some(11));
        assert_eq!(map(&edits, 9), None);
        assert_eq!(map(&edits, 11), Some(12));
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let mut edits = vec![Edit::new(0, 3, "x"), Edit::new(2, 4, "y")];
        assert!(apply("x", b"abcdef", &mut edits).is_err());
    }
}
