//! Merging branches whose schemas are not the same.

use crate::fixture::{change_on, fork, load_on, loaded, none, on, rows_of};
use arrow_array::{ArrayRef, RecordBatch, StringArray, new_null_array};
use arrow_schema::SchemaRef;
use omnigraph::rows::node_schema;
use omnigraph::{Error, Graph, LoadMode, MergeOptions, MergeOutcome};
use omnigraph_compiler::{Schema, Source};
use omnigraph_store::{Draft, Published};
use serde_json::json;
use std::sync::Arc;

const BEFORE: &str = "node P { name: String @key  age: I32?  mail: String? } node Q { name: String @key }";

fn graph() -> Graph {
    let graph = loaded(
        BEFORE,
        r#"{"type":"P","data":{"name":"a","age":1,"mail":"m"}}
{"type":"P","data":{"name":"b","age":2}}
{"type":"Q","data":{"name":"q"}}"#,
    );
    fork(&graph, "main", "work");
    graph
}

/// Gives a branch another schema and its people anew as that schema sees them: a column that the table does not have is
/// null, one with another name is copied.
fn apply(graph: &Graph, branch: &str, schema: &str, renamed: &[(&str, &str)]) {
    let catalog = Schema::parse(&Source::new("next.pg", schema)).unwrap().catalog;
    let columns: SchemaRef = node_schema(&catalog.nodes["P"]);
    let base = graph.store().head(branch).unwrap();
    let table = graph.store().table(base.table("node:P").unwrap()).unwrap();
    let mut stage = graph.store().stage(None, columns.clone()).unwrap();
    for place in 0..table.fragments().len() {
        let rows = table.fragments()[place].rows() as usize;
        let column = |name: &str| {
            let old = renamed.iter().find(|(_, new)| *new == name).map_or(name, |(old, _)| old);
            table.schema().field_with_name(old).ok().map(|_| table.column(place, old).unwrap())
        };
        let arrays: Vec<ArrayRef> = columns
            .fields()
            .iter()
            .map(|field| match (column(field.name()), field.is_nullable()) {
                (Some(array), _) => array,
                (None, true) => new_null_array(field.data_type(), rows),
                (None, false) => Arc::new(StringArray::from(vec!["new"; rows])),
            })
            .collect();
        stage.append(RecordBatch::try_new(columns.clone(), arrays).unwrap()).unwrap();
    }
    let mut draft = Draft { operation: "schema_apply".to_owned(), ..Draft::default() };
    draft.schema = Some(graph.store().add_schema(schema).unwrap());
    draft.tables.insert("node:P".to_owned(), stage.finish().unwrap());
    assert!(matches!(graph.store().publish(branch, &base, &draft).unwrap(), Published::Done(_)));
}

fn merge(graph: &Graph, source: &str, target: &str) -> MergeOutcome {
    graph.merge(source, target, &MergeOptions::default()).unwrap_or_else(|error| panic!("{error}")).outcome
}

fn conflicts(graph: &Graph, source: &str, target: &str) -> Vec<String> {
    match graph.merge(source, target, &MergeOptions::default()) {
        Err(Error::MergeConflicts(found)) => found.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

const MORE: &str =
    "node P { name: String @key  age: I32?  mail: String?  nick: String? } node Q { name: String @key }";

fn edit(graph: &Graph, branch: &str) {
    let rows = r#"{"type":"P","data":{"name":"b","age":22}}
{"type":"P","data":{"name":"c","age":3}}
{"type":"Q","data":{"name":"r"}}
{"delete":"P","id":"a"}"#;
    load_on(graph, branch, rows, LoadMode::Merge).unwrap();
}

const EDITED: [&str; 4] = [
    r#"{"type":"P","data":{"name":"b","age":22}}"#,
    r#"{"type":"P","data":{"name":"c","age":3}}"#,
    r#"{"type":"Q","data":{"name":"q"}}"#,
    r#"{"type":"Q","data":{"name":"r"}}"#,
];

/// Whichever side has the new schema, the merged graph has it, and the rows of both.
#[test]
fn one_side_has_a_new_property() {
    for (source, target) in [("work", "main"), ("main", "work")] {
        let graph = graph();
        apply(&graph, "work", MORE, &[]);
        edit(&graph, "main");
        assert_eq!(merge(&graph, source, target), MergeOutcome::Merged);
        assert_eq!(rows_of(&graph, &on(target)), EDITED, "{source} into {target}");
        assert_eq!(graph.schema(&on(target)).unwrap(), MORE);
        let nick = "query q() { update P set { nick: \"n\" } where name = \"c\" }";
        change_on(&graph, target, nick, none());
        assert!(rows_of(&graph, &on(target)).iter().any(|row| row.contains(r#""nick":"n""#)));
    }
}

#[test]
fn a_new_schema_alone_is_a_fast_forward() {
    let graph = graph();
    apply(&graph, "work", MORE, &[]);
    let report = graph.merge("work", "main", &MergeOptions::default()).unwrap();
    assert_eq!(report.outcome, MergeOutcome::FastForward);
    assert!(
        report.changes.is_empty(),
        "rows that only gained an empty column did not change: {:?}",
        report.changes
    );
    assert_eq!(graph.schema(&on("main")).unwrap(), MORE);
}

#[test]
fn a_property_with_another_name_and_one_with_a_default() {
    let next = "node P { name: String @key  years: I32? @rename_from(\"age\")  mail: String?  \
                kind: String @default(\"new\") } node Q { name: String @key }";
    let graph = graph();
    apply(&graph, "work", next, &[("age", "years")]);
    edit(&graph, "main");
    assert_eq!(merge(&graph, "work", "main"), MergeOutcome::Merged);
    let rows = rows_of(&graph, &on("main"));
    assert_eq!(rows[0], r#"{"type":"P","data":{"name":"b","years":22,"kind":"new"}}"#);
    assert_eq!(rows[1], r#"{"type":"P","data":{"name":"c","years":3,"kind":"new"}}"#);
}

/// Rows of one side must fit the schema of the other.
#[test]
fn rows_that_do_not_fit_the_new_schema() {
    let ranged = "node P { name: String @key  age: I32?  mail: String? @unique  @range(age, 0..10) } node Q { name: String @key }";
    let graph = graph();
    apply(&graph, "work", ranged, &[]);
    let rows = r#"{"type":"P","data":{"name":"c","age":99}}
{"type":"P","data":{"name":"d","mail":"m"}}"#;
    load_on(&graph, "main", rows, LoadMode::Merge).unwrap();
    let found = ["node:P:c (value_constraint_violation)", "node:P:d (unique_violation)"];
    assert_eq!(conflicts(&graph, "work", "main"), found);
    assert_eq!(conflicts(&graph, "main", "work"), found);
}

#[test]
fn both_sides_have_new_schemas() {
    let graph = graph();
    apply(&graph, "work", MORE, &[]);
    apply(&graph, "main", &MORE.replace("nick", "other"), &[]);
    assert_eq!(conflicts(&graph, "work", "main"), ["schema (divergent_schema)"]);
    let same = crate::merge_schemas::graph();
    apply(&same, "work", MORE, &[]);
    apply(&same, "main", &format!("// the same\n{MORE}"), &[]);
    change_on(&same, "work", "query q() { insert P { name: \"w\" } }", none());
    change_on(&same, "main", "query q() { insert P { name: \"m\" } }", json!({}));
    assert_eq!(
        merge(&same, "work", "main"),
        MergeOutcome::Merged,
        "schemas that declare the same are the same"
    );
    assert_eq!(rows_of(&same, &on("main")).len(), 5);
}
