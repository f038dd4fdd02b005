//! Which method a call of Java means, as the language says (JLS 15.12.2): of those that take the arguments, first
//! without boxing, then with it, then with a variable number of arguments, the most specific one.
//!
//! Types are known as far as they are written. A method that may or may not take an argument keeps the choice open,
//! unless the one that is chosen would be chosen in either case.

use super::java_types::{Holds, Ty};
use super::{Candidates, MAX_TYPES};
use crate::resolve::lookup::Resolver;
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, ScopeId, SymbolKind};
use smallvec::SmallVec;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// By subtyping.
    Strict,
    /// With boxing and unboxing.
    Loose,
    /// With a variable number of arguments.
    Variable,
}

/// A method with the types of its parameters.
struct Method<'w> {
    sym: SymRef,
    params: SmallVec<[Ty<'w>; 4]>,
    /// The last parameter takes any number of arguments; its type is that of one.
    is_variable: bool,
}

impl<'w> Method<'w> {
    /// The type that the argument at a place must have, when there are so many in a phase.
    fn param(&self, place: usize, count: usize, phase: Phase) -> Option<Ty<'w>> {
        let last = self.params.len().checked_sub(1);
        match phase {
            Phase::Variable if !self.is_variable || count < self.params.len() - 1 => None,
            Phase::Variable => self.params.get(place.min(last?)).copied(),
            _ if count != self.params.len() => None,
            _ => {
                let ty = *self.params.get(place)?;
                let is_array = self.is_variable && Some(place) == last;
                Some(if is_array { Ty { dimensions: ty.dimensions + 1, ..ty } } else { ty })
            }
        }
    }

    fn takes(&self, count: usize, phase: Phase) -> bool {
        match phase {
            Phase::Variable => self.is_variable && count + 1 >= self.params.len(),
            _ => count == self.params.len(),
        }
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// What a call of `sym` with these arguments means: of a class one of its constructors, of a method one of its name.
    pub(super) fn java_meant(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        sym: SymRef,
        args: &[ExprId],
    ) -> Option<SymRef> {
        let symbol = self.world.surface(sym.file).symbols[sym.index as usize];
        match symbol.kind {
            SymbolKind::Class => Some(self.java_constructor(at, scope, sym, args).unwrap_or(sym)),
            kind if kind.is_callable() && symbol.params.is_some() => self.java_overload(at, scope, sym, args),
            _ => Some(sym),
        }
    }

    /// The method of the name of `sym` that a call with these arguments means.
    fn java_overload(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        sym: SymRef,
        args: &[ExprId],
    ) -> Option<SymRef> {
        let own = self.siblings(sym);
        let methods = self.methods(sym, own);
        if let [only] = methods.as_slice() {
            let phases = [Phase::Strict, Phase::Variable];
            return phases.iter().any(|phase| only.takes(args.len(), *phase)).then_some(only.sym);
        }
        let args: SmallVec<[Ty<'w>; 4]> = args.iter().map(|arg| self.static_type(at, scope, *arg)).collect();
        let mut undecided: Candidates = Candidates::new();
        for phase in [Phase::Strict, Phase::Loose, Phase::Variable] {
            let fits: SmallVec<[(&Method<'w>, Holds); 4]> = methods
                .iter()
                .map(|method| (method, self.applies(&methods, method, &args, phase)))
                .filter(|(_, holds)| *holds != Holds::No)
                .collect();
            let is_certain = fits.iter().any(|(_, holds)| *holds == Holds::Yes);
            if is_certain && undecided.is_empty() {
                return self.most_specific(&fits, args.len(), phase);
            }
            for (method, _) in fits {
                if !undecided.contains(&method.sym) {
                    undecided.push(method.sym);
                }
            }
        }
        if let [only] = undecided.as_slice() { Some(*only) } else { None }
    }

    /// Which of several constructors of a class `new` means with these arguments. A single one is meant by the class.
    fn java_constructor(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        class: SymRef,
        args: &[ExprId],
    ) -> Option<SymRef> {
        let world = self.world;
        let symbol = world.surface(class.file).symbols[class.index as usize];
        let is_own = |sym: &SymRef| {
            let fact = world.surface(sym.file).symbols[sym.index as usize];
            sym.file == class.file && fact.kind == SymbolKind::Constructor
        };
        let constructors: Candidates =
            self.defs(symbol.key.part(symbol.name)).into_iter().filter(is_own).collect();
        let first = *constructors.first().filter(|_| constructors.len() > 1)?;
        self.java_overload(at, scope, first, args)
    }

    /// The methods of a name that the type of `sym` has, its own and inherited ones.
    fn methods(&mut self, sym: SymRef, own: Candidates) -> Vec<Method<'w>> {
        let world = self.world;
        let surface = world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let mut methods: Vec<Method<'w>> = Vec::new();
        self.add_methods(&mut methods, own);
        let owner = symbol.parent.symbol().filter(|_| symbol.kind != SymbolKind::Constructor);
        let Some(owner) = owner else { return methods };
        let mut open: VecDeque<SymRef> = self.supers(surface.sym(owner)).iter().map(|(ty, _)| *ty).collect();
        let mut seen = Candidates::new();
        while let Some(ty) = open.pop_front() {
            if seen.contains(&ty) || seen.len() > MAX_TYPES {
                continue;
            }
            seen.push(ty);
            let key = world.surface(ty.file).symbols[ty.index as usize].key.part(symbol.name);
            let inherited = self.defs(key);
            let inherited = inherited.into_iter().filter(|member| {
                member.file == ty.file
                    && world.surface(member.file).symbols[member.index as usize].kind.is_callable()
            });
            let inherited: Candidates = inherited.collect();
            self.add_methods(&mut methods, inherited);
            open.extend(self.supers(ty).iter().map(|(ty, _)| *ty));
        }
        methods
    }

    /// Adds methods that none with the same parameters overrides.
    fn add_methods(&mut self, methods: &mut Vec<Method<'w>>, symbols: Candidates) {
        for sym in symbols {
            let surface = self.world.surface(sym.file);
            let Some(params) = surface.symbols[sym.index as usize].params else { continue };
            let inner = ScopeId::of_symbol(sym.index as usize);
            let mut method = Method { sym, params: SmallVec::new(), is_variable: false };
            let items: SmallVec<[ExprId; 4]> = surface.items(params).collect();
            for param in items {
                let param = if let Expr::Rest(ty) = surface.expr(param) {
                    method.is_variable = true;
                    ty
                } else {
                    param
                };
                method.params.push(self.type_named(surface, inner, param));
            }
            let is_overridden = |other: &Method<'w>| {
                other.params == method.params && other.is_variable == method.is_variable && other.sym != sym
            };
            if !methods.iter().any(is_overridden) {
                methods.push(method);
            }
        }
    }

    fn applies(&mut self, all: &[Method<'w>], method: &Method<'w>, args: &[Ty<'w>], phase: Phase) -> Holds {
        if !method.takes(args.len(), phase) {
            return Holds::No;
        }
        let mut holds = Holds::Yes;
        for (place, arg) in args.iter().enumerate() {
            let Some(param) = method.param(place, args.len(), phase) else { return Holds::No };
            let fit = self.assignable(*arg, param, phase);
            // An argument that all methods take alike decides nothing.
            let is_shared = fit == Holds::Maybe
                && all
                    .iter()
                    .filter(|other| other.takes(args.len(), phase))
                    .all(|other| other.param(place, args.len(), phase) == Some(param));
            holds = holds.min(if is_shared { Holds::Yes } else { fit });
        }
        holds
    }

    /// The method that is as specific as every other one that applies or may apply.
    fn most_specific(&mut self, fits: &[(&Method<'w>, Holds)], count: usize, phase: Phase) -> Option<SymRef> {
        let certain = fits.iter().filter(|(_, holds)| *holds == Holds::Yes);
        for (method, _) in certain {
            let mut is_best = true;
            for (other, _) in fits.iter().filter(|(other, _)| other.sym != method.sym) {
                is_best &= (0..count).all(|place| {
                    let (own, less) = (method.param(place, count, phase), other.param(place, count, phase));
                    matches!((own, less), (Some(own), Some(less))
                        if self.assignable(own, less, Phase::Strict) == Holds::Yes)
                });
            }
            if is_best {
                return Some(method.sym);
            }
        }
        None
    }
}
