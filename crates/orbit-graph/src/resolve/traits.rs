//! Methods of Rust's traits on types that do not have them in sight: those from outside, and those that a blanket
//! implementation covers. The trait must be in scope where the method is called.

use super::key::Key;
use super::lookup::{Found, Resolver, Thing, Want};
use super::outside::{Outside, is_prelude, is_primitive};
use super::rules;
use super::surface::{Surface, SymRef};
use super::types::{Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, RawRef, RefKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// What a call means where the type that it is on has no such method.
    pub(super) fn or_trait_method(&mut self, row: &RawRef, found: Option<Found>) -> Option<Found> {
        let Some(base) = row.base else { return found };
        let own = self.own;
        let name = own.hash(row.name);
        let is_open = match found.map(|found| found.thing) {
            None | Some(Thing::External) => true,
            Some(Thing::Sym(sym)) if self.is_of_trait(sym) => false,
            Some(_) => return found,
        };
        let of_argument = row.args.and_then(|args| self.of_first_argument(row, base, args));
        if let Some(sym) = of_argument.or_else(|| self.of_expected(row, base)) {
            return Some(Found { thing: Thing::Sym(sym), imported: sym.file != own.file });
        }
        if !is_open || row.kind != RefKind::Call {
            return self.or_prelude(row, base, found);
        }
        if let Some(args) = row.args
            && let Some(sym) = self.conversion(row, base, args)
        {
            return Some(Found { thing: Thing::Sym(sym), imported: sym.file != own.file });
        }
        if let Some(method) = self.of_receiver(own, row.scope, base, name) {
            return Some(method);
        }
        let call = Call { scope: row.scope, base, name };
        let Some((method, outside)) = self.method_in_scope(call, found) else {
            return self.or_prelude(row, base, found);
        };
        if outside.is_none() && self.is_bound(row.scope, method) {
            return Some(Found { thing: Thing::Sym(method), imported: method.file != own.file });
        }
        match self.implementation(method, outside) {
            // What a type from outside has itself comes first: its method of that name is what this one calls.
            Some(sym) if row.scope.symbol().is_some_and(|scope| own.sym(scope) == sym) => found,
            Some(sym) => Some(Found { thing: Thing::Sym(sym), imported: sym.file != own.file }),
            None => found,
        }
    }

    /// What a call of a method of a trait in scope gives: what the trait says, where several types implement it.
    pub(super) fn given_by_trait(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        found: Option<Found>,
    ) -> Option<Val> {
        let Expr::Member(base, name) = at.expr(callee) else { return None };
        if at.family() != Family::Rust || at.file != self.own.file {
            return None;
        }
        let call = Call { scope, base, name: at.hash(name) };
        let (method, outside) = self.method_in_scope(call, found)?;
        for sym in self.implementation(method, outside).into_iter().chain([method]) {
            let given = self.result_of(Found { thing: Thing::Sym(sym), imported: sym.file != at.file });
            let given = self.instantiated(given, at, scope, callee, sym);
            if !matches!(given.what, What::Unknown | What::External) {
                return Some(given);
            }
        }
        None
    }

    /// The one method of a trait in scope that a call can mean whose receiver has none of that name, and what the
    /// receiver is where it comes from outside.
    fn method_in_scope(&mut self, call: Call, found: Option<Found>) -> Option<(SymRef, Option<Outside>)> {
        let own = self.own;
        let Call { scope, base, name } = call;
        let methods = self.defs(Key::extensions(Family::Rust).part(name));
        if methods.is_empty() || self.is_path(scope, base) {
            return None;
        }
        let value = self.eval(own, scope, base);
        let outside = match value.what {
            What::InstanceOfTuple(_, count) => Some(Outside::Tuple(count as usize)),
            _ => self.outside_type(own, scope, base, 0),
        };
        // A function has no methods of its own, and the standard library gives it none.
        let is_function = self.is_function(scope, base);
        let is_of_library = match outside.and_then(Outside::library_type) {
            Some(ty) => ty.has(name),
            None => rules::is_library_method(name),
        };
        if is_of_library && !is_function {
            return None;
        }
        // A value of any type may have a method of its own.
        let is_any = value.what == What::Unknown && found.is_none() && !is_function;
        if is_any && !self.defs(Key::inherent_methods().part(name)).is_empty() {
            return None;
        }
        let mut in_scope = SmallVec::<[SymRef; 2]>::new();
        for method in methods {
            if self.is_of_trait_in_scope(scope, method) {
                in_scope.push(method);
            }
        }
        match in_scope[..] {
            [method] => Some((method, outside)),
            _ => None,
        }
    }

    /// Whether a type parameter that a scope of the own file sees is bounded by the trait of a method: a value of unknown type
    /// may be of that parameter, and which implementation runs is for the caller to say.
    fn is_bound(&self, scope: ScopeId, method: SymRef) -> bool {
        let surface = self.world.surface(method.file);
        let Some(parent) = surface.symbols[method.index as usize].parent.symbol() else { return false };
        let (own, name) = (self.own, surface.symbols[parent].name);
        let outer = std::iter::successors(scope.symbol(), |index| own.symbols[*index].parent.symbol());
        let mut lists = outer.flat_map(|index| {
            let symbol = &own.symbols[index];
            [symbol.type_params, symbol.receiver].into_iter().flatten()
        });
        lists.any(|list| own.items(list).any(|item| self.has_bound(item, name, 0)))
    }

    /// Whether a type parameter, or one of the bounds that are joined with `+`, names a trait.
    fn has_bound(&self, item: ExprId, name: u64, depth: u32) -> bool {
        let own = self.own;
        match own.expr(item) {
            _ if depth > 8 => false,
            Expr::Parameter(_, bound) => self.has_bound(bound, name, depth + 1),
            Expr::List(first, rest) => {
                self.has_bound(first, name, depth + 1) || self.has_bound(rest, name, depth + 1)
            }
            Expr::Instance(ty) => self.has_bound(ty, name, depth + 1),
            _ => own.last_name(item) == Some(name),
        }
    }

    fn is_function(&mut self, scope: ScopeId, base: ExprId) -> bool {
        let own = self.own;
        if !matches!(own.expr(base), Expr::Name(_) | Expr::Member(..)) {
            return false;
        }
        match self.thing_of(own, scope, base, Want::Any).map(|found| found.thing) {
            Some(Thing::Sym(sym)) => {
                self.world.surface(sym.file).symbols[sym.index as usize].kind.is_callable()
            }
            _ => false,
        }
    }

    /// `Trait::method(x)` of a trait from outside: the method of the implementation for the type of `x`.
    fn of_first_argument(&mut self, row: &RawRef, base: ExprId, args: ExprId) -> Option<SymRef> {
        let own = self.own;
        let trait_name = own.last_name(base)?;
        let argument = own.items(args).next()?;
        if !self.may_be_trait(row.scope, base) {
            return None;
        }
        let ty = self.type_behind(own, row.scope, argument)?;
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        let members = self.implementing(ty, type_name, trait_name, own.hash(row.name));
        let [first] = members[..] else { return None };
        // `Debug::fmt(&**self, f)` goes on with what a pointer leads to.
        let is_itself = row.scope.symbol().is_some_and(|scope| own.sym(scope) == first);
        (!is_itself).then_some(first)
    }

    /// `let zero: Big = Zero::zero()`: the function of the implementation for the type that the place expects, where
    /// that is what the function makes.
    fn of_expected(&mut self, row: &RawRef, base: ExprId) -> Option<SymRef> {
        let own = self.own;
        let Expr::Giving(_, expected) = own.whole_expr(row.args?) else { return None };
        let trait_name = own.last_name(base)?;
        if !self.may_be_trait(row.scope, base) {
            return None;
        }
        let ty = self.type_behind(own, row.scope, expected)?;
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        let members = self.implementing(ty, type_name, trait_name, own.hash(row.name));
        let member = match members[..] {
            [only] => only,
            // `let big: Big = From::from(1u8);`
            _ => self.converting(row.scope, row.args?, &members)?,
        };
        let mut made = self.result_of(Found { thing: Thing::Sym(member), imported: true });
        for _ in 0..3 {
            match made.what {
                What::Instance(sym) => return (sym == ty).then_some(member),
                What::InstanceOfApply(Some(sym), args) => {
                    // `Holder<Self>` is not what `Holder` itself makes.
                    let held = self.arguments[args.element as usize].what;
                    let holds_itself = matches!(held, What::Apply(Some(inner), _) if inner == ty);
                    return (sym == ty && !holds_itself).then_some(member);
                }
                What::InstanceOfApply(None, args) => {
                    let held = self.arguments[args.element as usize];
                    made = self.instance_of(held);
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether a path leads to a trait, or out of the repository.
    fn may_be_trait(&mut self, scope: ScopeId, path: ExprId) -> bool {
        match self.type_of(self.own, scope, path).map(|found| found.thing) {
            None | Some(Thing::External) => true,
            Some(Thing::Sym(sym)) => self.is_trait(sym),
            Some(_) => false,
        }
    }

    /// Whether a trait declares a method.
    fn is_of_trait(&self, method: SymRef) -> bool {
        let surface = self.world.surface(method.file);
        let parent = surface.symbols[method.index as usize].parent.symbol();
        parent.is_some_and(|index| surface.symbols[index].kind == SymbolKind::Trait)
    }

    /// The type of the repository that a value is of.
    fn type_behind(&mut self, at: &'w Surface, scope: ScopeId, value: ExprId) -> Option<SymRef> {
        let value = self.eval(at, scope, value);
        match value.what {
            What::Instance(ty) | What::InstanceOfApply(Some(ty), _) => Some(ty),
            What::Sym(ty) => Some(ty).filter(|_| self.type_of_argument(value) == value),
            _ => None,
        }
    }

    /// The members that implementations of a trait of this name give a type.
    fn implementing(
        &mut self,
        ty: SymRef,
        type_name: u64,
        trait_name: u64,
        name: u64,
    ) -> SmallVec<[SymRef; 2]> {
        let mut members = self.impl_members(ty, type_name, name);
        let world = self.world;
        members.retain(|member| {
            let surface = world.surface(member.file);
            let block = surface.symbols[member.index as usize].parent;
            let relation = surface.relations.iter().find(|relation| relation.owner == block);
            relation.is_some_and(|relation| surface.last_name(relation.to) == Some(trait_name))
        });
        members
    }

    /// `Vec::new()`: a function of a type that is there without an import comes from outside, unless a trait in scope
    /// gives the type one of that name.
    fn or_prelude(&mut self, row: &RawRef, base: ExprId, found: Option<Found>) -> Option<Found> {
        let (own, scope) = (self.own, row.scope);
        // `Vec::<u8>::new()`
        let base = if let Expr::Apply(generic, _) = own.expr(base) { generic } else { base };
        let (None, Expr::Name(ty)) = (found, own.expr(base)) else { return found };
        if !is_prelude(own.names.get(ty)) || self.type_of(own, scope, base).is_some() {
            return None;
        }
        let outside = Outside::named(own.hash(ty));
        let name = own.hash(row.name);
        let external = Some(Found { thing: Thing::External, imported: true });
        if outside.library_type().is_some_and(|ty| ty.has(name)) {
            return external;
        }
        let mut in_scope = SmallVec::<[SymRef; 2]>::new();
        for method in self.defs(Key::extensions(Family::Rust).part(name)) {
            if self.is_of_trait_in_scope(scope, method) {
                in_scope.push(method);
            }
        }
        match in_scope[..] {
            [] => external,
            [method] => {
                let sym = self.implementation(method, Some(outside))?;
                Some(Found { thing: Thing::Sym(sym), imported: sym.file != own.file })
            }
            _ => None,
        }
    }

    /// Whether an expression is a path, of which only a constant and a function are values. Types that are there
    /// without an import are not a path of the repository.
    fn is_path(&mut self, scope: ScopeId, base: ExprId) -> bool {
        let own = self.own;
        let mut root = base;
        while let Expr::Member(inner, _) = own.expr(root) {
            root = inner;
        }
        let Expr::Name(name) = own.expr(root) else { return false };
        if is_primitive(own.names.get(name)) {
            return root != base;
        }
        match self.thing_of(own, scope, base, Want::Any).map(|found| found.thing) {
            Some(Thing::Sym(sym)) => {
                let kind = self.world.surface(sym.file).symbols[sym.index as usize].kind;
                let is_value = kind.is_callable()
                    || matches!(
                        kind,
                        SymbolKind::Const | SymbolKind::Static | SymbolKind::Field | SymbolKind::Variant
                    );
                !is_value
            }
            _ => true,
        }
    }

    /// Whether a scope of the own file sees the trait that declares a method.
    fn is_of_trait_in_scope(&mut self, scope: ScopeId, method: SymRef) -> bool {
        let surface = self.world.surface(method.file);
        let Some(parent) = surface.symbols[method.index as usize].parent.symbol() else { return false };
        let (name, wanted) = (surface.symbols[parent].name, Some(Thing::Sym(surface.sym(parent))));
        if self.plain_name(scope, name, Want::Type).map(|found| found.thing) == wanted {
            return true;
        }
        // `use a::Trait as _;`
        let own = self.own;
        let renamed = own.imports.iter().filter(|import| import.symbol == Some(name));
        let renamed = renamed
            .filter(|import| import.binds != Some(name) && is_outside_of(own, import.raw.scope, scope));
        for import in renamed {
            if self.import(own, import, Want::Type, 0).map(|found| found.thing) == wanted {
                return true;
            }
        }
        false
    }

    /// The definition that a call of a trait's method runs: the one of the implementation for this type from outside,
    /// the only one there is, or what the trait itself says.
    fn implementation(&mut self, method: SymRef, outside: Option<Outside>) -> Option<SymRef> {
        let surface = self.world.surface(method.file);
        let symbol = surface.symbols[method.index as usize];
        let parent = symbol.parent.symbol()?;
        let declared = Thing::Sym(surface.sym(parent));
        let key = Key::extensions(Family::Rust).part(surface.symbols[parent].name).part(symbol.name);
        let mut found = SmallVec::<[(SymRef, usize); 4]>::new();
        for candidate in self.defs(key) {
            let at = self.world.surface(candidate.file);
            let Some(block) = at.symbols[candidate.index as usize].parent.symbol() else { continue };
            let owner = ScopeId::of_symbol(block);
            let relation = at.relations.iter().find(|relation| relation.owner == owner);
            let Some(relation) = relation else { continue };
            let is_of_trait =
                self.type_of(at, relation.scope, relation.to).is_some_and(|found| found.thing == declared);
            if is_of_trait && !at.symbols[candidate.index as usize].inactive {
                found.push((candidate, block));
            }
        }
        let is_for = |outside: Option<Outside>, (sym, block): &(SymRef, usize)| {
            outside.is_some_and(|outside| outside.is_of(self.world.surface(sym.file), *block))
        };
        // What a vector does not have itself it has from the slice that it holds.
        let behind = outside.and_then(Outside::dereferenced);
        let is_direct = found.iter().any(|candidate| is_for(outside, candidate));
        let meant = if is_direct { outside } else { behind };
        let mut named = found.iter().filter(|candidate| is_for(meant, candidate));
        match (named.next(), named.next(), found.as_slice()) {
            (Some((only, _)), None, _) => Some(*only),
            (Some(_), Some(_), _) => None,
            (None, _, []) => Some(method).filter(|_| !symbol.bodiless),
            (None, _, [(only, _)]) => Some(*only).filter(|_| symbol.bodiless),
            _ => None,
        }
    }
}

/// A call of a method, in the own file.
#[derive(Clone, Copy)]
struct Call {
    scope: ScopeId,
    base: ExprId,
    name: u64,
}

/// Whether what is written in a scope is seen in another one: that stands inside of it.
fn is_outside_of(at: &Surface, outer: ScopeId, inner: ScopeId) -> bool {
    let mut here = Some(inner);
    while let Some(scope) = here {
        if scope == outer {
            return true;
        }
        here = scope.symbol().map(|index| at.symbols[index].parent);
    }
    false
}
