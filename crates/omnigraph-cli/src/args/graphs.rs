//! Which graphs there are.

use clap::Subcommand;
use clap::builder::NonEmptyStringValueParser;

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// List the graphs of a server, or those that omnigraph.yaml names
    #[command(after_help = "Examples:\n  omnigraph graph list\n  omnigraph graph list http://127.0.0.1:8080")]
    List {
        /// The address of a server; without it, the graphs of omnigraph.yaml are listed
        #[arg(value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
        url: Option<String>,
    },
}
