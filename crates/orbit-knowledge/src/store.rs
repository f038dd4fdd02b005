//! The database: one SQLite file that is kept for good, shared by all worktrees and any number of processes.
//!
//! Every write is one `BEGIN IMMEDIATE` transaction, so what it reads is what it changes; every read is one
//! snapshot. [`migrations`] is the format, [`json`] its two columns of JSON.

pub(crate) mod json;
mod migrations;
pub(crate) mod ranking;
mod templates;

use crate::clock::{Clock, Moment, SystemClock};
use crate::code::{CodeFacts, NoCode};
use crate::error::KnowledgeError;
use crate::id::{Id, IdSource, RandomIds};
use crate::pipeline::Pipelines;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Params, Row, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub(crate) use migrations::check_states;

/// How long a call waits for other writers.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a store works with.
pub struct Options {
    /// The states that features and tasks pass through.
    pub pipelines: Pipelines,
    /// Tells the time.
    pub clock: Box<dyn Clock>,
    /// Gives new ids.
    pub ids: Box<dyn IdSource>,
    /// Knows the code.
    pub code: Box<dyn CodeFacts>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            pipelines: Pipelines::default(),
            clock: Box::new(SystemClock),
            ids: Box::new(RandomIds),
            code: Box::new(NoCode),
        }
    }
}

/// An open knowledge database.
pub struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
    options: Options,
}

impl Store {
    /// Opens the database, made or brought to the present schema when needed. Refuses a newer schema, another
    /// program's database, and pipelines that drop a state in which rows stand.
    pub fn open(path: &Path, options: Options) -> Result<Store, KnowledgeError> {
        Store::opened(path, options).map_err(|error| error.at(path))
    }

    /// Looks whether a file is a whole database of ours, and changes nothing.
    pub fn check(path: &Path) -> Result<(), KnowledgeError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        migrations::check(&connection, path)?;
        let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        match found.map_err(|error| KnowledgeError::from(error).at(path))?.as_str() {
            "ok" => Ok(()),
            _ => Err(KnowledgeError::Damaged(Some(path.to_owned()))),
        }
    }

    fn opened(path: &Path, options: Options) -> Result<Store, KnowledgeError> {
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(|error| KnowledgeError::File(dir.to_owned(), error))?;
        }
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(128);
        // Statements keep their plans whatever they are bound to: planning anew takes longer than most of them do.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        migrations::check(&connection, path)?;
        patiently(|| connection.execute_batch("PRAGMA journal_mode = WAL"))?;
        connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;")?;
        migrations::run(&mut connection, path, options.clock.now(), options.ids.as_ref())?;
        let store = Store { connection: Mutex::new(connection), path: path.to_owned(), options };
        store.read(check_states)?;
        Ok(store)
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The pipelines in force.
    pub fn pipelines(&self) -> &Pipelines {
        &self.options.pipelines
    }

    /// What is known of the code.
    pub(crate) fn code(&self) -> &dyn CodeFacts {
        self.options.code.as_ref()
    }

    /// Writes the whole database as one moment shows it into a new file. Others can go on writing.
    pub fn backup(&self, to: &Path) -> Result<(), KnowledgeError> {
        if to.exists() {
            let taken = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
            return Err(KnowledgeError::File(to.to_owned(), taken));
        }
        if let Some(dir) = to.parent() {
            std::fs::create_dir_all(dir).map_err(|error| KnowledgeError::File(dir.to_owned(), error))?;
        }
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
        Ok(())
    }

    /// Runs a call that changes something: all of it or, when it fails, nothing.
    pub(crate) fn write<T>(
        &self,
        call: impl FnOnce(&Session<'_>) -> Result<T, KnowledgeError>,
    ) -> Result<T, KnowledgeError> {
        self.run(TransactionBehavior::Immediate, call)
    }

    /// Runs a call that only looks.
    pub(crate) fn read<T>(
        &self,
        call: impl FnOnce(&Session<'_>) -> Result<T, KnowledgeError>,
    ) -> Result<T, KnowledgeError> {
        self.run(TransactionBehavior::Deferred, call)
    }

    fn run<T>(
        &self,
        behavior: TransactionBehavior,
        call: impl FnOnce(&Session<'_>) -> Result<T, KnowledgeError>,
    ) -> Result<T, KnowledgeError> {
        // A panic of another thread rolled its transaction back; the connection is as good as before.
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(behavior)?;
        let session = Session {
            db: &transaction,
            now: self.options.clock.now(),
            ids: self.options.ids.as_ref(),
            pipelines: &self.options.pipelines,
        };
        let done = call(&session)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// One call inside of its transaction. The time stands still during it.
pub(crate) struct Session<'s> {
    pub(crate) db: &'s Connection,
    pub(crate) now: Moment,
    pub(crate) ids: &'s dyn IdSource,
    pub(crate) pipelines: &'s Pipelines,
}

impl Session<'_> {
    /// The present moment as it is stored.
    pub(crate) fn stamp(&self) -> String {
        self.now.iso()
    }

    pub(crate) fn new_id(&self) -> Id {
        self.ids.next()
    }

    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize, KnowledgeError> {
        Ok(self.db.prepare_cached(sql)?.execute(params)?)
    }

    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, KnowledgeError> {
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map(params, map)?;
        Ok(rows.collect::<rusqlite::Result<Vec<T>>>()?)
    }

    pub(crate) fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, KnowledgeError> {
        Ok(self.db.prepare_cached(sql)?.query_row(params, map).optional()?)
    }

    pub(crate) fn count(&self, sql: &str, params: impl Params) -> Result<i64, KnowledgeError> {
        Ok(self.db.prepare_cached(sql)?.query_row(params, |row| row.get(0))?)
    }
}

/// Switching a new file to its log needs it alone and does not wait by itself: tried again while others do the same.
fn patiently(mut step: impl FnMut() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let pause = Duration::from_millis(20);
    for _ in 0..PATIENCE.as_millis() / pause.as_millis() {
        match step() {
            Err(error) if is_busy(&error) => std::thread::sleep(pause),
            done => return done,
        }
    }
    step()
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
