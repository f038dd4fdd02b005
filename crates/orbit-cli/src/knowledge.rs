//! Where the store of tasks and knowledge is, and opening it.
//!
//! All worktrees of a clone share one: it lies under the main worktree's `.orbit/`, found through git's common
//! directory. `--db` or `ORBIT_KNOWLEDGE_DB` point elsewhere.

use crate::code::WorktreeCode;
use crate::failure::Failure;
use orbit_git::{Checkout, keep_out_of_git};
use orbit_graph::Location;
use orbit_knowledge::{KnowledgeError, Options, Pipelines, Store};
use std::path::{Path, PathBuf};

/// Names another database when `--db` does not.
const VARIABLE: &str = "ORBIT_KNOWLEDGE_DB";

/// Opens the store of the clone that `dir` belongs to, made when there is none.
pub(crate) fn open(dir: &Path, db: Option<&Path>) -> Result<Store, Failure> {
    let root = Location::of(dir)?.root;
    let checkout = Checkout::at(&root);
    let home = checkout.shared_dir();
    let config = checkout.config().map_err(|error| KnowledgeError::Pipeline(error.to_string()))?;
    let pipelines = config.map(Pipelines::from_table).transpose()?.unwrap_or_default();
    let elsewhere = db.map(Path::to_owned).or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
    let path = match elsewhere {
        Some(path) if path.is_absolute() => path,
        Some(path) => dir.join(path),
        None => {
            keep_out_of_git(&home, "knowledge.db*")
                .map_err(|error| KnowledgeError::File(home.clone(), error))?;
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
        None => Checkout::at(&Location::of(dir)?.root).shared_dir().join("knowledge.db"),
    };
    if !path.exists() {
        return Ok(None);
    }
    open(dir, None).map(Some)
}
