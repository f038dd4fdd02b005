//! The public handle.

use crate::error::GraphError;
use crate::location::{self, Leftover, Location};
use crate::policy::SyncPolicy;
use crate::query::Reader;
use crate::query::callees::{self, Callees};
use crate::query::cycles::{self, Cycles};
use crate::query::deps::{self, Deps};
use crate::query::impact::{self, Impact, ImpactOptions};
use crate::query::implementors::{self, Implementors};
use crate::query::overview::{self, Overview, OverviewFormat};
use crate::query::path::{self, CallPath};
use crate::query::refs::{self, RefOptions, Refs};
use crate::query::search::{self, SearchQuery, SearchResult};
use crate::query::show::{self, Show, ShowOptions};
use crate::query::target;
use crate::query::trace::{self, Trace};
use crate::query::unused::{self, Unused, UnusedOptions};
use crate::resolve::Confidence;
use crate::selector::Selector;
use crate::store::readers::Readers;
use crate::store::rows::Facts;
use crate::sync::{self, SyncOptions, SyncReport};
use crate::watch::{self, OnSync, Watching};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The index of one worktree. Which database that is follows HEAD, so a handle stays right across checkouts.
#[derive(Debug)]
pub struct Graph {
    dir: PathBuf,
    policy: SyncPolicy,
    last_sync: Mutex<Option<Instant>>,
    watching: Option<Watching>,
    readers: Readers,
}

impl Graph {
    /// Opens the index of the worktree that `dir` belongs to. Under [`SyncPolicy::Watch`] a background thread
    /// makes or refreshes it at once; otherwise nothing is read or made yet.
    pub fn open(dir: &Path, policy: SyncPolicy) -> Result<Graph, GraphError> {
        let dir = Location::of(dir)?.root;
        let watching = match policy {
            SyncPolicy::Watch { debounce } => Some(watch::watch(&dir, debounce, Box::new(|_| {}))?),
            _ => None,
        };
        Ok(Graph { dir, policy, last_sync: Mutex::new(None), watching, readers: Readers::default() })
    }

    /// Where the index is now.
    pub fn location(&self) -> Result<Location, GraphError> {
        Location::of(&self.dir)
    }

    /// Whether there is an index for what HEAD points to.
    pub fn has_index(&self) -> bool {
        Location::for_reading(&self.dir).database.exists()
    }

    /// Whether a background thread keeps the index fresh.
    pub fn is_watching(&self) -> bool {
        self.watching.is_some()
    }

    /// Makes the index say what is on disk. Under every policy this is the barrier between a write and a read.
    pub fn sync(&self, options: &SyncOptions<'_>) -> Result<SyncReport, GraphError> {
        let report = sync::sync(&self.location()?, options)?;
        *self.last_sync.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(report)
    }

    /// Syncs now and after every change, telling `on_sync` each time, until the result is dropped.
    pub fn watch(&self, debounce: Duration, on_sync: OnSync) -> Result<Watching, GraphError> {
        watch::watch(&self.dir, debounce, on_sync)
    }

    /// Syncs if the policy says so, or if there is no index at all.
    fn refresh(&self, location: &Location) -> Result<(), GraphError> {
        let is_due = match self.policy {
            SyncPolicy::Manual => false,
            SyncPolicy::OnRead => true,
            SyncPolicy::Windowed { window } => {
                let last = *self.last_sync.lock().unwrap_or_else(PoisonError::into_inner);
                last.is_none_or(|last| last.elapsed() > window)
            }
            SyncPolicy::Watch { .. } => !location.database.exists(),
        };
        if is_due {
            self.sync(&SyncOptions::default())?;
        }
        Ok(())
    }

    /// Finds symbols, strings and config keys by words.
    pub fn search(&self, query: &SearchQuery) -> Result<SearchResult, GraphError> {
        self.read(|reader| search::search(reader, query))
    }

    /// The source of a symbol or file.
    pub fn show(&self, selector: &Selector, options: &ShowOptions) -> Result<Show, GraphError> {
        self.read(|reader| show::show(reader, selector, options))
    }

    /// Where the thing is defined that a selector names otherwise than its definition: by a module that hands it on, or by a
    /// type that inherits it.
    pub fn note(&self, selector: &Selector) -> Result<Option<String>, GraphError> {
        self.read(|reader| target::note(reader.connection, selector))
    }

    /// Who uses a symbol. Several symbols of the name are all covered, and named.
    pub fn refs(&self, selector: &Selector, options: &RefOptions) -> Result<Refs, GraphError> {
        self.read(|reader| refs::refs(reader, selector, options))
    }

    /// What a symbol calls.
    pub fn callees(
        &self,
        selector: &Selector,
        threshold: Confidence,
        limit: usize,
    ) -> Result<Callees, GraphError> {
        self.read(|reader| callees::callees(reader, selector, threshold, limit))
    }

