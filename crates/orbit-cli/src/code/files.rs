//! Files as they are on disk: a hash of their bytes, and prints when somebody needs them. What was read is kept as
//! long as size and time stay.

use orbit_extract::{Lang, Prints};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// Larger files are compared by their bytes only.
const PRINTED: u64 = 4 * 1024 * 1024;

/// The files of a worktree.
pub(super) struct Files {
    root: PathBuf,
    seen: Mutex<HashMap<String, Arc<Seen>>>,
}

/// A file as it was read.
pub(super) struct Seen {
    size: u64,
    modified: Option<SystemTime>,
    /// Of the bytes.
    pub(super) content: String,
    prints: OnceLock<Option<Arc<Prints>>>,
}

impl Files {
    pub(super) fn new(root: &Path) -> Files {
        Files { root: root.to_owned(), seen: Mutex::default() }
    }

    /// A file; `None` when there is no readable file of that path.
    pub(super) fn get(&self, path: &str) -> Option<Arc<Seen>> {
        let file = self.root.join(path);
        let about = fs::symlink_metadata(&file).ok()?;
        if !about.is_file() && !about.is_symlink() {
            return None;
        }
        let (size, modified) = (about.len(), about.modified().ok());
        let kept = self.lock().get(path).cloned();
        if let Some(kept) =
            kept.filter(|kept| kept.size == size && kept.modified == modified && !is_new(modified))
        {
            return Some(kept);
        }
        // Of a link it matters where it leads.
        let bytes = if about.is_symlink() {
            fs::read_link(&file).ok()?.to_string_lossy().into_owned().into_bytes()
        } else {
            fs::read(&file).ok()?
        };
        let content = content_of(&bytes);
        let kept =
            self.lock().get(path).filter(|kept| kept.content == content).map(|kept| kept.prints.clone());
        let seen = Arc::new(Seen { size, modified, content, prints: kept.unwrap_or_default() });
        self.lock().insert(path.to_owned(), Arc::clone(&seen));
        Some(seen)
    }

    /// The prints of a file; `None` for what is not code or cannot be read as such.
    pub(super) fn prints(&self, path: &str) -> Option<Arc<Prints>> {
        let seen = self.get(path)?;
        seen.prints.get_or_init(|| self.read_prints(path, &seen).map(Arc::new)).clone()
    }

    fn read_prints(&self, path: &str, seen: &Seen) -> Option<Prints> {
        let file = self.root.join(path);
        if seen.size > PRINTED || fs::symlink_metadata(&file).ok()?.is_symlink() {
            return None;
        }
        let lang = Lang::of_path(path)?;
        let bytes = fs::read(file).ok()?;
        orbit_extract::prints(path, lang, &bytes).ok()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Seen>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the bytes of a file are known again.
pub(super) fn content_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

/// Whether a file may have been written again within the grain of its time.
fn is_new(modified: Option<SystemTime>) -> bool {
    modified.and_then(|time| time.elapsed().ok()).is_none_or(|age| age.as_millis() < 50)
}
