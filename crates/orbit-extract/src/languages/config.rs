//! Config files.

use crate::{ExtractError, ExtractedFile, Lang};

#[expect(clippy::unnecessary_wraps, reason = "same shape as every language")]
pub(super) fn extract(_path: &str, _source: &str) -> Result<ExtractedFile, ExtractError> {
    Ok(ExtractedFile::empty(Lang::Config))
}
