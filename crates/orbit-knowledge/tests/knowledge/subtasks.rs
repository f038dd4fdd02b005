//! Tasks in tasks, what came up in which, and comments.

use crate::scene::{NOBODY, Scene, names, text};
use serde_json::{Value, json};

fn sub(scene: &Scene, parent: &str, title: &str) -> String {
    scene.task(json!({"parentId": parent}), title)
}

fn update(scene: &Scene, id: &str, more: &Value) -> Value {
    let mut arguments = json!({"operation": "update", "containerType": "task", "id": id,
        "version": scene.version("task", id)});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    arguments
}

fn next(scene: &Scene) -> Value {
    scene.ok("get_next_task", json!({}))["task"]["title"].clone()
}

#[test]
fn a_task_waits_for_its_subtasks() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "Carts");
    let whole = scene.task_of(json!({"featureId": feature}), "Whole", "HIGH", 1);
    let part = sub(&scene, &whole, "Part");
    let piece = sub(&scene, &part, "Piece");
    let it = scene.get("task", &piece);
    assert_eq!((&it["featureId"], &it["projectId"]), (&json!(feature), &json!(project)));
    // Only what has no open parts is handed out, whatever is more urgent.
    assert_eq!(next(&scene), "Piece");
    scene.moved("advance", "task", &whole);
    let version = scene.version("task", &whole);
    let close = json!({"containerType": "task", "id": whole, "version": version});
    scene.refused("advance", close.clone(), "HAS_CHILDREN");
    scene.refused("terminate", close, "HAS_CHILDREN");
    scene.close("task", &piece);
    assert_eq!(next(&scene), "Part");
    scene.close("task", &part);
    scene.moved("advance", "task", &whole);
    assert_eq!(scene.get("feature", &feature)["status"], "CLOSED");
    // What is taken up again opens everything that it is a part of.
    scene.moved("reopen", "task", &piece);
    let states = [&piece, &part, &whole].map(|id| scene.get("task", id)["status"].clone());
    assert_eq!(states, ["ACTIVE", "ACTIVE", "ACTIVE"].map(Value::from));
    assert_eq!(scene.get("feature", &feature)["status"], "ACTIVE");
    // Given up, with everything in it.
    let version = scene.version("task", &whole);
    let end = json!({"containerType": "task", "id": whole, "version": version, "cascade": true});
    assert_eq!(names(&scene.ok("terminate", end)["terminatedTasks"]).len(), 2);
}

#[test]
fn what_blocks_a_task_blocks_its_subtasks() {
    let scene = Scene::new();
    let (whole, other) = (scene.task(json!({}), "Whole"), scene.task_of(json!({}), "Other", "LOW", 9));
    let part = sub(&scene, &whole, "Part");
    sub(&scene, &part, "Piece");
    scene.blocks(&other, &whole);
    assert_eq!(next(&scene), "Other");
    // A part that blocks what it waits for would never end.
    let link = |from: &str, to: &str| json!({"operation": "create", "fromId": from, "toId": to});
    for (from, to) in [(&part, &whole), (&part, &other), (&whole, &part)] {
        scene.refused("manage_dependency", link(from, to), "CIRCULAR_DEPENDENCY");
    }
    let into = update(&scene, &other, &json!({"parentId": part}));
    scene.refused("manage_container", into, "CIRCULAR_DEPENDENCY");
    scene.close("task", &other);
    assert_eq!(next(&scene), "Piece");
}

#[test]
fn where_a_subtask_can_be() {
    let scene = Scene::new();
    let project = scene.project();
    let [here, there] = ["Here", "There"].map(|name| scene.feature(&project, name));
    let whole = scene.task(json!({"featureId": here}), "Whole");
    let part = sub(&scene, &whole, "Part");
    let piece = sub(&scene, &part, "Piece");
    for (id, more, code) in [
        (&whole, json!({"parentId": piece}), "VALIDATION_ERROR"),
        (&whole, json!({"parentId": whole}), "VALIDATION_ERROR"),
        (&whole, json!({"parentId": NOBODY}), "NOT_FOUND"),
        (&part, json!({"featureId": there}), "INVARIANT_VIOLATION"),
        (&part, json!({"featureId": null}), "INVARIANT_VIOLATION"),
    ] {
        scene.refused("manage_container", update(&scene, id, &more), code);
    }
    // The whole moves with all its parts; a part moves once it is taken out.
    scene.ok("manage_container", update(&scene, &whole, &json!({"featureId": there})));
    assert_eq!(scene.get("task", &piece)["featureId"], json!(there));
    scene.ok("manage_container", update(&scene, &part, &json!({"parentId": null, "featureId": here})));
    let moved = [&whole, &part, &piece].map(|id| scene.get("task", id)["featureId"].clone());
    assert_eq!(moved, [&there, &here, &here].map(|id| json!(id)));
    scene.close("task", &whole);
    let late = update(&scene, &part, &json!({"parentId": whole}));
    scene.refused("manage_container", late, "INVALID_OPERATION");
    let delete = json!({"operation": "delete", "containerType": "task", "id": part, "version": scene.version("task", &part)});
    scene.refused("manage_container", delete.clone(), "HAS_CHILDREN");
    let mut with_all = delete;
    with_all["cascade"] = json!(true);
    assert_eq!(scene.ok("manage_container", with_all)["deletedTasks"], 1);
    let gone = json!({"operation": "get", "containerType": "task", "id": piece});
    scene.refused("query_container", gone, "NOT_FOUND");
}

