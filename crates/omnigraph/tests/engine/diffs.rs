//! Diffs, patches, the feed of changes, single rows.

use crate::fixture::{change_on, fork, load_on, loaded, none, on, people, rows_of};
use omnigraph::{
    ChangeFilter, ChangeOp, Cursor, DiffOptions, EntityKind, Feed, FeedOptions, Graph, LoadMode,
    MergeOptions, Target,
};
use serde_json::json;

fn lines(graph: &Graph, from: &Target, to: &Target, filter: ChangeFilter) -> Vec<String> {
    let options = DiffOptions { filter, with_rows: false };
    let set = graph.diff(from, to, &options).unwrap();
    let shown = set.changes.iter().map(|change| {
        let who = match &change.endpoints {
            Some(ends) => format!("{} -> {}", ends.src, ends.dst),
            None => change.id.clone(),
        };
        format!("{} {} {who}", change.op.as_str(), change.table_key)
    });
    let lines: Vec<String> = shown.collect();
    assert_eq!(set.stats.totals().iter().sum::<u64>() as usize, lines.len());
    lines
}

fn edited() -> Graph {
    let graph = people();
    fork(&graph, "main", "work");
    change_on(&graph, "work", "query q() { update Person set { age: 31 } where name = \"Alice\" }", none());
    change_on(&graph, "work", "query q() { delete Person where name = \"Bob\" }", none());
    change_on(&graph, "work", "query q() { insert Person { name: \"Eve\" } }", none());
    change_on(&graph, "work", "query q() { insert Knows { from: \"Eve\", to: \"Alice\" } }", none());
    graph
}

#[test]
fn what_differs_and_what_is_asked_for() {
    let graph = edited();
    let all = [
        "update node:Person Alice",
        "delete node:Person Bob",
        "insert node:Person Eve",
        "delete edge:Knows Alice -> Bob",
        "delete edge:Knows Bob -> Diana",
        "insert edge:Knows Eve -> Alice",
        "delete edge:WorksAt Bob -> Globex",
    ];
    let mut found = lines(&graph, &on("main"), &on("work"), ChangeFilter::default());
    found[3..6].sort();
    assert_eq!(found, all);
    let of = |filter| lines(&graph, &on("main"), &on("work"), filter);
    let nodes = ChangeFilter { kinds: vec![EntityKind::Node], ..ChangeFilter::default() };
    assert_eq!(of(nodes), all[..3]);
    let updates = ChangeFilter { ops: vec![ChangeOp::Update, ChangeOp::Insert], ..ChangeFilter::default() };
    assert_eq!(of(updates), [all[0], all[2], all[5]]);
    let people = ChangeFilter {
        type_names: vec!["Person".to_owned()],
        ops: vec![ChangeOp::Delete],
        ..ChangeFilter::default()
    };
    assert_eq!(of(people), [all[1]]);
    let unknown = ChangeFilter { type_names: vec!["Persn".to_owned()], ..ChangeFilter::default() };
    let options = DiffOptions { filter: unknown, with_rows: false };
    let error = graph.diff(&on("main"), &on("work"), &options).unwrap_err().to_string();
    assert_eq!(error, "the graph has no type `Persn`; did you mean `Person`?");
    assert!(lines(&graph, &on("work"), &on("work"), ChangeFilter::default()).is_empty());
    // Backwards, rows that are deleted in the newer state are new.
    let back = lines(&graph, &on("work"), &on("main"), ChangeFilter::default());
    assert!(back.contains(&"insert node:Person Bob".to_owned()), "{back:?}");
    assert_eq!(back.len(), all.len());
}

#[test]
fn values_before_and_behind() {
    let graph = edited();
    let options = DiffOptions { with_rows: true, ..DiffOptions::default() };
    let set = graph.diff(&on("main"), &on("work"), &options).unwrap();
    let alice = &set.changes[0];
    assert_eq!(json!(alice.before), json!({"id":"Alice","name":"Alice","age":30}));
    assert_eq!(json!(alice.after), json!({"id":"Alice","name":"Alice","age":31}));
    let eve = set.changes.iter().find(|change| change.id == "Eve").unwrap();
    assert_eq!((json!(eve.before), json!(eve.after)), (json!(null), json!({"id":"Eve","name":"Eve"})));
    assert_eq!(set.branch, None);
    assert_eq!(set.from.record.version + 4, set.to.record.version);
}

