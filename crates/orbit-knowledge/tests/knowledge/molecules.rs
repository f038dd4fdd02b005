//! `manage_graph` and `query_graph` on molecules.

use crate::scene::{NOBODY, Scene, names, text, with_task};
use serde_json::{Value, json};

fn create(project: &str, task: &str, more: Value) -> Value {
    let mut arguments = json!({"operation": "create", "entityType": "molecule", "projectId": project,
        "name": "Pages", "createdByTaskId": task});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    arguments
}

#[test]
fn a_molecule_starts_with_defaults() {
    let (scene, project, task) = with_task();
    let made = scene.ok("manage_graph", create(&project, &task, json!({"name": "  Pages "})));
    let made = &made["molecule"];
    assert_eq!(
        *made,
        json!({"id": made["id"], "projectId": project, "name": "Pages", "knowledge": "", "relatedMolecules": [],
            "createdByTaskId": task, "lastTaskId": task, "version": 1, "createdAt": "2026-01-02T03:04:05.006Z",
            "updatedAt": "2026-01-02T03:04:05.006Z"})
    );
    assert_eq!(scene.unit("molecule", &text(&made["id"])), *made);
}

#[test]
fn optional_fields_are_kept() {
    let (scene, project, task) = with_task();
    let other = scene.molecule(&project, &task, "API");
    let related = json!([{"moleculeId": other, "reason": "pages consume endpoints"}]);
    let more = json!({"knowledge": "  shared layout\n", "relatedMolecules": related.to_string()});
    let made = scene.ok("manage_graph", create(&project, &task, more));
    assert_eq!(made["molecule"]["knowledge"], "shared layout");
    assert_eq!(made["molecule"]["relatedMolecules"], related);
    let as_list = scene.ok("manage_graph", create(&project, &task, json!({"relatedMolecules": related})));
    assert_eq!(as_list["molecule"]["relatedMolecules"], related);
}

#[test]
fn bad_input_of_create() {
    let (scene, project, task) = with_task();
    let long = |count: usize| "x".repeat(count);
    let refuse = |more: Value, code: &str, field: &str| {
        let details = scene.refused("manage_graph", create(&project, &task, more.clone()), code);
        assert_eq!(details["field"].as_str().unwrap_or_default(), field, "{more}");
    };
    refuse(json!({"name": "   "}), "VALIDATION_ERROR", "name");
    refuse(json!({"name": null}), "VALIDATION_ERROR", "name");
    refuse(json!({"name": long(256)}), "VALIDATION_ERROR", "name");
    refuse(json!({"knowledge": long(32_769)}), "VALIDATION_ERROR", "knowledge");
    // 16,385 characters of two bytes each.
    refuse(json!({"knowledge": "ä".repeat(16_385)}), "VALIDATION_ERROR", "knowledge");
    for bad in [
        json!("not json"),
        json!("{}"),
        json!([1]),
        json!([{"moleculeId": NOBODY}]),
        json!([{"reason": "r"}]),
    ] {
        refuse(json!({"relatedMolecules": bad}), "VALIDATION_ERROR", "relatedMolecules");
    }
    refuse(
        json!({"relatedMolecules": [{"moleculeId": "abc", "reason": "r"}]}),
        "VALIDATION_ERROR",
        "relatedMolecules",
    );
    refuse(json!({"relatedMolecules": [{"moleculeId": NOBODY, "reason": "r"}]}), "NOT_FOUND", "");
    refuse(json!({"projectId": NOBODY}), "NOT_FOUND", "");
    refuse(json!({"projectId": "nope"}), "VALIDATION_ERROR", "projectId");
    refuse(json!({"createdByTaskId": NOBODY}), "NOT_FOUND", "");
    refuse(json!({"createdByTaskId": null}), "VALIDATION_ERROR", "createdByTaskId");
    refuse(json!({"paths": "[\"a\"]"}), "VALIDATION_ERROR", "paths");
    refuse(json!({"entityType": "quark"}), "VALIDATION_ERROR", "entityType");
    refuse(json!({"operation": "destroy"}), "VALIDATION_ERROR", "operation");
    refuse(json!({"colour": "red"}), "VALIDATION_ERROR", "arguments");
    for good in [json!({"name": "ä".repeat(255)}), json!({"knowledge": "ä".repeat(16_384)})] {
        scene.ok("manage_graph", create(&project, &task, good));
    }
}

