//! Types, identity, values there and back.

use super::{catalog, node};
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use omnigraph::rows::{
    Cell, RowBuilder, Ulids, cell_to_json, edge_id, edge_schema, json_cell, key_id, node_schema, type_of,
};
use omnigraph_compiler::{Literal, parse_date, parse_datetime};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

const EVERYTHING: &str = "node All {
    k: String @key  s: String?  b: Bool?  i: I32?  l: I64?  u: U32?  w: U64?  f: F32?  d: F64?
    day: Date?  at: DateTime?  raw: Blob?  v: Vector(2)?  e: enum(low, high)?  tags: [String]?  days: [Date]?
}";

#[test]
fn tables_have_the_types_of_the_schema() {
    let catalog = catalog(&format!(
        "{EVERYTHING} edge Near: All -> All {{ since: Date }} node Slug {{ id: String @key }}"
    ));
    let schema = node_schema(&catalog.nodes["All"]);
    let types: Vec<String> =
        schema.fields().iter().map(|field| format!("{} {}", field.name(), field.data_type())).collect();
    let expected = [
        "id Utf8",
        "k Utf8",
        "s Utf8",
        "b Boolean",
        "i Int32",
        "l Int64",
        "u UInt32",
        "w UInt64",
        "f Float32",
        "d Float64",
        "day Date32",
        "at Date64",
        "raw LargeBinary",
    ];
    assert_eq!(types[..13], expected);
    assert!(
        matches!(schema.field(13).data_type(), DataType::FixedSizeList(item, 2) if *item.data_type() == DataType::Float32)
    );
    assert!(
        matches!(schema.field(15).data_type(), DataType::List(item) if *item.data_type() == DataType::Utf8)
    );
    assert!(!schema.field(1).is_nullable() && schema.field(2).is_nullable());
    for property in &catalog.nodes["All"].body.properties {
        let back = type_of(&omnigraph::rows::data_type(&property.ty), property.ty.nullable).unwrap();
        assert!(back.fits(&property.ty), "{}", property.name);
    }
    let names = |schema: &arrow_schema::Schema| -> Vec<String> {
        schema.fields().iter().map(|field| field.name().clone()).collect()
    };
    assert_eq!(names(&edge_schema(&catalog.edges["Near"])), ["id", "src", "dst", "since"]);
    assert_eq!(names(&node_schema(&catalog.nodes["Slug"])), ["id"]);
}

