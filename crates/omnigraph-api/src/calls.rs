//! What can be asked of a graph: by the command line, over HTTP and over MCP, with the same answers.
//!
//! ```text
//! request (serde) ─Call::run(Context)─▶ Output (serde) | Fault
//! ```
//!
//! A call is its request: a type with the members that a caller gives. [`Route`] says where it is on the wire. Members
//! that the path names are taken from there; those of a `GET` or `DELETE` are in its query string, those of a `POST` in
//! its body.
//!
//! Outputs have their members in the order in which they are printed. Two calls carry more than a document: rows that are
//! loaded ([`load`]), and those that are exported or read as they are ([`export`], [`read`]).

pub mod branch;
pub mod change;
pub mod changes;
pub mod commit;
pub mod diff;
pub mod doctor;
pub mod entity;
pub mod explain;
pub mod export;
pub mod load;
pub mod maintenance;
mod page;
pub mod query;
pub mod read;
pub mod receipt;
pub mod requests;
pub mod resolution;
pub mod revert;
pub mod run;
pub mod schema;
pub mod server;
pub mod snapshot;
mod step;
pub mod tag;
pub mod when;

use crate::fault::Fault;
use omnigraph::{Graph, Progress};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

/// Something that can be asked of a graph.
pub trait Call: Serialize + DeserializeOwned + ToSchema + Send + 'static {
    /// What comes back.
    type Output: Serialize + DeserializeOwned + ToSchema + Send + 'static;

    /// Where it is on the wire.
    const ROUTE: Route;

    /// Whether rows are among its members, so that its body may be long.
    const CARRIES_ROWS: bool = false;

    /// The query that it runs, for whoever asks what is under way.
    fn query(&self) -> Option<&str> {
        None
    }

    /// Does it. May block for long.
    fn run(self, context: &mut Context<'_>) -> Result<Self::Output, Fault>;
}

/// How a call is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Changes nothing; members in the query string.
    Get,
    /// Members in the body.
    Post,
    /// Members in the query string.
    Delete,
}

/// Where a call is on the wire, and what its documentation says.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Of the operation, in the document.
    pub id: &'static str,
    /// How it is sent.
    pub method: Method,
    /// Below the root of a graph. `{name}` is a member of the request, `{*name}` one that may have slashes.
    pub path: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Statuses of failures that are its own, beside those that any call may have.
    pub faults: &'static [u16],
}

/// What a call is answered with: a graph as its caller may use it.
pub struct Context<'a> {
    /// With the access of the caller.
    pub graph: &'a Graph,
    /// The place of the graph, as outputs name it.
    pub uri: &'a str,
    /// Called with how far long work is.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
}

impl Context<'_> {
    /// Who is asking.
    pub fn actor(&self) -> Option<String> {
        self.graph.access().actor().map(str::to_owned)
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Context").field("uri", &self.uri).finish_non_exhaustive()
    }
}

/// What a call on a branch works on when none is named.
pub(crate) fn main_if_none(branch: Option<String>) -> String {
    branch.unwrap_or_else(|| omnigraph::Branch::MAIN.to_owned())
}