#[test]
fn fifty_related_and_no_more() {
    let (scene, project, task) = with_task();
    let other = scene.molecule(&project, &task, "Other");
    let related = |count: usize| vec![json!({"moleculeId": other, "reason": "r"}); count];
    scene.ok("manage_graph", create(&project, &task, json!({"relatedMolecules": related(50)})));
    let too_many = create(&project, &task, json!({"relatedMolecules": related(51)}));
    scene.refused("manage_graph", too_many, "VALIDATION_ERROR");
}

#[test]
fn related_stay_in_the_project_and_are_not_oneself() {
    let (scene, project, task) = with_task();
    let elsewhere = scene.project();
    let foreign = scene.molecule(&elsewhere, &task, "Foreign");
    let related = |id: &str| json!({"relatedMolecules": [{"moleculeId": id, "reason": "r"}]});
    scene.refused("manage_graph", create(&project, &task, related(&foreign)), "INVARIANT_VIOLATION");
    let own = scene.molecule(&project, &task, "Own");
    let mut update = related(&own);
    update["operation"] = "update".into();
    update["entityType"] = "molecule".into();
    update["id"] = own.as_str().into();
    update["version"] = 1.into();
    scene.refused("manage_graph", update.clone(), "VALIDATION_ERROR");
    update["relatedMolecules"] = json!([{"moleculeId": foreign, "reason": "r"}]);
    scene.refused("manage_graph", update, "INVARIANT_VIOLATION");
}

fn update(scene: &Scene, id: &str, more: Value) -> Value {
    let version = scene.unit("molecule", id)["version"].clone();
    let mut arguments =
        json!({"operation": "update", "entityType": "molecule", "id": id, "version": version});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    arguments
}

#[test]
fn updates_change_what_is_said_and_nothing_else() {
    let (scene, project, task) = with_task();
    let id = scene.molecule(&project, &task, "Pages");
    scene.wait(1000);
    let it = scene.ok("manage_graph", update(&scene, &id, json!({"name": " Screens ", "knowledge": "one"})));
    let it = &it["molecule"];
    assert_eq!(
        (&it["name"], &it["knowledge"], &it["version"]),
        (&json!("Screens"), &json!("one"), &json!(2))
    );
    assert_eq!(
        (&it["createdAt"], &it["updatedAt"]),
        (&json!("2026-01-02T03:04:05.006Z"), &json!("2026-01-02T03:04:06.006Z"))
    );
    let it = scene.ok("manage_graph", update(&scene, &id, json!({"knowledge": " two ", "version": "2"})));
    assert_eq!(it["molecule"]["knowledge"], "two");
    assert_eq!(it["molecule"]["lastTaskId"], task.as_str());
    let second = scene.task(json!({"projectId": project}), "Second");
    let it = scene.ok(
        "manage_graph",
        update(&scene, &id, json!({"lastTaskId": second.replace('-', "").to_uppercase()})),
    );
    assert_eq!(
        (&it["molecule"]["lastTaskId"], &it["molecule"]["createdByTaskId"]),
        (&json!(second), &json!(task))
    );
    scene.refused("manage_graph", update(&scene, &id, json!({"lastTaskId": NOBODY})), "NOT_FOUND");
    scene.refused("manage_graph", update(&scene, &id, json!({"name": " "})), "VALIDATION_ERROR");
    scene.refused(
        "manage_graph",
        update(&scene, &id, json!({"knowledgeMode": "prepend"})),
        "VALIDATION_ERROR",
    );
    let elsewhere = scene.project();
    scene.refused(
        "manage_graph",
        update(&scene, &id, json!({"projectId": elsewhere})),
        "INVARIANT_VIOLATION",
    );
    assert_eq!(scene.unit("molecule", &id)["version"], 4);
}

#[test]
fn appending_writes_the_separator() {
    let (scene, project, task) = with_task();
    let id = scene.molecule(&project, &task, "Pages");
    let append = json!({"knowledge": " more ", "knowledgeMode": "append", "lastTaskId": task});
    scene.ok("manage_graph", update(&scene, &id, json!({"knowledge": "old"})));
    let it = scene.ok("manage_graph", update(&scene, &id, append.clone()));
    let expected = format!("old\n\n---[2026-01-02T03:04:05.006Z task:{task}]---\nmore");
    assert_eq!(it["molecule"]["knowledge"], expected);
    let without_task = json!({"knowledge": "more", "knowledgeMode": "append"});
    let details = scene.refused("manage_graph", update(&scene, &id, without_task), "VALIDATION_ERROR");
    assert_eq!(details["field"], "lastTaskId");
    let blank = json!({"knowledge": " ", "knowledgeMode": "append", "lastTaskId": task});
    scene.refused("manage_graph", update(&scene, &id, blank), "VALIDATION_ERROR");
    // Both parts fit, together they do not.
    scene.ok("manage_graph", update(&scene, &id, json!({"knowledge": "x".repeat(32_000)})));
    let much = json!({"knowledge": "y".repeat(800), "knowledgeMode": "append", "lastTaskId": task});
    scene.refused("manage_graph", update(&scene, &id, much), "VALIDATION_ERROR");
    assert_eq!(scene.unit("molecule", &id)["knowledge"].as_str().unwrap().len(), 32_000);
}

