//! Worktrees of a clone, and what lies in their `.orbit` directories.
//!
//! Each worktree has an `.orbit/` for what is derived from its files. What all worktrees of a clone share lies in the
//! `.orbit/` of the main one.

use crate::command::Git;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// The file in an `.orbit/` that keeps the rest out of commits, and itself.
const IGNORE_FILE: &str = ".gitignore";

/// A worktree and the clone that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The worktree.
    pub root: PathBuf,
    main: PathBuf,
    common_dir: Option<PathBuf>,
}

impl Checkout {
    /// Of the worktree at `root`; outside of git, of the directory.
    pub fn at(root: &Path) -> Checkout {
        let git_dir = git_dir(root);
        let common_dir = git_dir.as_deref().map(|dir| {
            let common = common_dir(dir);
            common.canonicalize().unwrap_or(common)
        });
        let is_linked = git_dir.is_some_and(|dir| dir.join("commondir").exists());
        let main = match common_dir.as_deref().filter(|_| is_linked) {
            // A submodule, or a git directory put elsewhere: this worktree is the main one.
            None => root.to_owned(),
            Some(common) if common.file_name().is_some_and(|name| name == ".git") => {
                common.parent().unwrap_or(root).to_owned()
            }
            // Worktrees of a bare repository: the repository stands for the main one.
            Some(common) => common.to_owned(),
        };
        Checkout { root: root.to_owned(), main, common_dir }
    }

    /// The worktree that the clone was made with.
    pub fn main(&self) -> &Path {
        &self.main
    }

    /// All worktrees of the clone that are there, the main one first, the linked ones sorted.
    pub fn worktrees(&self) -> Vec<PathBuf> {
        let Some(common) = &self.common_dir else { return vec![self.root.clone()] };
        let entries = fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten();
        // Each has a file that names the `.git` of its worktree, from there when git was told to use relative paths.
        let mut linked: Vec<PathBuf> = entries
            .filter_map(|entry| {
                let text = fs::read_to_string(entry.path().join("gitdir")).ok()?;
                let link = entry.path().join(text.trim_end_matches('\n'));
                link.parent()?.canonicalize().ok()
            })
            .collect();
        linked.sort();
        // A bare repository has files of git where others have theirs.
        let main = Some(self.main.clone()).filter(|main| main.join(".git").exists());
        main.into_iter().chain(linked).collect()
    }

    /// Git's directory that all worktrees share; `None` outside of git.
    pub fn common_dir(&self) -> Option<&Path> {
        self.common_dir.as_deref()
    }

    /// `.orbit/` of this worktree.
    pub fn own_dir(&self) -> PathBuf {
        self.root.join(".orbit")
    }

    /// `.orbit/` of the main worktree.
    pub fn shared_dir(&self) -> PathBuf {
        self.main.join(".orbit")
    }

    /// Git here.
    pub fn git(&self) -> Git {
        Git::at(&self.root)
    }

    /// The settings: `.orbit/config.toml` of this worktree, or of the main one when this one has none.
    pub fn config(&self) -> Result<Option<toml::Table>, ConfigError> {
        for dir in [self.own_dir(), self.shared_dir()] {
            let path = dir.join("config.toml");
            let text = match fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(ConfigError { path, message: error.to_string() }),
            };
            let parsed = text.parse::<toml::Table>();
            return parsed
                .map(Some)
                .map_err(|error| ConfigError { path, message: error.message().to_owned() });
        }
        Ok(None)
    }
}

/// Settings that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for ConfigError {}

/// The worktree that a directory belongs to: the nearest ancestor with a `.git`, else the directory itself.
pub fn worktree_root(dir: &Path) -> PathBuf {
    dir.ancestors().find(|ancestor| ancestor.join(".git").exists()).unwrap_or(dir).to_owned()
}

/// Makes an `.orbit/` and keeps what matches `pattern` there out of commits. Lines that people added stay.
pub fn keep_out_of_git(orbit_dir: &Path, pattern: &str) -> io::Result<()> {
    fs::create_dir_all(orbit_dir)?;
    let path = orbit_dir.join(IGNORE_FILE);
    let text = fs::read_to_string(&path).ok();
    let has_line = |text: &str| text.lines().any(|line| line == pattern);
    if text.as_deref().is_some_and(has_line) {
        return Ok(());
    }
    let mut text = text.unwrap_or_else(|| format!("graph/\n{IGNORE_FILE}\n"));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !has_line(&text) {
        text.push_str(pattern);
        text.push('\n');
    }
    fs::write(path, text)
}

