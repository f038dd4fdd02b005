//! Graphs that are kept fast, small and whole.

use crate::fixture::{DATA, SCHEMA, cells, change, changed, firsts, load, main, none, options, people, read};
use arrow_array::{RecordBatch, StringArray};
use omnigraph::{Access, ChangeOptions, CleanupOptions, CleanupReport, Error, Graph, LoadMode, Target};
use omnigraph_store::{Draft, Published};
use serde_json::{Map, json};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const NAMES: &str = "query q() { match { $p: Person } return { $p.name } }";

fn whole(graph: &Graph) {
    let report = graph.fsck(&mut |_| {}).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

pub(crate) fn clean(graph: &Graph, keep: usize) -> CleanupReport {
    let options = CleanupOptions { keep: Some(keep), older_than: None, grace: Duration::ZERO, confirm: true };
    graph.cleanup(&options, &mut |_| {}).unwrap()
}

fn on_disk() -> (TempDir, Graph) {
    let dir = TempDir::new().unwrap();
    let graph =
        Graph::create(dir.path().join("g").to_str().unwrap(), SCHEMA, Access::unrestricted(), &options())
            .unwrap();
    load(&graph, DATA, LoadMode::Overwrite).unwrap();
    (dir, graph)
}

#[test]
fn optimizing_changes_no_row_and_rests() {
    let graph = people();
    for n in 0..20 {
        changed(
            &graph,
            "query q($n: String) { insert Person { name: $n, age: 1 } }",
            json!({ "n": format!("p{n}") }),
        );
    }
    changed(&graph, "query q() { delete Person where name = \"p3\" }", none());
    let before = firsts(&graph, NAMES, none());
    let head = graph.store().head("main").unwrap();
    let report = graph.acting(Access::unrestricted().named(Some("ann"))).optimize(None, &mut |_| {}).unwrap();
    assert!(report.committed);
    let record = &report.snapshot.record;
    assert_eq!((record.operation.as_str(), record.actor.as_deref()), ("optimize", Some("ann")));
    assert!(record.changes.is_empty(), "no row is different");
    assert!(report.tables["node:Person"].fragments_removed > 1);
    assert_eq!(report.tables["node:Person"].fragments_added, 1);
    assert_eq!(firsts(&graph, NAMES, none()), before);
    let friends = "query q() { match { $p: Person { name: \"Alice\" }  $p knows $f } return { $f.name } }";
    assert_eq!(firsts(&graph, friends, none()), ["Bob", "Charlie"]);
    let old = graph.read(&Target::Commit(head.id().clone()), NAMES, None, &Map::new()).unwrap();
    assert_eq!(old.rows.num_rows(), before.len());
    let again = graph.optimize(None, &mut |_| {}).unwrap();
    assert!(!again.committed, "{:?}", again.tables);
    whole(&graph);
}

/// Whoever writes beside a compaction is not refused and loses nothing.
#[test]
fn writers_beside_an_optimisation() {
    let (_dir, graph) = on_disk();
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let graph = &graph;
            scope.spawn(move || {
                for round in 0..12 {
                    let insert = "query q($n: String) { insert Person { name: $n } insert Knows { from: $n, to: \"Bob\" } }";
                    change(graph, insert, json!({ "n": format!("{writer}-{round}") })).unwrap();
                    let update = "query q($n: String) { update Person set { age: 7 } where name = $n }";
                    change(graph, update, json!({ "n": format!("{writer}-{round}") })).unwrap();
                }
            });
        }
        for _ in 0..5 {
            graph.optimize(None, &mut |_| {}).unwrap();
        }
    });
    assert_eq!(firsts(&graph, NAMES, none()).len(), 28);
    let ages =
        read(&graph, "query q() { match { $p: Person } return { sum($p.age) as s } }", none()).unwrap();
    assert_eq!(ages[0][0].as_f64(), Some(f64::from(118 + 24 * 7)));
    whole(&graph);
}

