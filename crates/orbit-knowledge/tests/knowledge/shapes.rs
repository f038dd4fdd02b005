//! What clients get, letter by letter: names, order, what is null and what is left out. Fields come in the order in
//! which types declare them, so moving one shows here.

use crate::scene::{Scene, with_task};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

/// Ids and times are those of the scene; they are long and say nothing.
fn check(scene: &Scene, tool: &str, arguments: Value, expected: &Expect) {
    let text = scene.call(tool, arguments).to_value().to_string();
    let mut short = String::new();
    for part in text.split('"') {
        let is_id = part.len() == 36 && part.matches('-').count() == 4;
        let is_time = part.len() == 24 && part.ends_with('Z');
        short += if is_id {
            "ID"
        } else if is_time {
            "TIME"
        } else {
            part
        };
        short.push('"');
    }
    short.pop();
    expected.assert_eq(&short);
}

#[test]
fn a_project_a_feature_and_a_task() {
    let (scene, project, task) = with_task();
    let feature = scene.feature(&project, "Carts");
    let get = |kind: &str, id: &str| json!({"operation": "get", "containerType": kind, "id": id});
    check(
        &scene,
        "query_container",
        get("project", &project),
        &expect![[
            r#"{"success":true,"message":"project \"Shop\"","data":{"project":{"id":"ID","name":"Shop","summary":"A shop","description":null,"tags":[],"version":1,"createdAt":"TIME","modifiedAt":"TIME"},"taskCounts":{"total":1,"byStatus":{"NEW":1}}}}"#
        ]],
    );
    check(
        &scene,
        "query_container",
        get("feature", &feature),
        &expect![[
            r#"{"success":true,"message":"feature \"Carts\"","data":{"feature":{"id":"ID","projectId":"ID","name":"Carts","summary":"s","description":null,"status":"NEW","priority":"MEDIUM","tags":[],"blockedBy":[],"blockedReason":null,"relatedTo":[],"claim":null,"version":1,"createdAt":"TIME","modifiedAt":"TIME"},"taskCounts":{"total":0,"byStatus":{}}}}"#
        ]],
    );
    check(
        &scene,
        "query_container",
        get("task", &task),
        &expect![[
            r#"{"success":true,"message":"task \"Task\"","data":{"task":{"id":"ID","projectId":"ID","featureId":null,"title":"Task","summary":"s","description":null,"status":"NEW","priority":"MEDIUM","complexity":5,"tags":[],"blockedBy":[],"blockedReason":null,"relatedTo":[],"claim":null,"version":1,"createdAt":"TIME","modifiedAt":"TIME"}}}"#
        ]],
    );
    check(
        &scene,
        "query_container",
        json!({"operation": "overview", "containerType": "feature", "id": feature}),
        &expect![[
            r#"{"success":true,"message":"feature \"Carts\": 0 tasks","data":{"feature":{"id":"ID","projectId":"ID","name":"Carts","summary":"s","description":null,"status":"NEW","priority":"MEDIUM","tags":[],"blockedBy":[],"blockedReason":null,"relatedTo":[],"claim":null,"version":1,"createdAt":"TIME","modifiedAt":"TIME"},"taskCounts":{"total":0,"byStatus":{}},"tasks":[],"total":0}}"#
        ]],
    );
    check(
        &scene,
        "query_container",
        json!({"operation": "search", "containerType": "project"}),
        &expect![[
            r#"{"success":true,"message":"1 of 1 projects","data":{"count":1,"total":1,"limit":20,"offset":0,"items":[{"id":"ID","name":"Shop","summary":"A shop","description":null,"tags":[],"version":1,"createdAt":"TIME","modifiedAt":"TIME"}]}}"#
        ]],
    );
}

