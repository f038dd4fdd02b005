//! Following edges from the rows at hand.

use super::eval::Context;
use super::keep;
use super::rows::{EdgeColumn, Kinds, NodeColumn, Path, Rows};
use super::walk::{Step, Walk, Walker};
use crate::error::Result;
use crate::topology::NO_NODE;
use omnigraph_compiler::query::plan::op::Expand;
use omnigraph_compiler::query::typed::{Expr, ExprKind};
use omnigraph_compiler::{Scalar, Type};
use std::sync::Arc;

/// What an expansion finds, row by row.
#[derive(Default)]
struct Found {
    picks: Vec<u32>,
    kinds: Vec<u16>,
    nodes: Vec<u32>,
    edges: Vec<(u16, u64)>,
    paths: Vec<Arc<Path>>,
}

pub(super) fn expand(context: &Context<'_>, op: &Expand, rows: Rows) -> Result<Rows> {
    let places = op.types.iter().map(|name| context.view.node_place(name)).collect::<Result<Vec<u16>>>()?;
    let mut walker = Walker::new(context.view, &op.arms)?;
    let source = rows.node(&op.src)?;
    let target = if op.into { Some(rows.node(&op.dst)?) } else { None };
    let mut found = Found::default();
    for row in 0..rows.len {
        let (kind, node) = (source.kinds.at(row), source.numbers[row]);
        if node == NO_NODE {
            continue;
        }
        // A walk of several hops may see the whole graph.
        if op.max > 1 {
            context.stop.check()?;
        } else {
            context.stop.check_at(row as u32)?;
        }
        let wanted = target.map(|target| (target.kinds.at(row), target.numbers[row]));
        let fits = |kind: u16, node: u32| match wanted {
            Some(wanted) => wanted == (kind, node),
            None => places.contains(&kind),
        };
        let walk = Walk { context, start: (kind, node), min: op.min, max: op.max, until: wanted };
        found.row(&mut walker, op, row as u32, &walk, &fits)?;
    }
    finish(context, op, &rows, found)
}

impl Found {
    fn row(
        &mut self,
        walker: &mut Walker<'_>,
        op: &Expand,
        row: u32,
        walk: &Walk<'_>,
        fits: &dyn Fn(u16, u32) -> bool,
    ) -> Result<()> {
        // Back to where it starts a walk has one hop to go.
        if op.max > 1
            && let Some(end) = walk.until.filter(|end| *end != walk.start)
        {
            if let Some(path) = walker.between(walk, end)? {
                self.push(row, end.0, end.1);
                self.paths.extend(op.path.is_some().then_some(path));
            }
        } else if op.path.is_some() {
            for path in walker.paths(walk, fits)? {
                if let Some((kind, node)) = path.nodes.last() {
                    self.push(row, *kind, *node);
                    self.paths.push(path);
                }
            }
        } else if op.max > 1 {
            walker.within(walk, |kind, node| {
                if fits(kind, node) {
                    self.push(row, kind, node);
                }
            })?;
        } else if op.max == 1 {
            self.one_hop(walker, op, row, walk.start, fits);
        }
        Ok(())
    }

    fn one_hop(
        &mut self,
        walker: &mut Walker<'_>,
        op: &Expand,
        row: u32,
        (kind, node): (u16, u32),
        fits: &dyn Fn(u16, u32) -> bool,
    ) {
        if op.edge.is_some() {
            let mut steps: Vec<Step> = Vec::new();
            walker.steps(kind, node, |step| {
                if fits(step.kind, step.node) {
                    steps.push(step);
                }
            });
            for step in steps {
                self.push(row, step.kind, step.node);
                self.edges.push((step.edge, step.row));
            }
            return;
        }
        if let Some((to, nodes)) = walker.plain(kind, node) {
            for other in nodes {
                if fits(to, *other) {
                    self.push(row, to, *other);
                }
            }
            return;
        }
        let mut steps: Vec<(u16, u32)> = Vec::new();
        walker.steps(kind, node, |step| {
            if fits(step.kind, step.node) {
                steps.push((step.kind, step.node));
            }
        });
        if walker.repeats() {
            walker.begin();
            steps.retain(|(kind, node)| walker.meet(*kind, *node));
        }
        for (kind, node) in steps {
            self.push(row, kind, node);
        }
    }

    fn push(&mut self, row: u32, kind: u16, node: u32) {
        self.picks.push(row);
        self.kinds.push(kind);
        self.nodes.push(node);
    }
}

fn finish(context: &Context<'_>, op: &Expand, rows: &Rows, found: Found) -> Result<Rows> {
    let mut next = rows.pick(&found.picks);
    if !op.into {
        let column = NodeColumn { kinds: Kinds::of(found.kinds), numbers: found.nodes };
        next.nodes.push((op.dst.clone(), column));
    }
    if let Some(edge) = &op.edge {
        let kinds = Kinds::of(found.edges.iter().map(|(kind, _)| *kind).collect());
        let rows = found.edges.into_iter().map(|(_, row)| row).collect();
        next.edges.push((edge.clone(), EdgeColumn { kinds, rows }));
    }
    if let Some(path) = &op.path {
        let turned = |path: Arc<Path>| if op.reversed { Arc::new(reversed(&path)) } else { path };
        next.paths.push((path.clone(), found.paths.into_iter().map(turned).map(Some).collect()));
    }
    let next = keep(context, &op.edge_filters, next)?;
    let mut next = keep(context, &op.filters, next)?;
    for search in &op.search {
        let kind = ExprKind::Text(search.clone());
        next = keep(context, &[Expr { kind, ty: Type::scalar(Scalar::Bool) }], next)?;
    }
    Ok(next)
}

fn reversed(path: &Path) -> Path {
    Path {
        nodes: path.nodes.iter().rev().copied().collect(),
        edges: path.edges.iter().rev().copied().collect(),
    }
}
