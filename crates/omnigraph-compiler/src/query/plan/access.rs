//! The best way into a table that a list of conditions allows.

use super::conjuncts;
use super::op::{Access, MutationOp};
use crate::query::typed::{CompareOp, Expr, ExprKind, Statement, Target};
use crate::query::vars;
use crate::schema::catalog::{Body, Catalog};

/// Conditions that all hold.
pub(super) type Conditions = Vec<Expr>;

/// For the nodes of some types: what all of their tables allow.
pub(super) fn of_nodes(catalog: &Catalog, types: &[String], conditions: &[Expr]) -> Access {
    let mut bodies = types.iter().filter_map(|name| catalog.nodes.get(name)).map(|node| &node.body);
    let Some(first) = bodies.next().map(|body| of_body(body, conditions)) else { return Access::Full };
    if bodies.all(|body| of_body(body, conditions) == first) { first } else { Access::Full }
}

/// How good a way in is; less is better.
pub(super) fn rank(access: &Access) -> u8 {
    match access {
        Access::Key => 0,
        Access::Source | Access::Target | Access::Changes => 1,
        Access::Index(_) => 2,
        Access::Text(_) => 3,
        Access::Full => 4,
    }
}

/// A statement with its way in.
pub(super) fn mutation(catalog: &Catalog, statement: &Statement) -> MutationOp {
    match statement.clone() {
        Statement::InsertNode { type_name, values } => MutationOp::InsertNode { type_name, values },
        Statement::InsertEdge { type_name, from, to, values } => {
            MutationOp::InsertEdge { type_name, from, to, values }
        }
        Statement::Update { target, values, filter } => {
            let filters = conjuncts(&[filter]);
            let access = of_target(catalog, &target, &filters);
            MutationOp::Update { target, access, filters, values }
        }
        Statement::Delete { target, filter } => {
            let filters = conjuncts(&[filter]);
            let access = of_target(catalog, &target, &filters);
            MutationOp::Delete { target, access, filters }
        }
    }
}

fn of_target(catalog: &Catalog, target: &Target, conditions: &[Expr]) -> Access {
    let (Target::Node(name) | Target::Edge(name)) = target;
    let Some(body) = catalog.body(name) else { return Access::Full };
    if matches!(target, Target::Node(_)) {
        return of_body(body, conditions);
    }
    let pins = |end: fn(&ExprKind) -> bool| conditions.iter().any(|c| pinned(c).is_some_and(&end));
    if pins(|kind| matches!(kind, ExprKind::Id { .. })) {
        Access::Key
    } else if pins(|kind| matches!(kind, ExprKind::Src { .. })) {
        Access::Source
    } else if pins(|kind| matches!(kind, ExprKind::Dst { .. })) {
        Access::Target
    } else {
        indexed(body, conditions)
    }
}

fn of_body(body: &Body, conditions: &[Expr]) -> Access {
    let pins = |name: &str| {
        let is = |kind: &ExprKind| matches!(kind, ExprKind::Property { property, .. } if property == name);
        conditions.iter().filter_map(pinned).any(is)
    };
    let by_id = conditions.iter().filter_map(pinned).any(|kind| matches!(kind, ExprKind::Id { .. }));
    if by_id || (!body.key.is_empty() && body.key.iter().all(|name| pins(name))) {
        return Access::Key;
    }
    if conditions.iter().any(|condition| matches!(condition.kind, ExprKind::Since { .. })) {
        return Access::Changes;
    }
    indexed(body, conditions)
}

fn indexed(body: &Body, conditions: &[Expr]) -> Access {
    let property = |kind: &ExprKind| match kind {
        ExprKind::Property { property, .. } if body.is_indexed(property) => Some(property.clone()),
        _ => None,
    };
    let mut exact = conditions.iter().filter_map(pinned).filter_map(property);
    let mut ranges = conditions.iter().filter_map(bounded).filter_map(property);
    if let Some(name) = exact.next().or_else(|| ranges.next()) {
        return Access::Index(name);
    }
    let text = conditions.iter().find_map(|condition| match &condition.kind {
        ExprKind::Text(text) => Some(text.property.clone()),
        _ => None,
    });
    text.map_or(Access::Full, Access::Text)
}

/// What a condition fixes to one of a few values that are known before the table is read.
fn pinned(condition: &Expr) -> Option<&ExprKind> {
    match &condition.kind {
        ExprKind::Compare { op: CompareOp::Eq, left, right } => side(left, right),
        ExprKind::In { item, list, negated: false } if is_constant(list) => Some(&item.kind),
        _ => None,
    }
}

/// What a condition puts a bound on.
fn bounded(condition: &Expr) -> Option<&ExprKind> {
    match &condition.kind {
        ExprKind::Compare { op, left, right } => match op {
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => side(left, right),
            CompareOp::StartsWith => is_constant(right).then_some(&left.kind),
            _ => None,
        },
        _ => None,
    }
}

fn side<'e>(left: &'e Expr, right: &'e Expr) -> Option<&'e ExprKind> {
    if is_constant(right) {
        return Some(&left.kind);
    }
    is_constant(left).then_some(&right.kind)
}

fn is_constant(expr: &Expr) -> bool {
    vars::of_expr(expr).is_empty()
}
