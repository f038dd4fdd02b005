//! Which of several functions of one name a call means, by what is known of its arguments.
//!
//! A candidate is left out when it cannot take the arguments; inherited ones are asked when none is left. Of
//! several left, one is taken only when it fits at least as well as every other one at each argument, and better
//! at some; else the call stays open.

mod candidates;
mod delegates;
mod java;
mod java_types;
mod library;
mod native;
mod native_types;
mod primitives;
mod python;
mod scripts;
mod subtypes;

use super::extensions::Call;
use super::key::Digest;
use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::{Surface, SymRef};
use super::types::What;
use super::world::World;
use candidates::type_arguments;
use orbit_extract::{Expr, ExprId, Family, Lang, ScopeId};
use primitives::{fit_primitive, is_final_outsider};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// How well an argument fits a parameter; more is better.
type Fit = u8;
pub(super) const UNFIT: Fit = 0;
const POSSIBLE: Fit = 2;
const BOXED: Fit = 3;
const SUPERTYPE: Fit = 12;
const SAME: Fit = 20;

/// Where a call stands.
pub(super) type CallPlace<'w> = (&'w Surface, ScopeId);

type Candidates = SmallVec<[SymRef; 4]>;
/// Candidates with how well each argument fits them.
type Fits = SmallVec<[(SymRef, SmallVec<[Fit; 4]>); 4]>;

/// How many supertypes are looked at.
const MAX_TYPES: usize = 16;

impl<'w, W: World> Resolver<'w, W> {
    /// The overload of what was found that takes these arguments of a call in the own file. `None` when
    /// several may be meant.
    pub(crate) fn overload(
        &mut self,
        scope: ScopeId,
        found: Option<Found>,
        base: Option<ExprId>,
        args: Option<ExprId>,
    ) -> Option<Found> {
        // A function of Rust or Ruby has one definition.
        let args = args.filter(|_| !matches!(self.own.family(), Family::Rust | Family::Ruby));
        let types = args.map_or(0, |args| type_arguments(self.own, args));
        self.overload_at(self.own, scope, found, base, args, types)
    }

