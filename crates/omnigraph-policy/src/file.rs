//! `policy.yaml` as it is written, and what it must hold to.

use crate::PolicyError;
use crate::pattern::Pattern;
use omnigraph::{Action, Scope};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The only version there is.
pub(crate) const VERSION: u32 = 1;

/// Groups and what they may do. Checked: see [`PolicyFile::parse`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyFile {
    version: u32,
    #[serde(default)]
    pub(crate) groups: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(crate) protected_branches: BTreeSet<Pattern>,
    #[serde(default)]
    pub(crate) rules: Vec<Rule>,
}

/// One permission.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) allow: Allow,
}

/// To whom, what, where.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allow {
    pub(crate) actors: Actors,
    pub(crate) actions: Vec<Word>,
    branch_scope: Option<BranchScope>,
    target_branch_scope: Option<BranchScope>,
    /// Only branches that one of these means.
    pub(crate) branches: Option<Vec<Pattern>>,
    /// Only rows of the node and edge types that one of these means.
    pub(crate) types: Option<Vec<Pattern>>,
}

/// The members of a group.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Actors {
    pub(crate) group: String,
}

/// An action by its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Word(pub(crate) Action);

impl TryFrom<String> for Word {
    type Error = String;

    fn try_from(text: String) -> Result<Word, String> {
        let known = || Action::ALL.map(Action::as_str).join(", ");
        text.parse().map(Word).map_err(|()| format!("unknown policy action '{text}'; there are {}", known()))
    }
}

/// Which branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BranchScope {
    /// Everything.
    Any,
    /// Those of the list.
    Protected,
    /// All others.
    Unprotected,
}

impl Allow {
    /// Which branches the rule is about; a rule without a scope is about all.
    pub(crate) fn scope(&self) -> BranchScope {
        self.branch_scope.or(self.target_branch_scope).unwrap_or(BranchScope::Any)
    }
}

impl PolicyFile {
    /// Reads the text and checks what the types cannot say.
    pub(crate) fn parse(text: &str) -> Result<PolicyFile, PolicyError> {
        let file: PolicyFile =
            serde_yaml_ng::from_str(text).map_err(|error| PolicyError::new(error.to_string()))?;
        file.check().map_err(PolicyError::new)?;
        Ok(file)
    }

    /// Everybody who is in a group.
    pub(crate) fn actors(&self) -> BTreeSet<&str> {
        self.groups.values().flatten().map(String::as_str).collect()
    }

    fn check(&self) -> Result<(), String> {
        if self.version != VERSION {
            return Err(format!("version {} is not known: policy version must be {VERSION}", self.version));
        }
        for (group, members) in &self.groups {
            check_group(group, members)?;
        }
        if let Some(pattern) = self.protected_branches.iter().find(|pattern| pattern.is_personal()) {
            return Err(format!("protected branches are the same for all actors: '{pattern}' is not"));
        }
        let mut ids = BTreeSet::new();
        for rule in &self.rules {
            if is_blank(&rule.id) {
                return Err("policy rule ids must not be blank".to_owned());
            }
            if !ids.insert(&rule.id) {
                return Err(format!("duplicate policy rule id '{}'", rule.id));
            }
            self.check_rule(&rule.allow).map_err(|reason| format!("policy rule '{}' {reason}", rule.id))?;
        }
        Ok(())
    }

    fn check_rule(&self, allow: &Allow) -> Result<(), String> {
        let group = &allow.actors.group;
        if !self.groups.contains_key(group) {
            return Err(format!("references unknown group '{group}'"));
        }
        if allow.actions.is_empty() {
            return Err("must include at least one action".to_owned());
        }
        if allow.branch_scope.is_some() && allow.target_branch_scope.is_some() {
            return Err("may specify branch_scope or target_branch_scope, not both".to_owned());
        }
        let scopes = [
            ("branch_scope", allow.branch_scope, Scope::Branch),
            ("target_branch_scope", allow.target_branch_scope, Scope::TargetBranch),
        ];
        for (word, given, scope) in scopes {
            let unfit = allow.actions.iter().find(|action| action.0.scope() != scope);
            if let (Some(_), Some(action)) = (given, unfit) {
                return Err(format!("uses {word} with unsupported action '{}'", action.0));
            }
        }
        if let Some(patterns) = &allow.branches {
            if patterns.is_empty() {
                return Err("must name at least one branch in branches".to_owned());
            }
            if let Some(action) = allow.actions.iter().find(|action| action.0.scope() == Scope::Graph) {
                return Err(format!("uses branches with '{}', which is about no branch", action.0));
            }
        }
        if let Some(patterns) = &allow.types {
            if patterns.is_empty() {
                return Err("must name at least one type in types".to_owned());
            }
            if let Some(pattern) = patterns.iter().find(|pattern| pattern.is_personal()) {
                return Err(format!("types are the same for all actors: '{pattern}' is not"));
            }
            if let Some(action) = allow.actions.iter().find(|action| !action.0.has_rows()) {
                return Err(format!("uses types with '{}', which is about no rows", action.0));
            }
        }
        let is_placed =
            allow.branch_scope.is_some() || allow.target_branch_scope.is_some() || allow.branches.is_some();
        match allow.actions.iter().find(|action| action.0.scope() != Scope::Graph) {
            Some(action) if !is_placed => Err(format!(
                "must say where '{}' is allowed: {} is any, protected or unprotected, or branches is a list of patterns",
                action.0,
                if action.0.scope() == Scope::Branch { "branch_scope" } else { "target_branch_scope" }
            )),
            _ => Ok(()),
        }
    }
}

fn check_group(group: &str, members: &[String]) -> Result<(), String> {
    if is_blank(group) {
        return Err("policy group names must not be blank".to_owned());
    }
    if members.is_empty() {
        return Err(format!("policy group '{group}' must not be empty"));
    }
    if members.iter().any(|actor| is_blank(actor)) {
        return Err(format!("policy group '{group}' contains a blank actor id"));
    }
    Ok(())
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}
