//! Attributes of Python: which of several assignments and declarations is the one that a name means.

use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::SymRef;
use super::world::World;
use orbit_extract::{Family, RawRef, RefKind, ScopeId};
use smallvec::SmallVec;

impl<W: World> Resolver<'_, W> {
    /// `self.x = …` that defines `x` uses what is inherited under that name, and is not a use of what it defines.
    pub(super) fn unless_it_defines(&mut self, row: &RawRef, found: Option<Found>) -> Option<Found> {
        let own = self.own;
        let is_assignment = row.defines && row.kind == RefKind::Value && row.base.is_some();
        if !is_assignment || own.family() != Family::Python {
            return found;
        }
        let class = match self.this_type(own, row.scope)?.thing {
            Thing::Sym(class) => ScopeId::of_symbol(class.index as usize),
            _ => return None,
        };
        let is_own = |sym: SymRef| sym.file == own.file && own.symbols[sym.index as usize].parent == class;
        found.filter(|found| {
            self.is_declared(*found) && !matches!(found.thing, Thing::Sym(sym) if is_own(sym))
        })
    }

    /// Whether a member of Python is more than an assignment.
    pub(super) fn is_declared(&self, member: Found) -> bool {
        let Thing::Sym(sym) = member.thing else { return false };
        !self.world.surface(sym.file).symbols[sym.index as usize].bodiless
    }

    /// An attribute that is only assigned is the one whose type is written, here or in a superclass, or a property.
    pub(super) fn declared_member(
        &mut self,
        ty: SymRef,
        own: &[SymRef],
        name: u64,
        want: Want,
        level: u32,
    ) -> Option<Found> {
        let world = self.world;
        let declared: SmallVec<[SymRef; 2]> = own
            .iter()
            .copied()
            .filter(|sym| !world.surface(sym.file).symbols[sym.index as usize].bodiless)
            .collect();
        if let Some(sym) = self.pick(&declared, want, world.surface(ty.file)) {
            return Some(Found { thing: Thing::Sym(sym), imported: false });
        }
        self.depth += 1;
        let mut found = None;
        for (parent, imported) in self.supers(ty) {
            let inherited = self.member_at_level(parent, name, want, level + 1).filter(|_| parent != ty);
            if let Some(inherited) = inherited.filter(|inherited| self.is_declared(*inherited)) {
                found = Some(Found { imported: inherited.imported || imported, ..inherited });
                break;
            }
        }
        self.depth -= 1;
        found
    }
}
