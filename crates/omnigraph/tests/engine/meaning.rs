//! The engine against a plain evaluator: over small random graphs, a random well-typed query gives the rows that trying
//! every combination of nodes gives.

#[path = "../../../omnigraph-compiler/tests/languages/meaning/clauses.rs"]
mod clauses;
#[path = "../../../omnigraph-compiler/tests/languages/meaning/graph.rs"]
#[expect(dead_code, reason = "the compiler's tests use more of it")]
mod graph;
#[path = "../../../omnigraph-compiler/tests/languages/meaning/naive.rs"]
mod naive;
#[path = "../../../omnigraph-compiler/tests/languages/meaning/values.rs"]
mod values;

use crate::fixture::{cells, load, loaded, main};
use graph::{Bound, Graph as Small, Row, Value};
use omnigraph::rows::edge_id;
use omnigraph::{Graph, LoadMode};
use omnigraph_compiler::query::typed::{BlockKind, Body, CheckedQuery, Pattern};
use omnigraph_compiler::{Catalog, QueryFile, Source, check};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, json};
use std::fmt::Write as _;

const SCHEMA: &str = "
interface Named { name: String @key }
node Person implements Named { age: I32?  city: String? @index }
node Company implements Named { city: String? }
edge Knows: Person -> Person { since: I32? }
edge WorksAt: Person -> Company
edge Owns: Company -> Company
edge Likes: Person -> Company
";

/// What a variable is called in the result, and how it is asked for.
fn returned(pattern: &Pattern, out: &mut Vec<(String, String)>) {
    for node in pattern.nodes.iter().filter(|node| !node.name.starts_with('_')) {
        out.push((node.name.clone(), format!("${}", node.name)));
    }
    for edge in &pattern.edges {
        if let Some(var) = &edge.var {
            let asked = if edge.is_path() { format!("hops(${var})") } else { format!("${var}") };
            out.push((var.clone(), asked));
        }
    }
    for (kind, block) in &pattern.blocks {
        if *kind == BlockKind::Optional {
            returned(block, out);
        }
    }
}

fn checked(catalog: &Catalog, clauses: &str, columns: &str) -> Option<(CheckedQuery, String)> {
    let text = format!("query q($n: I32 = 2) {{ match {{ {clauses} }} return {{ {columns} }} }}");
    let file = QueryFile::parse(&Source::new("q", text.as_str()))
        .unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    check(catalog, &file).ok().map(|mut checked| (checked.queries.remove(0), text))
}

fn jsonl(graph: &Small) -> String {
    let value = |value: &Value| match value {
        Value::Int(number) => json!(number),
        Value::Text(text) => json!(text),
        _ => json!(null),
    };
    let mut out = String::new();
    for node in &graph.nodes {
        let mut data = json!({ "name": node.name, "city": value(&node.city) });
        if node.type_name == "Person" {
            data["age"] = value(&node.age);
        }
        let _ = writeln!(out, "{}", json!({ "type": node.type_name, "data": data }));
    }
    for edge in &graph.edges {
        let data = if edge.type_name == "Knows" { json!({ "since": value(&edge.since) }) } else { json!({}) };
        let (from, to) = (&graph.nodes[edge.src].name, &graph.nodes[edge.dst].name);
        let _ = writeln!(out, "{}", json!({ "edge": edge.type_name, "from": from, "to": to, "data": data }));
    }
    out
}

/// The value of a variable as the engine returns it.
fn shown(graph: &Small, row: &Row, var: &str) -> serde_json::Value {
    match row.vars.get(var) {
        Some(Bound::Node(at)) => json!(graph.nodes[*at].name),
        Some(Bound::Edge(at)) => {
            let edge = &graph.edges[*at];
            json!(edge_id(edge.type_name, &graph.nodes[edge.src].name, &graph.nodes[edge.dst].name, []))
        }
        Some(Bound::Path(hops)) => json!(hops),
        _ => json!(null),
    }
}

fn expected(small: &Small, query: &CheckedQuery, names: &[(String, String)]) -> Vec<String> {
    let Body::Read(read) = &query.body else { panic!("a query that reads") };
    let rows = naive::matches(small, &read.pattern, &Row::default());
    let row = |row: &Row| {
        let cells: Vec<String> = names.iter().map(|(var, _)| shown(small, row, var).to_string()).collect();
        cells.join(" ")
    };
    let mut rows: Vec<String> = rows.iter().map(row).collect();
    rows.sort();
    rows
}

fn found(graph: &Graph, text: &str) -> Vec<String> {
    let answer =
        graph.read(&main(), text, None, &Map::new()).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let row = |row: Vec<serde_json::Value>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut rows: Vec<String> = cells(&answer.rows).into_iter().map(row).collect();
    rows.sort();
    rows
}

#[test]
fn the_engine_means_what_the_pattern_says() {
    let catalog = crate::catalog(SCHEMA);
    let mut runner = TestRunner::deterministic();
    let (mut compared, mut with_rows) = (0, 0);
    for round in 0..30 {
        let small = graph::graph().new_tree(&mut runner).unwrap().current();
        let graph = loaded(SCHEMA, &jsonl(&small));
        if round % 3 == 0 {
            load(&graph, &jsonl(&small), LoadMode::Overwrite).unwrap();
        }
        for _ in 0..60 {
            let clauses = clauses::clauses().new_tree(&mut runner).unwrap().current();
            let Some((query, _)) = checked(&catalog, &clauses, "1") else { continue };
            let Body::Read(read) = &query.body else { continue };
            let mut names = Vec::new();
            returned(&read.pattern, &mut names);
            if names.is_empty() {
                continue;
            }
            let columns: Vec<String> =
                names.iter().enumerate().map(|(at, (_, asked))| format!("{asked} as c{at}")).collect();
            let Some((query, text)) = checked(&catalog, &clauses, &columns.join(", ")) else { continue };
            let (expected, found) = (expected(&small, &query, &names), found(&graph, &text));
            assert_eq!(found, expected, "\n{text}\n{}", jsonl(&small));
            compared += 1;
            with_rows += usize::from(!found.is_empty());
        }
    }
    assert!(compared > 500 && with_rows > 150, "{compared} compared, {with_rows} with rows");
}
