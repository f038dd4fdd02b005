//! The command line of the server.

use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Serves graphs over HTTP: queries, changes, branches, merges, exports, MCP.
#[derive(Debug, Parser)]
#[command(
    name = "omnigraph-server",
    version,
    after_help = "Tokens come from the first of these that is set:\n  \
        OMNIGRAPH_SERVER_BEARER_TOKENS_AWS_SECRET   the name of a secret in AWS Secrets Manager\n  \
        OMNIGRAPH_SERVER_BEARER_TOKENS_FILE         a file with {\"actor\": \"token\"}, read again when it changes\n  \
        OMNIGRAPH_SERVER_BEARER_TOKENS_JSON         {\"actor\": \"token\"}\n  \
        OMNIGRAPH_SERVER_BEARER_TOKEN               one token, of the actor `default`\n\n\
        SIGHUP reads tokens and saved queries again, and tries graphs that could not be opened; SIGTERM and SIGINT finish what is under way.\n\n\
        Examples:\n  \
        omnigraph-server ./team.omni\n  \
        OMNIGRAPH_SERVER_BEARER_TOKEN=… omnigraph-server s3://bucket/team.omni --bind 0.0.0.0:8080\n  \
        omnigraph-server --config omnigraph.yaml"
)]
pub(crate) struct Args {
    /// The graph: a path, `file://…` or `s3://bucket/prefix` [default: the graphs of omnigraph.yaml]
    #[arg(value_name = "URI")]
    pub(crate) uri: Option<String>,
    /// Where to listen [default: `server.bind` of omnigraph.yaml, or 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(crate) bind: Option<String>,
    /// The configuration [default: omnigraph.yaml of the current directory, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The graph of the configuration that routes without a name mean [default: `server.graph`]
    #[arg(long, value_name = "NAME", conflicts_with = "uri")]
    pub(crate) target: Option<String>,
    /// The rules of who may do what [default: `policy.file` of the configuration]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Let every token do everything, where no policy says otherwise
    #[arg(long)]
    pub(crate) allow_all_tokens: bool,
    /// Let everybody in, also on an address that others can reach
    #[arg(long)]
    pub(crate) unauthenticated: bool,
    /// Let pages of this origin call, or of any with `*`; can be given again
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors_origin: Vec<String>,
    /// Speak TLS with this chain of certificates (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// How the log is written to standard error; `OMNIGRAPH_LOG` says how much, such as `warn`
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) log: LogFormat,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
}

/// What callers may cost.
#[derive(Debug, clap::Args)]
pub(crate) struct Bounds {
    /// Bytes of a request's body
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    pub(crate) max_body: u64,
    /// Bytes of a body of `/ingest`
    #[arg(long, value_name = "BYTES", default_value_t = 32 << 20)]
    pub(crate) max_ingest: u64,
    /// Bytes of a body of `/load`, which goes to a temporary file
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 30)]
    pub(crate) max_load: u64,
    /// Requests that are worked on at once [default: 4 for each core, at least 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) workers: Option<u32>,
    /// Requests that wait for their turn; more are answered with 429
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub(crate) max_waiting: u32,
    /// Exports that are streamed at once; more are answered with 429
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_streams: u32,
    /// Callers that are told of changes as they come; more are answered with 429
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) max_feeds: u32,
    /// Connections at once; more wait to be accepted
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,
    /// Seconds for a connection to come up with its next request
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) idle_timeout: u64,
    /// Seconds for the rest of a request's head to arrive behind its first byte, and for a TLS handshake
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) head_timeout: u64,
    /// Seconds for the body of a request to arrive
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) body_timeout: u64,
    /// Seconds for which a load may send, or the reader of an export may take, nothing
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) stall_timeout: u64,
    /// Seconds that requests have to finish when the server ends
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) shutdown_timeout: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// A JSON object a line
    Json,
}
