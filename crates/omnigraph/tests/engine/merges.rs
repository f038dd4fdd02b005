//! Merging branches: outcomes, every kind of conflict, what a merge commit says.

use crate::fixture::{change_on, empty, fork, load_on, loaded, none, on, people, reopened, rows_of, stored};
use omnigraph::{Error, Graph, LoadMode, MergeConflict, MergeOptions, MergeOutcome, MergeReport};
use serde_json::json;

fn merge(graph: &Graph, source: &str, target: &str) -> Result<MergeReport, Error> {
    graph.merge(source, target, &MergeOptions::default())
}

fn merged(graph: &Graph, source: &str, target: &str) -> MergeReport {
    merge(graph, source, target).unwrap_or_else(|error| panic!("{error}"))
}

/// Conflicts as `table:row kind`.
fn conflicts(graph: &Graph, source: &str, target: &str) -> Vec<String> {
    let before = (rows_of(graph, &on(target)), graph.store().head(target).unwrap().id().clone());
    let found = match merge(graph, source, target) {
        Err(Error::MergeConflicts(conflicts)) => conflicts,
        other => panic!("{other:?}"),
    };
    assert_eq!(before, (rows_of(graph, &on(target)), graph.store().head(target).unwrap().id().clone()));
    let shown = |found: &MergeConflict| {
        assert!(!found.message.is_empty());
        format!("{}:{} {}", found.table_key, found.row_id.as_deref().unwrap_or("-"), found.kind.as_str())
    };
    found.iter().map(shown).collect()
}

const AGE: &str = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";
const DELETE: &str = "query q($n: String) { delete Person where name = $n }";

