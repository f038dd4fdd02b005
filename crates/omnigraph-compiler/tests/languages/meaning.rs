//! A plan means what the pattern says: over small random graphs, running the operators gives the rows that trying
//! every combination of nodes gives.

mod clauses;
mod graph;
mod naive;
mod operators;
mod values;

use crate::run::schema_of;
use graph::{Graph, Row, graph};
use omnigraph_compiler::query::typed::{BlockKind, Body, CheckedQuery, Column, Expr, ExprKind, Pattern};
use omnigraph_compiler::{Catalog, Plan, QueryFile, Scalar, Source, Type, check, plan_query};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;

const SCHEMA: &str = "
interface Named { name: String @key }
node Person implements Named { age: I32?  city: String? @index }
node Company implements Named { city: String? }
edge Knows: Person -> Person { since: I32? }
edge WorksAt: Person -> Company
edge Owns: Company -> Company
edge Likes: Person -> Company
";

/// The query of these clauses that returns every variable; `None` when they do not go together.
fn query(catalog: &Catalog, clauses: &str) -> Option<CheckedQuery> {
    let source = Source::new("q", format!("query q($n: I32 = 2) {{ match {{ {clauses} }} return {{ 1 }} }}"));
    let file = QueryFile::parse(&source).unwrap_or_else(|errors| panic!("{clauses}\n{errors}"));
    let mut query = check(catalog, &file).ok()?.queries.remove(0);
    if let Body::Read(read) = &mut query.body {
        read.columns = columns(&read.pattern);
    }
    Some(query)
}

fn columns(pattern: &Pattern) -> Vec<Column> {
    let column = |kind: ExprKind| Column {
        name: String::new(),
        expr: Expr { kind, ty: Type::scalar(Scalar::String) },
    };
    let mut columns: Vec<Column> =
        pattern.nodes.iter().map(|node| column(ExprKind::Id { var: node.name.clone() })).collect();
    for edge in &pattern.edges {
        let Some(var) = edge.var.clone() else { continue };
        columns.push(column(if edge.is_path() { ExprKind::PathHops { var } } else { ExprKind::Id { var } }));
    }
    for (kind, block) in &pattern.blocks {
        if *kind == BlockKind::Optional {
            columns.extend(self::columns(block));
        }
    }
    columns
}

fn rows(graph: &Graph, columns: &[Column], rows: &[Row]) -> Vec<String> {
    let cells =
        |row: &Row| columns.iter().map(|c| format!("{:?}", values::value(graph, row, &c.expr))).collect();
    let mut rows: Vec<String> =
        rows.iter().map(|row| -> Vec<String> { cells(row) }).map(|row| row.join(" ")).collect();
    rows.sort();
    rows
}

/// Both ways of finding the rows agree. The result is how many there are.
fn agree(catalog: &Catalog, graph: &Graph, clauses: &str, query: &CheckedQuery) -> usize {
    let Body::Read(read) = &query.body else { panic!("a query that reads") };
    let Plan::Read(plan) = plan_query(catalog, query) else { panic!("a plan that reads") };
    let expected = rows(graph, &read.columns, &naive::matches(graph, &read.pattern, &Row::default()));
    let found = rows(graph, &read.columns, &operators::run(graph, &plan.pattern, vec![Row::default()]));
    assert_eq!(found, expected, "\n{clauses}\n{plan}");
    found.len()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 800,
        max_global_rejects: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_plan_means_what_the_pattern_says(graph in graph(), clauses in clauses::clauses()) {
        let catalog = schema_of(SCHEMA).catalog;
        let query = query(&catalog, &clauses);
        prop_assume!(query.is_some());
        agree(&catalog, &graph, &clauses, &query.expect("assumed"));
    }
}

/// The random clauses are worth something: every operator of a pattern comes up, and rows are found.
#[test]
fn every_operator_comes_up() {
    let catalog = schema_of(SCHEMA).catalog;
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut with_rows = 0;
    for _ in 0..3000 {
        let clauses = clauses::clauses().new_tree(&mut runner).expect("a text").current();
        let graph = graph().new_tree(&mut runner).expect("a graph").current();
        let Some(query) = query(&catalog, &clauses) else { continue };
        with_rows += usize::from(agree(&catalog, &graph, &clauses, &query) > 0);
        let plan = plan_query(&catalog, &query).to_string();
        let words =
            OPERATORS.into_iter().filter(|word| plan.lines().any(|line| line.trim().starts_with(word)));
        seen.extend(words);
    }
    assert_eq!(seen, OPERATORS.into_iter().collect());
    assert!(with_rows > 300, "{with_rows}");
}

const OPERATORS: [&str; 12] = [
    "scan",
    "expand $",
    "expand into",
    "filter",
    "cross",
    "join on",
    "anti join",
    "semi join",
    "mark",
    "fold",
    "optional",
    "project",
];

/// The table of walks in the manual.
#[test]
fn walks_of_the_manual() {
    let catalog = schema_of(SCHEMA).catalog;
    let graph = Graph::of_people(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (1, 1)]);
    for (clauses, expected) in [
        ("$p knows $x", vec![1, 2]),
        ("$p knows{1,2} $x", vec![1, 2, 3]),
        ("$p knows{2,2} $x", vec![3]),
        ("$p knows{1,3} $x", vec![1, 2, 3]),
        ("$p knows $f  $f knows $x", vec![1, 3, 3]),
        ("$x knows $x", vec![1]),
        ("$p knows $f  $f knows $g  $g knows $x", vec![0, 0, 1, 3]),
    ] {
        let clauses = format!("$p: Person {{ name: \"p0\" }} {clauses}");
        let query = query(&catalog, &clauses).expect("it holds");
        assert_eq!(agree(&catalog, &graph, &clauses, &query), expected.len());
        let Plan::Read(plan) = plan_query(&catalog, &query) else { panic!("a plan that reads") };
        let mut found: Vec<usize> = operators::run(&graph, &plan.pattern, vec![Row::default()])
            .iter()
            .map(|row| row.node("x").expect("bound"))
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{clauses}");
    }
}
