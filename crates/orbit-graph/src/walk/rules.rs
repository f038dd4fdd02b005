//! Which names a walk passes over, beside what the ignore files say.

use super::tracked::{self, Tracked};
use ignore::DirEntry;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

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

type Read<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send + Sync>>;

pub(super) struct Rules {
    root: PathBuf,
    defaults: Gitignore,
    tracked: Read<Tracked>,
}

impl Rules {
    pub(super) fn of(root: &Path) -> Rules {
        let tracked_root = root.to_owned();
        Rules {
            root: root.to_owned(),
            defaults: built_in(root),
            tracked: LazyLock::new(Box::new(move || tracked::read(&tracked_root))),
        }
    }

    /// What git tracks, read when it is first asked for.
    pub(super) fn tracked(&self) -> &Tracked {
        &self.tracked
    }

    /// Whether a directory is entered and a file looked at.
    pub(super) fn is_wanted(&self, entry: &DirEntry) -> bool {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path();
        entry.depth() == 0
            || self.is_wanted_by_name(path, is_dir)
            || is_dir && self.is_tracked_source(path) && !is_hidden(path, &self.root, is_dir)
    }

    /// The same, without regard to what git tracks.
    pub(super) fn is_wanted_by_name(&self, path: &Path, is_dir: bool) -> bool {
        if is_hidden(path, &self.root, is_dir) || is_dir && is_other_repository(path) {
            return false;
        }
        !self.defaults.matched(path, is_dir).is_ignore() || is_brought_back(path, &self.root, is_dir)
    }

    /// Whether the name of a directory is doubtful, git tracks files in it, and neither `go mod vendor` nor another
    /// repository filled it.
    fn is_tracked_source(&self, dir: &Path) -> bool {
        let is_doubtful = dir.file_name().and_then(|name| name.to_str()).is_some_and(tracked::is_doubtful);
        let relative = || dir.strip_prefix(&self.root).ok()?.to_str().map(|path| path.replace('\\', "/"));
        is_doubtful
            && relative().is_some_and(|relative| self.tracked().doubtful.contains(&relative))
            && !dir.join("modules.txt").is_file()
            && !is_other_repository(dir)
    }
}

fn built_in(root: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(root);
    for pattern in BUILT_IN_IGNORES {
        builder.add_line(None, pattern).expect("built-in patterns are valid");
    }
    builder.build().expect("built-in patterns are valid")
}

/// Whether a name begins with a dot and is not among those that are read.
fn is_hidden(path: &Path, root: &Path, is_dir: bool) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if !name.starts_with('.') {
        return false;
    }
    let is_read = if is_dir { name == ".github" } else { name == ".env" || name.starts_with(".env.") };
    let in_github = || path.strip_prefix(root).is_ok_and(|path| path.starts_with(".github"));
    !is_read && (is_dir || !in_github())
}

/// Whether an `.orbitignore` on the way down brings a built-in name back with `!pattern`.
fn is_brought_back(path: &Path, root: &Path, is_dir: bool) -> bool {
    path.ancestors().skip(1).take_while(|dir| dir.starts_with(root)).any(|dir| {
        let file = dir.join(".orbitignore");
        file.is_file() && Gitignore::new(&file).0.matched(path, is_dir).is_whitelist()
    })
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
