//! Who asks, and whether they may. Every entry point of a graph that reads or writes asks its [`Access`] first, by way
//! of `graph/gate.rs`.

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What somebody wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Query, snapshots, lists of branches, commits and runs, differences.
    Read,
    /// All rows as lines.
    Export,
    /// Load and change rows.
    Change,
    /// Migrate the schema.
    SchemaApply,
    /// Make a branch or a tag.
    BranchCreate,
    /// Take one away.
    BranchDelete,
    /// Merge into a branch.
    BranchMerge,
    /// Publish a run.
    RunPublish,
    /// Abort a run.
    RunAbort,
    /// Run a query that the server knows by its name, where it only reads.
    InvokeQuery,
    /// See which queries the server knows by name.
    QueryList,
    /// See that the server has the graph.
    GraphList,
    /// See which tools there are for agents.
    ToolList,
    /// See what the server did, as numbers.
    Metrics,
    /// Maintenance.
    Admin,
}

/// Which of the two branches of a request a rule can speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The branch that is read or changed.
    Branch,
    /// The branch that is made, taken away, merged into or migrated.
    TargetBranch,
    /// The graph as a whole.
    Graph,
}

impl Action {
    /// All of them, in the order of the manual.
    pub const ALL: [Action; 15] = [
        Action::Read,
        Action::Export,
        Action::Change,
        Action::SchemaApply,
        Action::BranchCreate,
        Action::BranchDelete,
        Action::BranchMerge,
        Action::RunPublish,
        Action::RunAbort,
        Action::InvokeQuery,
        Action::QueryList,
        Action::GraphList,
        Action::ToolList,
        Action::Metrics,
        Action::Admin,
    ];

    /// As policies spell it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Read => "read",
            Action::Export => "export",
            Action::Change => "change",
            Action::SchemaApply => "schema_apply",
            Action::BranchCreate => "branch_create",
            Action::BranchDelete => "branch_delete",
            Action::BranchMerge => "branch_merge",
            Action::RunPublish => "run_publish",
            Action::RunAbort => "run_abort",
            Action::InvokeQuery => "invoke_query",
            Action::QueryList => "query_list",
            Action::GraphList => "graph_list",
            Action::ToolList => "tool_list",
            Action::Metrics => "metrics",
            Action::Admin => "admin",
        }
    }

    /// Whether it reads or changes rows of types, which rules can be limited to.
    pub const fn has_rows(self) -> bool {
        matches!(self, Action::Read | Action::Export | Action::Change | Action::InvokeQuery)
    }

    /// What rules about it can be limited to.
    pub const fn scope(self) -> Scope {
        match self {
            Action::Read | Action::Export | Action::Change | Action::InvokeQuery => Scope::Branch,
            Action::SchemaApply
            | Action::BranchCreate
            | Action::BranchDelete
            | Action::BranchMerge
            | Action::RunPublish
            | Action::RunAbort => Scope::TargetBranch,
            Action::QueryList | Action::GraphList | Action::ToolList | Action::Metrics | Action::Admin => {
                Scope::Graph
            }
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for Action {
    type Err = ();

    fn from_str(text: &str) -> Result<Action, ()> {
        Action::ALL.into_iter().find(|action| action.as_str() == text).ok_or(())
    }
}

/// Somebody wants something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask<'a> {
    /// The name of the actor.
    pub actor: &'a str,
    /// What the actor wants to do.
    pub action: Action,
    /// The branch that is read or changed, or that a branch is made from or merged from.
    pub branch: Option<&'a str>,
    /// The branch that is made, taken away, merged into or migrated.
    pub target_branch: Option<&'a str>,
    /// The node or edge type whose rows are read or changed; none where it is about no rows.
    pub type_name: Option<&'a str>,
}

impl<'a> Ask<'a> {
    /// The branch that rules are about: that of the action's scope.
    pub fn scoped_branch(&self) -> Option<&'a str> {
        match self.action.scope() {
            Scope::Branch => self.branch,
            Scope::TargetBranch => self.target_branch,
            Scope::Graph => None,
        }
    }
}

