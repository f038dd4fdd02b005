//! Branches: pointers, not copies.

use crate::{commit, fixture, numbers};
use omnigraph_store::{Error, Target};

#[test]
fn a_branch_starts_where_it_was_made_and_goes_its_own_way() {
    let graph = fixture();
    commit(&graph.store, "main", [1]);
    let base = graph.store.head("main").unwrap();
    graph.store.wait_for_folds();
    let before = graph.store.requests().writes();
    graph.store.create_branch("review/2026", &base, None).unwrap();
    assert_eq!(graph.store.requests().writes(), before + 1);
    assert_eq!(graph.store.head("review/2026").unwrap().id(), base.id());
    commit(&graph.store, "review/2026", [2]);
    commit(&graph.store, "main", [3]);
    let store = graph.again();
    assert_eq!(store.branches().unwrap(), ["main", "review/2026"]);
    assert_eq!(numbers(&store, &store.head("review/2026").unwrap()), [1, 2]);
    assert_eq!(numbers(&store, &store.head("main").unwrap()), [1, 3]);
    let old = store.resolve(&Target::Version("review/2026".into(), 2)).unwrap();
    assert_eq!(old.id(), base.id(), "history goes on into the branch that it left");
    assert_eq!(store.parent(&store.head("review/2026").unwrap()).unwrap().unwrap().id(), base.id());
}

#[test]
fn a_branch_that_is_deleted_and_made_again_is_another() {
    let graph = fixture();
    let base = graph.store.head("main").unwrap();
    graph.store.create_branch("b", &base, None).unwrap();
    let lost = commit(&graph.store, "b", [1]);
    let other = graph.again();
    assert_eq!(numbers(&other, &other.head("b").unwrap()), [1]);
    graph.store.delete_branch("b").unwrap();
    assert!(matches!(other.head("b"), Err(Error::NoBranch { .. })));
    graph.store.create_branch("b", &base, None).unwrap();
    assert!(numbers(&other, &other.head("b").unwrap()).is_empty());
    assert_eq!(numbers(&other, &other.resolve(&Target::Commit(lost.id().clone())).unwrap()), [1]);
}

#[test]
fn names() {
    let graph = fixture();
    let base = graph.store.head("main").unwrap();
    for good in ["a", "a/b", "fix-1.2_x", "naïve", "α/β", "with=sign", "a@b", "%41"] {
        graph.store.create_branch(good, &base, None).unwrap_or_else(|error| panic!("{good}: {error}"));
        assert!(graph.again().branches().unwrap().iter().any(|name| name == good), "{good}");
    }
    // What a file of this name would be called is longer than the name.
    let (long, wide) = ("y".repeat(201), "ß".repeat(45));
    for bad in ["", "/a", "a/", "a//b", "..", "a/../b", "-x", "a b", "a\n", "a:b", "x.lock", &long, &wide] {
        let made = graph.store.create_branch(bad, &base, None);
        assert!(matches!(made, Err(Error::BranchName { .. })), "{bad:?}");
    }
    assert!(matches!(graph.store.create_branch("a", &base, None), Err(Error::BranchExists { .. })));
    assert!(matches!(graph.store.delete_branch("main"), Err(Error::BranchName { .. })));
    assert!(matches!(graph.store.delete_branch("nowhere"), Err(Error::NoBranch { .. })));
    assert!(matches!(graph.store.head(&wide), Err(Error::NoBranch { .. })));
    assert!(matches!(graph.store.tag(&wide), Err(Error::NoTag { .. })));
    assert!(matches!(graph.store.rename_branch("a", &wide), Err(Error::BranchName { .. })));
}

#[test]
fn a_branch_can_have_another_name() {
    let graph = fixture();
    let store = &graph.store;
    let head = store.head("main").unwrap();
    store.create_branch("a", &head, None).unwrap();
    let made = commit(store, "a", [1]);
    store.rename_branch("a", "b").unwrap();
    assert_eq!(graph.again().head("b").unwrap().id(), made.id());
    assert!(matches!(store.head("a"), Err(Error::NoBranch { .. })));
    assert!(matches!(store.rename_branch("main", "x"), Err(Error::BranchName { .. })));
    assert!(matches!(store.rename_branch("b", "main"), Err(Error::BranchExists { .. })));
    assert!(matches!(store.rename_branch("b", "a b"), Err(Error::BranchName { .. })));
    assert!(matches!(store.create_branch("__run__x", &head, None), Err(Error::BranchName { .. })));
    assert_eq!(numbers(store, &commit(store, "b", [2])), [1, 2]);
}

#[test]
fn tags_stay_until_they_are_moved() {
    let graph = fixture();
    let store = &graph.store;
    let first = commit(store, "main", [1]);
    let second = commit(store, "main", [2]);
    store.create_tag("v1", &first, Some("ann"), false).unwrap();
    assert!(matches!(store.create_tag("v1", &second, None, false), Err(Error::TagExists { .. })));
    let other = graph.again();
    assert_eq!(other.resolve(&Target::Tag("v1".into())).unwrap().id(), first.id());
    assert_eq!(other.named("v1").unwrap().0, Target::Tag("v1".into()));
    assert_eq!(other.named("main").unwrap().1.id(), second.id());
    assert_eq!(other.named(first.id().as_str()).unwrap().1.id(), first.id());
    assert_eq!(other.named("manifest:main:v2").unwrap().1.id(), first.id());
    assert!(matches!(other.named("v2"), Err(Error::NoTarget { .. })));
    assert!(matches!(other.named("a b"), Err(Error::NoTarget { .. })));
    store.create_tag("v1", &second, None, true).unwrap();
    assert_eq!(other.resolve(&Target::Tag("v1".into())).unwrap().id(), second.id());
    assert!(matches!(store.create_tag("main", &first, None, false), Err(Error::TagName { .. })));
    store.create_branch("v1", &first, None).unwrap();
    assert_eq!(other.named("v1").unwrap().0, Target::Branch("v1".into()), "the branch is meant");
    store.create_tag("a/b", &first, None, false).unwrap();
    let names: Vec<String> = store.tags().unwrap().into_iter().map(|tag| tag.name).collect();
    assert_eq!(names, ["a/b", "v1"]);
    assert_eq!(store.delete_tag("v1").unwrap().commit, *second.id());
    assert!(matches!(store.tag("v1"), Err(Error::NoTag { .. })));
}
