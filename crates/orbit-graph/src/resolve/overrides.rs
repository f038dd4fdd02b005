//! Which members of a type stand for which members of its supertypes: a call of the one may run the other.

use super::ResolvedRelation;
use super::key::Digest;
use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::{Surface, SymRef};
use super::types::Supers;
use super::world::World;
use orbit_extract::{Expr, Family, RelationKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<W: World> Resolver<'_, W> {
    /// The `overrides` of every member that the own file defines, in order of the members.
    pub(crate) fn overrides(&mut self) -> Vec<ResolvedRelation> {
        let own = self.own;
        let mut found = Vec::new();
        for index in 0..own.symbols.len() {
            let symbol = own.symbols[index];
            if !matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property) {
                continue;
            }
            for (base, imported) in self.bases_of(index) {
                let there = self.world.surface(base.file);
                let separator = own.lang.separator();
                let name = there.names.get(there.symbols[base.index as usize].local);
                found.push(ResolvedRelation {
                    kind: RelationKind::Overrides,
                    place: None,
                    from: Some(own.sym(index)),
                    from_name: own.names.get(symbol.local).to_owned(),
                    to: self.outcome(Some(Found { thing: Thing::Sym(base), imported })),
                    to_name: name.rsplit(separator).next().unwrap_or(name).to_owned(),
                });
            }
        }
        found
    }

    /// The members of supertypes that a member stands for: of each supertype the nearest one.
    fn bases_of(&mut self, index: usize) -> Supers {
        let own = self.own;
        let symbol = own.symbols[index];
        let mut found = Supers::new();
        for (parent, imported) in self.supers_of_member(index) {
            let Some(Found { thing: Thing::Sym(base), imported: by_import }) =
                self.member_of_type(parent, symbol.name, Want::Callable)
            else {
                continue;
            };
            let Some(base) = self.same_shape(own.sym(index), base) else { continue };
            let surface = self.world.surface(base.file);
            let overridden = surface.symbols[base.index as usize];
            let is_member = matches!(overridden.kind, SymbolKind::Method | SymbolKind::Property);
            let is_virtual = overridden.is_virtual || symbol.is_virtual && own.family() == Family::Native;
            let is_new = base != own.sym(index) && !found.iter().any(|(known, _)| *known == base);
            if is_member && is_virtual && is_new {
                found.push((base, imported || by_import));
            }
        }
        found
    }

    /// The supertypes of the type that a member belongs to; for one of a Rust `impl` block the trait.
    fn supers_of_member(&mut self, index: usize) -> Supers {
        let own = self.own;
        let symbol = own.symbols[index];
        let owner = match (symbol.parent.symbol(), symbol.owner) {
            (Some(parent), _) if own.symbols[parent].kind == SymbolKind::Impl => {
                return self.traits_of_block(parent);
            }
            (Some(parent), _) if own.symbols[parent].kind.is_type() => Some(own.sym(parent)),
            // A Go type has what it embeds, and its own method of that name hides it.
            (_, Some(owner)) if own.family() != Family::Go => {
                let owners = self.defs(owner);
                self.pick(&owners, Want::Type, own)
            }
            _ => None,
        };
        match owner {
            Some(owner) if own.family() != Family::Go => self.supers(owner),
            _ => Supers::new(),
        }
    }

    fn traits_of_block(&mut self, block: usize) -> Supers {
        let own = self.own;
        let owner = ScopeId::of_symbol(block);
        let is_own = |relation: &&orbit_extract::RawRelation| {
            relation.owner == owner && relation.kind == RelationKind::Impl
        };
        let mut found = Supers::new();
        for relation in own.relations.iter().filter(is_own) {
            if let Some(Found { thing: Thing::Sym(parent), imported }) =
                self.type_of(own, relation.scope, relation.to)
            {
                found.push((parent, imported));
            }
        }
        found
    }

    /// Of the overloads of a supertype's member, the one that a member has the parameters of.
    fn same_shape(&mut self, member: SymRef, base: SymRef) -> Option<SymRef> {
        let candidates = self.siblings(base);
        if candidates.len() < 2 {
            return Some(base);
        }
        let world = self.world;
        let wanted = shape(world.surface(member.file), member);
        let same = candidates.iter().copied().find(|sym| shape(world.surface(sym.file), *sym) == wanted);
        // A type parameter of the supertype is another type here: what no other overload of the member has.
        let others: SmallVec<[Digest; 4]> =
            self.siblings(member).iter().map(|sym| shape(world.surface(sym.file), *sym)).collect();
        let count = |sym: SymRef| {
            let surface = world.surface(sym.file);
            surface.symbols[sym.index as usize].params.map_or(0, |params| surface.items(params).count())
        };
        same.or_else(|| {
            let number = count(member);
            let as_many: SmallVec<[SymRef; 2]> = candidates
                .iter()
                .copied()
                .filter(|sym| count(*sym) == number)
                .filter(|sym| !others.contains(&shape(world.surface(sym.file), *sym)))
                .collect();
            if let [only] = as_many[..] { Some(only) } else { None }
        })
    }
}

/// The types of a member's parameters as written.
fn shape(surface: &Surface, sym: SymRef) -> Digest {
    let params = surface.symbols[sym.index as usize].params;
    params.into_iter().flat_map(|params| surface.items(params)).fold(Digest::new(), |digest, param| {
        let ty = if let Expr::Defaulted(ty) = surface.expr(param) { ty } else { param };
        digest.add(surface.expr_digest(ty, 0).0)
    })
}
