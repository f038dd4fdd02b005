//! The only code that changes the rows of files. One writer, one transaction, statements prepared once.

mod commands;
mod routers;
mod split;

use super::schema::{EXTERNAL, FILE_BOUND};
use super::words::Changes;
use super::{FILE_SHIFT, first_row};
use crate::error::GraphError;
use crate::layout::is_header;
use crate::resolve::ResolvedFile;
use crate::resolve::surface::{Surface, SymRef};
use orbit_extract::{ExtractedFile, Family, ScopeId, SymbolKind};
use rusqlite::{CachedStatement, Connection, params};
use split::{split_last, split_words};

/// A file extracted and given its place, with everything its rows need.
pub(crate) struct PreparedFile {
    pub(crate) id: u32,
    pub(crate) path: String,
    pub(crate) content_hash: [u8; 32],
    pub(crate) mtime_ns: i64,
    pub(crate) byte_len: u64,
    pub(crate) module: String,
    pub(crate) facts: ExtractedFile,
    /// The row slot of each symbol.
    pub(crate) slots: Vec<u32>,
    /// Keys of the symbols and modules, from the file's surface.
    pub(crate) symbol_keys: Vec<i64>,
    pub(crate) module_keys: Vec<i64>,
    /// Further keys a symbol is found under: `(key, index)`.
    pub(crate) extra_keys: Vec<(i64, u32)>,
    pub(crate) surface_blob: Vec<u8>,
    pub(crate) uses_blob: Vec<u8>,
}

/// Writes rows inside the transaction its connection has open.
pub(crate) struct Writer<'c> {
    connection: &'c Connection,
    symbol: CachedStatement<'c>,
    symbol_fts: CachedStatement<'c>,
    string: CachedStatement<'c>,
    string_fts: CachedStatement<'c>,
    reference: CachedStatement<'c>,
    extracted_at: i64,
    words: String,
    /// The names round a symbol, as they are searched.
    container: String,
    changes: Changes<'c>,
}

