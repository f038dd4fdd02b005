//! `manage_container`, `query_container` and tags.

use crate::scene::{NOBODY, Scene, names, text, with_task};
use serde_json::{Value, json};

fn with(base: Value, more: Value) -> Value {
    let mut base = base;
    for (key, value) in more.as_object().unwrap() {
        base[key] = value.clone();
    }
    base
}

fn new_task(more: Value) -> Value {
    let base = json!({"operation": "create", "containerType": "task", "title": "T", "summary": "s", "priority": "HIGH",
        "complexity": 3});
    with(base, more)
}

#[test]
fn a_task_starts_new() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    let more =
        json!({"featureId": feature, "tags": " Beta,alpha, beta,", "description": " d ", "priority": "low"});
    let made = scene.ok("manage_container", new_task(more))["task"].clone();
    assert_eq!(
        made,
        json!({"id": made["id"], "projectId": project, "featureId": feature, "title": "T", "summary": "s",
            "description": "d", "status": "NEW", "priority": "LOW", "complexity": 3, "tags": ["alpha", "beta"],
            "blockedBy": [], "blockedReason": null, "relatedTo": [], "claim": null, "version": 1,
            "createdAt": "2026-01-02T03:04:05.006Z", "modifiedAt": "2026-01-02T03:04:05.006Z"})
    );
}

#[test]
fn bad_input_of_create() {
    let scene = Scene::new();
    let project = scene.project();
    let other = scene.project();
    let feature = scene.feature(&project, "F");
    let closed = scene.feature(&project, "Closed");
    scene.close("feature", &closed);
    for (more, code) in [
        (json!({"title": null}), "VALIDATION_ERROR"),
        (json!({"title": " "}), "VALIDATION_ERROR"),
        (json!({"name": "N"}), "VALIDATION_ERROR"),
        (json!({"summary": null}), "VALIDATION_ERROR"),
        (json!({"summary": " "}), "VALIDATION_ERROR"),
        (json!({"priority": null}), "VALIDATION_ERROR"),
        (json!({"priority": "URGENT"}), "VALIDATION_ERROR"),
        (json!({"complexity": null}), "VALIDATION_ERROR"),
        (json!({"complexity": 0}), "VALIDATION_ERROR"),
        (json!({"complexity": 11}), "VALIDATION_ERROR"),
        (json!({"complexity": 2.5}), "VALIDATION_ERROR"),
        (json!({"status": "CLOSED"}), "VALIDATION_ERROR"),
        (json!({"projectId": NOBODY}), "NOT_FOUND"),
        (json!({"featureId": NOBODY}), "NOT_FOUND"),
        (json!({"featureId": closed}), "INVALID_OPERATION"),
        (json!({"featureId": feature, "projectId": other}), "INVARIANT_VIOLATION"),
        (json!({"relatedTo": [NOBODY]}), "NOT_FOUND"),
        (json!({"containerType": "epic"}), "VALIDATION_ERROR"),
        (
            json!({"containerType": "project", "title": null, "name": "P", "priority": null}),
            "VALIDATION_ERROR",
        ),
        (json!({"operation": "upsert"}), "VALIDATION_ERROR"),
        (json!({"tags": ["x".repeat(101)]}), "VALIDATION_ERROR"),
    ] {
        scene.refused("manage_container", new_task(more), code);
    }
    let all = json!({"operation": "search", "containerType": "task"});
    assert_eq!(scene.ok("query_container", all)["total"], 0);
    scene.ok("manage_container", new_task(json!({"complexity": "10"})));
}

