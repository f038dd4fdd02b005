//! Overloads of scripts, told apart by how many arguments they take.

use crate::resolve::lookup::{Found, Resolver, Thing};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, SymbolKind};

impl<'w, W: World> Resolver<'w, W> {
    /// Of the overloads of a script's function, the first that takes as many arguments as it is called with.
    pub(super) fn taking(&mut self, at: &'w Surface, callee: ExprId, found: Found) -> Found {
        let Thing::Sym(sym) = found.thing else { return found };
        let world = self.world;
        let fact = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize];
        if !matches!(fact(&sym).kind, SymbolKind::Function | SymbolKind::Method) {
            return found;
        }
        let mut rest = callee;
        let mut count = 0;
        while let Expr::With(inner, _) | Expr::Generic(inner, _) | Expr::Giving(inner, _) =
            at.whole_expr(rest)
        {
            if let Expr::With(_, args) = at.whole_expr(rest) {
                count = at.items(args).count();
            }
            rest = inner;
        }
        let takes = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            let params = fact(sym).params.into_iter().flat_map(|params| surface.items(params));
            let (mut least, mut most) = (0, 0);
            for param in params {
                match surface.whole_expr(param) {
                    Expr::Rest(_) => most = usize::MAX,
                    Expr::Defaulted(_) => most = most.saturating_add(1),
                    _ => (least, most) = (least + 1, most.saturating_add(1)),
                }
            }
            least <= count && count <= most
        };
        let siblings = self.siblings(sym);
        if siblings.len() < 2 || takes(&sym) {
            return found;
        }
        let chosen = siblings.into_iter().find(|sibling| sibling.file == sym.file && takes(sibling));
        chosen.map_or(found, |chosen| Found { thing: Thing::Sym(chosen), ..found })
    }
}
