//! What comes next, and who has taken it.

use crate::scene::{NOBODY, Scene, names, text, with_task};
use serde_json::{Value, json};

fn next(scene: &Scene, more: Value) -> Option<String> {
    let found = scene.ok("get_next_task", more)["task"].clone();
    (!found.is_null()).then(|| text(&found["title"]))
}

fn claim(scene: &Scene, actor: &str) -> Option<String> {
    next(scene, json!({"claim": true, "actor": actor}))
}

#[test]
fn by_priority_then_complexity_then_age() {
    let scene = Scene::new();
    let mut ids = Vec::new();
    for (title, priority, complexity) in [
        ("old", "MEDIUM", 3),
        ("young", "MEDIUM", 3),
        ("simple", "MEDIUM", 1),
        ("urgent", "HIGH", 9),
        ("late", "LOW", 1),
    ] {
        ids.push(scene.task_of(json!({}), title, priority, complexity));
        scene.wait(1);
    }
    let mut order = Vec::new();
    while let Some(title) = next(&scene, json!({})) {
        let at =
            ["old", "young", "simple", "urgent", "late"].iter().position(|known| *known == title).unwrap();
        scene.moved("advance", "task", &ids[at]);
        order.push(title);
    }
    assert_eq!(order, ["urgent", "simple", "old", "young", "late"]);
    let none = scene.call("get_next_task", json!({}));
    assert!(none.success);
    assert_eq!(none.data.unwrap(), json!({"task": null}));
}

#[test]
fn blocked_ones_and_those_of_blocked_features_wait() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    let inside = scene.task(json!({"featureId": feature}), "inside");
    let blocker = scene.task_of(json!({"projectId": project}), "blocker", "LOW", 9);
    let waiting = scene.task_of(json!({"projectId": project}), "waiting", "HIGH", 1);
    scene.blocks(&blocker, &waiting);
    scene.blocks(&blocker, &feature);
    assert_eq!(next(&scene, json!({"projectId": project})).as_deref(), Some("blocker"));
    assert_eq!(names(&scene.ok("get_blocked_tasks", json!({}))["items"]), ["waiting"]);
    assert_eq!(names(&scene.ok("get_blocked_features", json!({"projectId": project}))["items"]), ["F"]);
    scene.close("task", &blocker);
    assert_eq!(next(&scene, json!({})).as_deref(), Some("waiting"));
    assert_eq!(next(&scene, json!({"featureId": feature})).as_deref(), Some("inside"));
    assert_eq!(next(&scene, json!({"priority": "MEDIUM"})).as_deref(), Some("inside"));
    assert_eq!(scene.ok("get_blocked_tasks", json!({}))["total"], 0);
    scene.moved("terminate", "task", &inside);
    assert_eq!(next(&scene, json!({"featureId": feature})), None);
}

#[test]
fn features_active_before_new() {
    let scene = Scene::new();
    let project = scene.project();
    scene.feature(&project, "Old");
    let active = scene.feature(&project, "Active");
    scene.moved("advance", "feature", &active);
    let found = scene.ok("get_next_feature", json!({"projectId": project}));
    assert_eq!(found["feature"]["name"], "Active");
    let other = scene.ok("get_next_feature", json!({"claim": true, "actor": "ann"}));
    assert_eq!(other["feature"]["claim"]["actor"], "ann");
    assert_eq!(
        scene.ok("get_next_feature", json!({"claim": true, "actor": "bob"}))["feature"]["name"],
        "Old"
    );
}

#[test]
fn two_actors_never_get_the_same_task() {
    let scene = Scene::new();
    for title in ["one", "two"] {
        scene.task(json!({}), title);
        scene.wait(1);
    }
    assert_eq!(claim(&scene, "ann").as_deref(), Some("one"));
    assert_eq!(claim(&scene, "bob").as_deref(), Some("two"));
    assert_eq!(claim(&scene, "eve"), None);
    assert_eq!(next(&scene, json!({})), None, "what is claimed is not offered to those who only look");
    assert_eq!(claim(&scene, "ann").as_deref(), Some("one"), "who holds one gets it again");
}

