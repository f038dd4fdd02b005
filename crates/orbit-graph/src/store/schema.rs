//! The tables. Every file-bound row lies in its file's number range (see [`super::FILE_SHIFT`]), so no row
//! repeats its file's path, no index on the file is needed, and a file is replaced by deleting ranges.
//!
//! The `*_rows` tables hold numbers; the views `files`, `symbols`, `refs`, `relations`, `imports`, `commands`,
//! `arms`, `strings` and `configs` show them with paths, kinds and confidences in words, for people and scripts.

use crate::resolve::Confidence;
use orbit_extract::{ConfigKind, Lang, RefKind, RelationKind, SymbolKind};
use std::fmt::Write as _;

/// Bumped whenever tables change.
pub(crate) const VERSION: u32 = 7;

/// Stored instead of a confidence when a name is known to come from outside the repository.
pub(crate) const EXTERNAL: u8 = 6;

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE file_rows (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  content_hash BLOB NOT NULL,
  mtime_ns INTEGER NOT NULL,
  byte_len INTEGER NOT NULL,
  lang INTEGER NOT NULL,
  module TEXT NOT NULL,
  has_errors INTEGER NOT NULL,
  extracted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE skipped_rows (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, byte_len INTEGER NOT NULL,
  reason TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE unread_rows (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, byte_len INTEGER NOT NULL,
  reason TEXT NOT NULL, words BLOB) STRICT, WITHOUT ROWID;
CREATE TABLE manifest_rows (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, byte_len INTEGER NOT NULL,
  facts TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE fact_rows (file INTEGER PRIMARY KEY, surface BLOB NOT NULL, uses BLOB NOT NULL) STRICT;
CREATE TABLE lookup_rows (file INTEGER PRIMARY KEY, keys BLOB NOT NULL) STRICT;
CREATE TABLE module_rows (key INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, file)) STRICT, WITHOUT ROWID;

CREATE TABLE extra_key_rows (key INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) STRICT, WITHOUT ROWID;

CREATE TABLE symbol_rows (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  qualified TEXT NOT NULL,
  overload INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  signature TEXT,
  parent INTEGER,
  exported INTEGER NOT NULL,
  key INTEGER NOT NULL
) STRICT;

CREATE TABLE ref_rows (
  id INTEGER PRIMARY KEY,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  line INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind INTEGER NOT NULL,
  scope INTEGER,
  target INTEGER,
  confidence INTEGER NOT NULL
) STRICT;

CREATE TABLE relation_rows (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  line INTEGER NOT NULL,
  from_symbol INTEGER,
  from_name TEXT NOT NULL,
  to_symbol INTEGER,
  to_name TEXT NOT NULL,
  to_last TEXT NOT NULL,
  confidence INTEGER NOT NULL
) STRICT;

CREATE TABLE import_rows (
  id INTEGER PRIMARY KEY,
  target_path TEXT NOT NULL,
  target_symbol TEXT,
  alias TEXT,
  reexport INTEGER NOT NULL,
  line INTEGER NOT NULL,
  resolved_file INTEGER
) STRICT;

CREATE TABLE command_rows (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  span_start INTEGER NOT NULL,
  line INTEGER NOT NULL,
  handler INTEGER,
  body_start INTEGER,
  body_end INTEGER
) STRICT;

CREATE TABLE arm_rows (
  id INTEGER PRIMARY KEY,
  variant INTEGER NOT NULL,
  line INTEGER NOT NULL,
  body_start INTEGER NOT NULL,
  body_end INTEGER NOT NULL,
  call INTEGER
) STRICT;

CREATE TABLE string_rows (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, value TEXT NOT NULL, scope INTEGER) STRICT;
CREATE TABLE config_rows (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, key TEXT NOT NULL, kind INTEGER NOT NULL) STRICT;

CREATE TABLE router_rows (
  id INTEGER PRIMARY KEY,
  role INTEGER NOT NULL,
  symbol INTEGER,
  router INTEGER,
  on_router INTEGER,
  on_at INTEGER,
  child_at INTEGER,
  child_module TEXT,
  prefix TEXT,
  replaces INTEGER NOT NULL
) STRICT;

CREATE TABLE text_rows (file INTEGER PRIMARY KEY, signature BLOB NOT NULL) STRICT;
CREATE TABLE tally_rows (file INTEGER PRIMARY KEY, words BLOB NOT NULL) STRICT;
CREATE TABLE outcome_rows (file INTEGER PRIMARY KEY, words BLOB NOT NULL) STRICT;
CREATE TABLE word_rows (
  word INTEGER PRIMARY KEY,
  total INTEGER NOT NULL,
  text INTEGER NOT NULL,
  definitions INTEGER NOT NULL,
  reference INTEGER NOT NULL,
  local INTEGER NOT NULL,
  path INTEGER NOT NULL,
  keys INTEGER NOT NULL,
  damaged INTEGER NOT NULL,
  resolved INTEGER NOT NULL,
  external INTEGER NOT NULL,
  open_plain INTEGER NOT NULL,
  open_member INTEGER NOT NULL
) STRICT;
CREATE TABLE open_rows (word INTEGER NOT NULL, file INTEGER NOT NULL, by INTEGER NOT NULL, PRIMARY KEY (word, file, by))
  STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE symbols_fts USING fts5(name, qualified, signature, content='', contentless_delete=1, detail=column,
  prefix='4');
CREATE VIRTUAL TABLE files_fts USING fts5(path, content='', contentless_delete=1, detail=none);
CREATE VIRTUAL TABLE strings_fts USING fts5(value, content='', contentless_delete=1, detail=none);
CREATE VIRTUAL TABLE configs_fts USING fts5(key, content='', contentless_delete=1, detail=none);
";

/// SQLite uses a partial index only for a condition that is written out, so the number stands in the SQL of the index and
/// of the query that uses it.
const _: () = assert!(Confidence::FuzzyName as u8 == 5, "ref_name and unresolved_uses say 5");

/// Indexes are made after a whole build has filled the tables.
pub(crate) const INDEXES: &str = "
CREATE INDEX file_lang ON file_rows (lang);
CREATE INDEX symbol_name ON symbol_rows (name COLLATE NOCASE, kind);
CREATE INDEX symbol_key ON symbol_rows (key);
CREATE INDEX ref_target ON ref_rows (target) WHERE target IS NOT NULL;
CREATE INDEX ref_name ON ref_rows (name) WHERE target IS NULL AND confidence = 5;
CREATE INDEX relation_from ON relation_rows (from_symbol) WHERE from_symbol IS NOT NULL;
CREATE INDEX relation_to ON relation_rows (to_symbol) WHERE to_symbol IS NOT NULL;
CREATE INDEX relation_to_last ON relation_rows (to_last);
CREATE INDEX import_file ON import_rows (resolved_file) WHERE resolved_file IS NOT NULL;
CREATE INDEX module_file ON module_rows (file);
CREATE INDEX extra_key_id ON extra_key_rows (id);
CREATE INDEX command_name ON command_rows (name);
CREATE INDEX arm_variant ON arm_rows (variant);
CREATE INDEX command_handler ON command_rows (handler) WHERE handler IS NOT NULL;
";

/// Tables whose rows lie in their file's number range.
pub(crate) const FILE_BOUND: [&str; 10] = [
    "symbol_rows",
    "ref_rows",
    "relation_rows",
    "import_rows",
    "command_rows",
    "arm_rows",
    "string_rows",
    "config_rows",
    "router_rows",
    "extra_key_rows",
];

/// The statements that make an empty database.
pub(crate) fn tables() -> String {
    format!("PRAGMA user_version = {VERSION};{TABLES}{}", views())
}

fn views() -> String {
    let shift = super::FILE_SHIFT;
    let lang = words("f.lang", Lang::ALL.map(|lang| (lang as u8, lang.as_str())));
    let kind = words("s.kind", SymbolKind::ALL.map(|kind| (kind as u8, kind.as_str())));
    let ref_kinds =
        [RefKind::Call, RefKind::Type, RefKind::Use, RefKind::TraitBound, RefKind::Value, RefKind::Macro];
    let ref_kind = words("r.kind", ref_kinds.map(|kind| (kind as u8, kind.as_str())));
    let relation_kind = words("r.kind", RelationKind::ALL.map(|kind| (kind as u8, kind.as_str())));
    let config_kind = words("c.kind", ConfigKind::ALL.map(|kind| (kind as u8, kind.as_str())));
    let levels =
        [Confidence::Exact, Confidence::ImportResolved, Confidence::SameModule, Confidence::FuzzyName];
    let fuzzy = Confidence::FuzzyName.as_str();
    let confidence = words("r.confidence", levels.map(|level| (level as u8, level.as_str())));
    let confidence = format!("coalesce({confidence}, '{fuzzy}')");
    let qualified = "s.qualified || CASE WHEN s.overload > 0 THEN '#' || (s.overload + 1) ELSE '' END";
    let target = qualified.replace("s.", "t.");
    let origin = qualified.replace("s.", "o.");
    format!(
        "
CREATE VIEW files AS SELECT f.path, f.content_hash, f.mtime_ns, {lang} AS lang, f.byte_len, f.extracted_at, f.module,
  f.has_errors FROM file_rows f;
CREATE VIEW symbols AS SELECT s.id, f.path AS file_path, s.name, {qualified} AS qualified, {kind} AS kind, s.span_start,
  s.span_end, s.signature, s.parent AS parent_symbol, s.line, s.end_line, s.exported
  FROM symbol_rows s JOIN file_rows f ON f.id = s.id >> {shift};
CREATE VIEW refs AS SELECT r.id, f.path AS from_file, r.span_start AS from_span_start, r.span_end AS from_span_end,
  r.name AS target_name, {target} AS target_qualified, r.target AS target_symbol_hint, {ref_kind} AS kind,
  {confidence} AS confidence, r.line, r.scope AS from_symbol, r.confidence = {EXTERNAL} AS external
  FROM ref_rows r JOIN file_rows f ON f.id = r.id >> {shift} LEFT JOIN symbol_rows t ON t.id = r.target;
CREATE VIEW relations AS SELECT r.id, coalesce({origin}, r.from_name) AS from_qualified,
  coalesce({target}, r.to_name) AS to_qualified, {relation_kind} AS kind, f.path AS def_file,
  r.span_start AS def_span_start, r.span_end AS def_span_end, {confidence} AS confidence, r.line
  FROM relation_rows r JOIN file_rows f ON f.id = r.id >> {shift}
  LEFT JOIN symbol_rows o ON o.id = r.from_symbol LEFT JOIN symbol_rows t ON t.id = r.to_symbol;
CREATE VIEW imports AS SELECT f.path AS from_file, i.target_path, i.target_symbol, i.alias, i.reexport, i.line,
  t.path AS resolved_file FROM import_rows i JOIN file_rows f ON f.id = i.id >> {shift}
  LEFT JOIN file_rows t ON t.id = i.resolved_file;
CREATE VIEW commands AS SELECT c.id, c.name, f.path AS file_path, c.span_start, c.line, c.handler AS handler_symbol
  FROM command_rows c JOIN file_rows f ON f.id = c.id >> {shift};
CREATE VIEW arms AS SELECT a.id, f.path AS file_path, a.line, a.variant AS variant_symbol, a.body_start, a.body_end, a.call
  FROM arm_rows a JOIN file_rows f ON f.id = a.id >> {shift};
CREATE VIEW strings AS SELECT s.id, f.path AS file_path, s.line, s.value, s.scope AS context_symbol
  FROM string_rows s JOIN file_rows f ON f.id = s.id >> {shift};
CREATE VIEW configs AS SELECT c.id, f.path AS file_path, c.line, c.key, {config_kind} AS kind
  FROM config_rows c JOIN file_rows f ON f.id = c.id >> {shift};
"
    )
}

/// `CASE column WHEN number THEN 'word' … END`.
fn words<const N: usize>(column: &str, words: [(u8, &str); N]) -> String {
    let mut case = format!("CASE {column}");
    for (number, word) in words {
        let _ = write!(case, " WHEN {number} THEN '{word}'");
    }
    case.push_str(" END");
    case
}
