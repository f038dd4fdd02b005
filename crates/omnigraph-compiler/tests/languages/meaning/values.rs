//! Values of expressions in a row, and distances in a graph. Shared by both ways of finding rows.

use super::graph::{Bound, Edge, Graph, Row, Value};
use super::naive;
use omnigraph_compiler::Literal;
use omnigraph_compiler::query::typed::{Aggregate, Arm, CompareOp, Expr, ExprKind, Way};
use std::collections::BTreeMap;

/// The parameter `$n` is 2.
const PARAMETER: i64 = 2;

pub(crate) fn value(graph: &Graph, row: &Row, expr: &Expr) -> Value {
    let of = |expr: &Expr| value(graph, row, expr);
    match &expr.kind {
        ExprKind::Literal(Literal::Int(number)) => Value::Int(i64::try_from(*number).expect("small")),
        ExprKind::Literal(Literal::String(text)) => Value::Text(text.clone()),
        ExprKind::Literal(Literal::Bool(flag)) => Value::Bool(*flag),
        ExprKind::Literal(_) => Value::Null,
        ExprKind::List(items) => Value::List(items.iter().map(of).collect()),
        ExprKind::Param(_) => Value::Int(PARAMETER),
        ExprKind::Property { var, property } => self::property(graph, row, var, property),
        ExprKind::Id { var } => match row.vars.get(var) {
            Some(Bound::Node(at)) => Value::Text(graph.nodes[*at].name.clone()),
            Some(Bound::Edge(at)) => Value::Text(format!("e{at}")),
            _ => Value::Null,
        },
        ExprKind::TypeOf { var } => match row.vars.get(var) {
            Some(Bound::Node(at)) => Value::Text(graph.nodes[*at].type_name.into()),
            Some(Bound::Edge(at)) => Value::Text(graph.edges[*at].type_name.into()),
            _ => Value::Null,
        },
        ExprKind::Src { var } => end_of(graph, row, var, |edge| edge.src),
        ExprKind::Dst { var } => end_of(graph, row, var, |edge| edge.dst),
        ExprKind::PathHops { var } => match row.vars.get(var) {
            Some(Bound::Path(hops)) => Value::Int(i64::from(*hops)),
            _ => Value::Null,
        },
        ExprKind::HasType { var, types } => match row.node(var) {
            Some(at) => Value::Bool(types.iter().any(|name| name == graph.nodes[at].type_name)),
            None => Value::Null,
        },
        ExprKind::Compare { op, left, right } => compare(*op, &of(left), &of(right)),
        ExprKind::In { item, list, negated } => match (of(item), of(list)) {
            (Value::Null, _) | (_, Value::Null) => Value::Null,
            (item, Value::List(list)) => Value::Bool(list.contains(&item) != *negated),
            _ => panic!("not a list"),
        },
        ExprKind::IsNull { arg, negated } => Value::Bool((of(arg) == Value::Null) != *negated),
        ExprKind::And(parts) => all(parts.iter().map(of), false),
        ExprKind::Or(parts) => all(parts.iter().map(of), true),
        ExprKind::Not(inner) => match of(inner) {
            Value::Bool(flag) => Value::Bool(!flag),
            _ => Value::Null,
        },
        ExprKind::Exists(pattern) => Value::Bool(!naive::matches(graph, pattern, row).is_empty()),
        ExprKind::Fold { function, distinct, arg, pattern } => {
            fold(graph, (*function, *distinct, arg.as_deref()), &naive::matches(graph, pattern, row))
        }
        ExprKind::Folded(at) => row.folded[at].clone(),
        ExprKind::Flag(at) => Value::Bool(row.flags[at]),
        other => panic!("not among the clauses: {other:?}"),
    }
}

/// The name of a node at an end of an edge.
fn end_of(graph: &Graph, row: &Row, var: &str, end: impl Fn(&Edge) -> usize) -> Value {
    match row.vars.get(var) {
        Some(Bound::Edge(at)) => Value::Text(graph.nodes[end(&graph.edges[*at])].name.clone()),
        _ => Value::Null,
    }
}

