//! Which files are searched, and which of them are named by words.

use super::Finder;
use super::words::{Term, all_of};
use crate::error::GraphError;
use crate::query::symbol::is_test;
use crate::store::file_of_row;
use crate::store::stored::Stored;
use orbit_extract::{Lang, SymbolKind};
use rusqlite::params;
use std::collections::{BTreeMap, HashSet};

/// Paths with a word, beyond which it does not narrow anything down.
const MOST_NAMED: i64 = 1000;

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
        let (mut code, mut tests) = (Vec::new(), Vec::new());
        for row in rows {
            let list = if self.is_test_row(*row)? { &mut tests } else { &mut code };
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

    /// Whether a row stands in a file of tests.
    pub(super) fn is_test_row(&self, row: i64) -> Result<bool, GraphError> {
        // A function is no test by itself, so that only the place decides.
        let says = |path: &str| is_test(path, SymbolKind::Function);
        self.lists.is_test_file(self.connection, file_of_row(row), says)
    }

    /// Files whose paths have some of the words, by the words that they do not have. Files with all words are left
    /// out: nothing would be said about what is in them. A word that very many paths have does not tell them apart.
    pub(super) fn files_by_missing_words<'w>(
        &self,
        terms: &'w [Term],
    ) -> Result<BTreeMap<Vec<&'w Term>, HashSet<i64>>, GraphError> {
        let mut named: BTreeMap<i64, Vec<&Term>> = BTreeMap::new();
        let mut with_word = self
            .connection
            .prepare_cached("SELECT rowid FROM files_fts WHERE files_fts MATCH ?1 LIMIT ?2")?;
        for term in terms {
            let rows = with_word
                .query_map(params![all_of(std::slice::from_ref(term)), MOST_NAMED + 1], |row| row.get(0))?;
            let files: Vec<i64> = rows.collect::<Result<_, _>>()?;
            if files.len() as i64 <= MOST_NAMED {
                for file in files {
                    named.entry(file).or_default().push(term);
                }
            }
        }
        let mut by_missing: BTreeMap<Vec<&Term>, HashSet<i64>> = BTreeMap::new();
        for (file, has) in named {
            let missing: Vec<&Term> = terms.iter().filter(|term| !has.contains(term)).collect();
            if !missing.is_empty() && self.kept_files.as_ref().is_none_or(|kept| kept.contains(&file)) {
                by_missing.entry(missing).or_default().insert(file);
            }
        }
        Ok(by_missing)
    }
}
