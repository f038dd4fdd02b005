//! `query_graph context`, `query_container.includeGraphContext` and `advance.graphHints`.

use crate::scene::{NOBODY, Scene, names, text, with_task};
use serde_json::{Value, json};

fn context(scene: &Scene, project: &str, paths: &str) -> Value {
    scene.ok("query_graph", json!({"operation": "context", "projectId": project, "paths": paths}))
}

#[test]
fn the_answer_has_the_shape_of_the_contract() {
    let (scene, project, task) = with_task();
    let molecule = scene.molecule(&project, &task, "Payment Domain");
    let gateway = scene.atom(&project, &task, "Stripe Integration", json!({"paths": ["src/gateway/**"]}));
    let related = json!([{"atomId": gateway, "reason": "webhooks call gateway"}]);
    let hooks = json!({"paths": ["src/payments/*-handler.ts"], "moleculeId": molecule, "knowledge": "8 handlers", "relatedAtoms": related});
    let hooks = scene.atom(&project, &task, "Webhook Handlers", hooks);
    let append = json!({"operation": "append", "parentType": "atom", "parentId": hooks, "taskId": task, "summary": "new"});
    scene.ok("manage_changelog", append);
    let retry = scene.atom(&project, &task, "Retry", json!({"paths": ["src/shared/retry.ts"]}));
    let found = context(&scene, &project, "src/payments/webhook-handler.ts, src/shared/retry.ts,,src/new.ts");
    let expected = json!({
        "molecules": [{
            "id": molecule, "name": "Payment Domain", "knowledge": "", "relatedMolecules": [], "version": 1,
            "atoms": [{
                "id": hooks, "name": "Webhook Handlers", "knowledge": "8 handlers",
                "matchedPaths": ["src/payments/webhook-handler.ts"],
                "relatedAtoms": [{"atomId": gateway, "name": "Stripe Integration", "reason": "webhooks call gateway"}], "version": 1,
                "changelog": [{"taskId": task, "summary": "new", "createdAt": "2026-01-02T03:04:05.006Z"}],
                "freshness": "not_checked", "notCheckedBecause": "no code was looked at",
            }],
            "changelog": [],
        }],
        "orphanAtoms": [{
            "id": retry, "name": "Retry", "knowledge": "", "matchedPaths": ["src/shared/retry.ts"],
            "relatedAtoms": [], "version": 1, "changelog": [], "freshness": "not_checked",
            "notCheckedBecause": "no code was looked at",
        }],
        "unmatchedPaths": ["src/new.ts"],
    });
    assert_eq!(found, expected);
}

#[test]
fn molecules_and_atoms_come_by_name_and_paths_as_asked() {
    let (scene, project, task) = with_task();
    for molecule in ["Zeta", "Alpha"] {
        let molecule = scene.molecule(&project, &task, molecule);
        for atom in ["b", "a", "B"] {
            scene.atom(&project, &task, atom, json!({"moleculeId": molecule, "paths": ["**/*.ts"]}));
        }
    }
    scene.atom(&project, &task, "y", json!({"paths": ["**"]}));
    scene.atom(&project, &task, "x", json!({"paths": ["**/*.ts"]}));
    scene.atom(&project, &task, "silent", json!({"paths": ["docs/**"]}));
    let found = context(&scene, &project, "z.ts,a/b.ts,none.rs,z.ts,./c.ts");
    assert_eq!(names(&found["molecules"]), ["Alpha", "Zeta"]);
    assert_eq!(names(&found["molecules"][0]["atoms"]), ["B", "a", "b"]);
    assert_eq!(names(&found["orphanAtoms"]), ["x", "y"]);
    assert_eq!(found["orphanAtoms"][0]["matchedPaths"], json!(["z.ts", "a/b.ts", "./c.ts"]));
    assert_eq!(found["orphanAtoms"][1]["matchedPaths"], json!(["z.ts", "a/b.ts", "none.rs", "./c.ts"]));
    assert_eq!(found["unmatchedPaths"], json!([]));
}

#[test]
fn only_the_own_project_is_asked() {
    let (scene, project, task) = with_task();
    scene.atom(&scene.project(), &task, "Elsewhere", json!({"paths": ["**"]}));
    let found = context(&scene, &project, "b.ts,a.ts");
    assert_eq!(found, json!({"molecules": [], "orphanAtoms": [], "unmatchedPaths": ["b.ts", "a.ts"]}));
}

