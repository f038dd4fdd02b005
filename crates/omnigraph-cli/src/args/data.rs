//! Rows in and out.

use super::{Place, When};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, ValueEnum};
use omnigraph_api::calls::load;
use std::path::PathBuf;

/// What to read.
#[derive(Debug, ClapArgs)]
pub(crate) struct LoadInput {
    /// The file: JSONL, CSV, Parquet or Arrow; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// The type that rows of CSV, Parquet and Arrow belong to
    #[arg(long = "type", value_name = "TYPE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) type_name: Option<String>,
    /// What the file is [default: by the end of its name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<InputFormat>,
    /// Report at most this many rows that do not fit
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_errors: u32,
    /// Take numbers for dates in JSONL: days since 1970 for a `Date`, milliseconds for a `DateTime`
    #[arg(long)]
    pub(crate) numeric_dates: bool,
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    /// Refuse unless this is the newest commit of the branch
    #[arg(long, value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) if_commit: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LoadArgs {
    #[command(flatten)]
    pub(crate) input: LoadInput,
    /// What becomes of rows that are there
    #[arg(long, value_enum)]
    pub(crate) mode: Mode,
    /// Make the branch from this one when it is missing
    #[arg(long, value_name = "BRANCH", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct IngestArgs {
    #[command(flatten)]
    pub(crate) input: LoadInput,
    /// What becomes of rows that are there
    #[arg(long, value_enum, default_value = "merge")]
    pub(crate) mode: Mode,
    /// Make the branch from this one when it is missing
    #[arg(long, value_name = "BRANCH", default_value = "main", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) from: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Mode {
    /// The tables that the file has rows for are replaced
    Overwrite,
    /// Rows must be new
    Append,
    /// Rows with the same id are replaced
    Merge,
}

impl From<Mode> for load::ModeChoice {
    fn from(mode: Mode) -> load::ModeChoice {
        match mode {
            Mode::Overwrite => load::ModeChoice::Overwrite,
            Mode::Append => load::ModeChoice::Append,
            Mode::Merge => load::ModeChoice::Merge,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum InputFormat {
    Jsonl,
    Csv,
    Parquet,
    Arrow,
    /// A whole graph in one CSV, as `apoc.export.csv.all` of Neo4j writes it
    Cypher,
}

impl From<InputFormat> for load::InputFormat {
    fn from(format: InputFormat) -> load::InputFormat {
        match format {
            InputFormat::Jsonl => load::InputFormat::Jsonl,
            InputFormat::Csv => load::InputFormat::Csv,
            InputFormat::Parquet => load::InputFormat::Parquet,
            InputFormat::Arrow => load::InputFormat::Arrow,
            InputFormat::Cypher => load::InputFormat::Cypher,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) at: When,
    /// Only this node or edge type; can be given again
    #[arg(long = "type", value_name = "TYPE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) types: Vec<String>,
    /// Only this table, as `snapshot` names it: `node:Person`; can be given again
    #[arg(long = "table", value_name = "KEY", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) tables: Vec<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EmbedArgs {
    /// A YAML file that names input, output and what is embedded
    #[arg(long, value_name = "FILE", required_unless_present = "input", conflicts_with_all = ["input", "spec"])]
    pub(crate) seed: Option<PathBuf>,
    /// The JSONL to read
    #[arg(long, value_name = "FILE", requires = "output", requires = "spec")]
    pub(crate) input: Option<PathBuf>,
    /// The JSONL to write
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What is embedded, as JSON: `{dimension, types: {Type: {target, fields}}}`
    #[arg(long, value_name = "FILE", requires = "input")]
    pub(crate) spec: Option<PathBuf>,
    /// Compute every vector anew
    #[arg(long, conflicts_with = "clean")]
    pub(crate) reembed_all: bool,
    /// Remove the vectors
    #[arg(long)]
    pub(crate) clean: bool,
    /// Only this type; can be given again
    #[arg(long = "type", value_name = "TYPE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) types: Vec<String>,
    /// Only records with this value, computed anew: `Type:field=value` or `field=value`; can be given again
    #[arg(long = "select", value_name = "SELECTOR")]
    pub(crate) selectors: Vec<String>,
}
