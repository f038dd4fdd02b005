//! Which types a value of a type is of.

use super::{Candidates, Fit, SUPERTYPE, UNFIT, type_name};
use crate::resolve::lookup::Resolver;
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, Lang, ScopeId};

impl<'w, W: World> Resolver<'w, W> {
    /// Whether no value of a type of the repository can be of a type from outside: in a language where types are
    /// what they say they are, one that only derives from types of the repository is none of others.
    pub(in crate::resolve) fn cannot_be(
        &mut self,
        given: SymRef,
        surface: &'w Surface,
        wanted: ExprId,
    ) -> bool {
        let is_nominal = matches!(surface.lang, Lang::CSharp | Lang::Kotlin);
        let is_named = matches!(
            surface.whole_expr(wanted),
            Expr::Name(_) | Expr::Member(..) | Expr::Apply(..) | Expr::Primitive(_)
        );
        let is_any = type_name(surface, wanted).is_some_and(|name| matches!(name, "Any" | "Object"));
        is_nominal && is_named && !is_any && self.derives_within(given, 0)
    }

    /// Whether all supertypes of a type are of the repository.
    pub(super) fn derives_within(&mut self, ty: SymRef, depth: u32) -> bool {
        let world = self.world;
        let key = world.surface(ty.file).symbols[ty.index as usize].key;
        self.ask_supers(key);
        let written: usize = self
            .defs(key)
            .into_iter()
            .map(|part| {
                let owner = ScopeId::of_symbol(part.index as usize);
                let relations = &world.surface(part.file).relations;
                relations.iter().filter(|relation| relation.owner == owner).count()
            })
            .sum();
        let found = self.supers(ty);
        depth < 8
            && found.len() == written
            && found.into_iter().all(|(parent, _)| self.derives_within(parent, depth + 1))
    }

    /// Whether two symbols are one type: in C# a class may be declared in parts, in Kotlin once for each
    /// platform.
    pub(in crate::resolve) fn is_same_type(&self, a: SymRef, b: SymRef) -> bool {
        let fact = |sym: SymRef| self.world.surface(sym.file).symbols[sym.index as usize];
        a == b || matches!(self.own.lang, Lang::CSharp | Lang::Kotlin) && fact(a).key == fact(b).key
    }

    /// How well a value of type `given` fits where a `wanted` is asked for: the nearer the better.
    pub(in crate::resolve) fn distance(&mut self, given: SymRef, wanted: SymRef) -> Fit {
        let mut level: Candidates = self.supers(given).iter().map(|(ty, _)| *ty).collect();
        for steps in 0..8 {
            if level.iter().any(|ty| self.is_same_type(*ty, wanted)) {
                return SUPERTYPE - steps;
            }
            let mut next = Candidates::new();
            for ty in level {
                next.extend(self.supers(ty).iter().map(|(ty, _)| *ty));
            }
            level = next;
        }
        UNFIT
    }
}