#[test]
fn a_conflict_tells_the_version_and_the_entity() {
    let (scene, project, task) = with_task();
    let id = scene.molecule(&project, &task, "Pages");
    let stale = json!({"operation": "update", "entityType": "molecule", "id": id, "version": 7, "name": "X"});
    let envelope = scene.call("manage_graph", stale.clone());
    assert!(envelope.message.contains("Version conflict"), "{}", envelope.message);
    let details = scene.refused("manage_graph", stale, "CONFLICT");
    assert_eq!((&details["currentVersion"], &details["givenVersion"]), (&json!(1), &json!(7)));
    assert_eq!(details["entity"], scene.unit("molecule", &id));
    let delete = json!({"operation": "delete", "entityType": "molecule", "id": id, "version": 7});
    scene.refused("manage_graph", delete, "CONFLICT");
    for operation in ["update", "delete"] {
        let without = json!({"operation": operation, "entityType": "molecule", "id": id});
        assert_eq!(scene.refused("manage_graph", without, "VALIDATION_ERROR")["field"], "version");
        let unknown = json!({"operation": operation, "entityType": "molecule", "id": NOBODY, "version": 1});
        scene.refused("manage_graph", unknown, "NOT_FOUND");
        let nothing = json!({"operation": operation, "entityType": "molecule", "version": 1});
        assert_eq!(scene.refused("manage_graph", nothing, "VALIDATION_ERROR")["field"], "id");
    }
}

/// A molecule with two atoms, each of the three with a changelog entry.
fn family(scene: &Scene, project: &str, task: &str) -> (String, String, String) {
    let molecule = scene.molecule(project, task, "Pages");
    let more = json!({"moleculeId": molecule});
    let (b, a) = (scene.atom(project, task, "B", more.clone()), scene.atom(project, task, "A", more));
    for (kind, id) in [("molecule", &molecule), ("atom", &a), ("atom", &b)] {
        let append = json!({"operation": "append", "parentType": kind, "parentId": id, "taskId": task, "summary": kind});
        scene.ok("manage_changelog", append);
    }
    (molecule, a, b)
}

fn entries(scene: &Scene, kind: &str, id: &str) -> Value {
    let search = json!({"operation": "search", "parentType": kind, "parentId": id});
    scene.ok("manage_changelog", search)["total"].clone()
}

#[test]
fn deleting_a_molecule_orphans_its_atoms() {
    let (scene, project, task) = with_task();
    let (molecule, a, b) = family(&scene, &project, &task);
    let second = scene.task(json!({"projectId": project}), "Second");
    scene.wait(5000);
    let delete = json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1, "lastTaskId": second});
    let done = scene.ok("manage_graph", delete);
    assert_eq!(done, json!({"deleted": true, "orphanedAtoms": 2}));
    for id in [&a, &b] {
        let atom = scene.unit("atom", id);
        assert_eq!(atom["moleculeId"], Value::Null);
        assert_eq!(atom["lastTaskId"], second.as_str());
        assert_eq!(atom["updatedAt"], "2026-01-02T03:04:10.006Z");
        assert_eq!(atom["version"], 2);
        assert_eq!(entries(&scene, "atom", id), 1);
    }
    assert_eq!(entries(&scene, "molecule", &molecule), 0);
    scene.refused(
        "query_graph",
        json!({"operation": "get", "entityType": "molecule", "id": molecule}),
        "NOT_FOUND",
    );
}

#[test]
fn orphaning_without_a_task_takes_the_molecules() {
    let (scene, project, task) = with_task();
    let (molecule, a, _) = family(&scene, &project, &task);
    let second = scene.task(json!({"projectId": project}), "Second");
    scene.ok("manage_graph", update(&scene, &molecule, json!({"lastTaskId": second})));
    scene.ok(
        "manage_graph",
        json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 2}),
    );
    assert_eq!(scene.unit("atom", &a)["lastTaskId"], second.as_str());
}

