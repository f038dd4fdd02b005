//! Patterns inside of a pattern: `not`, `exists` and `optional`.

use super::{Builder, Vars};
use crate::query::plan::op::{Fold, Mark, Op, Optional, Semi};
use crate::query::typed::{BlockKind, Expr, ExprKind, Pattern};
use crate::query::vars;

impl Builder<'_> {
    /// Emits the blocks whose variables are all bound, as clauses or inside of conditions.
    pub(super) fn semis(&mut self) {
        for entry in std::mem::take(&mut self.blocks) {
            let (kind, block) = entry;
            if block.outer.iter().all(|name| self.bound.contains(name)) {
                let semi = self.semi(*kind == BlockKind::Not, block);
                self.ops.push(semi);
            } else {
                self.blocks.push(entry);
            }
        }
        for mut condition in std::mem::take(&mut self.conditions) {
            if !vars::of_expr(&condition).is_subset(&self.bound) {
                self.conditions.push(condition);
                continue;
            }
            let (negated, block) = match &condition.kind {
                ExprKind::Exists(block) => (false, Some(block)),
                ExprKind::Not(inner) => match &inner.kind {
                    ExprKind::Exists(block) => (true, Some(block)),
                    _ => (false, None),
                },
                _ => (false, None),
            };
            if let Some(block) = block {
                let semi = self.semi(negated, block);
                self.ops.push(semi);
                continue;
            }
            self.mark(&mut condition);
            self.ops.push(Op::Filter(condition));
        }
    }

    fn semi(&mut self, negated: bool, block: &Pattern) -> Op {
        Op::Semi(Semi { outer: block.outer.clone(), inner: self.inner(block, None).0, negated })
    }

    /// The pipeline of a block, and a value that is computed for its rows.
    fn inner(&mut self, block: &Pattern, value: Option<&Expr>) -> (Vec<Op>, Option<Expr>) {
        let bound = block.outer.iter().cloned().collect();
        let mut builder = Builder::new(self.catalog, block, self.flags, bound);
        builder.build();
        let mut value = value.cloned();
        if let Some(value) = &mut value {
            builder.mark(value);
        }
        (builder.ops, value)
    }

    /// Replaces every block in an expression by what is computed before it; equal ones once.
    pub(super) fn mark(&mut self, expr: &mut Expr) {
        if let Some((_, known)) = self.marked.iter().find(|(block, _)| *block == expr.kind) {
            expr.kind = known.clone();
            return;
        }
        let kind = match &expr.kind {
            ExprKind::Exists(block) => {
                let (outer, inner) = (block.outer.clone(), self.inner(block, None).0);
                let flag = self.number();
                self.ops.push(Op::Mark(Mark { flag, outer, inner }));
                ExprKind::Flag(flag)
            }
            ExprKind::Fold { function, distinct, arg, pattern } => {
                let (function, distinct, ty) = (*function, *distinct, expr.ty.clone());
                let (inner, arg) = self.inner(pattern, arg.as_deref());
                let value = self.number();
                let outer = pattern.outer.clone();
                self.ops.push(Op::Fold(Fold { value, function, distinct, arg, ty, outer, inner }));
                ExprKind::Folded(value)
            }
            _ => return vars::children_mut(expr).into_iter().for_each(|child| self.mark(child)),
        };
        let block = std::mem::replace(&mut expr.kind, kind.clone());
        self.marked.push((block, kind));
    }

    fn number(&mut self) -> usize {
        *self.flags += 1;
        *self.flags - 1
    }

    pub(super) fn optional(&mut self, block: &Pattern) {
        let (inner, _) = self.inner(block, None);
        let binds: Vars = vars::of_pattern(block).difference(&self.bound).cloned().collect();
        let binds: Vec<String> = bound_by(block).into_iter().filter(|name| binds.contains(name)).collect();
        self.bound.extend(binds.iter().cloned());
        self.ops.push(Op::Optional(Optional { outer: block.outer.clone(), inner, binds }));
        self.place();
    }
}

/// The variables that an optional block gives to what stands around it.
fn bound_by(block: &Pattern) -> Vec<String> {
    let mut names: Vec<String> = block.nodes.iter().map(|node| node.name.clone()).collect();
    names.extend(block.edges.iter().filter_map(|edge| edge.var.clone()));
    for (kind, inner) in &block.blocks {
        if *kind == BlockKind::Optional {
            names.extend(bound_by(inner));
        }
    }
    names
}