#[test]
fn changelogs_can_be_left_out_and_gone_relatives_are_forgotten() {
    let (scene, project, task) = with_task();
    let other = scene.atom(&project, &task, "Other", json!({"paths": ["docs/**"]}));
    scene.atom(&project, &task, "A", json!({"relatedAtoms": [{"atomId": other, "reason": "r"}]}));
    scene.ok("manage_graph", json!({"operation": "delete", "entityType": "atom", "id": other, "version": 1}));
    let arguments = json!({"operation": "context", "projectId": project, "paths": ["src/a.ts"], "includeChangelog": false});
    let found = scene.ok("query_graph", arguments);
    assert_eq!(found["orphanAtoms"][0]["changelog"], Value::Null);
    assert_eq!(found["orphanAtoms"][0]["relatedAtoms"], json!([]));
    let id = text(&found["orphanAtoms"][0]["id"]);
    assert_eq!(scene.unit("atom", &id)["version"], 2, "who loses a relative is changed");
}

#[test]
fn bad_input_of_context() {
    let (scene, project, _) = with_task();
    for (arguments, code) in [
        (json!({"operation": "context", "projectId": project}), "VALIDATION_ERROR"),
        (json!({"operation": "context", "projectId": project, "paths": " , "}), "VALIDATION_ERROR"),
        (json!({"operation": "context", "paths": "a"}), "VALIDATION_ERROR"),
        (json!({"operation": "context", "projectId": NOBODY, "paths": "a"}), "NOT_FOUND"),
    ] {
        scene.refused("query_graph", arguments, code);
    }
}

fn section(scene: &Scene, task: &str, title: &str, content: &str) {
    scene.ok(
        "manage_sections",
        json!({"operation": "add", "entityType": "TASK", "entityId": task, "title": title, "usageDescription": "u",
            "content": content}),
    );
}

fn get(scene: &Scene, kind: &str, id: &str) -> Value {
    let arguments = json!({"operation": "get", "containerType": kind, "id": id, "includeGraphContext": true});
    scene.ok("query_container", arguments)
}

#[test]
fn a_task_brings_what_is_known_about_its_context_files() {
    let (scene, project, task) = with_task();
    scene.atom(&project, &task, "Src", json!({}));
    assert!(get(&scene, "task", &task).get("graphContext").is_none(), "no section, no context");
    section(&scene, &task, "Plan", "src/not-this.ts");
    section(
        &scene,
        &task,
        "The Context Files of this",
        "# files\n- `src/a.ts:12` (entry)\nlib/b.ts, ./src/c.ts\n",
    );
    section(&scene, &task, "More context files", "src/later.ts");
    let found = get(&scene, "task", &task);
    assert!(found.get("sections").is_none());
    let context = &found["graphContext"];
    assert_eq!(context["orphanAtoms"][0]["matchedPaths"], json!(["src/a.ts", "src/c.ts"]));
    assert_eq!(context["unmatchedPaths"], json!(["lib/b.ts"]));
    assert_eq!(context["molecules"], json!([]));
    let plain = json!({"operation": "get", "containerType": "task", "id": task, "includeSections": true});
    let plain = scene.ok("query_container", plain);
    assert!(plain.get("graphContext").is_none(), "only when asked for");
    assert_eq!(plain["sections"].as_array().unwrap().len(), 3);
}

#[test]
fn no_context_without_project_or_paths_or_task() {
    let (scene, project, task) = with_task();
    section(&scene, &task, "Context Files", "# nothing yet");
    assert!(get(&scene, "task", &task).get("graphContext").is_none());
    let boardless = scene.task(json!({}), "Boardless");
    section(&scene, &boardless, "Context Files", "src/a.ts");
    assert!(get(&scene, "task", &boardless).get("graphContext").is_none());
    assert!(get(&scene, "project", &project).get("graphContext").is_none());
}

#[test]
fn closing_a_task_hints_at_the_graph() {
    let (scene, project, task) = with_task();
    assert!(scene.moved("advance", "task", &task).get("graphHints").is_none());
    assert_eq!(
        scene.moved("advance", "task", &task)["graphHints"],
        json!({
            "message": "Task completed. Consider updating the knowledge graph.",
            "suggestedActions": [
                "Update atom knowledge for areas affected by this task",
                "Update atom paths if files were moved or new directories created",
                "Append changelog entries for significant changes",
            ],
        })
    );
    let given_up = scene.task(json!({"projectId": project}), "Given up");
    assert!(scene.moved("terminate", "task", &given_up).get("graphHints").is_none());
    let feature = scene.feature(&project, "F");
    assert!(scene.close("feature", &feature).get("graphHints").is_none());
}

