//! A checked query as what is done, in the order in which it is done.
//!
//! ```text
//! Read ─pattern─▶ scan, expand, filter, join, semi, optional: any number, in any order
//!      ─output──▶ scores, groups, sort, limit, blocks for columns alone, columns: each at most once, in this order
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
pub mod output;
mod pattern;
mod types;

use super::typed::{Body, Checked, CheckedQuery, Column, Param};
use crate::schema::catalog::Catalog;
use access::Conditions;
use op::{MutationOp, Op};
use output::Output;

/// What the engine runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// A query that reads.
    Read(Box<ReadPlan>),
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

    /// The parameters, as they are written.
    pub fn params(&self) -> &[Param] {
        match self {
            Plan::Read(plan) => &plan.params,
            Plan::Mutation(plan) => &plan.params,
        }
    }
}

/// How the rows of a pattern are found, and what becomes of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadPlan {
    /// Of the query.
    pub name: String,
    /// The parameters, as they are written.
    pub params: Vec<Param>,
    /// Operators, first to last. The first is a scan; each of the others takes the rows of the one before it.
    pub pattern: Vec<Op>,
    /// What is done with the rows of the last one.
    pub output: Output,
}

impl ReadPlan {
    /// The columns of the result, with names and types.
    pub fn columns(&self) -> &[Column] {
        &self.output.columns
    }
}

/// Statements, first to last; all take effect or none.
#[derive(Clone, Debug, PartialEq)]
pub struct MutationPlan {
    /// Of the query.
    pub name: String,
    /// The parameters, as they are written.
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
        Body::Read(read) => {
            let mut draft = output::Draft::new(read);
            let mut pattern = pattern::plan(catalog, &read.pattern, draft.exprs());
            let mut output = output::plan(read, draft, &mut pattern);
            fields::assign(&mut pattern, &mut output);
            Plan::Read(Box::new(ReadPlan { name, params, pattern, output }))
        }
        Body::Mutation(statements) => {
            let statements =
                statements.iter().map(|statement| access::mutation(catalog, statement)).collect();
            Plan::Mutation(MutationPlan { name, params, statements })
        }
    }
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
