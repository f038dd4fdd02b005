//! Pipelines: advance, revert, terminate, block, unblock, and what follows for others.

use crate::scene::{NOBODY, Scene, names, with_task};
use serde_json::{Value, json};

#[test]
fn a_task_walks_its_pipeline() {
    let (scene, _, task) = with_task();
    let first = scene.call("advance", json!({"containerType": "task", "id": task, "version": "1"}));
    assert_eq!(first.message, "task advanced: NEW → ACTIVE (position: 2 of 3)");
    let first = first.data.unwrap();
    assert_eq!(
        (&first["transition"], &first["pipelinePosition"]),
        (&json!({"from": "NEW", "to": "ACTIVE"}), &json!("2 of 3"))
    );
    assert_eq!((&first["task"]["status"], &first["task"]["version"]), (&json!("ACTIVE"), &json!(2)));
    let last = scene.moved("advance", "task", &task);
    assert_eq!((&last["task"]["status"], &last["unblockedEntities"]), (&json!("CLOSED"), &json!([])));
    for tool in ["advance", "revert", "terminate"] {
        scene.refused(tool, json!({"containerType": "task", "id": task, "version": 3}), "INVALID_OPERATION");
    }
}

#[test]
fn the_long_pipelines() {
    let scene = Scene::with_pipelines(
        "[pipelines]\nfeature = [\"NEW\", \"ACTIVE\", \"READY_TO_PROD\", \"CLOSED\"]
task = [\"NEW\", \"ACTIVE\", \"TO_BE_TESTED\", \"READY_TO_PROD\", \"CLOSED\"]",
    );
    let feature = scene.feature(&scene.project(), "F");
    let task = scene.task(json!({"featureId": feature}), "T");
    for state in ["ACTIVE", "TO_BE_TESTED", "READY_TO_PROD"] {
        assert_eq!(scene.moved("advance", "task", &task)["task"]["status"], state);
    }
    assert_eq!(scene.moved("revert", "task", &task)["task"]["status"], "TO_BE_TESTED");
    scene.close("task", &task);
    assert_eq!(scene.get("feature", &feature)["status"], "CLOSED", "the last task to end ends it");
}

#[test]
fn order_of_refusals() {
    let (scene, project, task) = with_task();
    let blocker = scene.task(json!({"projectId": project}), "Blocker");
    scene.blocks(&blocker, &task);
    let advance = |more: Value| {
        let mut arguments = json!({"containerType": "task", "id": task, "version": 2});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        arguments
    };
    scene.refused("advance", advance(json!({"id": NOBODY})), "NOT_FOUND");
    scene.refused("advance", advance(json!({"version": null})), "VALIDATION_ERROR");
    scene.refused("advance", advance(json!({"containerType": "project"})), "VALIDATION_ERROR");
    let conflict = scene.refused("advance", advance(json!({"version": 1})), "CONFLICT");
    assert_eq!((&conflict["currentVersion"], &conflict["entity"]["id"]), (&json!(2), &json!(task)));
    let details = scene.refused("advance", advance(json!({})), "BLOCKED");
    assert_eq!(names(&details["blockedBy"]), ["Blocker"]);
    scene.refused("revert", advance(json!({})), "INVALID_OPERATION");
}

#[test]
fn closing_frees_what_waited_for_it_alone() {
    let (scene, project, task) = with_task();
    let other = scene.task(json!({"projectId": project}), "Other");
    let (one, both) = (scene.task(json!({"projectId": project}), "One"), scene.feature(&project, "Both"));
    scene.blocks(&task, &one);
    scene.blocks(&task, &both);
    scene.blocks(&other, &both);
    let closed = scene.close("task", &task);
    assert_eq!(names(&closed["unblockedEntities"]), ["One"]);
    assert_eq!(scene.get("feature", &both)["blockedBy"], json!([other]));
    assert_eq!(scene.version("task", &one), 3);
    assert_eq!(names(&scene.close("task", &other)["unblockedEntities"]), ["Both"]);
}

#[test]
fn the_first_active_task_activates_its_feature_and_the_last_closes_it() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    let next = scene.feature(&project, "Next");
    scene.blocks(&feature, &next);
    let (a, b) =
        (scene.task(json!({"featureId": feature}), "A"), scene.task(json!({"featureId": feature}), "B"));
    let moved = scene.moved("advance", "task", &a);
    assert_eq!(moved["featureTransition"], json!({"id": feature, "from": "NEW", "to": "ACTIVE"}));
    assert!(scene.close("task", &a).get("featureTransition").is_none(), "B is open");
    let open =
        json!({"containerType": "feature", "id": feature, "version": scene.version("feature", &feature)});
    assert_eq!(scene.refused("advance", open, "HAS_CHILDREN")["tasks"], 1);
    let ended = scene.moved("terminate", "task", &b);
    assert_eq!(ended["featureTransition"]["to"], "CLOSED");
    assert_eq!(names(&ended["featureUnblockedEntities"]), ["Next"]);
}

