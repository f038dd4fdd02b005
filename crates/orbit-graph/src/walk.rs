//! The files of a worktree: ignore rules applied, each with its size and time.

mod rules;
mod tracked;
pub(crate) mod markup;
mod unignored;
mod unread;

use crate::error::GraphError;
use crate::layout::{ancestors, directory, is_manifest, join, normalize};
use ignore::{DirEntry, WalkBuilder, WalkState};
use orbit_extract::{Family, Lang};
use rules::Rules;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Files over this size are listed as skipped.
pub(crate) const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// A file that may be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Relative to the worktree, with `/`.
    pub(crate) path: String,
    /// `None` for a manifest that is not a source file.
    pub(crate) lang: Option<Lang>,
    pub(crate) byte_len: u64,
    pub(crate) mtime_ns: i64,
    /// The file of the worktree that it is a symbolic link to.
    pub(crate) link: Option<String>,
}

/// A path that was not read, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Skipped {
    /// Relative to the worktree.
    pub path: String,
    /// One word, or the system's message.
    pub reason: String,
}

/// A file that holds code and will not be read as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    /// Relative to the worktree, with `/`.
    pub(crate) path: String,
    pub(crate) byte_len: u64,
    pub(crate) mtime_ns: i64,
    pub(crate) reason: &'static str,
}

/// What a walk found, in order of path.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) unread: Vec<Unread>,
    /// Directories whose names do not say whether they hold source.
    doubtful: HashSet<String>,
}

/// Walks the worktree with `threads` threads.
pub(crate) fn walk(root: &Path, threads: usize) -> Result<Walked, GraphError> {
    std::fs::read_dir(root).map_err(|error| GraphError::Root(root.to_owned(), error))?;
    let rules = Arc::new(Rules::of(root));
    let found = Mutex::new(Walked::default());
    builder(root, rules.clone()).threads(threads).build_parallel().run(|| {
        let mut local = Batch { found: &found, walked: Walked::default() };
        Box::new(move |entry| {
            local.visit(root, entry);
            WalkState::Continue
        })
    });
    let mut walked = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    add_unignored(root, &rules, &mut walked);
    let unlisted = unlisted_manifests(root, &walked.candidates);
    walked.candidates.extend(unlisted);
    walked.candidates.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walked.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(walked)
}

/// Adds the tracked files that git's ignore rules name.
fn add_unignored(root: &Path, rules: &Rules, walked: &mut Walked) {
    let candidates = walked.candidates.iter().map(|candidate| candidate.path.as_str());
    let unread = walked.unread.iter().map(|unread| unread.path.as_str());
    let skipped = walked.skipped.iter().map(|skipped| skipped.path.as_str());
    let mut met: Vec<&str> = candidates.chain(unread).chain(skipped).collect();
    met.sort_unstable();
    for path in unignored::unignored(root, rules, &met, &walked.doubtful) {
        if let Ok(metadata) = std::fs::symlink_metadata(root.join(path)) {
            walked.add(path.to_owned(), &metadata);
        }
    }
}

/// The manifests of walked source files that an ignore rule hides: a package whose `.gitignore` lists build
/// output by name, its own `package.json` with it, is a package all the same. They are read for their module
/// facts only.
fn unlisted_manifests(root: &Path, candidates: &[Candidate]) -> Vec<Candidate> {
    let listed: HashSet<&str> = candidates.iter().map(|candidate| candidate.path.as_str()).collect();
    let mut asked: HashSet<(&str, &str)> = HashSet::new();
    let mut found = Vec::new();
    for candidate in candidates {
        let names: &[&str] = match candidate.lang.map(Lang::family) {
            Some(Family::Script) => &["package.json", "tsconfig.json"],
            Some(Family::Rust) => &["Cargo.toml"],
            Some(Family::Go) => &["go.mod"],
            _ => continue,
        };
        for dir in ancestors(&candidate.path) {
            if !asked.insert((dir, names[0])) {
                break; // asked before, and with it the directories above
            }
            for path in
                names.iter().map(|name| join(dir, name)).filter(|path| !listed.contains(path.as_str()))
            {
                let metadata = std::fs::symlink_metadata(root.join(&path)).ok();
                let Some(metadata) = metadata.filter(std::fs::Metadata::is_file) else { continue };
                let (byte_len, mtime_ns) = (metadata.len(), mtime_ns(&metadata));
                if byte_len <= MAX_FILE_BYTES {
                    found.push(Candidate { path, lang: None, byte_len, mtime_ns, link: None });
                }
            }
        }
    }
    found
}

/// The directories a walk enters, the root included, those of tracked files that an ignore rule hides, and git's own for
/// the moves of HEAD.
pub(crate) fn directories(root: &Path) -> BTreeSet<PathBuf> {
    let rules = Arc::new(Rules::of(root));
    let entered = builder(root, rules.clone()).build().flatten();
    let entered = entered.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()));
    let git = root.join(".git");
    let mut found: BTreeSet<PathBuf> =
        entered.map(DirEntry::into_path).chain(git.is_dir().then_some(git)).collect();
    let doubtful = found.iter().filter_map(|dir| doubtful(root, dir)).collect();
    for path in unignored::unignored(root, &rules, &[], &doubtful) {
        found.extend(ancestors(path).map(|dir| root.join(dir)));
    }
    found
}

/// The path of a directory below the root whose name does not say whether it holds source.
fn doubtful(root: &Path, dir: &Path) -> Option<String> {
    tracked::is_doubtful(dir.file_name()?.to_str()?).then_some(())?;
    dir.strip_prefix(root).ok()?.to_str().map(|path| path.replace('\\', "/"))
}

