//! Lists and promises of scripts: what literals hold, and what functions of the environment make of them.

use super::infer::type_of_value;
use super::lookup::Resolver;
use super::rules::{self, MadeOf};
use super::surface::Surface;
use super::types::{UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, ScopeId};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// A list that holds these values.
    pub(super) fn list_of(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId) -> Val {
        let held: SmallVec<[Val; 4]> = at.items(list).map(|item| self.eval_open(at, scope, item)).collect();
        let types: SmallVec<[Val; 4]> = held.into_iter().map(type_of_value).collect();
        let element = self.one_of(&types);
        self.holding(element)
    }

    /// A list, or promise, of a type.
    fn holding(&mut self, element: Val) -> Val {
        if matches!(element.what, What::Unknown | What::External) {
            return UNKNOWN;
        }
        let args = self.args(element, &[element]);
        Val { what: What::InstanceOfApply(None, args), imported: element.imported }
    }

    /// What functions such as `Object.values` and `Promise.all` make of what they are given.
    pub(super) fn given_by_globals(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Expr::Member(base, function) = at.expr(callee) else { return UNKNOWN };
        let Expr::Name(object) = at.expr(base) else { return UNKNOWN };
        let made = rules::made_of(at.names.get(object), at.names.get(function));
        let (Some(made), Expr::With(_, given)) = (made, at.whole_expr(callee)) else { return UNKNOWN };
        let Some(given) = at.items(given).next() else { return UNKNOWN };
        if let (MadeOf::Awaited, Expr::Holds(list)) = (made, at.expr(given)) {
            return self.all_awaited(at, scope, list);
        }
        let whole = self.eval_open(at, scope, given);
        let What::InstanceOfApply(None, args) = whole.what else { return UNKNOWN };
        let held = self.arguments[args.element as usize];
        match made {
            MadeOf::Whole => whole,
            MadeOf::Values => self.holding(held),
            MadeOf::Entries => {
                let first = self.arguments.len() as u32;
                self.arguments.extend([UNKNOWN, held]);
                let pair = Val { what: What::Tuple(first, 2), imported: held.imported };
                self.holding(pair)
            }
            MadeOf::Awaited => {
                let What::Apply(None, promise) = held.what else { return UNKNOWN };
                let element = self.arguments[promise.element as usize];
                let list = self.holding(element);
                self.holding(type_of_value(list))
            }
        }
    }

    /// A promise of what several promises hold.
    fn all_awaited(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId) -> Val {
        let promises: SmallVec<[Val; 4]> =
            at.items(list).map(|item| self.eval_open(at, scope, item)).collect();
        let held = |promise: &Val| match promise.what {
            What::InstanceOfApply(None, args) => {
                let held = self.arguments[args.element as usize];
                Val { imported: held.imported || promise.imported, ..held }
            }
            _ => UNKNOWN,
        };
        let parts: SmallVec<[Val; 4]> = promises.iter().map(held).collect();
        let first = self.arguments.len() as u32;
        self.arguments.extend_from_slice(&parts);
        self.holding(Val { what: What::Tuple(first, parts.len() as u32), imported: false })
    }
}
