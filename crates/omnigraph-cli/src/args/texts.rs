//! Queries and schemas.

use super::{Place, SchemaApplyArgs, SchemaPlanArgs, When};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Which query, with which values.
#[derive(Debug, ClapArgs)]
pub(crate) struct AskArgs {
    /// The file with the query, looked for below `query.roots` of omnigraph.yaml too; `-` is standard input
    #[arg(long, value_name = "FILE", required_unless_present_any = ["alias", "inline"], conflicts_with = "alias")]
    pub(crate) query: Option<PathBuf>,
    /// The query itself
    #[arg(short = 'e', long, value_name = "QUERY", conflicts_with_all = ["query", "alias"])]
    pub(crate) inline: Option<String>,
    /// The query [default: the only one of the file]
    #[arg(long, value_name = "NAME", conflicts_with = "alias", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,
    /// Values of parameters, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) params: Option<String>,
    /// A file with values of parameters; those of --params win
    #[arg(long, value_name = "FILE")]
    pub(crate) params_file: Option<PathBuf>,
    /// An alias of omnigraph.yaml; its arguments follow
    #[arg(long, value_name = "ALIAS", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) alias: Option<String>,
    /// The graph, as an option
    #[arg(long, value_name = "URI", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) uri: Option<String>,
    /// The graph, by its name below `graphs` in omnigraph.yaml
    #[arg(long, value_name = "NAME", conflicts_with = "uri", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) target: Option<String>,
    /// The arguments of the alias, then the graph: a path, `file://…`, `s3://bucket/prefix` or `http://…`
    #[arg(value_name = "URI", allow_hyphen_values = false)]
    pub(crate) positional: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    #[command(flatten)]
    pub(crate) at: When,
    /// How rows are printed [default: `cli.output_format` of omnigraph.yaml, or table]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FormatChoice>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShellArgs {
    #[command(flatten)]
    pub(crate) at: When,
    /// How rows are printed [default: `cli.output_format` of omnigraph.yaml, or table]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FormatChoice>,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangeArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    /// Refuse unless this is the newest commit of the branch
    #[arg(long, value_name = "COMMIT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) if_commit: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    #[command(flatten)]
    pub(crate) at: When,
    /// Plan for this schema, without a graph
    #[arg(long, value_name = "FILE", conflicts_with_all = ["analyze", "positional", "uri", "target"])]
    pub(crate) schema: Option<PathBuf>,
    /// Run the query and say rows and time of every operator
    #[arg(long)]
    pub(crate) analyze: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// One object with all rows
    Json,
    /// A line about the result, then a line per row
    Jsonl,
    /// Comma-separated values below a header
    Csv,
    /// A block of lines per row
    Kv,
    /// A table that fits the screen
    Table,
    /// An Arrow IPC stream
    Arrow,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    /// Print the schema of a graph
    #[command(after_help = "Examples:\n  omnigraph schema get ./team.omni > schema.pg")]
    Get {
        #[command(flatten)]
        at: When,
        #[command(flatten)]
        place: Place,
    },
    /// Print the steps that lead to another schema, and how safe each is
    #[command(
        after_help = "Examples:\n  omnigraph schema plan --schema next.pg ./team.omni\n  omnigraph schema plan --schema next.pg --branch review/monday --json ./team.omni"
    )]
    Plan(SchemaPlanArgs),
    /// Give a branch another schema, as one commit
    #[command(
        after_help = "Examples:\n  omnigraph schema apply --schema next.pg ./team.omni\n  omnigraph schema apply --schema next.pg --allow-drop --json ./team.omni"
    )]
    Apply(SchemaApplyArgs),
    /// Print a schema as it is usually written
    #[command(
        after_help = "Examples:\n  omnigraph schema fmt schema.pg\n  omnigraph schema fmt --write schema.pg\n  omnigraph schema fmt --check schema.pg"
    )]
    Fmt(SchemaFormatArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueryCommand {
    /// Report what is wrong or suspicious in a file of queries
    #[command(
        after_help = "Examples:\n  omnigraph query lint --schema schema.pg --query people.gq\n  omnigraph query lint --query people.gq --uri ./team.omni"
    )]
    Lint(LintArgs),
    /// Report only what is wrong in a file of queries
    #[command(after_help = "Examples:\n  omnigraph query check --schema schema.pg --query people.gq")]
    Check(LintArgs),
    /// Print a file of queries as it is usually written
    #[command(
        after_help = "Examples:\n  omnigraph query fmt --query people.gq\n  omnigraph query fmt --write --query people.gq"
    )]
    Fmt(QueryFormatArgs),
}

/// The schema that queries are checked against.
#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaSource {
    /// The schema
    #[arg(long, value_name = "FILE", conflicts_with_all = ["uri", "uri-option", "target"])]
    pub(crate) schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) at: When,
    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LintArgs {
    /// The file of queries
    #[arg(long, value_name = "FILE")]
    pub(crate) query: PathBuf,
    #[command(flatten)]
    pub(crate) schema: SchemaSource,
}

/// Where a formatted text goes.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct FormatArgs {
    /// Write the file instead of printing it
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// Only say whether the file would change; exit code 1 if so
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct QueryFormatArgs {
    /// The file of queries
    #[arg(long, value_name = "FILE")]
    pub(crate) query: PathBuf,
    /// Not needed to format; taken so that `lint`, `check` and `fmt` can be called alike
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SchemaFormatArgs {
    /// The schema
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
