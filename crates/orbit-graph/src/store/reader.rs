//! What incremental builds read back: the known files, and a world that answers from the database.

use super::{file_of_row, first_row};
use crate::error::GraphError;
use crate::facts::{self, DecodedUses};
use crate::layout::{Layout, Manifest};
use crate::resolve::key::Key;
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::world::World;
use elsa::FrozenMap;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::Lang;
use rusqlite::{Connection, OptionalExtension};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap as StdHashMap};

/// A file as the index knows it.
#[derive(Clone, Debug)]
pub(crate) struct KnownFile {
    pub(crate) id: u32,
    pub(crate) path: String,
    pub(crate) content_hash: [u8; 32],
    pub(crate) mtime_ns: i64,
    pub(crate) byte_len: u64,
    pub(crate) lang: Lang,
    pub(crate) module: String,
}

/// Something remembered by path with the stat it had.
#[derive(Clone, Debug)]
pub(crate) struct Remembered<T> {
    pub(crate) mtime_ns: i64,
    pub(crate) byte_len: u64,
    pub(crate) value: T,
}

/// All known files in order of path.
pub(crate) fn known_files(connection: &Connection) -> Result<Vec<KnownFile>, GraphError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, path, content_hash, mtime_ns, byte_len, lang, module FROM file_rows ORDER BY path",
    )?;
    let mut rows = statement.query([])?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        let damaged = |what: &str| GraphError::Damaged(format!("file row with bad {what}"));
        files.push(KnownFile {
            id: row.get(0)?,
            path: row.get(1)?,
            content_hash: row
                .get_ref(2)?
                .as_blob()
                .ok()
                .and_then(|hash| hash.try_into().ok())
                .ok_or(damaged("hash"))?,
            mtime_ns: row.get(3)?,
            byte_len: row.get::<_, i64>(4)? as u64,
            lang: Lang::from_u8(row.get(5)?).ok_or(damaged("language"))?,
            module: row.get(6)?,
        });
    }
    Ok(files)
}

/// Skipped files by path.
pub(crate) fn known_skips(
    connection: &Connection,
) -> Result<StdHashMap<String, Remembered<String>>, GraphError> {
    remembered(connection, "SELECT path, mtime_ns, byte_len, reason FROM skipped_rows")
}

/// Manifests by path, as stored.
pub(crate) fn known_manifests(
    connection: &Connection,
) -> Result<BTreeMap<String, Remembered<Option<Manifest>>>, GraphError> {
    let rows: StdHashMap<String, Remembered<Option<String>>> =
        remembered(connection, "SELECT path, mtime_ns, byte_len, facts FROM manifest_rows")?;
    let parsed = rows.into_iter().map(|(path, row)| {
        let value = match row.value {
            Some(json) => {
                Some(serde_json::from_str(&json).map_err(|error| GraphError::Damaged(error.to_string()))?)
            }
            None => None,
        };
        Ok((path, Remembered { mtime_ns: row.mtime_ns, byte_len: row.byte_len, value }))
    });
    parsed.collect()
}

fn remembered<T: rusqlite::types::FromSql>(
    connection: &Connection,
    sql: &str,
) -> Result<StdHashMap<String, Remembered<T>>, GraphError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        let (mtime_ns, byte_len): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, Remembered { mtime_ns, byte_len: byte_len as u64, value: row.get(3)? }))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The stored surface of a file.
pub(crate) fn surface(
    connection: &Connection,
    file: &KnownFile,
    layout: &Layout,
) -> Result<Surface, GraphError> {
    let mut statement = connection.prepare_cached("SELECT surface FROM fact_rows WHERE file = ?1")?;
    let blob: Option<Vec<u8>> = statement.query_row([file.id], |row| row.get(0)).optional()?;
    let blob = blob.ok_or_else(|| GraphError::Damaged(format!("no facts for {}", file.path)))?;
    Ok(Surface::new(file.id, &file.path, &file.module, layout, facts::decode_surface(&blob)?))
}

/// The stored uses of a file.
pub(crate) fn uses(connection: &Connection, file: u32) -> Result<DecodedUses, GraphError> {
    Ok(facts::decode_uses(&encoded_uses(connection, file)?)?)
}

/// The same, to be decoded by whoever has the time.
pub(crate) fn encoded_uses(connection: &Connection, file: u32) -> Result<Vec<u8>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT uses FROM fact_rows WHERE file = ?1")?;
    Ok(statement.query_row([file], |row| row.get(0))?)
}

/// Files that asked any of `questions` (sorted) when they were resolved.
pub(crate) fn askers(connection: &Connection, questions: &[u32]) -> Result<Vec<u32>, GraphError> {
    let mut statement = connection.prepare_cached("SELECT file, keys FROM lookup_rows")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    // One bit per hash rules most keys out before the search.
    let mut sieve = vec![0u64; 1024];
    for question in questions {
        sieve[(question >> 22) as usize & 1023] |= 1 << (question >> 16 & 63);
    }
    while let Some(row) = rows.next()? {
        let keys = row.get_ref(1)?.as_blob().map_err(|_| GraphError::Damaged("lookups".into()))?;
        let (keys, _) = keys.as_chunks::<4>();
        let asked = keys.iter().any(|key| {
            let key = u32::from_le_bytes(*key);
            sieve[(key >> 22) as usize & 1023] >> (key >> 16 & 63) & 1 == 1
                && questions.binary_search(&key).is_ok()
        });
        if asked {
            found.push(row.get(0)?);
        }
    }
    Ok(found)
}

