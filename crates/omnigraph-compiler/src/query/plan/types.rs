//! Which types a plan looks at or changes. Permissions by type rest on this, so every operator is named here: a new one does
//! not compile before it says what it reads.

use super::Plan;
use super::op::{MutationOp, Op};
use crate::query::typed::Target;
use std::collections::BTreeSet;

impl Plan {
    /// The node and edge types whose rows the plan reads, or whose rows it names to change. Edges that go with a deleted
    /// node are not among them.
    pub fn types(&self) -> BTreeSet<&str> {
        let mut types = BTreeSet::new();
        match self {
            Plan::Read(plan) => {
                pattern(&plan.pattern, &mut types);
                pattern(&plan.output.late, &mut types);
            }
            Plan::Mutation(plan) => plan.statements.iter().for_each(|op| statement(op, &mut types)),
        }
        types
    }
}

fn pattern<'p>(ops: &'p [Op], types: &mut BTreeSet<&'p str>) {
    for op in ops {
        match op {
            Op::Scan(scan) => types.extend(scan.types.iter().map(String::as_str)),
            Op::Expand(expand) => {
                types.extend(expand.arms.iter().map(|arm| arm.edge.as_str()));
                types.extend(expand.types.iter().map(String::as_str));
            }
            // Expressions are about variables that these bind.
            Op::Filter(_) => {}
            Op::Join(join) => pattern(&join.inner, types),
            Op::Semi(semi) => pattern(&semi.inner, types),
            Op::Mark(mark) => pattern(&mark.inner, types),
            Op::Fold(fold) => pattern(&fold.inner, types),
            Op::Optional(optional) => pattern(&optional.inner, types),
        }
    }
}

fn statement<'p>(op: &'p MutationOp, types: &mut BTreeSet<&'p str>) {
    let name = match op {
        MutationOp::InsertNode { type_name, .. } | MutationOp::InsertEdge { type_name, .. } => type_name,
        MutationOp::Update { target, .. } | MutationOp::Delete { target, .. } => match target {
            Target::Node(name) | Target::Edge(name) => name,
        },
    };
    types.insert(name);
}
