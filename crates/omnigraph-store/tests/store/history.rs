//! Walks of the history.

use crate::{Fixture, commit, done, fixture};
use omnigraph_store::{CommitId, Draft, Error, Snapshot, Store};
use std::sync::Arc;

/// A commit that merges a state into a branch without changing a table.
fn merge(store: &Store, branch: &str, theirs: &Snapshot) -> Arc<Snapshot> {
    let base = store.head(branch).expect("a branch");
    let draft =
        Draft { operation: "merge".to_owned(), merge_parent: Some(theirs.id().clone()), ..Draft::default() };
    done(store.publish(branch, &base, &draft).expect("an answer"))
}

fn ids(commits: &[Arc<Snapshot>]) -> Vec<CommitId> {
    commits.iter().map(|commit| commit.id().clone()).collect()
}

fn meeting(graph: &Fixture, ours: &Arc<Snapshot>, theirs: &Arc<Snapshot>) -> Vec<CommitId> {
    let found = ids(&graph.again().meeting_points(ours, theirs).expect("a walk"));
    let back = graph.store.meeting_points(theirs, ours).expect("a walk");
    assert_eq!(found, ids(&back), "either way round");
    found
}

#[test]
fn what_came_before_and_what_came_behind() {
    let graph = fixture();
    let store = &graph.store;
    let mut all = vec![store.head("main").unwrap()];
    all.extend((0..70).map(|number| commit(store, "main", [number])));
    store.create_branch("b", &all[50], None).unwrap();
    let aside = commit(store, "b", [1_000]);
    let newest_first: Vec<CommitId> = ids(&all).into_iter().rev().collect();
    let cold = graph.again();
    let before = cold.requests().total();
    assert_eq!(ids(&cold.history(&cold.head("main").unwrap(), usize::MAX).unwrap()), newest_first);
    assert!(cold.requests().total() - before <= 80, "each record once");
    assert_eq!(ids(&cold.history(&all[70], 3).unwrap()), newest_first[..3]);
    let after = |since: &Snapshot, head: &Arc<Snapshot>, limit| {
        ids(&graph.again().after(since.id(), head, limit).unwrap())
    };
    assert_eq!(after(&all[0], &all[70], 1_000), ids(&all[1..]));
    assert_eq!(after(&all[10], &all[70], 5), ids(&all[11..16]));
    assert!(after(&all[70], &all[70], 5).is_empty());
    let through_the_fork: Vec<CommitId> = ids(&all[49..51]).into_iter().chain([aside.id().clone()]).collect();
    assert_eq!(after(&all[48], &aside, 5), through_the_fork);
    let elsewhere = graph.store.after(all[60].id(), &aside, 5);
    assert!(matches!(elsewhere, Err(Error::NoCommit { .. })), "it is not on the way");
}

#[test]
fn where_branches_meet() {
    let graph = fixture();
    let store = &graph.store;
    let base = commit(store, "main", [1]);
    store.create_branch("a", &base, None).unwrap();
    store.create_branch("b", &base, None).unwrap();
    assert_eq!(meeting(&graph, &base, &store.head("a").unwrap()), [base.id().clone()]);
    let (main, a, b) = (commit(store, "main", [2]), commit(store, "a", [3]), commit(store, "b", [4]));
    assert_eq!(meeting(&graph, &main, &a), [base.id().clone()]);
    assert_eq!(meeting(&graph, &main, &base), [base.id().clone()]);
    // A third branch that both merged is nearer than the fork.
    let (with_b, also) = (merge(store, "main", &b), merge(store, "a", &b));
    assert_eq!(meeting(&graph, &with_b, &also), [b.id().clone()]);
    // Both merge each other: two meeting points, none below the other.
    let (crossed, other) = (merge(store, "main", &also), merge(store, "a", &with_b));
    let mut both = vec![with_b.id().clone(), also.id().clone()];
    both.sort();
    assert_eq!(meeting(&graph, &crossed, &other), both);
    let again = merge(store, "main", &other);
    assert_eq!(meeting(&graph, &again, &other), [other.id().clone()]);
    assert!(again.record.created_at > other.record.created_at);
}
