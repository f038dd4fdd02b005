//! Patterns inside of a pattern: `not`, `exists` and `optional`.

use super::{Builder, Vars};
use crate::query::plan::op::{Mark, Op, Optional, Semi};
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
        Op::Semi(Semi { outer: block.outer.clone(), inner: self.inner(block), negated })
    }

    fn inner(&mut self, block: &Pattern) -> Vec<Op> {
        let bound = block.outer.iter().cloned().collect();
        Builder::new(self.catalog, block, self.flags, bound).build()
    }

    /// Replaces every `exists` in a condition by a flag that is computed before it.
    fn mark(&mut self, condition: &mut Expr) {
        if let ExprKind::Exists(block) = &condition.kind {
            let (outer, inner) = (block.outer.clone(), self.inner(block));
            let flag = *self.flags;
            *self.flags += 1;
            self.ops.push(Op::Mark(Mark { flag, outer, inner }));
            condition.kind = ExprKind::Flag(flag);
            return;
        }
        for child in vars::children_mut(condition) {
            self.mark(child);
        }
    }

    pub(super) fn optional(&mut self, block: &Pattern) {
        let inner = self.inner(block);
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
