//! What every request is answered with.

use super::limits::Limits;
use super::metrics::Metrics;
use crate::auth::Tokens;
use crate::policy::Policy;
use omnigraph::{Access, Ask, Decision, Graph, Guard};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use tokio::sync::Semaphore;

/// Who callers are when no token is asked for.
pub(crate) const NOBODY: &str = "anonymous";

/// What decides what callers may.
#[derive(Clone, Debug)]
pub enum Rules {
    /// Whoever is let in may do everything.
    Unrestricted,
    /// What the policy says.
    Policy(Arc<Policy>),
}

/// A graph with the name it is served under.
#[derive(Clone, Debug)]
pub struct Hosted {
    /// Below `/graphs/`.
    pub name: String,
    /// Where it is.
    pub uri: String,
    /// The graph, for a caller without any rights.
    pub graph: Graph,
}

/// A server without its connections.
#[derive(Debug)]
pub struct App {
    pub(crate) graphs: BTreeMap<String, Arc<Hosted>>,
    /// The graph of routes that name none.
    pub(crate) single: Option<Arc<Hosted>>,
    pub(crate) tokens: Tokens,
    pub(crate) rules: Rules,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) workers: Arc<Semaphore>,
    pub(crate) waiting: AtomicUsize,
}

impl App {
    /// Serves these graphs; the first is that of routes that name none.
    pub fn new(graphs: Vec<Hosted>, tokens: Tokens, rules: Rules, limits: Limits) -> App {
        let graphs: Vec<_> = graphs.into_iter().map(Arc::new).collect();
        App {
            single: graphs.first().cloned(),
            graphs: graphs.into_iter().map(|hosted| (hosted.name.clone(), hosted)).collect(),
            tokens,
            rules,
            workers: Arc::new(Semaphore::new(limits.workers)),
            waiting: AtomicUsize::new(0),
            limits,
            metrics: Metrics::default(),
        }
    }

    /// What a caller may.
    pub(crate) fn access(&self, actor: Option<&str>) -> Access {
        match &self.rules {
            Rules::Unrestricted => Access::unrestricted().named(actor),
            Rules::Policy(policy) => {
                Access::guarded(actor.unwrap_or(NOBODY), Arc::new(Logged(policy.clone())))
            }
        }
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
