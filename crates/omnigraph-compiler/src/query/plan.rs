//! A checked query as operators in the order in which they run.
//!
//! ```text
//! Pattern ─pattern─▶ scan, expand, filter, join, semi, optional ─output─▶ score, aggregate, sort, limit, project
//! ```
//!
//! The order comes from what is known without looking at rows: a key before an index, an index before a scan, then
//! along the edges. A filter stands at the operator that binds its last variable. The engine may choose another order;
//! the result is the same.

mod access;
mod explain;
mod expr_text;
mod fields;
pub mod op;
mod output;
mod pattern;

use super::typed::{Body, Checked, CheckedQuery, Column, Param, Read};
use crate::schema::catalog::Catalog;
use access::Conditions;
use op::{MutationOp, Op};

/// What the engine runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// A query that reads.
    Read(ReadPlan),
    /// A query that changes the graph.
    Mutation(MutationPlan),
}

impl Plan {
    /// Of the query.
    pub fn name(&self) -> &str {
        match self {
            Plan::Read(plan) => &plan.name,
            Plan::Mutation(plan) => &plan.name,
        }
    }

    /// In order.
    pub fn params(&self) -> &[Param] {
        match self {
            Plan::Read(plan) => &plan.params,
            Plan::Mutation(plan) => &plan.params,
        }
    }
}

/// Operators, first to last. Each takes the rows of the one before it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadPlan {
    /// Of the query.
    pub name: String,
    /// In order.
    pub params: Vec<Param>,
    /// In order; the last is always a `project`.
    pub ops: Vec<Op>,
}

impl ReadPlan {
    /// The columns of the result, with names and types.
    pub fn columns(&self) -> &[Column] {
        match self.ops.last() {
            Some(Op::Project(columns)) => columns,
            _ => &[],
        }
    }
}

/// Statements, first to last; all take effect or none.
#[derive(Clone, Debug, PartialEq)]
pub struct MutationPlan {
    /// Of the query.
    pub name: String,
    /// In order.
    pub params: Vec<Param>,
    /// In order. Each sees what those before it did.
    pub statements: Vec<MutationOp>,
}

/// The plan of a query of a file; `None` when the file has no query of that name.
pub fn plan(catalog: &Catalog, checked: &Checked, name: &str) -> Option<Plan> {
    checked.query(name).map(|query| plan_query(catalog, query))
}

/// The plan of one query.
pub fn plan_query(catalog: &Catalog, query: &CheckedQuery) -> Plan {
    let (name, params) = (query.name.clone(), query.params.clone());
    match &query.body {
        Body::Read(read) => Plan::Read(ReadPlan { name, params, ops: read_ops(catalog, read) }),
        Body::Mutation(statements) => {
            let statements =
                statements.iter().map(|statement| access::mutation(catalog, statement)).collect();
            Plan::Mutation(MutationPlan { name, params, statements })
        }
    }
}

fn read_ops(catalog: &Catalog, read: &Read) -> Vec<Op> {
    let mut ops = pattern::plan(catalog, &read.pattern);
    output::plan(read, &mut ops);
    fields::assign(&mut ops);
    ops
}

/// Conditions that all hold, from one that may be several joined by `and`.
fn conjuncts(conditions: &[super::typed::Expr]) -> Conditions {
    let mut flat = Vec::new();
    for condition in conditions {
        match &condition.kind {
            super::typed::ExprKind::And(parts) => flat.extend(conjuncts(parts)),
            _ => flat.push(condition.clone()),
        }
    }
    flat
}
