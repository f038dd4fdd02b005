//! `manage_graph` and `query_graph` on atoms.

use crate::scene::{NOBODY, Scene, atom_arguments, names, text, with_task};
use serde_json::{Value, json};

#[test]
fn an_atom_starts_with_defaults() {
    let (scene, project, task) = with_task();
    let made = scene.ok("manage_graph", atom_arguments(&project, &task, " Checkout ", json!({})));
    let made = &made["atom"];
    assert_eq!(
        *made,
        json!({"id": made["id"], "projectId": project, "moleculeId": null, "name": "Checkout", "paths": ["src/**"],
            "anchors": [], "knowledge": "", "relatedAtoms": [], "status": "confirmed", "createdByTaskId": task,
            "lastTaskId": task, "version": 1, "createdAt": "2026-01-02T03:04:05.006Z",
            "updatedAt": "2026-01-02T03:04:05.006Z", "freshness": "not_checked",
            "notCheckedBecause": "no code was looked at"})
    );
    assert_eq!(scene.unit("atom", &text(&made["id"])), *made);
}

#[test]
fn optional_fields_are_kept() {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "M");
    let other = scene.atom(&project, &task, "Other", json!({}));
    let related = json!([{"atomId": other, "reason": "consumes events from"}]);
    let more = json!({"moleculeId": molecule.to_uppercase(), "knowledge": " k ", "relatedAtoms": related.to_string(),
        "paths": ["a/*", "b/**"]});
    let made = scene.ok("manage_graph", atom_arguments(&project, &task, "A", more))["atom"].clone();
    assert_eq!(made["moleculeId"], molecule.as_str());
    assert_eq!((&made["knowledge"], &made["relatedAtoms"]), (&json!("k"), &related));
    assert_eq!(made["paths"], json!(["a/*", "b/**"]));
}

#[test]
fn bad_input_of_create() {
    let (scene, project, task) = with_task();
    let elsewhere = scene.project();
    let foreign = scene.molecule(&elsewhere, &task, "Foreign");
    let foreign_atom = scene.atom(&elsewhere, &task, "Foreign", json!({}));
    let patterns = |count: usize| (0..count).map(|at| format!("src/{at}/**")).collect::<Vec<_>>();
    for (more, code) in [
        (json!({"name": " "}), "VALIDATION_ERROR"),
        (json!({"name": "x".repeat(256)}), "VALIDATION_ERROR"),
        (json!({"paths": "[]"}), "INVARIANT_VIOLATION"),
        (json!({"paths": []}), "INVARIANT_VIOLATION"),
        (json!({"paths": null}), "VALIDATION_ERROR"),
        (json!({"paths": "src/**"}), "VALIDATION_ERROR"),
        (json!({"paths": "{}"}), "VALIDATION_ERROR"),
        (json!({"paths": ["a", 1]}), "VALIDATION_ERROR"),
        (json!({"paths": patterns(21)}), "VALIDATION_ERROR"),
        (json!({"paths": ["x".repeat(513)]}), "VALIDATION_ERROR"),
        (json!({"paths": ["/etc/passwd"]}), "VALIDATION_ERROR"),
        (json!({"paths": ["src/../etc/passwd"]}), "VALIDATION_ERROR"),
        (json!({"paths": [".."]}), "VALIDATION_ERROR"),
        (json!({"paths": ["!src/**"]}), "VALIDATION_ERROR"),
        (json!({"paths": ["src/[a"]}), "VALIDATION_ERROR"),
        (json!({"paths": ["src/{a"]}), "VALIDATION_ERROR"),
        (json!({"paths": ["src/**", " "]}), "VALIDATION_ERROR"),
        (json!({"knowledge": "x".repeat(32_769)}), "VALIDATION_ERROR"),
        (json!({"projectId": NOBODY}), "NOT_FOUND"),
        (json!({"createdByTaskId": NOBODY}), "NOT_FOUND"),
        (json!({"moleculeId": NOBODY}), "NOT_FOUND"),
        (json!({"moleculeId": "x"}), "VALIDATION_ERROR"),
        (json!({"moleculeId": foreign}), "INVARIANT_VIOLATION"),
        (json!({"relatedAtoms": [{"atomId": NOBODY, "reason": "r"}]}), "NOT_FOUND"),
        (json!({"relatedAtoms": [{"atomId": foreign_atom, "reason": "r"}]}), "INVARIANT_VIOLATION"),
        (json!({"relatedAtoms": "[{\"atomId\": 3}]"}), "VALIDATION_ERROR"),
        (json!({"relatedMolecules": []}), "VALIDATION_ERROR"),
    ] {
        scene.refused("manage_graph", atom_arguments(&project, &task, "A", more), code);
    }
    let all = json!({"operation": "search", "entityType": "atom", "projectId": project});
    assert_eq!(scene.ok("query_graph", all)["total"], 0, "nothing of what was refused is kept");
    for more in [
        json!({"paths": patterns(20)}),
        json!({"paths": ["x".repeat(512)]}),
        json!({"paths": ["a..b/c"]}),
        json!({"knowledge": "x".repeat(32_768)}),
        json!({"knowledge": format!("  {}  ", "x".repeat(32_768))}),
        json!({"moleculeId": ""}),
        json!({"moleculeId": "null"}),
    ] {
        scene.ok("manage_graph", atom_arguments(&project, &task, "A", more));
    }
}

