//! What a question is answered with.

use super::whereabouts::{Meant, in_worktree};
use crate::failure::Failure;
use crate::render;
use orbit_graph::{Graph, GraphError, Location, Selector, SyncOptions, SyncPolicy};
use orbit_refactor::Refactor;
use std::cell::{OnceCell, RefCell};
use std::path::Path;

/// Who asks. Files and standard input are for those who typed the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    CommandLine,
    /// Over MCP; with `detail`, answers have the rows that the command line prints.
    Agent {
        detail: bool,
        /// What the whole answer may take.
        max_tokens: usize,
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
    /// What the question named.
    named: RefCell<Vec<Selector>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(dir: &'a Path, caller: Caller, served: Option<&'a Graph>) -> Context<'a> {
        Context { dir, caller, served, opened: OnceCell::new(), named: RefCell::default() }
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

    /// A selector as it was given, with paths from where the question is asked.
    pub(crate) fn selector(&self, text: &str) -> Result<Selector, Failure> {
        let selector = Selector::parse(&self.located(text)?).map_err(GraphError::from)?;
        self.named.borrow_mut().push(selector.clone());
        Ok(selector)
    }

    /// A selector where only a file or a directory can be meant.
    pub(crate) fn place(&self, text: &str) -> Result<Selector, Failure> {
        let text = in_worktree(text, self.dir, &Location::of(self.dir)?.root, Meant::Place);
        Ok(Selector::parse(&text).map_err(GraphError::from)?)
    }

    pub(crate) fn selectors(&self, texts: &[String]) -> Result<Vec<Selector>, Failure> {
        texts.iter().map(|text| self.selector(text)).collect()
    }

    /// The text of a selector, with a path of the worktree in place of one from where the question is asked.
    pub(crate) fn located(&self, text: &str) -> Result<String, Failure> {
        // A plain name has no path.
        if !text.contains(['/', '.', '\\']) {
            return Ok(text.to_owned());
        }
        Ok(in_worktree(text, self.dir, &Location::of(self.dir)?.root, Meant::Any))
    }

    /// What to say about names that are written otherwise than what they name is defined.
    pub(super) fn notes(&self) -> Result<Vec<String>, Failure> {
        let Some(graph) = self.served.or_else(|| self.opened.get()) else { return Ok(Vec::new()) };
        let mut notes = Vec::new();
        for selector in self.named.borrow().iter() {
            notes.extend(graph.note(selector)?);
        }
        Ok(notes)
    }

    /// The engine that changes files. It takes back what was cut short.
    pub(crate) fn refactor(&self) -> Result<Refactor, Failure> {
        let refactor = Refactor::open(self.dir)?;
        if refactor.recovered && self.caller == Caller::CommandLine {
            render::warning("a refactoring that was cut short has been taken back");
        }
        if let Some(notice) = refactor.notice.as_ref().filter(|_| self.caller == Caller::CommandLine) {
            render::warning(notice);
        }
        Ok(refactor)
    }

    /// Whether rows are grouped by what they share.
    pub(crate) fn is_compact(&self) -> bool {
        matches!(self.caller, Caller::Agent { detail: false, .. })
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
