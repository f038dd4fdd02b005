//! `omnigraph graph`

use crate::args::GraphCommand;
use crate::failure::Failure;
use crate::remote::Server;
use crate::render;
use crate::session::{Location, Session};
use serde_json::json;

pub(super) fn run(session: &Session, command: &GraphCommand) -> Result<(), Failure> {
    let GraphCommand::List { url } = command;
    match url {
        Some(url) => served(session, url),
        None => named(session),
    }
}

fn served(session: &Session, url: &str) -> Result<(), Failure> {
    let location = Location { uri: url.to_owned(), name: None };
    if !location.is_server() {
        return Err(Failure::usage(format!("`{url}` is not the address of a server"))
            .hint("write `http://host:8080`; a graph in files is one graph"));
    }
    let found = Server::new(session, &location)?.graphs()?;
    if session.json {
        return render::json(&found);
    }
    let lines = found.graphs.iter().map(|graph| {
        let default = if graph.is_default { "  default" } else { "" };
        let unavailable = if graph.is_unavailable { "  cannot be opened" } else { "" };
        format!("{}{default}{unavailable}\n", graph.name)
    });
    render::text(lines.collect::<String>())
}

fn named(session: &Session) -> Result<(), Failure> {
    let mut graphs = Vec::new();
    for name in session.config.graphs() {
        graphs.push((name, session.config.graph(name)?));
    }
    let default = session.config.default_graph();
    if session.json {
        let graphs: Vec<_> = graphs
            .iter()
            .map(|(name, uri)| json!({ "name": name, "uri": uri, "is_default": Some(*name) == default }))
            .collect();
        return render::json(&json!({ "graphs": graphs }));
    }
    if graphs.is_empty() {
        return render::line("omnigraph.yaml names no graphs");
    }
    let lines = graphs.iter().map(|(name, uri)| {
        let default = if Some(*name) == default { "  default" } else { "" };
        format!("{name}  {uri}{default}\n")
    });
    render::text(lines.collect::<String>())
}
