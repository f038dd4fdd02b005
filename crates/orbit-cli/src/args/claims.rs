//! Taking and giving back work: `orbit task claim`, `unclaim`, `ready`, `mine`, `reserve`, `release`, `guard`

use super::work::WhoArgs;
use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct ReserveArgs {
    /// Which task: id, beginning of an id, or title
    pub(crate) id: String,
    /// Paths or globs
    #[arg(required = true)]
    pub(crate) paths: Vec<String>,
    /// Who works on it [default: `ORBIT_ACTOR` or git's user]
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// Seconds that the lease lasts
    #[arg(long, default_value_t = 900, value_name = "SECONDS")]
    pub(crate) ttl: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReleaseArgs {
    /// Which task: id, beginning of an id, or title
    pub(crate) id: String,
    /// Paths or globs [default: all]
    pub(crate) paths: Vec<String>,
    #[command(flatten)]
    pub(crate) who: WhoArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ClaimArgs {
    /// Which: id, beginning of an id, or name
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) who: WhoArgs,
    /// Seconds that the lease lasts
    #[arg(long, default_value_t = 900, value_name = "SECONDS")]
    pub(crate) ttl: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GuardArgs {
    /// Paths that are about to be written
    pub(crate) paths: Vec<String>,
    /// What is staged for the next commit
    #[arg(long)]
    pub(crate) staged: bool,
    /// Put `orbit task guard --staged` into the pre-commit hook
    #[arg(long)]
    pub(crate) install: bool,
    /// Whose own reservations do not count [default: `ORBIT_ACTOR` or git's user]
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadyArgs {
    /// Of this project, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) project: Option<String>,
    /// Of this feature, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(crate) feature: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MineArgs {
    /// Whose [default: `ORBIT_ACTOR` or git's user]
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// At most this many that were moved before
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) limit: u32,
}
