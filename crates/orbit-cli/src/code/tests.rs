//! Atoms over a real repository: what is noticed, what is not, and where anchors go.

mod branches;
mod cited;

use super::WorktreeCode;
use orbit_history::{HistoryOptions, sync};
use orbit_knowledge::{Area, CodeFacts as _, Freshness, Options, Stamp, Store};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const SHOP: &str = "import math\n\nRATE = 2\n\n\nclass Cart:\n    def total(self, items):\n        amount = 0\n        for item in items:\n            amount += item.price * RATE\n        return math.ceil(amount)\n\n    def empty(self):\n        return []\n\n\ndef checkout(cart, items):\n    return cart.total(items)\n";

struct Scene {
    root: PathBuf,
    store: Store,
    project: String,
    task: String,
    _dir: TempDir,
}

impl Scene {
    fn new() -> Scene {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("repo");
        fs::create_dir(&root).unwrap();
        let code = Box::new(WorktreeCode::new(&root));
        let store =
            Store::open(&root.join(".orbit/knowledge.db"), Options { code, ..Options::default() }).unwrap();
        let mut scene = Scene { root, store, project: String::new(), task: String::new(), _dir: dir };
        scene.git(&["init", "-q", "-b", "main"]);
        scene.write("src/shop.py", SHOP);
        scene.write(".gitignore", ".orbit/\n");
        scene.commit("first");
        let made = scene.ok(
            "manage_container",
            json!({"operation": "create", "containerType": "project", "name": "P", "summary": "s"}),
        );
        scene.project = made["project"]["id"].as_str().unwrap().to_owned();
        let made = scene.ok("manage_container", json!({"operation": "create", "containerType": "task", "title": "T", "summary": "s", "priority": "HIGH", "complexity": 3, "projectId": scene.project}));
        scene.task = made["task"]["id"].as_str().unwrap().to_owned();
        scene
    }

    fn git(&self, args: &[&str]) {
        let done = Command::new("git")
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"])
            .args(args)
            .current_dir(&self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn history(&self) {
        sync(&self.root, &HistoryOptions::default()).unwrap();
    }

    fn ok(&self, tool: &str, arguments: Value) -> Value {
        let done = self.store.call(tool, arguments.clone()).unwrap();
        assert!(done.success, "{tool} {arguments}: {} {:?}", done.message, done.error);
        done.data.unwrap()
    }

    fn atom(&self, more: Value) -> Value {
        let mut arguments = json!({"operation": "create", "entityType": "atom", "projectId": self.project,
            "name": "Shop", "createdByTaskId": self.task, "paths": ["src/**"]});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        self.ok("manage_graph", arguments)["atom"].clone()
    }

    fn get(&self, atom: &Value) -> Value {
        self.ok("query_graph", json!({"operation": "get", "entityType": "atom", "id": atom["id"]}))["atom"]
            .clone()
    }

    /// Freshness and the selectors that caused it.
    fn state(&self, atom: &Value) -> (String, Vec<String>) {
        let now = self.get(atom);
        let because = now["because"].as_array().cloned().unwrap_or_default();
        let selectors = because.iter().map(|cause| cause["selector"].as_str().unwrap().to_owned());
        (now["freshness"].as_str().unwrap().to_owned(), selectors.collect())
    }

    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.root.join("src/shop.py")).unwrap();
        assert!(text.contains(from), "{from}");
        self.write("src/shop.py", &text.replace(from, to));
    }
}

fn is(state: &(String, Vec<String>), freshness: &str, selectors: &[&str]) {
    assert_eq!(
        (state.0.as_str(), state.1.iter().map(String::as_str).collect::<Vec<_>>()),
        (freshness, selectors.to_vec())
    );
}

#[test]
fn comments_and_formatting_leave_an_atom_fresh() {
    let scene = Scene::new();
    let atom = scene.atom(json!({}));
    assert_eq!(atom["freshness"], "fresh");
    scene.edit("        amount = 0\n", "        # start\n        amount = (0)\n\n");
    scene.edit("def checkout(cart, items):", "def checkout(\n    cart,\n    items,\n):");
    is(&scene.state(&atom), "fresh", &[]);
    scene.write("src/new.py", "def more():\n    pass\n");
    is(&scene.state(&atom), "fresh", &[]);
}

