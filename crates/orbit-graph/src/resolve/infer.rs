//! What stands for the type parameters of a function that is called: what is written at the call, else what the
//! types of the arguments say.

use super::functions::Signature;
use super::generics::{Bindings, MAX_NESTING};
use super::impls;
use super::lookup::Resolver;
use super::surface::{Surface, SymRef};
use super::types::{EXTERNAL, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// What stands for the type parameters of a function that is called.
    pub(super) fn infer(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        sym: SymRef,
        bindings: &mut Bindings,
    ) {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        impls::open_block(surface, sym, bindings);
        let count = symbol.type_params.map_or(0, |parameters| surface.items(parameters).count());
        if count == 0 && bindings.block.is_none() {
            return;
        }
        bindings.inferred = SmallVec::from_elem(UNKNOWN, count);
        let (mut written, mut given, mut wanted) = (None, None, None);
        let mut rest = callee;
        loop {
            match at.whole_expr(rest) {
                Expr::Giving(inner, result) => (rest, wanted) = (inner, Some(result)),
                Expr::With(inner, args) => (rest, given) = (inner, Some(args)),
                Expr::Generic(inner, args) => (rest, written) = (inner, Some(args)),
                _ => break,
            }
        }
        if let Some(written) = written {
            for (place, ty) in at.items(written).enumerate().take(count) {
                bindings.inferred[place] = self.eval_open_type(at, scope, ty);
            }
            // The last type arguments of Go may be left out.
            if at.family() != Family::Go {
                return;
            }
        }
        if at.family() == Family::Go {
            return self.infer_in_go((at, scope, callee), sym, given, &mut bindings.inferred);
        }
        if let (Some(given), Some(params)) = (given, symbol.params) {
            self.infer_from_arguments((at, scope, callee), sym, (params, given), bindings);
        }
        if let (Some(wanted), Some(result)) = (wanted, symbol.ty) {
            let value = self.eval(at, scope, wanted);
            let result = self.eval_open_type(surface, ScopeId::of_symbol(sym.index as usize), result);
            self.unify(result, type_of_value(value), sym, &mut bindings.inferred, 0);
        }
    }

    fn infer_from_arguments(
        &mut self,
        (at, scope, callee): (&'w Surface, ScopeId, ExprId),
        sym: SymRef,
        (params, given): (ExprId, ExprId),
        bindings: &mut Bindings,
    ) {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let inner = ScopeId::of_symbol(sym.index as usize);
        let mut pairs: SmallVec<[(ExprId, ExprId); 4]> = surface.items(params).zip(at.items(given)).collect();
        // An extension is called on its first argument.
        let receiver = symbol.receiver.filter(|_| surface.family() != Family::Rust);
        if let (Some(receiver), Expr::Member(base, _)) = (receiver, at.expr(callee)) {
            pairs.insert(0, (receiver, base));
        }
        for (param, arg) in pairs {
            let param = match surface.whole_expr(param) {
                Expr::Defaulted(ty) | Expr::Rest(ty) => ty,
                _ => param,
            };
            let wanted = self.eval_open_type(surface, inner, param);
            if self.is_open(wanted, 0) {
                let value = self.eval(at, scope, arg);
                let ty = self.type_of_given(value);
                self.unify(wanted, ty, sym, &mut bindings.inferred, 0);
                if let Some((block, inferred)) = &mut bindings.block {
                    self.unify(wanted, ty, *block, inferred, 0);
                }
            }
        }
    }

    /// Notes in the signature of a generic function what a call of it says of its type parameters.
    pub(super) fn infer_signature(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        signature: &mut Signature,
    ) {
        let surface = self.world.surface(signature.file);
        let Some(index) = signature.scope.symbol() else { return };
        let symbol = surface.symbols[index];
        if !symbol.kind.is_callable() || symbol.type_params.is_none() || signature.bound.is_some() {
            return;
        }
        let sym = surface.sym(index);
        let mut bindings = Bindings { callee: Some(sym), ..Bindings::of(signature.receiver) };
        self.infer(at, scope, callee, sym, &mut bindings);
        signature.bound = self.keep_inferred(&bindings);
    }

    /// Keeps what is known of the type parameters of a called function, if anything is.
    pub(super) fn keep_inferred(&mut self, bindings: &Bindings) -> Option<u32> {
        let callee = bindings.callee?;
        if bindings.inferred.iter().all(|known| known.what == What::Unknown) {
            return None;
        }
        self.inferred.push((callee, bindings.inferred.clone()));
        Some(self.inferred.len() as u32 - 1)
    }

    /// A part of a signature with what stands for its type parameters put in.
    pub(super) fn seen_by(&mut self, value: Val, signature: &Signature) -> Val {
        if !self.is_open(value, 0) {
            return value;
        }
        let mut bindings = Bindings::of(signature.receiver);
        if let Some(number) = signature.bound {
            let (callee, inferred) = &self.inferred[number as usize];
            (bindings.callee, bindings.inferred) = (Some(*callee), inferred.clone());
        }
        self.put_in(value, &bindings, 0)
    }

    /// Whether a type parameter is one of C++, whose bound is what it is given by default.
    pub(super) fn is_of_template(&self, number: u32) -> bool {
        self.world.surface(self.parameters[number as usize].owner.file).family() == Family::Native
    }

    /// Finds what stands for the parameters of `owner` in a type, given what the whole type is.
    pub(super) fn unify(&mut self, pattern: Val, ty: Val, owner: SymRef, found: &mut [Val], depth: u32) {
        if depth > MAX_NESTING || ty.what == What::Unknown {
            return;
        }
        match (pattern.what, ty.what) {
            (What::Param(number), _) => {
                let parameter = self.parameters[number as usize];
                if parameter.owner == owner
                    && let Some(place) = found.get_mut(parameter.index as usize)
                    && place.what == What::Unknown
                {
                    *place = ty;
                }
            }
            (What::Apply(wanted, pattern), What::Apply(given, args)) if wanted == given => {
                let (patterns, types) = (self.all_args(pattern), self.all_args(args));
                // What has a default may be left out at the end.
                if patterns.len() >= types.len() {
                    for (pattern, ty) in patterns.into_iter().zip(types) {
                        self.unify(pattern, ty, owner, found, depth + 1);
                    }
                }
            }
            // Written without arguments, a type tells nothing of its parameters.
            (What::Apply(Some(wanted), _), What::Sym(given)) if wanted == given => {}
            (What::Apply(Some(_), _), What::Apply(Some(given), _) | What::Sym(given)) => {
                let supers = self.generic_supers(given);
                for parent in supers.iter() {
                    let bindings = Bindings::of(ty);
                    let parent = self.put_in(*parent, &bindings, depth + 1);
                    self.unify(pattern, parent, owner, found, depth + 1);
                }
                if self.is_of_go(given) {
                    self.unify_methods(pattern, ty, owner, found, depth);
                }
            }
            (What::Apply(Some(sym), _), What::Apply(None, _) | What::Callable(_)) if self.is_of_go(sym) => {
                if let Some(pattern) = self.made_of(sym, pattern) {
                    self.unify(pattern, ty, owner, found, depth + 1);
                }
            }
            (What::Callable(pattern), What::Callable(function)) => {
                let pair = (self.signatures[pattern as usize], self.signatures[function as usize]);
                self.unify_functions(pair, owner, found, depth);
            }
            (What::Apply(None, _) | What::Callable(_), What::Sym(sym) | What::Apply(Some(sym), _))
                if self.is_of_go(sym) =>
            {
                self.unify_underlying(pattern, ty, owner, found, depth);
            }
            (What::Class(pattern), What::Class(class)) => {
                self.unify_parts((pattern, class, 1), owner, found, depth);
            }
            (What::Tuple(first, count), What::Tuple(other, as_many)) if count == as_many => {
                self.unify_parts((first, other, count), owner, found, depth);
            }
            _ => {}
        }
    }

    /// The same for so many types that stand beside each other.
    fn unify_parts(
        &mut self,
        (patterns, types, count): (u32, u32, u32),
        owner: SymRef,
        found: &mut [Val],
        depth: u32,
    ) {
        for place in 0..count {
            let pattern = self.arguments[(patterns + place) as usize];
            let ty = self.arguments[(types + place) as usize];
            self.unify(pattern, ty, owner, found, depth + 1);
        }
    }
}

/// The type of a value; unknown for what is not a plain value.
pub(super) fn type_of_value(value: Val) -> Val {
    let what = match value.what {
        What::Instance(sym) => What::Sym(sym),
        What::InstanceOfApply(sym, args) => What::Apply(sym, args),
        What::InstanceOfTuple(first, count) => What::Tuple(first, count),
        What::InstanceOfParam(number) => What::Param(number),
        What::Callable(_) | What::Shape(_) | What::Union(..) | What::Intersection(..) => value.what,
        What::External => return EXTERNAL,
        _ => return UNKNOWN,
    };
    Val { what, ..value }
}
