//! A store in a directory of its own, under a clock that only the test moves.

use orbit_knowledge::{Clock, Envelope, Id, IdSource, Moment, Options, Pipelines, Store};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use tempfile::TempDir;

/// 2026-01-02T03:04:05.006Z
pub(crate) const START: i64 = 1_767_323_045_006;

#[derive(Clone)]
pub(crate) struct OwnedClock(Arc<AtomicI64>);

impl Clock for OwnedClock {
    fn now(&self) -> Moment {
        Moment::from_millis(self.0.load(Ordering::SeqCst))
    }
}

struct Counted(AtomicU64);

impl IdSource for Counted {
    fn next(&self) -> Id {
        Id::from_number(u128::from(self.0.fetch_add(1, Ordering::SeqCst)))
    }
}

pub(crate) struct Scene {
    pub(crate) store: Store,
    clock: OwnedClock,
    pub(crate) dir: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        Scene::with_pipelines("")
    }

    pub(crate) fn with_pipelines(toml: &str) -> Scene {
        let dir = tempfile::tempdir().unwrap();
        let clock = OwnedClock(Arc::new(AtomicI64::new(START)));
        let options = Options {
            pipelines: Pipelines::from_toml(toml).unwrap(),
            clock: Box::new(clock.clone()),
            ids: Box::new(Counted(AtomicU64::new(1))),
            code: Box::new(orbit_knowledge::NoCode),
        };
        let store = Store::open(&dir.path().join(".orbit/knowledge.db"), options).unwrap();
        Scene { store, clock, dir }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.store.path().to_owned()
    }

    pub(crate) fn wait(&self, millis: i64) {
        self.clock.0.fetch_add(millis, Ordering::SeqCst);
    }

    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Envelope<Value> {
        self.store.call(tool, arguments).expect("the tool exists")
    }

    /// The data of a call that works.
    #[track_caller]
    pub(crate) fn ok(&self, tool: &str, arguments: Value) -> Value {
        let envelope = self.call(tool, arguments);
        assert!(envelope.success, "{}: {:?}", envelope.message, envelope.error);
        envelope.data.expect("success carries data")
    }

    /// A call that is refused with this code; gives the details.
    #[track_caller]
    pub(crate) fn refused(&self, tool: &str, arguments: Value, code: &str) -> Value {
        let envelope = self.call(tool, arguments);
        assert_eq!(envelope.code(), Some(code), "{}", envelope.message);
        assert!(!envelope.success && envelope.data.is_none() && !envelope.message.is_empty());
        serde_json::to_value(envelope.error.unwrap().details).unwrap()
    }

    pub(crate) fn project(&self) -> String {
        let made = self.ok(
            "manage_container",
            json!({"operation": "create", "containerType": "project", "name": "Shop", "summary": "A shop"}),
        );
        text(&made["project"]["id"])
    }

    pub(crate) fn feature(&self, project: &str, name: &str) -> String {
        let made = self.ok(
            "manage_container",
            json!({"operation": "create", "containerType": "feature", "name": name, "summary": "s",
                "priority": "MEDIUM", "projectId": project}),
        );
        text(&made["feature"]["id"])
    }

    pub(crate) fn task(&self, place: Value, title: &str) -> String {
        self.task_of(place, title, "MEDIUM", 5)
    }

    pub(crate) fn task_of(&self, place: Value, title: &str, priority: &str, complexity: i64) -> String {
        let mut arguments = json!({"operation": "create", "containerType": "task", "title": title, "summary": "s",
            "priority": priority, "complexity": complexity});
        for (key, value) in place.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        text(&self.ok("manage_container", arguments)["task"]["id"])
    }

    pub(crate) fn get(&self, kind: &str, id: &str) -> Value {
        let found = self.ok("query_container", json!({"operation": "get", "containerType": kind, "id": id}));
        found[kind].clone()
    }

    pub(crate) fn version(&self, kind: &str, id: &str) -> i64 {
        self.get(kind, id)["version"].as_i64().unwrap()
    }

    /// `advance`, `revert` or `terminate` at the present version.
    #[track_caller]
    pub(crate) fn moved(&self, tool: &str, kind: &str, id: &str) -> Value {
        let it = self.get(kind, id);
        let mut arguments = json!({"containerType": kind, "id": id, "version": it["version"]});
        // Whoever holds it moves it.
        if let Some(actor) = it["claim"]["actor"].as_str() {
            arguments["actor"] = json!(actor);
        }
        self.ok(tool, arguments)
    }

    #[track_caller]
    pub(crate) fn close(&self, kind: &str, id: &str) -> Value {
        let mut last = Value::Null;
        while self.get(kind, id)["status"] != "CLOSED" {
            last = self.moved("advance", kind, id);
        }
        last
    }

    #[track_caller]
    pub(crate) fn blocks(&self, from: &str, to: &str) -> Value {
        self.ok(
            "manage_dependency",
            json!({"operation": "create", "fromId": from, "toId": to, "type": "BLOCKS"}),
        )
    }

    pub(crate) fn molecule(&self, project: &str, task: &str, name: &str) -> String {
        let made = self.ok(
            "manage_graph",
            json!({"operation": "create", "entityType": "molecule", "projectId": project, "name": name,
                "createdByTaskId": task}),
        );
        text(&made["molecule"]["id"])
    }

    pub(crate) fn atom(&self, project: &str, task: &str, name: &str, more: Value) -> String {
        text(&self.ok("manage_graph", atom_arguments(project, task, name, more))["atom"]["id"])
    }

    pub(crate) fn unit(&self, kind: &str, id: &str) -> Value {
        self.ok("query_graph", json!({"operation": "get", "entityType": kind, "id": id}))[kind].clone()
    }
}

pub(crate) fn atom_arguments(project: &str, task: &str, name: &str, more: Value) -> Value {
    let mut arguments = json!({"operation": "create", "entityType": "atom", "projectId": project, "name": name,
        "createdByTaskId": task, "paths": "[\"src/**\"]"});
    for (key, value) in more.as_object().unwrap() {
        arguments[key] = value.clone();
    }
    arguments
}

/// A project and a task in it.
pub(crate) fn with_task() -> (Scene, String, String) {
    let scene = Scene::new();
    let project = scene.project();
    let task = scene.task(json!({"projectId": project}), "Task");
    (scene, project, task)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

pub(crate) fn names(list: &Value) -> Vec<String> {
    let name = |item: &Value| text(if item["name"].is_null() { &item["title"] } else { &item["name"] });
    list.as_array().unwrap().iter().map(name).collect()
}

pub(crate) const NOBODY: &str = "00000000-0000-4000-8000-00000000dead";