#[test]
fn drift_is_graded_and_told_with_commit_and_task() {
    let scene = Scene::new();
    scene.history();
    let atom = scene.atom(json!({}));
    scene.edit("RATE\n", "RATE + 1\n");
    is(&scene.state(&atom), "body_drifted", &["symbol:src/shop.py#Cart.total:method"]);
    assert_eq!(scene.get(&atom)["because"][0]["uncommitted"], true);
    scene.commit("raise it\n\nTask: SHOP-7");
    scene.history();
    let cause = scene.get(&atom)["because"][0].clone();
    assert_eq!((&cause["taskIds"], &cause["uncommitted"]), (&json!(["SHOP-7"]), &Value::Null));
    assert_eq!(cause["commits"].as_array().unwrap().len(), 1);
    scene.edit("def empty(self):", "def empty(self, really):");
    is(
        &scene.state(&atom),
        "signature_changed",
        &["symbol:src/shop.py#Cart.empty:method", "symbol:src/shop.py#Cart.total:method"],
    );
    scene.edit("def checkout(cart, items):\n    return cart.total(items)\n", "");
    let (freshness, selectors) = scene.state(&atom);
    assert_eq!(
        (freshness.as_str(), selectors[0].as_str()),
        ("anchor_gone", "symbol:src/shop.py#checkout:function")
    );
    let done = scene.ok(
        "manage_graph",
        json!({"operation": "reaffirm", "entityType": "atom", "id": atom["id"], "version": 1}),
    );
    assert_eq!((&done["atom"]["freshness"], &done["atom"]["version"]), (&json!("fresh"), &json!(1)));
    is(&scene.state(&atom), "fresh", &[]);
}

#[test]
fn causes_are_found_without_a_history() {
    let scene = Scene::new();
    let atom = scene.atom(json!({}));
    scene.edit("return []", "return ()");
    scene.commit("tuples\n\nTask: SHOP-8");
    assert_eq!(scene.get(&atom)["because"][0]["taskIds"], json!(["SHOP-8"]));
}

#[test]
fn anchors_name_symbols_outright() {
    let scene = Scene::new();
    let atom = scene.atom(json!({"paths": ["docs/**"], "anchors": ["Cart"]}));
    assert_eq!(atom["anchors"], json!(["symbol:src/shop.py#Cart:class"]));
    scene.edit("return cart.total(items)", "return 0");
    is(&scene.state(&atom), "fresh", &[]);
    scene.edit("return []", "return ()");
    is(&scene.state(&atom), "body_drifted", &["symbol:src/shop.py#Cart.empty:method"]);
    for wrong in [json!(["nothing_like_it"]), json!("no json"), json!([""]), json!([7])] {
        let arguments = json!({"operation": "update", "entityType": "atom", "id": atom["id"], "version": 1, "anchors": wrong});
        assert_eq!(
            scene.store.call("manage_graph", arguments).unwrap().code(),
            Some("VALIDATION_ERROR"),
            "{wrong}"
        );
    }
}

#[test]
fn renamed_files_are_followed() {
    for with_history in [false, true] {
        let scene = Scene::new();
        if with_history {
            scene.history();
        }
        let atom = scene.atom(json!({"anchors": ["checkout"]}));
        fs::create_dir(scene.root.join("lib")).unwrap();
        scene.git(&["mv", "src/shop.py", "lib/store.py"]);
        scene.commit("moved");
        if with_history {
            scene.history();
        }
        is(&scene.state(&atom), "fresh", &[]);
        assert_eq!(scene.get(&atom)["proposedPaths"], json!(["lib/store.py"]));
        let followed = scene.store.follow_code().unwrap();
        assert!(followed.atoms[0].is_rewritten);
        let now = scene.get(&atom);
        assert_eq!(
            (&now["anchors"], &now["version"]),
            (&json!(["symbol:lib/store.py#checkout:function"]), &json!(2))
        );
        assert_eq!((&now["freshness"], &now["moved"]), (&json!("fresh"), &Value::Null));
        assert!(scene.store.follow_code().unwrap().atoms.is_empty(), "there is nothing left to follow");
        scene.write("lib/store.py", &SHOP.replace("return []", "return ()"));
        is(&scene.state(&atom), "body_drifted", &["symbol:lib/store.py#Cart.empty:method"]);
    }
}