#[test]
fn the_message_says_what_is_wrong_with_a_molecule_of_another_project() {
    let (scene, project, task) = with_task();
    let foreign = scene.molecule(&scene.project(), &task, "Foreign");
    let envelope =
        scene.call("manage_graph", atom_arguments(&project, &task, "A", json!({"moleculeId": foreign})));
    assert!(envelope.message.contains("same project"), "{}", envelope.message);
}

fn update(scene: &Scene, id: &str, more: Value) -> Value {
    let version = scene.unit("atom", id)["version"].clone();
    let mut arguments = json!({"operation": "update", "entityType": "atom", "id": id, "version": version});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    arguments
}

#[test]
fn updates_change_what_is_said_and_nothing_else() {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "M");
    let id = scene.atom(&project, &task, "A", json!({"knowledge": "k"}));
    let changed = |more: Value| scene.ok("manage_graph", update(&scene, &id, more))["atom"].clone();
    assert_eq!(changed(json!({"name": "B"}))["name"], "B");
    assert_eq!(changed(json!({"paths": "[\"lib/**\"]"}))["paths"], json!(["lib/**"]));
    assert_eq!(changed(json!({"knowledge": " new "}))["knowledge"], "new");
    assert_eq!(changed(json!({"moleculeId": molecule}))["moleculeId"], molecule.as_str());
    assert_eq!(changed(json!({"name": "C"}))["moleculeId"], molecule.as_str(), "not mentioned, not changed");
    assert_eq!(changed(json!({"moleculeId": null}))["moleculeId"], Value::Null);
    let appended = changed(json!({"knowledge": "more", "knowledgeMode": "append", "lastTaskId": task}));
    let expected = format!("new\n\n---[2026-01-02T03:04:05.006Z task:{task}]---\nmore");
    assert_eq!((&appended["knowledge"], &appended["version"]), (&json!(expected), &json!(8)));
}

#[test]
fn bad_input_of_update() {
    let (scene, project, task) = with_task();
    let foreign = scene.molecule(&scene.project(), &task, "Foreign");
    let id = scene.atom(&project, &task, "A", json!({}));
    for (more, code) in [
        (json!({"version": 9}), "CONFLICT"),
        (json!({"version": null}), "VALIDATION_ERROR"),
        (json!({"id": NOBODY}), "NOT_FOUND"),
        (json!({"name": ""}), "VALIDATION_ERROR"),
        (json!({"paths": "[]"}), "INVARIANT_VIOLATION"),
        (json!({"paths": ["/a"]}), "VALIDATION_ERROR"),
        (json!({"moleculeId": foreign}), "INVARIANT_VIOLATION"),
        (json!({"moleculeId": NOBODY}), "NOT_FOUND"),
        (json!({"relatedAtoms": [{"atomId": id, "reason": "itself"}]}), "VALIDATION_ERROR"),
        (json!({"lastTaskId": NOBODY}), "NOT_FOUND"),
        (json!({"projectId": scene.project()}), "INVARIANT_VIOLATION"),
    ] {
        scene.refused("manage_graph", update(&scene, &id, more), code);
    }
    let conflict = scene.refused("manage_graph", update(&scene, &id, json!({"version": 9})), "CONFLICT");
    assert_eq!((&conflict["currentVersion"], &conflict["entity"]["name"]), (&json!(1), &json!("A")));
    assert_eq!(scene.unit("atom", &id)["version"], 1);
}

