//! Which properties of a variable a plan reads, so that nothing else need be: above all no vectors and blobs.
//!
//! What only a search or a score looks at is not among them; an index may answer that.

use super::op::Op;
use crate::query::typed::{Expr, ExprKind};
use crate::query::vars::children;
use std::collections::{BTreeMap, BTreeSet};

type Fields = BTreeMap<String, BTreeSet<String>>;

/// Fills in the lists of properties.
pub(super) fn assign(ops: &mut [Op]) {
    let mut fields = Fields::new();
    for op in &*ops {
        of_op(op, &mut fields);
    }
    fill(ops, &fields);
}

fn fill(ops: &mut [Op], fields: &Fields) {
    let of = |var: &str| fields.get(var).map(|names| names.iter().cloned().collect()).unwrap_or_default();
    for op in ops {
        match op {
            Op::Scan(scan) => scan.properties = of(&scan.var),
            Op::Expand(expand) => {
                if !expand.into {
                    expand.properties = of(&expand.dst);
                }
                expand.edge_properties = expand.edge.as_deref().map(of).unwrap_or_default();
            }
            Op::Join(join) => fill(&mut join.inner, fields),
            Op::Semi(semi) => fill(&mut semi.inner, fields),
            Op::Mark(mark) => fill(&mut mark.inner, fields),
            Op::Optional(optional) => fill(&mut optional.inner, fields),
            _ => {}
        }
    }
}

fn of_op(op: &Op, fields: &mut Fields) {
    let inner = |ops: &[Op], fields: &mut Fields| ops.iter().for_each(|op| of_op(op, fields));
    match op {
        Op::Scan(scan) => {
            scan.filters.iter().for_each(|filter| of_expr(filter, fields));
        }
        Op::Expand(expand) => {
            expand.filters.iter().chain(&expand.edge_filters).for_each(|filter| of_expr(filter, fields));
        }
        Op::Filter(filter) => of_expr(filter, fields),
        Op::Join(join) => {
            inner(&join.inner, fields);
            for (here, there) in &join.on {
                of_expr(here, fields);
                of_expr(there, fields);
            }
        }
        Op::Semi(semi) => inner(&semi.inner, fields),
        Op::Mark(mark) => inner(&mark.inner, fields),
        Op::Optional(optional) => inner(&optional.inner, fields),
        Op::Aggregate(group) => {
            let args = group.aggregates.iter().map(|call| &call.arg);
            group.keys.iter().chain(args).for_each(|expr| of_expr(expr, fields));
        }
        Op::Sort(sort) => sort.keys.iter().for_each(|key| of_expr(&key.expr, fields)),
        Op::Score(_) | Op::Limit(_) => {}
        Op::Project(columns) => columns.iter().for_each(|column| of_expr(&column.expr, fields)),
    }
}

fn of_expr(expr: &Expr, fields: &mut Fields) {
    if let ExprKind::Property { var, property } = &expr.kind {
        fields.entry(var.clone()).or_default().insert(property.clone());
    }
    for child in children(expr) {
        of_expr(child, fields);
    }
}