/// A world that reads what it is asked for from the database, with the changed files' new surfaces in place
/// of their rows.
pub(crate) struct StoredWorld<'c> {
    connection: &'c Connection,
    layout: &'c Layout,
    files: &'c HashMap<u32, &'c KnownFile, FixedState>,
    /// New surfaces; `None` for a removed file.
    changed: HashMap<u32, Option<Surface>, FixedState>,
    changed_defs: HashMap<Key, SmallVec<[SymRef; 2]>, FixedState>,
    changed_modules: HashMap<Key, SmallVec<[u32; 2]>, FixedState>,
    loaded: FrozenMap<u32, Box<Surface>>,
    defs: RefCell<HashMap<Key, SmallVec<[SymRef; 2]>, FixedState>>,
    modules: RefCell<HashMap<Key, SmallVec<[u32; 2]>, FixedState>>,
    failure: RefCell<Option<GraphError>>,
    nothing: Surface,
}

impl<'c> StoredWorld<'c> {
    pub(crate) fn new(
        connection: &'c Connection,
        layout: &'c Layout,
        files: &'c HashMap<u32, &'c KnownFile, FixedState>,
        changed: HashMap<u32, Option<Surface>, FixedState>,
    ) -> Result<StoredWorld<'c>, GraphError> {
        let mut changed_defs: HashMap<Key, SmallVec<[SymRef; 2]>, FixedState> = HashMap::default();
        let mut changed_modules: HashMap<Key, SmallVec<[u32; 2]>, FixedState> = HashMap::default();
        for surface in changed.values().flatten() {
            for (key, sym) in surface.definitions() {
                changed_defs.entry(key).or_default().push(sym);
            }
            for key in &surface.modules {
                changed_modules.entry(*key).or_default().push(surface.file);
            }
        }
        let empty = facts::encode_surface(&orbit_extract::ExtractedFile::empty(Lang::Config), &[]);
        Ok(StoredWorld {
            connection,
            layout,
            files,
            changed,
            changed_defs,
            changed_modules,
            loaded: FrozenMap::new(),
            defs: RefCell::new(HashMap::default()),
            modules: RefCell::new(HashMap::default()),
            failure: RefCell::new(None),
            nothing: Surface::new(0, "", "", layout, facts::decode_surface(&empty)?),
        })
    }

    /// Whether a file has a surface that is not the stored one.
    pub(crate) fn is_changed(&self, file: u32) -> bool {
        self.changed.contains_key(&file)
    }

    /// What went wrong while answering, if anything did.
    pub(crate) fn failure(self) -> Option<GraphError> {
        self.failure.into_inner()
    }

    /// The row of a symbol.
    pub(crate) fn row(&self, sym: SymRef) -> i64 {
        first_row(sym.file) + i64::from(self.surface(sym.file).symbols[sym.index as usize].slot)
    }

    fn fail<T: Default>(&self, result: Result<T, GraphError>) -> T {
        result.unwrap_or_else(|error| {
            self.failure.borrow_mut().get_or_insert(error);
            T::default()
        })
    }

    fn stored_defs(&self, key: Key) -> Result<SmallVec<[SymRef; 2]>, GraphError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM symbol_rows WHERE key = ?1 UNION ALL SELECT id FROM extra_key_rows WHERE key = ?1",
        )?;
        let mut rows = statement.query([key.0 as i64])?;
        let mut found = SmallVec::new();
        while let Some(row) = rows.next()? {
            let row: i64 = row.get(0)?;
            let file = file_of_row(row);
            if self.changed.contains_key(&file) {
                continue;
            }
            let slot = (row - first_row(file)) as u32;
            let surface = self.surface(file);
            if let Some(index) = surface.symbols.iter().position(|symbol| symbol.slot == slot) {
                found.push(surface.sym(index));
            }
        }
        Ok(found)
    }

    fn stored_modules(&self, key: Key) -> Result<SmallVec<[u32; 2]>, GraphError> {
        let mut statement = self.connection.prepare_cached("SELECT file FROM module_rows WHERE key = ?1")?;
        let rows = statement.query_map([key.0 as i64], |row| row.get::<_, u32>(0))?;
        let mut found = SmallVec::new();
        for file in rows {
            let file = file?;
            if !self.changed.contains_key(&file) {
                found.push(file);
            }
        }
        Ok(found)
    }
}

impl World for StoredWorld<'_> {
    fn defs(&self, key: Key) -> SmallVec<[SymRef; 2]> {
        if let Some(known) = self.defs.borrow().get(&key) {
            return known.clone();
        }
        let mut found = self.fail(self.stored_defs(key));
        found.extend(self.changed_defs.get(&key).into_iter().flatten().copied());
        found.sort_by(|a, b| {
            (&self.surface(a.file).path, a.index).cmp(&(&self.surface(b.file).path, b.index))
        });
        self.defs.borrow_mut().insert(key, found.clone());
        found
    }

    fn modules(&self, key: Key) -> SmallVec<[u32; 2]> {
        if let Some(known) = self.modules.borrow().get(&key) {
            return known.clone();
        }
        let mut found = self.fail(self.stored_modules(key));
        found.extend(self.changed_modules.get(&key).into_iter().flatten().copied());
        found.sort_by(|a, b| self.surface(*a).path.cmp(&self.surface(*b).path));
        self.modules.borrow_mut().insert(key, found.clone());
        found
    }

    fn surface(&self, file: u32) -> &Surface {
        if let Some(Some(surface)) = self.changed.get(&file) {
            return surface;
        }
        if let Some(surface) = self.loaded.get(&file) {
            return surface;
        }
        let loaded = match self.files.get(&file) {
            Some(known) => surface(self.connection, known, self.layout),
            None => Err(GraphError::Damaged(format!("rows of unknown file {file}"))),
        };
        match loaded {
            Ok(surface) => self.loaded.insert(file, Box::new(surface)),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                &self.nothing
            }
        }
    }
}
