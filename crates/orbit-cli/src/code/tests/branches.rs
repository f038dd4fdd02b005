//! Atoms on branches: what is said on one neither holds nor drifts on another until they are merged.

use super::Scene;
use crate::code::WorktreeCode;
use orbit_knowledge::{Options, Store};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The store of a scene, as another worktree sees it.
fn at(scene: &Scene, root: &Path) -> Store {
    let code = Box::new(WorktreeCode::new(root));
    Store::open(&scene.root.join(".orbit/knowledge.db"), Options { code, ..Options::default() }).unwrap()
}

fn state(store: &Store, id: &str) -> String {
    let asked = json!({"operation": "get", "entityType": "atom", "id": id});
    let found = store.call("query_graph", asked).unwrap().data.unwrap();
    found["atom"]["freshness"].as_str().unwrap().to_owned()
}

fn say(store: &Store, operation: &str, id: &str, version: i64, knowledge: Option<&str>) {
    let mut asked = json!({"operation": operation, "entityType": "atom", "id": id, "version": version});
    if let Some(text) = knowledge {
        asked["knowledge"] = json!(text);
    }
    let done = store.call("manage_graph", asked).unwrap();
    assert!(done.success, "{}", done.message);
}

/// A scene whose main has a feature branch in another worktree, and an atom about both methods.
fn branched() -> (Scene, PathBuf, Store, String) {
    let scene = Scene::new();
    let atom = scene.atom(json!({}));
    let feature = scene.root.parent().unwrap().join("feature");
    scene.git(&["worktree", "add", "-q", "-b", "feature", feature.to_str().unwrap()]);
    let store = at(&scene, &feature);
    let id = atom["id"].as_str().unwrap().to_owned();
    (scene, feature, store, id)
}

fn edit(root: &Path, from: &str, to: &str) {
    let file = root.join("src/shop.py");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
fn a_branch_reaffirms_for_itself() {
    let (scene, feature, there, id) = branched();
    edit(&feature, "return []", "return ()");
    assert_eq!(state(&there, &id), "body_drifted");
    assert_eq!(state(&scene.store, &id), "fresh");
    say(&there, "reaffirm", &id, 1, None);
    assert_eq!(state(&there, &id), "fresh");
    assert_eq!(state(&scene.store, &id), "fresh", "feature work leaves main's atoms");
    scene.git(&["-C", feature.to_str().unwrap(), "commit", "-qam", "tuples"]);
    assert_eq!(state(&there, &id), "fresh");
    // Merged work carries its reaffirmation, also beside other work.
    edit(&scene.root, "amount = 0", "amount = 1");
    assert_eq!(state(&scene.store, &id), "body_drifted");
    say(&scene.store, "reaffirm", &id, 1, None);
    scene.commit("one");
    assert_eq!(state(&scene.store, &id), "fresh");
    scene.git(&["merge", "-q", "--no-edit", "feature"]);
    assert_eq!(state(&scene.store, &id), "fresh");
    assert_eq!(state(&there, &id), "fresh");
    edit(&scene.root, "return ()", "return {}");
    assert_eq!(state(&scene.store, &id), "body_drifted");
    edit(&scene.root, "return {}", "return []");
    assert_eq!(state(&scene.store, &id), "fresh", "as main had it when it was reaffirmed there");
}

#[test]
fn what_was_written_for_another_branch_is_not_judged_here() {
    let (scene, feature, there, id) = branched();
    edit(&feature, "return []", "return ()");
    say(&there, "update", &id, 1, Some("empty carts are tuples"));
    scene.git(&["-C", feature.to_str().unwrap(), "commit", "-qam", "tuples"]);
    assert_eq!(state(&there, &id), "fresh");
    assert_eq!(state(&scene.store, &id), "not_checked");
    scene.git(&["merge", "-q", "feature"]);
    assert_eq!(state(&scene.store, &id), "fresh");
    edit(&scene.root, "return ()", "return {}");
    assert_eq!(state(&scene.store, &id), "body_drifted");
}

#[test]
fn a_squashed_branch_and_a_rebased_one_keep_what_they_said() {
    let (scene, feature, there, id) = branched();
    edit(&feature, "return []", "return ()");
    say(&there, "reaffirm", &id, 1, None);
    scene.git(&["-C", feature.to_str().unwrap(), "commit", "-qam", "tuples"]);
    scene.git(&["-C", feature.to_str().unwrap(), "commit", "-q", "--amend", "-m", "tuples, again"]);
    assert_eq!(state(&there, &id), "fresh");
    edit(&feature, "return ()", "return {}");
    assert_eq!(state(&there, &id), "body_drifted");
    edit(&feature, "return {}", "return ()");
    scene.git(&["merge", "-q", "--squash", "feature"]);
    scene.commit("squashed");
    assert_eq!(state(&scene.store, &id), "fresh");
    edit(&scene.root, "return ()", "return {}");
    assert_eq!(state(&scene.store, &id), "body_drifted");
}