#[test]
fn commits_that_were_cleaned_up_say_so() {
    let (dir, graph) = on_disk();
    let first = graph.store().head("main").unwrap();
    graph.store().create_branch("old", &first, None).unwrap();
    let mut commits = Vec::new();
    for n in 0..5 {
        let insert = "query q($n: String) { insert Person { name: $n } }";
        commits.push(change(&graph, insert, json!({ "n": format!("p{n}") })).unwrap().snapshot);
    }
    let report = clean(&graph, 2);
    // Of the branch, the commit that it starts from and the one before it.
    assert_eq!((report.commits_kept, report.commits_removed), (4, 3));
    for store in [
        &graph,
        &Graph::open(dir.path().join("g").to_str().unwrap(), Access::unrestricted(), &options()).unwrap(),
    ] {
        let error =
            store.read(&Target::Commit(commits[1].id().clone()), NAMES, None, &Map::new()).unwrap_err();
        assert_eq!(error.code(), "cleaned_up");
        assert!(error.to_string().contains("was cleaned up"), "{error}");
        let branch = Target::Branch("old".to_owned());
        assert_eq!(store.read(&branch, NAMES, None, &Map::new()).unwrap().rows.num_rows(), 4);
        let before = store.read(&Target::Commit(commits[3].id().clone()), NAMES, None, &Map::new()).unwrap();
        assert_eq!(before.rows.num_rows(), 8);
        assert_eq!(firsts(store, NAMES, none()).len(), 9);
        whole(store);
    }
    changed(&graph, "query q() { insert Person { name: \"last\" } }", none());
    let options = ChangeOptions { branch: Some("old".to_owned()), ..ChangeOptions::default() };
    graph.change("query q() { insert Person { name: \"x\" } }", None, &Map::new(), &options).unwrap();
    whole(&graph);
}

/// Versions of tables do not pile up for ever.
#[test]
fn a_long_history_shrinks_to_what_is_kept() {
    let (dir, graph) = on_disk();
    for n in 0..120 {
        let update = "query q($a: I32) { update Person set { age: $a } where name = \"Bob\" }";
        changed(&graph, update, json!({ "a": n }));
    }
    let count = || walk(&dir.path().join("g/tables"));
    let before = count();
    graph.store().wait_for_folds();
    clean(&graph, 1);
    assert!(count() * 4 < before, "{} of {before} files", count());
    let bob = "query q() { match { $p: Person { name: \"Bob\" } } return { $p.age } }";
    let again =
        Graph::open(dir.path().join("g").to_str().unwrap(), Access::unrestricted(), &options()).unwrap();
    assert_eq!(firsts(&again, bob, none()), ["119"]);
    whole(&again);
}

fn walk(path: &std::path::Path) -> usize {
    if path.is_file() {
        return 1;
    }
    std::fs::read_dir(path).unwrap().map(|entry| walk(&entry.unwrap().path())).sum()
}

#[test]
fn old_schemas_are_kept_with_their_commits() {
    let (_dir, graph) = on_disk();
    let first = graph.store().head("main").unwrap();
    graph.store().create_branch("old", &first, None).unwrap();
    crate::migrations::applied(
        &graph,
        &SCHEMA.replace("age: I32?", "age: I64?  nick: String @default(\"n\")"),
    );
    clean(&graph, 1);
    let ages = "query q() { match { $p: Person { name: \"Bob\" } } return { $p.age } }";
    let old = graph.read(&Target::Branch("old".to_owned()), ages, None, &Map::new()).unwrap();
    assert_eq!(cells(&old.rows), [[json!(25)]]);
    assert_eq!(firsts(&graph, ages, none()), ["25"]);
    whole(&graph);
}