/// A row of JSON, stored and shown again.
fn round_trip(value: &str) -> String {
    let mut builder = RowBuilder::new(node(EVERYTHING));
    let value: serde_json::Value = serde_json::from_str(value).unwrap();
    builder.start(None);
    builder.set("k", Cell::Text("row"));
    for (name, value) in value.as_object().unwrap() {
        builder.set(name, json_cell(value));
    }
    builder.end();
    let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap_or_else(|error| panic!("{error}"));
    let schema = batch.schema();
    let fields = schema.fields().iter().zip(batch.columns()).skip(2);
    let shown = fields.filter(|(_, column)| !arrow_array::Array::is_null(column, 0));
    shown
        .map(|(field, column)| format!("{}={}", field.name(), cell_to_json(column, 0)))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn values_come_back_as_they_were() {
    assert_eq!(
        round_trip(
            r#"{"s":"a \"q\" \\ \n é","b":true,"i":-5,"l":9007199254740991,"u":7,"w":3,"f":0.1,"d":1e300}"#
        ),
        r#"s="a \"q\" \\ \n é" b=true i=-5 l=9007199254740991 u=7 w=3 f=0.1 d=1e300"#
    );
    assert_eq!(
        round_trip(
            r#"{"day":"2026-02-28","at":"2026-02-28T23:59:59.5+01:00","raw":"base64:aGk=","v":[1,2.5],"e":"low"}"#
        ),
        r#"day="2026-02-28" at="2026-02-28T22:59:59.500Z" raw="base64:aGk=" v=[1.0,2.5] e="low""#
    );
    assert_eq!(
        round_trip(r#"{"tags":["a","b"],"days":["1970-01-01","0001-01-01"]}"#),
        r#"tags=["a","b"] days=["1970-01-01","0001-01-01"]"#
    );
    assert_eq!(round_trip(r#"{"tags":[],"s":null,"i":3.0}"#), "i=3 tags=[]");
}

#[test]
fn integers_that_javascript_cannot_hold_are_strings() {
    assert_eq!(round_trip(r#"{"l":9007199254740992}"#), r#"l="9007199254740992""#);
    assert_eq!(round_trip(r#"{"l":"-9223372036854775808"}"#), r#"l="-9223372036854775808""#);
    assert_eq!(round_trip(r#"{"w":18446744073709551615}"#), r#"w="18446744073709551615""#);
    assert_eq!(round_trip(r#"{"w":"18446744073709551615"}"#), r#"w="18446744073709551615""#);
}

#[test]
fn literals_are_cells() {
    let literal = Literal::Date("2026-01-31".into());
    assert_eq!(Cell::from(&literal), Cell::Date(parse_date("2026-01-31").unwrap()));
    let literal = Literal::DateTime("2026-01-31T01:00Z".into());
    assert_eq!(Cell::from(&literal), Cell::DateTime(parse_datetime("2026-01-31T01:00Z").unwrap()));
    assert_eq!(Cell::from(&Literal::Int(u64::MAX.into())), Cell::UInt(u64::MAX));
    assert_eq!(Cell::from(&Literal::Int((-3).into())), Cell::Int(-3));
}

fn ids(schema: &str, rows: &[&[(&str, Cell<'_>)]]) -> Vec<String> {
    let mut builder = RowBuilder::new(node(schema));
    for row in rows {
        builder.start(None);
        for (name, cell) in *row {
            builder.set(name, cell.clone());
        }
        builder.end();
    }
    let batch = builder.finish(&mut Ulids::seeded(1, 2)).unwrap_or_else(|error| panic!("{error}"));
    batch.column(0).as_string::<i32>().iter().map(|id| id.unwrap().to_owned()).collect()
}

#[test]
fn the_key_is_the_id() {
    assert_eq!(ids("node N { k: I64 @key }", &[&[("k", Cell::Int(-12))]]), ["-12"]);
    assert_eq!(ids("node N { k: Date @key }", &[&[("k", Cell::Text("2026-01-31"))]]), ["2026-01-31"]);
    assert_eq!(ids("node N { id: String @key }", &[&[("id", Cell::Text("x"))]]), ["x"]);
    let composite = "node N { a: String  b: U32  @key(b, a) }";
    let row: &[(&str, Cell<'_>)] = &[("a", Cell::Text(r"x|\y")), ("b", Cell::Int(7))];
    assert_eq!(ids(composite, &[row]), [r"7|x\|\\y"]);
    let random = ids("node N { a: String }", &[&[("a", Cell::Text("1"))], &[("a", Cell::Text("1"))]]);
    assert!(random[0] < random[1] && random.iter().all(|id| id.len() == 26), "{random:?}");
}

#[test]
fn a_key_can_be_looked_up_before_there_is_a_row() {
    let schema = "node N { a: String  b: F32  c: Date  @key(b, a, c) }";
    let (a, b, c) = (Cell::Text("x|y"), Cell::Float(0.1), Cell::Text("2026-01-31"));
    let row: &[(&str, Cell<'_>)] = &[("a", a.clone()), ("b", b.clone()), ("c", c.clone())];
    let rules = node(schema);
    let id = rules.id_of(&[b, a, c]).unwrap().unwrap();
    assert_eq!(id, r"0.1|x\|y|2026-01-31");
    assert_eq!(ids(schema, &[row]), [id]);
    assert_eq!(node("node N { a: String }").id_of(&[]).unwrap(), None);
    let keyed = node("node N { k: I32 @key }");
    assert_eq!(keyed.id_of(&[Cell::Float(5.0)]).unwrap().unwrap(), "5");
    assert_eq!(keyed.id_of(&[Cell::Text("x")]).unwrap_err().message, "N.k is I32, not \"x\"");
}

#[test]
fn a_changed_row_keeps_the_rest() {
    let rules = node("node N { a: String  b: I32?  tags: [String]? }");
    let mut builder = RowBuilder::new(Arc::clone(&rules));
    builder.start(None);
    builder.set("a", Cell::Text("one"));
    builder.set("b", Cell::Int(1));
    builder.set("tags", Cell::List(vec![Cell::Text("x")]));
    builder.end();
    let stored = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
    builder.start(None);
    builder.set("b", Cell::Null);
    builder.copy(&stored, 0);
    builder.end();
    let changed = builder.finish(&mut Ulids::seeded(9, 9)).unwrap();
    let shown: Vec<String> = changed.columns().iter().map(|column| cell_to_json(column, 0)).collect();
    assert_eq!(shown[1..], [r#""one""#, "null", r#"["x"]"#]);
    assert_eq!(changed.column(0), stored.column(0));
}

#[test]
fn edges_have_ids_by_what_they_are() {
    let id = edge_id("Knows", "a", "b", []);
    assert_eq!(id, edge_id("Knows", "a", "b", []));
    assert_eq!(id.len(), 26);
    let different: BTreeSet<String> = [
        id,
        edge_id("Knows", "b", "a", []),
        edge_id("Knows", "ab", "", []),
        edge_id("Likes", "a", "b", []),
        edge_id("Knows", "a", "b", [""]),
        edge_id("Knows", "a", "b", ["x", "y"]),
        edge_id("Knows", "a", "b", ["xy"]),
    ]
    .into();
    assert_eq!(different.len(), 7);
}

#[test]
fn an_edge_with_a_key_is_one_of_several() {
    let catalog = catalog("node P { k: String @key } edge Pays: P -> P { at: Date  @key(at) }");
    let rules = omnigraph::validate::TypeRules::of_edge(&catalog.edges["Pays"]).unwrap();
    let mut builder = RowBuilder::new(Arc::new(rules));
    for day in ["2026-01-01", "2026-01-02", "2026-01-01"] {
        builder.start(None);
        builder.ends("a", "b");
        builder.set("at", Cell::Text(day));
        builder.end();
    }
    let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
    let ids = batch.column(0).as_string::<i32>();
    assert_eq!(ids.value(0), ids.value(2));
    assert_ne!(ids.value(0), ids.value(1));
    assert_eq!(ids.value(0), edge_id("Pays", "a", "b", ["2026-01-01"]));
    assert_eq!(batch.column(1).as_string::<i32>().value(0), "a");
}

#[test]
fn ulids_grow_when_the_clock_stands() {
    let mut ulids = Ulids::seeded(1_700_000_000_000, 7);
    let made: Vec<String> = (0..1000).map(|_| ulids.next_id()).collect();
    assert!(made.is_sorted() && made.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(made[0].starts_with("01HF7YAT00"), "{}", made[0]);
}

proptest! {
    #[test]
    fn different_keys_have_different_ids(a in prop::collection::vec("[a|\\\\]{0,3}", 2), b in prop::collection::vec("[a|\\\\]{0,3}", 2)) {
        let id = |parts: &[String]| key_id(parts.iter().map(String::as_str));
        prop_assert_eq!(a == b, id(&a) == id(&b));
    }

    #[test]
    fn moments_come_back(millis in -62_135_596_800_000_i64..253_402_300_799_999) {
        let mut text = String::new();
        omnigraph::rows::write_datetime(millis, &mut text);
        prop_assert_eq!(parse_datetime(&text), Some(millis), "{}", text);
        text.clear();
        let days = millis.div_euclid(86_400_000);
        omnigraph::rows::write_date(days, &mut text);
        prop_assert_eq!(parse_date(&text).map(i64::from), Some(days));
    }

    #[test]
    fn texts_and_numbers_come_back(text in "\\PC{0,20}|[\u{0}-\u{1f}\"\\\\]{0,5}", float in any::<f64>(), int in any::<i64>(), narrow in any::<f32>()) {
        prop_assume!(float.is_finite() && narrow.is_finite());
        let rules = node("node N { t: String  d: F64  f: F32  l: I64 }");
        let mut builder = RowBuilder::new(rules);
        builder.start(None);
        builder.set("t", Cell::Text(&text));
        builder.set("d", Cell::Float(float));
        builder.set("f", Cell::Float(narrow.into()));
        builder.set("l", Cell::Int(int));
        builder.end();
        let batch = builder.finish(&mut Ulids::seeded(0, 0)).unwrap();
        let read = |at: usize| serde_json::from_str::<serde_json::Value>(&cell_to_json(batch.column(at), 0)).unwrap();
        prop_assert_eq!(read(1), serde_json::Value::String(text));
        prop_assert_eq!(read(2).as_f64(), Some(float));
        prop_assert_eq!(read(3).as_f64().map(|value| value as f32), Some(narrow));
        let back = read(4);
        let back = back.as_i64().or_else(|| back.as_str().and_then(|text| text.parse().ok()));
        prop_assert_eq!(back, Some(int));
    }
}