#[test]
fn a_task_that_is_closed_and_one_that_is_given_up() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "Carts");
    let task = scene.task(json!({"featureId": feature}), "Task");
    let other = scene.task(json!({"projectId": project}), "Other");
    scene.blocks(&task, &other);
    scene.moved("advance", "task", &task);
    let at = |id: &str| json!({"containerType": "task", "id": id, "version": scene.version("task", id)});
    check(
        &scene,
        "query_workflow_state",
        json!({"containerType": "task", "id": other}),
        &expect![[
            r#"{"success":true,"message":"task \"Other\" is NEW","data":{"containerType":"task","id":"ID","version":2,"currentStatus":"NEW","nextStatus":"ACTIVE","prevStatus":null,"allowedTransitions":["ACTIVE","WILL_NOT_IMPLEMENT"],"isTerminal":false,"isBlocked":true,"blockedBy":["ID"],"blockedReason":null,"pipelinePosition":"1 of 3","relatedEntities":[],"claim":null,"transitions":[],"total":0}}"#
        ]],
    );
    check(
        &scene,
        "advance",
        at(&task),
        &expect![[
            r#"{"success":true,"message":"task advanced: ACTIVE → CLOSED (position: 3 of 3) Auto-unblocked 1 dependent(s). Feature: ACTIVE → CLOSED.","data":{"task":{"id":"ID","projectId":"ID","featureId":"ID","title":"Task","summary":"s","description":null,"status":"CLOSED","priority":"MEDIUM","complexity":5,"tags":[],"blockedBy":[],"blockedReason":null,"relatedTo":[],"claim":null,"version":3,"createdAt":"TIME","modifiedAt":"TIME"},"transition":{"from":"ACTIVE","to":"CLOSED"},"pipelinePosition":"3 of 3","unblockedEntities":[{"id":"ID","type":"task","name":"Other","version":3}],"featureTransition":{"id":"ID","from":"ACTIVE","to":"CLOSED"},"feature":{"id":"ID","projectId":"ID","name":"Carts","summary":"s","description":null,"status":"CLOSED","priority":"MEDIUM","tags":[],"blockedBy":[],"blockedReason":null,"relatedTo":[],"claim":null,"version":3,"createdAt":"TIME","modifiedAt":"TIME"},"featureUnblockedEntities":[],"featureAffectedDependents":[],"graphHints":{"message":"Task completed. Consider updating the knowledge graph.","suggestedActions":["Update atom knowledge for areas affected by this task","Update atom paths if files were moved or new directories created","Append changelog entries for significant changes"]}}}"#
        ]],
    );
    let mut given_up = at(&other);
    given_up["reason"] = "no longer wanted".into();
    check(
        &scene,
        "terminate",
        given_up,
        &expect![[
            r#"{"success":true,"message":"task terminated: NEW → WILL_NOT_IMPLEMENT","data":{"task":{"id":"ID","projectId":"ID","featureId":null,"title":"Other","summary":"s","description":null,"status":"WILL_NOT_IMPLEMENT","priority":"MEDIUM","complexity":5,"tags":[],"blockedBy":[],"blockedReason":null,"relatedTo":[],"claim":null,"version":4,"createdAt":"TIME","modifiedAt":"TIME"},"transition":{"from":"NEW","to":"WILL_NOT_IMPLEMENT"},"pipelinePosition":null,"reason":"no longer wanted","affectedDependents":[],"terminatedTasks":[]}}"#
        ]],
    );
}