    /// What an expression calls; its arguments, where they are kept, decide between overloads.
    pub(super) fn callee_of(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Option<Found> {
        let found = self.thing_of(at, scope, callee, Want::Callable);
        let found = match at.expr(callee) {
            Expr::Member(base, name) => {
                let args = if let Expr::With(_, args) = at.whole_expr(callee) { Some(args) } else { None };
                let call = Call { place: (at, scope), base, name: at.hash(name), args, is_read: false };
                let found = found.or_else(|| self.of_receiver(at, scope, base, call.name));
                self.or_extension_of(call, found)
            }
            _ => found,
        };
        match at.whole_expr(callee) {
            Expr::With(inner, args)
                if matches!(at.lang, Lang::Java | Lang::CSharp) || at.family() == Family::Native =>
            {
                let base = if let Expr::Member(base, _) = at.expr(callee) { Some(base) } else { None };
                let types = type_arguments(at, inner);
                let chosen = self.overload_at(at, scope, found, base, Some(args), types);
                chosen.or_else(|| found.filter(|found| self.agree(*found)))
            }
            _ if at.family() == Family::Script => found.map(|found| self.taking(at, callee, found)),
            _ if at.family() == Family::Python => self.signature_for(at, scope, callee, found?),
            _ => found,
        }
    }

    /// Whether all functions of a name give the same.
    pub(super) fn agree(&mut self, found: Found) -> bool {
        let Thing::Sym(sym) = found.thing else { return true };
        let result =
            |resolver: &mut Self, sym| resolver.result_of(Found { thing: Thing::Sym(sym), ..found }).what;
        let first = result(self, sym);
        self.siblings(sym).into_iter().all(|other| result(self, other) == first)
    }

    fn overload_at(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        found: Option<Found>,
        base: Option<ExprId>,
        args: Option<ExprId>,
        types: usize,
    ) -> Option<Found> {
        let (Some(Found { thing: Thing::Sym(sym), imported }), Some(args)) = (found, args) else {
            return found;
        };
        let world = self.world;
        let surface = world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let args: SmallVec<[ExprId; 4]> = at.items(args).collect();
        if at.lang == Lang::Java {
            let chosen = self.java_meant(at, scope, sym, &args);
            return chosen.map(|sym| Found { thing: Thing::Sym(sym), imported });
        }
        if !symbol.kind.is_callable() || symbol.params.is_none() {
            return found;
        }
        let mut own = self.siblings_for(sym);
        let (mut sym, mut found) = (sym, found);
        if surface.family() == Family::Native {
            let is_const = self.is_const_object(at, scope, base);
            self.leave_by_const(is_const, &mut own);
            if !own.contains(&sym) {
                sym = *own.first()?;
            }
            if self.are_one(own.iter().copied()) {
                return Some(Found { thing: Thing::Sym(self.definition(sym, &own)), imported });
            }
            self.leave_visible(&mut own);
        }
        if at.lang == Lang::CSharp {
            self.leave_instantiable(&mut own, types);
            // Of several perhaps only one can have these type arguments.
            if let [only] = own.as_slice() {
                found = Some(Found { thing: Thing::Sym(*only), imported });
            }
        }
        if own.len() == 1 && symbol.params.is_none_or(|params| takes(surface, params, args.len())) {
            return found;
        }
        let place = (at, scope);
        let mut fits = self.fits(place, &args, &own);
        if fits.is_empty() {
            fits = self.inherited_fits(place, &args, sym, symbol.name);
        }
        if fits.is_empty() {
            // C++ has macros and conversions that change what a call looks like; elsewhere it means another one.
            return found.filter(|_| own.len() == 1 && surface.family() == Family::Native);
        }
        let chosen = self.chosen(sym, &fits)?;
        Some(Found { thing: Thing::Sym(chosen), imported })
    }

    /// The function that fits best; its definition where that is known.
    fn chosen(&mut self, sym: SymRef, fits: &Fits) -> Option<SymRef> {
        let chosen = if self.are_one(fits.iter().map(|(sym, _)| *sym)) {
            let is_found = fits.iter().any(|(fit, _)| *fit == sym);
            if is_found { sym } else { fits[0].0 }
        } else {
            let fits = &self.one_of_each(fits);
            best(fits).or_else(|| self.plain_function(fits))?
        };
        let world = self.world;
        let all = self.siblings(sym);
        let is_like = |other: &SymRef| {
            let fact = |sym: SymRef| world.surface(sym.file).symbols[sym.index as usize];
            native::is_const_member(&fact(*other)) == native::is_const_member(&fact(chosen))
        };
        let all: Candidates = all.into_iter().filter(is_like).collect();
        Some(self.definition(chosen, &all))
    }

    /// The functions that have the same qualified name.
    pub(super) fn siblings(&mut self, sym: SymRef) -> Candidates {
        let world = self.world;
        let key = world.surface(sym.file).symbols[sym.index as usize].key;
        let defs = self.defs(key);
        let is_callable = |sym: &SymRef| {
            let kind = world.surface(sym.file).symbols[sym.index as usize].kind;
            kind.is_callable()
        };
        // A Java file may be there twice, in a copy of its package: only one of them is meant. What C++ and C#
        // define may be spread over files.
        let is_spread = matches!(world.surface(sym.file).family(), Family::Native | Family::CSharp);
        let all = defs.into_iter().filter(is_callable);
        all.filter(|other| is_spread || other.file == sym.file).collect()
    }

    /// Whether candidates are the declarations of one function.
    pub(super) fn are_one(&self, candidates: impl Iterator<Item = SymRef>) -> bool {
        let mut shapes = candidates.map(|sym| self.shape(sym));
        let first = shapes.next();
        shapes.all(|shape| Some(shape) == first)
    }

    /// What the parameters of a function are, as declarations of one function have it in common.
    fn shape(&self, sym: SymRef) -> Digest {
        let surface = self.world.surface(sym.file);
        let types = surface.symbols[sym.index as usize].params.map(|params| surface.items(params));
        if surface.family() == Family::Native {
            return types
                .into_iter()
                .flatten()
                .fold(Digest::new(), |digest, ty| digest.add(native::parameter_digest(surface, ty, 0).0));
        }
        // A default value stands at one of several declarations only.
        types.into_iter().flatten().fold(Digest::new(), |digest, ty| {
            let ty = if let Expr::Defaulted(ty) = surface.whole_expr(ty) { ty } else { ty };
            // A type parameter may be called differently at each.
            let is_open = matches!(surface.whole_expr(ty), Expr::Parameter(..) | Expr::Unknown);
            digest.add(if is_open { 0 } else { surface.expr_digest(ty, 0).0 })
        })
    }

    /// How well each candidate that can take the arguments fits them. One that takes any number of arguments
    /// is only asked when no other can.
    fn fits(&mut self, place: CallPlace<'w>, args: &[ExprId], candidates: &[SymRef]) -> Fits {
        let mut exact = Fits::new();
        let mut open = Fits::new();
        for candidate in candidates {
            let surface = self.world.surface(candidate.file);
            let Some(params) = surface.symbols[candidate.index as usize].params else {
                exact.push((*candidate, SmallVec::from_elem(POSSIBLE, args.len())));
                continue;
            };
            if !takes(surface, params, args.len()) {
                continue;
            }
            let mut each: SmallVec<[Fit; 4]> = SmallVec::new();
            for (number, arg) in args.iter().enumerate() {
                let param = parameter(surface, params, number);
                each.push(param.map_or(POSSIBLE, |param| self.fit(place, *arg, surface, *candidate, param)));
            }
            let is_fit = !each.contains(&UNFIT)
                && (place.0.family() != Family::Native
                    || !self.is_contradiction(place, args, surface, params));
            if is_fit {
                let is_open = surface.items(params).any(|param| native::is_last_resort(surface, param));
                if is_open { &mut open } else { &mut exact }.push((*candidate, each));
            }
        }
        if exact.is_empty() { open } else { exact }
    }

    /// The same for what the type that the function is a member of inherits, nearest first.
    fn inherited_fits(&mut self, place: CallPlace<'w>, args: &[ExprId], sym: SymRef, name: u64) -> Fits {
        let surface = self.world.surface(sym.file);
        let Some(owner) = surface.symbols[sym.index as usize].parent.symbol() else { return Fits::new() };
        let mut open: VecDeque<SymRef> = self.supers(surface.sym(owner)).iter().map(|(ty, _)| *ty).collect();
        let mut seen = Candidates::new();
        while let Some(ty) = open.pop_front() {
            if seen.contains(&ty) || seen.len() > MAX_TYPES {
                continue;
            }
            seen.push(ty);
            if let Some(Found { thing: Thing::Sym(member), .. }) =
                self.member_of_type(ty, name, Want::Callable)
            {
                let candidates = self.siblings(member);
                let fits = self.fits(place, args, &candidates);
                if !fits.is_empty() {
                    return fits;
                }
            }
            open.extend(self.supers(ty).iter().map(|(ty, _)| *ty));
        }
        Fits::new()
    }

    /// How well an argument fits a parameter's type.
    fn fit(
        &mut self,
        (own, scope): CallPlace<'w>,
        arg: ExprId,
        surface: &'w Surface,
        candidate: SymRef,
        param: ExprId,
    ) -> Fit {
        if own.family() == Family::Native {
            return self.fit_native((own, scope), arg, surface, candidate, param);
        }
        if let (Expr::Function(_, result), true) = (surface.expr(param), own.lang != Lang::Kotlin) {
            return self.fit_delegate((own, scope), arg, surface, param, result);
        }
        let wanted = type_name(surface, param);
        let inner = ScopeId::of_symbol(candidate.index as usize);
        let ty = self.eval_type(surface, inner, param);
        let ty = match self.instance_of(ty).what {
            What::Instance(ty) | What::InstanceOfApply(Some(ty), _) => Some(ty),
            _ => None,
        };
        if own.lang == Lang::CSharp
            && let Some(fit) = self.fit_named((own, scope), arg, surface, param)
        {
            return fit;
        }
        let named = match own.expr(arg) {
            Expr::Unknown | Expr::Builtin => return POSSIBLE,
            Expr::Function(..) => return self.fit_function((own, scope), arg, ty, surface.expr(param)),
            // No type of the repository takes a built-in value.
            Expr::Primitive(_) if ty.is_some() => return UNFIT,
            Expr::Primitive(name) => return fit_primitive(own.names.get(name), wanted),
            Expr::Instance(ty) => type_name(own, ty),
            _ => None,
        };
        let value = self.eval(own, scope, arg);
        self.fit_value((value.what, named), own.family(), (ty, wanted), surface, param)
    }

    /// How well a value fits a parameter: what is known of it and what its type is called, and the same of the
    /// parameter.
    fn fit_value(
        &mut self,
        (value, named): (What, Option<&str>),
        family: Family,
        (ty, wanted): (Option<SymRef>, Option<&str>),
        surface: &'w Surface,
        param: ExprId,
    ) -> Fit {
        match (value, ty) {
            (What::Instance(given) | What::InstanceOfApply(Some(given), _), Some(ty))
                if self.is_same_type(given, ty) =>
            {
                SAME
            }
            (What::Instance(given) | What::InstanceOfApply(Some(given), _), Some(ty)) => {
                self.distance(given, ty)
            }
            (What::Instance(given) | What::InstanceOfApply(Some(given), _), None) => {
                let is_primitive = matches!(surface.expr(param), Expr::Primitive(_));
                let is_other =
                    is_primitive || is_final_outsider(wanted) || self.cannot_be(given, surface, param);
                if is_other { UNFIT } else { POSSIBLE }
            }
            (What::External, Some(_)) => UNFIT,
            // A written type that is none of the repository does not derive from one of it.
            (_, Some(_)) if named.is_some() && family == Family::Jvm => UNFIT,
            (_, None) if named.is_some() && named == wanted => SAME,
            _ => POSSIBLE,
        }
    }
}

/// The candidate that fits at least as well as every other one at each argument, and better at some.
fn best(fits: &Fits) -> Option<SymRef> {
    let beats = |a: &[Fit], b: &[Fit]| {
        a.iter().zip(b).all(|(a, b)| native::at_least(*a, *b)) && a.iter().zip(b).any(|(a, b)| a != b)
    };
    let is_best = |(sym, fit): &&(SymRef, SmallVec<[Fit; 4]>)| {
        fits.iter().all(|(other, less)| other == sym || beats(fit.as_slice(), less.as_slice()))
    };
    fits.iter().find(is_best).map(|(sym, _)| *sym)
}

/// Whether a list of parameters takes so many arguments.
fn takes(surface: &Surface, params: ExprId, count: usize) -> bool {
    let (mut least, mut most) = (0, 0);
    for param in surface.items(params) {
        match surface.expr(param) {
            Expr::Rest(_) => most = usize::MAX,
            Expr::Defaulted(_) => most = most.saturating_add(1),
            _ => (least, most) = (least + 1, most.saturating_add(1)),
        }
    }
    (least..=most).contains(&count)
}

/// The type of the parameter that takes the argument at a place.
fn parameter(surface: &Surface, params: ExprId, place: usize) -> Option<ExprId> {
    let mut last = None;
    for (at, param) in surface.items(params).enumerate() {
        let ty = match surface.expr(param) {
            Expr::Rest(ty) => {
                last = Some(ty);
                ty
            }
            Expr::Defaulted(ty) => ty,
            _ => param,
        };
        if at == place {
            return Some(ty);
        }
    }
    last
}

/// The last name of a type as written.
fn type_name(surface: &Surface, ty: ExprId) -> Option<&str> {
    match surface.expr(ty) {
        Expr::Name(name) | Expr::Member(_, name) | Expr::Primitive(name) => Some(surface.names.get(name)),
        Expr::Apply(base, _) => type_name(surface, base),
        _ => None,
    }
}