#[test]
fn outcomes() {
    let graph = people();
    fork(&graph, "main", "work");
    assert_eq!(merged(&graph, "work", "main").outcome, MergeOutcome::AlreadyUpToDate);
    change_on(&graph, "work", AGE, json!({"n":"Bob","a":60}));
    let before = graph.store().head("main").unwrap();
    let report = merged(&graph, "work", "main");
    assert_eq!(report.outcome, MergeOutcome::FastForward);
    assert_eq!(rows_of(&graph, &on("main")), rows_of(&graph, &on("work")));
    let record = &report.snapshot.record;
    assert_eq!(record.parent.as_ref(), Some(before.id()));
    assert_eq!(record.merge_parent.as_ref(), Some(graph.store().head("work").unwrap().id()));
    assert_eq!(record.operation, "merge");
    assert_eq!(record.changes["node:Person"].ids.as_ref().unwrap().updated, ["Bob"]);
    assert_eq!(record.tables, graph.store().head("work").unwrap().record.tables, "no row is copied");
    assert_eq!(merged(&graph, "work", "main").outcome, MergeOutcome::AlreadyUpToDate);
    change_on(&graph, "work", AGE, json!({"n":"Bob","a":61}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":62}));
    let report = merged(&graph, "work", "main");
    assert_eq!(report.outcome, MergeOutcome::Merged);
    assert_eq!(report.changes["node:Person"].ids.as_ref().unwrap().updated, ["Bob"]);
    let rows = rows_of(&graph, &on("main"));
    assert!(rows.contains(&r#"{"type":"Person","data":{"name":"Bob","age":61}}"#.to_owned()), "{rows:#?}");
    assert!(rows.contains(&r#"{"type":"Person","data":{"name":"Alice","age":62}}"#.to_owned()));
    assert_eq!(merged(&graph, "main", "work").outcome, MergeOutcome::FastForward);
    assert_eq!(rows_of(&graph, &on("work")), rows);
}

#[test]
fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "work", AGE, json!({"n":"Bob","a":60}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    let head = graph.store().head("main").unwrap();
    let report =
        graph.merge("work", "main", &MergeOptions { dry_run: true, ..MergeOptions::default() }).unwrap();
    assert_eq!((report.outcome, report.committed), (MergeOutcome::Merged, false));
    assert_eq!(report.changes["node:Person"].updated, 1);
    assert_eq!(graph.store().head("main").unwrap().id(), head.id());
    let wrong = MergeOptions { if_commit: head.record.parent.clone(), ..MergeOptions::default() };
    assert_eq!(graph.merge("work", "main", &wrong).unwrap_err().code(), "precondition_failed");
    let right = MergeOptions { if_commit: Some(head.id().clone()), ..MergeOptions::default() };
    assert!(graph.merge("work", "main", &right).unwrap().committed);
}

#[test]
fn rows_that_both_changed() {
    let graph = people();
    fork(&graph, "main", "work");
    let insert = "query q($a: I32) { insert Person { name: \"Eve\", age: $a } }";
    change_on(&graph, "work", insert, json!({"a":1}));
    change_on(&graph, "main", insert, json!({"a":2}));
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":60}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    change_on(&graph, "work", DELETE, json!({"n":"Bob"}));
    change_on(&graph, "main", AGE, json!({"n":"Bob","a":62}));
    change_on(&graph, "main", DELETE, json!({"n":"Diana"}));
    change_on(&graph, "work", AGE, json!({"n":"Diana","a":63}));
    let all = [
        "node:Person:Alice divergent_update",
        "node:Person:Bob delete_vs_update",
        "node:Person:Diana delete_vs_update",
        "node:Person:Eve divergent_insert",
    ];
    assert_eq!(conflicts(&graph, "work", "main"), all);
    let Err(Error::MergeConflicts(found)) = merge(&graph, "work", "main") else { panic!() };
    assert_eq!(
        found[0].message,
        "Person 'Alice' is updated differently: age is 61 in the target and 60 in the source"
    );
    let error = merge(&graph, "work", "main").unwrap_err();
    assert_eq!(error.code(), "merge_conflicts");
    assert_eq!(
        error.to_string(),
        "merge conflicts: node:Person:Alice (divergent_update); node:Person:Bob (delete_vs_update); \
         node:Person:Diana (delete_vs_update); and 1 more"
    );
}

#[test]
fn identical_changes_are_not_a_conflict() {
    let graph = people();
    fork(&graph, "main", "work");
    for branch in ["main", "work"] {
        change_on(&graph, branch, "query q() { insert Person { name: \"Eve\", age: 1 } }", none());
        change_on(&graph, branch, "query q() { insert Knows { from: \"Eve\", to: \"Alice\" } }", none());
        change_on(&graph, branch, AGE, json!({"n":"Alice","a":60}));
        change_on(&graph, branch, DELETE, json!({"n":"Bob"}));
    }
    let before = rows_of(&graph, &on("main"));
    let report = merged(&graph, "work", "main");
    assert_eq!(report.outcome, MergeOutcome::Merged);
    assert!(report.changes.is_empty(), "{:?}", report.changes);
    assert_eq!(rows_of(&graph, &on("main")), before);
}

#[test]
fn edges_never_dangle() {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "work", DELETE, json!({"n":"Diana"}));
    change_on(&graph, "main", "query q() { insert Knows { from: \"Charlie\", to: \"Diana\" } }", none());
    let found = conflicts(&graph, "work", "main");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("edge:Knows:") && found[0].ends_with(" orphan_edge"), "{found:?}");
    let found = conflicts(&graph, "main", "work");
    assert_eq!(found.len(), 1, "the other way round, too: {found:?}");
    assert!(found[0].ends_with(" orphan_edge"));
    // An edge that goes with its node on one side and is untouched on the other simply goes.
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "work", DELETE, json!({"n":"Bob"}));
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":61}));
    let report = merged(&graph, "work", "main");
    assert_eq!(report.changes["edge:Knows"].deleted, 2);
    assert_eq!(report.changes["edge:WorksAt"].deleted, 1);
}

const UNIQUE: &str = "
node Person { name: String @key  mail: String? @unique }
node Team { name: String @key }
edge Leads: Person -> Team @card(0..1)
edge In: Person -> Team { role: String? @unique(src, role) }
";

#[test]
fn promises_about_several_rows() {
    let graph = loaded(
        &UNIQUE.replace(" { role: String? @unique(src, role) }", " { role: String?  @unique(src, role) }"),
        r#"{"type":"Person","data":{"name":"a"}}
{"type":"Person","data":{"name":"b"}}
{"type":"Team","data":{"name":"x"}}
{"type":"Team","data":{"name":"y"}}"#,
    );
    fork(&graph, "main", "work");
    let mail = "query q($n: String) { update Person set { mail: \"m@x\" } where name = $n }";
    change_on(&graph, "work", mail, json!({"n":"a"}));
    change_on(&graph, "main", mail, json!({"n":"b"}));
    let leads = "query q($t: String) { insert Leads { from: \"a\", to: $t } }";
    change_on(&graph, "work", leads, json!({"t":"x"}));
    change_on(&graph, "main", leads, json!({"t":"y"}));
    let role = "query q($t: String) { insert In { from: \"a\", to: $t, role: \"r\" } }";
    change_on(&graph, "work", role, json!({"t":"x"}));
    change_on(&graph, "main", role, json!({"t":"y"}));
    let found = conflicts(&graph, "work", "main");
    let kinds: Vec<&str> = found.iter().map(|found| found.rsplit(' ').next().unwrap()).collect();
    assert_eq!(kinds, ["unique_violation", "cardinality_violation", "unique_violation"], "{found:?}");
    assert!(found[1].starts_with("edge:Leads:a "), "{found:?}");
    assert!(found[2].starts_with("node:Person:a "), "{found:?}");
}

/// A merge in a new process, which has read nothing of the graph, counts the edges that are stored.
#[test]
fn bounds_of_edges_hold_in_a_graph_that_was_just_opened() {
    let (graph, place) = stored(
        "node Person { name: String @key } node Team { name: String @key } edge Leads: Person -> Team @card(0..1)",
    );
    let rows = r#"{"type":"Person","data":{"name":"a"}}
{"type":"Team","data":{"name":"x"}}
{"type":"Team","data":{"name":"y"}}"#;
    load_on(&graph, "main", rows, LoadMode::Merge).unwrap();
    fork(&graph, "main", "work");
    let leads = "query q($t: String) { insert Leads { from: \"a\", to: $t } }";
    change_on(&graph, "work", leads, json!({"t":"x"}));
    change_on(&graph, "main", leads, json!({"t":"y"}));
    let head = graph.store().head("main").unwrap().id().clone();
    drop(graph);
    let graph = reopened(&place);
    let Err(Error::MergeConflicts(found)) = merge(&graph, "work", "main") else {
        panic!("two leads of one person were merged");
    };
    assert_eq!(found[0].kind.as_str(), "cardinality_violation", "{found:?}");
    assert_eq!(graph.store().head("main").unwrap().id(), &head);
}

#[test]
fn a_value_may_change_hands() {
    let graph = loaded(
        "node P { n: String @key  m: String? @unique }",
        r#"{"type":"P","data":{"n":"a","m":"one"}}
{"type":"P","data":{"n":"b"}}
{"type":"P","data":{"n":"c"}}"#,
    );
    fork(&graph, "main", "work");
    let set =
        "query q() { update P set { m: null } where n = \"a\" update P set { m: \"one\" } where n = \"b\" }";
    change_on(&graph, "work", set, none());
    change_on(&graph, "main", "query q() { update P set { m: \"two\" } where n = \"c\" }", none());
    merged(&graph, "work", "main");
    let rows = rows_of(&graph, &on("main"));
    assert_eq!(
        rows,
        [
            r#"{"type":"P","data":{"n":"a"}}"#,
            r#"{"type":"P","data":{"n":"b","m":"one"}}"#,
            r#"{"type":"P","data":{"n":"c","m":"two"}}"#
        ]
    );
}

/// Both branches merge each other, so they have two newest common commits; neither alone is the right base.
#[test]
fn branches_that_merged_each_other() {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":1}));
    change_on(&graph, "work", AGE, json!({"n":"Bob","a":2}));
    let (ours, theirs) = (graph.store().head("main").unwrap(), graph.store().head("work").unwrap());
    graph.merge(theirs.id().as_str(), "main", &MergeOptions::default()).unwrap();
    graph.merge(ours.id().as_str(), "work", &MergeOptions::default()).unwrap();
    let (main, work) = (graph.store().head("main").unwrap(), graph.store().head("work").unwrap());
    assert_eq!(graph.store().meeting_points(&main, &work).unwrap().len(), 2);
    // Back to what it was before: with the older base, this would look like no change.
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":30}));
    change_on(&graph, "work", AGE, json!({"n":"Charlie","a":3}));
    merged(&graph, "work", "main");
    let rows = rows_of(&graph, &on("main"));
    for row in [r#""name":"Alice","age":30"#, r#""name":"Bob","age":2"#, r#""name":"Charlie","age":3"#] {
        assert!(rows.iter().any(|line| line.contains(row)), "{row}: {rows:#?}");
    }
}

/// The two newest common commits contradict each other: nobody can say what the row was.
#[test]
fn a_base_that_contradicts_itself() {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":1}));
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":2}));
    let (ours, theirs) = (graph.store().head("main").unwrap(), graph.store().head("work").unwrap());
    change_on(&graph, "main", AGE, json!({"n":"Alice","a":2}));
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":1}));
    graph.merge(theirs.id().as_str(), "main", &MergeOptions::default()).unwrap();
    graph.merge(ours.id().as_str(), "work", &MergeOptions::default()).unwrap();
    assert_eq!(conflicts(&graph, "work", "main"), ["node:Person:Alice divergent_update"]);
    change_on(&graph, "main", DELETE, json!({"n":"Alice"}));
    assert_eq!(conflicts(&graph, "work", "main"), ["node:Person:Alice delete_vs_update"]);
    change_on(&graph, "work", DELETE, json!({"n":"Alice"}));
    merged(&graph, "work", "main");
}

#[test]
fn a_tag_and_a_commit_can_be_merged() {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":1}));
    let first = graph.store().head("work").unwrap();
    graph.store().create_tag("v1", &first, None, false).unwrap();
    change_on(&graph, "work", AGE, json!({"n":"Alice","a":2}));
    assert_eq!(merged(&graph, "v1", "main").source.id(), first.id());
    assert!(rows_of(&graph, &on("main")).iter().any(|row| row.contains(r#""Alice","age":1"#)));
    assert_eq!(merge(&graph, "nothing", "main").unwrap_err().code(), "not_found");
    assert_eq!(merge(&graph, "work", "nothing").unwrap_err().code(), "not_found");
}

/// Tables with rows on one side only, and rows that were folded into other files meanwhile.
#[test]
fn tables_that_come_and_go_and_move() {
    let graph = empty(crate::fixture::SCHEMA);
    fork(&graph, "main", "work");
    load_on(&graph, "work", r#"{"type":"Company","data":{"name":"Acme"}}"#, LoadMode::Append).unwrap();
    for number in 0..70 {
        let row = json!({"type":"Person","data":{"name":format!("p{number}"),"age":number}}).to_string();
        load_on(&graph, "main", &row, LoadMode::Append).unwrap();
    }
    merged(&graph, "work", "main");
    fork(&graph, "main", "other");
    // The first rows stay what they are, and are written into another file together with those that change.
    for number in 40..110 {
        let (name, age) = (format!("p{}", 20 + number % 50), 1000 + number);
        change_on(&graph, "main", AGE, json!({"n":name,"a":age}));
    }
    graph.optimize(Some("main"), &mut |_| {}).unwrap();
    load_on(&graph, "other", r#"{"type":"Person","data":{"name":"new"}}"#, LoadMode::Append).unwrap();
    change_on(&graph, "other", AGE, json!({"n":"p5","a":555}));
    change_on(&graph, "other", DELETE, json!({"n":"p6"}));
    change_on(&graph, "other", "query q() { delete Company where name = \"Acme\" }", none());
    let files = |branch: &str| {
        let entry = graph.store().head(branch).unwrap().record.tables["node:Person"].clone();
        let table = graph.store().table(&entry).unwrap();
        table.fragments().iter().map(|fragment| fragment.files().clone()).collect::<Vec<_>>()
    };
    let (ours, theirs) = (files("main"), files("other"));
    assert!(!ours.iter().any(|file| theirs.contains(file)), "no file is the same on both sides");
    let report = merged(&graph, "other", "main");
    let ids = |table: &str| report.changes[table].ids.clone().unwrap();
    assert_eq!(ids("node:Person").inserted, ["new"]);
    assert_eq!(ids("node:Person").updated, ["p5"]);
    assert_eq!(ids("node:Person").deleted, ["p6"]);
    assert_eq!(ids("node:Company").deleted, ["Acme"]);
    let rows = rows_of(&graph, &on("main"));
    assert_eq!(rows.len(), 70);
    for row in [r#""p5","age":555}"#, r#""p7","age":7}"#, r#""p59","age":1089}"#] {
        assert_eq!(rows.iter().filter(|line| line.contains(row)).count(), 1, "{row}: {rows:#?}");
    }
}
