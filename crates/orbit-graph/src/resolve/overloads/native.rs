//! What C++ tells overloads apart by: built-in types, type parameters, and whether the object is constant.

use super::{BOXED, Candidates, Fit, POSSIBLE, SAME, SUPERTYPE, UNFIT};
use crate::resolve::lookup::{Resolver, Thing, Want};
use crate::resolve::surface::{Surface, SymFact, SymRef};
use crate::resolve::world::World;
use hashbrown::HashSet;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};

/// A type parameter takes any argument as it is: better than a conversion, not better than the very type.
pub(super) const DEDUCED: Fit = SAME - 1;

/// Whether a parameter is a type parameter of its template, and nothing else.
pub(super) fn is_deduced(surface: &Surface, param: ExprId) -> bool {
    surface.family() == Family::Native && matches!(surface.whole_expr(param), Expr::Parameter(..))
}

/// How well a value of a built-in type fits a parameter.
pub(super) fn fit_primitive(given: &str, surface: &Surface, param: ExprId) -> Fit {
    if is_deduced(surface, param) {
        return DEDUCED;
    }
    let Expr::Primitive(wanted) = surface.expr(param) else { return POSSIBLE };
    let wanted = surface.names.get(wanted);
    let is_pointer = |name: &str| name.ends_with('*');
    match (is_pointer(given), is_pointer(wanted)) {
        _ if given == wanted => SAME,
        // `0` may be a pointer, and any pointer is one to `void` or a truth.
        (false, true) if given == "int" => POSSIBLE,
        (true, true) if wanted == "void*" => BOXED,
        (true, false) if wanted == "bool" => POSSIBLE,
        (true, _) | (_, true) => UNFIT,
        (false, false) if is_promoted(given, wanted) => SUPERTYPE,
        (false, false) => BOXED,
    }
}

/// The conversions that come before others.
fn is_promoted(given: &str, wanted: &str) -> bool {
    matches!((given, wanted), ("char" | "bool" | "short", "int") | ("float", "double"))
}

impl<'w, W: World> Resolver<'w, W> {
    /// Whether what a member function of C++ is called on is constant, as far as its type is written.
    pub(super) fn is_const_object(&mut self, at: &'w Surface, scope: ScopeId, base: Option<ExprId>) -> bool {
        let in_const = |at: &Surface| {
            let mut outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
            outer
                .find(|index| at.symbols[*index].kind == SymbolKind::Method)
                .is_some_and(|index| is_const_member(&at.symbols[index]))
        };
        let Some(base) = base else { return in_const(at) };
        let world = self.world;
        let is_const_symbol = |sym: SymRef| {
            let surface = world.surface(sym.file);
            surface.symbols[sym.index as usize].ty.is_some_and(|ty| surface.is_const(ty))
        };
        match at.whole_expr(base) {
            Expr::This => in_const(at),
            Expr::Instance(_) => at.is_const(base),
            Expr::Call(callee) => match self.callee_of(at, scope, callee).map(|found| found.thing) {
                Some(Thing::Sym(sym)) => is_const_symbol(sym),
                _ => false,
            },
            Expr::Name(_) | Expr::Member(..) => {
                match self.thing_of(at, scope, base, Want::Prefix).map(|found| found.thing) {
                    Some(Thing::Sym(sym)) => is_const_symbol(sym),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Of member functions that differ in `const` alone, leaves the one that the object asks for.
    pub(super) fn leave_by_const(&self, is_const: bool, candidates: &mut Candidates) {
        let world = self.world;
        let fact = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let shape = |sym: &SymRef| (is_const_member(&fact(sym)), self.shape(*sym));
        if !candidates.iter().any(|sym| is_const_member(&fact(sym)) != is_const) {
            return;
        }
        let wanted: HashSet<u64> = candidates
            .iter()
            .map(shape)
            .filter(|(own, _)| *own == is_const)
            .map(|(_, shape)| shape.0)
            .collect();
        candidates.retain(|sym| {
            let (own, shape) = shape(sym);
            own == is_const || !wanted.contains(&shape.0)
        });
    }
}

/// A member function of C++ that leaves its object as it is.
pub(super) fn is_const_member(symbol: &SymFact) -> bool {
    symbol.receiver.is_some()
}
