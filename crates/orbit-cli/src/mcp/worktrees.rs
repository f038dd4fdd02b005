//! The worktrees that a server answers for: one, or several that a question names.

use super::DEBOUNCE;
use crate::failure::Failure;
use orbit_git::Checkout;
use orbit_graph::{Graph, Location, SyncPolicy};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The argument that names one. It is offered only where there are several.
pub(super) const ARGUMENT: &str = "worktree";

/// A worktree that is served.
pub(super) struct Served {
    /// The directory's own name, or its path where two have one name.
    pub(super) name: String,
    /// The directory that was named: paths may be given from there.
    pub(super) dir: PathBuf,
    pub(super) root: PathBuf,
    graph: Mutex<Option<&'static Graph>>,
}

impl Served {
    /// Its graph, opened when it is first needed. It lives as long as the process: a server whose client is gone ends at
    /// once, in the middle of a sync too, which leaves the index as it was before.
    pub(super) fn graph(&self) -> Result<&'static Graph, Failure> {
        let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(graph) = *graph {
            return Ok(graph);
        }
        let opened = Graph::open(&self.dir, SyncPolicy::Watch { debounce: DEBOUNCE })?;
        Ok(graph.insert(Box::leak(Box::new(opened))))
    }
}

/// All that are served; the first is meant unless a question names another.
pub(super) struct Worktrees {
    served: Mutex<Vec<&'static Served>>,
    /// Whose worktrees are looked for again when an unknown one is named.
    clone: Option<Checkout>,
}

impl Worktrees {
    /// Those of these directories, and with `all` those of the clone.
    pub(super) fn of(dirs: &[PathBuf], all: bool) -> Result<Worktrees, Failure> {
        let mut worktrees = Worktrees { served: Mutex::default(), clone: None };
        for dir in dirs {
            worktrees.add(dir)?;
        }
        if all {
            worktrees.clone = Some(Checkout::at(&worktrees.first().root));
            worktrees.look_again();
        }
        Ok(worktrees)
    }

    fn add(&self, dir: &Path) -> Result<(), Failure> {
        let root = Location::of(dir)?.root;
        let root = root.canonicalize().unwrap_or(root);
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if served.iter().any(|known| known.root == root) {
            return Ok(());
        }
        let own = root.file_name().map(|name| name.to_string_lossy().into_owned());
        let is_free = |name: &String| served.iter().all(|known| known.name != *name);
        let name = own.filter(is_free).unwrap_or_else(|| root.display().to_string());
        let new = Served { name, dir: dir.to_owned(), root, graph: Mutex::default() };
        served.push(Box::leak(Box::new(new)));
        Ok(())
    }

    /// Adds the worktrees of the clone that have come since.
    fn look_again(&self) {
        for root in self.clone.iter().flat_map(Checkout::worktrees) {
            let _ = self.add(&root); // one that cannot be read is not served
        }
    }

    fn all(&self) -> Vec<&'static Served> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The one that is meant unless another is named.
    pub(super) fn first(&self) -> &'static Served {
        self.all()[0]
    }

    /// Whether a question may name one.
    pub(super) fn are_several(&self) -> bool {
        self.clone.is_some() || self.all().len() > 1
    }

    /// What clients are told.
    pub(super) fn instructions(&self) -> String {
        let names = self.all().iter().map(|served| served.name.as_str()).collect::<Vec<_>>().join(", ");
        let more = if self.clone.is_some() { " or the path of a worktree made since" } else { "" };
        format!(
            "Several worktrees are served; {ARGUMENT} names one and is the first by default: {names}{more}."
        )
    }

    /// The one that a question names, by its name or by a path in it.
    pub(super) fn find(&self, named: Option<&Value>) -> Result<&'static Served, Failure> {
        let text = match named {
            None | Some(Value::Null) => return Ok(self.first()),
            Some(Value::String(text)) if text.is_empty() => return Ok(self.first()),
            Some(Value::String(text)) => text,
            Some(_) => {
                let message = format!("`{ARGUMENT}` takes one name");
                return Err(Failure::input("bad_argument", message, &self.names()));
            }
        };
        if let Some(served) = self.known(text) {
            return Ok(served);
        }
        self.look_again();
        let unknown = || {
            let message = format!("no worktree that is served is called `{text}`");
            Failure {
                candidates: self.candidates(),
                ..Failure::input("bad_argument", message, &self.names())
            }
        };
        self.known(text).ok_or_else(unknown)
    }

    fn known(&self, text: &str) -> Option<&'static Served> {
        let all = self.all();
        if let Some(served) = all.iter().find(|served| served.name == text) {
            return Some(served);
        }
        let path = self.first().dir.join(text).canonicalize().ok()?;
        let root = Location::of(&path).ok()?.root;
        let root = root.canonicalize().unwrap_or(root);
        all.into_iter().find(|served| served.root == root)
    }

    fn candidates(&self) -> Vec<String> {
        self.all().iter().map(|served| served.name.clone()).collect()
    }

    fn names(&self) -> String {
        format!("it is one of {}", self.candidates().join(", "))
    }
}
