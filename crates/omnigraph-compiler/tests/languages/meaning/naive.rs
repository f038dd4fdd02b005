//! What a pattern means: try every node for every variable.

use super::graph::{Bound, Graph, Row};
use super::values::{distances, is_true, steps};
use omnigraph_compiler::query::typed::{BlockKind, EdgeStep, Pattern};

/// All rows that extend `outer` and fulfil the pattern.
pub(crate) fn matches(graph: &Graph, pattern: &Pattern, outer: &Row) -> Vec<Row> {
    let mut rows = vec![outer.clone()];
    for node in &pattern.nodes {
        let fits = |at: &usize| node.types.iter().any(|name| name == graph.nodes[*at].type_name);
        let all: Vec<usize> = (0..graph.nodes.len()).filter(fits).collect();
        rows =
            rows.iter().flat_map(|row| all.iter().map(|at| row.with(&node.name, Bound::Node(*at)))).collect();
    }
    for edge in &pattern.edges {
        rows = rows.iter().flat_map(|row| step(graph, edge, row)).collect();
    }
    for (_, block) in pattern.blocks.iter().filter(|(kind, _)| *kind == BlockKind::Optional) {
        rows = rows.iter().flat_map(|row| optional(graph, block, row)).collect();
    }
    for filter in &pattern.filters {
        rows.retain(|row| is_true(graph, row, filter));
    }
    for (kind, block) in pattern.blocks.iter().filter(|(kind, _)| *kind != BlockKind::Optional) {
        rows.retain(|row| matches(graph, block, row).is_empty() == (*kind == BlockKind::Not));
    }
    rows
}

fn step(graph: &Graph, edge: &EdgeStep, row: &Row) -> Vec<Row> {
    let (Some(src), Some(dst)) = (row.node(&edge.src), row.node(&edge.dst)) else { return Vec::new() };
    if let (Some(var), false) = (&edge.var, edge.is_path()) {
        let edges = steps(graph, &edge.arms, src).into_iter().filter(|(_, to)| *to == dst);
        return edges.map(|(at, _)| row.with(var, Bound::Edge(at))).collect();
    }
    match distances(graph, &edge.arms, src).get(&dst) {
        Some(hops) if (edge.min..=edge.max).contains(hops) => match &edge.var {
            Some(var) => vec![row.with(var, Bound::Path(*hops))],
            None => vec![row.clone()],
        },
        _ => Vec::new(),
    }
}

fn optional(graph: &Graph, block: &Pattern, row: &Row) -> Vec<Row> {
    let found = matches(graph, block, row);
    if !found.is_empty() {
        return found;
    }
    vec![with_nulls(block, row.clone())]
}

fn with_nulls(block: &Pattern, mut row: Row) -> Row {
    let edges = block.edges.iter().filter_map(|edge| edge.var.clone());
    for name in block.nodes.iter().map(|node| node.name.clone()).chain(edges) {
        row.vars.insert(name, Bound::Null);
    }
    for (_, inner) in block.blocks.iter().filter(|(kind, _)| *kind == BlockKind::Optional) {
        row = with_nulls(inner, row);
    }
    row
}
