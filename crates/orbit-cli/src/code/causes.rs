//! Which commits and tasks changed something since it was stamped: from the history when it has the commit, else from
//! git's log of the file.

use super::git;
use orbit_history::{CommitRow, History, git_log_between};
use orbit_knowledge::Cause;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Causes that are explained by commits in one check; further ones are named without.
const EXPLAINED: usize = 200;

pub(super) struct Causes {
    root: PathBuf,
    history: OnceCell<Option<History>>,
    uncommitted: Option<BTreeSet<String>>,
    logs: BTreeMap<(String, String), Vec<CommitRow>>,
    explained: usize,
}

impl Causes {
    pub(super) fn new(root: &Path) -> Causes {
        Causes {
            root: root.to_owned(),
            history: OnceCell::new(),
            uncommitted: None,
            logs: BTreeMap::new(),
            explained: 0,
        }
    }

    /// Adds commits and tasks to a cause.
    pub(super) fn explain(
        &mut self,
        cause: &mut Cause,
        base: Option<&str>,
        stable_id: Option<&str>,
        path: &str,
    ) {
        self.explained += 1;
        let root = &self.root;
        let uncommitted = self.uncommitted.get_or_insert_with(|| git::uncommitted(root));
        cause.is_uncommitted = uncommitted.contains(path);
        let Some(base) = base.filter(|_| self.explained <= EXPLAINED) else { return };
        let mut rows = stable_id.map(|id| self.of_symbol(base, id)).unwrap_or_default();
        if rows.is_empty() {
            rows = self.of_file(base, path);
        }
        let mut tasks = BTreeSet::new();
        for row in rows {
            cause.commits.push(row.sha);
            tasks.extend(row.task_ids);
        }
        cause.task_ids = tasks.into_iter().collect();
    }

    fn of_symbol(&mut self, base: &str, stable_id: &str) -> Vec<CommitRow> {
        let root = &self.root;
        let history = self.history.get_or_init(|| History::open(root, None).ok());
        // A history that is behind misses the newest commits; git's log has them.
        let Some(history) = history.as_ref().filter(|history| history.staleness().is_none()) else {
            return Vec::new();
        };
        let since = history.since(base).ok().flatten();
        since.and_then(|since| since.of_symbol(stable_id).ok()).unwrap_or_default()
    }

    fn of_file(&mut self, base: &str, path: &str) -> Vec<CommitRow> {
        let key = (base.to_owned(), path.to_owned());
        let root = &self.root;
        let range = format!("{base}..HEAD");
        self.logs
            .entry(key)
            .or_insert_with(|| git_log_between(root, &range, path).unwrap_or_default())
            .clone()
    }
}
