//! What a plan means: one operator after the other.

use super::graph::{Bound, Graph, Row};
use super::values::{distances, fold, is_true, steps, value};
use omnigraph_compiler::query::plan::op::{Expand, Join, Op, Scan};

/// The rows behind the last operator.
pub(crate) fn run(graph: &Graph, ops: &[Op], rows: Vec<Row>) -> Vec<Row> {
    ops.iter().fold(rows, |rows, op| apply(graph, op, rows))
}

fn apply(graph: &Graph, op: &Op, mut rows: Vec<Row>) -> Vec<Row> {
    match op {
        Op::Scan(op) => rows.iter().flat_map(|row| scan(graph, op, row)).collect(),
        Op::Expand(op) => rows.iter().flat_map(|row| expand(graph, op, row)).collect(),
        Op::Filter(condition) => {
            rows.retain(|row| is_true(graph, row, condition));
            rows
        }
        Op::Join(op) => join(graph, op, &rows),
        Op::Semi(op) => {
            rows.retain(|row| run(graph, &op.inner, vec![row.clone()]).is_empty() == op.negated);
            rows
        }
        Op::Mark(op) => {
            for row in &mut rows {
                let found = !run(graph, &op.inner, vec![row.clone()]).is_empty();
                row.flags.insert(op.flag, found);
            }
            rows
        }
        Op::Fold(op) => {
            for row in &mut rows {
                let found = run(graph, &op.inner, vec![row.clone()]);
                let value = fold(graph, (op.function, op.distinct, op.arg.as_ref()), &found);
                row.folded.insert(op.value, value);
            }
            rows
        }
        Op::Optional(op) => rows
            .iter()
            .flat_map(|row| {
                let found = run(graph, &op.inner, vec![row.clone()]);
                let nulls = || op.binds.iter().fold(row.clone(), |row, name| row.with(name, Bound::Null));
                if found.is_empty() { vec![nulls()] } else { found }
            })
            .collect(),
    }
}

fn scan(graph: &Graph, op: &Scan, row: &Row) -> Vec<Row> {
    let fits = |at: &usize| op.types.iter().any(|name| name == graph.nodes[*at].type_name);
    let rows = (0..graph.nodes.len()).filter(fits).map(|at| row.with(&op.var, Bound::Node(at)));
    rows.filter(|row| op.filters.iter().all(|filter| is_true(graph, row, filter))).collect()
}

fn expand(graph: &Graph, op: &Expand, row: &Row) -> Vec<Row> {
    let Some(src) = row.node(&op.src) else { return Vec::new() };
    let found: Vec<(usize, Row)> = if let Some(edge) = &op.edge {
        steps(graph, &op.arms, src)
            .into_iter()
            .map(|(at, to)| (to, row.with(edge, Bound::Edge(at))))
            .collect()
    } else {
        let near =
            distances(graph, &op.arms, src).into_iter().filter(|(_, hops)| (op.min..=op.max).contains(hops));
        let bind = |hops| op.path.iter().fold(row.clone(), |row, path| row.with(path, Bound::Path(hops)));
        near.map(|(to, hops)| (to, bind(hops))).collect()
    };
    let mut rows = Vec::new();
    for (to, row) in found {
        let is_there = row.node(&op.dst) == Some(to);
        let fits = op.types.iter().any(|name| name == graph.nodes[to].type_name);
        if op.into && is_there {
            rows.push(row);
        } else if !op.into && fits {
            rows.push(row.with(&op.dst, Bound::Node(to)));
        }
    }
    rows.retain(|row| op.filters.iter().chain(&op.edge_filters).all(|filter| is_true(graph, row, filter)));
    rows
}

fn join(graph: &Graph, op: &Join, rows: &[Row]) -> Vec<Row> {
    let inner = run(graph, &op.inner, vec![Row::default()]);
    let mut joined = Vec::new();
    for row in rows {
        for other in &inner {
            let mut both = row.clone();
            both.vars.extend(other.vars.clone());
            let equal = op.on.iter().all(|(here, there)| {
                let (here, there) = (value(graph, row, here), value(graph, other, there));
                here != super::graph::Value::Null && here == there
            });
            if equal {
                joined.push(both);
            }
        }
    }
    joined
}
