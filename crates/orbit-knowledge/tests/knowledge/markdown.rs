//! Knowledge as files: written, read back, merged.

use crate::scene::{Scene, with_task};
use orbit_knowledge::ExportedFile;
use serde_json::json;

fn export(scene: &Scene) -> Vec<ExportedFile> {
    scene.store.export_knowledge().unwrap()
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
    let done = other.store.import_knowledge(&files).unwrap();
    assert_eq!((done.created, done.changed, done.unchanged), (4, 0, 0));
    assert_eq!(export(&other), files);
    let again = other.store.import_knowledge(&files).unwrap();
    assert_eq!((again.created, again.changed, again.unchanged), (0, 0, 4));
    assert_eq!(export(&other), files);
}

#[test]
fn an_edit_by_hand_is_taken_and_one_that_lost_a_race_is_not() {
    let scene = filled();
    let mut files = export(&scene);
    let at = files.iter().position(|file| file.path.contains("empty")).unwrap();
    files[at].text.push_str("Now it says something.\n");
    let done = scene.store.import_knowledge(&files).unwrap();
    assert_eq!((done.changed, done.unchanged), (1, 3));
    let now = export(&scene);
    assert!(
        now[at].text.contains("version: 2") && now[at].text.ends_with("Now it says something.\n"),
        "{}",
        now[at].text
    );
    let done = scene.store.import_knowledge(&files).unwrap();
    assert_eq!((done.changed, done.conflicts), (0, vec!["Empty".to_owned()]));
    files.remove(at);
    assert_eq!(scene.store.import_knowledge(&files).unwrap().without_file, ["Empty"]);
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
        let error = other.store.import_knowledge(&files).expect_err(from).to_string();
        assert!(error.contains("one-") || from.starts_with("name"), "{error}");
        assert!(export(&other).is_empty(), "all or nothing");
    }
}
