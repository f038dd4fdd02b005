//! What every request is answered with.

use super::limits::Limits;
use super::metrics::Metrics;
use super::requests::Requests;
use crate::auth::Tokens;
use omnigraph::{Access, Ask, Decision, Graph, GraphOptions, Guard};
use omnigraph_api::fault::Fault;
use omnigraph_api::saved::Saved;
use omnigraph_policy::Policy;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use tokio::sync::{Semaphore, watch};

/// Who callers are for a policy when no token is asked for.
const NOBODY: &str = "anonymous";

/// What decides what callers may.
#[derive(Clone, Debug)]
pub enum Rules {
    /// Whoever is let in may do everything.
    Unrestricted,
    /// There are callers with names and nothing that says what they may: nobody may do anything.
    Denied,
    /// What the policy says.
    Policy(Arc<Policy>),
}

impl Rules {
    /// What a caller may.
    pub fn access(&self, actor: Option<&str>) -> Access {
        match self {
            Rules::Unrestricted => Access::unrestricted().named(actor),
            Rules::Denied => Access::guarded(actor.unwrap_or(NOBODY), Arc::new(Nobody)),
            Rules::Policy(policy) => {
                Access::guarded(actor.unwrap_or(NOBODY), Arc::new(Logged(policy.clone())))
            }
        }
    }
}

/// A graph with the name it is served under.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// Below `/graphs/`.
    pub name: String,
    /// Where it is.
    pub uri: String,
    /// What decides what callers may do with it.
    pub rules: Rules,
    /// Not there while it cannot be opened: other graphs are served all the same.
    graph: OnceLock<Graph>,
}

impl Hosted {
    /// A graph that is to be opened.
    pub fn new(name: &str, uri: &str, rules: Rules) -> Hosted {
        Hosted { name: name.to_owned(), uri: uri.to_owned(), rules, graph: OnceLock::new() }
    }

    /// Opens the graph unless it is open.
    pub fn open(&self) -> Result<(), Fault> {
        if self.graph.get().is_none() {
            let graph = Graph::open(&self.uri, Access::unrestricted(), &GraphOptions::default())?;
            let _ = self.graph.set(graph); // somebody else was as fast
        }
        Ok(())
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.graph.get().is_some()
    }

    /// The graph as a caller may use it.
    pub(crate) fn acting(&self, actor: Option<&str>) -> Result<Graph, Fault> {
        let graph = self.graph.get().ok_or_else(|| {
            Fault::new("graph_unavailable", format!("graph `{}` cannot be opened", self.name))
                .hint("the log of the server says why")
        })?;
        Ok(graph.acting(self.rules.access(actor)))
    }
}

/// A server without its connections.
#[derive(Debug)]
pub struct App {
    pub(crate) graphs: BTreeMap<String, Arc<Hosted>>,
    /// The graph of routes that name none.
    pub(crate) single: Option<Arc<Hosted>>,
    pub(crate) tokens: Tokens,
    /// Of what is about no graph.
    pub(crate) rules: Rules,
    saved: RwLock<Arc<Saved>>,
    /// Origins of pages that may call; `*` is all of them.
    pub(crate) origins: Vec<String>,
    /// Whether only this machine can reach the server.
    pub(crate) is_local: bool,
    /// What is at `/openapi.json`, once somebody has asked.
    pub(crate) described: OnceLock<String>,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) workers: Arc<Semaphore>,
    pub(crate) waiting: AtomicUsize,
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) feeds: Arc<Semaphore>,
    pub(crate) requests: Arc<Requests>,
    /// Becomes true when the server is to end.
    pub(crate) ending: watch::Sender<bool>,
}

impl App {
    /// Serves these graphs; the first is that of routes that name none.
    pub fn new(graphs: Vec<Hosted>, tokens: Tokens, rules: Rules, saved: Saved, limits: Limits) -> App {
        let graphs: Vec<_> = graphs.into_iter().map(Arc::new).collect();
        App {
            single: graphs.first().cloned(),
            graphs: graphs.into_iter().map(|hosted| (hosted.name.clone(), hosted)).collect(),
            tokens,
            rules,
            saved: RwLock::new(Arc::new(saved)),
            workers: Arc::new(Semaphore::new(limits.workers)),
            waiting: AtomicUsize::new(0),
            streams: Arc::new(Semaphore::new(limits.streams)),
            feeds: Arc::new(Semaphore::new(limits.feeds)),
            requests: Arc::default(),
            ending: watch::Sender::new(false),
            origins: Vec::new(),
            is_local: false,
            described: OnceLock::new(),
            limits,
            metrics: Metrics::default(),
        }
    }

    /// With pages that may call, and whether only this machine can reach the server.
    #[must_use]
    pub fn open_to(mut self, origins: &[String], is_local: bool) -> App {
        self.origins = origins.to_vec();
        self.is_local = is_local;
        self
    }

    /// The saved queries.
    pub(crate) fn saved(&self) -> Arc<Saved> {
        self.saved.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts other saved queries in their place.
    pub fn save(&self, saved: Saved) {
        *self.saved.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(saved);
    }

    /// Tries to open the graphs that could not be opened, and says of each how that went.
    pub fn reopen(&self) -> Vec<(String, Result<(), Fault>)> {
        let closed = self.graphs.values().filter(|hosted| !hosted.is_open());
        closed.map(|hosted| (hosted.name.clone(), hosted.open())).collect()
    }

    /// Who may call.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }
}

/// Allows nothing.
#[derive(Debug)]
struct Nobody;

impl Guard for Nobody {
    fn decide(&self, _ask: &Ask<'_>) -> Decision {
        Decision { allowed: false, rule: None }
    }
}

/// A policy whose decisions are in the log.
#[derive(Debug)]
struct Logged(Arc<Policy>);

impl Guard for Logged {
    fn decide(&self, ask: &Ask<'_>) -> Decision {
        let decision = self.0.decide(ask);
        tracing::info!(
            actor = ask.actor,
            action = ask.action.as_str(),
            branch = ask.branch.unwrap_or_default(),
            target_branch = ask.target_branch.unwrap_or_default(),
            outcome = if decision.allowed { "allow" } else { "deny" },
            rule = decision.rule.as_deref().unwrap_or_default(),
            "policy"
        );
        decision
    }
}
