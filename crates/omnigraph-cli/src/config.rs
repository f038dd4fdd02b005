//! `omnigraph.yaml`: graphs by name, defaults of the command line, aliases.

use crate::args::FormatChoice;
use crate::failure::Failure;
use omnigraph::render::Layout;
use omnigraph_compiler::did_you_mean;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Looked for in the current directory and nowhere else.
pub(crate) const FILE: &str = "omnigraph.yaml";

/// What the file says, and where it is.
#[derive(Debug, Default)]
pub(crate) struct Config {
    file: File,
    /// The file's directory, which its paths are relative to.
    dir: PathBuf,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    project: Project,
    graphs: BTreeMap<String, GraphConfig>,
    server: Server,
    cli: Cli,
    query: Query,
    auth: Auth,
    aliases: BTreeMap<String, Alias>,
    policy: Policy,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Project {
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GraphConfig {
    uri: String,
    #[serde(default)]
    #[expect(dead_code, reason = "read so that a mistake in it is reported; the server's clients use it")]
    bearer_token_env: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Server {
    graph: Option<String>,
    bind: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Cli {
    graph: Option<String>,
    branch: Option<String>,
    output_format: Option<FormatChoice>,
    table_max_column_width: Option<usize>,
    table_cell_layout: CellLayout,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CellLayout {
    #[default]
    Truncate,
    Wrap,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Query {
    roots: Vec<PathBuf>,
    params: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Auth {
    env_file: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Policy {
    file: Option<PathBuf>,
    tests: Option<PathBuf>,
}

/// A query with a short name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Alias {
    pub(crate) command: AliasCommand,
    pub(crate) query: PathBuf,
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Names of parameters, in the order of the arguments.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Values of parameters that nobody gives.
    #[serde(default)]
    pub(crate) params: Map<String, Value>,
    #[serde(default)]
    pub(crate) graph: Option<String>,
    #[serde(default)]
    pub(crate) branch: Option<String>,
    #[serde(default)]
    pub(crate) format: Option<FormatChoice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AliasCommand {
    Read,
    Change,
}

impl AliasCommand {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            AliasCommand::Read => "read",
            AliasCommand::Change => "change",
        }
    }
}

impl Config {
    /// Values of parameters of any query that has them.
    pub(crate) fn params(&self) -> &Map<String, Value> {
        &self.file.query.params
    }

    /// The rules of who may do what.
    pub(crate) fn policy(&self) -> Option<PathBuf> {
        self.file.policy.file.as_ref().map(|path| self.path(path))
    }

    /// What the rules are expected to decide.
    pub(crate) fn policy_tests(&self) -> Option<PathBuf> {
        self.file.policy.tests.as_ref().map(|path| self.path(path))
    }

    /// The file that is named, or that of the current directory if there is one.
    pub(crate) fn load(named: Option<&Path>) -> Result<Config, Failure> {
        let path = match named {
            Some(path) => path,
            None if Path::new(FILE).is_file() => Path::new(FILE),
            None => return Ok(Config::default()),
        };
        let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
        let file = serde_yaml_ng::from_str::<Option<File>>(&text)
            .map_err(|error| Failure::new("bad_config", format!("{}: {error}", path.display())))?;
        let dir = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(Config { file: file.unwrap_or_default(), dir })
    }

    /// A path of the file.
    fn path(&self, path: &Path) -> PathBuf {
        self.dir.join(path)
    }

    /// The place of a graph that the file names.
    pub(crate) fn graph(&self, name: &str) -> Result<String, Failure> {
        let Some(graph) = self.file.graphs.get(name) else {
            let known = self.file.graphs.keys().map(String::as_str);
            let failure = Failure::new("bad_config", format!("{FILE} has no graph `{name}`"));
            return Err(match did_you_mean(name, known) {
                Some(hint) => failure.hint(hint),
                None => {
                    failure.hint(format!("name its place in {FILE}: `graphs: {{ {name}: {{ uri: … }} }}`"))
                }
            });
        };
        let is_path = !graph.uri.contains("://");
        Ok(if is_path { self.path(Path::new(&graph.uri)).display().to_string() } else { graph.uri.clone() })
    }

    /// The graph of commands that name none.
    pub(crate) fn default_graph(&self) -> Option<&str> {
        self.file.cli.graph.as_deref()
    }

    pub(crate) fn branch(&self) -> Option<&str> {
        self.file.cli.branch.as_deref()
    }

    pub(crate) fn format(&self) -> Option<FormatChoice> {
        self.file.cli.output_format
    }

    /// The widest column of a table and what happens to wider values.
    pub(crate) fn table(&self) -> (usize, Layout) {
        let layout = match self.file.cli.table_cell_layout {
            CellLayout::Truncate => Layout::Truncate,
            CellLayout::Wrap => Layout::Wrap,
        };
        (self.file.cli.table_max_column_width.unwrap_or(80), layout)
    }

    pub(crate) fn alias(&self, name: &str) -> Option<&Alias> {
        self.file.aliases.get(name)
    }

    pub(crate) fn aliases(&self) -> impl Iterator<Item = &str> {
        self.file.aliases.keys().map(String::as_str)
    }

    /// A query file that the command line names: as it is, else below the roots.
    pub(crate) fn query(&self, path: &Path) -> PathBuf {
        self.found(path.to_path_buf(), path)
    }

    /// A query file that an alias names: beside the configuration, else below the roots.
    pub(crate) fn alias_query(&self, path: &Path) -> PathBuf {
        self.found(self.path(path), path)
    }

    fn found(&self, plain: PathBuf, path: &Path) -> PathBuf {
        let roots = self.file.query.roots.iter().map(|root| self.path(root).join(path));
        let found = std::iter::once(plain.clone()).chain(roots).find(|path| path.is_file());
        found.unwrap_or(plain)
    }
}

/// A file for a graph that was just made.
pub(crate) fn scaffold(uri: &str, name: &str) -> String {
    let quoted = serde_json::Value::from(uri);
    let project = serde_json::Value::from(name);
    format!(
        "# Defaults of `omnigraph` for commands that are run in this directory.\n\
         project:\n\
         \x20 name: {project}\n\
         graphs:\n\
         \x20 local:\n\
         \x20   uri: {quoted}\n\
         cli:\n\
         \x20 graph: local\n\
         \x20 branch: main\n\
         \x20 output_format: table\n\
         \x20 table_max_column_width: 80\n\
         \x20 table_cell_layout: truncate\n\
         query:\n\
         \x20 roots: [.]\n\
         aliases: {{}}\n"
    )
}
