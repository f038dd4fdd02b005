//! What holds for every merge, whatever the rows.

use crate::fixture::{fork, load_on, loaded, on, rows_of};
use omnigraph::{ChangeOp, DiffOptions, Graph, LoadMode, MergeOptions, MergeOutcome, Target};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

const SCHEMA: &str = "node N { name: String @key  v: I32? } edge E: N -> N { w: I32? }";

/// Which rows get which value; none is deleted.
type Edits = BTreeMap<u8, Option<i32>>;

fn base() -> Graph {
    let rows = (0..10).map(|name| json!({"type":"N","data":{"name":format!("n{name}"),"v":0}}).to_string());
    loaded(SCHEMA, &rows.collect::<Vec<_>>().join("\n"))
}

fn edit(graph: &Graph, branch: &str, edits: &Edits) {
    let line = |(name, value): (&u8, &Option<i32>)| match value {
        Some(value) => json!({"type":"N","data":{"name":format!("n{name}"),"v":value}}).to_string(),
        None => json!({"delete":"N","id":format!("n{name}")}).to_string(),
    };
    let lines: Vec<String> = edits.iter().map(line).collect();
    load_on(graph, branch, &lines.join("\n"), LoadMode::Merge).unwrap();
}

fn edits() -> impl Strategy<Value = Edits> {
    prop::collection::btree_map(0..16u8, prop::option::weighted(0.7, 1..5i32), 0..8)
}

fn merge(graph: &Graph, source: &str, target: &str) -> MergeOutcome {
    graph.merge(source, target, &MergeOptions::default()).unwrap().outcome
}

fn changed(graph: &Graph, from: &Target, to: &Target) -> BTreeMap<String, ChangeOp> {
    let set = graph.diff(from, to, &DiffOptions::default()).unwrap();
    set.changes.iter().map(|change| (change.id.clone(), change.op)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two sides that did the same agree.
    #[test]
    fn identical_sides(edits in edits()) {
        let graph = base();
        fork(&graph, "main", "work");
        edit(&graph, "main", &edits);
        edit(&graph, "work", &edits);
        let before = rows_of(&graph, &on("main"));
        merge(&graph, "work", "main");
        prop_assert_eq!(rows_of(&graph, &on("main")), before);
    }

    /// A target without changes of its own becomes the source.
    #[test]
    fn fast_forward_is_the_source(edits in edits()) {
        let graph = base();
        fork(&graph, "main", "work");
        edit(&graph, "work", &edits);
        let outcome = merge(&graph, "work", "main");
        prop_assert!(outcome != MergeOutcome::Merged);
        prop_assert_eq!(rows_of(&graph, &on("main")), rows_of(&graph, &on("work")));
    }

    /// Changes of different rows can be merged either way, and what differs from the base then is both.
    #[test]
    fn disjoint_sides_commute(left in edits(), right in edits()) {
        let right: Edits = right.into_iter().filter(|(name, _)| !left.contains_key(name)).collect();
        let graph = base();
        let start = Target::Commit(graph.store().head("main").unwrap().id().clone());
        for branch in ["left", "right", "one", "other"] {
            fork(&graph, "main", branch);
        }
        edit(&graph, "left", &left);
        edit(&graph, "right", &right);
        let mut union = changed(&graph, &start, &on("left"));
        union.extend(changed(&graph, &start, &on("right")));
        merge(&graph, "left", "one");
        merge(&graph, "right", "one");
        merge(&graph, "right", "other");
        merge(&graph, "left", "other");
        prop_assert_eq!(rows_of(&graph, &on("one")), rows_of(&graph, &on("other")));
        prop_assert_eq!(changed(&graph, &start, &on("one")), union);
        prop_assert!(changed(&graph, &on("one"), &on("other")).is_empty());
    }
}
