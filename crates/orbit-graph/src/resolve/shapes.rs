//! Objects of scripts that no symbol holds, by what their members are.

use super::functions::Signature;
use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::Surface;
use super::types::{UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

/// How deep unions and intersections are looked into.
const MAX_PARTS: u32 = 4;

impl<'w, W: World> Resolver<'w, W> {
    /// An object with these members.
    pub(super) fn object_with(&mut self, at: &'w Surface, scope: ScopeId, members: ExprId) -> Val {
        let head = self.head.filter(|head| head.file == at.file);
        let scope = head.map_or(scope, |head| ScopeId::of_symbol(head.index as usize));
        let params = Some(members);
        self.shape_of(Signature {
            file: at.file,
            scope,
            params,
            result: None,
            receiver: UNKNOWN,
            bound: None,
        })
    }

    pub(super) fn shape_of(&mut self, signature: Signature) -> Val {
        let value = self.callable(signature);
        match value.what {
            What::Callable(number) => Val { what: What::Shape(number), ..value },
            _ => value,
        }
    }

    /// What a member of an object is that has no symbol.
    pub(super) fn part_of_shape(&mut self, value: Val, name: u64, depth: u32) -> Val {
        match value.what {
            What::Shape(number) => {
                let signature = self.signatures[number as usize];
                let surface = self.world.surface(signature.file);
                let Some(members) = signature.params else { return UNKNOWN };
                let part = surface.items(members).find_map(|member| match surface.whole_expr(member) {
                    Expr::Keyed(key, part) if surface.hash(key) == name => Some(part),
                    _ => None,
                });
                let Some(part) = part else { return UNKNOWN };
                let part = self.eval_open(surface, signature.scope, part);
                let part = self.seen_by(part, &signature);
                Val { imported: value.imported || part.imported, ..part }
            }
            What::Union(first, count) | What::Intersection(first, count) if depth < MAX_PARTS => {
                let parts: SmallVec<[Val; 4]> = self
                    .parts(first, count)
                    .into_iter()
                    .map(|part| self.part_of_shape(part, name, depth + 1))
                    .collect();
                self.one_of(&parts)
            }
            _ => UNKNOWN,
        }
    }

    /// A member of an object that has a symbol: a function that hangs under its path.
    pub(super) fn member_of_shape(
        &mut self,
        number: u32,
        name: u64,
        want: Want,
        at: &'w Surface,
    ) -> Option<Found> {
        let signature = self.signatures[number as usize];
        let surface = self.world.surface(signature.file);
        if surface.family() == Family::Go {
            return self.member_of_anonymous(number, name, want, at);
        }
        let first = surface.items(signature.params?).next()?;
        if let Expr::Object(path) = surface.whole_expr(first) {
            let object = Self::object(surface, surface.names.get(path));
            let found = self.member_of_value(object, name, want, at);
            if found.is_some() {
                return found;
            }
        }
        // `{ run }`: the function or class that the object holds.
        let part = self.part_of_shape(Val { what: What::Shape(number), imported: false }, name, 0);
        let What::Sym(sym) = part.what else { return None };
        let kind = self.world.surface(sym.file).symbols[sym.index as usize].kind;
        let is_named = kind.is_callable() || kind == SymbolKind::Class;
        is_named.then_some(Found { thing: Thing::Sym(sym), imported: part.imported })
    }
}
