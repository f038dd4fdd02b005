//! From the command line to a server that listens.

use crate::args::{Args, Bounds, LogFormat};
use crate::watch;
use omnigraph_api::config::Config;
use omnigraph_api::fault::Fault;
use omnigraph_api::saved::Saved;
use omnigraph_policy::Policy;
use omnigraph_server::auth::{Oidc, TokenSource, Tokens, settings};
use omnigraph_server::http::{App, Hosted, Limits, Rules, router, serve};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tracing_subscriber::EnvFilter;

/// Where a server listens when nothing is said.
const BIND: &str = "127.0.0.1:8080";

/// Connections that wait to be accepted; the system may take fewer. Those that find no room try again a second later.
const BACKLOG: u32 = 4_096;

/// Serves until a signal ends it.
pub(crate) fn run(args: &Args) -> Result<(), Fault> {
    log_to_stderr(args.log);
    let config =
        Config::load(args.config.clone().or_else(|| said("OMNIGRAPH_CONFIG").map(Into::into)).as_deref())?;
    let bind = args.bind.clone().or_else(|| said("OMNIGRAPH_BIND"));
    let address = address(bind.as_deref().or(config.bind()).unwrap_or(BIND))?;
    let source = TokenSource::from_env();
    let oidc = settings(config.oidc()).and_then(|oidc| oidc.map(Oidc::load).transpose());
    let oidc = oidc.map_err(|error| Fault::new("bad_config", error.to_string()))?;
    let has_tokens = source != TokenSource::None || oidc.is_some();
    check_tokens(&source, oidc.as_ref(), args.unauthenticated, address)?;
    let limits = limits(&args.bounds);
    let threads = limits.workers + limits.streams + 64;
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(cert), Some(key)) => Some(acceptor(cert, key)?),
        _ => None,
    };
    let rules = rules(args, &config, has_tokens)?;
    if let Some(oidc) = &oidc {
        tracing::info!("tokens of issuer {}", oidc.issuer());
    }
    let tokens = Tokens::load(source).map_err(|error| Fault::new("bad_config", error.to_string()))?;
    let tokens = tokens.signed_by(oidc);
    let saved = Saved::load(&config);
    watch::warn(&saved);
    let app = App::new(hosted(args, &config, &rules, has_tokens)?, tokens, rules, saved, limits);
    let app = Arc::new(app.open_to(&args.cors_origin, address.ip().is_loopback()));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(threads).build();
    let runtime = runtime.map_err(|error| Fault::new("io", format!("no threads: {error}")))?;
    let served = runtime.block_on(listen(app, config, address, tls));
    // What still runs was cut off on purpose.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn listen(
    app: Arc<App>,
    config: Config,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
) -> Result<(), Fault> {
    let listener = listener(address)
        .map_err(|error| Fault::new("io", format!("cannot listen on {address}: {error}")))?;
    let address = listener.local_addr().unwrap_or(address);
    let scheme = if tls.is_some() { "https" } else { "http" };
    tracing::info!(tokens = %app.tokens().source(), "listening on {scheme}://{address}");
    let end = watch::signals(app.clone(), config)
        .map_err(|error| Fault::new("io", format!("no signals: {error}")))?;
    serve(listener, app.clone(), router(&app), tls, end).await;
    tracing::info!("ended");
    Ok(())
}

