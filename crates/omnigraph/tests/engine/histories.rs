//! Random histories of branches, loads, changes, deletes and merges, beside a model that is plain maps.

mod model;

use crate::fixture::{change_on, empty, load_on, reopened, rows_of, stored};
use model::{Key, Model, Row, State};
use omnigraph::{
    ChangeFilter, ChangeOp, CommitId, DiffOptions, Error, Graph, LoadMode, MergeOptions, MergeOutcome, Target,
};
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

const SCHEMA: &str = "
node N { name: String @key  v: I32?  u: String? @unique }
edge E: N -> N { w: I32? }
edge One: N -> N @card(0..1)
";

const BRANCHES: [&str; 3] = ["main", "a", "b"];

#[derive(Clone, Debug)]
enum Step {
    /// Rows by load: name, value, unique value.
    Put(usize, Vec<(u8, i32, Option<u8>)>),
    Delete(usize, u8),
    Join(usize, bool, u8, u8, i32),
    Part(usize, bool, u8, u8),
    Fork(usize, usize),
    Merge(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let branch = || 0..BRANCHES.len();
    let name = || 0..8u8;
    prop_oneof![
        4 => (branch(), prop::collection::vec((name(), 0..4i32, prop::option::weighted(0.4, 0..5u8)), 1..4))
            .prop_map(|(branch, rows)| Step::Put(branch, rows)),
        2 => (branch(), name()).prop_map(|(branch, name)| Step::Delete(branch, name)),
        4 => (branch(), any::<bool>(), name(), name(), 0..3i32)
            .prop_map(|(branch, one, src, dst, w)| Step::Join(branch, one, src, dst, w)),
        1 => (branch(), any::<bool>(), name(), name())
            .prop_map(|(branch, one, src, dst)| Step::Part(branch, one, src, dst)),
        1 => (branch(), 1..BRANCHES.len()).prop_map(|(from, to)| Step::Fork(from, to)),
        4 => (branch(), branch()).prop_map(|(from, to)| Step::Merge(from, to)),
    ]
}

/// The graph and the model, step by step.
struct Pair {
    graph: Graph,
    /// Where to open the graph anew before every step; `None` keeps what was read in memory.
    reopen: Option<TempDir>,
    model: Model,
    /// The commit of the graph for each of the model.
    commits: Vec<CommitId>,
}

impl Pair {
    fn new(is_cold: bool) -> Pair {
        let (graph, reopen) = if is_cold {
            let (graph, place) = stored(SCHEMA);
            (graph, Some(place))
        } else {
            (empty(SCHEMA), None)
        };
        let first = graph.store().head("main").unwrap().id().clone();
        Pair { graph, reopen, model: Model::new("main"), commits: vec![first] }
    }

    fn write(&mut self, branch: &str, state: State, done: Result<bool, Error>) {
        match (state.is_whole(), done) {
            (true, Ok(true)) => self.note(branch, state, None),
            (true, Ok(false)) => assert_eq!(self.model.head(branch), &state),
            (false, Err(Error::Invalid { .. })) => {}
            (whole, done) => panic!("the model says {whole}, the graph {done:?}"),
        }
    }

    fn note(&mut self, branch: &str, state: State, merged: Option<usize>) {
        let head = self.graph.store().head(branch).unwrap();
        assert_eq!(rows_of(&self.graph, &Target::Branch(branch.to_owned())), state.lines());
        self.model.commit(branch, state, merged);
        self.commits.push(head.id().clone());
    }

    fn load(&mut self, branch: &str, state: State, lines: &str) {
        let done = load_on(&self.graph, branch, lines, LoadMode::Merge);
        self.write(branch, state, done.map(|report| report.committed));
    }

    fn step(&mut self, step: &Step) {
        if let Some(place) = &self.reopen {
            self.graph = reopened(place);
        }
        match step {
            Step::Put(branch, rows) => self.put(BRANCHES[*branch], rows),
            Step::Delete(branch, name) => {
                let (branch, name) = (BRANCHES[*branch], format!("n{name}"));
                if self.model.has(branch)
                    && self.model.head(branch).rows.contains_key(&Key::Node(name.clone()))
                {
                    let mut state = self.model.head(branch).clone();
                    state.remove_node(&name);
                    let query = "query q($n: String) { delete N where name = $n }";
                    let receipt = change_on(&self.graph, branch, query, json!({"n":name}));
                    self.write(branch, state, Ok(receipt.committed));
                }
            }
            Step::Join(branch, one, src, dst, w) => self.join(BRANCHES[*branch], (*one, *src, *dst), *w),
            Step::Part(branch, one, src, dst) => self.part(BRANCHES[*branch], (*one, *src, *dst)),
            Step::Fork(from, to) => {
                let (from, to) = (BRANCHES[*from], BRANCHES[*to]);
                if self.model.has(from) && !self.model.has(to) {
                    crate::fixture::fork(&self.graph, from, to);
                    self.model.fork(from, to);
                }
            }
            Step::Merge(from, to) => {
                let (from, to) = (BRANCHES[*from], BRANCHES[*to]);
                if self.model.has(from) && self.model.has(to) {
                    self.merge(from, to);
                }
            }
        }
    }

