//! Sections and templates.

use crate::scene::{NOBODY, Scene, text, with_task};
use serde_json::{Value, json};

fn add(scene: &Scene, task: &str, title: &str) -> Value {
    let arguments = json!({"operation": "add", "entityType": "TASK", "entityId": task, "title": title,
        "usageDescription": "u", "content": "c\n", "tags": "X"});
    scene.ok("manage_sections", arguments)["section"].clone()
}

fn titles(scene: &Scene, task: &str) -> Vec<String> {
    let found = scene.ok("query_sections", json!({"entityType": "TASK", "entityId": task}));
    found["sections"].as_array().unwrap().iter().map(|section| text(&section["title"])).collect()
}

#[test]
fn sections_follow_each_other() {
    let (scene, _, task) = with_task();
    let first = add(&scene, &task, "One");
    assert_eq!(
        (&first["ordinal"], &first["contentFormat"], &first["tags"]),
        (&json!(0), &json!("MARKDOWN"), &json!(["x"]))
    );
    assert_eq!(first["content"], "c\n", "the text is kept as it is");
    assert_eq!(add(&scene, &task, "Two")["ordinal"], 1);
    add(&scene, &task, "Three");
    let order = json!({"operation": "reorder", "entityType": "TASK", "entityId": task, "orderedIds":
        scene.ok("query_sections", json!({"entityType": "TASK", "entityId": task}))["sections"][2]["id"]});
    scene.ok("manage_sections", order);
    assert_eq!(titles(&scene, &task), ["Three", "One", "Two"]);
    let bare = scene.ok(
        "query_sections",
        json!({"entityType": "task", "entityId": task, "includeContent": false, "tags": "x"}),
    );
    assert_eq!((&bare["total"], &bare["sections"][0]["content"]), (&json!(3), &json!("")));
    scene.refused("query_sections", json!({"entityType": "TASK", "entityId": NOBODY}), "NOT_FOUND");
}

#[test]
fn sections_change_at_their_version() {
    let (scene, _, task) = with_task();
    let id = text(&add(&scene, &task, "One")["id"]);
    let change = |operation: &str, version: i64, more: Value| {
        let mut arguments = json!({"operation": operation, "id": id, "version": version});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        arguments
    };
    let changed = scene.ok("manage_sections", change("updateText", 1, json!({"content": "new"})));
    assert_eq!((&changed["section"]["content"], &changed["section"]["version"]), (&json!("new"), &json!(2)));
    let conflict = scene.refused("manage_sections", change("update", 1, json!({"title": "X"})), "CONFLICT");
    assert_eq!((&conflict["currentVersion"], &conflict["entity"]["content"]), (&json!(2), &json!("new")));
    scene.refused("manage_sections", change("updateText", 2, json!({"content": " "})), "VALIDATION_ERROR");
    scene.refused(
        "manage_sections",
        change("update", 2, json!({"contentFormat": "HTML"})),
        "VALIDATION_ERROR",
    );
    let second = add(&scene, &task, "Two");
    let taken = change("update", 2, json!({"ordinal": second["ordinal"]}));
    assert_eq!(scene.refused("manage_sections", taken, "CONFLICT")["entity"]["title"], "Two");
    scene.refused("manage_sections", change("delete", 1, json!({})), "CONFLICT");
    scene.ok("manage_sections", change("delete", 2, json!({})));
    assert_eq!(titles(&scene, &task), ["Two"]);
}