/// A socket with room for a crowd that arrives at once.
fn listener(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn log_to_stderr(format: LogFormat) {
    let filter = EnvFilter::try_from_env("OMNIGRAPH_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,omnigraph_server=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.with_ansi(false).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

fn address(text: &str) -> Result<SocketAddr, Fault> {
    let mut found = text.to_socket_addrs().map_err(|error| {
        Fault::new("bad_config", format!("`{text}` is not a valid address: {error}"))
            .hint("write an address and a port, such as 127.0.0.1:8080")
    })?;
    found.next().ok_or_else(|| Fault::new("bad_config", format!("`{text}` is not a valid address")))
}

/// A variable of the environment that is not empty: how a container is configured, instead of arguments.
fn said(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// An address that others can reach needs tokens, unless it is said that it does not.
fn check_tokens(
    source: &TokenSource,
    oidc: Option<&Oidc>,
    unauthenticated: bool,
    address: SocketAddr,
) -> Result<(), Fault> {
    let has_tokens = *source != TokenSource::None || oidc.is_some();
    if has_tokens && unauthenticated {
        let source = oidc.map_or_else(|| source.to_string(), |oidc| format!("issuer {}", oidc.issuer()));
        return Err(Fault::new("bad_config", format!("--unauthenticated, but there are tokens ({source})"))
            .hint("leave out one of the two"));
    }
    if !has_tokens && !unauthenticated && !address.ip().is_loopback() {
        return Err(Fault::new("bad_config", format!("{address} can be reached by others, and there are no tokens"))
            .hint("set OMNIGRAPH_SERVER_BEARER_TOKENS_FILE or another source of tokens, listen on 127.0.0.1, or say --unauthenticated"));
    }
    Ok(())
}

fn limits(bounds: &Bounds) -> Limits {
    let plain = Limits::default();
    Limits {
        body: bounds.max_body,
        ingest_body: bounds.max_ingest,
        load_body: bounds.max_load,
        workers: bounds.workers.map_or(plain.workers, |workers| workers as usize),
        waiting: bounds.max_waiting as usize,
        streams: bounds.max_streams as usize,
        feeds: bounds.max_feeds as usize,
        connections: bounds.max_connections as usize,
        idle_timeout: Duration::from_secs(bounds.idle_timeout),
        head_timeout: Duration::from_secs(bounds.head_timeout),
        body_timeout: Duration::from_secs(bounds.body_timeout),
        stall_timeout: Duration::from_secs(bounds.stall_timeout),
        shutdown_timeout: Duration::from_secs(bounds.shutdown_timeout),
    }
}

/// The rules of all graphs that have none of their own.
fn rules(args: &Args, config: &Config, has_tokens: bool) -> Result<Rules, Fault> {
    let allows_all =
        args.allow_all_tokens || config.allows_all_tokens() || is_set("OMNIGRAPH_ALLOW_ALL_TOKENS");
    match args.policy.clone().or_else(|| config.policy()) {
        Some(path) => policy(&path, has_tokens || args.unauthenticated),
        None if !has_tokens || allows_all => Ok(Rules::Unrestricted),
        None => {
            tracing::warn!(
                "there are tokens and no policy: nobody may do anything; name a policy with --policy, or say \
                 --allow-all-tokens"
            );
            Ok(Rules::Denied)
        }
    }
}

/// Rules tell callers apart by their names, and names come from tokens.
fn policy(path: &Path, has_names: bool) -> Result<Rules, Fault> {
    if !has_names {
        let message =
            format!("{} says who may do what, and there are no tokens to tell who calls", path.display());
        return Err(Fault::new("bad_config", message).hint(
            "set OMNIGRAPH_SERVER_BEARER_TOKENS_FILE or another source of tokens, or say --unauthenticated: \
             everybody is `anonymous` then",
        ));
    }
    let policy = Policy::load(path).map_err(|error| Fault::new("bad_config", error.to_string()))?;
    tracing::info!("policy {}", path.display());
    Ok(Rules::Policy(Arc::new(policy)))
}

fn is_set(name: &str) -> bool {
    said(name).is_some_and(|text| text != "0")
}

/// The graph that is named, or those of the configuration; the first is that of routes that name none.
fn hosted(args: &Args, config: &Config, rules: &Rules, has_tokens: bool) -> Result<Vec<Hosted>, Fault> {
    let target = args.target.clone().or_else(|| said("OMNIGRAPH_TARGET"));
    let uri = args.uri.clone().or_else(|| said("OMNIGRAPH_TARGET_URI").filter(|_| target.is_none()));
    if let Some(uri) = &uri {
        let hosted = Hosted::new(stem(uri), uri, rules.clone());
        hosted.open()?;
        tracing::info!("graph {} at {uri}", hosted.name);
        return Ok(vec![hosted]);
    }
    let mut names: Vec<&str> = config.graphs().collect();
    let first = target.as_deref().or(config.served_graph()).or(config.default_graph());
    match first {
        Some(first) => {
            config.graph(first)?;
            names.retain(|name| *name != first);
            names.insert(0, first);
        }
        None if names.is_empty() => {
            return Err(Fault::new("bad_config", "no graph is named")
                .hint("give its place as an argument, or name graphs in omnigraph.yaml"));
        }
        None => {}
    }
    let mut graphs = Vec::new();
    for name in names {
        let uri = config.graph(name)?;
        if uri.starts_with("http://") || uri.starts_with("https://") {
            if graphs.is_empty() && first == Some(name) {
                return Err(Fault::new(
                    "bad_config",
                    format!("graph `{name}` is served elsewhere, at {uri}"),
                ));
            }
            continue;
        }
        let rules = match config.graph_policy(name) {
            Some(path) => policy(&path, has_tokens || args.unauthenticated)?,
            None => rules.clone(),
        };
        graphs.push(Hosted::new(name, &uri, rules));
    }
    opened(&graphs)?;
    Ok(graphs)
}

/// Opens what can be opened: one graph that is damaged, or away, does not keep the others from being served.
fn opened(graphs: &[Hosted]) -> Result<(), Fault> {
    let mut failed = None;
    for hosted in graphs {
        match hosted.open() {
            Ok(()) => tracing::info!("graph {} at {}", hosted.name, hosted.uri),
            Err(fault) => {
                tracing::error!("graph {} cannot be opened: {}", hosted.name, fault.message);
                failed.get_or_insert(fault);
            }
        }
    }
    match failed {
        Some(fault) if graphs.iter().all(|hosted| !hosted.is_open()) => Err(fault),
        _ => Ok(()),
    }
}

/// `team` of `s3://bucket/team.omni`
fn stem(uri: &str) -> &str {
    let last = uri.trim_end_matches('/').rsplit('/').next().unwrap_or(uri);
    last.split_once('.').map_or(last, |(stem, _)| stem)
}

fn acceptor(cert: &Path, key: &Path) -> Result<TlsAcceptor, Fault> {
    let wrong = |path: &Path, error: &dyn std::fmt::Display| {
        Fault::new("bad_config", format!("{}: {error}", path.display()))
    };
    let chain = CertificateDer::pem_file_iter(cert).map_err(|error| wrong(cert, &error))?;
    let chain: Vec<_> = chain.collect::<Result<_, _>>().map_err(|error| wrong(cert, &error))?;
    let key_der = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(cert, &error))?
        .with_no_client_auth()
        .with_single_cert(chain, key_der)
        .map_err(|error| wrong(cert, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
