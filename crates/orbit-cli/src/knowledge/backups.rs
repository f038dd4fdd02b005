//! Copies of the store, one a day, and bringing one back.

use crate::failure::Failure;
use orbit_knowledge::{KnowledgeError, Store};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Days of which a copy is kept.
const KEPT: usize = 7;
const DIRECTORY: &str = "backups";

/// Copies the store when today has no copy yet. Nobody is kept from working when that fails.
pub(super) fn daily(store: &Store, today: &str) {
    let _ = copied(store, today);
}

fn copied(store: &Store, today: &str) -> Result<(), KnowledgeError> {
    let Some(home) = store.path().parent().map(|home| home.join(DIRECTORY)) else { return Ok(()) };
    let name = format!("knowledge-{today}.db");
    if home.join(&name).exists() {
        return Ok(());
    }
    // Another process may be at it: each writes its own file, and one name wins.
    let draft = home.join(format!("{name}.{}", std::process::id()));
    store.backup(&draft)?;
    fs::rename(&draft, home.join(&name)).map_err(|error| KnowledgeError::File(draft.clone(), error))?;
    for old in listed(store.path()).into_iter().skip(KEPT) {
        let _ = fs::remove_file(old); // another process was first
    }
    Ok(())
}

/// The copies beside a database, the newest first.
pub(crate) fn listed(db: &Path) -> Vec<PathBuf> {
    let home = db.parent().map(|home| home.join(DIRECTORY)).unwrap_or_default();
    let entries = fs::read_dir(home).into_iter().flatten().flatten();
    let is_copy = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("knowledge-") && path.extension().is_some_and(|end| end == "db")
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_copy).collect();
    found.sort();
    found.reverse();
    found
}

/// Puts a database and its log out of the way, under a name that says why. Gives the new name.
pub(crate) fn set_aside(db: &Path, why: &str) -> Result<PathBuf, Failure> {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let named = |suffix: &str| {
        let mut name = db.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{why}-{seconds}{suffix}"));
        db.with_file_name(name)
    };
    for suffix in ["", "-wal", "-shm"] {
        let mut part = db.as_os_str().to_os_string();
        part.push(suffix);
        if Path::new(&part).exists() {
            fs::rename(&part, named(suffix)).map_err(|error| KnowledgeError::File(part.into(), error))?;
        }
    }
    Ok(named(""))
}

/// Puts a copy in the place of the store; what was there is set aside.
pub(crate) fn restore(db: &Path, copy: &Path) -> Result<Option<PathBuf>, Failure> {
    if let Some(home) = db.parent() {
        fs::create_dir_all(home)?;
    }
    // A copy that cannot be opened must not take the place of anything.
    let trial = db.with_extension(format!("trial-{}", std::process::id()));
    fs::copy(copy, &trial).map_err(|error| KnowledgeError::File(copy.to_owned(), error))?;
    if let Err(error) = Store::check(&trial) {
        let _ = fs::remove_file(&trial); // it says nothing that the copy does not
        return Err(error.into());
    }
    let aside = if db.exists() { Some(set_aside(db, "replaced")?) } else { None };
    fs::rename(&trial, db).map_err(|error| KnowledgeError::File(db.to_owned(), error))?;
    Ok(aside)
}
