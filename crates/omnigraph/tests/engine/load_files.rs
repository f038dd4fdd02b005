//! CSV, Parquet and Arrow IPC into blocks.

use super::{book, node};
use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Date32Array, Decimal128Array, DictionaryArray, RecordBatch, Time32SecondArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use expect_test::{Expect, expect};
use omnigraph::load::{Blocks, Format, Options, Target, arrow_ipc, batches, csv, cypher, parquet};
use omnigraph::rows::cell_to_json;
use parquet::arrow::ArrowWriter;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Cursor;
use std::sync::Arc;

const PERSON: &str = "node Person {
    name: String @key  age: I32?  ok: Bool?  score: F64?  day: Date?  tags: [String]?  v: Vector(2)?  big: U64?
}";

fn shown(blocks: Blocks) -> String {
    let mut out = String::new();
    for block in blocks {
        match block {
            Err(error) => writeln!(out, "{error}").unwrap(),
            Ok(block) => {
                for (row, line) in block.lines.iter().enumerate() {
                    let cells = block.batch.columns().iter().map(|column| cell_to_json(column, row));
                    writeln!(out, "{line}: {}", cells.collect::<Vec<_>>().join(" ")).unwrap();
                }
            }
        }
    }
    out
}

fn check_csv(text: &str, expected: Expect) {
    let blocks = csv(Cursor::new(text.as_bytes().to_vec()), &node(PERSON), &Options::default()).unwrap();
    expected.assert_eq(&shown(blocks));
}

