//! Features and tasks as files: written, read back, merged, deleted.

use crate::scene::{Scene, text};
use orbit_knowledge::{ExportedFile, merge_knowledge};
use serde_json::{Value, json};

fn export(scene: &Scene) -> Vec<ExportedFile> {
    scene.store.export_knowledge(true).unwrap()
}

/// Writes what a store has into a directory that both sides know.
fn settle(scene: &Scene) -> Vec<ExportedFile> {
    let files = export(scene);
    scene.store.keep_travelled("d", &files, &[]).unwrap();
    files
}

fn import(scene: &Scene, files: &[ExportedFile]) -> orbit_knowledge::Imported {
    scene.store.import_knowledge("d", files).unwrap()
}

fn say(scene: &Scene, task: &str, words: &str) {
    let said = json!({"operation": "comment", "containerType": "task", "id": task, "comment": words, "actor": "ada"});
    scene.ok("manage_container", said);
}

fn update(scene: &Scene, task: &str, more: &Value) {
    let mut arguments = json!({"operation": "update", "containerType": "task", "id": task,
        "version": scene.version("task", task)});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    scene.ok("manage_container", arguments);
}

fn section(scene: &Scene, task: &str, title: &str) {
    let section = json!({"operation": "add", "entityType": "TASK", "entityId": task, "title": title,
        "usageDescription": "u", "content": "---\nkey: value\n\n  - \"quoted\""});
    scene.ok("manage_sections", section);
}

struct Filled {
    scene: Scene,
    feature: String,
    /// A whole, its part, and one that waits for it.
    tasks: [String; 3],
}

fn filled() -> Filled {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "Carts: \"all\"");
    let whole =
        scene.task(json!({"featureId": feature, "description": "---\nlong\n---", "tags": "b,a"}), "Whole");
    let part = scene.task(json!({"parentId": whole}), "Part");
    let other =
        scene.task(json!({"projectId": project, "relatedTo": [part], "discoveredFrom": [whole]}), "Other");
    scene.blocks(&part, &other);
    say(&scene, &part, "first\nand second line");
    section(&scene, &part, "Plan");
    scene.moved("advance", "task", &part);
    scene.task(json!({}), "of no project");
    Filled { scene, feature, tasks: [whole, part, other] }
}

#[test]
fn work_is_read_back_byte_for_byte() {
    let Filled { scene, tasks: [_, part, other], .. } = filled();
    assert!(!scene.store.export_knowledge(false).unwrap().iter().any(|file| file.path.contains("/tasks/")));
    let files = export(&scene);
    assert_eq!(files.len(), 5, "what has no project has no place: {files:#?}");
    let clone = Scene::new();
    let done = import(&clone, &files);
    assert_eq!((done.created, done.changed, done.unchanged), (4, 0, 0));
    assert_eq!(export(&clone), files);
    let again = import(&clone, &files);
    assert_eq!((again.created, again.changed, again.unchanged), (0, 0, 4));
    assert_eq!(
        (clone.get("task", &part), clone.get("task", &other)),
        (scene.get("task", &part), scene.get("task", &other))
    );
    let state = json!({"containerType": "task", "id": part});
    assert_eq!(clone.ok("query_workflow_state", state.clone()), scene.ok("query_workflow_state", state));
    // It goes on as it would have.
    clone.close("task", &part);
    assert_eq!(clone.get("task", &other)["blockedBy"], json!([]));
}

#[test]
fn both_sides_of_a_task_are_merged() {
    let Filled { scene, tasks: [_, part, other], .. } = filled();
    let files = settle(&scene);
    let clone = Scene::new();
    import(&clone, &files);
    // Here: said, moved on, a section. There: said, a tag, a section.
    clone.wait(1000);
    say(&clone, &part, "from there");
    section(&clone, &part, "There");
    update(&clone, &part, &json!({"tags": "there"}));
    scene.wait(5000);
    say(&scene, &part, "from here");
    section(&scene, &part, "Here");
    scene.close("task", &part);
    let done = import(&scene, &export(&clone));
    assert!(done.conflicts.is_empty(), "{done:?}");
    let get = json!({"operation": "get", "containerType": "task", "id": part, "includeComments": true, "includeSections": true});
    let now = scene.ok("query_container", get);
    let texts = |list: &Value, key: &str| {
        list.as_array().unwrap().iter().map(|it| text(&it[key])).collect::<Vec<_>>()
    };
    assert_eq!(texts(&now["comments"], "text"), ["first\nand second line", "from there", "from here"]);
    assert_eq!(texts(&now["sections"], "title"), ["Plan", "There", "Here"]);
    assert_eq!((&now["task"]["status"], &now["task"]["tags"]), (&json!("CLOSED"), &json!(["there"])));
    assert_eq!(scene.get("task", &other)["blockedBy"], json!([]));
    // The other side takes all of it, and then both say the same.
    import(&clone, &settle(&scene));
    import(&scene, &settle(&clone));
    assert_eq!(export(&clone), export(&scene));
}