#[test]
fn knowledge_is_written_at_any_state_of_a_task() {
    let (scene, project, task) = with_task();
    scene.close("task", &task);
    let atom = scene.atom(&project, &task, "A", json!({}));
    let append = json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": task, "summary": "s"});
    scene.ok("manage_changelog", append);
}

#[test]
fn the_first_letters_of_an_id_are_enough() {
    let (scene, _, task) = with_task();
    let other = orbit_knowledge::Store::open(
        &scene.dir.path().join("random.db"),
        orbit_knowledge::Options::default(),
    )
    .unwrap();
    let call = |tool: &str, arguments: Value| other.call(tool, arguments).unwrap();
    let contain = |arguments: Value| call("manage_container", arguments).data.unwrap();
    let project_made =
        contain(json!({"operation": "create", "containerType": "project", "name": "P", "summary": "s"}));
    let whole = |made: &Value, kind: &str| made[kind]["id"].as_str().unwrap().to_owned();
    let project_id = whole(&project_made, "project");
    let task_made = contain(
        json!({"operation": "create", "containerType": "task", "title": "T", "summary": "s", "priority": "LOW", "complexity": 1, "projectId": project_id[..8]}),
    );
    let task_id = whole(&task_made, "task");
    assert_eq!(task_made["task"]["projectId"], json!(project_id));
    let atom = |name: &str, more: Value| {
        let mut arguments = json!({"operation": "create", "entityType": "atom", "projectId": project_id[..8], "name": name, "createdByTaskId": task_id[..8], "paths": ["src/**"]});
        more.as_object().unwrap().iter().for_each(|(key, value)| arguments[key] = value.clone());
        let made = call("manage_graph", arguments);
        assert!(made.success, "{}", made.message);
        whole(&made.data.unwrap(), "atom")
    };
    let one = atom("One", json!({}));
    let two = atom("Two", json!({"relatedAtoms": json!([{"atomId": &one[..8], "reason": "r"}]).to_string()}));
    let found =
        call("query_graph", json!({"operation": "get", "entityType": "atom", "id": two[..13]})).data.unwrap();
    assert_eq!(found["atom"]["relatedAtoms"][0]["atomId"], json!(one));
    assert_eq!(
        call("query_graph", json!({"operation": "get", "entityType": "atom", "id": "deadbeef"})).code(),
        Some("VALIDATION_ERROR")
    );
    // Where every id begins alike, the first letters name several.
    let refused =
        scene.call("query_container", json!({"operation": "get", "containerType": "task", "id": task[..8]}));
    assert!(refused.message.contains("fits several"), "{}", refused.message);
}

#[test]
fn search_ranks_names_before_symbols_before_text() {
    let (scene, project, task) = with_task();
    scene.atom(
        &project,
        &task,
        "Zebra",
        json!({"knowledge": "the retry of a webhook is told here at length, with much else beside it"}),
    );
    scene.atom(
        &project,
        &task,
        "Yak",
        json!({"paths": ["src/webhook/retry.rs"], "knowledge": "nothing else"}),
    );
    scene.atom(&project, &task, "Webhook retries", json!({"knowledge": "short"}));
    scene.atom(&project, &task, "Other", json!({"knowledge": "unrelated"}));
    let find = |text: &str| {
        let asked = json!({"operation": "search", "entityType": "atom", "projectId": project, "query": text});
        names(&scene.ok("query_graph", asked)["items"])
    };
    assert_eq!(find("retry webhook"), ["Webhook retries", "Yak", "Zebra"]);
    assert_eq!(find("retr"), ["Webhook retries", "Yak", "Zebra"]);
    assert_eq!(find("ebhoo").len(), 2, "a part of a word is found in names and texts");
    for (title, summary) in
        [("Fix the cart", "s"), ("Other work", "the cart is fixed by and by"), ("None", "s")]
    {
        scene.ok("manage_container", json!({"operation": "create", "containerType": "task", "title": title, "summary": summary, "priority": "LOW", "complexity": 1, "projectId": project}));
    }
    let asked = json!({"operation": "search", "containerType": "task", "query": "cart fix"});
    let found = scene.ok("query_container", asked);
    let titles: Vec<&str> =
        found["items"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Fix the cart", "Other work"]);
}