#[test]
fn a_lease_lasts_900_seconds_unless_renewed() {
    let scene = Scene::new();
    let task = scene.task(json!({}), "one");
    claim(&scene, "ann");
    assert_eq!(
        scene.get("task", &task)["claim"],
        json!({"actor": "ann", "claimedAt": "2026-01-02T03:04:05.006Z", "expiresAt": "2026-01-02T03:19:05.006Z"})
    );
    assert_eq!(scene.version("task", &task), 1, "a claim is not a change of the task");
    scene.wait(899_000);
    assert_eq!(claim(&scene, "ann").as_deref(), Some("one"));
    scene.wait(899_999);
    assert_eq!(claim(&scene, "bob"), None);
    scene.wait(1);
    assert_eq!(scene.get("task", &task)["claim"], Value::Null);
    assert_eq!(claim(&scene, "bob").as_deref(), Some("one"));
    assert_eq!(claim(&scene, "ann"), None);
}

#[test]
fn what_was_begun_and_left_is_offered_again() {
    let scene = Scene::new();
    let task = scene.task(json!({}), "one");
    let unclaimed = scene.task(json!({}), "by hand");
    claim(&scene, "ann");
    scene.moved("advance", "task", &task);
    scene.moved("advance", "task", &unclaimed);
    assert_eq!(claim(&scene, "bob"), None);
    assert_eq!(claim(&scene, "ann").as_deref(), Some("one"), "renewed while active");
    scene.wait(900_000);
    assert_eq!(claim(&scene, "bob").as_deref(), Some("one"));
    assert_eq!(claim(&scene, "eve"), None, "what nobody claimed is somebody's by hand");
    scene.close("task", &task);
    assert_eq!(scene.get("task", &task)["claim"], Value::Null);
}

#[test]
fn bad_input_of_claims() {
    let scene = Scene::new();
    for (arguments, code) in [
        (json!({"claim": true}), "VALIDATION_ERROR"),
        (json!({"claim": true, "actor": " "}), "VALIDATION_ERROR"),
        (json!({"claim": true, "actor": "a", "ttlSeconds": 0}), "VALIDATION_ERROR"),
        (json!({"claim": true, "actor": "a", "ttlSeconds": 86_401}), "VALIDATION_ERROR"),
        (json!({"claim": "maybe"}), "VALIDATION_ERROR"),
        (json!({"priority": "NOW"}), "VALIDATION_ERROR"),
        (json!({"projectId": NOBODY}), "NOT_FOUND"),
        (json!({"featureId": NOBODY}), "NOT_FOUND"),
    ] {
        scene.refused("get_next_task", arguments, code);
    }
    scene.refused("get_next_feature", json!({"featureId": NOBODY}), "VALIDATION_ERROR");
}

/// A task that `ada` holds, and its version.
fn held() -> (Scene, String, String) {
    let (scene, project, task) = with_task();
    let taken = scene.ok("manage_claim", json!({"operation": "claim", "id": task, "actor": "ada"}));
    assert_eq!(taken["task"]["claim"]["actor"], "ada");
    (scene, project, task)
}

#[test]
fn what_somebody_holds_is_changed_by_nobody_else() {
    let (scene, project, task) = held();
    let which = json!({"containerType": "task", "id": task, "version": 1});
    let with = |more: Value| {
        let mut arguments = which.clone();
        more.as_object().unwrap().iter().for_each(|(key, value)| arguments[key] = value.clone());
        arguments
    };
    for actor in [json!({}), json!({"actor": "bob"})] {
        for (tool, more) in [
            ("advance", json!({})),
            ("revert", json!({})),
            ("terminate", json!({})),
            ("manage_container", json!({"operation": "update", "title": "Mine"})),
            ("manage_container", json!({"operation": "delete"})),
        ] {
            let mut arguments = with(more);
            actor.as_object().unwrap().iter().for_each(|(key, value)| arguments[key] = value.clone());
            let refused = scene.call(tool, arguments);
            assert_eq!(refused.code(), Some("CONFLICT"), "{tool}");
            assert!(refused.message.contains("is held by ada until"), "{}", refused.message);
        }
    }
    let cascade = json!({"operation": "delete", "containerType": "project", "id": project, "version": 1, "cascade": true});
    assert!(scene.call("manage_container", cascade).message.contains("is held by ada"));
    scene.ok("advance", with(json!({"actor": "ada"})));
    let mut forced = with(json!({"operation": "update", "title": "Mine", "actor": "bob", "force": true}));
    forced["version"] = json!(2);
    scene.ok("manage_container", forced);
    let state = scene.ok("query_workflow_state", json!({"containerType": "task", "id": task}));
    let latest = &state["transitions"][0];
    assert_eq!((&latest["trigger"], &latest["actor"]), (&json!("override"), &json!("bob")));
    assert_eq!(latest["reason"], "updated in spite of the claim of ada");
}

