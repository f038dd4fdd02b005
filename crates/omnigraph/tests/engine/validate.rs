//! What one row must be.

use super::{catalog, node};
use expect_test::{Expect, expect};
use omnigraph::rows::{Cell, RowBuilder, Ulids, json_cell};
use omnigraph::validate::{TypeRules, Violation, validate_batch};
use proptest::prelude::*;
use std::sync::Arc;

const PERSON: &str = "node Person {
    name: String @key
    age: I32?
    mood: enum(good, bad) @default(\"good\")
    code: String?
    score: F64?
    tags: [String]?
    v: Vector(3)?
    seen: DateTime?
    raw: Blob?
    rank: U64?
    levels: [I32]?
    @range(age, 0..150)
    @range(score, ..1.5)
    @range(levels, 1..)
    @check(code, \"^[A-Z]{3}$\")
}";

fn violations(schema: &str, rows: &[&str]) -> Vec<Violation> {
    let mut builder = RowBuilder::new(node(schema));
    for (at, row) in rows.iter().enumerate() {
        let value: serde_json::Value = serde_json::from_str(row).unwrap();
        builder.start(Some(at as u64 + 1));
        for (name, value) in value.as_object().unwrap() {
            builder.set(name, json_cell(value));
        }
        builder.end();
    }
    builder.violations().to_vec()
}

fn check(rows: &[&str], expected: Expect) {
    let found = violations(PERSON, rows);
    let text: Vec<String> =
        found.iter().map(|found| format!("{found} [{}]\n", found.code.as_str())).collect();
    expected.assert_eq(&text.concat());
}

#[test]
fn good_rows_pass() {
    check(
        &[
            r#"{"name":"a"}"#,
            r#"{"name":"b","age":0,"mood":"bad","code":"ABC","score":1.5,"tags":[],"v":[1,2,3],"rank":"18446744073709551615"}"#,
            r#"{"name":"c","age":150,"mood":null,"seen":"2026-01-01","raw":"base64:","levels":[1,2]}"#,
        ],
        expect![""],
    );
}

#[test]
fn each_broken_promise_is_named() {
    check(
        &[
            r#"{"name":"a","age":212}"#,
            r#"{"name":"a","age":-1,"score":1.6}"#,
            r#"{"name":"a","mood":"god"}"#,
            r#"{"name":"a","code":"abc"}"#,
            r#"{"name":"a","v":[1,2]}"#,
            r#"{"name":"a","tags":["x",null]}"#,
            r#"{"name":"a","agee":3}"#,
            r#"{"name":"a","age":"7"}"#,
            r#"{"name":"a","age":2147483648}"#,
            r#"{"name":"a","age":1.5}"#,
            r#"{"name":"a","seen":"yesterday"}"#,
            r#"{"name":"a","raw":"http://x"}"#,
            r#"{"name":"a","raw":"base64:?"}"#,
            r#"{"name":"a","rank":"-1"}"#,
            r#"{"name":"a","tags":"x"}"#,
            r#"{"name":"a","age":[1]}"#,
            r#"{"name":"a","age":{"x":1}}"#,
            r#"{"name":"a","levels":[3,0]}"#,
            r#"{"age":3}"#,
            r#"{"name":""}"#,
            r#"{"name":"a","v":[1,"x",3]}"#,
        ],
        expect![[r#"
            line 1: @range violation on Person.age: 212 is above 150 [range]
            line 2: @range violation on Person.age: -1 is below 0 [range]
            line 2: @range violation on Person.score: 1.6 is above 1.5 [range]
            line 3: enum violation on Person.mood: "god" is not one of [bad, good]; did you mean `good`? [enum]
            line 4: @check violation on Person.code: "abc" does not match ^[A-Z]{3}$ [check]
            line 5: Person.v is Vector(3)?, not 2 elements [dimension]
            line 6: Person.tags is [String]?, whose elements are never null [type]
            line 7: Person has no property `agee`; did you mean `age`? [unknown_property]
            line 8: Person.age is I32?, not "7" [type]
            line 9: Person.age: 2147483648 does not fit I32, which goes from -2147483648 to 2147483647 [type]
            line 10: Person.age is I32, and 1.5 is not a whole number [type]
            line 11: Person.seen: "yesterday" is not a valid date and time; write YYYY-MM-DDTHH:MM:SSZ [type]
            line 12: Person.raw: "http://x" is not a blob; blobs are written base64:… [type]
            line 13: Person.raw: the blob is not valid base64: Invalid symbol 63, offset 0. [type]
            line 14: Person.rank: -1 does not fit U64, which goes from 0 to 18446744073709551615 [type]
            line 15: Person.tags is [String]?, not "x" [type]
            line 16: Person.age is I32?, not a list [type]
            line 17: Person.age is I32?, not an object [type]
            line 18: @range violation on Person.levels: 0 is below 1 [range]
            line 19: Person.name is required and missing [required]
            line 20: Person: the key is empty [id]
            line 21: Person.v is Vector(3)?, not "x" [type]
        "#]],
    );
}

#[test]
fn several_things_can_be_wrong_with_one_row() {
    let found = violations(PERSON, &[r#"{"name":"ann","age":999,"code":"x"}"#]);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|found| found.row.as_deref() == Some("ann") && found.line == Some(1)));
    assert_eq!(found[0].property.as_deref(), Some("age"));
    assert_eq!(found[0].type_name, "Person");
}

#[test]
fn a_value_is_given_once_and_ids_agree() {
    let mut builder = RowBuilder::new(node(PERSON));
    builder.start(None);
    builder.set("name", Cell::Text("a"));
    builder.set("name", Cell::Text("b"));
    builder.end();
    builder.start(None);
    builder.id("other");
    builder.set("name", Cell::Text("a"));
    builder.end();
    builder.start(None);
    builder.set("name", Cell::Text(&"x".repeat(1025)));
    builder.end();
    let error = builder.finish(&mut Ulids::seeded(0, 0)).unwrap_err().to_string();
    assert_eq!(
        error,
        "Person.name is given twice\n\
         Person: the id 'other' contradicts the key 'a'\n\
         Person: the key has 1025 bytes, 1024 are allowed"
    );
}

#[test]
fn embedded_vectors_may_wait() {
    let rules = node("node Doc { title: String @key  v: Vector(2) @embed(title) }");
    let mut builder = RowBuilder::new(Arc::clone(&rules));
    builder.start(None);
    builder.set("title", Cell::Text("t"));
    builder.end();
    let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
    assert!(batch.schema().field(2).is_nullable() && !rules.schema().field(2).is_nullable());
    let found = validate_batch(&rules, &batch, 10);
    assert_eq!(found[0].to_string(), "Doc.v is required and missing");
}

#[test]
fn whole_numbers_and_floats_are_compared_exactly() {
    let schema = "node N { k: String @key  l: I64  @range(l, 0.5..9007199254740992) }";
    let row = |value: i64| violations(schema, &[&format!(r#"{{"k":"a","l":{value}}}"#)]).len();
    assert_eq!([row(0), row(1), row(9_007_199_254_740_992), row(9_007_199_254_740_993)], [1, 0, 0, 1]);
}

#[test]
fn violations_that_need_other_rows_have_their_words() {
    let unique = Violation::unique("Person", &["email".into()], "b", "x@y", "a");
    let endpoint = Violation::endpoint("Knows", "src", "z", "Person", "01").at(Some(7));
    let card = Violation::cardinality("WorksAt", "ann", 2, 0, Some(1));
    let few = Violation::cardinality("WorksAt", "ann", 0, 1, None);
    let twice = Violation::duplicate("Person", "ann", Some(3)).at(Some(9));
    let text = [unique, endpoint, card, few, twice].map(|violation| violation.to_string()).join("\n");
    expect![[r#"
        @unique violation on Person(email): 'x@y' of 'b' is also the value of 'a'
        line 7: edge Knows: src 'z' not found in Person
        @card violation on edge WorksAt: source 'ann' has 2 edges (max 1)
        @card violation on edge WorksAt: source 'ann' has 0 edges (min 1)
        line 9: Person 'ann' is on line 3 too"#]]
    .assert_eq(&text);
}

proptest! {
    /// The same cells are judged the same whether they come one by one or as a batch.
    #[test]
    fn cells_and_batches_are_judged_alike(ages in prop::collection::vec(prop::option::of(-5..200_i32), 1..20)) {
        let strict = "node P { k: String @key  age: I32?  @range(age, 0..150) }";
        let loose = "node P { k: String @key  age: I32? }";
        let build = |schema: &str| {
            let mut builder = RowBuilder::new(node(schema));
            for (at, age) in ages.iter().enumerate() {
                builder.start(None);
                builder.set("k", Cell::Text(&at.to_string()));
                builder.set("age", age.map_or(Cell::Null, |age| Cell::Int(age.into())));
                builder.end();
            }
            builder
        };
        let batch = build(loose).finish(&mut Ulids::seeded(0, 0)).unwrap();
        let catalog = catalog(strict);
        let rules = TypeRules::of_node(&catalog.nodes["P"]).unwrap();
        prop_assert_eq!(validate_batch(&rules, &batch, 1000), build(strict).violations().to_vec());
    }
}