/// Rows that no writer lets in, put in behind its back.
#[test]
fn broken_rows_are_found() {
    let (_dir, graph) = on_disk();
    let head = graph.store().head("main").unwrap();
    let put = |key: &str, columns: Vec<(&str, Vec<Option<&str>>)>| {
        let table = graph.store().table(head.table(key).unwrap()).unwrap();
        let schema = table.schema().clone();
        let arrays = schema.fields().iter().map(|field| {
            let given = columns.iter().find(|(name, _)| name == field.name());
            match given {
                Some((_, values)) => Arc::new(StringArray::from(values.clone())) as arrow_array::ArrayRef,
                None => arrow_array::new_null_array(field.data_type(), columns[0].1.len()),
            }
        });
        let batch = RecordBatch::try_new(schema.clone(), arrays.collect()).unwrap();
        let mut stage = graph.store().stage(head.table(key), schema).unwrap();
        stage.append(batch).unwrap();
        (key.to_owned(), stage.finish().unwrap())
    };
    let edges = put(
        "edge:Knows",
        vec![("id", vec![Some("e1")]), ("src", vec![Some("Alice")]), ("dst", vec![Some("Nobody")])],
    );
    let nodes = put(
        "node:Person",
        vec![("id", vec![Some("Alice"), Some("Zed")]), ("name", vec![Some("Alice"), Some("Zoe")])],
    );
    let draft = Draft { operation: "change".to_owned(), tables: [edges, nodes].into(), ..Draft::default() };
    assert!(matches!(graph.store().publish("main", &head, &draft).unwrap(), Published::Done(_)));
    let report = graph.fsck(&mut |_| {}).unwrap();
    let found: Vec<String> = report.problems.iter().map(|problem| problem.message.clone()).collect();
    for expected in [
        "Person 'Alice' is there more than once",
        "Person: the id 'Zed' is not the key 'Zoe'",
        "Knows: the id 'e1' is not that of its ends and key",
        "edge Knows: dst 'Nobody' not found in Person",
    ] {
        assert!(found.iter().any(|message| message == expected), "{expected}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(
        report.problems.iter().all(|problem| problem.violation.is_some() && problem.object == "branch main")
    );
}

/// Small commits do not slow reading down, and nobody has to ask for it.
#[test]
fn small_commits_are_folded_unasked() {
    let (_dir, graph) = on_disk();
    for n in 0..110 {
        changed(
            &graph,
            "query q($n: String) { insert Person { name: $n } }",
            json!({ "n": format!("p{n}") }),
        );
        let hot = "query q($a: I32) { update Person set { age: $a } where name = \"Bob\" }";
        changed(&graph, hot, json!({ "a": n }));
    }
    graph.store().wait_for_folds();
    let table = graph.describe(&main()).unwrap().tables;
    let person = table.iter().find(|table| table.key == "node:Person").unwrap();
    let head = graph.store().head("main").unwrap();
    let fragments = graph.store().table(head.table("node:Person").unwrap()).unwrap().fragments().len();
    assert!(fragments <= 40, "{fragments} fragments");
    assert_eq!(person.rows, 114);
    assert_eq!(firsts(&graph, NAMES, none()).len(), 114);
    whole(&graph);
}

/// What is in memory of the newest commit does not hide rows that an older one still has.
#[test]
fn older_commits_are_read_after_newer_ones() {
    let graph = people();
    let before = Target::Commit(graph.store().head("main").unwrap().id().clone());
    changed(&graph, "query q() { update Person set { age: 31 } where name = \"Alice\" }", none());
    changed(&graph, "query q() { delete Person where name = \"Bob\" }", none());
    let ages = "query q() { match { $p: Person } return { $p.name $p.age } order { $p.name } }";
    let walk = "query q() { match { $p: Person  $p knows $f } return { $p.name $f.name $f.age } order { $p.name, $f.name } }";
    let at =
        |target: &Target, query: &str| cells(&graph.read(target, query, None, &Map::new()).unwrap().rows);
    for _ in 0..2 {
        assert_eq!(at(&main(), ages).len(), 3);
        assert_eq!(at(&main(), walk), [[json!("Alice"), json!("Charlie"), json!(35)]]);
        let old = at(&before, ages);
        assert_eq!(old[0], [json!("Alice"), json!(30)]);
        assert_eq!(old[1], [json!("Bob"), json!(25)]);
        let old = at(&before, walk);
        assert_eq!(old.len(), 3);
        assert_eq!(old[0], [json!("Alice"), json!("Bob"), json!(25)]);
    }
}

#[test]
fn a_missing_branch_is_refused() {
    let graph = people();
    let failed = graph.optimize(Some("nowhere"), &mut |_| {}).unwrap_err();
    assert!(matches!(failed, Error::Store(omnigraph_store::Error::NoBranch { .. })), "{failed}");
}