#[test]
fn deleting_takes_the_changelog_along() {
    let (scene, project, task) = with_task();
    let id = scene.atom(&project, &task, "A", json!({}));
    let append =
        json!({"operation": "append", "parentType": "atom", "parentId": id, "taskId": task, "summary": "s"});
    scene.ok("manage_changelog", append);
    let delete =
        |version: i64| json!({"operation": "delete", "entityType": "atom", "id": id, "version": version});
    scene.refused("manage_graph", delete(2), "CONFLICT");
    assert_eq!(scene.ok("manage_graph", delete(1)), json!({"deleted": true}));
    scene.refused("manage_graph", delete(1), "NOT_FOUND");
    let search = json!({"operation": "search", "parentType": "atom", "parentId": id});
    assert_eq!(scene.ok("manage_changelog", search)["total"], 0);
}

#[test]
fn search_filters_by_molecule_orphans_and_text() {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "M");
    scene.atom(&project, &task, "Beta", json!({"moleculeId": molecule}));
    scene.atom(&project, &task, "Alpha", json!({"moleculeId": molecule, "knowledge": "10% of a_b"}));
    scene.atom(&project, &task, "Gamma", json!({}));
    scene.atom(&scene.project(), &task, "Elsewhere", json!({}));
    let search = |more: Value| {
        let mut arguments = json!({"operation": "search", "entityType": "atom", "projectId": project});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        names(&scene.ok("query_graph", arguments)["items"])
    };
    assert_eq!(search(json!({})), ["Alpha", "Beta", "Gamma"]);
    assert_eq!(search(json!({"moleculeId": molecule})), ["Alpha", "Beta"]);
    assert_eq!(search(json!({"orphansOnly": true})), ["Gamma"]);
    assert_eq!(search(json!({"orphansOnly": "true"})), ["Gamma"]);
    assert_eq!(search(json!({"query": "%"})), ["Alpha"]);
    assert_eq!(search(json!({"query": "A_B"})), ["Alpha"]);
    assert_eq!(search(json!({"query": "a", "moleculeId": molecule})), ["Alpha", "Beta"]);
    assert_eq!(search(json!({"limit": 1, "offset": 2})), ["Gamma"]);
}

#[test]
fn get_needs_kind_and_id() {
    let (scene, project, task) = with_task();
    let id = scene.atom(&project, &task, "A", json!({}));
    for (arguments, code) in [
        (json!({"operation": "get", "entityType": "atom"}), "VALIDATION_ERROR"),
        (json!({"operation": "get", "id": id}), "VALIDATION_ERROR"),
        (json!({"operation": "get", "entityType": "molecule", "id": id}), "NOT_FOUND"),
        (json!({"operation": "get", "entityType": "atom", "id": NOBODY}), "NOT_FOUND"),
        (json!({"operation": "get", "entityType": "atom", "id": "zzz"}), "VALIDATION_ERROR"),
        (json!({"operation": "list"}), "VALIDATION_ERROR"),
        (json!({}), "VALIDATION_ERROR"),
        (json!([]), "VALIDATION_ERROR"),
    ] {
        scene.refused("query_graph", arguments, code);
    }
    let dashless = json!({"operation": "get", "entityType": "atom", "id": id.replace('-', "")});
    assert_eq!(scene.ok("query_graph", dashless)["atom"]["id"], id.as_str());
}
