//! String literals and config keys.

use super::words::{all_of, beginnings, last_begins, whole};
use super::{Finder, Found, Match, MatchKind};
use crate::error::GraphError;
use crate::query::symbol::is_test;
use orbit_extract::{ConfigKind, SymbolKind};
use rusqlite::params;

const STRINGS: &str =
    "SELECT s.id, f.path, s.line, s.value FROM string_rows s JOIN file_rows f ON f.id = s.id >> 22
     WHERE s.id IN (SELECT rowid FROM strings_fts WHERE strings_fts MATCH ?1) AND ?2 = ?2";

const CONFIGS: &str =
    "SELECT c.id, f.path, c.line, c.key FROM config_rows c JOIN file_rows f ON f.id = c.id >> 22
     WHERE c.id IN (SELECT rowid FROM configs_fts WHERE configs_fts MATCH ?1) AND c.kind <> ?2";

impl Finder<'_> {
    /// Shorter ones first, code before tests. Words may be beginnings when nothing was `found` before.
    pub(super) fn values(
        &self,
        words: &[String],
        kind: MatchKind,
        before: &Found,
    ) -> Result<Found, GraphError> {
        let has_room = before.matches.len() < self.query.limit;
        let mut found = self.values_matching(&whole(words), kind, has_room)?;
        if before.total > 0 {
            return Ok(found);
        }
        for matching in [last_begins(words), all_of(&beginnings(words))] {
            if found.total > 0 {
                break;
            }
            found = self.values_matching(&matching, kind, has_room)?;
        }
        Ok(found)
    }

    /// How many strings match: nothing of them is read.
    fn count_strings(&self, matching: &str) -> Result<Found, GraphError> {
        let mut statement =
            self.connection.prepare_cached("SELECT rowid FROM strings_fts WHERE strings_fts MATCH ?1")?;
        let mut rows = statement.query([matching])?;
        let mut found = Found::default();
        while let Some(row) = rows.next()? {
            found.total += usize::from(self.keeps_row(row.get(0)?));
        }
        Ok(found)
    }

    /// Header cells of tables are found only when config keys are asked for.
    fn values_matching(&self, matching: &str, kind: MatchKind, has_room: bool) -> Result<Found, GraphError> {
        if kind == MatchKind::String && !has_room {
            return self.count_strings(matching);
        }
        let (sql, score) = if kind == MatchKind::String { (STRINGS, 50.0) } else { (CONFIGS, 25.0) };
        let hidden = if self.query.kind == Some(kind) { u8::MAX } else { ConfigKind::Csv as u8 };
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![matching, hidden])?;
        let mut found = Found::default();
        while let Some(row) = rows.next()? {
            if !self.keeps_row(row.get(0)?) {
                continue;
            }
            found.total += 1;
            if !has_room {
                continue;
            }
            let path: String = row.get(1)?;
            found.matches.push(Match {
                kind,
                symbol_kind: None,
                name: None,
                qualified: None,
                signature: None,
                value: row.get(3)?,
                selector: format!("file:{path}"),
                path,
                line: row.get(2)?,
                score,
            });
        }
        found.matches.sort_by(|a, b| order(a).cmp(&order(b)));
        Ok(found)
    }
}

/// Code before tests, then shorter values, then shorter paths.
fn order(hit: &Match) -> (bool, usize, usize, &str, u32) {
    // A value is no test by itself, so that only the place decides.
    let is_test = is_test(&hit.path, SymbolKind::Variable);
    (is_test, hit.value.as_ref().map_or(0, String::len), hit.path.len(), &hit.path, hit.line)
}