#[test]
fn csv_rows_are_typed_by_the_schema() {
    check_csv(
        "\u{feff}name,age,ok,score,day,tags,v,big\r\n\
         ann,30,true,1.5,2026-01-31,\"[\"\"x\"\",\"\"y\"\"]\",\"[1,2]\",18446744073709551615\r\n\
         \"two\nlines\",,FALSE,-2e3,,,,\r\n\
         bob,-7,,,,,,0\r\n",
        expect![[r#"
            2: "ann" "ann" 30 true 1.5 "2026-01-31" ["x","y"] [1.0,2.0] "18446744073709551615"
            3: "two\nlines" "two\nlines" null false -2000.0 null null null null
            5: "bob" "bob" -7 null null null null null 0
        "#]],
    );
}

#[test]
fn csv_errors_name_lines() {
    check_csv(
        "nme,age\nann,1\n",
        expect![[r#"
        line 1: Person has no property `nme`; did you mean `name`?
    "#]],
    );
    check_csv(
        "name,age,tags\nann,x,\n\"a\nb\",3,oops\nbob,1\n,4,\ncat,1.5,[1\n",
        expect![[r#"
            line 2: Person.age is I32?, not "x"
            line 3: Person.tags is [String]?, not "oops"
            line 5: 2 fields, but the header has 3
            line 6: Person: the key is empty
            line 7: Person.age is I32?, not "1.5"
            line 7: Person.tags is [String]?, not "[1"
        "#]],
    );
}

#[test]
fn csv_edges_have_ends() {
    let book = book("node P { k: String @key } edge Likes: P -> P { n: I32? }");
    let rules = book.edge("likes").unwrap();
    let text = "from,to,n\na,b,1\nb,,2\n";
    let blocks = csv(Cursor::new(text.as_bytes()), rules, &Options::default()).unwrap();
    assert_eq!(shown(blocks), "line 3: Likes: the id of `to` is empty\n");
    let text = "src,dst,n\na,b,1\n";
    let mut blocks = csv(Cursor::new(text.as_bytes()), rules, &Options::default()).unwrap();
    assert_eq!(blocks.next().unwrap().unwrap().target, Target::Edge("Likes".into()));
}

/// 20,000 people with wider integers than the schema has.
fn people() -> RecordBatch {
    let schema = Schema::new(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("age", DataType::Int64, true),
    ]);
    let (mut names, mut ages) = (StringBuilder::new(), Int64Builder::new());
    for at in 0..20_000 {
        names.append_value(format!("p{at}"));
        ages.append_option((at % 3 != 0).then_some(at));
    }
    RecordBatch::try_new(Arc::new(schema), vec![Arc::new(names.finish()), Arc::new(ages.finish())]).unwrap()
}

fn check_people(blocks: Blocks) {
    let mut row = 0;
    for block in blocks {
        let block = block.unwrap();
        assert!(block.batch.num_rows() <= 8192);
        for at in 0..block.batch.num_rows() {
            assert_eq!(cell_to_json(block.batch.column(0), at), format!("\"p{row}\""));
            let age = if row % 3 == 0 { "null".to_owned() } else { row.to_string() };
            assert_eq!(cell_to_json(block.batch.column(2), at), age);
            row += 1;
            assert_eq!(block.lines[at], row);
        }
    }
    assert_eq!(row, 20_000);
}

#[test]
fn parquet_and_arrow_files_give_the_same_rows() {
    let dir = tempfile::tempdir().unwrap();
    let (rules, options) = (node(PERSON), Options::default());
    let batch = people();

    let path = dir.path().join("p.parquet");
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    check_people(parquet(File::open(&path).unwrap(), &rules, &options).unwrap());

    let path = dir.path().join("p.arrow");
    let mut writer = FileWriter::try_new(File::create(&path).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    check_people(arrow_ipc(File::open(&path).unwrap(), &rules, &options).unwrap());

    let path = dir.path().join("p.arrows");
    let mut writer = StreamWriter::try_new(File::create(&path).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    check_people(arrow_ipc(File::open(&path).unwrap(), &rules, &options).unwrap());
    check_people(batches([Ok(batch)].into_iter(), &rules, &options));
}

#[test]
fn encoded_columns_are_read() {
    let names: DictionaryArray<Int32Type> = ["ann", "bob", "ann"].into_iter().collect();
    let scores = Decimal128Array::from(vec![150, -25, 0]).with_precision_and_scale(10, 2).unwrap();
    let batch = RecordBatch::try_from_iter([
        ("name", Arc::new(names) as ArrayRef),
        ("score", Arc::new(scores) as ArrayRef),
        ("day", Arc::new(Date32Array::from(vec![Some(0), None, Some(-1)])) as ArrayRef),
    ]);
    let blocks = batches([batch].into_iter(), &node(PERSON), &Options::default());
    expect![[r#"
        1: "ann" "ann" null null 1.5 "1970-01-01" null null null
        2: "bob" "bob" null null -0.25 null null null null
        3: "ann" "ann" null null 0.0 "1969-12-31" null null null
    "#]]
    .assert_eq(&shown(blocks));
    let times = Time32SecondArray::from(vec![5]);
    let batch = RecordBatch::try_from_iter([("name", Arc::new(times) as ArrayRef)]);
    let blocks = batches([batch].into_iter(), &node(PERSON), &Options::default());
    assert_eq!(shown(blocks), "line 1: Person.name is String, not a value of another type\n");
}

#[test]
fn files_of_other_formats_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    std::fs::write(&path, "name\nann\n").unwrap();
    let (rules, options) = (node(PERSON), Options::default());
    let found = parquet(File::open(&path).unwrap(), &rules, &options).unwrap_err();
    assert_eq!(found.code(), "bad_input");
    let found = arrow_ipc(File::open(&path).unwrap(), &rules, &options).unwrap_err();
    assert_eq!(found.code(), "bad_input", "{found}");
    let other = node("node Person { nom: String @key }");
    let blocks = batches([Ok(people())].into_iter(), &other, &options);
    expect![[r#"
        Person has no property `name`
        Person has no property `age`
    "#]]
    .assert_eq(&shown(blocks));
}

#[test]
fn names_tell_formats() {
    assert_eq!(Format::of_extension("JSONL"), Some(Format::Jsonl));
    assert_eq!(Format::of_extension("parquet"), Some(Format::Parquet));
    assert_eq!(Format::of_extension("txt"), None);
}

const MOVIES: &str = "node Person { name: String @key  born: I32? }
    node Movie { title: String }
    edge ActedIn: Person -> Movie { roles: [String]? }";

fn check_cypher(text: &str, expected: Expect) {
    let found = match cypher(Cursor::new(text.as_bytes().to_vec()), &book(MOVIES), &Options::default()) {
        Ok(blocks) => shown(blocks),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&found);
}

#[test]
fn a_whole_graph_is_read_from_one_csv() {
    check_cypher(
        "\"_id\",\"_labels\",\"born\",\"name\",\"title\",\"_start\",\"_end\",\"_type\",\"roles\"\r\n\
         \"7\",\":Movie\",\"\",\"\",\"The Matrix\",\"\",\"\",\"\",\"\"\r\n\
         \"8\",\":Actor:Person\",\"1964\",\"Keanu\",\"\",\"\",\"\",\"\",\"\"\r\n\
         \"\",\"\",\"\",\"\",\"\",\"8\",\"7\",\"ACTED_IN\",\"[\"\"Neo\"\"]\"\r\n",
        expect![[r#"
            2: "7" "The Matrix"
            3: "Keanu" "Keanu" 1964
            4: "6TYBQF2CTAXRM2HQ1MHE5PMTTR" "Keanu" "7" ["Neo"]
        "#]],
    );
}

#[test]
fn what_does_not_fit_the_schema_is_named_by_line() {
    check_cypher(
        "_id,_labels,year\n1,:Movie,1999\n",
        expect![[r#"
        line 1: no type of the schema has a property `year`
    "#]],
    );
    check_cypher(
        "name,born\nKeanu,1964\n",
        expect![[r#"
        line 1: the header has neither `_id` and `_labels` nor `_start`, `_end` and `_type`
    "#]],
    );
    check_cypher(
        "_id,_labels,title,name,born,_start,_end,_type\n\
         1,:Film,A,,,,,\n\
         2,:Movie,A,,1999,,,\n\
         3,:Person,,Ann,old,,,\n\
         3,:Person,,Bob,,,,\n\
         ,,,,,3,9,ACTED_IN\n\
         ,,,,,3,2,DIRECTED\n\
         ,,,,,,,\n\
         4,:Movie\n",
        expect![[r#"
            line 2: unknown node type `Film`
            line 3: Movie has no property `born`
            line 4: Person.born is I32?, not "old"
            line 5: there are two nodes with the number 3
            line 6: no row before this one is the node 9
            line 7: unknown edge type `DIRECTED`
            line 8: a row without labels and without a type
            line 9: 2 fields, but the header has 8
        "#]],
    );
}
