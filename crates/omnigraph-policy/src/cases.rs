//! `policy.tests.yaml`: what the rules are expected to decide.

use crate::file::{VERSION, Word};
use crate::{Policy, PolicyError, read};
use omnigraph::{Action, Ask, Guard};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Expectations of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    version: u32,
    #[serde(default)]
    cases: Vec<Case>,
}

/// One expectation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    id: String,
    actor: String,
    action: Word,
    branch: Option<String>,
    target_branch: Option<String>,
    #[serde(rename = "type")]
    type_name: Option<String>,
    expect: Expect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Expect {
    Allow,
    Deny,
}

/// How a case went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Of the case.
    pub id: String,
    /// What should be decided.
    pub expected: bool,
    /// What is.
    pub allowed: bool,
    /// By which rule.
    pub rule: Option<String>,
}

impl Verdict {
    /// Whether it is as expected.
    pub fn holds(&self) -> bool {
        self.expected == self.allowed
    }
}

impl Cases {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<Cases, PolicyError> {
        Cases::parse(&read(path)?).map_err(|error| error.at(path))
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Cases, PolicyError> {
        let cases: Cases =
            serde_yaml_ng::from_str(text).map_err(|error| PolicyError::new(error.to_string()))?;
        if cases.version != VERSION {
            let message =
                format!("version {} is not known: policy test version must be {VERSION}", cases.version);
            return Err(PolicyError::new(message));
        }
        let mut ids = BTreeSet::new();
        for case in &cases.cases {
            if !ids.insert(&case.id) {
                return Err(PolicyError::new(format!("duplicate policy test case id '{}'", case.id)));
            }
            if case.action.0 != Action::Admin && case.ask().scoped_branch().is_none() {
                let message = format!("case '{}' names no branch for '{}'", case.id, case.action.0);
                return Err(PolicyError::new(message));
            }
        }
        Ok(cases)
    }

    /// Asks the policy for every one.
    pub fn run(&self, policy: &Policy) -> Vec<Verdict> {
        let verdict = |case: &Case| {
            let decision = policy.decide(&case.ask());
            let expected = case.expect == Expect::Allow;
            Verdict { id: case.id.clone(), expected, allowed: decision.allowed, rule: decision.rule }
        };
        self.cases.iter().map(verdict).collect()
    }
}

impl Case {
    fn ask(&self) -> Ask<'_> {
        Ask {
            actor: &self.actor,
            action: self.action.0,
            branch: self.branch.as_deref(),
            target_branch: self.target_branch.as_deref(),
            type_name: self.type_name.as_deref(),
        }
    }
}
