//! Members of types: their own, those of impl blocks, and what they inherit.

use super::key::Key;
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::rules::{self, Members};
use super::surface::{Surface, SymRef};
use super::types::{EXTERNAL, MAX_DEPTH, Supers, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{ExprId, Family, RelationKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

pub(super) const MAX_SUPERS: u32 = 12;

impl<'w, W: World> Resolver<'w, W> {
    // ── members ─────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn member_of_value(
        &mut self,
        value: Val,
        name: u64,
        want: Want,
        at: &'w Surface,
    ) -> Option<Found> {
        let found = match value.what {
            What::Unknown => None,
            What::External => Some(Found { thing: Thing::External, imported: value.imported }),
            What::Module(key) => self.module_member(key, name, want, at, 0),
            What::Sym(sym)
            | What::Instance(sym)
            | What::Apply(Some(sym), _)
            | What::InstanceOfApply(Some(sym), _) => {
                let is_value = matches!(value.what, What::Instance(_) | What::InstanceOfApply(..));
                let want = match want {
                    Want::Type if at.family() != Family::Script => Want::Any,
                    // `x.size` without a call is a field.
                    Want::Any if is_value && at.family() == Family::Rust => Want::Prefix,
                    want => want,
                };
                let mut found = self.member_of_type(sym, name, want);
                if found.is_none() && self.depth < MAX_DEPTH {
                    self.depth += 1;
                    found = self
                        .pointed_by(value, at.family())
                        .and_then(|target| self.member_of_value(target, name, want, at));
                    self.depth -= 1;
                }
                if let (None, What::Sym(_), Family::Script) = (found, value.what, at.family()) {
                    found = self.beside_whole(sym, name, want, at);
                }
                let is_class = matches!(value.what, What::Sym(_));
                if at.family() == Family::Ruby { self.of_class_or_instance(found, is_class) } else { found }
            }
            // A collection that the repository does not define.
            What::InstanceOfApply(None, _) if at.family() == Family::Python => {
                Some(Found { thing: Thing::External, imported: true })
            }
            What::InstanceOfApply(None, args) if at.family() == Family::Rust && want == Want::Callable => {
                self.through_pointer(args, name, at)
            }
            What::Apply(None, _) | What::InstanceOfApply(None, _) | What::Class(_) => None,
            What::Param(_) | What::InstanceOfParam(_) => {
                let closed = self.closed(value);
                let is_open = matches!(closed.what, What::Param(_) | What::InstanceOfParam(_));
                return if is_open { None } else { self.member_of_value(closed, name, want, at) };
            }
            What::Union(first, count) => self.member_of_union((first, count), name, want, at),
            What::Intersection(first, count) => self.member_of_intersection((first, count), name, want, at),
            What::Shape(number) => self.member_of_shape(number, name, want, at),
            What::Callable(_) | What::Tuple(..) | What::InstanceOfTuple(..) => {
                Some(Found { thing: Thing::External, imported: true })
            }
        }?;
        Some(Found { imported: found.imported || value.imported, ..found })
    }

    /// Ruby keeps the methods of a class and of its instances apart; of two of one name, the one that is meant.
    fn of_class_or_instance(&mut self, found: Option<Found>, is_class: bool) -> Option<Found> {
        let Some(Found { thing: Thing::Sym(sym), .. }) = found else { return found };
        let world = self.world;
        let is_meant =
            |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize].receiver.is_some() == is_class;
        if is_meant(&sym) {
            return found;
        }
        let other = self.siblings(sym).into_iter().find(is_meant);
        found.map(|found| other.map_or(found, |other| Found { thing: Thing::Sym(other), ..found }))
    }

    /// A member of a type, its own or inherited.
    pub(super) fn member_of_type(&mut self, ty: SymRef, name: u64, want: Want) -> Option<Found> {
        self.member_at_level(ty, name, want, 0)
    }

    pub(super) fn member_at_level(&mut self, ty: SymRef, name: u64, want: Want, level: u32) -> Option<Found> {
        if let Some(known) = self.type_members.get(&(ty, name, want)) {
            return *known;
        }
        self.type_members.insert((ty, name, want), None);
        let found = self.find_member(ty, name, want, level);
        self.type_members.insert((ty, name, want), found);
        found
    }

    fn find_member(&mut self, ty: SymRef, name: u64, want: Want, level: u32) -> Option<Found> {
        if level > MAX_SUPERS || self.depth >= MAX_DEPTH {
            return None;
        }
        let surface = self.world.surface(ty.file);
        let symbol = surface.symbols[ty.index as usize];
        let mut candidates = self.defs(symbol.key.part(name));
        if surface.family() == Family::Native && !self.leave_own_members(ty, &mut candidates) {
            return None;
        }
        if let Some(sym) = self.pick(&candidates, want, surface) {
            let own = Found { thing: Thing::Sym(sym), imported: false };
            if surface.family() == Family::Python && !self.is_declared(own) {
                return self.declared_member(ty, &candidates, name, want, level).or(Some(own));
            }
            return Some(own);
        }
        if symbol.kind == SymbolKind::TypeAlias
            && let Some(aliased) = symbol.ty
            && let Some(found) = self.aliased_member(ty, aliased, name, want, level)
        {
            return Some(found);
        }
        if surface.family() == Family::Rust {
            let mut members = self.impl_members(ty, symbol.name, name);
            self.leave_inherent(&mut members);
            if self.is_one_of_many(&members) {
                return None;
            }
            if let Some(sym) = self.pick(&members, want, surface) {
                return Some(Found { thing: Thing::Sym(sym), imported: false });
            }
        }
        self.depth += 1;
        let inherited = self.inherited(ty, name, want, level);
        self.depth -= 1;
        if inherited.is_none() && surface.family() == Family::Rust {
            return self.through_deref(ty, name, want, level);
        }
        inherited
    }

    /// Members of the type that a scope is, or of the type that a method defined outside belongs to.
    pub(super) fn through_type(
        &mut self,
        at: &'w Surface,
        here: ScopeId,
        name: u64,
        want: Want,
    ) -> Option<Found> {
        if rules::of(at.family()).members != Members::Anywhere {
            return None;
        }
        let index = here.symbol()?;
        let symbol = at.symbols[index];
        // A test of a fixture is a member of a class derived from it.
        let is_fixture = symbol.kind == SymbolKind::Test && at.family() == Family::Native;
        let is_module = symbol.kind == SymbolKind::Module && at.family() == Family::Ruby;
        if symbol.kind.is_type() || is_module || is_fixture {
            let found = self.member_of_type(at.sym(index), name, want);
            if found.is_some() || at.family() != Family::Native {
                return found;
            }
        }
        let mut owner = self.outer_type(at, index)?;
        loop {
            let found = self.member_of_type(owner, name, want);
            if found.is_some() || at.family() != Family::Native {
                return found;
            }
            // What stands in a nested class sees the members of those round it.
            owner = self.outer_type(self.world.surface(owner.file), owner.index as usize)?;
        }
    }

    /// The type that a symbol belongs to: the one whose body it stands in, or that its name says.
    fn outer_type(&mut self, at: &'w Surface, index: usize) -> Option<SymRef> {
        let symbol = at.symbols[index];
        if let Some(owner) = symbol.owner {
            let owners = self.defs(owner);
            return self.pick(&owners, Want::Type, at).filter(|owner| *owner != at.sym(index));
        }
        symbol.parent.symbol().filter(|index| at.symbols[*index].kind.is_type()).map(|index| at.sym(index))
    }

    /// A member that a type has from its supertypes.
    fn inherited(&mut self, ty: SymRef, name: u64, want: Want, level: u32) -> Option<Found> {
        let surface = self.world.surface(ty.file);
        let kind = surface.symbols[ty.index as usize].kind;
        let supers = self.supers(ty);
        if surface.family() == Family::Python
            && supers.len() > 1
            && let Some(order) = self.linearized(ty)
        {
            return self.inherited_in_order(order, name, want, level);
        }
        for (parent, imported) in supers {
            if parent == ty {
                continue;
            }
            if let Some(found) = self.member_at_level(parent, name, want, level + 1) {
                // What a trait only declares is written by whoever implements it, here by a macro.
                if self.is_left_to_macro(surface, kind, found) {
                    continue;
                }
                return Some(Found { imported: found.imported || imported, ..found });
            }
        }
        None
    }

    fn is_left_to_macro(&self, at: &Surface, kind: SymbolKind, found: Found) -> bool {
        let is_concrete = matches!(kind, SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Union);
        let Thing::Sym(sym) = found.thing else { return false };
        let member = self.world.surface(sym.file).symbols[sym.index as usize];
        at.family() == Family::Rust && is_concrete && member.bodiless
    }

    /// A member of the type that an alias stands for.
    fn aliased_member(
        &mut self,
        alias: SymRef,
        aliased: ExprId,
        name: u64,
        want: Want,
        level: u32,
    ) -> Option<Found> {
        let surface = self.world.surface(alias.file);
        let parent = surface.symbols[alias.index as usize].parent;
        let target = self.eval_type(surface, parent, aliased);
        match target.what {
            What::Sym(sym) | What::Apply(Some(sym), _) if sym != alias => {
                let found = self.member_at_level(sym, name, want, level + 1)?;
                Some(Found { imported: found.imported || target.imported, ..found })
            }
            What::Union(..) | What::Intersection(..) if self.depth < MAX_DEPTH => {
                self.depth += 1;
                let value = self.instance_of(target);
                let found = self.member_of_value(value, name, want, surface);
                self.depth -= 1;
                found.filter(|found| found.thing != Thing::External)
            }
            _ => None,
        }
    }

    /// What a type that dereferences to another one has from it.
    fn through_deref(&mut self, ty: SymRef, name: u64, want: Want, level: u32) -> Option<Found> {
        let target = self.associated(ty, *names::TARGET, UNKNOWN);
        let target = self.closed(target);
        let target_imported = target.imported;
        match target.what {
            What::Instance(target) | What::InstanceOfApply(Some(target), _) if target != ty => {
                let found = self.member_at_level(target, name, want, level + 1)?;
                Some(Found { imported: found.imported || target_imported, ..found })
            }
            _ => None,
        }
    }

    /// The direct supertypes of a type: what it extends and implements, wherever that is written.
    pub(super) fn supers(&mut self, ty: SymRef) -> Supers {
        if let Some(known) = self.supers.get(&ty) {
            return known.clone();
        }
        let found = self.find_supers(ty);
        self.supers.insert(ty, found.clone());
        found
    }

    fn find_supers(&mut self, ty: SymRef) -> Supers {
        let world = self.world;
        let surface = world.surface(ty.file);
        let symbol = surface.symbols[ty.index as usize];
        let mut found = SmallVec::new();
        self.ask_supers(symbol.key);
        for part in self.parts_of(ty, symbol.key) {
            let surface = world.surface(part.file);
            let owner = ScopeId::of_symbol(part.index as usize);
            for relation in surface.relations.iter().filter(|relation| relation.owner == owner) {
                if let Some(Found { thing: Thing::Sym(parent), imported }) =
                    self.type_of(surface, relation.scope, relation.to)
                {
                    found.push((parent, imported));
                }
            }
        }
        if surface.family() == Family::Rust {
            let names = self.names_of_type(symbol.name);
            let mut blocks: SmallVec<[SymRef; 2]> = SmallVec::new();
            for name in names {
                self.ask_supers(Key::impl_of(name));
                blocks.extend(self.defs(Key::impl_of(name)));
            }
            for block in blocks {
                let surface = world.surface(block.file);
                if self.impl_type(surface, block.index as usize) != Some(ty) {
                    continue;
                }
                let owner = ScopeId::of_symbol(block.index as usize);
                let is_impl = |relation: &&orbit_extract::RawRelation| {
                    relation.owner == owner && relation.kind == RelationKind::Impl
                };
                for relation in surface.relations.iter().filter(is_impl) {
                    match self.type_of(surface, relation.scope, relation.to) {
                        Some(Found { thing: Thing::Sym(parent), imported }) => found.push((parent, imported)),
                        Some(Found { thing: Thing::External, .. }) | None => {
                            let name = surface.last_name(relation.to);
                            found.extend(name.into_iter().flat_map(|name| self.blanket_traits(name)));
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// The traits of the repository that are implemented for all that implements a trait from outside:
    /// `impl<T: Outside> Ours for T`.
    fn blanket_traits(&mut self, outside: u64) -> Supers {
        let mut found = SmallVec::new();
        self.ask_supers(Key::impl_of(outside));
        for block in self.defs(Key::impl_of(outside)) {
            let surface = self.world.surface(block.file);
            let symbol = surface.symbols[block.index as usize];
            if symbol.kind != SymbolKind::Impl || symbol.name == outside {
                continue; // for a type of that name
            }
            let owner = ScopeId::of_symbol(block.index as usize);
            for relation in surface.relations.iter().filter(|relation| relation.owner == owner) {
                if let Some(Found { thing: Thing::Sym(parent), imported }) =
                    self.type_of(surface, relation.scope, relation.to)
                {
                    found.push((parent, imported));
                }
            }
        }
        found
    }

    /// The type that the code in a scope belongs to.
    pub(super) fn this_type(&mut self, at: &'w Surface, scope: ScopeId) -> Option<Found> {
        let mut here = scope;
        while let Some(index) = here.symbol() {
            let symbol = at.symbols[index];
            if symbol.kind == SymbolKind::Impl {
                return self.type_of(at, symbol.parent, symbol.ty?);
            }
            let is_type = symbol.kind.is_type() && symbol.kind != SymbolKind::TypeAlias;
            if is_type || (symbol.kind == SymbolKind::Module && at.family() == Family::Ruby) {
                return Some(Found { thing: Thing::Sym(at.sym(index)), imported: false });
            }
            if let Some(owner) = symbol.owner {
                let owners = self.defs(owner);
                let owner = self.pick(&owners, Want::Type, at)?;
                return Some(Found { thing: Thing::Sym(owner), imported: false });
            }
            here = symbol.parent;
        }
        None
    }

    /// What `new` means for a class of Ruby: its `initialize`, or the class itself.
    pub(super) fn constructor(&mut self, value: Val, name: u64, at: &'w Surface) -> Option<Found> {
        let What::Sym(class) = value.what else { return None };
        let kind = self.world.surface(class.file).symbols[class.index as usize].kind;
        if at.family() != Family::Ruby || name != *names::NEW || kind != SymbolKind::Class {
            return None;
        }
        let found = self.member_of_type(class, *names::INITIALIZE, Want::Callable);
        found.or(Some(Found { thing: Thing::Sym(class), imported: value.imported }))
    }

    pub(super) fn super_of(&mut self, at: &'w Surface, scope: ScopeId) -> Val {
        let Some(Found { thing: Thing::Sym(this), .. }) = self.this_type(at, scope) else { return UNKNOWN };
        match self.supers(this).first() {
            Some((parent, imported)) => Val { what: What::Instance(*parent), imported: *imported },
            None => EXTERNAL,
        }
    }
}
