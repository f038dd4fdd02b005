//! What a question is answered with.

use crate::failure::Failure;
use crate::render;
use orbit_graph::{Graph, SyncOptions, SyncPolicy};
use orbit_refactor::Refactor;
use std::cell::OnceCell;
use std::path::Path;

/// Who asks. Files and standard input are for those who typed the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    CommandLine,
    /// Over MCP; with `detail`, answers have the rows that the command line prints.
    Agent {
        detail: bool,
    },
}

/// A worktree, for one question.
pub(crate) struct Context<'a> {
    /// A directory of the worktree.
    pub(crate) dir: &'a Path,
    pub(crate) caller: Caller,
    /// The graph of a server, which stays open.
    served: Option<&'a Graph>,
    opened: OnceCell<Graph>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(dir: &'a Path, caller: Caller, served: Option<&'a Graph>) -> Context<'a> {
        Context { dir, caller, served, opened: OnceCell::new() }
    }

    /// The graph: built when there is none, refreshed when asked for.
    pub(crate) fn graph(&self, sync: bool) -> Result<&Graph, Failure> {
        if let Some(graph) = self.served {
            if sync {
                graph.sync(&SyncOptions::default())?;
            }
            return Ok(graph);
        }
        if let Some(graph) = self.opened.get() {
            return Ok(graph);
        }
        let graph = open_graph(self.dir, sync)?;
        Ok(self.opened.get_or_init(|| graph))
    }

    /// The engine that changes files. It takes back what was cut short.
    pub(crate) fn refactor(&self) -> Result<Refactor, Failure> {
        let refactor = Refactor::open(self.dir)?;
        if refactor.recovered && self.caller == Caller::CommandLine {
            render::warning("a refactoring that was cut short has been taken back");
        }
        Ok(refactor)
    }

    /// Whether rows are grouped by what they share.
    pub(crate) fn is_compact(&self) -> bool {
        self.caller == Caller::Agent { detail: false }
    }

    /// A long text. On the command line it may come from a file behind `@`, or from standard input for `-`.
    pub(crate) fn text(&self, text: &str) -> Result<String, Failure> {
        if self.caller != Caller::CommandLine {
            return Ok(text.to_owned());
        }
        let read = match text.strip_prefix('@') {
            Some(path) => std::fs::read_to_string(path).map_err(|error| (path, error)),
            None if text == "-" => {
                std::io::read_to_string(std::io::stdin()).map_err(|error| ("standard input", error))
            }
            None => return Ok(text.to_owned()),
        };
        read.map_err(|(from, error)| {
            Failure::input("bad_text", format!("{from}: {error}"), "give text, @file or -")
        })
    }
}

/// The graph of a worktree: built when there is none, refreshed when asked for.
pub(crate) fn open_graph(dir: &Path, sync: bool) -> Result<Graph, Failure> {
    let graph = Graph::open(dir, SyncPolicy::Manual)?;
    if sync || !graph.location()?.database.exists() {
        let progress = render::progress::Bar::new();
        graph.sync(&SyncOptions { progress: &progress, ..SyncOptions::default() })?;
        progress.finish();
    }
    Ok(graph)
}