#[test]
fn updates_need_the_version_and_keep_the_rest() {
    let (scene, project, task) = with_task();
    let update =
        |more: Value| with(json!({"operation": "update", "containerType": "task", "id": task}), more);
    scene.refused("manage_container", update(json!({"title": "X"})), "VALIDATION_ERROR");
    let conflict = scene.refused("manage_container", update(json!({"title": "X", "version": 5})), "CONFLICT");
    assert_eq!((&conflict["currentVersion"], &conflict["entity"]["title"]), (&json!(1), &json!("Task")));
    let refused = scene.call("manage_container", update(json!({"status": "CLOSED", "version": 1})));
    assert!(refused.message.contains("advance, revert or terminate"), "{}", refused.message);
    scene.wait(10);
    let changed = scene.ok("manage_container", update(json!({"title": "New", "tags": "a,b", "version": 1})));
    let changed = &changed["task"];
    assert_eq!(
        (&changed["title"], &changed["summary"], &changed["version"]),
        (&json!("New"), &json!("s"), &json!(2))
    );
    assert_eq!((&changed["projectId"], &changed["tags"]), (&json!(project), &json!(["a", "b"])));
    assert_eq!(changed["modifiedAt"], "2026-01-02T03:04:05.016Z");
    let cleared = json!({"tags": "", "projectId": null, "version": 2});
    let cleared = scene.ok("manage_container", update(cleared))["task"].clone();
    assert_eq!((&cleared["tags"], &cleared["projectId"]), (&json!([]), &Value::Null));
}

#[test]
fn moving_a_feature_moves_its_tasks() {
    let scene = Scene::new();
    let (from, to) = (scene.project(), scene.project());
    let feature = scene.feature(&from, "F");
    let task = scene.task(json!({"featureId": feature}), "T");
    let update = json!({"operation": "update", "containerType": "feature", "id": feature, "version": 1, "projectId": to});
    scene.ok("manage_container", update);
    assert_eq!(scene.get("task", &task)["projectId"], to.as_str());
    assert_eq!(scene.version("task", &task), 2);
}

#[test]
fn deleting_needs_cascade_when_something_is_inside() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    let task = scene.task(json!({"featureId": feature}), "T");
    scene.task(json!({"projectId": project}), "Loose");
    let molecule = scene.molecule(&project, &task, "M");
    let atom = scene.atom(&project, &task, "A", json!({"moleculeId": molecule}));
    let append = json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": task, "summary": "s"});
    scene.ok("manage_changelog", append);
    let delete = |kind: &str, id: &str, cascade: bool| json!({"operation": "delete", "containerType": kind, "id": id, "version": 1, "cascade": cascade});
    let children = scene.refused("manage_container", delete("project", &project, false), "HAS_CHILDREN");
    assert_eq!((&children["features"], &children["tasks"]), (&json!(1), &json!(2)));
    let children = scene.refused("manage_container", delete("feature", &feature, false), "HAS_CHILDREN");
    assert_eq!((&children["features"], &children["tasks"]), (&json!(0), &json!(1)));
    let without = json!({"operation": "delete", "containerType": "task", "id": task});
    scene.refused("manage_container", without, "VALIDATION_ERROR");
    let gone = scene.ok("manage_container", delete("project", &project, true));
    assert_eq!(
        gone,
        json!({"deleted": true, "deletedFeatures": 1, "deletedTasks": 2, "deletedMolecules": 1, "deletedAtoms": 1})
    );
    let db = rusqlite::Connection::open(scene.path()).unwrap();
    for table in
        ["tasks", "features", "projects", "graph_atoms", "graph_molecules", "graph_changelog", "entity_tags"]
    {
        let count: i64 =
            db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(count, 0, "{table}");
    }
}

#[test]
fn deleting_leaves_nothing_behind_that_names_it() {
    let (scene, project, task) = with_task();
    let waiting = scene.task(json!({"projectId": project}), "Waiting");
    scene.blocks(&task, &waiting);
    let relate = json!({"operation": "create", "fromId": waiting, "toId": task, "type": "RELATES_TO"});
    scene.ok("manage_dependency", relate);
    let version = scene.version("task", &task);
    let delete = json!({"operation": "delete", "containerType": "task", "id": task, "version": version});
    let before = scene.version("task", &waiting);
    scene.ok("manage_container", delete);
    let after = scene.get("task", &waiting);
    assert_eq!((&after["blockedBy"], &after["relatedTo"]), (&json!([]), &json!([])));
    assert_eq!(after["version"], before + 1, "the change shows in the version");
    assert_eq!(scene.moved("advance", "task", &waiting)["task"]["status"], "ACTIVE");
}

