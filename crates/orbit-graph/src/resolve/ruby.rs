//! Ruby: what `new` makes, what blocks are given, which method an assignment calls.

use super::key::{Key, hash_name};
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::rules;
use super::surface::Surface;
use super::types::{UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ImportKind, RawRef, RefKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// What a construction, or one of several values, is.
    pub(super) fn made(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        match at.expr(expr) {
            Expr::Instance(class) => self.made_by_new(at, scope, class),
            Expr::Union(list) => {
                let parts: SmallVec<[Val; 4]> =
                    at.items(list).map(|part| self.eval(at, scope, part)).collect();
                self.one_of(&parts)
            }
            _ => UNKNOWN,
        }
    }

    /// What `Foo.new` gives: what a `new` of its own does, else a `Foo`. A module without one stands for itself.
    fn made_by_new(&mut self, at: &'w Surface, scope: ScopeId, class: ExprId) -> Val {
        let class = self.eval_open_type(at, scope, class);
        let made = self.member_of_value(class, *names::NEW, Want::Callable, at);
        if let Some(found) = made.filter(|found| matches!(found.thing, Thing::Sym(_))) {
            let given = self.result_of(found);
            if given.what != What::Unknown {
                return given;
            }
        }
        match class.what {
            What::Module(_) => class,
            _ => self.instance_of(class),
        }
    }

    /// What a method gives to the block that it is called with, at a place.
    pub(super) fn given_to_block(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        place: usize,
    ) -> Val {
        let found = self.thing_of(at, scope, callee, Want::Callable);
        let Some(Found { thing: Thing::Sym(sym), imported }) = found else { return UNKNOWN };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let given = symbol.params.and_then(|values| surface.items(values).nth(place));
        let Some(given) = given.filter(|_| symbol.kind.is_callable()) else { return UNKNOWN };
        // `yield self` gives what the method is called on, which may be of a derived class.
        if let (Expr::This, Expr::Member(base, _)) = (surface.expr(given), at.expr(callee)) {
            let receiver = self.eval(at, scope, base);
            match receiver.what {
                What::Instance(_) => return receiver,
                What::Sym(_) => return self.instance_of(receiver),
                _ => {}
            }
        }
        let value = self.eval(surface, ScopeId::of_symbol(sym.index as usize), given);
        Val { imported: imported || value.imported, ..value }
    }

    /// Whether a name means a method of what stands round the class of `self`: without a receiver a method is called
    /// on `self` alone, only constants are looked up further out.
    pub(super) fn is_of_outer_class(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        name: u64,
        found: Found,
    ) -> bool {
        let (Family::Ruby, Thing::Sym(sym)) = (at.family(), found.thing) else { return false };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let is_member = symbol.kind.is_callable() || symbol.kind == SymbolKind::Property;
        let Some(owner) = symbol.parent.symbol().filter(|_| is_member) else { return false };
        let owner = surface.symbols[owner].key;
        let is_type =
            |index: &usize| matches!(at.symbols[*index].kind, SymbolKind::Class | SymbolKind::Module);
        let outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
        let mut types = outer.filter(is_type);
        let Some(own) = types.next() else { return false };
        types.any(|index| at.symbols[index].key == owner)
            && self
                .member_of_type(at.sym(own), name, Want::Callable)
                .is_none_or(|own| own.thing != found.thing)
    }

    /// A constant of a module that is included outside of any class.
    pub(super) fn included_constant(&mut self, at: &'w Surface, name: u64) -> Option<Found> {
        if at.family() != Family::Ruby {
            return None;
        }
        let world = self.world;
        for file in self.modules(rules::included_everywhere()) {
            let surface = world.surface(file);
            self.ask_inside(surface, name);
            let globs = surface.imports.iter().filter(|import| import.raw.kind == ImportKind::Glob);
            for target in globs.flat_map(|import| &import.targets) {
                let mut candidates = self.defs(target.part(name));
                candidates.retain(|sym| {
                    let kind = world.surface(sym.file).symbols[sym.index as usize].kind;
                    matches!(kind, SymbolKind::Class | SymbolKind::Module | SymbolKind::Const)
                });
                if let Some(sym) = self.pick(&candidates, Want::Any, at) {
                    return Some(Found { thing: Thing::Sym(sym), imported: false });
                }
            }
        }
        None
    }

    /// `x.name = 1` calls `name=`, which may be an attribute's.
    pub(super) fn written_attribute(&mut self, row: &RawRef) -> Option<Found> {
        let (own, base) = (self.own, row.base?);
        if own.family() != Family::Ruby || row.kind != RefKind::Value {
            return None;
        }
        row.args?;
        let writer = hash_name(&format!("{}=", own.names.get(row.name)));
        self.member_of(own, row.scope, base, writer, Want::Callable)
    }

    /// A constant below one that the repository only ever names: `class Rack::Builder` adds to a class from outside.
    pub(super) fn below_outside(
        &mut self,
        at: &'w Surface,
        base: ExprId,
        name: u64,
        want: Want,
    ) -> Option<Found> {
        let mut path: SmallVec<[u64; 4]> = SmallVec::new();
        path.push(name);
        let mut rest = base;
        loop {
            match at.expr(rest) {
                Expr::Member(inner, name) if is_constant(at.names.get(name)) => {
                    path.push(at.hash(name));
                    rest = inner;
                }
                Expr::Name(name) if is_constant(at.names.get(name)) => {
                    path.push(at.hash(name));
                    break;
                }
                _ => return None,
            }
        }
        let key = path.iter().rev().fold(Key::root(Family::Ruby), |key, part| key.part(*part));
        let world = self.world;
        let is_type = |sym: &super::surface::SymRef| {
            let kind = world.surface(sym.file).symbols[sym.index as usize].kind;
            matches!(kind, SymbolKind::Class | SymbolKind::Module)
        };
        let candidates: SmallVec<[super::surface::SymRef; 2]> =
            self.defs(key).into_iter().filter(is_type).collect();
        let picked = self.pick(&candidates, want, at)?;
        Some(Found { thing: Thing::Sym(picked), imported: false })
    }
}

fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
