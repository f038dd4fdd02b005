//! Who asks, when nobody says so: `ORBIT_ACTOR`, the client of the MCP server with its worktree, git's user, the user
//! of the machine.

use orbit_git::Git;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

const VARIABLE: &str = "ORBIT_ACTOR";
/// The longest name that a claim takes.
const LONGEST: usize = 200;

/// The client that this process serves.
static CLIENT: OnceLock<String> = OnceLock::new();
/// What it last called itself.
static SAID: Mutex<Option<String>> = Mutex::new(None);

/// Remembers the client of the server; the first name counts.
pub(crate) fn serves(client: &str) {
    let name = client.trim();
    if !name.is_empty() {
        CLIENT.get_or_init(|| name.chars().take(LONGEST).collect());
    }
}

/// Remembers what the client calls itself; later calls without a name are its, too.
pub(crate) fn calls_itself(name: &str) {
    *SAID.lock().unwrap_or_else(PoisonError::into_inner) = Some(name.to_owned());
}

/// The name under which something is claimed or changed in a worktree.
pub(crate) fn actor(root: &Path) -> Option<String> {
    let said = |name: &str| std::env::var(name).ok();
    let client = || {
        let worktree = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        CLIENT.get().map(|client| format!("{client}@{worktree}"))
    };
    let itself = SAID.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let name = itself
        .or_else(|| said(VARIABLE).filter(|name| !name.trim().is_empty()))
        .or_else(client)
        .or_else(|| Git::at(root).line(&["config", "user.name"]))
        .or_else(|| said("USER"))
        .or_else(|| said("USERNAME"))?;
    let name: String = name.trim().chars().take(LONGEST).collect();
    (!name.is_empty()).then_some(name)
}
