//! Which files are searched, and which of them are named by words.

use super::Finder;
use super::words::words_of;
use crate::error::GraphError;
use crate::query::symbol::is_test;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{Lang, SymbolKind};
use std::collections::{BTreeMap, HashSet};

/// A file of the index.
pub(super) struct File {
    pub(super) id: i64,
    pub(super) path: String,
    pub(super) lang: Lang,
}

impl Finder<'_> {
    /// The files of the wanted language and place; `None` when nothing was said about them.
    pub(super) fn files_that_fit(&self) -> Result<Option<HashSet<i64>>, GraphError> {
        if self.glob.is_none() && self.query.lang.is_none() {
            return Ok(None);
        }
        let fits = |file: &File| {
            self.query.lang.is_none_or(|wanted| wanted == file.lang)
                && self.glob.as_ref().is_none_or(|glob| glob.is_match(&file.path))
        };
        Ok(Some(self.all_files()?.iter().filter(|file| fits(file)).map(|file| file.id).collect()))
    }

    /// Whether a row of a file-bound table is in a file that is searched.
    pub(super) fn keeps_row(&self, row: i64) -> bool {
        self.kept_files.as_ref().is_none_or(|kept| kept.contains(&i64::from(file_of_row(row))))
    }

    /// The files that are searched.
    pub(super) fn files(&self) -> Result<&[File], GraphError> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let mut files = self.all_files()?;
        files.retain(|file| self.kept_files.as_ref().is_none_or(|kept| kept.contains(&file.id)));
        Ok(self.files.get_or_init(|| files))
    }

    /// Whether there may be `impl` blocks, which are found by what is in them.
    pub(super) fn has_impls(&self) -> Result<bool, GraphError> {
        let mut statement = self.connection.prepare_cached("SELECT 1 FROM file_rows WHERE lang = ?1")?;
        Ok(statement.exists([Stored(Lang::Rust)])?)
    }

    fn all_files(&self) -> Result<Vec<File>, GraphError> {
        let mut statement = self.connection.prepare_cached("SELECT id, path, lang FROM file_rows")?;
        let files = statement.query_map([], |row| {
            let Stored(lang) = row.get(2)?;
            Ok(File { id: row.get(0)?, path: row.get(1)?, lang })
        })?;
        Ok(files.collect::<Result<_, _>>()?)
    }

    /// The first rows that stand in code, up to `most`, then as many of the others as have room. Only the files of rows that
    /// are looked at are read.
    pub(super) fn code_before_tests(&self, rows: &[i64], most: usize) -> Result<Vec<i64>, GraphError> {
        let mut path = self.connection.prepare_cached("SELECT path FROM file_rows WHERE id = ?1")?;
        let (mut code, mut tests) = (Vec::new(), Vec::new());
        let mut known: Option<(u32, bool)> = None;
        for row in rows {
            let file = file_of_row(*row);
            let is_test = match known {
                Some((known, is_test)) if known == file => is_test,
                // A function is no test by itself, so that only the place decides.
                _ => path
                    .query_row([file], |row| Ok(is_test(row.get_ref(0)?.as_str()?, SymbolKind::Function)))?,
            };
            known = Some((file, is_test));
            let list = if is_test { &mut tests } else { &mut code };
            if list.len() < most {
                list.push(*row);
            }
            if code.len() == most {
                break;
            }
        }
        tests.truncate(most - code.len());
        code.append(&mut tests);
        Ok(code)
    }

    /// Files whose paths have some of the words, by the words that they do not have. Files with all words are left
    /// out: nothing would be said about what is in them.
    pub(super) fn files_by_missing_words<'w>(
        &self,
        words: &'w [String],
    ) -> Result<BTreeMap<Vec<&'w String>, HashSet<i64>>, GraphError> {
        let mut by_missing: BTreeMap<Vec<&String>, HashSet<i64>> = BTreeMap::new();
        for file in self.files()? {
            let lower = file.path.to_lowercase();
            if !words.iter().any(|word| lower.contains(word.as_str())) {
                continue;
            }
            let is_missing = |word: &&String| !path_has(&file.path, &lower, word);
            let missing: Vec<&String> = words.iter().filter(is_missing).collect();
            if !missing.is_empty() && missing.len() < words.len() {
                by_missing.entry(missing).or_default().insert(file.id);
            }
        }
        Ok(by_missing)
    }
}

/// Whether a word of a path begins so.
fn path_has(path: &str, lower: &str, word: &str) -> bool {
    let is_part = |at: usize| lower.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut places = lower.match_indices(word).map(|(at, _)| at).peekable();
    if places.peek().is_none() {
        return false;
    }
    // Behind a sign a word begins for sure; inside of a name, case and digits decide.
    let is_ascii = path.is_ascii();
    places.any(|at| is_ascii && (at == 0 || !is_part(at - 1)))
        || words_of(path).iter().any(|part| part.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::path_has;

    #[test]
    fn a_word_of_a_path_may_begin_inside_of_a_name() {
        for (path, word, is_there) in [
            ("src/parcelSender.ts", "sender", true),
            ("src/parcelsender.ts", "sender", false),
            ("src/parcel_sender.ts", "send", true),
            ("src/v2parcel.ts", "parcel", false),
            ("src/größe.ts", "e", false),
        ] {
            assert_eq!(path_has(path, &path.to_lowercase(), word), is_there, "{path}");
        }
    }
}