#[test]
fn renamed_symbols_are_followed_and_what_is_unclear_is_told() {
    let scene = Scene::new();
    scene.history();
    let atom = scene.atom(json!({"anchors": ["symbol:src/shop.py#Cart.total:method"]}));
    scene.edit("def total", "def sum_up");
    scene.edit("cart.total", "cart.sum_up");
    scene.commit("renamed");
    scene.history();
    let now = scene.get(&atom);
    assert_eq!(now["moved"][0]["to"], "symbol:src/shop.py#Cart.sum_up:method");
    assert_ne!(now["freshness"], "anchor_gone", "{now}");
    scene.store.follow_code().unwrap();
    assert_eq!(scene.get(&atom)["anchors"], json!(["symbol:src/shop.py#Cart.sum_up:method"]));

    let scene = Scene::new();
    let atom = scene.atom(json!({"paths": ["src/**"]}));
    let body = "(cart, items):\n    return cart.total(items)\n";
    scene.edit(&format!("def checkout{body}"), &format!("def pay{body}\n\ndef buy{body}"));
    let now = scene.get(&atom);
    assert_eq!(now["freshness"], "anchor_gone");
    assert_eq!(now["because"][0]["candidates"].as_array().unwrap().len(), 2, "{now}");
}

#[test]
fn nothing_is_fresh_outside_of_git() {
    let dir = tempfile::tempdir().unwrap();
    let code = Box::new(WorktreeCode::new(dir.path()));
    let store = Store::open(&dir.path().join("k.db"), Options { code, ..Options::default() }).unwrap();
    let call = |tool: &str, arguments: Value| store.call(tool, arguments).unwrap().data.unwrap();
    let made = call(
        "manage_container",
        json!({"operation": "create", "containerType": "project", "name": "P", "summary": "s"}),
    );
    let project = made["project"]["id"].clone();
    let made = call(
        "manage_container",
        json!({"operation": "create", "containerType": "task", "title": "T", "summary": "s", "priority": "HIGH", "complexity": 3}),
    );
    let atom = json!({"operation": "create", "entityType": "atom", "projectId": project, "name": "A",
        "createdByTaskId": made["task"]["id"], "paths": ["**"]});
    let made = call("manage_graph", atom);
    assert_eq!(made["atom"]["freshness"], "not_checked");
    assert_eq!(made["atom"]["notCheckedBecause"], "this is not a git worktree");
}

#[test]
fn closing_a_task_names_atoms_and_gaps() {
    let scene = Scene::new();
    scene.write("docs/a.py", "def doc():\n    return 1\n");
    scene.commit("docs");
    let atom = scene.atom(json!({}));
    scene.edit("return []", "return ()");
    scene.write("docs/a.py", "def doc():\n    return 2\n");
    scene.commit(&format!("work\n\nTask: {}", &scene.task[..8]));
    let advance = |version: u32| {
        scene.ok("advance", json!({"containerType": "task", "id": scene.task, "version": version}))
    };
    advance(1);
    let hints = advance(2)["graphHints"].clone();
    assert_eq!(hints["suggestedActions"].as_array().unwrap().len(), 3);
    let named = &hints["affectedAtoms"][0];
    assert_eq!(
        (&named["atomId"], &named["freshness"], &named["version"]),
        (&atom["id"], &json!("body_drifted"), &json!(1))
    );
    assert_eq!(named["because"][0]["taskIds"], json!([scene.task[..8]]));
    assert_eq!(hints["uncoveredPaths"], json!(["docs/a.py"]));
    let mut fix = named["fix"]["arguments"].clone();
    fix["knowledge"] = "empty carts are tuples".into();
    scene.ok("manage_graph", fix);
    is(&scene.state(&atom), "fresh", &[]);
    let mut fix = hints["uncoveredFix"]["arguments"].clone();
    fix["name"] = "Docs".into();
    assert_eq!(scene.ok("manage_graph", fix)["atom"]["paths"], json!(["docs/a.py"]));
}

