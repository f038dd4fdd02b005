//! Findings that are accepted, each for a written reason, and none for longer than needed.

use super::tree::Tree;
use super::{Check, Finding};
use serde::Deserialize;

pub(super) const LIST: &str = "xtask/tidy-exceptions.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    exception: Vec<Exception>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    check: Check,
    path: String,
    /// The function, for `function-size`.
    item: Option<String>,
    /// The most lines, for sizes: an exception is not a licence to grow.
    limit: Option<usize>,
    reason: String,
}

impl Exception {
    fn is_about(&self, finding: &Finding) -> bool {
        self.check == finding.check && self.path == finding.path && self.item == finding.item
    }

    fn excuses(&self, finding: &Finding) -> bool {
        let is_within = finding.size.is_none_or(|size| self.limit.is_some_and(|limit| size <= limit));
        self.is_about(finding) && is_within
    }

    fn title(&self) -> String {
        let item = self.item.as_ref().map(|item| format!(" `{item}`")).unwrap_or_default();
        format!("{} {}{item}", self.check.as_str(), self.path)
    }
}

/// Drops what is excused, and adds what is wrong with the excuses.
pub(super) fn apply(tree: &Tree, found: Vec<Finding>) -> Vec<Finding> {
    let text = tree.get(LIST).map_or("", |file| file.text.as_str());
    let list: List = match toml::from_str(text) {
        Ok(list) => list,
        Err(error) => {
            let mut found = found;
            found.push(Finding::new(Check::Exception, LIST, 1, error.message()));
            return found;
        }
    };
    let about = |exception: &Exception, what: &str| {
        let line = text.lines().position(|line| line.contains(&exception.path)).map_or(1, |at| at + 1);
        Finding::new(Check::Exception, LIST, line, format!("{}: {what}", exception.title()))
    };
    let mut wrong = Vec::new();
    for exception in &list.exception {
        if exception.reason.split_whitespace().count() < 3 {
            wrong.push(about(exception, "the reason is missing"));
        }
        if !found.iter().any(|finding| exception.is_about(finding)) {
            wrong.push(about(exception, "excuses nothing; remove it"));
        }
    }
    let excused = |finding: &Finding| list.exception.iter().any(|exception| exception.excuses(finding));
    let mut left: Vec<Finding> = found.into_iter().filter(|finding| !excused(finding)).collect();
    left.append(&mut wrong);
    left
}