#[test]
fn a_cascade_deletes_atoms_and_their_changelog() {
    let (scene, project, task) = with_task();
    let (molecule, a, b) = family(&scene, &project, &task);
    let orphan = scene.atom(&project, &task, "C", json!({}));
    let delete = json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1, "cascade": true});
    assert_eq!(scene.ok("manage_graph", delete), json!({"deleted": true, "deletedAtoms": 2}));
    for id in [&a, &b] {
        scene.refused(
            "query_graph",
            json!({"operation": "get", "entityType": "atom", "id": id}),
            "NOT_FOUND",
        );
        assert_eq!(entries(&scene, "atom", id), 0);
    }
    assert_eq!(scene.unit("atom", &orphan)["version"], 1);
}

#[test]
fn get_shows_members_and_changelogs() {
    let (scene, project, task) = with_task();
    let (molecule, _, _) = family(&scene, &project, &task);
    let get = |more: Value| {
        let mut arguments = json!({"operation": "get", "entityType": "molecule", "id": molecule});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        scene.ok("query_graph", arguments)
    };
    let found = get(json!({}));
    assert_eq!(names(&found["atoms"]), ["A", "B"]);
    assert_eq!(found["changelog"][0]["summary"], "molecule");
    assert_eq!(found["atoms"][1]["changelog"][0]["summary"], "atom");
    assert_eq!(found["molecule"]["changelog"], Value::Null);
    let bare = get(json!({"includeChangelog": false}));
    assert_eq!((&bare["changelog"], &bare["atoms"][0]["changelog"]), (&Value::Null, &Value::Null));
    assert_eq!(get(json!({"changelogLimit": 0}))["changelog"], json!([]));
}

#[test]
fn search_by_text_in_name_and_knowledge() {
    let (scene, project, task) = with_task();
    for (name, knowledge) in
        [("Pages", "layout 100% done"), ("API", "snake_case names"), ("Übersicht", "rest")]
    {
        scene.ok("manage_graph", create(&project, &task, json!({"name": name, "knowledge": knowledge})));
    }
    let search = |query: &str| {
        let arguments =
            json!({"operation": "search", "entityType": "molecule", "projectId": project, "query": query});
        names(&scene.ok("query_graph", arguments)["items"])
    };
    assert_eq!(search(""), ["API", "Pages", "Übersicht"]);
    assert_eq!(search("pAGES"), ["Pages"]);
    assert_eq!(search("SNAKE"), ["API"]);
    assert_eq!(search("übersicht"), ["Übersicht"]);
    assert_eq!(search("%"), ["Pages"]);
    assert_eq!(search("_"), ["API"]);
    assert_eq!(search("\\"), [""; 0]);
    assert_eq!(search("nothing"), [""; 0]);
    let page = json!({"operation": "search", "entityType": "molecule", "projectId": project, "limit": 1, "offset": 1});
    let page = scene.ok("query_graph", page);
    assert_eq!(names(&page["items"]), ["Pages"]);
    assert_eq!(
        (&page["count"], &page["total"], &page["limit"], &page["offset"]),
        (&json!(1), &json!(3), &json!(1), &json!(1))
    );
    assert_eq!(page["items"][0]["changelog"], json!([]));
}

#[test]
fn bad_input_of_search() {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "M");
    for (more, code) in [
        (json!({"entityType": "molecule"}), "VALIDATION_ERROR"),
        (json!({"projectId": project}), "VALIDATION_ERROR"),
        (json!({"entityType": "atom", "projectId": NOBODY}), "NOT_FOUND"),
        (json!({"entityType": "atom", "projectId": project, "limit": 0}), "VALIDATION_ERROR"),
        (json!({"entityType": "atom", "projectId": project, "limit": -1}), "VALIDATION_ERROR"),
        (json!({"entityType": "atom", "projectId": project, "limit": "many"}), "VALIDATION_ERROR"),
        (json!({"entityType": "atom", "projectId": project, "offset": -1}), "VALIDATION_ERROR"),
        (json!({"entityType": "atom", "projectId": project, "changelogLimit": -1}), "VALIDATION_ERROR"),
        (
            json!({"entityType": "atom", "projectId": project, "orphansOnly": true, "moleculeId": molecule}),
            "VALIDATION_ERROR",
        ),
        (json!({"entityType": "molecule", "projectId": project, "orphansOnly": true}), "VALIDATION_ERROR"),
    ] {
        let mut arguments = more.clone();
        arguments["operation"] = "search".into();
        scene.refused("query_graph", arguments, code);
    }
    let defaults = json!({"operation": "search", "entityType": "atom", "projectId": project});
    assert_eq!(scene.ok("query_graph", defaults.clone())["limit"], 20);
    let mut much = defaults;
    much["limit"] = 100_000.into();
    assert_eq!(scene.ok("query_graph", much)["limit"], 100);
}
