//! What can be typed about history and context.

use clap::Args as ClapArgs;

/// The part of `sync` that is about history.
#[derive(Debug, ClapArgs)]
pub(crate) struct SyncHistoryArgs {
    /// Bring the history up to HEAD as well
    #[arg(long)]
    pub(crate) history: bool,
    /// A regular expression for task ids in commit messages; group 1 is the id [default: the one in
    /// .orbit/config.toml]
    #[arg(long, value_name = "REGEX", requires = "history")]
    pub(crate) task_id_pattern: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HistoryArgs {
    /// A selector, name, path or path:line; a symbol that is gone by its last symbol: selector
    pub(crate) selector: String,
    /// At most this many commits
    #[arg(long, default_value_t = 50, value_name = "N")]
    pub(crate) limit: usize,
    /// Bring the history up to HEAD first
    #[arg(long)]
    pub(crate) refresh: bool,
    /// A regular expression for task ids in commit messages; group 1 is the id [default: the one in
    /// .orbit/config.toml]
    #[arg(long, value_name = "REGEX")]
    pub(crate) task_id_pattern: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CochangeArgs {
    /// A selector, name, path or path:line
    pub(crate) selector: String,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
    /// Bring the history up to HEAD first
    #[arg(long)]
    pub(crate) refresh: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PackArgs {
    /// Selectors, names, paths or path:line; what comes first gets room first
    #[arg(required = true)]
    pub(crate) selectors: Vec<String>,
    /// Stay below this many tokens
    #[arg(long, default_value_t = 8_000, value_name = "N")]
    pub(crate) max_tokens: usize,
    /// Stop gathering after this time
    #[arg(long, default_value_t = 15_000, value_name = "MS")]
    pub(crate) timeout_ms: u64,
    /// Sync first instead of reading the index as it is
    #[arg(long)]
    pub(crate) refresh: bool,
}
