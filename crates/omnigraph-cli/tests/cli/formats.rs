//! Files other than JSONL, and standard input.

use crate::program::Place;
use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use std::fs::File;
use std::sync::Arc;

fn empty() -> Place {
    let place = Place::new();
    place.run("omnigraph init --schema schema.pg g.omni").success();
    place
}

const ADULTS: &str = "--query queries.gq --name adults g.omni";

#[test]
fn csv() {
    let place = empty();
    place.write("people.csv", "name,age\nAlice,30\n\"Charlie, the 1st\",35\nBob,\n");
    place.write("knows.csv", "from,to,since\nAlice,Bob,2020-01-15\n");
    let loaded = place.json("omnigraph load --data people.csv --type Person --mode append --json g.omni");
    assert_eq!((&loaded["nodes_loaded"], &loaded["edges_loaded"]), (&3.into(), &0.into()));
    place.run("omnigraph load --data knows.csv --type Knows --mode append g.omni").success();
    assert_eq!(place.column(ADULTS), ["Charlie, the 1st"]);
    place.write("bad.csv", "name,age\nAlice,30\nBob,many\n");
    let failed = place.run("omnigraph load --data bad.csv --type Person --mode merge g.omni");
    assert!(failed.stderr.contains("bad.csv: line 3: Person.age"), "{}", failed.stderr);
    let unknown = place.run("omnigraph load --data people.csv --type Persn --mode merge g.omni");
    assert!(unknown.stderr.contains("did you mean `Person`?"), "{}", unknown.stderr);
}

#[test]
fn parquet() {
    let place = empty();
    let names: ArrayRef = Arc::new(StringArray::from(vec!["Alice", "Charlie"]));
    let ages: ArrayRef = Arc::new(Int32Array::from(vec![Some(30), Some(35)]));
    let batch = RecordBatch::try_from_iter([("name", names), ("age", ages)]).expect("a batch");
    let file = File::create(place.path("people.parquet")).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("rows");
    writer.close().expect("a whole file");
    place.run("omnigraph load --data people.parquet --type Person --mode append g.omni").success();
    assert_eq!(place.column(ADULTS), ["Charlie"]);
}

/// What `read` gives as Arrow can be loaded.
#[test]
fn arrow() {
    let place = Place::loaded();
    place.write("all.gq", "query all() { match { $p: Person } return { $p.name as name, $p.age as age } }\n");
    place.run("omnigraph read --query all.gq --format arrow g.omni > people.arrow").success();
    place.run("omnigraph init --schema schema.pg h.omni").success();
    let loaded = place.json("omnigraph load --data people.arrow --type Person --mode append --json h.omni");
    assert_eq!(loaded["nodes_loaded"], 4);
    assert_eq!(
        place.run("omnigraph export --type Person h.omni").success(),
        place.run("omnigraph export --type Person g.omni").success()
    );
}

#[test]
fn standard_input() {
    let place = empty();
    place.run("cat seed.jsonl | omnigraph load --data - --mode append g.omni").success();
    assert_eq!(place.column(ADULTS), ["Charlie"]);
    let csv = "printf 'name,age\\nZoe,77\\n' | \
               omnigraph load --data - --format csv --type Person --mode merge g.omni";
    place.run(csv).success();
    assert_eq!(place.column(ADULTS).len(), 2);
    let bad = place.run("printf '{\"type\":\"Person\"\\n' | omnigraph load --data - --mode append g.omni");
    assert!(bad.stderr.starts_with("error: standard input: line 1: not a JSON record"), "{}", bad.stderr);
}

/// What each mode does to rows that are there.
#[test]
fn modes() {
    let place = Place::loaded();
    place.write("more.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Alice\",\"age\":90}}\n");
    let append = place.run("omnigraph load --data more.jsonl --mode append --json g.omni").error();
    assert_eq!(append["diagnostics"][0]["code"], "duplicate");
    assert_eq!(append["diagnostics"][0]["line"], 1);
    place.write("again.jsonl", "\n{\"edge\":\"WorksAt\",\"from\":\"Alice\",\"to\":\"Acme\"}\n");
    let append = place.run("omnigraph load --data again.jsonl --mode append g.omni");
    assert!(append.stderr.contains("line 2: WorksAt 'Alice -> Acme' is there already"), "{}", append.stderr);
    let merged = place.json("omnigraph load --data more.jsonl --mode merge --json g.omni");
    assert_eq!(merged["changes"][0]["updated"], 1);
    assert_eq!(place.column(ADULTS).len(), 2);
    place.write("solo.jsonl", "{\"type\":\"Company\",\"data\":{\"name\":\"Initech\"}}\n");
    let left = place.run("omnigraph load --data solo.jsonl --mode overwrite --json g.omni").error();
    assert_eq!(left["diagnostics"][0]["code"], "endpoint", "edges would lose their company");
    place
        .run(
            "omnigraph change --query queries.gq --name remove_person --params '{\"name\":\"Alice\"}' g.omni",
        )
        .success();
    place
        .run("omnigraph change --query queries.gq --name remove_person --params '{\"name\":\"Bob\"}' g.omni")
        .success();
    place.run("omnigraph load --data solo.jsonl --mode overwrite g.omni").success();
    assert_eq!(place.run("omnigraph export --type Company g.omni").success().lines().count(), 1);
    assert_eq!(place.run("omnigraph export --type Person g.omni").success().lines().count(), 2, "left alone");
}