#[test]
fn context_comes_from_diffs_selectors_and_tasks() {
    let scene = Scene::new();
    scene.write(
        "app/main.py",
        "from src.shop import checkout\n\n\ndef main(cart):\n    return checkout(cart, [])\n",
    );
    scene.write("src/__init__.py", "");
    scene.commit("app");
    scene.atom(json!({}));
    scene.atom(json!({"name": "App", "paths": ["app/**"]}));
    scene.atom(json!({"name": "Checkout", "paths": ["src/shop.py"], "anchors": ["checkout"]}));
    let context = |more: Value| {
        let mut arguments = json!({"operation": "context", "projectId": scene.project});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        scene.ok("query_graph", arguments)
    };
    let digest = |found: &Value| -> Vec<(String, u64)> {
        let entry = |it: &Value| (it["name"].as_str().unwrap().to_owned(), it["distance"].as_u64().unwrap());
        found["digest"].as_array().unwrap().iter().map(entry).collect()
    };
    let found = context(json!({"selectors": ["checkout"]}));
    assert_eq!(digest(&found), [("Checkout".into(), 0), ("Shop".into(), 0), ("App".into(), 1)], "{found}");
    scene.edit("return []", "return ()");
    scene.commit(&format!("work\n\nTask: {}", scene.task));
    let found = context(json!({"diff": "HEAD~1..HEAD"}));
    assert_eq!((&found["asked"]["paths"], &found["source"]), (&json!(["src/shop.py"]), &json!("diff")));
    let found = context(json!({"taskId": scene.task}));
    assert_eq!((&found["asked"]["paths"], &found["source"]), (&json!(["src/shop.py"]), &json!("commits")));
    let section = json!({"operation": "add", "entityType": "TASK", "entityId": scene.task, "title": "Context Files",
        "usageDescription": "u", "content": "- app/main.py"});
    scene.ok("manage_sections", section);
    let found = context(json!({"taskId": scene.task}));
    assert_eq!(
        (&found["asked"]["paths"], &found["source"]),
        (&json!(["app/main.py"]), &json!("context_files"))
    );
    for wrong in [
        json!({"diff": "no..such"}),
        json!({"selectors": ["nothing_like_it"]}),
        json!({"paths": "a", "maxTokens": 10}),
    ] {
        let mut arguments = json!({"operation": "context", "projectId": scene.project});
        for (key, value) in wrong.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        assert_eq!(
            scene.store.call("query_graph", arguments).unwrap().code(),
            Some("VALIDATION_ERROR"),
            "{wrong}"
        );
    }
}

