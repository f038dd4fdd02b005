//! Which properties of a variable a plan reads, so that nothing else need be: above all no vectors and blobs.
//!
//! What only a search or a score looks at is not among them; an index may answer that.

use super::op::Op;
use super::output::Output;
use crate::query::typed::{Expr, ExprKind};
use crate::query::vars::children;
use std::collections::{BTreeMap, BTreeSet};

type Fields = BTreeMap<String, BTreeSet<String>>;

/// Fills in the lists of properties.
pub(super) fn assign(pattern: &mut [Op], output: &mut Output) {
    let mut fields = Fields::new();
    for op in pattern.iter().chain(&output.late) {
        of_op(op, &mut fields);
    }
    of_output(output, &mut fields);
    fill(pattern, &fields);
    fill(&mut output.late, &fields);
}

fn of_output(output: &Output, fields: &mut Fields) {
    let filters = output.scores.iter().flat_map(|op| &op.filters);
    let keys = output.groups.iter().flat_map(|op| &op.keys);
    let args = output.groups.iter().flat_map(|op| &op.aggregates).map(|call| &call.arg);
    let order = output.sort.iter().flat_map(|sort| &sort.keys).map(|key| &key.expr);
    let columns = output.columns.iter().map(|column| &column.expr);
    filters.chain(keys).chain(args).chain(order).chain(columns).for_each(|expr| of_expr(expr, fields));
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
            Op::Fold(fold) => fill(&mut fold.inner, fields),
            Op::Optional(optional) => fill(&mut optional.inner, fields),
            Op::Filter(_) => {}
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
        Op::Fold(fold) => {
            inner(&fold.inner, fields);
            fold.arg.iter().for_each(|arg| of_expr(arg, fields));
        }
        Op::Optional(optional) => inner(&optional.inner, fields),
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
