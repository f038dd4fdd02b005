//! How long texts may be and how many rows an answer has. Sizes are UTF-8 bytes, lengths of names characters.

use crate::error::KnowledgeError;
use crate::id::Id;
use crate::words::Word;

/// Most bytes of an atom's or molecule's knowledge.
pub const KNOWLEDGE_BYTES: usize = 32 * 1024;
/// Most bytes of a changelog summary.
pub const SUMMARY_BYTES: usize = 4 * 1024;
/// Most characters of a name or title.
pub const NAME_CHARS: usize = 255;
/// Most bytes of a container's text or a section.
pub const TEXT_BYTES: usize = 64 * 1024;
/// Most rows of a page.
pub const PAGE_ROWS: i64 = 100;
const TAG_CHARS: usize = 100;
const TAGS: usize = 50;

/// A name: trimmed, not empty, at most 255 characters.
pub(crate) fn name(field: &'static str, text: &str) -> Result<String, KnowledgeError> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err(KnowledgeError::validation(field, format!("{field} must not be empty"))),
        1..=NAME_CHARS => Ok(text.to_owned()),
        count => {
            let message = format!("{field} has {count} characters, {NAME_CHARS} are allowed");
            Err(KnowledgeError::validation(field, message))
        }
    }
}

/// A text: trimmed, at most so many bytes.
pub(crate) fn text(field: &'static str, text: &str, most: usize) -> Result<String, KnowledgeError> {
    let text = text.trim();
    fits(field, text, most)?;
    Ok(text.to_owned())
}

/// A text that must say something.
pub(crate) fn filled(field: &'static str, given: &str, most: usize) -> Result<String, KnowledgeError> {
    let given = text(field, given, most)?;
    if given.is_empty() {
        return Err(KnowledgeError::validation(field, format!("{field} must not be empty")));
    }
    Ok(given)
}

/// Refuses a text of too many bytes.
pub(crate) fn fits(field: &'static str, text: &str, most: usize) -> Result<(), KnowledgeError> {
    if text.len() > most {
        let message = format!("{field} has {} bytes, {most} are allowed", text.len());
        return Err(KnowledgeError::validation(field, message));
    }
    Ok(())
}

/// Tags: trimmed, lowercase, sorted, once each.
pub(crate) fn tags(given: &[String]) -> Result<Vec<String>, KnowledgeError> {
    let mut tags: Vec<String> =
        given.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty()).collect();
    tags.sort();
    tags.dedup();
    if let Some(long) = tags.iter().find(|tag| tag.chars().count() > TAG_CHARS || tag.contains(',')) {
        let message = format!("tag `{long}`: at most {TAG_CHARS} characters, no comma");
        return Err(KnowledgeError::validation("tags", message));
    }
    if tags.len() > TAGS {
        return Err(KnowledgeError::validation("tags", format!("{} tags, {TAGS} are allowed", tags.len())));
    }
    Ok(tags)
}

/// An id as given.
pub(crate) fn id(field: &'static str, text: &str) -> Result<Id, KnowledgeError> {
    Id::parse(text).ok_or_else(|| {
        KnowledgeError::validation(field, format!("{field} must be a UUID, dashed or not; got `{text}`"))
    })
}

/// A word of a closed set.
pub(crate) fn word<W: Word>(field: &'static str, text: &str) -> Result<W, KnowledgeError> {
    W::parse(text).ok_or_else(|| {
        KnowledgeError::validation(field, format!("{field} must be one of {}; got `{text}`", W::listed()))
    })
}

/// Which rows of a list are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    pub(crate) limit: i64,
    pub(crate) offset: i64,
}

impl Page {
    /// 20 rows from the first on, unless told; more than 100 become 100.
    pub(crate) fn of(limit: Option<i64>, offset: Option<i64>) -> Result<Page, KnowledgeError> {
        let limit = limit.unwrap_or(20);
        let offset = offset.unwrap_or(0);
        if limit < 1 {
            return Err(KnowledgeError::validation("limit", format!("limit must be 1 to {PAGE_ROWS}")));
        }
        if offset < 0 {
            return Err(KnowledgeError::validation("offset", "offset must not be negative"));
        }
        Ok(Page { limit: limit.min(PAGE_ROWS), offset })
    }

    /// The rows of a list that is already whole.
    pub(crate) fn cut<T>(self, all: Vec<T>) -> Rows<T> {
        let total = all.len();
        let items = all.into_iter().skip(self.offset as usize).take(self.limit as usize).collect();
        Rows { items, total: total as i64, page: self }
    }
}

/// A page of a list, and how long the list is.
pub(crate) struct Rows<T> {
    pub(crate) items: Vec<T>,
    pub(crate) total: i64,
    pub(crate) page: Page,
}
