//! Signatures of Python that `@overload` marks, told apart by the types of arguments.

mod library;

use super::{CallPlace, Candidates, type_name};
use crate::resolve::lookup::{Found, Resolver, Thing, Want};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::{Val, What};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId};
use smallvec::SmallVec;

/// Whether an argument is of the type that a parameter wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Takes {
    No,
    Perhaps,
    Yes,
}

impl Takes {
    fn and(self, other: Takes) -> Takes {
        self.min(other)
    }

    fn or(self, other: Takes) -> Takes {
        self.max(other)
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// Of the signatures of a function, the first that takes the arguments. `None` when nobody knows which that is and they
    /// give different things.
    pub(super) fn signature_for(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        found: Found,
    ) -> Option<Found> {
        let Thing::Sym(sym) = found.thing else { return Some(found) };
        let signatures = self.written_signatures(sym);
        if signatures.len() < 2 || self.agree(Found { thing: Thing::Sym(signatures[0]), ..found }) {
            return Some(found);
        }
        match self.possible(signatures, (at, scope), callee)[..] {
            [only] => Some(Found { thing: Thing::Sym(only), ..found }),
            _ => None,
        }
    }

    /// What a call gives when nobody knows which of several signatures takes its arguments: what one of them gives.
    pub(crate) fn given_by_a_signature(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
    ) -> Option<Val> {
        let found = self.thing_of(at, scope, callee, Want::Callable)?;
        let Thing::Sym(sym) = found.thing else { return None };
        let signatures = self.written_signatures(sym);
        let mut parts: SmallVec<[Val; 4]> = SmallVec::new();
        for signature in self.possible(signatures, (at, scope), callee) {
            let result = self.result_of(Found { thing: Thing::Sym(signature), ..found });
            let result = self.instantiated(result, at, scope, callee, signature);
            // What is not known may have a member of any name.
            if !matches!(result.what, What::Instance(_) | What::InstanceOfApply(Some(_), _)) {
                return None;
            }
            parts.push(result);
        }
        (parts.len() > 1).then(|| self.one_of(&parts))
    }

    /// The signatures that the arguments of a call do not rule out, up to the first that surely takes them.
    fn possible(&mut self, signatures: Candidates, place: CallPlace<'w>, callee: ExprId) -> Candidates {
        let args = if let Expr::With(_, args) = place.0.whole_expr(callee) { Some(args) } else { None };
        let mut possible = Candidates::new();
        for signature in signatures {
            let takes = self.takes(signature, place, args);
            if takes != Takes::No {
                possible.push(signature);
            }
            if takes == Takes::Yes {
                break;
            }
        }
        possible
    }

    /// The signatures that are written before a function, in their order.
    fn written_signatures(&mut self, sym: SymRef) -> Candidates {
        let world = self.world;
        if world.surface(sym.file).family() != Family::Python {
            return Candidates::new();
        }
        let mut all = self.siblings(sym);
        all.retain(|sym| is_signature(world.surface(sym.file), *sym));
        all.sort_by_key(|sym| sym.index);
        all
    }

    /// Whether a signature takes arguments that are given by their places. Those that are given by name or unpacked are not
    /// known, so that a parameter that must be given may be one of them.
    fn takes(&mut self, signature: SymRef, place: CallPlace<'w>, args: Option<ExprId>) -> Takes {
        let surface = self.world.surface(signature.file);
        let symbol = surface.symbols[signature.index as usize];
        let Some(params) = symbol.params else { return Takes::Perhaps };
        let mut params = surface.items(params);
        let Some(args) = args else { return Takes::Perhaps };
        let mut takes = Takes::Yes;
        for arg in place.0.items(args) {
            if let Expr::Rest(_) = place.0.whole_expr(arg) {
                return takes.and(Takes::Perhaps);
            }
            let Some(param) = params.next() else { return Takes::No };
            if let Expr::Rest(_) = surface.whole_expr(param) {
                return takes.and(Takes::Perhaps);
            }
            takes = takes.and(self.fits_parameter((surface, signature), param, place, arg));
        }
        let is_left_out = |param| matches!(surface.whole_expr(param), Expr::Defaulted(_) | Expr::Rest(_));
        if params.all(is_left_out) { takes } else { Takes::No }
    }

    fn fits_parameter(
        &mut self,
        (surface, signature): (&'w Surface, SymRef),
        param: ExprId,
        (at, scope): CallPlace<'w>,
        arg: ExprId,
    ) -> Takes {
        match surface.whole_expr(param) {
            Expr::Defaulted(ty) | Expr::Parameter(_, ty) => {
                return self.fits_parameter((surface, signature), ty, (at, scope), arg);
            }
            Expr::Union(list) => {
                let parts = surface.items(list);
                let fits =
                    parts.map(|part| self.fits_parameter((surface, signature), part, (at, scope), arg));
                return fits.fold(Takes::No, Takes::or);
            }
            _ => {}
        }
        let wanted = type_name(surface, param).unwrap_or("");
        if matches!(wanted, "object" | "Any") {
            return Takes::Yes;
        }
        let inner = ScopeId::of_symbol(signature.index as usize);
        let ty = self.eval_open_type(surface, inner, param);
        if let Some((given, held)) = literal(at, arg) {
            let is_own = matches!(ty.what, What::Sym(_) | What::Apply(Some(_), _));
            let is_of = if is_own { Takes::No } else { library::is_of(given, wanted) };
            return match held {
                _ if is_of == Takes::No => Takes::No,
                Some(held) => is_of.and(self.holds_what((surface, signature), param, (at, scope), held)),
                None => is_of.and(letters_are(given, surface, param)),
            };
        }
        let value = self.eval(at, scope, arg);
        match (value.what, ty.what) {
            (What::Instance(given), What::Sym(wanted)) if given == wanted => Takes::Yes,
            (What::Instance(given), What::Sym(wanted)) => {
                let order = self.linearized(given);
                match order {
                    Some(order) if order.contains(&wanted) => Takes::Yes,
                    Some(_) => Takes::No,
                    None => Takes::Perhaps,
                }
            }
            // What only derives from classes of the repository is nothing from outside.
            (What::Instance(given), _) if library::is_known(wanted) && self.derives_within(given, 0) => {
                Takes::No
            }
            (What::External, _) => match (self.argument_class(at, scope, arg), ty.what) {
                (Some(_), What::Sym(_) | What::Apply(Some(_), _)) => Takes::No,
                (Some(class), What::External | What::Apply(None, _)) => library::is_of(class, wanted),
                _ => Takes::Perhaps,
            },
            _ => Takes::Perhaps,
        }
    }

    /// Whether what a literal holds is what the type of a parameter says that it holds: each part of one, in order.
    fn holds_what(
        &mut self,
        signature: (&'w Surface, SymRef),
        param: ExprId,
        place: CallPlace<'w>,
        held: ExprId,
    ) -> Takes {
        let (surface, _) = signature;
        let Expr::Apply(base, element) = surface.whole_expr(param) else { return Takes::Yes };
        let wanted: SmallVec<[ExprId; 2]> = match surface.whole_expr(base) {
            Expr::Generic(_, all) => surface.items(all).collect(),
            _ => SmallVec::from_elem(element, 1),
        };
        let held: SmallVec<[ExprId; 2]> = place.0.items(held).collect();
        let pairs = wanted.iter().zip(&held);
        let fits = pairs.map(|(wanted, given)| self.fits_parameter(signature, *wanted, place, *given));
        fits.fold(Takes::Yes, Takes::and)
    }

    /// The class of the standard library that an argument is made of: `datetime(…)` calls it.
    fn argument_class(&mut self, at: &'w Surface, scope: ScopeId, arg: ExprId) -> Option<&'w str> {
        let Expr::Call(callee) = at.expr(arg) else { return None };
        let found = self.thing_of(at, scope, callee, Want::Callable)?;
        let class = type_name(at, callee).filter(|class| library::is_class(class))?;
        (found.thing == Thing::External).then_some(class)
    }
}

/// Whether the parts of a text are what the type of a parameter says that it holds.
fn letters_are(given: &str, surface: &Surface, param: ExprId) -> Takes {
    let Expr::Apply(_, element) = surface.whole_expr(param) else { return Takes::Yes };
    match type_name(surface, element) {
        Some("object" | "Any") => Takes::Yes,
        Some(wanted) => library::is_of(if given == "bytes" { "int" } else { given }, wanted),
        None => Takes::Perhaps,
    }
}

/// The type of a literal, and what it holds.
fn literal(at: &Surface, arg: ExprId) -> Option<(&str, Option<ExprId>)> {
    match at.whole_expr(arg) {
        Expr::Primitive(name) => Some((at.names.get(name), None)),
        Expr::With(inner, kind) => {
            let (Expr::Holds(held), Expr::Primitive(name)) =
                (at.whole_expr(inner), at.whole_expr(at.items(kind).next()?))
            else {
                return None;
            };
            Some((at.names.get(name), Some(held)))
        }
        _ => None,
    }
}

/// Whether a function is a signature alone: `@overload` stands above it.
fn is_signature(surface: &Surface, sym: SymRef) -> bool {
    let decorators = surface.symbols[sym.index as usize].decorators;
    let mut names = decorators.into_iter().flat_map(|list| surface.items(list));
    names.any(|decorator| match surface.whole_expr(decorator) {
        Expr::Name(name) | Expr::Member(_, name) => surface.names.get(name) == "overload",
        _ => false,
    })
}
