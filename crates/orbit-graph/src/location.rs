//! Where a worktree's index lives, and which of the files there are still of use.

use crate::error::GraphError;
use orbit_extract::EXTRACTOR_VERSION;
use orbit_git::{Git, Head, keep_out_of_git, worktree_root};
use std::fs;
use std::path::{Path, PathBuf};

/// The database of a worktree at its present HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The worktree.
    pub root: PathBuf,
    /// The database file, whether or not it exists.
    pub database: PathBuf,
    /// HEAD when this was found out.
    pub head: Head,
}

impl Location {
    /// Finds the database for the worktree that `dir` belongs to.
    pub fn of(dir: &Path) -> Result<Location, GraphError> {
        let dir = dir.canonicalize().map_err(|error| GraphError::Root(dir.to_owned(), error))?;
        let root = worktree_root(&dir);
        let head = Head::of(&root);
        Ok(Location::at(root, head))
    }

    /// The database of a worktree, without finding out its commit: all that a query needs.
    pub(crate) fn for_reading(root: &Path) -> Location {
        Location::at(root.to_owned(), Head::named(root))
    }

    fn at(root: PathBuf, head: Head) -> Location {
        let database = graph_dir(&root).join(format!("{}.{EXTRACTOR_VERSION}.db", stem(&head)));
        Location { root, database, head }
    }

    /// The file that is locked while the index is written.
    pub(crate) fn lock_file(&self) -> PathBuf {
        with_suffix(&self.database, ".lock")
    }

    /// The branch as reported: its name, `HEAD` when detached, `worktree` outside of git.
    pub fn branch(&self) -> &str {
        self.head.branch.as_deref().unwrap_or("worktree")
    }

    /// Makes `.orbit/graph/` and the file that keeps derived state out of git.
    pub(crate) fn prepare(&self) -> Result<(), GraphError> {
        let dir = graph_dir(&self.root);
        fs::create_dir_all(&dir).map_err(|error| GraphError::State(dir.clone(), error))?;
        let orbit_dir = self.root.join(".orbit");
        keep_out_of_git(&orbit_dir, "graph/").map_err(|error| GraphError::State(orbit_dir, error))
    }
}

/// `.orbit/graph` of a worktree.
pub(crate) fn graph_dir(root: &Path) -> PathBuf {
    root.join(".orbit").join("graph")
}

fn stem(head: &Head) -> String {
    match (&head.branch, &head.commit) {
        (None, _) => "worktree".into(),
        (Some(branch), Some(commit)) if branch == "HEAD" => {
            format!("detached-{}", commit.get(..12).unwrap_or(commit))
        }
        (Some(branch), _) => shortened(branch.replace(['/', '\\'], "_")),
    }
}

/// File names have at most 255 bytes on most systems; a longer branch is told apart by a hash.
fn shortened(name: String) -> String {
    const MOST: usize = 150;
    if name.len() <= MOST {
        return name;
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    format!("{}-{}", &name[..name.floor_char_boundary(MOST - 20)], &hash[..16])
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A database in the graph directory that the present HEAD does not use.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Leftover {
    /// The file.
    pub path: String,
    /// `old_extractor`, `unreachable_detached`, `set_aside`, `unfinished`, or, for `clean`, `index`.
    pub reason: &'static str,
}

/// Files that nobody will read again. Indexes of other branches are kept: a checkout brings them back.
pub(crate) fn leftovers(location: &Location) -> Vec<Leftover> {
    let mut found = Vec::new();
    for (name, path) in entries(location) {
        let Some(parts) = NameParts::of(&name).filter(|_| !is_part_of(&path, &location.database)) else {
            continue;
        };
        let detached = parts.stem.strip_prefix("detached-").filter(|commit| is_hex(commit));
        let reason = if parts.suffix.starts_with(".tmp-") {
            let database = graph_dir(&location.root).join(format!("{}.{}.db", parts.stem, parts.version));
            if database != location.database && is_being_written(&database) {
                continue; // by the sync of another branch
            }
            "unfinished"
        } else if parts.suffix.starts_with(".corrupt-") {
            "set_aside"
        } else if parts.version < EXTRACTOR_VERSION {
            "old_extractor"
        } else if detached.is_some_and(|commit| !Git::at(&location.root).is_reachable(commit)) {
            "unreachable_detached"
        } else {
            continue;
        };
        found.push(Leftover { path: path.to_string_lossy().into_owned(), reason });
    }
    found
}

/// Whether a process holds the lock of a database.
fn is_being_written(database: &Path) -> bool {
    let Ok(lock) = fs::File::open(with_suffix(database, ".lock")) else { return false };
    matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock))
}

/// Every file of the graph directory, for `clean`.
pub(crate) fn everything(location: &Location) -> Vec<Leftover> {
    entries(location)
        .into_iter()
        .map(|(_, path)| Leftover { path: path.to_string_lossy().into_owned(), reason: "index" })
        .collect()
}

fn entries(location: &Location) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(graph_dir(&location.root)) else { return Vec::new() };
    let mut found: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    found.sort();
    found
}

/// `<db>`, `<db>-wal`, `<db>-shm`, `<db>.lock`, `<db>.gate`.
fn is_part_of(path: &Path, database: &Path) -> bool {
    ["", "-wal", "-shm", ".lock", ".gate"].iter().any(|suffix| with_suffix(database, suffix) == path)
}

/// A file name of the graph directory: `<stem>.<version>.db<suffix>`.
struct NameParts<'n> {
    stem: &'n str,
    version: u32,
    suffix: &'n str,
}

impl<'n> NameParts<'n> {
    /// Reads from the right, because a branch may be called anything.
    fn of(name: &'n str) -> Option<NameParts<'n>> {
        let (head, suffix) = name.rmatch_indices(".db").find_map(|(at, _)| {
            let suffix = &name[at + 3..];
            let is_known = matches!(suffix, "" | "-wal" | "-shm" | "-journal" | ".lock" | ".gate")
                || [".tmp-", ".corrupt-"].iter().any(|mark| {
                    suffix
                        .strip_prefix(mark)
                        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                });
            is_known.then_some((&name[..at], suffix))
        })?;
        let (stem, version) = head.rsplit_once('.')?;
        Some(NameParts { stem, version: version.parse().ok()?, suffix })
    }
}

fn is_hex(text: &str) -> bool {
    text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
