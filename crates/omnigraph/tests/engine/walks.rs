//! Walks without a greatest number of hops: as far as edges go, and no farther than is allowed. Ways between two nodes.

use crate::fixture::{empty, load, none, options, read};
use omnigraph::{Access, Error, Graph, GraphOptions, LoadMode};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
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

#[test]
fn a_way_between_two_nodes_is_searched_from_the_end_with_fewer_edges() {
    let options = GraphOptions { walk_nodes: 10, ..options() };
    let name = format!("memory://walks-{}-star/g", std::process::id());
    let graph = Graph::create(&name, SCHEMA, Access::unrestricted(), &options).unwrap();
    let mut rows = String::new();
    let node = |rows: &mut String, k: &str| writeln!(rows, r#"{{"type":"P","data":{{"k":"{k}"}}}}"#).unwrap();
    let edge = |rows: &mut String, from: &str, to: &str| {
        writeln!(rows, r#"{{"edge":"To","from":"{from}","to":"{to}"}}"#).unwrap();
    };
    node(&mut rows, "hub");
    node(&mut rows, "far");
    for at in 0..100 {
        node(&mut rows, &format!("p{at}"));
        edge(&mut rows, "hub", &format!("p{at}"));
    }
    edge(&mut rows, "p42", "far");
    load(&graph, &rows, LoadMode::Append).unwrap();
    let way = |a: &str, edge: &str, b: &str| {
        let query = format!(
            r#"query q() {{ match {{ $a: P {{ k: "{a}" }}  $b: P {{ k: "{b}" }}  $a $r:{edge}{{1,}} $b }} return {{ nodes($r) as via }} }}"#
        );
        read(&graph, &query, none()).unwrap()
    };
    // Along the edges the hub has a hundred to follow, the other end one to follow back.
    assert_eq!(way("hub", "to", "far"), [vec![json!(["hub", "p42", "far"])]]);
    assert_eq!(way("far", "<to>", "hub"), [vec![json!(["far", "p42", "hub"])]]);
    assert_eq!(way("far", "to", "hub"), Vec::<Vec<Value>>::new());
}

type Edges = BTreeSet<(String, String)>;

/// For every pair of nodes the shortest distance by hops between the bounds, as a walk to anywhere finds it.
fn distances(graph: &Graph, edge: &str, bounds: &str) -> BTreeMap<(String, String), Value> {
    let query = format!(
        "query q() {{ match {{ $a: P  $a $r:{edge}{bounds} $b }} return {{ $a.k, $b.k, hops($r) as n }} }}"
    );
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = read(graph, &query, none()).unwrap();
    rows.iter().map(|row| ((text(&row[0]), text(&row[1])), row[2].clone())).collect()
}

/// The distance between two nodes that are named, if there is one; the way must be as long and go along edges.
fn distance(
    graph: &Graph,
    edges: &Edges,
    ends: &(String, String),
    edge: &str,
    bounds: &str,
) -> Option<Value> {
    let (from, to) = ends;
    let query = format!(
        r#"query q() {{ match {{ $a: P {{ k: "{from}" }}  $b: P {{ k: "{to}" }}  $a $r:{edge}{bounds} $b }}
            return {{ hops($r) as n, nodes($r) as via }} }}"#
    );
    let found = read(graph, &query, none()).unwrap();
    let without = query.replace("$r:", "").replace("hops($r) as n, nodes($r) as via", "$b.k");
    assert_eq!(read(graph, &without, none()).unwrap().len(), found.len(), "{query}");
    let row = found.first()?;
    let via: Vec<String> = row[1].as_array()?.iter().map(|node| node.as_str().unwrap().to_owned()).collect();
    assert_eq!((via.first(), via.last()), (Some(from), Some(to)), "{query}");
    assert_eq!(json!(via.len() - 1), row[0], "{query}");
    for pair in via.windows(2) {
        let along = edges.contains(&(pair[0].clone(), pair[1].clone()));
        let back = edge == "<to>" && edges.contains(&(pair[1].clone(), pair[0].clone()));
        assert!(along || back, "{query}");
    }
    Some(row[0].clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_search_from_both_ends_finds_what_one_from_the_start_finds(
        drawn in proptest::collection::btree_set((0..6_u8, 0..6_u8), 0..14),
        min in 1..3_u8,
        more in 1..4_u8,
    ) {
        let node = |at: u8| format!("p{at}");
        let edges: Edges = drawn.iter().map(|(from, to)| (node(*from), node(*to))).collect();
        let pairs: Edges = (0..6).flat_map(|from| (0..6).map(move |to| (node(from), node(to)))).collect();
        let mut rows = String::new();
        (0..6).for_each(|at| writeln!(rows, r#"{{"type":"P","data":{{"k":"p{at}"}}}}"#).unwrap());
        for (from, to) in &edges {
            writeln!(rows, r#"{{"edge":"To","from":"{from}","to":"{to}"}}"#).unwrap();
        }
        let graph = empty(SCHEMA);
        load(&graph, &rows, LoadMode::Append).unwrap();
        for bounds in [format!("{{{min},{}}}", min + more), format!("{{{min},}}")] {
            for edge in ["to", "<to>"] {
                let known = distances(&graph, edge, &bounds);
                for ends in &pairs {
                    let found = distance(&graph, &edges, ends, edge, &bounds);
                    prop_assert_eq!(found.as_ref(), known.get(ends), "{:?} {} {}", ends, edge, bounds);
                }
            }
        }
    }
}
