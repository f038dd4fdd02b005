//! Results in every format.

use super::node;
use arrow_ipc::reader::StreamReader;
use expect_test::{Expect, expect};
use omnigraph::render::{Layout, QueryResult, ReadTarget, TableOptions};
use omnigraph::rows::{RowBuilder, Ulids, data_type, json_cell};
use omnigraph_compiler::{Scalar, Type};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

const PERSON: &str = "node Person { name: String  age: I64?  born: Date?  tags: [String]?  raw: Blob? }";

fn result(rows: &[&str]) -> QueryResult {
    let mut builder = RowBuilder::new(node(PERSON));
    for row in rows {
        let value: serde_json::Value = serde_json::from_str(row).unwrap();
        builder.start(None);
        for (name, value) in value.as_object().unwrap() {
            builder.set(name, json_cell(value));
        }
        builder.end();
    }
    let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
    let batch = batch.project(&[1, 2, 3, 4, 5]).unwrap();
    let columns = [Scalar::String, Scalar::I64, Scalar::Date, Scalar::String, Scalar::Blob];
    let names = ["p.name", "p.age", "p.born", "tags", "raw"];
    let columns = names.into_iter().zip(columns).map(|(name, scalar)| {
        let ty = if name == "tags" { Type::list_of(scalar) } else { Type::scalar(scalar) };
        (name.to_owned(), data_type(&ty.with_null(true)))
    });
    // Two batches, so that the border between them shows.
    let batches = if batch.num_rows() > 1 {
        vec![batch.slice(0, 1), batch.slice(1, batch.num_rows() - 1)]
    } else {
        vec![batch]
    };
    let target = ReadTarget { branch: Some("main".into()), snapshot: None };
    QueryResult { query_name: "people".into(), target, columns: columns.collect(), batches }
}

fn people() -> QueryResult {
    result(&[
        r#"{"name":"Alice, \"Al\"","age":30,"born":"1996-02-29","tags":["a","b c"],"raw":"base64:aGk="}"#,
        r#"{"name":"Bob\nJr","age":9007199254740993}"#,
        r#"{"name":"","age":null,"tags":[]}"#,
    ])
}

