//! What stands for the type parameters of functions and methods of Go.

use crate::resolve::functions::Signature;
use crate::resolve::generics::Bindings;
use crate::resolve::infer::type_of_value;
use crate::resolve::lookup::{Found, Resolver, Thing, Want};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::{UNKNOWN, Val, What};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// What arguments are; the results of one call may be all of them.
    pub(in crate::resolve) fn values_of_arguments(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        given: ExprId,
    ) -> SmallVec<[Val; 4]> {
        let values: SmallVec<[Val; 4]> =
            at.items(given).map(|item| self.eval_open(at, scope, item)).collect();
        match values[..] {
            [Val { what: What::InstanceOfTuple(first, count), imported }] => {
                let parts = self.parts(first, count).into_iter();
                let part_of = |part| {
                    let value = self.instance_of(part);
                    Val { imported: imported || value.imported, ..value }
                };
                parts.map(part_of).collect()
            }
            _ => values,
        }
    }

    /// What stands for the type parameters of a function, or of the type that a method belongs to.
    pub(in crate::resolve) fn infer_in_go(
        &mut self,
        (at, scope, callee): (&'w Surface, ScopeId, ExprId),
        sym: SymRef,
        given: Option<ExprId>,
        found: &mut [Val],
    ) {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let inner = ScopeId::of_symbol(sym.index as usize);
        if let (Some(receiver), Expr::Member(base, _)) = (symbol.receiver, at.expr(callee)) {
            let wanted = self.eval_open_type(surface, inner, receiver);
            let value = self.eval(at, scope, base);
            self.unify(wanted, type_of_value(value), sym, found, 0);
        }
        let params: SmallVec<[ExprId; 4]> =
            symbol.params.into_iter().flat_map(|params| surface.items(params)).collect();
        let values = given.map(|given| self.values_of_arguments(at, scope, given)).unwrap_or_default();
        for (param, value) in params.into_iter().zip(values) {
            let param = if let Expr::Rest(each) = surface.whole_expr(param) { each } else { param };
            let wanted = self.eval_open_type(surface, inner, param);
            if self.is_open(wanted, 0) {
                let ty = self.type_of_argument_in_go(value);
                self.unify(wanted, ty, sym, found, 0);
            }
        }
        self.infer_from_bounds(sym, found);
    }

    /// The type of an argument; a function has one of its own.
    fn type_of_argument_in_go(&mut self, value: Val) -> Val {
        match value.what {
            What::Sym(sym) => {
                let kind = self.world.surface(sym.file).symbols[sym.index as usize].kind;
                if !kind.is_callable() {
                    return UNKNOWN;
                }
                let signature = self.declared_signature(sym);
                self.callable(signature)
            }
            _ => type_of_value(value),
        }
    }

    /// The bound of a type parameter that a method of Go has from the type it belongs to.
    pub(in crate::resolve) fn bound_by_receiver(
        &mut self,
        at: &'w Surface,
        method: SymRef,
        index: u32,
    ) -> Option<Val> {
        let receiver = at.symbols[method.index as usize].receiver.filter(|_| at.family() == Family::Go)?;
        let receiver = self.eval_open_type(at, ScopeId::of_symbol(method.index as usize), receiver);
        let What::Apply(Some(ty), _) = receiver.what else { return None };
        let surface = self.world.surface(ty.file);
        let mut declared = surface.items(surface.symbols[ty.index as usize].type_params?);
        let Expr::Parameter(_, bound) = surface.whole_expr(declared.nth(index as usize)?) else {
            return None;
        };
        let bound = self.eval_open_type(surface, ScopeId::of_symbol(ty.index as usize), bound);
        Some(self.put_in(bound, &Bindings::of(receiver), 0))
    }

    pub(in crate::resolve) fn is_of_go(&self, sym: SymRef) -> bool {
        self.world.surface(sym.file).family() == Family::Go
    }

    /// A type parameter whose bound is a type says what others stand for: `S ~[]E`.
    pub(in crate::resolve) fn infer_from_bounds(&mut self, sym: SymRef, found: &mut [Val]) {
        let surface = self.world.surface(sym.file);
        let Some(parameters) = surface.symbols[sym.index as usize].type_params else { return };
        let inner = ScopeId::of_symbol(sym.index as usize);
        let bounds: SmallVec<[ExprId; 4]> = surface
            .items(parameters)
            .map(|item| if let Expr::Parameter(_, bound) = surface.whole_expr(item) { bound } else { item })
            .collect();
        for (place, bound) in bounds.into_iter().enumerate() {
            let Some(known) = found.get(place).copied().filter(|known| known.what != What::Unknown) else {
                continue;
            };
            let bound = self.eval_open_type(surface, inner, bound);
            if matches!(bound.what, What::Apply(None, _) | What::Callable(_)) {
                self.unify(bound, known, sym, found, 0);
            }
        }
    }

    /// Finds what stands for type parameters in a function type, given a function.
    pub(in crate::resolve) fn unify_functions(
        &mut self,
        (pattern, function): (Signature, Signature),
        owner: SymRef,
        found: &mut [Val],
        depth: u32,
    ) {
        let (wanted, given) = (self.world.surface(pattern.file), self.world.surface(function.file));
        if wanted.family() != Family::Go {
            return;
        }
        let mut pairs: SmallVec<[(ExprId, ExprId); 4]> = SmallVec::new();
        if let (Some(params), Some(others)) = (pattern.params, function.params) {
            pairs.extend(wanted.items(params).zip(given.items(others)));
        }
        pairs.extend(pattern.result.zip(function.result));
        for (part, other) in pairs {
            let part = self.eval_open(wanted, pattern.scope, part);
            let part = self.seen_by(part, &pattern);
            let other = self.eval_open(given, function.scope, other);
            let other = self.seen_by(other, &function);
            self.unify(type_of_value(part), type_of_value(other), owner, found, depth + 1);
        }
    }

    /// A type has the methods of the interface that is asked for: what they give must be the same.
    pub(in crate::resolve) fn unify_methods(
        &mut self,
        pattern: Val,
        ty: Val,
        owner: SymRef,
        found: &mut [Val],
        depth: u32,
    ) {
        let What::Apply(Some(interface), _) = pattern.what else { return };
        let (What::Sym(given) | What::Apply(Some(given), _)) = ty.what else { return };
        let surface = self.world.surface(interface.file);
        if surface.symbols[interface.index as usize].kind != SymbolKind::Interface {
            return;
        }
        let scope = ScopeId::of_symbol(interface.index as usize);
        let methods = surface.symbols.iter().enumerate().filter(|(_, symbol)| symbol.parent == scope);
        for (index, symbol) in methods.filter(|(_, symbol)| symbol.kind == SymbolKind::Method) {
            let wanted = Found { thing: Thing::Sym(surface.sym(index)), imported: false };
            let wanted = self.result_of(wanted);
            let wanted = self.seen_through(wanted, pattern);
            if !self.is_open(wanted, 0) {
                continue;
            }
            if let Some(method) = self.member_of_type(given, symbol.name, Want::Callable) {
                let result = self.result_of_method_of(ty, method);
                self.unify(type_of_value(wanted), type_of_value(result), owner, found, depth + 1);
            }
        }
    }

    /// What a method gives that is called on a value of a type.
    fn result_of_method_of(&mut self, ty: Val, method: Found) -> Val {
        let Thing::Sym(sym) = method.thing else { return UNKNOWN };
        let result = self.result_of(method);
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let count = symbol.type_params.map_or(0, |parameters| surface.items(parameters).count());
        let mut bindings = Bindings { callee: Some(sym), ..Bindings::of(ty) };
        bindings.inferred = SmallVec::from_elem(UNKNOWN, count);
        if let Some(receiver) = symbol.receiver {
            let receiver = self.eval_open_type(surface, ScopeId::of_symbol(sym.index as usize), receiver);
            self.unify(receiver, ty, sym, &mut bindings.inferred, 0);
        }
        self.put_in(result, &bindings, 0)
    }

    /// What a defined type is made of, where a pattern asks for that.
    pub(in crate::resolve) fn unify_underlying(
        &mut self,
        pattern: Val,
        ty: Val,
        owner: SymRef,
        found: &mut [Val],
        depth: u32,
    ) {
        let (What::Sym(sym) | What::Apply(Some(sym), _)) = ty.what else { return };
        if let Some(ty) = self.made_of(sym, ty) {
            self.unify(pattern, ty, owner, found, depth + 1);
        }
    }
}
