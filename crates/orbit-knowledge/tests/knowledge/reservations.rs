//! Paths that a task has for itself.

use crate::scene::{NOBODY, Scene};
use serde_json::{Value, json};

fn reserve(task: &str, actor: &str, paths: Value) -> Value {
    json!({"operation": "reserve", "taskId": task, "actor": actor, "paths": paths})
}

fn reserved(scene: &Scene) -> Vec<String> {
    let found = scene.ok("manage_reservation", json!({"operation": "list"}));
    found["reservations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap().to_owned())
        .collect()
}

fn two() -> (Scene, String, String) {
    let scene = Scene::new();
    let (a, b) = (scene.task(json!({}), "A"), scene.task(json!({}), "B"));
    (scene, a, b)
}

#[test]
fn an_overlap_is_refused_naming_the_holder() {
    let (scene, a, b) = two();
    let held = scene.ok("manage_reservation", reserve(&a, "ann", json!(["src/auth/**", "Cargo.toml"])));
    assert_eq!(held["total"], 2);
    assert_eq!(scene.get("task", &a)["claim"]["actor"], "ann", "reserving claims the task");
    let details = scene.refused(
        "manage_reservation",
        reserve(&b, "bob", json!("docs/a.md,src/*/login.rs")),
        "CONFLICT",
    );
    assert_eq!(
        (&details["heldBy"], &details["heldPath"], &details["wantedPath"]),
        (&json!("ann"), &json!("src/auth/**"), &json!("src/*/login.rs"))
    );
    assert_eq!((&details["entity"]["title"], &details["currentVersion"]), (&json!("A"), &json!(1)));
    assert_eq!(reserved(&scene), ["Cargo.toml", "src/auth/**"], "all or nothing");
    assert_eq!(scene.get("task", &b)["claim"], Value::Null);
    scene.ok("manage_reservation", reserve(&b, "bob", json!(["src/pay/**"])));
    scene.ok("manage_reservation", reserve(&a, "ann", json!(["src/auth/login.rs"])));
    let asked = scene.ok("manage_reservation", json!({"operation": "list", "paths": "src/pay/x.rs"}));
    assert_eq!((&asked["total"], &asked["reservations"][0]["taskTitle"]), (&json!(1), &json!("B")));
}

#[test]
fn paths_last_as_long_as_the_claim() {
    let (scene, a, b) = two();
    scene.ok("manage_reservation", reserve(&a, "ann", json!(["src/**"])));
    scene.wait(899_999);
    scene.ok("get_next_task", json!({"claim": true, "actor": "ann"}));
    scene.wait(899_999);
    scene.refused("manage_reservation", reserve(&b, "bob", json!(["src/x"])), "CONFLICT");
    scene.wait(1);
    assert_eq!(reserved(&scene), [""; 0]);
    scene.ok("manage_reservation", reserve(&b, "bob", json!(["src/x"])));
    // Back after the lease ran out, ann has her task but not her paths.
    scene.refused("manage_reservation", reserve(&a, "ann", json!(["src/x"])), "CONFLICT");
    scene.ok("manage_reservation", reserve(&a, "ann", json!(["lib/y"])));
    assert_eq!(reserved(&scene), ["lib/y", "src/x"]);
}

#[test]
fn ending_a_task_releases_its_paths() {
    let (scene, a, b) = two();
    scene.ok("manage_reservation", reserve(&a, "ann", json!(["src/**"])));
    scene.close("task", &a);
    scene.ok("manage_reservation", reserve(&b, "bob", json!(["src/x"])));
    scene.moved("terminate", "task", &b);
    assert_eq!(reserved(&scene), [""; 0]);
    scene.refused("manage_reservation", reserve(&a, "ann", json!(["src/x"])), "INVALID_OPERATION");
}

#[test]
fn releasing() {
    let (scene, a, _) = two();
    scene.ok("manage_reservation", reserve(&a, "ann", json!(["x", "y", "z"])));
    let release = |actor: &str, paths: Value| {
        let mut arguments = json!({"operation": "release", "taskId": a, "actor": actor});
        arguments["paths"] = paths;
        arguments
    };
    scene.refused("manage_reservation", release("bob", json!(["x"])), "CONFLICT");
    assert_eq!(scene.ok("manage_reservation", release("ann", json!(["x", "none"])))["released"], 1);
    assert_eq!(reserved(&scene), ["y", "z"]);
    assert_eq!(scene.ok("manage_reservation", release("ann", Value::Null))["released"], 2);
}

#[test]
fn a_task_that_another_works_on_cannot_reserve() {
    let (scene, a, _) = two();
    scene.ok("manage_reservation", reserve(&a, "ann", json!(["x"])));
    assert_eq!(
        scene.refused("manage_reservation", reserve(&a, "bob", json!(["y"])), "CONFLICT")["heldBy"],
        "ann"
    );
    assert_eq!(reserved(&scene), ["x"]);
}

#[test]
fn bad_input() {
    let (scene, a, _) = two();
    for (arguments, code) in [
        (reserve(NOBODY, "ann", json!(["x"])), "NOT_FOUND"),
        (reserve(&a, " ", json!(["x"])), "VALIDATION_ERROR"),
        (reserve(&a, "ann", json!([])), "VALIDATION_ERROR"),
        (reserve(&a, "ann", json!(null)), "VALIDATION_ERROR"),
        (reserve(&a, "ann", json!(["/x"])), "VALIDATION_ERROR"),
        (reserve(&a, "ann", json!(["a/../b"])), "VALIDATION_ERROR"),
        (reserve(&a, "ann", json!(["a["])), "VALIDATION_ERROR"),
        (reserve(&a, "ann", json!(vec!["x"; 101])), "VALIDATION_ERROR"),
        (json!({"operation": "steal"}), "VALIDATION_ERROR"),
    ] {
        scene.refused("manage_reservation", arguments, code);
    }
}
