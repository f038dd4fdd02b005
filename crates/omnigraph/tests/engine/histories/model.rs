//! A versioned graph as plain maps: every commit is a whole copy.

use omnigraph::{ChangeOp, MergeConflict};
use serde_json::{Map, json};
use std::collections::{BTreeMap, BTreeSet};

/// What identifies a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Node(String),
    /// Of type `One` or `E`, with its ends.
    Edge(bool, String, String),
}

impl Key {
    /// Whether a conflict is about this row. Ids of edges are hashes; their table is enough.
    pub(crate) fn is(&self, found: &MergeConflict) -> bool {
        match self {
            Key::Node(name) => found.table_key == "node:N" && found.row_id.as_ref() == Some(name),
            Key::Edge(true, _, _) => found.table_key == "edge:One",
            Key::Edge(false, _, _) => found.table_key == "edge:E",
        }
    }

    fn shown(&self) -> String {
        match self {
            Key::Node(name) => format!("N {name}"),
            Key::Edge(true, src, dst) => format!("One {src} {dst}"),
            Key::Edge(false, src, dst) => format!("E {src} {dst}"),
        }
    }
}

/// The values of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) v: Option<i32>,
    pub(crate) u: Option<String>,
}

/// All rows at one commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) rows: BTreeMap<Key, Row>,
}

