//! Graphs of a few nodes, and rows of bindings.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What a property can be.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Value>),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) type_name: &'static str,
    pub(crate) name: String,
    pub(crate) age: Value,
    pub(crate) city: Value,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) type_name: &'static str,
    pub(crate) src: usize,
    pub(crate) dst: usize,
    pub(crate) since: Value,
}

#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

impl Graph {
    /// People who know each other.
    pub(crate) fn of_people(count: usize, knows: &[(usize, usize)]) -> Graph {
        let person = |at: usize| Node {
            type_name: "Person",
            name: format!("p{at}"),
            age: Value::Null,
            city: Value::Null,
        };
        let edge = |(src, dst): &(usize, usize)| Edge {
            type_name: "Knows",
            src: *src,
            dst: *dst,
            since: Value::Null,
        };
        Graph { nodes: (0..count).map(person).collect(), edges: knows.iter().map(edge).collect() }
    }
}

/// What a variable is bound to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bound {
    Node(usize),
    Edge(usize),
    /// So many hops.
    Path(u32),
    Null,
}

/// Bindings, flags and folded values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) vars: BTreeMap<String, Bound>,
    pub(crate) flags: BTreeMap<usize, bool>,
    pub(crate) folded: BTreeMap<usize, Value>,
}

impl Row {
    pub(crate) fn node(&self, name: &str) -> Option<usize> {
        match self.vars.get(name) {
            Some(Bound::Node(at)) => Some(*at),
            _ => None,
        }
    }

    pub(crate) fn with(&self, name: &str, bound: Bound) -> Row {
        let mut row = self.clone();
        row.vars.insert(name.to_owned(), bound);
        row
    }
}

fn small() -> impl Strategy<Value = Value> {
    option::of(0i64..4).prop_map(|value| value.map_or(Value::Null, Value::Int))
}

fn city() -> impl Strategy<Value = Value> {
    option::of("[xy]").prop_map(|value| value.map_or(Value::Null, Value::Text))
}

/// Up to three people and two companies, with edges between them.
pub(crate) fn graph() -> impl Strategy<Value = Graph> {
    let people = vec((small(), city()), 1..4);
    let companies = vec(city(), 1..3);
    let edges = vec((0usize..4, 0usize..8, 0usize..8, small()), 0..12);
    (people, companies, edges).prop_map(|(people, companies, edges)| {
        let count = people.len();
        let person = |(at, (age, city))| Node { type_name: "Person", name: format!("p{at}"), age, city };
        let mut nodes: Vec<Node> = people.into_iter().enumerate().map(person).collect();
        let company =
            |(at, city)| Node { type_name: "Company", name: format!("c{at}"), age: Value::Null, city };
        nodes.extend(companies.into_iter().enumerate().map(company));
        let firms = nodes.len() - count;
        let edge = |(kind, src, dst, since): (usize, usize, usize, Value)| {
            let (person, firm) = (|at: usize| at % count, |at: usize| count + at % firms);
            match kind {
                0 => Edge { type_name: "Knows", src: person(src), dst: person(dst), since },
                1 => Edge { type_name: "WorksAt", src: person(src), dst: firm(dst), since: Value::Null },
                2 => Edge { type_name: "Owns", src: firm(src), dst: firm(dst), since: Value::Null },
                _ => Edge { type_name: "Likes", src: person(src), dst: firm(dst), since: Value::Null },
            }
        };
        let mut edges: Vec<Edge> = edges.into_iter().map(edge).collect();
        // an edge is what it joins
        let mut seen = std::collections::BTreeSet::new();
        edges.retain(|edge| seen.insert((edge.type_name, edge.src, edge.dst)));
        Graph { nodes, edges }
    })
}