/// The git directory of a worktree: `.git`, or where the `.git` file of a linked worktree points.
pub(crate) fn git_dir(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

/// The directory shared by all worktrees of a clone.
pub(crate) fn common_dir(git_dir: &Path) -> PathBuf {
    match fs::read_to_string(git_dir.join("commondir")) {
        Ok(text) => git_dir.join(text.trim()),
        Err(_) => git_dir.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_of(root: &Path) -> PathBuf {
        Checkout::at(root).main().to_owned()
    }

    #[test]
    fn linked_worktrees_share_the_main_one() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (main, linked) = (root.join("main"), root.join("linked"));
        fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
        fs::create_dir_all(&linked).unwrap();
        fs::write(main.join(".git/worktrees/linked/commondir"), "../..\n").unwrap();
        let pointer = format!("gitdir: {}\n", main.join(".git/worktrees/linked").display());
        fs::write(linked.join(".git"), pointer).unwrap();
        assert_eq!(main_of(&linked), main);
        assert_eq!(main_of(&main), main);
        assert_eq!(main_of(&root), root);
        assert_eq!(Checkout::at(&linked).common_dir(), Some(main.join(".git").as_path()));
        assert_eq!(Checkout::at(&root).common_dir(), None);
    }

    #[test]
    fn a_worktree_of_a_bare_repository_uses_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("bare.git/worktrees/w")).unwrap();
        fs::create_dir_all(root.join("w")).unwrap();
        fs::write(root.join("bare.git/worktrees/w/commondir"), "../..").unwrap();
        fs::write(root.join("w/.git"), "gitdir: ../bare.git/worktrees/w").unwrap();
        assert_eq!(main_of(&root.join("w")), root.join("bare.git"));
    }

    #[test]
    fn a_submodule_is_its_own_main_worktree() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".git/modules/sub")).unwrap();
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("sub/.git"), "gitdir: ../.git/modules/sub").unwrap();
        assert_eq!(main_of(&root.join("sub")), root.join("sub"));
    }

    #[test]
    fn a_pattern_is_ignored_once() {
        let dir = tempfile::tempdir().unwrap();
        let read = || fs::read_to_string(dir.path().join(".gitignore")).unwrap();
        keep_out_of_git(dir.path(), "graph/").unwrap();
        assert_eq!(read(), "graph/\n.gitignore\n");
        keep_out_of_git(dir.path(), "knowledge.db*").unwrap();
        keep_out_of_git(dir.path(), "knowledge.db*").unwrap();
        assert_eq!(read(), "graph/\n.gitignore\nknowledge.db*\n");
        fs::write(dir.path().join(".gitignore"), "graph/").unwrap();
        keep_out_of_git(dir.path(), "knowledge.db*").unwrap();
        assert_eq!(read(), "graph/\nknowledge.db*\n");
    }

    #[test]
    fn the_settings_of_a_worktree_come_first() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (main, linked) = (root.join("main"), root.join("linked"));
        fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
        fs::create_dir_all(main.join(".orbit")).unwrap();
        fs::create_dir_all(linked.join(".orbit")).unwrap();
        fs::write(main.join(".git/worktrees/linked/commondir"), "../..\n").unwrap();
        fs::write(linked.join(".git"), "gitdir: ../main/.git/worktrees/linked").unwrap();
        let value = || Checkout::at(&linked).config().unwrap().map(|table| table["a"].as_integer());
        assert_eq!(value(), None);
        fs::write(main.join(".orbit/config.toml"), "a = 1").unwrap();
        assert_eq!(value(), Some(Some(1)));
        fs::write(linked.join(".orbit/config.toml"), "a = 2").unwrap();
        assert_eq!(value(), Some(Some(2)));
        fs::write(linked.join(".orbit/config.toml"), "a = ").unwrap();
        let error = Checkout::at(&linked).config().unwrap_err();
        assert_eq!(error.path, linked.join(".orbit/config.toml"));
    }
}