impl<'c> Writer<'c> {
    pub(crate) fn new(connection: &'c Connection, extracted_at: i64) -> Result<Writer<'c>, GraphError> {
        Ok(Writer {
            connection,
            symbol: connection.prepare_cached(
                "INSERT INTO symbol_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            )?,
            symbol_fts: connection.prepare_cached(
                "INSERT INTO symbols_fts (rowid, name, qualified, signature) VALUES (?1, ?2, ?3, ?4)",
            )?,
            string: connection.prepare_cached("INSERT INTO string_rows VALUES (?1, ?2, ?3, ?4)")?,
            string_fts: connection
                .prepare_cached("INSERT INTO strings_fts (rowid, value) VALUES (?1, ?2)")?,
            reference: connection
                .prepare_cached("INSERT INTO ref_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?,
            extracted_at,
            words: String::new(),
            container: String::new(),
            changes: Changes::new(connection),
        })
    }

    /// Writes what is only known when all files are done.
    pub(crate) fn finish(self) -> Result<(), GraphError> {
        self.changes.flush()
    }

    /// Removes everything a file has in the index.
    pub(crate) fn remove_file(&mut self, id: u32) -> Result<(), GraphError> {
        self.remove_rows(id)?;
        self.changes.unresolve(id)?;
        for sql in [
            "DELETE FROM file_rows WHERE id = ?1",
            "DELETE FROM files_fts WHERE rowid = ?1",
            "DELETE FROM lookup_rows WHERE file = ?1",
        ] {
            self.connection.prepare_cached(sql)?.execute([id])?;
        }
        Ok(())
    }

    /// Removes a file's rows and facts, but not the file itself.
    fn remove_rows(&mut self, id: u32) -> Result<(), GraphError> {
        let (first, last) = range(id);
        self.changes.uncount(id)?;
        for (fts, rows) in
            [("symbols_fts", "symbol_rows"), ("strings_fts", "string_rows"), ("configs_fts", "config_rows")]
        {
            let sql = format!(
                "DELETE FROM {fts} WHERE rowid IN (SELECT id FROM {rows} WHERE id BETWEEN ?1 AND ?2)"
            );
            self.connection.prepare_cached(&sql)?.execute([first, last])?;
        }
        for table in FILE_BOUND {
            let sql = format!("DELETE FROM {table} WHERE id BETWEEN ?1 AND ?2");
            self.connection.prepare_cached(&sql)?.execute([first, last])?;
        }
        self.connection.prepare_cached("DELETE FROM module_rows WHERE file = ?1")?.execute([id])?;
        self.connection.prepare_cached("DELETE FROM fact_rows WHERE file = ?1")?.execute([id])?;
        self.connection.prepare_cached("DELETE FROM text_rows WHERE file = ?1")?.execute([id])?;
        Ok(())
    }

    /// Writes a new file, or replaces the rows of a known one.
    pub(crate) fn write_file(&mut self, file: &PreparedFile, is_known: bool) -> Result<(), GraphError> {
        if is_known {
            self.remove_rows(file.id)?;
        }
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO file_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?
            .execute(params![
                file.id,
                file.path,
                &file.content_hash[..],
                file.mtime_ns,
                file.byte_len as i64,
                file.facts.lang as u8,
                file.module,
                file.facts.has_errors,
                self.extracted_at,
            ])?;
        if !is_known {
            split_words(&file.path, &mut self.words);
            let sql = "INSERT INTO files_fts (rowid, path) VALUES (?1, ?2)";
            self.connection.prepare_cached(sql)?.execute(params![file.id, self.words])?;
        }
        self.connection.prepare_cached("INSERT INTO fact_rows VALUES (?1, ?2, ?3)")?.execute(params![
            file.id,
            file.surface_blob,
            file.uses_blob
        ])?;
        if !file.facts.signature.is_empty() {
            let sql = "INSERT OR REPLACE INTO text_rows VALUES (?1, ?2)";
            self.connection.prepare_cached(sql)?.execute(params![file.id, file.facts.signature])?;
        }
        let mut module =
            self.connection.prepare_cached("INSERT OR IGNORE INTO module_rows VALUES (?1, ?2)")?;
        for key in &file.module_keys {
            module.execute(params![key, file.id])?;
        }
        drop(module);
        let mut extra =
            self.connection.prepare_cached("INSERT OR IGNORE INTO extra_key_rows VALUES (?1, ?2)")?;
        for (key, index) in &file.extra_keys {
            extra.execute(params![key, first_row(file.id) + i64::from(file.slots[*index as usize])])?;
        }
        drop(extra);
        self.changes.count(file.id, file.facts.lang.family(), &file.facts.words)?;
        self.write_symbols(file)?;
        self.write_strings(file)?;
        self.write_configs(file)?;
        self.write_routers(file)
    }

    /// Remembers the stat of a file whose bytes are the same.
    pub(crate) fn touch_file(&mut self, id: u32, mtime_ns: i64, byte_len: u64) -> Result<(), GraphError> {
        self.connection
            .prepare_cached("UPDATE file_rows SET mtime_ns = ?2, byte_len = ?3 WHERE id = ?1")?
            .execute(params![id, mtime_ns, byte_len as i64])?;
        Ok(())
    }

    fn write_symbols(&mut self, file: &PreparedFile) -> Result<(), GraphError> {
        let separator = file.facts.lang.separator();
        let first = first_row(file.id);
        let mut qualified = String::new();
        for (index, symbol) in file.facts.symbols.iter().enumerate() {
            let (name, path) = (file.facts.names.get(symbol.name), file.facts.names.get(symbol.local));
            qualified.clear();
            let module = if is_file_local(file, index) { &file.path } else { &file.module };
            if !module.is_empty() {
                qualified.push_str(module);
                qualified.push_str(separator);
            }
            let container_len = qualified.len() + path.len().saturating_sub(name.len());
            qualified.push_str(path);
            let id = first + i64::from(file.slots[index]);
            let parent = symbol.parent.symbol().map(|parent| first + i64::from(file.slots[parent]));
            self.symbol.execute(params![
                id,
                name,
                qualified,
                symbol.overload,
                symbol.kind as u8,
                symbol.span.start,
                symbol.span.end,
                symbol.line,
                symbol.end_line,
                symbol.signature.as_deref(),
                parent,
                symbol.exported,
                file.symbol_keys[index],
            ])?;
            split_words(name, &mut self.words);
            let container = qualified.get(..container_len).unwrap_or(&qualified);
            let parameters = symbol
                .signature
                .as_deref()
                .and_then(|text| text.split_once(name))
                .map_or("", |(_, rest)| rest);
            self.container.clear();
            self.container.push_str(container);
            split_last(container, separator, &mut self.container);
            self.symbol_fts.execute(params![id, self.words, self.container, parameters])?;
        }
        Ok(())
    }

    fn write_strings(&mut self, file: &PreparedFile) -> Result<(), GraphError> {
        for (index, string) in file.facts.strings.iter().enumerate() {
            let id = first_row(file.id) + index as i64;
            let scope = scope_row(file.id, string.scope, &file.slots);
            self.string.execute(params![id, string.line, string.value, scope])?;
            self.string_fts.execute(params![id, string.value])?;
        }
        Ok(())
    }

    fn write_configs(&mut self, file: &PreparedFile) -> Result<(), GraphError> {
        let mut row = self.connection.prepare_cached("INSERT INTO config_rows VALUES (?1, ?2, ?3, ?4)")?;
        let mut fts =
            self.connection.prepare_cached("INSERT INTO configs_fts (rowid, key) VALUES (?1, ?2)")?;
        for (index, config) in file.facts.configs.iter().enumerate() {
            let id = first_row(file.id) + index as i64;
            row.execute(params![id, config.line, config.key, config.kind as u8])?;
            split_words(&config.key, &mut self.words);
            fts.execute(params![id, self.words])?;
        }
        Ok(())
    }

    /// Writes what depends on other files.
    pub(crate) fn write_resolved(
        &mut self,
        surface: &Surface,
        commands: &[orbit_extract::RawCommand],
        resolved: &ResolvedFile,
        sym_row: &dyn Fn(SymRef) -> i64,
    ) -> Result<(), GraphError> {
        let id = resolved.file;
        let first = first_row(id);
        let slots: Vec<u32> = surface.symbols.iter().map(|symbol| symbol.slot).collect();
        for (index, row) in resolved.refs.iter().enumerate() {
            let target = row.outcome.target.map(sym_row);
            let confidence = if row.outcome.external { EXTERNAL } else { row.outcome.confidence as u8 };
            self.reference.execute(params![
                first + index as i64,
                row.span.start,
                row.span.end,
                row.line,
                surface.names.as_written(row.name),
                row.kind as u8,
                scope_row(id, row.scope, &slots),
                target,
                confidence,
            ])?;
        }
        self.changes.unresolve(id)?;
        self.changes.resolve(id, surface.family(), &resolved.words)?;
        self.write_relations(first, resolved, sym_row)?;
        self.write_imports(first, surface, resolved)?;
        self.write_commands(first, commands, resolved, sym_row)?;
        let keys: Vec<u8> = resolved.lookups.iter().flat_map(|key| key.to_le_bytes()).collect();
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO lookup_rows VALUES (?1, ?2)")?
            .execute(params![id, keys])?;
        Ok(())
    }

    fn write_relations(
        &self,
        first: i64,
        resolved: &ResolvedFile,
        sym_row: &dyn Fn(SymRef) -> i64,
    ) -> Result<(), GraphError> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO relation_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        let mut place = self
            .connection
            .prepare_cached("SELECT span_start, span_end, line FROM symbol_rows WHERE id = ?1")?;
        for (index, row) in resolved.relations.iter().enumerate() {
            let confidence = if row.to.external { EXTERNAL } else { row.to.confidence as u8 };
            let from = row.from.map(sym_row);
            let (start, end, line) = match (row.place, from) {
                (Some((span, line)), _) => (span.start, span.end, line),
                (None, Some(from)) => {
                    place.query_row([from], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                }
                (None, None) => (0, 0, 0),
            };
            insert.execute(params![
                first + index as i64,
                row.kind as u8,
                start,
                end,
                line,
                from,
                row.from_name,
                row.to.target.map(sym_row),
                row.to_name,
                row.to_name.rsplit([':', '.', '/']).next(),
                confidence,
            ])?;
        }
        Ok(())
    }

    fn write_imports(
        &self,
        first: i64,
        surface: &Surface,
        resolved: &ResolvedFile,
    ) -> Result<(), GraphError> {
        let mut insert =
            self.connection.prepare_cached("INSERT INTO import_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        for (index, (import, file)) in surface.imports.iter().zip(&resolved.import_files).enumerate() {
            let row = &import.raw;
            let alias =
                row.binds.filter(|binds| row.symbol != Some(*binds)).map(|name| surface.names.get(name));
            insert.execute(params![
                first + index as i64,
                surface.names.get(row.module),
                row.symbol.map(|name| surface.names.get(name)),
                alias,
                row.reexport,
                row.line,
                file,
            ])?;
        }
        Ok(())
    }

    /// Removes what [`Writer::write_resolved`] wrote for a file whose facts stay.
    pub(crate) fn remove_resolved(&mut self, id: u32) -> Result<(), GraphError> {
        let (first, last) = range(id);
        for table in ["ref_rows", "relation_rows", "import_rows", "command_rows", "arm_rows"] {
            let sql = format!("DELETE FROM {table} WHERE id BETWEEN ?1 AND ?2");
            self.connection.prepare_cached(&sql)?.execute([first, last])?;
        }
        Ok(())
    }
}

/// In C, what one source file keeps to itself is named after the file: several files may use the same name.
fn is_file_local(file: &PreparedFile, index: usize) -> bool {
    if file.facts.lang.family() != Family::Native || is_header(&file.path) {
        return false;
    }
    let mut outermost = &file.facts.symbols[index];
    while let Some(parent) = outermost.parent.symbol() {
        outermost = &file.facts.symbols[parent];
    }
    match outermost.kind {
        SymbolKind::Module => false,
        kind if kind.is_type() || kind == SymbolKind::Macro => true,
        _ => !outermost.exported,
    }
}

/// The row of the symbol that opens a scope.
fn scope_row(file: u32, scope: ScopeId, slots: &[u32]) -> Option<i64> {
    scope.symbol().map(|index| first_row(file) + i64::from(slots[index]))
}

fn range(id: u32) -> (i64, i64) {
    (first_row(id), first_row(id) + (1 << FILE_SHIFT) - 1)
}
