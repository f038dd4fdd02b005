//! The public handle.

use crate::error::GraphError;
use crate::location::{self, Leftover, Location};
use crate::query::overview::{self, Overview, OverviewFormat};
use crate::query::search::{self, SearchQuery, SearchResult};
use crate::store;
use crate::sync::{self, SyncOptions, SyncReport};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The index of one worktree.
#[derive(Clone, Debug)]
pub struct Graph {
    location: Location,
}

impl Graph {
    /// The index of the worktree that `dir` belongs to. Nothing is read or made yet.
    pub fn open(dir: &Path) -> Result<Graph, GraphError> {
        Ok(Graph { location: Location::of(dir)? })
    }

    /// Where the index is.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Whether there is an index to read.
    pub fn exists(&self) -> bool {
        self.location.database.exists()
    }

    /// Makes the index say what is on disk.
    pub fn sync(&self, options: &SyncOptions<'_>) -> Result<SyncReport, GraphError> {
        sync::sync(&self.location, options)
    }

    /// Finds symbols, strings and config keys by words.
    pub fn search(&self, query: &SearchQuery) -> Result<SearchResult, GraphError> {
        search::search(&store::open_read(&self.location.database)?, query)
    }

    /// The shape of the repository, or of the files below `scope`.
    pub fn overview(&self, scope: Option<&str>, format: OverviewFormat) -> Result<Overview, GraphError> {
        overview::overview(&store::open_read(&self.location.database)?, scope, format)
    }

    /// Writes the whole index as JSON lines: sorted, without row numbers and times, so that two indexes of
    /// the same files are equal byte for byte.
    pub fn export(&self, out: &mut dyn Write) -> Result<(), GraphError> {
        crate::export::export(&store::open_read(&self.location.database)?, out)
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