#[test]
fn many_at_once_or_none() {
    let (scene, _, task) = with_task();
    let bulk = |sections: Value| json!({"operation": "bulkCreate", "entityType": "TASK", "entityId": task, "sections": sections});
    let good = json!({"title": "A", "usageDescription": "u", "content": "c"});
    scene.refused("manage_sections", bulk(json!([good, {"title": "B"}])), "VALIDATION_ERROR");
    assert_eq!(titles(&scene, &task), [""; 0]);
    let made = scene.ok("manage_sections", bulk(json!([good, good]).to_string().into()));
    let ids: Vec<String> = made["sections"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
    let wrong = json!({"operation": "bulkDelete", "ids": [ids[0], NOBODY]});
    scene.refused("manage_sections", wrong, "NOT_FOUND");
    assert_eq!(titles(&scene, &task).len(), 2);
    let right = json!({"operation": "bulkDelete", "ids": ids.join(",")});
    assert_eq!(scene.ok("manage_sections", right)["deletedCount"], 2);
    let missing = json!({"operation": "add", "entityType": "TASK", "entityId": NOBODY, "title": "t",
        "usageDescription": "u", "content": "c"});
    scene.refused("manage_sections", missing, "NOT_FOUND");
}

fn built_in(scene: &Scene, name: &str) -> Value {
    let list = scene.ok("query_templates", json!({"operation": "list", "includeSections": true}));
    list["templates"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone()
}

#[test]
fn applying_twice_appends() {
    let (scene, project, task) = with_task();
    add(&scene, &task, "Own");
    let brief = built_in(&scene, "Task Brief");
    let apply = |kind: &str, id: &str| json!({"templateId": brief["id"], "entityType": kind, "entityId": id});
    let four = ["Implementation Plan", "Context Files", "Verification", "Dependencies and Constraints"];
    assert_eq!(scene.ok("apply_template", apply("TASK", &task))["total"], 4);
    assert_eq!(titles(&scene, &task)[1..], four);
    scene.ok("apply_template", apply("TASK", &task));
    assert_eq!(titles(&scene, &task)[5..], four);
    scene.refused("apply_template", apply("PROJECT", &project), "VALIDATION_ERROR");
    scene.refused("apply_template", apply("TASK", NOBODY), "NOT_FOUND");
}

#[test]
fn built_in_templates_can_only_be_switched_off() {
    let (scene, _, task) = with_task();
    let it = built_in(&scene, "Verification");
    let change = |operation: &str, version: i64| {
        json!({"operation": operation, "id": it["id"], "version": version, "name": "N", "title": "t",
            "usageDescription": "u", "contentSample": "c"})
    };
    for operation in ["update", "delete", "addSection"] {
        scene.refused("manage_template", change(operation, 1), "INVALID_OPERATION");
    }
    assert_eq!(scene.ok("manage_template", change("disable", 1))["template"]["isEnabled"], false);
    let apply = json!({"templateId": it["id"], "entityType": "TASK", "entityId": task});
    scene.refused("apply_template", apply.clone(), "INVALID_OPERATION");
    scene.refused("manage_template", change("enable", 1), "CONFLICT");
    scene.ok("manage_template", change("enable", 2));
    scene.ok("apply_template", apply);
}

#[test]
fn own_templates() {
    let (scene, _, _) = with_task();
    let create =
        json!({"operation": "create", "name": "Mine", "description": "d", "targetEntityType": "FEATURE"});
    let made = scene.ok("manage_template", create.clone())["template"].clone();
    scene.refused("manage_template", create, "VALIDATION_ERROR");
    let section = json!({"operation": "addSection", "id": made["id"], "version": 1, "title": "t", "usageDescription": "u",
        "contentSample": "c", "isRequired": true});
    assert_eq!(scene.ok("manage_template", section)["template"]["sections"][0]["isRequired"], true);
    let list = scene.ok("query_templates", json!({"operation": "list", "targetEntityType": "FEATURE"}));
    assert_eq!(list["total"], 2);
    assert!(list["templates"][0].get("sections").is_none());
    let rename = json!({"operation": "update", "id": made["id"], "version": 2, "name": "task brief"});
    scene.refused("manage_template", rename, "VALIDATION_ERROR");
    scene.ok("manage_template", json!({"operation": "delete", "id": made["id"], "version": 2}));
    scene.refused("query_templates", json!({"operation": "get", "id": made["id"]}), "NOT_FOUND");
}
