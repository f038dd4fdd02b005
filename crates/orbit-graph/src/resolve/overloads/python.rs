//! Signatures of Python that `@overload` marks, told apart by the types of arguments.

use super::Candidates;
use crate::resolve::lookup::{Found, Resolver, Thing};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::What;
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId};

/// Whether an argument is of the type that a parameter wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Yes,
    No,
    Perhaps,
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
        let Expr::With(_, args) = at.whole_expr(callee) else { return None };
        for signature in signatures {
            match self.takes(signature, (at, scope), args) {
                Takes::Yes => return Some(Found { thing: Thing::Sym(signature), ..found }),
                Takes::Perhaps => return None,
                Takes::No => {}
            }
        }
        None
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

    fn takes(&mut self, signature: SymRef, place: (&'w Surface, ScopeId), args: ExprId) -> Takes {
        let surface = self.world.surface(signature.file);
        let symbol = surface.symbols[signature.index as usize];
        let Some(params) = symbol.params else { return Takes::Perhaps };
        let mut params = surface.items(params);
        for arg in place.0.items(args) {
            let Some(param) = params.next() else { return Takes::No };
            let fit = self.fits_parameter((surface, signature), param, place, arg);
            if fit != Takes::Yes {
                return fit;
            }
        }
        Takes::Yes
    }

    fn fits_parameter(
        &mut self,
        (surface, signature): (&'w Surface, SymRef),
        param: ExprId,
        (at, scope): (&'w Surface, ScopeId),
        arg: ExprId,
    ) -> Takes {
        let param = match surface.whole_expr(param) {
            Expr::Defaulted(ty) => ty,
            _ => param,
        };
        let inner = ScopeId::of_symbol(signature.index as usize);
        let wanted = match surface.whole_expr(param) {
            Expr::Name(name) => surface.names.get(name),
            _ => "",
        };
        if matches!(wanted, "object" | "Any") {
            return Takes::Yes;
        }
        let ty = self.eval_open_type(surface, inner, param);
        if let Expr::Primitive(given) = at.whole_expr(arg) {
            return match (at.names.get(given), wanted) {
                (given, wanted) if given == wanted => Takes::Yes,
                ("bool", "int" | "float" | "complex") | ("int", "float" | "complex") => Takes::Yes,
                // Another of these, or of the repository, is no literal of this type.
                (_, wanted) if is_built_in(wanted) => Takes::No,
                _ if matches!(ty.what, What::Sym(_)) => Takes::No,
                _ => Takes::Perhaps,
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
            (What::Instance(given), _) if is_built_in(wanted) && self.derives_within(given, 0) => Takes::No,
            _ => Takes::Perhaps,
        }
    }
}

/// Types that a literal is of, or that none is of.
fn is_built_in(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "int"
            | "float"
            | "complex"
            | "str"
            | "bytes"
            | "dict"
            | "list"
            | "datetime"
            | "date"
            | "time"
    )
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
