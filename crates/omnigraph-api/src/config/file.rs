//! The file as it is written.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct File {
    pub(super) project: Project,
    pub(super) graphs: BTreeMap<String, GraphConfig>,
    pub(super) server: Server,
    pub(super) cli: Cli,
    pub(super) query: Query,
    pub(super) auth: Auth,
    pub(super) aliases: BTreeMap<String, Alias>,
    pub(super) policy: Policy,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Project {
    /// Read so that a mistake in it is reported; people look at it.
    pub(super) name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GraphConfig {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) bearer_token_env: Option<String>,
    #[serde(default)]
    pub(super) policy: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Server {
    pub(super) graph: Option<String>,
    pub(super) bind: Option<String>,
    pub(super) allow_all_tokens: bool,
    pub(super) oidc: Option<OidcConfig>,
}

/// Whose signed tokens are taken, beside those that the server was given.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcConfig {
    /// `iss` of the tokens. Without `jwks`, its keys are found below `/.well-known/openid-configuration`.
    pub issuer: String,
    /// What `aud` of the tokens must name.
    pub audience: String,
    /// The keys: a file, relative to the configuration, or an address.
    pub jwks: Option<String>,
    /// The claim that names the actor: `sub` if nothing is said.
    pub actor_claim: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Cli {
    pub(super) graph: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) output_format: Option<OutputFormat>,
    pub(super) table_max_column_width: Option<usize>,
    pub(super) table_cell_layout: CellLayout,
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// One object with all rows.
    Json,
    /// A line about the result, then a line per row.
    Jsonl,
    /// Comma-separated values below a header.
    Csv,
    /// A block of lines per row.
    Kv,
    /// A table that fits the screen.
    Table,
    /// An Arrow IPC stream.
    Arrow,
}

/// What happens to values that are wider than their column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellLayout {
    /// They are cut.
    #[default]
    Truncate,
    /// They take several lines.
    Wrap,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Query {
    pub(super) roots: Vec<PathBuf>,
    pub(super) publish: Vec<PathBuf>,
    pub(super) params: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Auth {
    pub(super) env_file: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Policy {
    pub(super) file: Option<PathBuf>,
    pub(super) tests: Option<PathBuf>,
}

/// A query with a short name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alias {
    /// What it is for.
    pub command: AliasCommand,
    /// The file.
    pub query: PathBuf,
    /// Which query of it.
    #[serde(default)]
    pub name: Option<String>,
    /// Names of parameters, in the order of the arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Values of parameters that nobody gives.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Where it is run when nothing is said.
    #[serde(default)]
    pub graph: Option<String>,
    /// Where it is run when nothing is said.
    #[serde(default)]
    pub branch: Option<String>,
    /// How its rows are printed.
    #[serde(default)]
    pub format: Option<OutputFormat>,
}

/// What a query is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AliasCommand {
    /// Reading.
    Read,
    /// Changing.
    Change,
}

impl AliasCommand {
    /// As written.
    pub const fn as_str(self) -> &'static str {
        match self {
            AliasCommand::Read => "read",
            AliasCommand::Change => "change",
        }
    }
}
