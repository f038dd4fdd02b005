//! `omnigraph init`

use crate::args::InitArgs;
use crate::config::scaffold;
use crate::failure::Failure;
use crate::queries::read_source;
use crate::render;
use crate::session::Session;
use omnigraph::{Access, Branch, Graph, GraphOptions, Target};
use omnigraph_api::config::FILE;
use omnigraph_api::fault::Fault;
use omnigraph_compiler::Schema;
use omnigraph_store::Location;
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(super) fn run(session: &Session, args: &InitArgs) -> Result<(), Failure> {
    let source = read_source(&args.schema)?;
    Schema::parse(&source).map_err(|diagnostics| Failure::text(&diagnostics, &source))?;
    let location = session.location(&args.place)?;
    let uri = &location.uri;
    if location.is_server() {
        let message = format!("`{uri}` cannot hold a graph: it is the address of a server, not of a store");
        return Err(Failure::new("bad_request", message).hint(
            "a server serves graphs that exist: make it where its files are, then start omnigraph-server",
        ));
    }
    let access = Access::unrestricted().named(session.actor.name());
    let graph = Graph::create(uri, source.text(), access, &GraphOptions::default())
        .map_err(|error| Fault::about(error, &source))?;
    let config = configure(graph.store().location(), uri);
    if session.json {
        let head = graph.store().resolve(&Target::Branch(Branch::MAIN.to_owned()))?;
        return render::json(&json!({
            "uri": uri,
            "initialized": true,
            "graph_commit_id": head.id(),
            "config": config.map(|path| path.display().to_string()),
        }));
    }
    render::line(&format!("initialized {uri}"))
}

/// Writes a configuration beside a graph on a disk, or into the current directory for one that is elsewhere, unless
/// there is one. A place that cannot be written to does not fail the command.
fn configure(location: &Location, uri: &str) -> Option<PathBuf> {
    let here = Path::new("");
    let (dir, uri) = match location.directory() {
        Some(directory) => {
            let name = directory.file_name()?.to_str()?;
            (directory.parent()?, format!("./{name}"))
        }
        None => (here, uri.to_owned()),
    };
    let path = dir.join(FILE);
    let project = uri.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let project = project.split_once('.').map_or(project, |(stem, _)| stem).to_owned();
    let text = scaffold(&uri, &project);
    let mut file = std::fs::File::create_new(&path).ok()?;
    file.write_all(text.as_bytes()).ok()?;
    Some(path)
}