#[test]
fn a_claim_is_chosen_given_back_and_found_again() {
    let (scene, _, task) = held();
    let claim = |operation: &str, actor: &str| json!({"operation": operation, "id": task, "actor": actor});
    assert!(scene.call("manage_claim", claim("claim", "bob")).message.contains("held by ada"));
    assert!(scene.call("manage_claim", claim("release", "bob")).message.contains("held by ada"));
    scene.ok(
        "manage_reservation",
        json!({"operation": "reserve", "taskId": task, "paths": ["src/**"], "actor": "ada"}),
    );
    let mine = scene.ok("manage_claim", json!({"operation": "mine", "actor": "ada"}));
    assert_eq!((&mine["claimed"][0]["id"], &mine["reserved"][0]["path"]), (&json!(task), &json!("src/**")));
    // After the lease the work is still known.
    scene.wait(2_000_000);
    let mine = scene.ok("manage_claim", json!({"operation": "mine", "actor": "ada"}));
    assert_eq!((&mine["claimed"][0]["id"], &mine["claimed"][0]["claim"]), (&json!(task), &Value::Null));
    scene.ok("manage_claim", claim("claim", "ada"));
    scene.ok("manage_claim", claim("release", "ada"));
    assert_eq!(scene.ok("manage_reservation", json!({"operation": "list"}))["total"], 0);
    scene.ok("manage_claim", claim("claim", "bob"));
}

#[test]
fn what_has_ended_is_taken_up_again() {
    let (scene, project, _) = with_task();
    let feature = scene.ok("manage_container", json!({"operation": "create", "containerType": "feature", "name": "F", "summary": "s", "priority": "HIGH", "projectId": project}));
    let feature = feature["feature"]["id"].clone();
    let made = scene.ok("manage_container", json!({"operation": "create", "containerType": "task", "title": "T", "summary": "s", "priority": "HIGH", "complexity": 1, "featureId": feature}));
    let task = made["task"]["id"].clone();
    let step = |tool: &str, version: i64| {
        scene.ok(tool, json!({"containerType": "task", "id": task, "version": version, "actor": "ada"}))
    };
    step("advance", 1);
    let closed = step("advance", 2);
    assert_eq!(closed["feature"]["status"], "CLOSED");
    let open = step("reopen", 3);
    assert_eq!((&open["task"]["status"], &open["feature"]["status"]), (&json!("ACTIVE"), &json!("ACTIVE")));
    let refused = scene.call("reopen", json!({"containerType": "task", "id": task, "version": 4}));
    assert_eq!(refused.code(), Some("INVALID_OPERATION"));
}

#[test]
fn all_that_is_ready_is_listed_in_order() {
    let (scene, project, first) = with_task();
    let low = json!({"operation": "create", "containerType": "task", "title": "Low", "summary": "s", "priority": "LOW", "complexity": 1, "projectId": project});
    let low = scene.ok("manage_container", low)["task"]["id"].clone();
    let ready = scene.ok("get_next_task", json!({"limit": 10}))["ready"].clone();
    assert_eq!((&ready["total"], &ready["items"][1]["id"]), (&json!(2), &low));
    scene.ok("manage_claim", json!({"operation": "claim", "id": first, "actor": "ada"}));
    let ready = scene.ok("get_next_task", json!({"limit": 10}))["ready"].clone();
    assert_eq!((&ready["total"], &ready["items"][0]["id"]), (&json!(1), &low));
}
