//! Every file with what makes it worth knowing about: symbols, commits, importers, and which files belong together.

use super::git;
use orbit_graph::{Graph, OverviewFormat, Selector, SyncPolicy};
use orbit_knowledge::{Cluster, Survey, SurveyedFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Commits that are looked at.
const COMMITS: usize = 2_000;
/// A commit of more files says nothing about which belong together.
const WIDE: usize = 30;
/// Commits in which two files must have changed together.
const TOGETHER: u64 = 3;
/// Files of one cluster.
const CLUSTER: usize = 40;

/// Surveys the index and the last commits.
pub(super) fn survey(root: &Path) -> Result<Survey, String> {
    let graph = Graph::open(root, SyncPolicy::OnRead).map_err(|error| error.to_string())?;
    let overview = graph.overview(None, OverviewFormat::Full).map_err(|error| error.to_string())?;
    let imports = graph.deps(&Selector::Dir(".".into()), usize::MAX).map_err(|error| error.to_string())?;
    let is_code = |lang: &str| !matches!(lang, "markdown" | "config");
    let mut files: BTreeMap<String, SurveyedFile> = BTreeMap::new();
    for file in overview.files.iter().filter(|file| is_code(&file.lang)) {
        let (path, symbols) = (file.path.clone(), file.symbol_count as u64);
        files.insert(path.clone(), SurveyedFile { path, symbols, ..SurveyedFile::default() });
    }
    let mut edges: BTreeSet<(String, String)> = BTreeSet::new();
    for import in &imports.imports {
        let Some(to) = import.resolved_file.as_ref().filter(|to| **to != import.from_file) else { continue };
        if files.contains_key(to) && files.contains_key(&import.from_file) {
            edges.insert((import.from_file.clone(), to.clone()));
        }
    }
    for (_, to) in &edges {
        files.entry(to.clone()).and_modify(|file| file.fan_in += 1);
    }
    let commits = git::recent_commits(root, COMMITS);
    for path in commits.iter().flatten() {
        files.entry(path.clone()).and_modify(|file| file.churn += 1);
    }
    files.retain(|path, file| *path == file.path && !file.path.is_empty());
    let clusters = clusters(&files, &edges, &commits);
    Ok(Survey { files: files.into_values().collect(), clusters })
}

/// Groups of files: imports within a directory, and changes together wherever the files are.
fn clusters(
    files: &BTreeMap<String, SurveyedFile>,
    edges: &BTreeSet<(String, String)>,
    commits: &[Vec<String>],
) -> Vec<Cluster> {
    let mut together: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for changed in commits {
        let mut known: Vec<&str> =
            changed.iter().map(String::as_str).filter(|path| files.contains_key(*path)).collect();
        known.sort_unstable();
        known.dedup();
        if known.len() > WIDE {
            continue;
        }
        for (at, one) in known.iter().enumerate() {
            for other in &known[at + 1..] {
                *together.entry((one, other)).or_default() += 1;
            }
        }
    }
    let dir = |path: &str| path.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
    let mut groups = Groups::default();
    for ((one, other), count) in &together {
        // Of the commits of either, half are of both; across directories two thirds.
        let either = (files[*one].churn + files[*other].churn).saturating_sub(*count).max(1);
        let is_close = if dir(one) == dir(other) { count * 2 >= either } else { count * 3 >= either * 2 };
        if *count >= TOGETHER && is_close {
            groups.join(one, other);
        }
    }
    for (from, to) in edges.iter().filter(|(from, to)| dir(from) == dir(to)) {
        groups.join(from, to);
    }
    let mut found = Vec::new();
    for paths in groups.all() {
        let own: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
        let imports =
            edges.iter().filter(|(from, to)| own.contains(&**from) && own.contains(&**to)).count() as u64;
        let several =
            |changed: &&Vec<String>| changed.iter().filter(|path| own.contains(path.as_str())).count() > 1;
        let commits = commits.iter().filter(several).count() as u64;
        found.push(Cluster { paths, imports, commits });
    }
    found
}

/// Files that were joined, never more than a cluster may have.
#[derive(Default)]
struct Groups {
    of: BTreeMap<String, usize>,
    members: Vec<BTreeSet<String>>,
}

impl Groups {
    fn group(&mut self, path: &str) -> usize {
        if let Some(at) = self.of.get(path) {
            return *at;
        }
        self.members.push(BTreeSet::from([path.to_owned()]));
        self.of.insert(path.to_owned(), self.members.len() - 1);
        self.members.len() - 1
    }

    fn join(&mut self, one: &str, other: &str) {
        let (one, other) = (self.group(one), self.group(other));
        if one == other || self.members[one].len() + self.members[other].len() > CLUSTER {
            return;
        }
        let moved = std::mem::take(&mut self.members[other]);
        for path in &moved {
            self.of.insert(path.clone(), one);
        }
        self.members[one].extend(moved);
    }

    fn all(self) -> impl Iterator<Item = Vec<String>> {
        self.members
            .into_iter()
            .filter(|members| members.len() > 1)
            .map(|members| members.into_iter().collect())
    }
}
