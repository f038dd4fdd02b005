//! `manage_changelog`.

use crate::scene::{NOBODY, Scene, with_task};
use serde_json::{Value, json};

fn append(scene: &Scene, kind: &str, id: &str, task: &str, summary: &str) -> Value {
    let arguments = json!({"operation": "append", "parentType": kind, "parentId": id, "taskId": task, "summary": summary});
    scene.ok("manage_changelog", arguments)["entry"].clone()
}

fn summaries(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|entry| entry["summary"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn entries_are_kept_as_written() {
    let (scene, project, task) = with_task();
    let atom = scene.atom(&project, &task, "A", json!({}));
    let entry = append(&scene, "atom", &atom, &task, "  moved to v2 \n");
    assert_eq!(
        entry,
        json!({"id": entry["id"], "parentType": "atom", "parentId": atom, "taskId": task, "summary": "moved to v2",
            "createdAt": "2026-01-02T03:04:05.006Z"})
    );
    let molecule = scene.molecule(&project, &task, "M");
    append(&scene, "molecule", &molecule, &task, &"x".repeat(4096));
    assert_eq!(scene.unit("atom", &atom)["version"], 1, "no version of the parent changes");
}

#[test]
fn bad_input_of_append() {
    let (scene, project, task) = with_task();
    let atom = scene.atom(&project, &task, "A", json!({}));
    let good = json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": task, "summary": "s"});
    for (key, value, code) in [
        ("summary", json!("  "), "VALIDATION_ERROR"),
        ("summary", json!(null), "VALIDATION_ERROR"),
        ("summary", json!("x".repeat(4097)), "VALIDATION_ERROR"),
        ("summary", json!("ä".repeat(2049)), "VALIDATION_ERROR"),
        ("parentType", json!("task"), "VALIDATION_ERROR"),
        ("parentType", json!("molecule"), "NOT_FOUND"),
        ("parentId", json!(NOBODY), "NOT_FOUND"),
        ("parentId", json!("x"), "VALIDATION_ERROR"),
        ("taskId", json!(NOBODY), "NOT_FOUND"),
        ("taskId", json!(null), "VALIDATION_ERROR"),
        ("operation", json!("edit"), "VALIDATION_ERROR"),
    ] {
        let mut arguments = good.clone();
        arguments[key] = value;
        scene.refused("manage_changelog", arguments, code);
    }
    let search = json!({"operation": "search", "parentType": "atom", "parentId": atom});
    assert_eq!(scene.ok("manage_changelog", search)["total"], 0);
}

#[test]
fn search_is_newest_first_and_paged() {
    let (scene, project, task) = with_task();
    let atom = scene.atom(&project, &task, "A", json!({}));
    for summary in ["one", "two"] {
        append(&scene, "atom", &atom, &task, summary);
    }
    scene.wait(1);
    append(&scene, "atom", &atom, &task, "three");
    let search = |more: Value| {
        let mut arguments = json!({"operation": "search", "parentType": "atom", "parentId": atom});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        scene.ok("manage_changelog", arguments)
    };
    let all = search(json!({}));
    // Of the same millisecond the one written last comes first.
    assert_eq!(summaries(&all["entries"]), ["three", "two", "one"]);
    assert_eq!(
        (&all["count"], &all["total"], &all["limit"], &all["offset"]),
        (&json!(3), &json!(3), &json!(20), &json!(0))
    );
    assert_eq!(summaries(&search(json!({"limit": 1, "offset": 1}))["entries"]), ["two"]);
    assert_eq!(summaries(&search(json!({"limit": "1", "offset": "9"}))["entries"]), [""; 0]);
    let unknown = json!({"operation": "search", "parentType": "atom", "parentId": NOBODY});
    assert_eq!(scene.ok("manage_changelog", unknown)["entries"], json!([]));
}

#[test]
fn the_last_five_come_along_unless_told() {
    let (scene, project, task) = with_task();
    let atom = scene.atom(&project, &task, "A", json!({}));
    for number in 1..=7 {
        append(&scene, "atom", &atom, &task, &number.to_string());
        scene.wait(1);
    }
    let get = |more: Value| {
        let mut arguments = json!({"operation": "get", "entityType": "atom", "id": atom});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        summaries(&scene.ok("query_graph", arguments)["changelog"])
    };
    assert_eq!(get(json!({})), ["7", "6", "5", "4", "3"]);
    assert_eq!(get(json!({"changelogLimit": 2})), ["7", "6"]);
    assert_eq!(get(json!({"changelogLimit": 50})).len(), 7);
}

#[test]
fn entries_outlive_their_task() {
    let (scene, project, task) = with_task();
    let second = scene.task(json!({"projectId": project}), "Second");
    let atom = scene.atom(&project, &task, "A", json!({}));
    append(&scene, "atom", &atom, &second, "by the second");
    scene.ok(
        "manage_container",
        json!({"operation": "delete", "containerType": "task", "id": second, "version": 1}),
    );
    let found = scene.ok("query_graph", json!({"operation": "get", "entityType": "atom", "id": atom}));
    assert_eq!(found["changelog"][0]["taskId"], second.as_str());
}