/// A function over rows.
pub(crate) fn fold(
    graph: &Graph,
    (function, distinct, arg): (Aggregate, bool, Option<&Expr>),
    rows: &[Row],
) -> Value {
    let Some(arg) = arg else { return Value::Int(i64::try_from(rows.len()).expect("few")) };
    let mut values: Vec<Value> = rows.iter().map(|row| value(graph, row, arg)).collect();
    values.retain(|value| *value != Value::Null);
    values.sort_by(|a, b| a.partial_cmp(b).expect("of one type"));
    if distinct {
        values.dedup();
    }
    let number = |value: &Value| match value {
        Value::Int(number) => *number,
        other => panic!("not a number: {other:?}"),
    };
    match function {
        Aggregate::Count => Value::Int(i64::try_from(values.len()).expect("few")),
        Aggregate::Sum => Value::Int(values.iter().map(number).sum()),
        Aggregate::Min => values.first().cloned().unwrap_or(Value::Null),
        Aggregate::Max => values.last().cloned().unwrap_or(Value::Null),
        Aggregate::Avg | Aggregate::Collect => panic!("not among the clauses"),
    }
}

/// Three-valued: the deciding value wins, then null.
fn all(values: impl Iterator<Item = Value>, decisive: bool) -> Value {
    let mut result = Value::Bool(!decisive);
    for value in values {
        match value {
            Value::Bool(flag) if flag == decisive => return Value::Bool(decisive),
            Value::Bool(_) => {}
            _ => result = Value::Null,
        }
    }
    result
}

fn property(graph: &Graph, row: &Row, var: &str, property: &str) -> Value {
    match (row.vars.get(var), property) {
        (Some(Bound::Node(at)), "name") => Value::Text(graph.nodes[*at].name.clone()),
        (Some(Bound::Node(at)), "age") => graph.nodes[*at].age.clone(),
        (Some(Bound::Node(at)), "city") => graph.nodes[*at].city.clone(),
        (Some(Bound::Edge(at)), "since") => graph.edges[*at].since.clone(),
        (Some(Bound::Null), _) => Value::Null,
        other => panic!("no such property: {other:?}"),
    }
}

fn compare(op: CompareOp, left: &Value, right: &Value) -> Value {
    if *left == Value::Null || *right == Value::Null {
        return Value::Null;
    }
    Value::Bool(match op {
        CompareOp::Eq => left == right,
        CompareOp::Ne => left != right,
        CompareOp::Lt => left < right,
        CompareOp::Le => left <= right,
        CompareOp::Gt => left > right,
        CompareOp::Ge => left >= right,
        CompareOp::Contains | CompareOp::StartsWith | CompareOp::EndsWith => match (left, right) {
            (Value::Text(text), Value::Text(part)) => text.starts_with(part.as_str()),
            _ => panic!("not texts"),
        },
    })
}

pub(crate) fn is_true(graph: &Graph, row: &Row, expr: &Expr) -> bool {
    value(graph, row, expr) == Value::Bool(true)
}

/// The nodes that one edge leads to, with the edge.
pub(crate) fn steps(graph: &Graph, arms: &[Arm], from: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, edge) in graph.edges.iter().enumerate() {
        for arm in arms.iter().filter(|arm| arm.edge == edge.type_name) {
            if arm.way != Way::In && edge.src == from {
                found.push((at, edge.dst));
            } else if arm.way != Way::Out && edge.dst == from {
                found.push((at, edge.src));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The shortest distance to every node that can be reached; to `from` itself only along an edge to itself.
pub(crate) fn distances(graph: &Graph, arms: &[Arm], from: usize) -> BTreeMap<usize, u32> {
    let mut known = BTreeMap::from([(from, 0)]);
    let mut border = vec![from];
    for hop in 1.. {
        let next: Vec<usize> =
            border.iter().flat_map(|at| steps(graph, arms, *at)).map(|(_, to)| to).collect();
        border = next
            .into_iter()
            .filter(|to| {
                known.insert(*to, hop).is_none_or(|old| {
                    known.insert(*to, old);
                    false
                })
            })
            .collect();
        if border.is_empty() {
            break;
        }
    }
    known.remove(&from);
    if steps(graph, arms, from).iter().any(|(_, to)| *to == from) {
        known.insert(from, 1);
    }
    known
}
