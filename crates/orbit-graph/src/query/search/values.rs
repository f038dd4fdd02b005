//! String literals and config keys.

use super::words::{all_begin, last_begins, whole};
use super::{Finder, Found, Match, MatchKind};
use crate::error::GraphError;
use crate::store::stored::Stored;
use orbit_extract::{ConfigKind, Lang};
use rusqlite::params;

const STRINGS: &str =
    "SELECT f.path, s.line, s.value, f.lang FROM string_rows s JOIN file_rows f ON f.id = s.id >> 22
     WHERE s.id IN (SELECT rowid FROM strings_fts WHERE strings_fts MATCH ?1 LIMIT ?2) AND ?3 = ?3
     ORDER BY length(s.value), length(f.path), f.path, s.line";

const CONFIGS: &str =
    "SELECT f.path, c.line, c.key, f.lang FROM config_rows c JOIN file_rows f ON f.id = c.id >> 22
     WHERE c.id IN (SELECT rowid FROM configs_fts WHERE configs_fts MATCH ?1 LIMIT ?2) AND c.kind <> ?3
     ORDER BY length(c.key), length(f.path), f.path, c.line";

impl Finder<'_> {
    /// Shorter ones first. Words may be beginnings when nothing has been found yet.
    pub(super) fn values(
        &self,
        words: &[String],
        kind: MatchKind,
        has_others: bool,
    ) -> Result<Found, GraphError> {
        let mut found = self.values_matching(&whole(words), kind)?;
        if has_others {
            found.complete = false;
            return Ok(found);
        }
        for matching in [last_begins(words), all_begin(words)] {
            if !found.matches.is_empty() {
                break;
            }
            found = self.values_matching(&matching, kind)?;
        }
        Ok(found)
    }

    /// Header cells of tables are found only when config keys are asked for.
    fn values_matching(&self, matching: &str, kind: MatchKind) -> Result<Found, GraphError> {
        let (sql, score) = if kind == MatchKind::String { (STRINGS, 50.0) } else { (CONFIGS, 25.0) };
        let hidden = if self.query.kind == Some(kind) { u8::MAX } else { ConfigKind::Csv as u8 };
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![matching, self.pool(), hidden])?;
        let (mut matches, mut looked_at) = (Vec::new(), 0);
        while let Some(row) = rows.next()? {
            looked_at += 1;
            let (path, Stored(lang)): (String, Stored<Lang>) = (row.get(0)?, row.get(3)?);
            if !self.keeps_file(&path, lang) {
                continue;
            }
            matches.push(Match {
                kind,
                symbol_kind: None,
                name: None,
                qualified: None,
                signature: None,
                value: row.get(2)?,
                selector: format!("file:{path}"),
                path,
                line: row.get(1)?,
                score,
            });
        }
        Ok(Found { matches, complete: looked_at < self.pool() })
    }
}
