//! When an open graph syncs itself.

use std::time::Duration;

/// Chosen when a graph is opened, and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncPolicy {
    /// Only when asked. For tests and one-shot commands.
    #[default]
    Manual,
    /// Before every query.
    OnRead,
    /// Before a query when the last sync is older than `window`.
    Windowed {
        /// How old is too old.
        window: Duration,
    },
    /// Once at the start, then whenever files change. Queries never wait for it; `sync` is the barrier.
    Watch {
        /// How long files must be quiet.
        debounce: Duration,
    },
}
