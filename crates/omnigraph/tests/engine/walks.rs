//! Walks without a greatest number of hops: as far as edges go, and no farther than is allowed.

use crate::fixture::{load, none, options, read};
use omnigraph::{Access, Error, Graph, GraphOptions, LoadMode};
use serde_json::{Value, json};
use std::fmt::Write as _;

const SCHEMA: &str = "node P { k: String @key } edge To: P -> P";

/// `p0 -> p1 -> … -> p<length>`, and a shortcut from the first to the middle.
fn chain(length: usize, walk_nodes: u64) -> Graph {
    let options = GraphOptions { walk_nodes, ..options() };
    let name = format!("memory://walks-{}-{length}-{walk_nodes}/g", std::process::id());
    let graph = Graph::create(&name, SCHEMA, Access::unrestricted(), &options).unwrap();
    let mut rows = String::new();
    for at in 0..=length {
        let _ = writeln!(rows, r#"{{"type":"P","data":{{"k":"p{at}"}}}}"#);
    }
    for at in 0..length {
        let _ = writeln!(rows, r#"{{"edge":"To","from":"p{at}","to":"p{}"}}"#, at + 1);
    }
    let _ = writeln!(rows, r#"{{"edge":"To","from":"p0","to":"p{}"}}"#, length / 2);
    load(&graph, &rows, LoadMode::Append).unwrap();
    graph
}

const REACHED: &str = r#"query q() { match { $p: P { k: "p0" }  $p to{1,} $x } return { count($x) as n } }"#;

#[test]
fn everything_is_reached_however_far_it_is() {
    let graph = chain(3000, 1_000_000);
    assert_eq!(read(&graph, REACHED, none()).unwrap(), [vec![json!(3000)]]);
}

#[test]
fn too_long_a_walk_is_an_error_and_not_a_part() {
    let graph = chain(100, 99);
    let error = read(&graph, REACHED, none()).unwrap_err();
    assert!(matches!(&error, Error::Request(reason) if reason.contains("more than 99 nodes")), "{error}");
    // One more is enough, and bounded walks are not counted.
    assert_eq!(read(&chain(100, 100), REACHED, none()).unwrap(), [vec![json!(100)]]);
    let bounded = REACHED.replace("{1,}", "{1,1000}");
    assert_eq!(read(&graph, &bounded, none()).unwrap(), [vec![json!(100)]]);
    // The sources of a query share what is allowed.
    let all = "query q() { match { $p: P  $p to{1,} $x } return { count($x) as n } }";
    let shared = chain(100, 4000);
    assert!(read(&shared, all, none()).is_err());
    let inside = "query q() { match { $p: P  count { $p to{1,} $x } > 50 } return { $p.k } }";
    assert!(read(&shared, inside, none()).is_err());
}

#[test]
fn a_walk_to_a_node_that_is_known_stops_there() {
    let graph = chain(1000, 600);
    let path = r#"query q() {
        match { $a: P { k: "p0" }  $b: P { k: "p600" }  $a $r:to{1,} $b }
        return { hops($r) as n, nodes($r) as via }
    }"#;
    // 101 hops by the shortcut meet 202 nodes; all of them are 1,000.
    let rows = read(&graph, path, none()).unwrap();
    let via: Vec<Value> = std::iter::once(0).chain(500..=600).map(|at| json!(format!("p{at}"))).collect();
    assert_eq!(rows, [vec![json!(101), Value::Array(via)]]);
    let exists = path.replace("$r:", "").replace("hops($r) as n, nodes($r) as via", "$b.k");
    assert_eq!(read(&graph, &exists, none()).unwrap(), [vec![json!("p600")]]);
    assert!(read(&graph, REACHED, none()).is_err());
}