fn line(key: &Key, row: &Row) -> String {
    let mut data = Map::new();
    let value = if matches!(key, Key::Node(_)) { "v" } else { "w" };
    if let Key::Node(name) = key {
        data.insert("name".to_owned(), json!(name));
    }
    data.extend(row.v.map(|v| (value.to_owned(), json!(v))));
    data.extend(row.u.as_ref().map(|u| ("u".to_owned(), json!(u))));
    let data = serde_json::to_string(&data).unwrap();
    match key {
        Key::Node(_) => format!(r#"{{"type":"N","data":{data}}}"#),
        Key::Edge(one, src, dst) => {
            let kind = if *one { "One" } else { "E" };
            format!(r#"{{"edge":"{kind}","from":"{src}","to":"{dst}","data":{data}}}"#)
        }
    }
}

impl State {
    /// The rows as `export` writes them, sorted.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.rows.iter().map(|(key, row)| line(key, row)).collect();
        lines.sort();
        lines
    }

    /// Puts a row; the line that a load takes.
    pub(crate) fn put(&mut self, key: Key, row: Row) -> String {
        let line = line(&key, &row);
        self.rows.insert(key, row);
        line
    }

    /// A node goes with its edges.
    pub(crate) fn remove_node(&mut self, name: &str) {
        self.rows.retain(|key, _| match key {
            Key::Node(other) => other != name,
            Key::Edge(_, src, dst) => src != name && dst != name,
        });
    }

    /// Whether every promise of the schema holds.
    pub(crate) fn is_whole(&self) -> bool {
        let mut values = BTreeSet::new();
        let mut sources = BTreeSet::new();
        self.rows.iter().all(|(key, row)| match key {
            Key::Node(_) => row.u.as_ref().is_none_or(|u| values.insert(u)),
            Key::Edge(one, src, dst) => {
                let has = |name: &String| self.rows.contains_key(&Key::Node(name.clone()));
                has(src) && has(dst) && (!one || sources.insert(src))
            }
        })
    }

    pub(crate) fn diff(&self, new: &State) -> Vec<(String, ChangeOp)> {
        let keys: BTreeSet<&Key> = self.rows.keys().chain(new.rows.keys()).collect();
        let op = |key: &&Key| match (self.rows.get(*key), new.rows.get(*key)) {
            (None, _) => Some(ChangeOp::Insert),
            (_, None) => Some(ChangeOp::Delete),
            (old, new) => (old != new).then_some(ChangeOp::Update),
        };
        let mut found: Vec<(String, ChangeOp)> =
            keys.iter().filter_map(|key| Some((key.shown(), op(key)?))).collect();
        found.sort();
        found
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Commit {
    pub(crate) state: State,
    parents: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) commits: Vec<Commit>,
    branches: BTreeMap<String, usize>,
}

impl Model {
    pub(crate) fn new(branch: &str) -> Model {
        let first = Commit { state: State::default(), parents: Vec::new() };
        Model { commits: vec![first], branches: [(branch.to_owned(), 0)].into_iter().collect() }
    }

    pub(crate) fn has(&self, branch: &str) -> bool {
        self.branches.contains_key(branch)
    }

    pub(crate) fn place(&self, branch: &str) -> usize {
        self.branches[branch]
    }

    pub(crate) fn head(&self, branch: &str) -> &State {
        &self.commits[self.place(branch)].state
    }

    pub(crate) fn fork(&mut self, from: &str, to: &str) {
        self.branches.insert(to.to_owned(), self.place(from));
    }

    pub(crate) fn commit(&mut self, branch: &str, state: State, merged: Option<usize>) {
        let parents = std::iter::once(self.place(branch)).chain(merged).collect();
        self.commits.push(Commit { state, parents });
        self.branches.insert(branch.to_owned(), self.commits.len() - 1);
    }

    /// A commit and everything before it.
    fn history(&self, place: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([place]);
        for parent in &self.commits[place].parents {
            found.extend(self.history(*parent));
        }
        found
    }

    /// Common commits that are in the history of no other common commit.
    fn bases(&self, left: usize, right: usize) -> Vec<usize> {
        let common: Vec<usize> = self.history(left).intersection(&self.history(right)).copied().collect();
        let is_best =
            |one: &&usize| !common.iter().any(|other| other != *one && self.history(*other).contains(one));
        common.iter().filter(is_best).copied().collect()
    }

    /// What a merge gives: nothing new, a state, or the rows that are in the way.
    pub(crate) fn merge(&self, from: &str, to: &str) -> Option<Result<State, Vec<Key>>> {
        let (theirs, ours) = (self.place(from), self.place(to));
        if self.history(ours).contains(&theirs) {
            return None;
        }
        if self.history(theirs).contains(&ours) {
            return Some(Ok(self.commits[theirs].state.clone()));
        }
        let (base, contested) = self.base(self.bases(ours, theirs));
        let (state, conflicts) =
            three_way(&base, &self.commits[ours].state, &self.commits[theirs].state, &contested);
        if conflicts.is_empty() && state.is_whole() { Some(Ok(state)) } else { Some(Err(conflicts)) }
    }

    /// Several bases are merged with each other; of what they do not agree about nothing is known.
    fn base(&self, bases: Vec<usize>) -> (State, BTreeSet<Key>) {
        let first = bases[0];
        let mut base = self.commits[first].state.clone();
        let mut contested = BTreeSet::new();
        for next in bases.into_iter().skip(1) {
            let (below, unknown) = self.base(self.bases(first, next));
            let (merged, conflicts) = three_way(&below, &base, &self.commits[next].state, &unknown);
            base = merged;
            contested.extend(conflicts);
            contested.extend(unknown);
        }
        (base, contested)
    }
}

/// Row by row; where both sides differ from the base and from each other, ours stays and the row is named.
fn three_way(base: &State, ours: &State, theirs: &State, contested: &BTreeSet<Key>) -> (State, Vec<Key>) {
    let keys: BTreeSet<&Key> = base.rows.keys().chain(ours.rows.keys()).chain(theirs.rows.keys()).collect();
    let mut merged = ours.clone();
    let mut conflicts = Vec::new();
    for key in keys {
        let (was, our, their) = (base.rows.get(key), ours.rows.get(key), theirs.rows.get(key));
        if our == their {
            continue;
        }
        if contested.contains(key) || (our != was && their != was) {
            conflicts.push(key.clone());
        } else if our == was {
            match their {
                Some(row) => drop(merged.rows.insert(key.clone(), row.clone())),
                None => drop(merged.rows.remove(key)),
            }
        }
    }
    (merged, conflicts)
}
