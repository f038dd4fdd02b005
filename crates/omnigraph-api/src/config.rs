//! `omnigraph.yaml`: graphs by name, defaults of the command line and of the server, aliases.

mod file;

pub use file::{Alias, AliasCommand, CellLayout, OidcConfig, OutputFormat};

use crate::fault::Fault;
use file::{File, GraphConfig};
use omnigraph::compiler::did_you_mean;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Looked for in the current directory and nowhere else.
pub const FILE: &str = "omnigraph.yaml";

/// What the file says, and where it is.
#[derive(Debug, Default)]
pub struct Config {
    file: File,
    /// The file's directory, which its paths are relative to.
    dir: PathBuf,
}

impl Config {
    /// The file that is named, or that of the current directory if there is one.
    pub fn load(named: Option<&Path>) -> Result<Config, Fault> {
        let path = match named {
            Some(path) => path,
            None if Path::new(FILE).is_file() => Path::new(FILE),
            None => return Ok(Config::default()),
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            let text = error.to_string();
            let reason = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
            Fault::new("io", format!("cannot read {}: {reason}", path.display()))
        })?;
        let file = serde_yaml_ng::from_str::<Option<File>>(&text)
            .map_err(|error| Fault::new("bad_config", format!("{}: {error}", path.display())))?;
        let dir = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(Config { file: file.unwrap_or_default(), dir })
    }

    /// A path of the file.
    fn path(&self, path: &Path) -> PathBuf {
        self.dir.join(path)
    }

    /// The place of a graph that the file names.
    pub fn graph(&self, name: &str) -> Result<String, Fault> {
        let Some(graph) = self.file.graphs.get(name) else {
            let known = self.file.graphs.keys().map(String::as_str);
            let fault = Fault::new("bad_config", format!("{FILE} has no graph `{name}`"));
            return Err(match did_you_mean(name, known) {
                Some(hint) => fault.hint(hint),
                None => fault.hint(format!("name its place in {FILE}: `graphs: {{ {name}: {{ uri: … }} }}`")),
            });
        };
        let is_path = !graph.uri.contains("://");
        Ok(if is_path { self.path(Path::new(&graph.uri)).display().to_string() } else { graph.uri.clone() })
    }

    /// The names of all graphs.
    pub fn graphs(&self) -> impl Iterator<Item = &str> {
        self.file.graphs.keys().map(String::as_str)
    }

    /// The variable with the token of a graph: of the one that was named, else of the one that has this place.
    pub fn token_variable(&self, name: Option<&str>, uri: &str) -> Option<&str> {
        let is_there = |graph: &&GraphConfig| graph.uri.trim_end_matches('/') == uri.trim_end_matches('/');
        let graph = match name {
            Some(name) => self.file.graphs.get(name),
            None => self.file.graphs.values().find(is_there),
        };
        graph?.bearer_token_env.as_deref()
    }

    /// A file of variables beside the environment.
    pub fn env_file(&self) -> Option<PathBuf> {
        self.file.auth.env_file.as_ref().map(|path| self.path(path))
    }

    /// The graph of commands that name none.
    pub fn default_graph(&self) -> Option<&str> {
        self.file.cli.graph.as_deref()
    }

    /// The graph of a server that is started without one.
    pub fn served_graph(&self) -> Option<&str> {
        self.file.server.graph.as_deref()
    }

    /// Where a server listens.
    pub fn bind(&self) -> Option<&str> {
        self.file.server.bind.as_deref()
    }

    /// The branch of commands that name none.
    pub fn branch(&self) -> Option<&str> {
        self.file.cli.branch.as_deref()
    }

    /// How rows are printed.
    pub fn format(&self) -> Option<OutputFormat> {
        self.file.cli.output_format
    }

    /// The widest column of a table and what happens to wider values.
    pub fn table(&self) -> (usize, CellLayout) {
        (self.file.cli.table_max_column_width.unwrap_or(80), self.file.cli.table_cell_layout)
    }

    /// Values of parameters of any query that has them.
    pub fn params(&self) -> &Map<String, Value> {
        &self.file.query.params
    }

    /// The rules of who may do what.
    pub fn policy(&self) -> Option<PathBuf> {
        self.file.policy.file.as_ref().map(|path| self.path(path))
    }

    /// The rules of one graph, in the place of those of all.
    pub fn graph_policy(&self, name: &str) -> Option<PathBuf> {
        self.file.graphs.get(name)?.policy.as_ref().map(|path| self.path(path))
    }

    /// Whether a token is enough for everything where there are no rules.
    pub fn allows_all_tokens(&self) -> bool {
        self.file.server.allow_all_tokens
    }

    /// Whose signed tokens the server takes. A file of keys is named from the directory of the configuration.
    pub fn oidc(&self) -> Option<OidcConfig> {
        let mut oidc = self.file.server.oidc.clone()?;
        let local =
            |jwks: &String| (!jwks.contains("://")).then(|| self.path(Path::new(jwks)).display().to_string());
        if let Some(path) = oidc.jwks.as_ref().and_then(local) {
            oidc.jwks = Some(path);
        }
        Some(oidc)
    }

    /// What the rules are expected to decide.
    pub fn policy_tests(&self) -> Option<PathBuf> {
        self.file.policy.tests.as_ref().map(|path| self.path(path))
    }

    /// A query with a short name.
    pub fn alias(&self, name: &str) -> Option<&Alias> {
        self.file.aliases.get(name)
    }

    /// The names of all aliases.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.file.aliases.keys().map(String::as_str)
    }

    /// Where queries are looked for.
    pub fn query_roots(&self) -> impl Iterator<Item = PathBuf> {
        self.file.query.roots.iter().map(|root| self.path(root))
    }

    /// Files, or directories of files, whose queries servers and agents know by name.
    pub fn published(&self) -> impl Iterator<Item = PathBuf> {
        self.file.query.publish.iter().map(|place| self.path(place))
    }

    /// A query file that the command line names: as it is, else below the roots.
    pub fn query(&self, path: &Path) -> PathBuf {
        self.found(path.to_path_buf(), path)
    }

    /// A query file that an alias names: beside the configuration, else below the roots.
    pub fn alias_query(&self, path: &Path) -> PathBuf {
        self.found(self.path(path), path)
    }

    fn found(&self, plain: PathBuf, path: &Path) -> PathBuf {
        let roots = self.query_roots().map(|root| root.join(path));
        let found = std::iter::once(plain.clone()).chain(roots).find(|path| path.is_file());
        found.unwrap_or(plain)
    }
}
