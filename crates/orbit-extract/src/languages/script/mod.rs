//! JavaScript and TypeScript.

use crate::{ExtractError, ExtractedFile, Lang};

#[expect(clippy::unnecessary_wraps, reason = "same shape as every language")]
pub(super) fn extract(_path: &str, lang: Lang, _source: &str) -> Result<ExtractedFile, ExtractError> {
    Ok(ExtractedFile::empty(lang))
}