#[test]
fn what_waits_for_what() {
    let (scene, project, task) = with_task();
    let other = scene.task(json!({"projectId": project}), "Other");
    let block = |by: &str| {
        json!({"containerType": "task", "id": task, "version": scene.version("task", &task), "blockedBy": by,
            "blockedReason": "a key"})
    };
    check(
        &scene,
        "block",
        block("NO_OP"),
        &expect![[
            r#"{"success":true,"message":"task blocked by 1","data":{"task":{"id":"ID","projectId":"ID","featureId":null,"title":"Task","summary":"s","description":null,"status":"NEW","priority":"MEDIUM","complexity":5,"tags":[],"blockedBy":["NO_OP"],"blockedReason":"a key","relatedTo":[],"claim":null,"version":2,"createdAt":"TIME","modifiedAt":"TIME"},"addedBlockers":1,"totalBlockers":1}}"#
        ]],
    );
    scene.ok("block", block(&other));
    check(
        &scene,
        "query_dependencies",
        json!({"containerType": "task", "id": task}),
        &expect![[
            r#"{"success":true,"message":"task \"Task\": 2 links","data":{"dependencies":[{"type":"BLOCKS","fromId":"ID","toId":"ID","fromEntityType":"task","toEntityType":"task"},{"type":"BLOCKS","fromId":"NO_OP","toId":"ID","toEntityType":"task","reason":"a key"}],"dependents":[],"total":2}}"#
        ]],
    );
    check(
        &scene,
        "unblock",
        block(&other),
        &expect![[
            r#"{"success":true,"message":"task has 1 blockers left","data":{"task":{"id":"ID","projectId":"ID","featureId":null,"title":"Task","summary":"s","description":null,"status":"NEW","priority":"MEDIUM","complexity":5,"tags":[],"blockedBy":["NO_OP"],"blockedReason":"a key","relatedTo":[],"claim":null,"version":4,"createdAt":"TIME","modifiedAt":"TIME"},"removedBlockers":1,"remainingBlockers":1,"isFullyUnblocked":false}}"#
        ]],
    );
}

#[test]
fn molecules_and_atoms() {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "Pages");
    let other = scene.atom(&project, &task, "Other", json!({"paths": ["lib/**"]}));
    let related = json!([{"atomId": other, "reason": "calls it"}]);
    let atom = scene.atom(&project, &task, "Shop", json!({"moleculeId": molecule, "relatedAtoms": related}));
    scene.ok(
        "manage_changelog",
        json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": task, "summary": "made"}),
    );
    let get = |kind: &str, id: &str| json!({"operation": "get", "entityType": kind, "id": id});
    check(
        &scene,
        "query_graph",
        get("atom", &atom),
        &expect![[
            r#"{"success":true,"message":"atom \"Shop\"","data":{"atom":{"id":"ID","projectId":"ID","moleculeId":"ID","name":"Shop","paths":["src/**"],"anchors":[],"knowledge":"","relatedAtoms":[{"atomId":"ID","reason":"calls it"}],"status":"confirmed","createdByTaskId":"ID","lastTaskId":"ID","version":1,"createdAt":"TIME","updatedAt":"TIME","freshness":"not_checked","notCheckedBecause":"no code was looked at"},"changelog":[{"id":"ID","parentType":"atom","parentId":"ID","taskId":"ID","summary":"made","createdAt":"TIME"}]}}"#
        ]],
    );
    check(
        &scene,
        "query_graph",
        get("molecule", &molecule),
        &expect![[
            r#"{"success":true,"message":"molecule \"Pages\"","data":{"molecule":{"id":"ID","projectId":"ID","name":"Pages","knowledge":"","relatedMolecules":[],"createdByTaskId":"ID","lastTaskId":"ID","version":1,"createdAt":"TIME","updatedAt":"TIME"},"atoms":[{"id":"ID","projectId":"ID","moleculeId":"ID","name":"Shop","paths":["src/**"],"anchors":[],"knowledge":"","relatedAtoms":[{"atomId":"ID","reason":"calls it"}],"status":"confirmed","createdByTaskId":"ID","lastTaskId":"ID","version":1,"createdAt":"TIME","updatedAt":"TIME","changelog":[{"id":"ID","parentType":"atom","parentId":"ID","taskId":"ID","summary":"made","createdAt":"TIME"}],"freshness":"not_checked","notCheckedBecause":"no code was looked at"}],"changelog":[]}}"#
        ]],
    );
    let context = |max: Value| json!({"operation": "context", "projectId": project, "paths": "src/a.rs,lib/b.rs,x.md", "maxTokens": max});
    check(
        &scene,
        "query_graph",
        context(Value::Null),
        &expect![[
            r#"{"success":true,"message":"2 atoms cover these paths, 1 paths are not covered","data":{"molecules":[{"id":"ID","name":"Pages","knowledge":"","relatedMolecules":[],"version":1,"atoms":[{"id":"ID","name":"Shop","knowledge":"","matchedPaths":["src/a.rs"],"relatedAtoms":[{"atomId":"ID","name":"Other","reason":"calls it"}],"version":1,"changelog":[{"taskId":"ID","summary":"made","createdAt":"TIME"}],"freshness":"not_checked","notCheckedBecause":"no code was looked at"}],"changelog":[]}],"orphanAtoms":[{"id":"ID","name":"Other","knowledge":"","matchedPaths":["lib/b.rs"],"relatedAtoms":[],"version":1,"changelog":[],"freshness":"not_checked","notCheckedBecause":"no code was looked at"}],"unmatchedPaths":["x.md"]}}"#
        ]],
    );
    check(
        &scene,
        "query_graph",
        context(json!(400)),
        &expect![[
            r#"{"success":true,"message":"2 atoms cover these paths, 1 paths are not covered","data":{"digest":[{"atomId":"ID","name":"Other","freshness":"not_checked","distance":0,"paths":1},{"atomId":"ID","name":"Shop","freshness":"not_checked","distance":0,"paths":1}],"molecules":[],"orphanAtoms":[{"id":"ID","name":"Other","knowledge":"","matchedPaths":["lib/b.rs"],"relatedAtoms":[],"version":1,"changelog":[],"freshness":"not_checked","notCheckedBecause":"no code was looked at"}],"unmatchedPaths":["x.md"],"omitted":{"atoms":1,"digest":2,"unmatchedPaths":1,"hint":"raise maxTokens, or get atoms of the digest by id"},"source":"paths","asked":{"paths":["src/a.rs","lib/b.rs","x.md"],"selectors":[],"commits":[]}}}"#
        ]],
    );
}

