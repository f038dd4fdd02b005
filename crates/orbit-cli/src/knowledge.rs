//! Where the store of tasks and knowledge is, and opening it.
//!
//! All worktrees of a clone share one: it lies under the main worktree's `.orbit/`, found through git's common
//! directory. `--db` or `ORBIT_KNOWLEDGE_DB` point elsewhere.

use crate::code::WorktreeCode;
use crate::failure::Failure;
use orbit_graph::Location;
use orbit_knowledge::{KnowledgeError, Options, Pipelines, Store};
use std::fs;
use std::path::{Path, PathBuf};

/// Names another database when `--db` does not.
const VARIABLE: &str = "ORBIT_KNOWLEDGE_DB";

/// Opens the store of the clone that `dir` belongs to, made when there is none.
pub(crate) fn open(dir: &Path, db: Option<&Path>) -> Result<Store, Failure> {
    let root = Location::of(dir)?.root;
    let home = main_worktree(&root).join(".orbit");
    let config = home.join("config.toml");
    let pipelines = match fs::read_to_string(&config) {
        Ok(text) => Pipelines::from_toml(&text)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Pipelines::default(),
        Err(error) => return Err(KnowledgeError::File(config, error).into()),
    };
    let elsewhere = db.map(Path::to_owned).or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
    let path = match elsewhere {
        Some(path) if path.is_absolute() => path,
        Some(path) => dir.join(path),
        None => {
            ignore(&home).map_err(|error| KnowledgeError::File(home.clone(), error))?;
            home.join("knowledge.db")
        }
    };
    let code = Box::new(WorktreeCode::new(&root));
    Ok(Store::open(&path, Options { pipelines, code, ..Options::default() })?)
}

/// Opens the store of the clone when there is one; makes none.
pub(crate) fn open_existing(dir: &Path) -> Result<Option<Store>, Failure> {
    let elsewhere = std::env::var_os(VARIABLE).map(PathBuf::from);
    let path = match elsewhere {
        Some(path) => dir.join(path),
        None => main_worktree(&Location::of(dir)?.root).join(".orbit/knowledge.db"),
    };
    if !path.exists() {
        return Ok(None);
    }
    open(dir, None).map(Some)
}

/// The worktree that the clone was made with: the one whose `.git` all others share. A bare repository stands for
/// itself; outside of git, and in a submodule, the directory does.
fn main_worktree(root: &Path) -> PathBuf {
    let Some(git_dir) = linked_git_dir(root) else { return root.to_owned() };
    let Ok(common) = fs::read_to_string(git_dir.join("commondir")) else { return root.to_owned() };
    let common = git_dir.join(common.trim());
    let common = common.canonicalize().unwrap_or(common);
    match common.parent() {
        Some(main) if common.file_name().is_some_and(|name| name == ".git") => main.to_owned(),
        _ => common,
    }
}

/// Where the `.git` file of a linked worktree points.
fn linked_git_dir(root: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(root.join(".git")).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

/// Keeps the database out of commits.
fn ignore(home: &Path) -> std::io::Result<()> {
    fs::create_dir_all(home)?;
    let path = home.join(".gitignore");
    let text = fs::read_to_string(&path).unwrap_or_else(|_| "graph/\n.gitignore\n".into());
    if text.lines().any(|line| line == "knowledge.db*") {
        return Ok(());
    }
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    fs::write(path, format!("{text}{end}knowledge.db*\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_worktrees_share_the_main_ones() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (main, linked) = (root.join("main"), root.join("linked"));
        fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
        fs::create_dir_all(&linked).unwrap();
        fs::write(main.join(".git/worktrees/linked/commondir"), "../..\n").unwrap();
        fs::write(linked.join(".git"), format!("gitdir: {}\n", main.join(".git/worktrees/linked").display()))
            .unwrap();
        assert_eq!(main_worktree(&linked), main);
        assert_eq!(main_worktree(&main), main);
        assert_eq!(main_worktree(&root), root);
    }

    #[test]
    fn a_worktree_of_a_bare_repository_uses_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("bare.git/worktrees/w")).unwrap();
        fs::create_dir_all(root.join("w")).unwrap();
        fs::write(root.join("bare.git/worktrees/w/commondir"), "../..").unwrap();
        fs::write(root.join("w/.git"), "gitdir: ../bare.git/worktrees/w").unwrap();
        assert_eq!(main_worktree(&root.join("w")), root.join("bare.git"));
    }

    #[test]
    fn the_database_is_ignored_once() {
        let dir = tempfile::tempdir().unwrap();
        let read = || fs::read_to_string(dir.path().join(".gitignore")).unwrap();
        ignore(dir.path()).unwrap();
        ignore(dir.path()).unwrap();
        assert_eq!(read(), "graph/\n.gitignore\nknowledge.db*\n");
        fs::write(dir.path().join(".gitignore"), "graph/").unwrap();
        ignore(dir.path()).unwrap();
        assert_eq!(read(), "graph/\nknowledge.db*\n");
    }
}