#[test]
fn a_patch_can_be_loaded() {
    let graph = edited();
    let mut patch = Vec::new();
    let stats = graph.patch(&on("main"), &on("work"), &ChangeFilter::default(), &mut patch).unwrap();
    assert_eq!(stats.totals(), [2, 1, 4]);
    let patch = String::from_utf8(patch).unwrap();
    let first = patch.lines().next().unwrap();
    assert!(first.starts_with(r#"{"delete":"WorksAt","from":"Bob","to":"Globex","id":"#), "{first}");
    assert!(patch.contains("{\"delete\":\"Person\",\"id\":\"Bob\"}\n"), "{patch}");
    assert!(
        patch.ends_with("{\"edge\":\"Knows\",\"from\":\"Eve\",\"to\":\"Alice\",\"data\":{}}\n"),
        "{patch}"
    );
    let report = load_on(&graph, "main", &patch, LoadMode::Merge).unwrap();
    assert_eq!(report.changes["node:Person"].deleted, 1);
    assert_eq!(rows_of(&graph, &on("main")), rows_of(&graph, &on("work")));
    assert!(lines(&graph, &on("main"), &on("work"), ChangeFilter::default()).is_empty());
    let again = load_on(&graph, "main", &patch, LoadMode::Merge).unwrap();
    assert!(!again.committed, "what is gone is gone, what is the same stays");
}

#[test]
fn deleting_by_load() {
    let graph = people();
    let failed = |data: &str, mode| load_on(&graph, "main", data, mode).unwrap_err().to_string();
    let bob = r#"{"delete":"Person","id":"Bob"}"#;
    assert_eq!(failed(bob, LoadMode::Append), "line 1: a record that deletes needs mode merge");
    let both = format!("{bob}\n{}", r#"{"type":"Person","data":{"name":"Bob"}}"#);
    assert_eq!(failed(&both, LoadMode::Merge), "line 2: Person 'Bob' is both written and deleted");
    let edge = format!("{}\n{bob}", r#"{"edge":"Knows","from":"Diana","to":"Bob"}"#);
    assert_eq!(failed(&edge, LoadMode::Merge), "line 1: edge Knows: dst 'Bob' not found in Person");
    let mixed = r#"{"delete":"Person","id":"Bob","data":{}}"#;
    assert!(failed(mixed, LoadMode::Merge).contains("a record that deletes has"));
    assert!(failed(r#"{"delete":"Knows","id":"x"}"#, LoadMode::Merge).contains("has no `from`"));
    assert!(failed(r#"{"delete":"Persn","id":"x"}"#, LoadMode::Merge).contains("did you mean `Person`?"));
    assert!(
        failed(r#"{"type":"Person","id":"x","data":{"name":"y"}}"#, LoadMode::Merge)
            .contains("the id 'x' contradicts the key 'y'")
    );
    // The edges of a node go with it.
    let report = load_on(&graph, "main", bob, LoadMode::Merge).unwrap();
    assert_eq!(report.changes["edge:Knows"].ids.as_ref().unwrap().deleted.len(), 2);
    assert_eq!(report.changes["edge:WorksAt"].deleted, 1);
    assert_eq!(rows_of(&graph, &on("main")).len(), 7);
}

#[test]
fn deleting_by_load_keeps_what_the_schema_promises() {
    let graph = loaded(
        "node P { n: String @key  m: String? @unique } node T { n: String @key } edge Has: P -> T @card(1..2)",
        r#"{"type":"P","data":{"n":"a","m":"one"}}
{"type":"T","data":{"n":"x"}}
{"type":"T","data":{"n":"y"}}
{"edge":"Has","from":"a","to":"x"}"#,
    );
    let few =
        load_on(&graph, "main", r#"{"delete":"Has","from":"a","to":"x"}"#, LoadMode::Merge).unwrap_err();
    assert!(few.to_string().contains("source 'a' has 0 edges (min 1)"), "{few}");
    let swapped = r#"{"delete":"Has","from":"a","to":"x"}
{"edge":"Has","from":"a","to":"y"}"#;
    load_on(&graph, "main", swapped, LoadMode::Merge).unwrap();
    let renamed = r#"{"delete":"P","id":"a"}
{"type":"P","data":{"n":"b","m":"one"}}
{"edge":"Has","from":"b","to":"y"}"#;
    load_on(&graph, "main", renamed, LoadMode::Merge).unwrap();
    assert_eq!(rows_of(&graph, &on("main")).len(), 4);
}

fn feed(graph: &Graph, since: &Cursor, limit: usize) -> Feed {
    let options = FeedOptions {
        branch: Some("work".to_owned()),
        since: since.clone(),
        limit,
        diff: DiffOptions::default(),
    };
    graph.changes_since(&options).unwrap()
}

#[test]
fn the_feed_misses_nothing() {
    let graph = edited();
    let start = graph.store().resolve(&Target::Version("main".to_owned(), 1)).unwrap();
    let start = Cursor { commit: start.id().clone(), seen: 0 };
    let whole = feed(&graph, &start, 1_000);
    assert!(!whole.has_more);
    assert_eq!(whole.cursor.commit, *graph.store().head("work").unwrap().id());
    let shown = |feed: &Feed| -> Vec<String> {
        let one = feed.changes.iter();
        one.map(|found| {
            format!("{} {} {}", found.change.manifest_version, found.change.op.as_str(), found.change.id)
        })
        .collect()
    };
    assert_eq!(whole.changes.len(), 11 + 1 + 4 + 1 + 1, "{:#?}", shown(&whole));
    assert_eq!(shown(&whole)[11], "3 update Alice");
    for size in [1, 2, 3, 7] {
        let (mut at, mut parts) = (start.clone(), Vec::new());
        loop {
            let part = feed(&graph, &at, size);
            assert!(part.changes.len() <= size);
            parts.extend(shown(&part));
            at = part.cursor.to_string().parse().unwrap();
            if !part.has_more {
                break;
            }
        }
        assert_eq!(parts, shown(&whole), "in parts of {size}");
    }
    assert!(feed(&graph, &whole.cursor, 10).changes.is_empty());
    graph.merge("work", "main", &MergeOptions::default()).unwrap();
    let main = graph.store().head("main").unwrap();
    let elsewhere = FeedOptions {
        branch: Some("work".to_owned()),
        since: Cursor { commit: main.id().clone(), seen: 0 },
        limit: 1,
        diff: DiffOptions::default(),
    };
    assert_eq!(graph.changes_since(&elsewhere).unwrap_err().code(), "not_found");
}

#[test]
fn one_row_at_many_times() {
    let graph = edited();
    let age = |target: &Target| {
        graph.entity_at(target, "Person", "Alice").unwrap().map(|found| found.values["age"].clone())
    };
    assert_eq!(age(&on("work")), Some(json!(31)));
    assert_eq!(age(&on("main")), Some(json!(30)));
    assert_eq!(age(&Target::Version("work".to_owned(), 2)), Some(json!(30)));
    assert_eq!(age(&Target::Version("work".to_owned(), 1)), None);
    assert!(graph.entity_at(&on("work"), "node:Person", "Bob").unwrap().is_none());
    let set = graph.diff(&on("main"), &on("work"), &DiffOptions::default()).unwrap();
    let edge =
        set.changes.iter().find(|change| change.op == ChangeOp::Insert && change.kind == EntityKind::Edge);
    let found = graph.entity_at(&on("work"), "knows", &edge.unwrap().id).unwrap().unwrap();
    assert_eq!(found.endpoints.unwrap().src, "Eve");
    let error = graph.entity_at(&on("work"), "Persn", "x").unwrap_err().to_string();
    assert!(error.contains("did you mean `Person`?"), "{error}");
}

/// Writes a table anew, row by row, as maintenance does; no row is different.
fn rewrite(graph: &Graph, key: &str) {
    let base = graph.store().head("main").unwrap();
    let table = graph.store().table(base.table(key).unwrap()).unwrap();
    let names: Vec<&str> = table.schema().fields().iter().map(|field| field.name().as_str()).collect();
    let mut stage = graph.store().stage(None, table.schema().clone()).unwrap();
    for place in 0..table.fragments().len() {
        let live = table.live(place).unwrap();
        let rows = 0..table.fragments()[place].rows();
        let rows: Vec<u32> =
            rows.filter(|row| live.as_ref().is_none_or(|live| live.value(*row as usize))).collect();
        let columns = table.rows_of(place, &names, &rows).unwrap();
        stage.append(arrow_array::RecordBatch::try_new(table.schema().clone(), columns).unwrap()).unwrap();
    }
    let mut draft =
        omnigraph_store::Draft { operation: "optimize".to_owned(), ..omnigraph_store::Draft::default() };
    draft.tables.insert(key.to_owned(), stage.finish().unwrap());
    graph.store().publish("main", &base, &draft).unwrap();
}

/// Files that were all rewritten: what commits say of themselves tells which rows changed.
#[test]
fn tables_that_were_written_anew() {
    for count in [100, 40_000] {
        let rows = (0..count)
            .map(|name| json!({"type":"Person","data":{"name":format!("p{name}"),"age":1}}).to_string());
        let graph = loaded(crate::fixture::SCHEMA, &rows.collect::<Vec<_>>().join("\n"));
        fork(&graph, "main", "work");
        rewrite(&graph, "node:Person");
        assert!(lines(&graph, &on("work"), &on("main"), ChangeFilter::default()).is_empty());
        let age = "query q($n: String, $a: I32) { update Person set { age: $a } where name = $n }";
        change_on(&graph, "main", age, json!({"n":"p7","a":2}));
        change_on(&graph, "work", age, json!({"n":"p8","a":3}));
        change_on(&graph, "work", "query q() { delete Person where name = \"p9\" }", none());
        let differ = ["update node:Person p7", "update node:Person p8", "insert node:Person p9"];
        assert_eq!(lines(&graph, &on("work"), &on("main"), ChangeFilter::default()), differ);
        let report = graph.merge("work", "main", &MergeOptions::default()).unwrap();
        let ids = report.changes["node:Person"].ids.clone().unwrap();
        assert_eq!((ids.updated, ids.deleted), (vec!["p8".to_owned()], vec!["p9".to_owned()]));
        let left = lines(&graph, &on("work"), &on("main"), ChangeFilter::default());
        assert_eq!(left, ["update node:Person p7"]);
        assert_eq!(rows_of(&graph, &on("main")).len(), count - 1);
    }
}
