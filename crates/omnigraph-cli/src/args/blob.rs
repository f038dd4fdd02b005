//! Bytes of a row.

use super::{Place, When};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum BlobCommand {
    /// Write the bytes of a blob to standard output or to a file
    #[command(
        after_help = "Examples:\n  omnigraph blob get Person Alice photo ./team.omni > alice.jpg\n  omnigraph blob get Person Alice photo --out alice.jpg --snapshot v1 https://graphs.example.com"
    )]
    Get(BlobArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BlobArgs {
    /// The node or edge type, or the table: `Person`, `node:Person`
    #[arg(value_name = "TYPE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) type_name: String,
    /// The id of the row
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The property, whose type is `Blob`
    #[arg(value_name = "PROPERTY", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) property: String,
    /// Write to this file, which is replaced only when all bytes are there
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) at: When,
    #[command(flatten)]
    pub(crate) place: Place,
}
