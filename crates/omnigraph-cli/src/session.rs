//! What a command works with: the configuration, the graph, who writes.

use crate::args::{Place, When};
use crate::config::Config;
use crate::failure::Failure;
use omnigraph::{Access, Branch, CommitId, Graph, GraphOptions, Snapshot, Target};
use std::sync::Arc;

/// Of one run of the program.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) json: bool,
    pub(crate) config: Config,
    pub(crate) actor: Option<String>,
}

impl Session {
    /// Where the graph is: as typed, by name, or as the configuration says.
    pub(crate) fn location(&self, place: &Place) -> Result<String, Failure> {
        self.location_or(place, None)
    }

    /// As [`Session::location`]; `graph` is the name that is taken before that of the configuration.
    pub(crate) fn location_or(&self, place: &Place, graph: Option<&str>) -> Result<String, Failure> {
        if let Some(uri) = place.uri.as_ref().or(place.uri_option.as_ref()) {
            return Ok(uri.clone());
        }
        match place.target.as_deref().or(graph).or(self.config.default_graph()) {
            Some(name) => self.config.graph(name),
            None => Err(Failure::usage("no graph is named").hint(
                "give its place as the last argument or with --uri, or set `cli.graph` in omnigraph.yaml",
            )),
        }
    }

    /// The graph and where it is.
    pub(crate) fn open(&self, place: &Place) -> Result<(Graph, String), Failure> {
        let location = self.location(place)?;
        Ok((open(self, &location)?, location))
    }

    /// The branch to work on.
    pub(crate) fn branch(&self, given: Option<&str>) -> String {
        given.or(self.config.branch()).unwrap_or(Branch::MAIN).to_owned()
    }

    /// The state to read.
    pub(crate) fn target(&self, at: &When) -> Result<Target, Failure> {
        if let Some(snapshot) = &at.snapshot {
            return Ok(Target::snapshot(snapshot)?);
        }
        let branch = self.branch(at.branch.as_deref());
        match &at.at {
            Some(time) => Ok(Target::At(branch, micros(time)?)),
            None => Ok(Target::Branch(branch)),
        }
    }
}

/// Opens a graph: whoever has its files may do everything.
pub(crate) fn open(session: &Session, location: &str) -> Result<Graph, Failure> {
    let access = Access::unrestricted().named(session.actor.as_deref());
    let graph = Graph::open(location, access, &GraphOptions::default())?;
    // The program ends before a thread of its own could be of use.
    graph.store().fold_in_background(false);
    Ok(graph)
}

/// A state of the graph, as typed: a branch, a tag, a commit, `manifest:BRANCH:vN`, or `BRANCH@TIME`.
pub(crate) fn state(graph: &Graph, text: &str) -> Result<(Target, Arc<Snapshot>), Failure> {
    Ok(graph.state(text)?)
}

/// The id of a commit, as typed.
pub(crate) fn commit(text: Option<&str>) -> Result<Option<CommitId>, Failure> {
    let parsed = text.map(|text| {
        text.parse().map_err(|()| Failure::new("bad_request", format!("`{text}` is no commit id")))
    });
    parsed.transpose().map_err(|failure| failure.hint("`omnigraph commit list` prints the ids"))
}

/// A time as microseconds since 1970.
pub(crate) fn micros(text: &str) -> Result<i64, Failure> {
    omnigraph::parse_time(text).map_err(|_| {
        Failure::usage(format!("`{text}` is no time"))
            .hint("write 2026-11-01T12:00:00Z, or 2026-11-01 for the first moment of the day in UTC")
    })
}