#[test]
fn a_feature_of_given_up_tasks_is_given_up() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    let waiting = scene.feature(&project, "Waiting");
    scene.blocks(&feature, &waiting);
    let task = scene.task(json!({"featureId": feature}), "A");
    let ended = scene.moved("terminate", "task", &task);
    assert_eq!(ended["featureTransition"]["to"], "WILL_NOT_IMPLEMENT");
    assert_eq!(names(&ended["featureAffectedDependents"]), ["Waiting"]);
    assert_eq!(scene.get("feature", &waiting)["blockedBy"], json!([feature]));
}

#[test]
fn a_blocked_feature_is_not_ended_by_its_tasks() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    let task = scene.task(json!({"featureId": feature}), "A");
    let hold = json!({"containerType": "feature", "id": feature, "version": 1, "blockedBy": "NO_OP", "blockedReason": "legal"});
    scene.ok("block", hold);
    scene.close("task", &task);
    assert_eq!(scene.get("feature", &feature)["status"], "ACTIVE");
}

#[test]
fn terminating_keeps_dependents_waiting_and_the_reason() {
    let (scene, project, task) = with_task();
    let waiting = scene.task(json!({"projectId": project}), "Waiting");
    scene.blocks(&task, &waiting);
    let arguments =
        json!({"containerType": "task", "id": task, "version": 1, "reason": "no budget", "actor": "ann"});
    let ended = scene.call("terminate", arguments);
    assert!(ended.message.contains("WARNING"), "{}", ended.message);
    assert_eq!(names(&ended.data.unwrap()["affectedDependents"]), ["Waiting"]);
    assert_eq!(scene.get("task", &waiting)["blockedBy"], json!([task]));
    let state = scene.ok("query_workflow_state", json!({"containerType": "task", "id": task}));
    assert_eq!(
        state["transitions"],
        json!([{"actor": "ann", "at": "2026-01-02T03:04:05.006Z", "from": "NEW", "to": "WILL_NOT_IMPLEMENT",
            "trigger": "terminate", "reason": "no budget"}])
    );
    assert_eq!(
        (&state["isTerminal"], &state["pipelinePosition"], &state["nextStatus"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
}

#[test]
fn terminating_a_feature_does_not_strand_its_tasks() {
    let scene = Scene::new();
    let feature = scene.feature(&scene.project(), "F");
    let task = scene.task(json!({"featureId": feature}), "A");
    let terminate = |cascade: bool| json!({"containerType": "feature", "id": feature, "version": 1, "cascade": cascade, "reason": "r"});
    scene.refused("terminate", terminate(false), "HAS_CHILDREN");
    assert_eq!(names(&scene.ok("terminate", terminate(true))["terminatedTasks"]), ["A"]);
    assert_eq!(scene.get("task", &task)["status"], "WILL_NOT_IMPLEMENT");
    let state = scene.ok("query_workflow_state", json!({"containerType": "task", "id": task}));
    assert_eq!(
        (&state["transitions"][0]["trigger"], &state["transitions"][0]["reason"]),
        (&json!("cascade"), &json!("r"))
    );
}

#[test]
fn every_move_is_kept() {
    let (scene, _, task) = with_task();
    for tool in ["advance", "revert", "advance", "advance"] {
        scene.moved(tool, "task", &task);
        scene.wait(1);
    }
    let state = scene.ok("query_workflow_state", json!({"containerType": "task", "id": task, "limit": 3}));
    let kept: Vec<&str> =
        state["transitions"].as_array().unwrap().iter().map(|it| it["to"].as_str().unwrap()).collect();
    assert_eq!(kept, ["CLOSED", "ACTIVE", "NEW"], "the latest first");
    assert_eq!(state["total"], 4);
}

#[test]
fn the_state_says_where_it_can_go() {
    let (scene, _, task) = with_task();
    scene.moved("advance", "task", &task);
    let state = scene.ok("query_workflow_state", json!({"containerType": "task", "id": task}));
    assert_eq!(state["allowedTransitions"], json!(["CLOSED", "NEW", "WILL_NOT_IMPLEMENT"]));
    assert_eq!(
        (&state["currentStatus"], &state["prevStatus"], &state["isBlocked"]),
        (&json!("ACTIVE"), &json!("NEW"), &json!(false))
    );
}

fn blocking(scene: &Scene, id: &str, more: Value) -> Value {
    let mut arguments = json!({"containerType": "task", "id": id, "version": scene.version("task", id)});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    arguments
}

#[test]
fn blocking_by_hand() {
    let (scene, project, task) = with_task();
    let feature = scene.feature(&project, "F");
    let other = scene.task(json!({"projectId": project}), "Other");
    let done = scene.ok("block", blocking(&scene, &task, json!({"blockedBy": [other, feature]})));
    assert_eq!((&done["addedBlockers"], &done["totalBlockers"]), (&json!(2), &json!(2)));
    let again = scene.ok("block", blocking(&scene, &task, json!({"blockedBy": json!([other]).to_string()})));
    assert_eq!((&again["addedBlockers"], &again["task"]["blockedBy"]), (&json!(0), &json!([other, feature])));
    scene.refused("block", blocking(&scene, &task, json!({"blockedBy": "NO_OP"})), "VALIDATION_ERROR");
    let held = json!({"blockedBy": "NO_OP", "blockedReason": "waits for legal"});
    let held = scene.ok("block", blocking(&scene, &task, held));
    assert_eq!(held["task"]["blockedBy"], json!([other, feature, "NO_OP"]));
    let part = scene.ok("unblock", blocking(&scene, &task, json!({"blockedBy": other})));
    assert_eq!(
        (&part["isFullyUnblocked"], &part["task"]["blockedReason"]),
        (&json!(false), &json!("waits for legal"))
    );
    let freed = scene.ok("unblock", blocking(&scene, &task, json!({"blockedBy": "NO_OP"})));
    assert_eq!((&freed["remainingBlockers"], &freed["task"]["blockedReason"]), (&json!(1), &Value::Null));
    let absent = scene.ok("unblock", blocking(&scene, &task, json!({"blockedBy": NOBODY})));
    assert_eq!(absent["removedBlockers"], 0);
    let last = scene.ok("unblock", blocking(&scene, &task, json!({"blockedBy": [feature]})));
    assert_eq!((&last["isFullyUnblocked"], &last["removedBlockers"]), (&json!(true), &json!(1)));
}

#[test]
fn bad_input_of_block() {
    let (scene, project, task) = with_task();
    let closed = scene.task(json!({"projectId": project}), "Closed");
    scene.close("task", &closed);
    for (more, code) in [
        (json!({"blockedBy": [NOBODY]}), "VALIDATION_ERROR"),
        (json!({"blockedBy": [closed]}), "VALIDATION_ERROR"),
        (json!({"blockedBy": []}), "VALIDATION_ERROR"),
        (json!({}), "VALIDATION_ERROR"),
        (json!({"blockedBy": ["x"]}), "VALIDATION_ERROR"),
        (json!({"blockedBy": [project]}), "VALIDATION_ERROR"),
        (json!({"blockedBy": [task]}), "CIRCULAR_DEPENDENCY"),
        (json!({"blockedBy": [closed, "NO_OP"], "blockedReason": "r"}), "VALIDATION_ERROR"),
        (json!({"blockedBy": "NO_OP", "blockedReason": "r", "version": 9}), "CONFLICT"),
    ] {
        scene.refused("block", blocking(&scene, &task, more), code);
    }
    assert_eq!(scene.get("task", &task)["blockedBy"], json!([]), "nothing of what was refused is kept");
    let held = json!({"blockedBy": "NO_OP", "blockedReason": "r"});
    scene.refused("block", blocking(&scene, &closed, held), "INVALID_OPERATION");
}