#[test]
fn json_has_rows_by_name_in_order() {
    let pretty = people().to_json(true);
    expect![[r#"
        {
          "query_name": "people",
          "target": {"branch":"main","snapshot":null},
          "row_count": 3,
          "columns": ["p.name","p.age","p.born","tags","raw"],
          "rows": [
            {"p.name":"Alice, \"Al\"","p.age":30,"p.born":"1996-02-29","tags":["a","b c"],"raw":"base64:aGk="},
            {"p.name":"Bob\nJr","p.age":"9007199254740993","p.born":null,"tags":null,"raw":null},
            {"p.name":"","p.age":null,"p.born":null,"tags":[],"raw":null}
          ]
        }"#]]
    .assert_eq(&pretty);
    let compact = people().to_json(false);
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(read(&pretty), read(&compact));
    assert!(!compact.contains('\n'));
    assert_eq!(read(&result(&[]).to_json(true))["rows"], serde_json::json!([]));
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(text);
}

#[test]
fn lines_begin_with_metadata() {
    check(
        &people().to_jsonl(),
        expect![[r#"
            {"kind":"metadata","query_name":"people","target":{"branch":"main","snapshot":null},"row_count":3,"columns":["p.name","p.age","p.born","tags","raw"]}
            {"p.name":"Alice, \"Al\"","p.age":30,"p.born":"1996-02-29","tags":["a","b c"],"raw":"base64:aGk="}
            {"p.name":"Bob\nJr","p.age":"9007199254740993","p.born":null,"tags":null,"raw":null}
            {"p.name":"","p.age":null,"p.born":null,"tags":[],"raw":null}
        "#]],
    );
}

#[test]
fn csv_quotes_what_needs_it() {
    let csv = people().to_csv();
    check(
        &csv,
        expect![[r#"
            p.name,p.age,p.born,tags,raw
            "Alice, ""Al""",30,1996-02-29,"[""a"",""b c""]",base64:aGk=
            "Bob
            Jr",9007199254740993,,,
            "",,,[],
        "#]],
    );
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    assert_eq!(names, ["Alice, \"Al\"", "Bob\nJr", ""]);
}

#[test]
fn kv_is_a_block_per_row() {
    check(
        &people().to_kv(),
        expect![[r#"
            row 1
            p.name: Alice, "Al"
            p.age: 30
            p.born: 1996-02-29
            tags: ["a","b c"]
            raw: base64:aGk=

            row 2
            p.name: Bob
              Jr
            p.age: 9007199254740993
            p.born: null
            tags: null
            raw: null

            row 3
            p.name: 
            p.age: null
            p.born: null
            tags: []
            raw: null
        "#]],
    );
}

#[test]
fn tables_fit() {
    check(
        &people().to_table(&TableOptions::default()),
        expect![[r#"
            3 rows from branch main via people
            p.name                  p.age  p.born      tags         raw
            -----------  ----------------  ----------  -----------  -----------
            Alice, "Al"                30  1996-02-29  ["a","b c"]  base64:aGk=
            Bob\nJr      9007199254740993  null        null         null
                                     null  null        []           null
        "#]],
    );
    let wide = result(&[
        r#"{"name":"the quick brown fox jumps over the lazy dog","age":7}"#,
        r#"{"name":"東京タワーは高い","age":12}"#,
    ]);
    let narrow = TableOptions { width: Some(44), ..TableOptions::default() };
    check(
        &wide.to_table(&narrow),
        expect![[r#"
            2 rows from branch main via people
            p.name             p.age  p.born  tags  raw
            -----------------  -----  ------  ----  ----
            the quick brown …      7  null    null  null
            東京タワーは高い      12  null    null  null
        "#]],
    );
    let wrapped = TableOptions { max_column_width: 12, layout: Layout::Wrap, width: None };
    check(
        &wide.to_table(&wrapped),
        expect![[r#"
            2 rows from branch main via people
            p.name        p.age  p.born  tags  raw
            ------------  -----  ------  ----  ----
            the quick         7  null    null  null
            brown fox
            jumps over
            the lazy dog
            東京タワーは     12  null    null  null
            高い
        "#]],
    );
    check(
        &result(&[]).to_table(&TableOptions::default()),
        expect![[r#"
            0 rows from branch main via people
            p.name  p.age  p.born  tags  raw
            ------  -----  ------  ----  ---
        "#]],
    );
}

#[test]
fn arrow_streams_hold_the_same_rows() {
    let people = people();
    let bytes = people.to_arrow_ipc().unwrap();
    let read: Vec<_> = StreamReader::try_new(bytes.as_slice(), None).unwrap().map(Result::unwrap).collect();
    assert_eq!(read.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), 3);
    assert_eq!(read[0].schema().field(0).name(), "p.name");
    let again = QueryResult { batches: read, ..people.clone() };
    assert_eq!(again.to_json(true), people.to_json(true));
    let empty = QueryResult { batches: Vec::new(), ..people };
    let bytes = empty.to_arrow_ipc().unwrap();
    let reader = StreamReader::try_new(bytes.as_slice(), None).unwrap();
    assert_eq!(reader.schema().fields().len(), 5);
    assert_eq!(reader.count(), 0);
}

proptest! {
    #[test]
    fn tables_are_never_wider_than_asked(name in "\\PC{0,40}|[a-z ]{0,60}", width in 30..80_usize, wraps in prop::bool::ANY) {
        let row = serde_json::json!({ "name": name, "age": 5 }).to_string();
        let layout = if wraps { Layout::Wrap } else { Layout::Truncate };
        let table = result(&[&row]).to_table(&TableOptions { width: Some(width), max_column_width: 20, layout });
        for line in table.lines().skip(1) {
            prop_assert!(line.width() <= width, "{} > {width}: {line:?}", line.width());
        }
    }
}
