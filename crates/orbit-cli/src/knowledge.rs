//! Where the store of tasks and knowledge is, and opening it.
//!
//! All worktrees of a clone share one: it lies under the main worktree's `.orbit/`, found through git's common
//! directory. `--db` or `ORBIT_KNOWLEDGE_DB` point elsewhere.

pub(crate) mod backups;
pub(crate) mod hint;

use crate::code::WorktreeCode;
use crate::failure::Failure;
use orbit_git::{Checkout, keep_out_of_git};
use orbit_graph::Location;
use orbit_knowledge::{Clock as _, KnowledgeError, Options, Pipelines, Store, SystemClock};
use std::path::{Path, PathBuf};

/// Names another database when `--db` does not.
const VARIABLE: &str = "ORBIT_KNOWLEDGE_DB";

/// Opens the store of the clone that `dir` belongs to, made when there is none. A damaged one is set aside.
pub(crate) fn open(dir: &Path, db: Option<&Path>) -> Result<Store, Failure> {
    let root = Location::of(dir)?.root;
    let checkout = Checkout::at(&root);
    let home = checkout.shared_dir();
    let options = options(&root)?;
    let path = place(dir, db)?;
    let is_ours = path.parent() == Some(home.as_path());
    if is_ours {
        for pattern in ["knowledge.db*", "backups/"] {
            keep_out_of_git(&home, pattern).map_err(|error| KnowledgeError::File(home.clone(), error))?;
        }
    }
    match Store::open(&path, options) {
        Ok(store) => {
            if is_ours {
                let now = SystemClock.now().iso();
                backups::daily(&store, now.get(..10).unwrap_or_default());
            }
            Ok(store)
        }
        Err(KnowledgeError::Damaged(_)) if is_ours => Err(damaged(&path)?),
        Err(error) => Err(error.into()),
    }
}

/// What the store of a worktree works with.
fn options(root: &Path) -> Result<Options, Failure> {
    let config = Checkout::at(root).config().map_err(|error| KnowledgeError::Pipeline(error.to_string()))?;
    let pipelines = config.map(Pipelines::from_table).transpose()?.unwrap_or_default();
    Ok(Options { pipelines, code: Box::new(WorktreeCode::new(root)), ..Options::default() })
}

/// Sets a damaged database aside, and says how to go on.
fn damaged(path: &Path) -> Result<Failure, Failure> {
    let copy = backups::listed(path).into_iter().next();
    let aside = backups::set_aside(path, "damaged")?;
    let message = format!("{} is damaged; it was set aside as {}", path.display(), aside.display());
    let hint = match copy {
        Some(copy) => format!("`orbit knowledge restore` brings back {}; without it the next call begins anew", copy.display()),
        None => "there is no backup; `orbit knowledge import` reads what was exported, and the next call begins anew".to_owned(),
    };
    Ok(Failure::input("knowledge_damaged", message, &hint))
}

/// Where the store of the clone is.
pub(crate) fn place(dir: &Path, db: Option<&Path>) -> Result<PathBuf, Failure> {
    let elsewhere = db.map(Path::to_owned).or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
    Ok(match elsewhere {
        Some(path) if path.is_absolute() => path,
        Some(path) => dir.join(path),
        None => Checkout::at(&Location::of(dir)?.root).shared_dir().join("knowledge.db"),
    })
}

/// Opens the store of the clone when there is one; makes none.
pub(crate) fn open_existing(dir: &Path) -> Result<Option<Store>, Failure> {
    if !place(dir, None)?.exists() {
        return Ok(None);
    }
    open(dir, None).map(Some)
}
