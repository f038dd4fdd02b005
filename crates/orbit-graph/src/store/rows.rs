//! Rows as they are stored, for whoever changes code: symbols, uses and relations with their places in files.

use super::schema::EXTERNAL;
use super::stored::{Numbered, Stored};
use super::symbols::{self, Symbol};
use super::{file_of_row, first_row};
use crate::error::GraphError;
use crate::resolve::Confidence;
use orbit_extract::{Lang, RefKind, RelationKind, SymbolAddress, SymbolKind, unnumbered};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// A symbol and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolFacts {
    /// Names it until the next sync.
    pub id: i64,
    /// Relative to the worktree.
    pub path: String,
    /// The language of its file.
    pub lang: Lang,
    /// Short name.
    pub name: String,
    /// Full name.
    pub qualified: String,
    /// Qualified inside the file, with `#2` for a second definition.
    pub local: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole definition, in bytes.
    pub span: (u32, u32),
    /// 1-based line of the name.
    pub line: u32,
    /// Up to the body.
    pub signature: Option<String>,
    /// The symbol it stands in.
    pub parent: Option<i64>,
    /// Visible outside of its file.
    pub exported: bool,
}

impl SymbolFacts {
    /// Canonical: feeds the next call.
    pub fn selector(&self) -> String {
        self.address().to_string()
    }

    /// Where it is.
    pub fn address(&self) -> SymbolAddress {
        SymbolAddress { path: self.path.clone(), local: self.local.clone(), kind: self.kind }
    }

    /// Its local name without the number of a second definition.
    pub fn unnumbered(&self) -> &str {
        unnumbered(&self.local)
    }
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseFacts {
    /// Relative to the worktree.
    pub file: String,
    /// The identifier, in bytes.
    pub span: (u32, u32),
    /// 1-based.
    pub line: u32,
    /// As written, or as it is called where it comes from.
    pub name: String,
    /// Why it is used.
    pub kind: RefKind,
    /// What it means, when that is known.
    pub target: Option<i64>,
    /// How sure that is.
    pub confidence: Confidence,
    /// Known to come from outside of the repository.
    pub external: bool,
    /// The symbol it stands in.
    pub scope: Option<i64>,
}

/// A type that hangs on another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationFacts {
    /// Where it is written.
    pub file: String,
    /// Where the other type is named, in bytes.
    pub span: (u32, u32),
    /// `impl`, `extends` or `implements`.
    pub kind: RelationKind,
    /// The type that has the relation.
    pub from: Option<i64>,
    /// The trait, superclass or interface; `None` when it is not of this repository.
    pub to: Option<i64>,
    /// As written.
    pub to_name: String,
}

/// An indexed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Relative to the worktree.
    pub path: String,
    /// Its language.
    pub lang: Lang,
    /// Its module.
    pub module: String,
    /// Of the bytes that were read.
    pub hash: [u8; 32],
    /// The parser had to recover somewhere.
    pub has_errors: bool,
}

/// An import and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFacts {
    /// The file that imports.
    pub file: String,
    /// As written.
    pub module: String,
    /// What is taken from it; `None` for a module or all of it.
    pub symbol: Option<String>,
    /// What it is called here.
    pub alias: Option<String>,
    /// 1-based.
    pub line: u32,
    /// The file it leads to.
    pub resolved: Option<String>,
}

/// Rows by whatever leads to them. Every call reads the present index.
pub struct Facts<'g> {
    pub(crate) connection: &'g Connection,
}