#[test]
fn search_by_everything() {
    let scene = Scene::new();
    let project = scene.project();
    let feature = scene.feature(&project, "F");
    for (title, priority, tags) in
        [("One 50%", "HIGH", "a"), ("Two x_y", "LOW", "a,b"), ("Drei Ä", "MEDIUM", "")]
    {
        let more = json!({"title": title, "priority": priority, "tags": tags, "featureId": feature});
        scene.ok("manage_container", new_task(more));
        scene.wait(1);
    }
    let elsewhere = scene.task(json!({}), "Elsewhere");
    scene.moved("advance", "task", &elsewhere);
    let search = |more: Value| {
        names(
            &scene.ok("query_container", with(json!({"operation": "search", "containerType": "task"}), more))
                ["items"],
        )
    };
    assert_eq!(search(json!({})), ["Elsewhere", "Drei Ä", "Two x_y", "One 50%"], "newest first");
    assert_eq!(search(json!({"projectId": project, "featureId": feature})).len(), 3);
    assert_eq!(search(json!({"query": "%"})), ["One 50%"]);
    assert_eq!(search(json!({"query": "_"})), ["Two x_y"]);
    assert_eq!(search(json!({"query": "ä"})), ["Drei Ä"]);
    assert_eq!(search(json!({"status": "ACTIVE"})), ["Elsewhere"]);
    assert_eq!(search(json!({"status": "!ACTIVE"})).len(), 3);
    assert_eq!(search(json!({"priority": "HIGH,LOW", "projectId": project})), ["Two x_y", "One 50%"]);
    assert_eq!(search(json!({"tags": "a"})), ["Two x_y", "One 50%"]);
    assert_eq!(search(json!({"tags": "a,!b"})), ["One 50%"]);
    assert_eq!(search(json!({"limit": 1, "offset": 1})), ["Drei Ä"]);
    for more in
        [json!({"status": "DONE"}), json!({"priority": "!X"}), json!({"limit": 0}), json!({"projectId": "x"})]
    {
        let arguments = with(json!({"operation": "search", "containerType": "task"}), more);
        scene.refused("query_container", arguments, "VALIDATION_ERROR");
    }
    let page =
        scene.ok("query_container", json!({"operation": "search", "containerType": "task", "limit": 2}));
    assert_eq!((&page["count"], &page["total"]), (&json!(2), &json!(4)));
    let get =
        scene.ok("query_container", json!({"operation": "get", "containerType": "feature", "id": feature}));
    assert_eq!(get["taskCounts"], json!({"total": 3, "byStatus": {"NEW": 3}}));
    let overview = json!({"operation": "overview", "containerType": "feature", "id": feature});
    assert_eq!(scene.ok("query_container", overview)["tasks"].as_array().unwrap().len(), 3);
    let overview = json!({"operation": "overview", "containerType": "project", "id": project});
    assert_eq!(names(&scene.ok("query_container", overview)["features"]), ["F"]);
}

#[test]
fn tags_are_counted_and_renamed() {
    let scene = Scene::new();
    let one = text(&scene.ok("manage_container", new_task(json!({"tags": "api,web"})))["task"]["id"]);
    scene.ok("manage_container", new_task(json!({"title": "Second", "tags": ["api"]})));
    let list = scene.ok("list_tags", json!({}));
    assert_eq!(list["tags"], json!([{"tag": "api", "count": 2}, {"tag": "web", "count": 1}]));
    assert_eq!(scene.ok("list_tags", json!({"entityType": "FEATURE"}))["total"], 0);
    assert_eq!(names(&scene.ok("get_tag_usage", json!({"tag": "API"}))["entities"]), ["Second", "T"]);
    let rename = |more: Value| with(json!({"oldTag": "api", "newTag": "web"}), more);
    assert_eq!(scene.ok("rename_tag", rename(json!({"dryRun": true})))["total"], 2);
    assert_eq!(scene.get("task", &one)["tags"], json!(["api", "web"]));
    assert_eq!(scene.ok("rename_tag", rename(json!({})))["total"], 2);
    assert_eq!(scene.get("task", &one)["tags"], json!(["web"]));
    assert_eq!(scene.ok("rename_tag", rename(json!({})))["total"], 0);
    scene.refused("rename_tag", json!({"oldTag": "a", "newTag": " A "}), "VALIDATION_ERROR");
}