#[test]
fn both_sides_of_a_section_are_a_conflict() {
    let Filled { scene, .. } = filled();
    let base = settle(&scene);
    let file = base.iter().find(|file| file.path.contains("part-")).unwrap();
    let both = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|text| file.text.replace("key: value", text));
        merge_knowledge(Some(&file.text), &one, &other, None)
    };
    assert!(both("ours", "ours").is_ok() && both("ours", "key: value").is_ok());
    assert_eq!(both("ours", "theirs"), Err(vec!["both changed the same entry of `sections`".to_owned()]));
    // Where it stands is what was said last, on whichever side.
    let at = |text: &str, status: &str, time: &str| {
        let head = text.find("updatedAt: ").unwrap();
        let line = &text[head..head + text[head..].find('\n').unwrap()];
        text.replacen(line, &format!("updatedAt: \"{time}\""), 1).replacen(
            "status: \"ACTIVE\"",
            &format!("status: \"{status}\""),
            1,
        )
    };
    let (early, late) = (at(&file.text, "CLOSED", "2027-01-01"), at(&file.text, "NEW", "2027-01-02"));
    for (one, other) in [(&early, &late), (&late, &early)] {
        let merged = merge_knowledge(Some(&file.text), one, other, None).unwrap();
        assert!(merged.contains("status: \"NEW\""), "{merged}");
    }
}

#[test]
fn deleted_work_stays_deleted_and_what_was_in_it_stays() {
    let Filled { scene, feature, tasks: [whole, part, _] } = filled();
    let before = settle(&scene);
    let clone = Scene::new();
    import(&clone, &before);
    // Meanwhile the other side puts a task into the feature.
    let late = clone.task(json!({"featureId": feature}), "Late");
    let version = scene.version("feature", &feature);
    let delete = json!({"operation": "delete", "containerType": "feature", "id": feature, "version": version, "cascade": true});
    scene.ok("manage_container", delete);
    // A branch that still has them brings nothing back.
    let done = import(&scene, &before);
    assert_eq!((done.created, done.deleted.len()), (0, 3), "{done:?}");
    let after = settle(&scene);
    import(&clone, &after);
    for (kind, id) in [("feature", &feature), ("task", &whole), ("task", &part)] {
        let get = json!({"operation": "get", "containerType": kind, "id": id});
        clone.refused("query_container", get, "NOT_FOUND");
    }
    assert_eq!(clone.get("task", &late)["featureId"], Value::Null);
    // What was written after somebody else deleted it comes back.
    let other = Scene::new();
    import(&other, &before);
    update(&other, &part, &json!({"summary": "still wanted"}));
    let done = import(&scene, &export(&other));
    assert!(done.created == 1 && scene.get("task", &part)["summary"] == "still wanted", "{done:?}");
    assert_eq!(scene.get("task", &part).get("parentId"), None);
}

#[test]
fn two_that_wait_for_each_other_after_a_merge_are_refused_whole() {
    let scene = Scene::new();
    let project = scene.project();
    let [a, b] = ["A", "B"].map(|title| scene.task(json!({"projectId": project}), title));
    let files = settle(&scene);
    let clone = Scene::new();
    import(&clone, &files);
    scene.blocks(&a, &b);
    clone.blocks(&b, &a);
    let before = export(&scene);
    let error = scene.store.import_knowledge("d", &export(&clone)).unwrap_err().to_string();
    assert!(error.contains('A') && error.contains('B'), "{error}");
    assert_eq!(export(&scene), before);
}

#[test]
fn a_wrong_file_of_a_task_changes_nothing() {
    let Filled { scene, .. } = filled();
    let files = export(&scene);
    let at = files.iter().position(|file| file.path.contains("part-")).unwrap();
    for (from, to) in [
        ("status: \"ACTIVE\"", "status: \"DOING\""),
        ("status: \"ACTIVE\"", "status: \"TO_BE_TESTED\""),
        ("priority: \"MEDIUM\"", "priority: 3"),
        ("complexity: 5", "complexity: 50"),
        ("\"contentFormat\":\"MARKDOWN\"", "\"contentFormat\":\"WORD\""),
        ("\"trigger\":\"advance\"", "\"trigger\":\"magic\""),
        ("\"text\":\"first", "\"words\":\"first"),
        ("name: \"Part\"", "name: \"\""),
    ] {
        let mut files = files.clone();
        assert!(files[at].text.contains(from), "{from}: {}", files[at].text);
        files[at].text = files[at].text.replacen(from, to, 1);
        let clone = Scene::new();
        assert!(clone.store.import_knowledge("d", &files).is_err(), "{to}");
        assert!(export(&clone).is_empty(), "all or nothing");
    }
}
