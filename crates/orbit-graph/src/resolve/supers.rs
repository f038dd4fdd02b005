//! Supertypes with their type arguments.

use super::lookup::Resolver;
use super::surface::{Surface, SymRef};
use super::types::{Val, What};
use super::world::World;
use orbit_extract::{ExprId, Family, RelationKind, ScopeId};
use std::rc::Rc;

impl<'w, W: World> Resolver<'w, W> {
    /// The direct supertypes of a type with their arguments, in terms of its own parameters.
    pub(super) fn generic_supers(&mut self, ty: SymRef) -> Rc<[Val]> {
        if let Some(known) = self.generic_supers.get(&ty) {
            return Rc::clone(known);
        }
        self.generic_supers.insert(ty, Rc::from([]));
        let world = self.world;
        let surface = world.surface(ty.file);
        let symbol = surface.symbols[ty.index as usize];
        let mut found: Vec<Val> = Vec::new();
        self.ask_supers(symbol.key);
        for part in self.parts_of(ty, symbol.key) {
            self.written_supers(world.surface(part.file), part.index as usize, None, &mut found);
        }
        if surface.family() == Family::Rust {
            let key = super::key::Key::impl_of(symbol.name);
            self.ask_supers(key);
            for block in self.defs(key) {
                let surface = world.surface(block.file);
                if self.impl_type(surface, block.index as usize) == Some(ty) {
                    self.written_supers(surface, block.index as usize, Some(RelationKind::Impl), &mut found);
                }
            }
        }
        let found: Rc<[Val]> = found.into();
        self.generic_supers.insert(ty, Rc::clone(&found));
        found
    }

    fn written_supers(
        &mut self,
        surface: &'w Surface,
        index: usize,
        kind: Option<RelationKind>,
        found: &mut Vec<Val>,
    ) {
        let owner = ScopeId::of_symbol(index);
        let is_own = |relation: &&orbit_extract::RawRelation| {
            relation.owner == owner && kind.is_none_or(|kind| relation.kind == kind)
        };
        for relation in surface.relations.iter().filter(is_own) {
            let parent = self.eval_head(surface, relation.scope, surface.sym(index), relation.to);
            if !matches!(parent.what, What::Sym(sym) if sym == surface.sym(index)) {
                found.push(parent);
            }
        }
    }

    /// A type in the head of a declaration.
    pub(super) fn eval_head(&mut self, at: &'w Surface, scope: ScopeId, owner: SymRef, ty: ExprId) -> Val {
        let outer = self.head.replace(owner);
        let ty = self.eval_open_type(at, scope, ty);
        self.head = outer;
        ty
    }
}
