//! Git and the clone, for all of `orbit`.
//!
//! ```text
//! directory ─▶ Checkout (worktree, main worktree, .orbit of both, config.toml) ─▶ Git (runs git there)
//!                                                                              └▶ Head (read from git's files)
//! ```
//!
//! - [`Checkout`]: which worktree a directory belongs to, which one the clone was made with, and what lies in `.orbit/`.
//! - [`Head`]: where HEAD is, without starting a process.
//! - [`Git`]: git as a process, with everything scrubbed that would make it look elsewhere or answer in another language.

mod checkout;
mod command;
mod head;

pub use checkout::{Checkout, ConfigError, keep_out_of_git, worktree_root};
pub use command::{Git, GitError};
pub use head::Head;