#[test]
fn refusals() {
    let (scene, project, task) = with_task();
    let update = |version: i64, more: Value| {
        let mut arguments =
            json!({"operation": "update", "containerType": "project", "id": project, "version": version});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        arguments
    };
    check(
        &scene,
        "manage_container",
        update(7, json!({})),
        &expect![[
            r#"{"success":false,"message":"Version conflict: expected 7, current is 1","error":{"code":"CONFLICT","details":{"givenVersion":7,"currentVersion":1,"entity":{"id":"ID","name":"Shop","summary":"A shop","description":null,"tags":[],"version":1,"createdAt":"TIME","modifiedAt":"TIME"},"hint":"look at the entity in the details and try again with its version"}}}"#
        ]],
    );
    check(
        &scene,
        "manage_container",
        update(1, json!({"priority": "HIGH"})),
        &expect![[
            r#"{"success":false,"message":"projects have no priority","error":{"code":"VALIDATION_ERROR","details":{"field":"priority"}}}"#
        ]],
    );
    check(
        &scene,
        "manage_container",
        json!({"operation": "delete", "containerType": "project", "id": project, "version": 1}),
        &expect![[
            r#"{"success":false,"message":"Cannot delete project \"Shop\": contains 0 features and 1 tasks","error":{"code":"HAS_CHILDREN","details":{"features":0,"tasks":1,"hint":"end or remove them first, or pass cascade: true"}}}"#
        ]],
    );
    scene.ok(
        "block",
        json!({"containerType": "task", "id": task, "version": 1, "blockedBy": "NO_OP", "blockedReason": "a key"}),
    );
    check(
        &scene,
        "advance",
        json!({"containerType": "task", "id": task, "version": 2}),
        &expect![[
            r#"{"success":false,"message":"task \"Task\" is blocked by NO_OP: a key","error":{"code":"BLOCKED","details":{"blockedBy":["NO_OP"],"blockedReason":"a key","hint":"close the blockers, or remove them with unblock"}}}"#
        ]],
    );
}