/// Yes or no, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Yes.
    pub allowed: bool,
    /// The rule that says yes; of several the one with the smallest name.
    pub rule: Option<String>,
}

/// Decides. Must answer the same for the same rules, and quickly: it is asked on every call.
pub trait Guard: fmt::Debug + Send + Sync {
    /// Whether somebody may. For an ask without a type the answer is yes where it would be for any type.
    fn decide(&self, ask: &Ask<'_>) -> Decision;

    /// Whether the answer can depend on the type. If not, nobody asks type by type.
    fn tells_types_apart(&self) -> bool {
        true
    }
}

/// Who works with a graph, and what decides what they may.
#[derive(Clone, Debug)]
pub struct Access {
    actor: Option<Arc<str>>,
    guard: Option<Arc<dyn Guard>>,
    /// Whether what is read is read by a query that the server knows by name.
    invokes: bool,
}

impl Access {
    /// Everything is allowed: for whoever has the files.
    pub fn unrestricted() -> Access {
        Access { actor: None, guard: None, invokes: false }
    }

    /// What the guard allows the actor.
    pub fn guarded(actor: &str, guard: Arc<dyn Guard>) -> Access {
        Access { actor: Some(actor.into()), guard: Some(guard), invokes: false }
    }

    /// The same, in the name of somebody.
    #[must_use]
    pub fn named(mut self, actor: Option<&str>) -> Access {
        self.actor = actor.map(Into::into);
        self
    }

    /// The same, for a query that the server knows by name: who may invoke queries on a branch needs not be allowed to
    /// read it in other ways.
    #[must_use]
    pub fn invoking(mut self) -> Access {
        self.invokes = true;
        self
    }

    /// The name of the actor.
    pub fn actor(&self) -> Option<&str> {
        self.actor.as_deref()
    }

    /// Whether anybody is asked at all.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    /// Whether anybody is asked type by type.
    pub(crate) fn tells_types_apart(&self) -> bool {
        self.guard.as_ref().is_some_and(|guard| guard.tells_types_apart())
    }

    /// Fails unless the guard allows it.
    pub fn check(&self, action: Action, branch: Option<&str>, target_branch: Option<&str>) -> Result<()> {
        self.decide(&Ask { actor: self.asking(), action, branch, target_branch, type_name: None })
    }

    /// Fails unless the guard allows it for the rows of a type.
    pub(crate) fn check_type(&self, action: Action, branch: &str, type_name: &str) -> Result<()> {
        let (branch, type_name) = (Some(branch), Some(type_name));
        self.decide(&Ask { actor: self.asking(), action, branch, target_branch: None, type_name })
    }

    fn asking(&self) -> &str {
        self.actor.as_deref().unwrap_or_default()
    }

    fn decide(&self, ask: &Ask<'_>) -> Result<()> {
        let Some(guard) = &self.guard else { return Ok(()) };
        let may = |action: Action| guard.decide(&Ask { action, ..*ask }).allowed;
        if may(ask.action) || (self.invokes && ask.action == Action::Read && may(Action::InvokeQuery)) {
            return Ok(());
        }
        Err(Error::Denied {
            actor: ask.actor.to_owned(),
            action: ask.action,
            branch: ask.scoped_branch().map(str::to_owned),
            type_name: ask.type_name.map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_found_by_its_spelling() {
        for action in Action::ALL {
            assert_eq!(action.as_str().parse(), Ok(action));
        }
        assert_eq!("drop".parse::<Action>(), Err(()));
    }

    #[derive(Debug)]
    struct OnlyMain;

    impl Guard for OnlyMain {
        fn decide(&self, ask: &Ask<'_>) -> Decision {
            Decision { allowed: ask.scoped_branch() == Some("main"), rule: None }
        }
    }

    #[test]
    fn a_denial_names_who_what_and_where() {
        let access = Access::guarded("ann", Arc::new(OnlyMain));
        assert!(access.check(Action::Change, Some("main"), None).is_ok());
        let error = access.check(Action::BranchMerge, Some("main"), Some("dev")).expect_err("not main");
        assert_eq!(error.to_string(), "policy denied action 'branch_merge' on branch 'dev' for actor 'ann'");
    }
}
