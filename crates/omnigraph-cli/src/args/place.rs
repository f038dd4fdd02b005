//! Which graph, and which of its states.

use clap::Args as ClapArgs;
use clap::builder::NonEmptyStringValueParser;

/// Which graph.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Place {
    /// The graph: a path, `file://…`, `s3://bucket/prefix`, or `http://…` for one that a server has
    #[arg(value_name = "URI", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) uri: Option<String>,
    /// The graph, as an option
    #[arg(id = "uri-option", long = "uri", value_name = "URI", conflicts_with = "uri", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) uri_option: Option<String>,
    /// The graph, by its name below `graphs` in omnigraph.yaml
    #[arg(long, value_name = "NAME", conflicts_with_all = ["uri", "uri-option"], value_parser = NonEmptyStringValueParser::new())]
    pub(crate) target: Option<String>,
}

/// Which state of the graph.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct When {
    /// The branch [default: `cli.branch` of omnigraph.yaml, or main]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) branch: Option<String>,
    /// As it was at this commit: its id, a tag, or `manifest:BRANCH:vN`
    #[arg(long, value_name = "COMMIT", conflicts_with_all = ["branch", "at"], value_parser = NonEmptyStringValueParser::new())]
    pub(crate) snapshot: Option<String>,
    /// As the branch was at this time: `2026-11-01T12:00:00Z` or `2026-11-01`
    #[arg(long, value_name = "TIME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) at: Option<String>,
}
