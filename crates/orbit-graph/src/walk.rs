//! The files of a worktree: ignore rules applied, each with its size and time.

mod tracked;
pub(crate) mod markup;
mod unread;

use crate::error::GraphError;
use crate::layout::{ancestors, directory, is_manifest, join, normalize};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use orbit_extract::{Family, Lang};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// Names that are not code of the repository, whether or not git ignores them. Directories called `build`, `dist` or
/// `vendor` are, where git tracks files in them and no tool marks them as its own.
const BUILT_IN_IGNORES: [&str; 12] = [
    ".git/",
    ".orbit/",
    "node_modules/",
    "target/",
    "dist/",
    "build/",
    ".venv/",
    "venv/",
    "__pycache__/",
    "*.egg-info/",
    "vendor/",
    "*.min.js",
];

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
}

/// Walks the worktree with `threads` threads.
pub(crate) fn walk(root: &Path, threads: usize) -> Result<Walked, GraphError> {
    std::fs::read_dir(root).map_err(|error| GraphError::Root(root.to_owned(), error))?;
    let found = Mutex::new(Walked::default());
    builder(root).threads(threads).build_parallel().run(|| {
        let mut local = Batch { found: &found, walked: Walked::default() };
        Box::new(move |entry| {
            local.visit(root, entry);
            WalkState::Continue
        })
    });
    let mut walked = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let unlisted = unlisted_manifests(root, &walked.candidates);
    walked.candidates.extend(unlisted);
    walked.candidates.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walked.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(walked)
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

/// The directories a walk enters, the root included, and git's own for the moves of HEAD.
pub(crate) fn directories(root: &Path) -> BTreeSet<PathBuf> {
    let entered =
        builder(root).build().flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()));
    let git = root.join(".git");
    entered.map(DirEntry::into_path).chain(git.is_dir().then_some(git)).collect()
}

type Tracked = LazyLock<HashSet<String>, Box<dyn FnOnce() -> HashSet<String> + Send + Sync>>;

fn builder(root: &Path) -> WalkBuilder {
    let defaults = built_in(root);
    let filter_root = root.to_owned();
    let tracked_root = root.to_owned();
    // Read when the first directory with a doubtful name is met.
    let tracked: Tracked = LazyLock::new(Box::new(move || tracked::tracked_directories(&tracked_root)));
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
        .filter_entry(move |entry| is_wanted(entry, &filter_root, &defaults, &tracked));
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
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
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
        let path = if std::path::MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace('\\', "/") };
        let lang = Lang::of_path(&path);
        if lang.is_none() && !is_manifest(&path) {
            if unread::is_code(&path) {
                self.leave_unread(&entry, path, "no_parser");
            }
            return;
        }
        match entry.metadata() {
            Ok(metadata) if metadata.len() > MAX_FILE_BYTES => {
                if lang.is_some_and(|lang| lang.family() != Family::Prose) {
                    self.leave_unread(&entry, path.clone(), "oversize");
                }
                self.walked.skipped.push(Skipped { path, reason: "oversize".into() });
            }
            Ok(metadata) => {
                let (byte_len, mtime_ns) = (metadata.len(), mtime_ns(&metadata));
                self.walked.candidates.push(Candidate { path, lang, byte_len, mtime_ns, link: None });
            }
            Err(error) => self.skip_error(root, &error),
        }
    }

    fn leave_unread(&mut self, entry: &DirEntry, path: String, reason: &'static str) {
        if let Ok(metadata) = entry.metadata() {
            let (byte_len, mtime_ns) = (metadata.len(), mtime_ns(&metadata));
            self.walked.unread.push(Unread { path, byte_len, mtime_ns, reason });
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

fn built_in(root: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(root);
    for pattern in BUILT_IN_IGNORES {
        builder.add_line(None, pattern).expect("built-in patterns are valid");
    }
    builder.build().expect("built-in patterns are valid")
}

/// Whether an `.orbitignore` on the way down brings a built-in name back with `!pattern`.
fn is_brought_back(path: &Path, root: &Path, is_dir: bool) -> bool {
    path.ancestors().skip(1).take_while(|dir| dir.starts_with(root)).any(|dir| {
        let file = dir.join(".orbitignore");
        file.is_file() && Gitignore::new(&file).0.matched(path, is_dir).is_whitelist()
    })
}

/// Whether a directory is entered and a file looked at.
fn is_wanted(entry: &DirEntry, root: &Path, defaults: &Gitignore, tracked: &Tracked) -> bool {
    if entry.depth() == 0 {
        return true;
    }
    let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
    let name = entry.file_name().to_string_lossy();
    if name.starts_with('.') {
        let wanted = if is_dir { name == ".github" } else { name == ".env" || name.starts_with(".env.") };
        let in_github =
            !is_dir && entry.path().strip_prefix(root).is_ok_and(|path| path.starts_with(".github"));
        if !wanted && !in_github {
            return false;
        }
    }
    if is_dir && is_other_repository(entry.path()) {
        return false;
    }
    !defaults.matched(entry.path(), is_dir).is_ignore()
        || is_dir && tracked::is_doubtful(&name) && is_tracked_source(entry.path(), root, tracked)
        || is_brought_back(entry.path(), root, is_dir)
}

/// Whether git tracks files of a directory, and `go mod vendor` did not fill it.
fn is_tracked_source(dir: &Path, root: &Path, tracked: &Tracked) -> bool {
    let relative = dir.strip_prefix(root).ok().and_then(Path::to_str);
    relative.is_some_and(|relative| tracked.contains(&relative.replace('\\', "/")))
        && !dir.join("modules.txt").is_file()
}

/// Whether a directory is a worktree or clone of its own. A submodule is part of the repository round it: its `.git`
/// is a file that leads to that repository's `modules`.
fn is_other_repository(dir: &Path) -> bool {
    let git = dir.join(".git");
    match std::fs::symlink_metadata(&git) {
        Err(_) => false,
        Ok(metadata) if metadata.is_dir() => git.join("HEAD").is_file(),
        Ok(_) => match std::fs::read_to_string(&git) {
            Ok(link) => link.starts_with("gitdir:") && !link.replace('\\', "/").contains("/modules/"),
            Err(_) => false,
        },
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