/// Whether the path alone lets a file be read, or counted among those that are not.
fn is_read(path: &str) -> bool {
    Lang::of_path(path).is_some() || is_manifest(path) || unread::is_code(path)
}

fn builder(root: &Path, rules: Arc<Rules>) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(false)
        .parents(false)
        .git_ignore(true)
        .git_global(true)
        .git_exclude(true)
        .ignore(false)
        .require_git(false)
        .follow_links(false)
        .add_custom_ignore_filename(".orbitignore")
        .filter_entry(move |entry| rules.is_wanted(entry));
    builder
}

/// One thread's share, handed over when the thread is done.
struct Batch<'f> {
    found: &'f Mutex<Walked>,
    walked: Walked,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let mut found = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.candidates.append(&mut self.walked.candidates);
        found.skipped.append(&mut self.walked.skipped);
        found.unread.append(&mut self.walked.unread);
        found.doubtful.extend(self.walked.doubtful.drain());
    }
}

impl Batch<'_> {
    fn visit(&mut self, root: &Path, entry: Result<DirEntry, ignore::Error>) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return self.skip_error(root, &error),
        };
        if entry.path_is_symlink() {
            self.walked.candidates.extend(link(root, &entry));
        }
        let Some(kind) = entry.file_type().filter(|kind| kind.is_dir() || kind.is_file()) else { return };
        if kind.is_dir() {
            self.walked.doubtful.extend(doubtful(root, entry.path()));
            return;
        }
        let Ok(relative) = entry.path().strip_prefix(root) else { return };
        let Some(path) = relative.to_str() else {
            let (path, reason) = (relative.to_string_lossy().into_owned(), "path_not_utf8".into());
            if Lang::of_path(&path).is_some() {
                self.walked.skipped.push(Skipped { path, reason });
            }
            return;
        };
        if !is_read(path) {
            return;
        }
        let path = if std::path::MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace('\\', "/") };
        match entry.metadata() {
            Ok(metadata) => self.walked.add(path, &metadata),
            Err(error) => self.skip_error(root, &error),
        }
    }

    fn skip_error(&mut self, root: &Path, error: &ignore::Error) {
        let path = match error {
            ignore::Error::WithPath { path, .. } => {
                path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
            }
            ignore::Error::WithDepth { err, .. } => return self.skip_error(root, err),
            _ => return,
        };
        let reason = match error.io_error().map(std::io::Error::kind) {
            Some(std::io::ErrorKind::PermissionDenied) => "permission_denied".into(),
            Some(std::io::ErrorKind::NotFound) => return, // gone since the directory was read
            _ => error.to_string(),
        };
        self.walked.skipped.push(Skipped { path, reason });
    }
}

impl Walked {
    /// Adds a file that is read, or one that holds code and is not.
    fn add(&mut self, path: String, metadata: &std::fs::Metadata) {
        let lang = Lang::of_path(&path);
        let (byte_len, mtime_ns) = (metadata.len(), mtime_ns(metadata));
        if lang.is_none() && !is_manifest(&path) {
            self.unread.push(Unread { path, byte_len, mtime_ns, reason: "no_parser" });
        } else if byte_len > MAX_FILE_BYTES {
            if lang.is_some_and(|lang| lang.family() != Family::Prose) {
                let path = path.clone();
                self.unread.push(Unread { path, byte_len, mtime_ns, reason: "oversize" });
            }
            self.skipped.push(Skipped { path, reason: "oversize".into() });
        } else {
            self.candidates.push(Candidate { path, lang, byte_len, mtime_ns, link: None });
        }
    }
}

/// A symbolic link that stands for a source file elsewhere in the worktree. It is read for where it leads only, in
/// languages that find modules by the paths of files.
fn link(root: &Path, entry: &DirEntry) -> Option<Candidate> {
    let path = entry.path().strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    Lang::of_path(&path).filter(|lang| lang.family() == Family::Rust)?;
    let target = std::fs::read_link(entry.path()).ok()?;
    let target = normalize(&join(directory(&path), target.to_str()?));
    let is_inside = !target.starts_with("..") && root.join(&target).is_file();
    let metadata = entry.metadata().ok().filter(|_| is_inside)?;
    let (byte_len, mtime_ns) = (metadata.len(), mtime_ns(&metadata));
    Some(Candidate { path, lang: None, byte_len, mtime_ns, link: Some(target) })
}

/// Modification time as stored: nanoseconds since the epoch, negative before it, 0 when the system has none.
pub(crate) fn mtime_ns(metadata: &std::fs::Metadata) -> i64 {
    match metadata.modified().map(|time| time.duration_since(std::time::UNIX_EPOCH)) {
        Ok(Ok(since)) => since.as_nanos() as i64,
        Ok(Err(before)) => -(before.duration().as_nanos() as i64),
        Err(_) => 0,
    }
}

/// Walks a worktree as a sync does and drops what it finds: the floor that benchmarks compare with.
/// Returns how many files there are.
pub fn walk_only(root: &Path, threads: usize) -> Result<usize, GraphError> {
    Ok(walk(root, threads)?.candidates.len())
}

/// The paths and languages a sync of this worktree would read, in order: for benchmarks.
pub fn indexable_files(root: &Path, threads: usize) -> Result<Vec<(String, Lang)>, GraphError> {
    let walked = walk(root, threads)?;
    Ok(walked
        .candidates
        .into_iter()
        .filter_map(|candidate| Some((candidate.path, candidate.lang?)))
        .collect())
}
