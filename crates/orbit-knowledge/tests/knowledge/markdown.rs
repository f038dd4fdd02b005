//! Knowledge as files: written, read back, merged.

use crate::scene::{Scene, with_task};
use orbit_knowledge::ExportedFile;
use serde_json::json;

fn export(scene: &Scene) -> Vec<ExportedFile> {
    scene.store.export_knowledge(false).unwrap()
}

/// A scene with molecules, related atoms, changelogs and texts that look like markup.
fn filled() -> Scene {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "Seiten: \"Über\" & 'co'");
    let one = scene.atom(&project, &task, "One", json!({"knowledge": "---\nkey: value\n  - entry\n---\n\n# Größe\n\nends with spaces   \nlast", "moleculeId": molecule, "paths": ["src/**", "a, b/[x]*.ts"]}));
    let related = json!([{"atomId": one, "reason": "line\nbreak: \"quoted\""}]);
    scene.atom(&project, &task, "//", json!({"relatedAtoms": related}));
    scene.atom(&project, &task, "Empty", json!({}));
    for summary in ["first", "second:\n- with a list"] {
        scene.ok("manage_changelog", json!({"operation": "append", "parentType": "atom", "parentId": one, "taskId": task, "summary": summary}));
        scene.wait(5);
    }
    scene
}

#[test]
fn what_is_written_is_read_back_byte_for_byte() {
    let scene = filled();
    let files = export(&scene);
    assert_eq!(files.iter().filter(|file| !file.path.contains("marks/")).count(), 5, "{files:#?}");
    let other = Scene::new();
    let done = other.store.import_knowledge("d", &files).unwrap();
    assert_eq!((done.created, done.changed, done.unchanged), (4, 0, 0));
    assert_eq!(export(&other), files);
    let again = other.store.import_knowledge("d", &files).unwrap();
    assert_eq!((again.created, again.changed, again.unchanged), (0, 0, 4));
    assert_eq!(export(&other), files);
}

#[test]
fn an_edit_by_hand_is_taken_and_one_that_lost_a_race_is_not() {
    let scene = filled();
    let mut files = export(&scene);
    let at = files.iter().position(|file| file.path.contains("empty")).unwrap();
    files[at].text.push_str("Now it says something.\n");
    let done = scene.store.import_knowledge("d", &files).unwrap();
    assert_eq!((done.changed, done.unchanged), (1, 3));
    let now = export(&scene);
    assert!(
        now[at].text.contains("version: 2") && now[at].text.ends_with("Now it says something.\n"),
        "{}",
        now[at].text
    );
    let done = scene.store.import_knowledge("d", &files).unwrap();
    assert_eq!((done.changed, done.unchanged), (0, 4), "the file says what is known already");
    files.remove(at);
    assert_eq!(scene.store.import_knowledge("d", &files).unwrap().without_file, ["Empty"]);
}

#[test]
fn a_wrong_file_changes_nothing() {
    let scene = filled();
    let files = export(&scene);
    let at = files.iter().position(|file| file.path.contains("one-")).unwrap();
    for (from, to) in [
        ("---\n", "***\n"),
        ("kind: \"atom\"", "kind: \"molecules\""),
        ("name: \"One\"", "name: \"\""),
        ("version: 1", "version: 0"),
        ("\"src/**\"", "\"/src\""),
        ("changelog:\n", "<<<<<<< ours\nchangelog:\n"),
        ("status: \"confirmed\"", "status: \"sure\""),
        ("paths:", "paths"),
    ] {
        let mut files = files.clone();
        assert!(files[at].text.contains(from), "{from}");
        files[at].text = files[at].text.replacen(from, to, 1);
        files[(at + 1) % 5].text.push_str("more\n");
        let other = Scene::new();
        let error = other.store.import_knowledge("d", &files).expect_err(from).to_string();
        assert!(error.contains("one-") || from.starts_with("name"), "{error}");
        assert!(export(&other).is_empty(), "all or nothing");
    }
}

