//! What the operators of a class of C++ give: `x[i]`, `*x`, `x->member`, `x(…)`.

use super::key::hash_name;
use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::{Surface, SymRef};
use super::types::{Val, What};
use super::world::World;
use orbit_extract::{ExprId, Family, ScopeId};

impl<'w, W: World> Resolver<'w, W> {
    /// What an operator that a class has as a member gives for a value of it. `None` when there is no such operator,
    /// or several that give different things.
    pub(super) fn operated(&mut self, value: Val, operator: &str) -> Option<Val> {
        let (What::Instance(ty) | What::InstanceOfApply(Some(ty), _)) = value.what else { return None };
        if self.world.surface(ty.file).family() != Family::Native {
            return None;
        }
        let found = self.member_of_type(ty, hash_name(operator), Want::Callable)?;
        let Thing::Sym(sym) = found.thing else { return None };
        let is_unary = operator == "operator*";
        if is_unary && self.parameters(sym) > 0 || !is_unary && !self.is_one_operator(found, sym) {
            return None;
        }
        self.result_of_method(value, operator)
    }

    fn parameters(&self, sym: SymRef) -> usize {
        let surface = self.world.surface(sym.file);
        surface.symbols[sym.index as usize].params.map_or(0, |params| surface.items(params).count())
    }

    /// Whether all operators of a name take the same, but for `const`, or give the same.
    fn is_one_operator(&mut self, found: Found, sym: SymRef) -> bool {
        let all = self.siblings(sym);
        self.are_one(all.into_iter()) || self.agree(found)
    }

    /// What `x[i]` gives for a value of a class with that operator; a pointer to one has elements of its own.
    pub(super) fn subscripted(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        whole: ExprId,
        value: Val,
    ) -> Option<Val> {
        if at.family() != Family::Native {
            return None;
        }
        let given = self.operated(value, "operator[]")?;
        (!self.is_plain_pointer(at, scope, whole)).then_some(given)
    }

    /// What `*x` gives, where `x` is of a class with that operator.
    pub(super) fn indirect(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Option<Val> {
        if at.family() != Family::Native {
            return None;
        }
        let (inner, "*") = at.pointer_mark(expr)? else { return None };
        let value = self.eval_open(at, scope, inner);
        let given = self.operated(value, "operator*")?;
        (!self.is_plain_pointer(at, scope, inner)).then_some(given)
    }

    /// What a value points to by an operator or trait of its own.
    pub(super) fn pointed_by(&mut self, value: Val, family: Family) -> Option<Val> {
        match family {
            Family::Rust => self.dereferenced(value),
            Family::Native => self.operated(value, "operator->").filter(|given| given.what != value.what),
            _ => None,
        }
    }
}