#[test]
fn a_budget_keeps_the_digest_and_what_fits_best() {
    let scene = Scene::new();
    for at in 0..20 {
        scene.atom(json!({"name": format!("Wide {at:02}"), "knowledge": "w".repeat(3_000)}));
    }
    scene.atom(json!({"name": "Narrow", "paths": ["src/shop.py"], "knowledge": "n".repeat(900)}));
    let arguments = json!({"operation": "context", "projectId": scene.project, "paths": "src/shop.py,src/none.md", "maxTokens": 2_000});
    let found = scene.ok("query_graph", arguments);
    assert!(found.to_string().len() / 3 <= 2_000, "{}", found.to_string().len() / 3);
    assert_eq!(found["digest"].as_array().unwrap().len(), 21);
    assert_eq!(found["digest"][0]["name"], "Narrow");
    let names: Vec<&str> =
        found["orphanAtoms"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Narrow") && names.len() < 21, "{names:?}");
    assert_eq!(found["omitted"]["atoms"], 21 - names.len());
}

#[test]
fn a_twin_is_not_taken_for_what_is_gone() {
    let scene = Scene::new();
    let twin = "def checkout(cart, items):\n    return cart.total(items)\n";
    scene.write("lib/twin.py", twin);
    scene.commit("twin");
    let atom = scene.atom(json!({}));
    scene.edit("def checkout(cart, items):\n    return cart.total(items)\n", "");
    scene.write("lib/twin.py", &format!("{twin}\n\ndef more():\n    pass\n"));
    is(&scene.state(&atom), "anchor_gone", &["symbol:src/shop.py#checkout:function"]);
}

#[test]
fn a_variable_that_becomes_a_function_is_not_gone() {
    let scene = Scene::new();
    let atom = scene.atom(json!({}));
    scene.edit("RATE = 2\n", "def RATE(of):\n    return of\n");
    let (freshness, selectors) = scene.state(&atom);
    assert_eq!(
        (freshness.as_str(), selectors[0].as_str()),
        ("signature_changed", "symbol:src/shop.py#RATE:const")
    );
}

#[test]
fn configuration_counts_byte_by_byte() {
    let scene = Scene::new();
    let toml = "[project]\nname = \"shop\"\nrequires-python = \">=3.9\"\n";
    scene.write("pyproject.toml", toml);
    scene.write("ci.yaml", "jobs:\n  test:\n    run: |\n      make test\n");
    scene.commit("configuration");
    let atom = scene.atom(json!({"name": "Python", "paths": ["pyproject.toml"]}));
    let steps = scene.atom(json!({"name": "CI", "paths": ["ci.yaml"]}));
    scene.write("pyproject.toml", &format!("# why\n{}", toml.replace(" = ", "  =  ")));
    is(&scene.state(&atom), "fresh", &[]);
    scene.write("pyproject.toml", &toml.replace("3.9", "3.10"));
    is(&scene.state(&atom), "body_drifted", &["file:pyproject.toml"]);
    scene.write("ci.yaml", "jobs:\n  test:\n    run: |\n      make lint\n");
    is(&scene.state(&steps), "body_drifted", &["file:ci.yaml"]);
}

#[test]
fn globs_that_match_nothing_are_unbound() {
    let scene = Scene::new();
    let atom = scene.atom(json!({"paths": ["lib/**"]}));
    assert_eq!(atom["freshness"], "unbound");
    is(&scene.state(&atom), "unbound", &[]);
    scene.write("lib/a.py", "def a():\n    return 1\n");
    is(&scene.state(&atom), "unbound", &[]);
    scene.ok(
        "manage_graph",
        json!({"operation": "reaffirm", "entityType": "atom", "id": atom["id"], "version": 1}),
    );
    is(&scene.state(&atom), "fresh", &[]);
}

#[test]
fn stamps_of_an_older_version_are_printed_again() {
    let scene = Scene::new();
    scene.write("src/late.py", "LATE = 1\n");
    let code = WorktreeCode::new(&scene.root);
    let stamp = |path: &str| {
        let mut stamp = code.stamp(&Area { paths: vec![path.into()], ..Area::default() }).unwrap();
        stamp.prints_version -= 1;
        for file in &mut stamp.files {
            file.own = Some(7);
            file.symbols.iter_mut().for_each(|symbol| (symbol.signature, symbol.body) = (1, 2));
        }
        stamp
    };
    let (shop, late) = (stamp("src/shop.py"), stamp("src/late.py"));
    let now = |stamp: &Stamp| code.check(&[std::slice::from_ref(stamp)]).remove(0);
    assert_eq!(now(&shop).freshness, Freshness::Fresh);
    scene.edit("        amount = 0\n", "        # start\n        amount = 0\n");
    assert_eq!(now(&shop).freshness, Freshness::Fresh);
    scene.edit("return []", "return ()");
    let finding = now(&shop);
    let causes: Vec<&str> = finding.because.iter().map(|cause| cause.selector.as_str()).collect();
    assert_eq!(causes, ["symbol:src/shop.py#Cart.empty:method"]);
    // What was never committed cannot be printed again; that is said.
    assert_eq!(now(&late).freshness, Freshness::Fresh);
    scene.write("src/late.py", "LATE = 2\n");
    assert_eq!(now(&late).freshness, Freshness::NotChecked);
}