/// Writes what a store has into a directory that both sides know.
fn settle(scene: &Scene) -> Vec<ExportedFile> {
    let files = export(scene);
    scene.store.keep_travelled("d", &files, &[]).unwrap();
    files
}

#[test]
fn what_was_deleted_does_not_come_back() {
    let scene = filled();
    let before = settle(&scene);
    let other = Scene::new();
    other.store.import_knowledge("d", &before).unwrap();
    let atom = before.iter().find(|file| file.path.contains("empty")).unwrap();
    let id = atom.key().unwrap();
    scene.ok("manage_graph", json!({"operation": "delete", "entityType": "atom", "id": id, "version": 1}));
    // A branch without the deletion brings nothing back.
    let done = scene.store.import_knowledge("d", &before).unwrap();
    assert_eq!((done.created, done.deleted), (0, vec!["Empty".to_owned()]));
    let after = settle(&scene);
    assert!(after.iter().any(|file| file.path.ends_with(&format!("deleted/{id}.1.md"))));
    assert!(!after.iter().any(|file| file.path == atom.path));
    // Another clone loses it, too, and both write the same.
    let done = other.store.import_knowledge("d", &after).unwrap();
    assert_eq!(done.deleted, ["Empty"]);
    assert_eq!(export(&other), after);
    assert_eq!(other.store.import_knowledge("d", &after).unwrap().created, 0);
}

#[test]
fn what_was_changed_here_survives_a_deletion_elsewhere() {
    let scene = filled();
    let before = settle(&scene);
    let other = Scene::new();
    other.store.import_knowledge("d", &before).unwrap();
    let id = before.iter().find(|file| file.path.contains("empty")).and_then(ExportedFile::key).unwrap();
    scene.ok("manage_graph", json!({"operation": "delete", "entityType": "atom", "id": id, "version": 1}));
    let change =
        json!({"operation": "update", "entityType": "atom", "id": id, "version": 1, "knowledge": "mine"});
    other.ok("manage_graph", change);
    let done = other.store.import_knowledge("d", &settle(&scene)).unwrap();
    assert!(done.deleted.is_empty() && done.conflicts.is_empty(), "{done:?}");
    assert_eq!(other.unit("atom", &id)["knowledge"], "mine");
    // Who deleted it learns that it was written since.
    let done = scene.store.import_knowledge("d", &settle(&other)).unwrap();
    assert_eq!((done.created, done.deleted.len()), (1, 0));
    assert_eq!(export(&scene), export(&other));
}

#[test]
fn changes_here_and_in_a_file_are_merged() {
    let scene = filled();
    let mut files = settle(&scene);
    let at = files.iter().position(|file| file.path.contains("empty")).unwrap();
    let id = files[at].key().unwrap();
    let append = json!({"operation": "update", "entityType": "atom", "id": id, "version": 1, "knowledge": "from here", "name": "Filled"});
    scene.ok("manage_graph", append);
    files[at].text.push_str("from there\n");
    let done = scene.store.import_knowledge("d", &files).unwrap();
    assert_eq!((done.changed, done.conflicts.len()), (1, 0), "{done:?}");
    let now = scene.unit("atom", &id);
    assert_eq!((&now["knowledge"], &now["name"]), (&json!("from here\n\nfrom there"), &json!("Filled")));
    // The same lines on both sides are a conflict, and nothing is lost.
    let mut files = settle(&scene);
    let at = files.iter().position(|file| file.key().as_ref() == Some(&id)).unwrap();
    files[at].text = files[at].text.replace("from there", "from over there");
    let version = scene.unit("atom", &id)["version"].clone();
    let change = json!({"operation": "update", "entityType": "atom", "id": id, "version": version, "knowledge": "from here\n\nfrom nowhere"});
    scene.ok("manage_graph", change);
    let done = scene.store.import_knowledge("d", &files).unwrap();
    assert_eq!(done.conflicts, ["Filled"]);
    assert!(scene.unit("atom", &id)["knowledge"].as_str().unwrap().ends_with("nowhere"));
}
