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

/// A small graph, and a query over it that holds.
struct Case {
    small: Small,
    graph: Graph,
    /// The clauses of the pattern.
    clauses: String,
    query: CheckedQuery,
    /// Its variables, and how they are asked for.
    names: Vec<(String, String)>,
}

/// Calls back for random queries over random graphs.
fn cases(rounds: usize, mut found: impl FnMut(&Case)) {
    let catalog = crate::catalog(SCHEMA);
    let mut runner = TestRunner::deterministic();
    for round in 0..rounds {
        let small = graph::graph().new_tree(&mut runner).unwrap().current();
        let graph = loaded(SCHEMA, &jsonl(&small));
        if round % 3 == 0 {
            load(&graph, &jsonl(&small), LoadMode::Overwrite).unwrap();
        }
        let mut case =
            Case { small, graph, clauses: String::new(), query: any_query(&catalog), names: Vec::new() };
        for _ in 0..60 {
            case.clauses = clauses::clauses().new_tree(&mut runner).unwrap().current();
            let Some((query, _)) = checked(&catalog, &case.clauses, "1") else { continue };
            let Body::Read(read) = &query.body else { continue };
            case.names.clear();
            returned(&read.pattern, &mut case.names);
            case.query = query;
            if !case.names.is_empty() {
                found(&case);
            }
        }
    }
}

fn any_query(catalog: &Catalog) -> CheckedQuery {
    checked(catalog, "$a: Person", "1").expect("it holds").0
}

impl Case {
    fn text(&self, output: &str) -> String {
        format!("query q($n: I32 = 2) {{ match {{ {} }} return {output} }}", self.clauses)
    }

    /// All variables as columns.
    fn columns(&self) -> String {
        let columns = self.names.iter().enumerate().map(|(at, (_, asked))| format!("{asked} as c{at}"));
        columns.collect::<Vec<_>>().join(", ")
    }

    fn expected(&self) -> Vec<String> {
        expected(&self.small, &self.query, &self.names)
    }

    /// The values of one variable over all rows, in order, without nulls.
    fn values(&self, var: &str) -> Vec<String> {
        let Body::Read(read) = &self.query.body else { panic!("a query that reads") };
        let rows = naive::matches(&self.small, &read.pattern, &Row::default());
        let values = rows.iter().map(|row| shown(&self.small, row, var)).filter(|value| !value.is_null());
        let mut values: Vec<String> = values.map(|value| value.to_string()).collect();
        values.sort();
        values
    }
}

#[test]
fn the_engine_means_what_the_pattern_says() {
    let (mut compared, mut with_rows) = (0, 0);
    cases(30, |case| {
        let text = case.text(&format!("{{ {} }}", case.columns()));
        let found = found(&case.graph, &text);
        assert_eq!(found, case.expected(), "\n{text}\n{}", jsonl(&case.small));
        compared += 1;
        with_rows += usize::from(!found.is_empty());
    });
    assert!(compared > 500 && with_rows > 150, "{compared} compared, {with_rows} with rows");
}

#[test]
fn distinct_rows_are_those_of_the_pattern_once() {
    let mut shorter = 0;
    cases(10, |case| {
        // One variable of a pattern repeats more often than all of them.
        for columns in [case.columns(), format!("{} as c", case.names[0].1)] {
            let all = found(&case.graph, &case.text(&format!("{{ {columns} }}")));
            let mut once = all.clone();
            once.dedup();
            let text = case.text(&format!("distinct {{ {columns} }}"));
            assert_eq!(found(&case.graph, &text), once, "\n{text}\n{}", jsonl(&case.small));
            let limited = found(&case.graph, &format!("{}limit 2 }}", text.trim_end_matches('}')));
            assert_eq!(limited.len(), once.len().min(2), "{text}");
            shorter += usize::from(once.len() < all.len());
        }
    });
    assert!(shorter > 30, "{shorter} with rows that repeat");
}

#[test]
fn lists_hold_the_values_of_the_pattern() {
    let mut repeated = 0;
    cases(10, |case| {
        let Some((var, asked)) = case.names.iter().find(|(_, asked)| asked.starts_with('$')) else { return };
        let all = case.values(var);
        let mut once = all.clone();
        once.dedup();
        let columns =
            format!("{{ collect({asked}) as a, collect(distinct {asked}) as b, count({asked}) as c }}");
        let text = case.text(&columns);
        let expected = format!("[{}] [{}] {}", all.join(","), once.join(","), all.len());
        assert_eq!(found(&case.graph, &text), [expected], "\n{text}\n{}", jsonl(&case.small));
        repeated += usize::from(once.len() < all.len());
    });
    assert!(repeated > 15, "{repeated} with values that repeat");
}