#[test]
fn parts_show_with_the_whole() {
    let scene = Scene::new();
    let whole = scene.task(json!({}), "Whole");
    let parts = ["One", "Two"].map(|title| sub(&scene, &whole, title));
    let query = |operation: &str| json!({"operation": operation, "containerType": "task", "id": whole});
    let found = scene.ok("query_container", query("get"));
    assert_eq!(found["subtasks"][1], json!({"id": parts[1], "title": "Two", "status": "NEW"}));
    assert_eq!(names(&scene.ok("query_container", query("overview"))["tasks"]), ["One", "Two"]);
    assert_eq!(scene.get("task", &parts[0])["parentId"], json!(whole));
}

#[test]
fn what_came_up_in_a_task_names_it_and_does_not_wait() {
    let scene = Scene::new();
    let origin = scene.task_of(json!({}), "Origin", "LOW", 5);
    let found = scene.task_of(json!({"discoveredFrom": [origin]}), "Found", "HIGH", 5);
    assert_eq!(scene.get("task", &found)["discoveredFrom"], json!([origin]));
    assert_eq!(next(&scene), "Found");
    let query = |id: &str| scene.ok("query_dependencies", json!({"containerType": "task", "id": id}));
    let edge = json!({"type": "DISCOVERED_FROM", "fromId": found, "toId": origin, "fromEntityType": "task", "toEntityType": "task"});
    assert_eq!(query(&found)["dependencies"], json!([edge]));
    assert_eq!(query(&origin)["dependents"], json!([edge]));
    let link = |operation: &str, from: &str, to: &str| json!({"operation": operation, "fromId": from, "toId": to, "type": "DISCOVERED_FROM"});
    // Both ways and in circles: nothing waits.
    scene.ok("manage_dependency", link("create", &origin, &found));
    scene.ok("manage_dependency", link("delete", &origin, &found));
    scene.refused("manage_dependency", link("delete", &origin, &found), "NOT_FOUND");
    scene.refused("manage_dependency", link("create", &origin, &origin), "VALIDATION_ERROR");
    let version = scene.version("task", &origin);
    scene.ok(
        "manage_container",
        json!({"operation": "delete", "containerType": "task", "id": origin, "version": version}),
    );
    assert_eq!(scene.get("task", &found).get("discoveredFrom"), None);
}

#[test]
fn comments_are_kept_in_order_found_and_taken_back() {
    let scene = Scene::new();
    let task = scene.task(json!({}), "Task");
    let say = |words: &str| json!({"operation": "comment", "containerType": "task", "id": task, "comment": words, "actor": "ada"});
    // Somebody else holds it, and no version is needed.
    scene.ok("manage_claim", json!({"operation": "claim", "id": task, "actor": "bob"}));
    scene.ok("manage_container", say("the flaky zebra again"));
    scene.wait(5);
    let second = text(&scene.ok("manage_container", say("second"))["comment"]["id"]);
    assert_eq!(scene.version("task", &task), 1);
    let shown = |scene: &Scene| {
        let get = json!({"operation": "get", "containerType": "task", "id": task, "includeComments": true});
        let found = scene.ok("query_container", get);
        let texts = found["comments"].as_array().unwrap().iter().map(|said| text(&said["text"]));
        texts.collect::<Vec<_>>()
    };
    assert_eq!(shown(&scene), ["the flaky zebra again", "second"]);
    let search = |scene: &Scene| {
        let search = json!({"operation": "search", "containerType": "task", "query": "zebra"});
        scene.ok("query_container", search)["total"].clone()
    };
    assert_eq!(search(&scene), 1);
    let back =
        |id: &str| json!({"operation": "uncomment", "containerType": "task", "id": task, "comment": id});
    scene.ok("manage_container", back(&second));
    scene.refused("manage_container", back(&second), "NOT_FOUND");
    scene.refused("manage_container", say("  "), "VALIDATION_ERROR");
    assert_eq!(shown(&scene), ["the flaky zebra again"]);
    let get = json!({"operation": "get", "containerType": "task", "id": task});
    assert_eq!(scene.ok("query_container", get).get("comments"), None);
}
