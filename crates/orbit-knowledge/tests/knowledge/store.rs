//! The database file: making it, keeping it, refusing others.

use crate::scene::{Scene, with_task};
use orbit_knowledge::{KnowledgeError, Options, Pipelines, Store};
use serde_json::json;

fn reopen(scene: &Scene, toml: &str) -> Result<Store, KnowledgeError> {
    let pipelines = Pipelines::from_toml(toml).unwrap();
    Store::open(&scene.path(), Options { pipelines, ..Options::default() })
}

#[test]
fn what_is_written_is_there_after_opening_again() {
    let (scene, project, task) = with_task();
    let atom = scene.atom(&project, &task, "A", json!({}));
    let again = reopen(&scene, "").unwrap();
    let get = json!({"operation": "get", "entityType": "atom", "id": atom});
    assert!(again.call("query_graph", get).unwrap().success);
    assert_eq!(again.call("no_such_tool", json!({})), None);
    let templates = again.call("query_templates", json!({"operation": "list"})).unwrap();
    assert_eq!(templates.data.unwrap()["total"], 8, "built-in templates are made once");
}

#[test]
fn the_schema_of_knowledge_is_the_contracts() {
    let scene = Scene::new();
    let db = rusqlite::Connection::open(scene.path()).unwrap();
    let text = |sql: &str| db.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(
        text("SELECT group_concat(name, ' ') FROM _migrations ORDER BY version"),
        "001_orchestrator 002_knowledge 003_anchors 004_branches 005_search 006_subtasks"
    );
    assert_eq!(
        text("SELECT group_concat(name, ' ') FROM pragma_table_info('graph_atoms')"),
        "id project_id molecule_id name paths knowledge related_atoms created_by_task_id last_task_id version created_at updated_at anchors status"
    );
    assert_eq!(text("PRAGMA journal_mode"), "wal");
    assert_eq!(text("PRAGMA integrity_check"), "ok");
}

#[test]
fn a_newer_schema_is_left_alone() {
    let scene = Scene::new();
    let db = rusqlite::Connection::open(scene.path()).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    let Err(error) = reopen(&scene, "") else { panic!("opened a newer schema") };
    assert!(matches!(error, KnowledgeError::Newer { found: 99, known: 6 }), "{error}");
    let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 99);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("other.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let Err(error) = Store::open(&path, Options::default()) else {
        panic!("opened another program's database")
    };
    assert!(matches!(error, KnowledgeError::Foreign(_)), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::write(&path, "this is not a database, but a text that is long enough to be read as one")
        .unwrap();
    assert!(Store::open(&path, Options::default()).is_err());
}

#[test]
fn a_file_that_is_not_a_database_is_left_alone() {
    let scene = Scene::new();
    let path = scene.path().with_file_name("notes.txt");
    let text = "A text that is long enough to be taken for a database.\n".repeat(300);
    std::fs::write(&path, &text).unwrap();
    let error = Store::open(&path, Options::default()).err().expect("it is refused");
    assert!(matches!(&error, KnowledgeError::Damaged(Some(named)) if *named == path), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_backup_is_a_store_of_its_own() {
    let (scene, _, task) = with_task();
    let copy = scene.dir.path().join("backups/copy.db");
    scene.store.backup(&copy).unwrap();
    scene.moved("advance", "task", &task);
    let copied = Store::open(&copy, Options::default()).unwrap();
    let get = json!({"operation": "get", "containerType": "task", "id": task});
    assert_eq!(copied.call("query_container", get).unwrap().data.unwrap()["task"]["status"], "NEW");
    assert!(matches!(scene.store.backup(&copy), Err(KnowledgeError::File(..))), "nothing is written over");
}

#[test]
fn a_pipeline_cannot_drop_a_state_in_which_something_stands() {
    let long = "[pipelines]\ntask = [\"NEW\", \"ACTIVE\", \"TO_BE_TESTED\", \"CLOSED\"]";
    let scene = Scene::with_pipelines(long);
    let task = scene.task(json!({}), "T");
    let given_up = scene.task(json!({}), "G");
    scene.moved("terminate", "task", &given_up);
    assert!(reopen(&scene, "").is_ok());
    scene.moved("advance", "task", &task);
    scene.moved("advance", "task", &task);
    let Err(error) = reopen(&scene, "") else { panic!("dropped a state in use") };
    assert_eq!(error.to_string(), "the pipeline for tasks drops TO_BE_TESTED, but 1 stand there");
    assert_eq!(error.code().word(), "VALIDATION_ERROR");
    scene.moved("advance", "task", &task);
    assert!(reopen(&scene, "").is_ok());
}

/// A database as the third schema had it: its stamps are kept, one for each atom.
#[test]
fn stamps_of_the_schema_before_are_kept() {
    let scene = Scene::new();
    let path = scene.dir.path().join("old.db");
    let old = rusqlite::Connection::open(&path).unwrap();
    let steps = ["001_orchestrator", "002_knowledge", "003_anchors"];
    old.execute_batch("CREATE TABLE _migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT").unwrap();
    for (at, step) in steps.iter().enumerate() {
        let file = format!("{}/src/store/migrations/{step}.sql", env!("CARGO_MANIFEST_DIR"));
        old.execute_batch(&std::fs::read_to_string(file).unwrap()).unwrap();
        old.execute("INSERT INTO _migrations VALUES (?1, ?2, 'then')", (at as i64 + 1, *step)).unwrap();
    }
    let id = "00000000-0000-4000-8000-000000000001";
    old.execute_batch(&format!(
        "INSERT INTO projects VALUES ('{id}', 'P', 's', NULL, 1, 't', 't', 'p');
         INSERT INTO graph_atoms (id, project_id, name, paths, created_by_task_id, last_task_id, created_at, updated_at)
           VALUES ('{id}', '{id}', 'A', '[\"a\"]', '{id}', '{id}', 't', 't');
         INSERT INTO graph_stamps VALUES ('{id}', 'abc', 1, 't', NULL);
         INSERT INTO graph_marks VALUES ('{id}', 'a', 'c', 7, '[]');
         PRAGMA application_id = {};
         PRAGMA user_version = 3;",
        0x6f72_6269
    ))
    .unwrap();
    drop(old);
    let store = orbit_knowledge::Store::open(&path, orbit_knowledge::Options::default()).unwrap();
    let files = store.export_knowledge(false).unwrap();
    let marks = files.iter().find(|file| file.path.contains("marks/")).unwrap();
    assert!(marks.path.ends_with(&format!("{id}.jsonl")), "{}", marks.path);
    assert!(marks.text.contains("\"commit\":\"abc\"") && marks.text.contains("\"own\":7"), "{}", marks.text);
}
