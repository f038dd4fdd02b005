//! What a server is working on.

use super::Place;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum RequestCommand {
    /// List the requests that a server is working on: yours, and everybody's for who may maintain the graph
    #[command(after_help = "Examples:\n  omnigraph request list http://127.0.0.1:8080")]
    List {
        #[command(flatten)]
        place: Place,
    },
    /// End a request; nothing of it is committed
    #[command(
        visible_alias = "kill",
        after_help = "Examples:\n  omnigraph request stop 42 http://127.0.0.1:8080"
    )]
    Stop {
        /// As `request list` says it
        #[arg(value_name = "ID")]
        id: u64,
        #[command(flatten)]
        place: Place,
    },
}
