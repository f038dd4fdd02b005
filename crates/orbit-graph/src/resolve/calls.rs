//! What calls give.

use super::lookup::{Found, Resolver, Thing};
use super::rules;
use super::surface::{Surface, SymRef};
use super::types::{EXTERNAL, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};

impl<'w, W: World> Resolver<'w, W> {
    /// What calling an expression gives.
    pub(super) fn call_result(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Some(found) = self.callee_of(at, scope, callee) else {
            return match at.family() {
                Family::Script => self.result_of_unnamed(at, scope, callee),
                _ => self.passed_on(at, scope, callee),
            };
        };
        let sym = match found.thing {
            Thing::Sym(sym) => sym,
            Thing::External => {
                let passed = self.passed_on(at, scope, callee);
                return if passed == UNKNOWN { EXTERNAL } else { passed };
            }
            _ => return UNKNOWN,
        };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Test
                if symbol.ty.is_some_and(|ty| is_this(surface, ty)) =>
            {
                self.receiver(at, scope, callee, surface, sym)
            }
            _ => {
                let result = self.result_of(found);
                self.instantiated(result, at, scope, callee, sym)
            }
        }
    }

    /// What calling a named thing gives, whatever it is called on.
    pub(super) fn result_of(&mut self, found: Found) -> Val {
        let Thing::Sym(sym) = found.thing else { return UNKNOWN };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match symbol.kind {
            kind if kind.is_type() => self.instance(found),
            SymbolKind::Constructor => match symbol.parent.symbol() {
                Some(owner) => Val { what: What::Instance(surface.sym(owner)), imported: found.imported },
                None => UNKNOWN,
            },
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Test => match symbol.ty {
                Some(ty) => {
                    let value = self.eval_open(surface, ScopeId::of_symbol(sym.index as usize), ty);
                    Val { imported: found.imported || value.imported, ..value }
                }
                None => UNKNOWN,
            },
            SymbolKind::Variant => self.value_of(found),
            SymbolKind::Const
            | SymbolKind::Static
            | SymbolKind::Variable
            | SymbolKind::Field
            | SymbolKind::Property => self.result_of_value(found, surface, sym),
            _ => UNKNOWN,
        }
    }

    /// A method that returns `Self` gives what it was called on.
    fn receiver(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        surface: &'w Surface,
        sym: SymRef,
    ) -> Val {
        if let Expr::Member(base, _) = at.expr(callee) {
            let base = self.eval(at, scope, base);
            match base.what {
                What::Instance(_) | What::InstanceOfApply(..) => return base,
                What::Apply(..) => return self.instance_of(base),
                What::Sym(_) if let Some(value) = self.made_by(at, scope, callee, sym) => {
                    return Val { imported: base.imported || value.imported, ..value };
                }
                What::Sym(ty) => {
                    return self.instance(Found { thing: Thing::Sym(ty), imported: base.imported });
                }
                _ => {}
            }
        }
        let this = self.this_type(surface, ScopeId::of_symbol(sym.index as usize));
        this.map_or(UNKNOWN, |found| self.instance(found))
    }

    /// `x.clone()`, `x.unwrap()`: methods of the standard library that hand on what they were called on.
    pub(super) fn passed_through(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        if let (Family::Python, Expr::Member(base, name)) = (at.family(), at.expr(callee)) {
            return self.out_of_collection(at, scope, base, at.names.get(name));
        }
        if at.family() != Family::Rust {
            return UNKNOWN;
        }
        if let Some(held) = self.held_by_outside(at, scope, callee) {
            return held;
        }
        let Expr::Member(base, name) = at.expr(callee) else { return UNKNOWN };
        let name = at.names.get(name);
        if name == "await" {
            let value = self.eval(at, scope, base);
            return self.awaited(value);
        }
        if matches!(name, "unwrap_err" | "expect_err") {
            let value = self.eval(at, scope, base);
            return self.error_of(value);
        }
        if name == "err" {
            let value = self.eval(at, scope, base);
            return self.option_of_error(value);
        }
        let Some(unwraps) = rules::passes_through(name) else { return UNKNOWN };
        let value = self.eval(at, scope, base);
        match (unwraps, value.what) {
            (false, _) => value,
            (true, What::InstanceOfApply(_, args)) => {
                let element = self.arguments[args.element as usize];
                self.instance_of(element)
            }
            _ => UNKNOWN,
        }
    }
}

pub(super) fn is_this(surface: &Surface, ty: ExprId) -> bool {
    match surface.expr(ty) {
        Expr::This => true,
        Expr::Instance(inner) => surface.expr(inner) == Expr::This,
        _ => false,
    }
}