impl<'g> Facts<'g> {
    pub(crate) fn new(connection: &'g Connection) -> Facts<'g> {
        Facts { connection }
    }

    /// The symbol with this row.
    pub fn by_id(&self, id: i64) -> Result<Option<SymbolFacts>, GraphError> {
        Ok(self.symbols("WHERE s.id = ?1", [id])?.pop())
    }

    /// All symbols of a name.
    pub fn named(&self, name: &str) -> Result<Vec<SymbolFacts>, GraphError> {
        self.symbols(&format!("WHERE {} ORDER BY f.path, s.id", symbols::NAMED), [name])
    }

    /// All symbols of a kind.
    pub fn of_kind(&self, kind: SymbolKind) -> Result<Vec<SymbolFacts>, GraphError> {
        self.symbols("WHERE s.kind = ?1 ORDER BY s.id", [Stored(kind)])
    }

    /// All symbols of a file, outer ones before inner ones.
    pub fn of_file(&self, path: &str) -> Result<Vec<SymbolFacts>, GraphError> {
        self.symbols(
            &format!("WHERE {} ORDER BY s.span_start, s.span_end DESC, s.id", symbols::IN_FILE),
            [path],
        )
    }

    fn symbols(&self, tail: &str, params: impl rusqlite::Params) -> Result<Vec<SymbolFacts>, GraphError> {
        let sql =
            format!("SELECT {}, s.parent, s.exported FROM {} {tail}", symbols::COLUMNS, symbols::SOURCE);
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params, |row| {
            let Symbol { id, address, lang, name, qualified, span, line, signature, .. } =
                Symbol::from_row(row)?;
            let SymbolAddress { path, local, kind } = address;
            let (parent, exported) = (row.get(13)?, row.get(14)?);
            Ok(SymbolFacts {
                id,
                path,
                lang,
                name,
                qualified,
                local,
                kind,
                span,
                line,
                signature,
                parent,
                exported,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Every use of a symbol, whatever it is called there.
    pub fn uses_of(&self, id: i64) -> Result<Vec<UseFacts>, GraphError> {
        self.uses("WHERE r.target = ?1 ORDER BY r.id", params![id])
    }

    /// Every use of a name, whatever it means.
    pub fn uses_named(&self, name: &str) -> Result<Vec<UseFacts>, GraphError> {
        self.uses("WHERE r.name = ?1 ORDER BY r.id", params![name])
    }

    /// Every use in a file.
    pub fn uses_in(&self, path: &str) -> Result<Vec<UseFacts>, GraphError> {
        let Some(file) = self.file_id(path)? else { return Ok(Vec::new()) };
        self.uses(
            "WHERE r.id BETWEEN ?1 AND ?2 ORDER BY r.id",
            params![first_row(file), first_row(file + 1) - 1],
        )
    }

    fn uses(&self, tail: &str, params: impl rusqlite::Params) -> Result<Vec<UseFacts>, GraphError> {
        let sql = format!(
            "SELECT f.path, r.span_start, r.span_end, r.line, r.name, r.kind, r.target, r.confidence, r.scope
             FROM ref_rows r JOIN file_rows f ON f.id = r.id >> 22 {tail}"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params, |row| {
            let confidence: u8 = row.get(7)?;
            Ok(UseFacts {
                file: row.get(0)?,
                span: (row.get(1)?, row.get(2)?),
                line: row.get(3)?,
                name: row.get(4)?,
                kind: row.get::<_, Stored<RefKind>>(5)?.0,
                target: row.get(6)?,
                confidence: Confidence::of(confidence),
                external: confidence == EXTERNAL,
                scope: row.get(8)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What a type hangs on.
    pub fn relations_from(&self, id: i64) -> Result<Vec<RelationFacts>, GraphError> {
        self.relations("WHERE r.from_symbol = ?1 ORDER BY r.id", params![id])
    }

    /// What hangs on a type.
    pub fn relations_to(&self, id: i64) -> Result<Vec<RelationFacts>, GraphError> {
        self.relations("WHERE r.to_symbol = ?1 ORDER BY r.id", params![id])
    }

    /// Relations written in a file.
    pub fn relations_in(&self, path: &str) -> Result<Vec<RelationFacts>, GraphError> {
        let Some(file) = self.file_id(path)? else { return Ok(Vec::new()) };
        self.relations(
            "WHERE r.id BETWEEN ?1 AND ?2 ORDER BY r.id",
            params![first_row(file), first_row(file + 1) - 1],
        )
    }

    fn relations(&self, tail: &str, params: impl rusqlite::Params) -> Result<Vec<RelationFacts>, GraphError> {
        let sql = format!(
            "SELECT f.path, r.span_start, r.span_end, r.kind, r.from_symbol, r.to_symbol, r.to_name
             FROM relation_rows r JOIN file_rows f ON f.id = r.id >> 22 {tail}"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params, |row| {
            Ok(RelationFacts {
                file: row.get(0)?,
                span: (row.get(1)?, row.get(2)?),
                kind: row.get::<_, Stored<RelationKind>>(3)?.0,
                from: row.get(4)?,
                to: row.get(5)?,
                to_name: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Every indexed file, by path.
    pub fn files(&self) -> Result<Vec<FileFacts>, GraphError> {
        let sql = "SELECT path, lang, module, content_hash, has_errors FROM file_rows ORDER BY path";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], file_facts)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One indexed file.
    pub fn file(&self, path: &str) -> Result<Option<FileFacts>, GraphError> {
        let sql = "SELECT path, lang, module, content_hash, has_errors FROM file_rows WHERE path = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([path], file_facts).optional()?)
    }

    /// Files that are part of the repository and were not read, with the reason, by path.
    pub fn unread(&self) -> Result<Vec<(String, String)>, GraphError> {
        let sql =
            "SELECT path, reason FROM skipped_rows UNION SELECT path, reason FROM unread_rows ORDER BY path";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The imports of a file.
    pub fn imports_of(&self, path: &str) -> Result<Vec<ImportFacts>, GraphError> {
        let Some(file) = self.file_id(path)? else { return Ok(Vec::new()) };
        let sql = "SELECT i.target_path, i.target_symbol, i.alias, i.line, t.path FROM import_rows i
                   LEFT JOIN file_rows t ON t.id = i.resolved_file WHERE i.id BETWEEN ?1 AND ?2 ORDER BY i.id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([first_row(file), first_row(file + 1) - 1], |row| {
            let (module, symbol, alias) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(ImportFacts {
                file: path.to_owned(),
                module,
                symbol,
                alias,
                line: row.get(3)?,
                resolved: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Names that imports give to things that are called otherwise where they come from.
    pub fn aliases(&self) -> Result<Vec<String>, GraphError> {
        let sql = "SELECT DISTINCT alias FROM import_rows WHERE alias IS NOT NULL AND alias IS NOT target_symbol ORDER BY alias";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The file that a row belongs to.
    pub fn file_of(&self, id: i64) -> Result<Option<String>, GraphError> {
        let sql = "SELECT path FROM file_rows WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([file_of_row(id)], |row| row.get(0)).optional()?)
    }

    fn file_id(&self, path: &str) -> Result<Option<u32>, GraphError> {
        let mut statement = self.connection.prepare_cached("SELECT id FROM file_rows WHERE path = ?1")?;
        Ok(statement.query_row([path], |row| row.get(0)).optional()?)
    }
}

fn file_facts(row: &Row<'_>) -> rusqlite::Result<FileFacts> {
    let hash: Vec<u8> = row.get(3)?;
    Ok(FileFacts {
        path: row.get(0)?,
        lang: row.get::<_, Stored<Lang>>(1)?.0,
        module: row.get(2)?,
        hash: hash.try_into().unwrap_or_default(),
        has_errors: row.get(4)?,
    })
}
