//! Links between features and tasks, and cycles.

use crate::scene::{NOBODY, Scene, names};
use serde_json::{Value, json};

fn link(operation: &str, from: &str, to: &str, kind: &str) -> Value {
    json!({"operation": operation, "fromId": from, "toId": to, "type": kind})
}

fn three() -> (Scene, [String; 3]) {
    let scene = Scene::new();
    let tasks = ["A", "B", "C"].map(|title| scene.task(json!({}), title));
    (scene, tasks)
}

#[test]
fn a_cycle_is_refused_and_named() {
    let (scene, [a, b, c]) = three();
    scene.blocks(&a, &b);
    scene.blocks(&b, &c);
    let envelope = scene.call("manage_dependency", link("create", &c, &a, "BLOCKS"));
    assert!(
        envelope.message.contains("task \"C\" -> task \"B\" -> task \"A\" -> task \"C\""),
        "{}",
        envelope.message
    );
    let details = scene.refused("manage_dependency", link("create", &c, &a, "BLOCKS"), "CIRCULAR_DEPENDENCY");
    assert_eq!(names(&details["cycle"]), ["C", "B", "A", "C"]);
    let version = scene.version("task", &a);
    let block = json!({"containerType": "task", "id": a, "version": version, "blockedBy": [c]});
    scene.refused("block", block, "CIRCULAR_DEPENDENCY");
    scene.refused("manage_dependency", link("create", &a, &a, "BLOCKS"), "CIRCULAR_DEPENDENCY");
    assert_eq!(scene.get("task", &a)["blockedBy"], json!([]));
}

#[test]
fn waiting_through_features_counts() {
    let scene = Scene::new();
    let project = scene.project();
    let (f, g) = (scene.feature(&project, "F"), scene.feature(&project, "G"));
    let task = scene.task(json!({"featureId": f}), "T");
    let details =
        scene.refused("manage_dependency", link("create", &f, &task, "BLOCKS"), "CIRCULAR_DEPENDENCY");
    assert_eq!(names(&details["cycle"]), ["F", "T", "F"]);
    scene.refused("manage_dependency", link("create", &task, &f, "BLOCKS"), "CIRCULAR_DEPENDENCY");
    scene.blocks(&g, &f);
    scene.refused("manage_dependency", link("create", &task, &g, "BLOCKS"), "CIRCULAR_DEPENDENCY");
    // A task that waits for F cannot move into F's blocker.
    let waiting = scene.task(json!({"projectId": project}), "W");
    scene.blocks(&f, &waiting);
    let version = scene.version("task", &waiting);
    let into = json!({"operation": "update", "containerType": "task", "id": waiting, "version": version, "featureId": g});
    scene.refused("manage_container", into, "CIRCULAR_DEPENDENCY");
    assert_eq!(scene.get("task", &waiting)["featureId"], Value::Null);
}

#[test]
fn links_of_both_kinds() {
    let (scene, [a, b, c]) = three();
    scene.blocks(&a, &b);
    scene.blocks(&a, &b);
    scene.ok("manage_dependency", link("create", &c, &b, "RELATES_TO"));
    scene.ok("manage_dependency", link("create", &b, &c, "RELATES_TO"));
    let task = scene.get("task", &b);
    assert_eq!((&task["blockedBy"], &task["relatedTo"]), (&json!([a]), &json!([c])));
    assert_eq!(scene.get("task", &c)["relatedTo"], json!([b]));
    let query = |id: &str, direction: &str| {
        scene.ok("query_dependencies", json!({"containerType": "task", "id": id, "direction": direction}))
    };
    let found = query(&b, "dependencies");
    assert_eq!(
        found["dependencies"][0],
        json!({"type": "BLOCKS", "fromId": a, "toId": b, "fromEntityType": "task", "toEntityType": "task"})
    );
    assert_eq!((found["dependencies"].as_array().unwrap().len(), found.get("dependents")), (2, None));
    assert_eq!(query(&a, "dependents")["dependents"][0]["toId"], b.as_str());
    assert_eq!(query(&a, "both")["total"], 1);
    scene.ok("manage_dependency", link("delete", &b, &c, "RELATES_TO"));
    scene.ok("manage_dependency", link("delete", &a, &b, "BLOCKS"));
    let task = scene.get("task", &b);
    assert_eq!((&task["blockedBy"], &task["relatedTo"]), (&json!([]), &json!([])));
    scene.refused("manage_dependency", link("delete", &a, &b, "BLOCKS"), "NOT_FOUND");
}

#[test]
fn bad_input_of_links() {
    let (scene, [a, b, _]) = three();
    for (arguments, code) in [
        (link("create", NOBODY, &a, "BLOCKS"), "NOT_FOUND"),
        (link("create", &a, NOBODY, "RELATES_TO"), "NOT_FOUND"),
        (link("create", &a, &b, "NEEDS"), "VALIDATION_ERROR"),
        (link("create", &a, &a, "RELATES_TO"), "VALIDATION_ERROR"),
        (link("toggle", &a, &b, "BLOCKS"), "VALIDATION_ERROR"),
        (json!({"operation": "create", "fromId": a, "toId": b, "version": 4}), "CONFLICT"),
    ] {
        scene.refused("manage_dependency", arguments, code);
    }
    let direction = json!({"containerType": "task", "id": a, "direction": "up"});
    scene.refused("query_dependencies", direction, "VALIDATION_ERROR");
}

#[test]
fn what_is_held_from_outside_shows_as_such() {
    let (scene, [a, ..]) = three();
    let hold = json!({"containerType": "task", "id": a, "version": 1, "blockedBy": "NO_OP", "blockedReason": "legal"});
    scene.ok("block", hold);
    let found = scene.ok("query_dependencies", json!({"containerType": "task", "id": a}));
    assert_eq!(
        (&found["dependencies"][0]["fromId"], &found["dependencies"][0]["reason"]),
        (&json!("NO_OP"), &json!("legal"))
    );
}