    /// What a change of the named symbols can reach.
    pub fn impact(&self, selectors: &[Selector], options: &ImpactOptions) -> Result<Impact, GraphError> {
        self.read(|reader| {
            let start = impact::start_symbols(reader, selectors)?;
            impact::impact(reader, &start, Vec::new(), options)
        })
    }

    /// What the symbols that a git diff touches can reach. `range` is a revision range, or `worktree`.
    pub fn impact_of_diff(&self, range: &str, options: &ImpactOptions) -> Result<Impact, GraphError> {
        self.read(|reader| {
            let (start, unmapped) = impact::changed_symbols(reader, range)?;
            impact::impact(reader, &start, unmapped, options)
        })
    }

    /// What a command does, as a tree of calls.
    pub fn trace(&self, command: &str, depth: usize, threshold: Confidence) -> Result<Trace, GraphError> {
        self.read(|reader| trace::trace(reader, command, depth, threshold))
    }

    /// The shortest way from one symbol to another along calls.
    pub fn path(
        &self,
        from: &Selector,
        to: &Selector,
        threshold: Confidence,
    ) -> Result<CallPath, GraphError> {
        self.read(|reader| path::path(reader, from, to, threshold))
    }

    /// What implements or extends a type.
    pub fn implementors(&self, selector: &Selector, limit: usize) -> Result<Implementors, GraphError> {
        self.read(|reader| implementors::implementors(reader, selector, limit))
    }

    /// Files that import each other in a circle, of the repository or of a directory.
    pub fn cycles(&self, scope: Option<&Selector>, limit: usize) -> Result<Cycles, GraphError> {
        self.read(|reader| cycles::cycles(reader, scope, limit))
    }

    /// Definitions that nothing reaches, of the repository or of a file or directory.
    pub fn unused(&self, scope: Option<&Selector>, options: &UnusedOptions) -> Result<Unused, GraphError> {
        self.read(|reader| unused::unused(reader, scope, options))
    }

    /// What a file or the files of a directory import.
    pub fn deps(&self, selector: &Selector, limit: usize) -> Result<Deps, GraphError> {
        self.read(|reader| deps::deps(reader, selector, limit))
    }

    /// The shape of the repository, or of a directory or file in it.
    pub fn overview(&self, scope: Option<&Selector>, format: OverviewFormat) -> Result<Overview, GraphError> {
        self.read(|reader| overview::overview(reader, scope, format))
    }

    /// Rows as they are stored, for as long as `question` runs. An index that another process changes meanwhile may
    /// answer two calls differently: who acts on the answers checks the files.
    pub fn facts<T, E: From<GraphError>>(
        &self,
        question: impl FnOnce(&Facts<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read(|reader| Ok(question(&Facts::new(reader.connection))))?
    }

    fn read<T>(&self, query: impl FnOnce(&Reader<'_>) -> Result<T, GraphError>) -> Result<T, GraphError> {
        let location = Location::for_reading(&self.dir);
        self.refresh(&location)?;
        let connection = match self.readers.open(&location.database) {
            Err(GraphError::Outdated(_)) => {
                self.sync(&SyncOptions::default())?;
                self.readers.open(&location.database)?
            }
            other => other?,
        };
        let answer =
            query(&Reader { connection: &connection, root: &location.root, lists: connection.lists() });
        if !answer.as_ref().is_err_and(GraphError::is_corruption) {
            self.readers.keep(connection);
        }
        answer
    }

    /// Writes the whole index as JSON lines: sorted, without row numbers and times, so that two indexes of
    /// the same files are equal byte for byte.
    pub fn export(&self, out: &mut dyn Write) -> Result<(), GraphError> {
        self.read(|reader| crate::store::export::export(reader.connection, out))
    }
}

/// Where the index of a worktree is, whether or not it exists.
pub fn db_path(dir: &Path) -> Result<PathBuf, GraphError> {
    Ok(Location::of(dir)?.database)
}

/// What `clean` found, and whether it was removed.
#[derive(Clone, Debug, serde::Serialize)]
pub struct CleanReport {
    /// The directory looked at.
    pub graph_dir: String,
    /// Files that are, or would be, deleted.
    pub files: Vec<Leftover>,
    /// Whether they were.
    pub applied: bool,
}

/// Lists the files of the index, and removes them when `confirmed`.
pub fn clean(dir: &Path, confirmed: bool) -> Result<CleanReport, GraphError> {
    let location = Location::of(dir)?;
    let files = location::everything(&location);
    if confirmed {
        for file in &files {
            std::fs::remove_file(&file.path)
                .map_err(|error| GraphError::State(file.path.clone().into(), error))?;
        }
    }
    let graph_dir = location::graph_dir(&location.root).to_string_lossy().into_owned();
    Ok(CleanReport { graph_dir, files, applied: confirmed })
}
