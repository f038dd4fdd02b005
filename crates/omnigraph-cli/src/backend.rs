//! The graph that a command works on: its files, or a server that has them. Commands do not know which.
//!
//! ```text
//! request ─Backend─┬─▶ Graph (Local) ─▶ Output | Failure
//!                  └─▶ Server (Remote) ─▶ the same
//! ```

use crate::args::Place;
use crate::failure::Failure;
use crate::remote::Server;
use crate::render::progress::Bar;
use crate::session::{Location, Session};
use omnigraph::render::QueryResult;
use omnigraph::{Access, Graph, GraphOptions, Progress};
use omnigraph_api::calls::diff::DiffRequest;
use omnigraph_api::calls::export::ExportRequest;
use omnigraph_api::calls::load::{LoadOutput, LoadRequest, Rows};
use omnigraph_api::calls::read::ReadRequest;
use omnigraph_api::calls::{Call, Context};
use omnigraph_api::fault::Fault;
use omnigraph_api::mcp::Caller;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

/// A graph that can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Backend {
    /// As typed; answers name the graph by it.
    pub(crate) uri: Arc<str>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// The files are within reach.
    Local(Graph),
    /// A server has them.
    Remote(Server),
}

impl Backend {
    /// Opens a graph: whoever has its files may do everything, and for a server it is the token that says who asks.
    pub(crate) fn open(session: &Session, location: &Location) -> Result<Backend, Failure> {
        let kind = if location.is_server() {
            Kind::Remote(Server::new(session, location)?)
        } else {
            let access = Access::unrestricted().named(session.actor.name());
            let graph = Graph::open(&location.uri, access, &GraphOptions::default())?;
            // The program ends before a thread of its own could be of use.
            graph.store().fold_in_background(false);
            Kind::Local(graph)
        };
        Ok(Backend { uri: location.uri.as_str().into(), kind })
    }

    /// The graph, if its files are within reach.
    pub(crate) fn graph(&self) -> Option<&Graph> {
        match &self.kind {
            Kind::Local(graph) => Some(graph),
            Kind::Remote(_) => None,
        }
    }

    /// The server, if there is one.
    pub(crate) fn server(&self) -> Option<&Server> {
        match &self.kind {
            Kind::Local(_) => None,
            Kind::Remote(server) => Some(server),
        }
    }

    /// For a process that lives on: small files are folded beside its writers.
    pub(crate) fn stay(&self) {
        if let Kind::Local(graph) = &self.kind {
            graph.store().fold_in_background(true);
        }
    }

    /// Calls.
    pub(crate) fn call<C: Call>(&self, request: C) -> Result<C::Output, Failure> {
        self.watched(request, &mut |_| {})
    }

    /// Calls what takes long. How far a server is cannot be seen.
    pub(crate) fn watched<C: Call>(
        &self,
        request: C,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<C::Output, Failure> {
        match &self.kind {
            Kind::Local(graph) => Ok(request.run(&mut Context { graph, uri: &self.uri, progress })?),
            Kind::Remote(server) => server.call(request),
        }
    }

    /// Runs a query that reads.
    pub(crate) fn read(&self, request: ReadRequest) -> Result<QueryResult, Failure> {
        match &self.kind {
            Kind::Local(graph) => self.with_context(graph, |context| Ok(request.run(context)?)),
            Kind::Remote(server) => server.read(&request),
        }
    }

    /// Writes rows as lines that a load reads back.
    pub(crate) fn export(&self, request: ExportRequest, out: impl Write) -> Result<(), Failure> {
        match &self.kind {
            Kind::Local(graph) => Watched::new(out)
                .run(|out| self.with_context(graph, |context| Ok(request.write(context, out)?))),
            Kind::Remote(server) => server.stream(&ExportRequest::ROUTE, &request, out),
        }
    }

    /// Writes differences as lines that a load applies.
    pub(crate) fn patch(&self, request: DiffRequest, out: impl Write) -> Result<(), Failure> {
        match &self.kind {
            Kind::Local(graph) => Watched::new(out)
                .run(|out| self.with_context(graph, |context| Ok(request.write(context, out)?))),
            Kind::Remote(server) => server.stream(&DiffRequest::PATCH, &request, out),
        }
    }

    /// Loads a file of so many bytes.
    pub(crate) fn load(&self, request: LoadRequest, file: File, bar: &Bar) -> Result<LoadOutput, Failure> {
        match &self.kind {
            Kind::Local(graph) => {
                let rows = Rows::File(file);
                self.with_context(graph, |context| Ok(request.run(context, &rows, &mut |at| bar.show(at))?))
            }
            Kind::Remote(server) => server.load(&request, file, bar),
        }
    }

    fn with_context<T>(
        &self,
        graph: &Graph,
        work: impl FnOnce(&Context<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        work(&Context { graph, uri: &self.uri, progress: &mut |_| {} })
    }
}

impl Session {
    /// The graph that was named, or that of the configuration.
    pub(crate) fn backend(&self, place: &Place) -> Result<Backend, Failure> {
        Backend::open(self, &self.location(place)?)
    }
}

impl Caller for Backend {
    fn call<C: Call>(&self, call: C) -> Result<C::Output, Fault> {
        Backend::call(self, call).map_err(|failure| *failure.fault)
    }

    fn read(&self, call: ReadRequest) -> Result<QueryResult, Fault> {
        Backend::read(self, call).map_err(|failure| *failure.fault)
    }
}

/// Output that remembers why it failed: the engine only says that it did.
struct Watched<W> {
    out: W,
    failed: Option<std::io::Error>,
}

impl<W: Write> Watched<W> {
    fn new(out: W) -> Watched<W> {
        Watched { out, failed: None }
    }

    fn run(mut self, write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
        let written = write(&mut self);
        let flushed = self.flush();
        match self.failed {
            Some(error) => Err(error.into()),
            None => written.and(flushed.map_err(Failure::from)),
        }
    }

    fn kept<T>(&mut self, done: std::io::Result<T>) -> std::io::Result<T> {
        done.map_err(|error| {
            let kind = error.kind();
            if kind != std::io::ErrorKind::Interrupted {
                self.failed.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let done = self.out.write(bytes);
        self.kept(done)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let done = self.out.flush();
        self.kept(done)
    }
}
