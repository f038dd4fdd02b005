//! What a command works with: the configuration, the graph, who writes.

use crate::args::{Place, When};
use crate::failure::Failure;
use omnigraph::Branch;
use omnigraph_api::config::Config;

/// Of one run of the program.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) json: bool,
    pub(crate) config: Config,
    pub(crate) actor: Actor,
}

/// Who writes, where it is for the caller to say.
#[derive(Debug, Default)]
pub(crate) struct Actor {
    /// As an option.
    pub(crate) typed: Option<String>,
    /// In the environment.
    pub(crate) set: Option<String>,
}

impl Actor {
    /// The one that counts; nobody when it is empty.
    pub(crate) fn name(&self) -> Option<&str> {
        self.typed.as_deref().or(self.set.as_deref()).filter(|actor| !actor.is_empty())
    }
}

/// Where a graph is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// As typed, or as the configuration says.
    pub(crate) uri: String,
    /// What the configuration calls it, when that is how it was named.
    pub(crate) name: Option<String>,
}

impl Location {
    /// Whether others answer for the graph.
    pub(crate) fn is_server(&self) -> bool {
        ["http://", "https://"].iter().any(|scheme| {
            self.uri.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        })
    }
}

/// A state to read, as a request names it.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) branch: Option<String>,
    pub(crate) snapshot: Option<String>,
    pub(crate) at: Option<String>,
}

impl Session {
    /// Where the graph is: as typed, by name, or as the configuration says.
    pub(crate) fn location(&self, place: &Place) -> Result<Location, Failure> {
        self.location_or(place, None)
    }

    /// As [`Session::location`]; `graph` is the name that is taken before that of the configuration.
    pub(crate) fn location_or(&self, place: &Place, graph: Option<&str>) -> Result<Location, Failure> {
        if let Some(uri) = place.uri.as_ref().or(place.uri_option.as_ref()) {
            return Ok(Location { uri: uri.clone(), name: None });
        }
        match place.target.as_deref().or(graph).or(self.config.default_graph()) {
            Some(name) => Ok(Location { uri: self.config.graph(name)?, name: Some(name.to_owned()) }),
            None => Err(Failure::usage("no graph is named").hint(
                "give its place as the last argument or with --uri, or set `cli.graph` in omnigraph.yaml",
            )),
        }
    }

    /// The branch to work on.
    pub(crate) fn branch(&self, given: Option<&str>) -> String {
        given.or(self.config.branch()).unwrap_or(Branch::MAIN).to_owned()
    }

    /// The state to read.
    pub(crate) fn state(&self, at: &When) -> Result<State, Failure> {
        if at.snapshot.is_some() {
            return Ok(State { snapshot: at.snapshot.clone(), ..State::default() });
        }
        check_time(at.at.as_deref())?;
        Ok(State { branch: Some(self.branch(at.branch.as_deref())), snapshot: None, at: at.at.clone() })
    }
}

/// Refuses what is not a time.
pub(crate) fn check_time(text: Option<&str>) -> Result<(), Failure> {
    match text {
        Some(text) if omnigraph::parse_time(text).is_err() => {
            Err(Failure::usage(format!("`{text}` is not a time"))
                .hint("write 2026-11-01T12:00:00Z, or 2026-11-01 for the first moment of the day in UTC"))
        }
        _ => Ok(()),
    }
}
