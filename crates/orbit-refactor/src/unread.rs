//! Files that nobody read: those that are not UTF-8, too large or too deep, and code without a parser. They may hold a name
//! all the same.

use crate::error::RefactorError;
use crate::worktree::Worktree;
use orbit_extract::Lang;
use orbit_graph::Facts;

/// A place in a file that was not read.
pub(crate) struct Unread {
    pub(crate) file: String,
    pub(crate) line: u32,
    /// Why the file was not read.
    pub(crate) reason: String,
    /// The file is one of the language.
    pub(crate) is_ours: bool,
}

/// Where a name stands in files that were not read: the first place of each.
pub(crate) fn places(
    facts: &Facts<'_>,
    worktree: &Worktree,
    lang: Lang,
    name: &str,
) -> Result<Vec<Unread>, RefactorError> {
    let mut found = Vec::new();
    for (path, reason) in facts.unread()? {
        let is_ours = Lang::of_path(&path).is_some_and(|other| other.family() == lang.family());
        let Ok(Some(bytes)) = worktree.read(&path) else { continue };
        let Some(at) = first_word(&bytes, name.as_bytes()) else { continue };
        let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u32;
        found.push(Unread { file: path, line, reason: reason.replace('_', " "), is_ours });
    }
    Ok(found)
}

/// Where a word stands first, in bytes of any encoding.
fn first_word(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$';
    memchr::memmem::find_iter(bytes, word).find(|at| {
        let (before, after) = (&bytes[..*at], bytes.get(at + word.len()));
        !before.last().is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
