//! Which functions of a name can be meant at all, before their parameters are looked at.

use super::{CallPlace, Candidates, best};
use crate::resolve::functions::Signature;
use crate::resolve::key::hash_name;
use crate::resolve::lookup::Resolver;
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::{Val, What, expr_text};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, Family, Lang, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// The definition of a function of C++ that may be one of its declarations: the one with the same parameters
    /// that has a body. Uses lead there when it is known.
    pub(super) fn definition(&self, sym: SymRef, all: &[SymRef]) -> SymRef {
        let world = self.world;
        let fact = |sym: SymRef| world.surface(sym.file).symbols[sym.index as usize];
        if !fact(sym).bodiless || world.surface(sym.file).family() != Family::Native {
            return sym;
        }
        let mut with_body = all.iter().copied().filter(|other| {
            !fact(*other).bodiless && !fact(*other).inactive && self.are_one([sym, *other].into_iter())
        });
        match (with_body.next(), with_body.next()) {
            (Some(definition), None) => definition,
            _ => sym,
        }
    }

    /// The one of several functions that takes the arguments of a call best.
    pub(in crate::resolve) fn one_taking(
        &mut self,
        place: CallPlace<'w>,
        args: ExprId,
        all: &[SymRef],
    ) -> Option<SymRef> {
        let mut candidates: Candidates = all.iter().copied().collect();
        self.leave_instantiable(&mut candidates, type_arguments(place.0, args));
        let args: SmallVec<[ExprId; 4]> = place.0.items(args).collect();
        let fits = self.fits(place, &args, &candidates);
        if let [(only, _)] = fits.as_slice() { Some(*only) } else { best(&fits) }
    }

    /// The functions of the same qualified name; of extensions of Kotlin those for the same type, since what is written
    /// before the name decided that.
    pub(super) fn siblings_for(&mut self, found: SymRef) -> Candidates {
        let mut all = self.siblings(found);
        let world = self.world;
        let receiver = |sym: SymRef| {
            let surface = world.surface(sym.file);
            let receiver = surface.symbols[sym.index as usize].receiver;
            receiver.map(|receiver| expr_text(surface, receiver))
        };
        if world.surface(found.file).lang == Lang::Kotlin {
            let wanted = receiver(found);
            all.retain(|sym| receiver(*sym) == wanted);
        }
        all
    }

    /// The constructor of a class of C# that takes these arguments.
    pub(in crate::resolve) fn constructor_taking(
        &mut self,
        (at, scope): CallPlace<'w>,
        ty: ExprId,
        args: ExprId,
    ) -> Option<Val> {
        let receiver = self.eval_open_type(at, scope, ty);
        let (What::Sym(class) | What::Apply(Some(class), _)) = receiver.what else { return None };
        let world = self.world;
        let fact = |sym: SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let path = world.surface(class.file).names.get(fact(class).local);
        let name = path.rsplit('.').next().and_then(|name| name.split('`').next())?;
        let mut all = self.defs(fact(class).key.part(hash_name(name)));
        all.retain(|sym| fact(*sym).kind == SymbolKind::Constructor);
        let chosen = self.one_taking((at, scope), args, &all)?;
        let signature = Signature { receiver, ..self.declared_signature(chosen) };
        let value = self.callable(signature);
        Some(Val { imported: receiver.imported, ..value })
    }

    /// Leaves the methods of C# that can have so many type arguments written at a call. Where none are written, all
    /// must follow from the arguments.
    pub(super) fn leave_instantiable(&self, candidates: &mut Candidates, types: usize) {
        let world = self.world;
        let fits = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            let symbol = surface.symbols[sym.index as usize];
            let declared: SmallVec<[ExprId; 4]> =
                symbol.type_params.into_iter().flat_map(|list| surface.items(list)).collect();
            let heads = [symbol.params, symbol.receiver];
            let is_used = |parameter: &ExprId| {
                let name = surface.whole_expr(*parameter);
                heads.into_iter().flatten().any(|head| mentions(surface, head, name, 0))
            };
            declared.len() == types || types == 0 && declared.iter().all(is_used)
        };
        if candidates.iter().any(fits) {
            candidates.retain(|sym| fits(sym));
        }
    }

    /// Leaves the functions that a usual build has, and of them those that the own file declares or includes, if
    /// there are any.
    pub(super) fn leave_visible(&mut self, candidates: &mut Candidates) {
        let world = self.world;
        let is_active = |sym: &SymRef| !world.surface(sym.file).symbols[sym.index as usize].inactive;
        if candidates.iter().any(is_active) {
            candidates.retain(|sym| is_active(sym));
        }
        let mut visible: SmallVec<[SymRef; 2]> = candidates.iter().copied().collect();
        self.prefer_visible(self.own, &mut visible);
        candidates.retain(|sym| visible.contains(sym));
    }
}

/// Whether a type parameter occurs in a type or a list of them.
fn mentions(surface: &Surface, ty: ExprId, parameter: Expr, depth: u32) -> bool {
    if depth > 16 {
        return true;
    }
    let any = |parts: &[ExprId]| parts.iter().any(|part| mentions(surface, *part, parameter, depth + 1));
    match (surface.whole_expr(ty), parameter) {
        (Expr::Parameter(name, _), Expr::Parameter(sought, _)) => name == sought,
        (Expr::List(a, b) | Expr::Apply(a, b) | Expr::Generic(a, b) | Expr::Function(a, b), _) => {
            any(&[a, b])
        }
        (Expr::Instance(inner) | Expr::Defaulted(inner) | Expr::Rest(inner) | Expr::Tuple(inner), _) => {
            any(&[inner])
        }
        _ => false,
    }
}

/// How many type arguments are written.
pub(super) fn type_arguments(surface: &Surface, expr: ExprId) -> usize {
    match surface.whole_expr(expr) {
        Expr::Generic(_, types) => surface.items(types).count(),
        _ => 0,
    }
}