    fn put(&mut self, branch: &str, rows: &[(u8, i32, Option<u8>)]) {
        if !self.model.has(branch) {
            return;
        }
        let mut state = self.model.head(branch).clone();
        let mut lines = String::new();
        let mut names: Vec<u8> = Vec::new();
        for (name, v, u) in rows {
            if !names.contains(name) {
                names.push(*name);
                let row = Row { v: Some(*v), u: u.map(|u| format!("u{u}")) };
                lines.push_str(&state.put(Key::Node(format!("n{name}")), row));
                lines.push('\n');
            }
        }
        self.load(branch, state, &lines);
    }

    fn join(&mut self, branch: &str, (one, src, dst): (bool, u8, u8), w: i32) {
        if self.model.has(branch) {
            let mut state = self.model.head(branch).clone();
            let row = Row { v: (!one).then_some(w), u: None };
            let line = state.put(Key::Edge(one, format!("n{src}"), format!("n{dst}")), row);
            self.load(branch, state, &line);
        }
    }

    fn part(&mut self, branch: &str, (one, src, dst): (bool, u8, u8)) {
        if self.model.has(branch) {
            let (src, dst) = (format!("n{src}"), format!("n{dst}"));
            let mut state = self.model.head(branch).clone();
            let kind = if one { "One" } else { "E" };
            state.rows.remove(&Key::Edge(one, src.clone(), dst.clone()));
            let line = json!({"delete":kind,"from":src,"to":dst}).to_string();
            self.load(branch, state, &line);
        }
    }

    fn merge(&mut self, from: &str, to: &str) {
        let expected = self.model.merge(from, to);
        let source = self.model.place(from);
        let done = self.graph.merge(from, to, &MergeOptions::default());
        match (expected, done) {
            (None, Ok(report)) => assert_eq!(report.outcome, MergeOutcome::AlreadyUpToDate),
            (Some(Ok(state)), Ok(report)) => {
                assert!(report.committed);
                self.note(to, state, Some(source));
            }
            (Some(Err(rows)), Err(Error::MergeConflicts(found))) => {
                assert!(!found.is_empty());
                for row in rows {
                    assert!(found.iter().any(|found| row.is(found)), "{row:?} is not in {found:?}");
                }
            }
            (expected, done) => panic!("{from} into {to}: the model says {expected:?}, the graph {done:?}"),
        }
    }

    /// Every state that ever was is still there, and any two of them differ as the model says.
    fn check(&self, every: usize) {
        for (place, commit) in self.commits.iter().enumerate() {
            let rows = rows_of(&self.graph, &Target::Commit(commit.clone()));
            assert_eq!(rows, self.model.commits[place].state.lines(), "commit {place}");
        }
        let count = self.commits.len();
        for (from, to) in (0..count).step_by(every).map(|at| (at, (at * 7 + 3) % count)) {
            self.check_diff(from, to);
        }
    }

    fn check_diff(&self, from: usize, to: usize) {
        let target = |place: usize| Target::Commit(self.commits[place].clone());
        let set = self.graph.diff(&target(from), &target(to), &DiffOptions::default()).unwrap();
        let found: Vec<(String, ChangeOp)> = set
            .changes
            .iter()
            .map(|change| match &change.endpoints {
                Some(ends) => (format!("{} {} {}", change.type_name, ends.src, ends.dst), change.op),
                None => (format!("{} {}", change.type_name, change.id), change.op),
            })
            .collect();
        let mut found = found;
        found.sort();
        let (old, new) = (&self.model.commits[from].state, &self.model.commits[to].state);
        assert_eq!(found, old.diff(new), "{from} to {to}");
        let mut patch = Vec::new();
        self.graph.patch(&target(from), &target(to), &ChangeFilter::default(), &mut patch).unwrap();
        let name = format!("patched-{from}-{to}");
        let base = self.graph.store().resolve(&target(from)).unwrap();
        self.graph.store().create_branch(&name, &base, None).unwrap();
        let patch = String::from_utf8(patch).unwrap();
        load_on(&self.graph, &name, &patch, LoadMode::Merge)
            .unwrap_or_else(|error| panic!("{patch}\n{error}"));
        assert_eq!(rows_of(&self.graph, &Target::Branch(name)), new.lines(), "{patch}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_graph_does_what_the_model_does(
        is_cold in any::<bool>(),
        steps in prop::collection::vec(step(), 10..50),
    ) {
        let mut pair = Pair::new(is_cold);
        pair.step(&Step::Put(0, vec![(0, 0, None), (1, 1, None), (2, 2, None)]));
        pair.step(&Step::Fork(0, 1));
        pair.step(&Step::Fork(0, 2));
        for step in &steps {
            pair.step(step);
        }
        pair.check(1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, failure_persistence: None, ..ProptestConfig::default() })]

    /// So long that small files are folded into others again and again.
    #[test]
    fn long_histories(steps in prop::collection::vec(step(), 180..220)) {
        let mut pair = Pair::new(false);
        pair.step(&Step::Put(0, vec![(0, 0, None), (1, 1, None), (2, 2, None)]));
        pair.step(&Step::Fork(0, 1));
        for step in &steps {
            pair.step(step);
        }
        pair.check(9);
    }
}
