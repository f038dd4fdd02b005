//! What the `impl` blocks of Rust and constructors from outside tell of type arguments.

use super::generics::{Bindings, Parameter};
use super::infer::type_of_value;
use super::key::{Key, hash_name};
use super::lookup::{Found, Resolver, Thing, Want};
use super::members::MAX_SUPERS;
use super::rules;
use super::suits::declared;
use super::surface::{Surface, SymFact, SymRef};
use super::types::{Args, MAX_DEPTH, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

/// How many pointers stand in each other, at most.
const MAX_POINTERS: u32 = 3;

impl<'w, W: World> Resolver<'w, W> {
    /// Leaves what a type has itself, if there is something: it comes before what its traits give.
    pub(super) fn leave_inherent(&self, members: &mut SmallVec<[SymRef; 2]>) {
        let world = self.world;
        let is_inherent = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            let block = surface.symbols[sym.index as usize].parent;
            surface.relations.iter().all(|relation| relation.owner != block)
        };
        // A private one is not seen outside of its module, and what a trait gives is meant there.
        let is_seen = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            surface.symbols[sym.index as usize].exported
                || self.own.module_parts.starts_with(&surface.module_parts)
                || !is_inherent(sym)
        };
        if members.len() > 1 && members.iter().any(is_seen) {
            members.retain(|sym| is_seen(sym));
        }
        if members.iter().any(is_inherent) {
            members.retain(|sym| is_inherent(sym));
        }
    }

    /// The members of a name in the `impl` blocks of this very type.
    pub(super) fn impl_members(&mut self, ty: SymRef, type_name: u64, name: u64) -> SmallVec<[SymRef; 2]> {
        let mut suitable: SmallVec<[SymRef; 2]> = SmallVec::new();
        for type_name in self.names_of_type(type_name) {
            for candidate in self.defs(Key::impl_of(type_name).part(name)) {
                let surface = self.world.surface(candidate.file);
                let Some(block) = surface.symbols[candidate.index as usize].parent.symbol() else { continue };
                if self.impl_type(surface, block) == Some(ty) {
                    suitable.push(candidate);
                }
            }
        }
        suitable
    }

    /// The short names that `impl` blocks of a type may be written for: its own, then those of its aliases.
    pub(super) fn names_of_type(&mut self, type_name: u64) -> SmallVec<[u64; 2]> {
        let mut names: SmallVec<[u64; 2]> = SmallVec::from_slice(&[type_name]);
        for alias in self.defs(Key::aliases_of(type_name)) {
            let name = self.world.surface(alias.file).symbols[alias.index as usize].name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether members come from several `impl`s of one trait, `From<A>` and `From<B>`, of which the arguments
    /// choose one.
    pub(super) fn is_one_of_many(&self, members: &[SymRef]) -> bool {
        let world = self.world;
        let trait_of = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            let symbol = surface.symbols[sym.index as usize];
            let relation = surface.relations.iter().find(|relation| relation.owner == symbol.parent);
            relation.filter(|_| symbol.kind.is_callable()).map(|it| surface.last_name(it.to))
        };
        let is_active = |sym: &&SymRef| !world.surface(sym.file).symbols[sym.index as usize].inactive;
        let mut traits = members.iter().filter(is_active).map(trait_of);
        let first = traits.next().flatten();
        let mut others = traits.peekable();
        first.is_some() && others.peek().is_some() && others.all(|other| other == first)
    }

    /// The type an `impl` block is for.
    pub(super) fn impl_type(&mut self, surface: &'w Surface, block: usize) -> Option<SymRef> {
        let sym = surface.sym(block);
        if let Some(known) = self.impl_types.get(&sym) {
            return *known;
        }
        let symbol = surface.symbols[block];
        let found = symbol.ty.and_then(|ty| self.type_of(surface, symbol.parent, ty));
        let mut ty = match found.map(|found| found.thing) {
            Some(Thing::Sym(sym)) => Some(sym),
            _ => None,
        };
        for _ in 0..MAX_SUPERS {
            let Some(alias) = ty.filter(|_| surface.family() == Family::Rust) else { break };
            let at = self.world.surface(alias.file);
            let SymFact { kind: SymbolKind::TypeAlias, ty: Some(aliased), parent, .. } =
                at.symbols[alias.index as usize]
            else {
                break;
            };
            match self.type_of(at, parent, aliased).map(|found| found.thing) {
                Some(Thing::Sym(sym)) => ty = Some(sym),
                _ => break,
            }
        }
        self.impl_types.insert(sym, ty);
        ty
    }

    /// `result.err()`: an option of the error.
    pub(super) fn option_of_error(&mut self, value: Val) -> Val {
        let error = self.error_of(value);
        let error = type_of_value(error);
        if error.what == What::Unknown {
            return UNKNOWN;
        }
        let args = self.args(error, &[error]);
        Val { what: What::InstanceOfApply(None, args), imported: value.imported }
    }

    /// What a result of both types holds where it failed.
    pub(super) fn error_of(&mut self, value: Val) -> Val {
        let What::InstanceOfApply(None, args) = value.what else { return UNKNOWN };
        if args.count != 2 {
            return UNKNOWN;
        }
        let error = self.arguments[args.element as usize + 2];
        self.instance_of(error)
    }

    /// The type of a value that is handed on; a unit struct of Rust is a value by its name.
    pub(super) fn type_of_argument(&self, value: Val) -> Val {
        match value.what {
            What::Sym(sym) => {
                let surface = self.world.surface(sym.file);
                let is_unit = surface.family() == Family::Rust
                    && surface.symbols[sym.index as usize].kind == SymbolKind::Struct;
                if is_unit { value } else { UNKNOWN }
            }
            _ => type_of_value(value),
        }
    }

    /// `Self` of a generic `impl` block of Rust, with the parameters of the block as arguments.
    pub(super) fn open_self(&mut self, at: &'w Surface, scope: ScopeId) -> Option<Val> {
        if at.family() != Family::Rust {
            return None;
        }
        let mut outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
        let index = outer.find(|index| at.symbols[*index].kind == SymbolKind::Impl)?;
        let block = at.symbols[index];
        let ty = block.ty?;
        if block.type_params.is_none() && !matches!(at.expr(ty), Expr::Tuple(_)) {
            return None;
        }
        let this = self.eval_open_type(at, ScopeId::of_symbol(index), ty);
        matches!(this.what, What::Apply(Some(_), _) | What::Tuple(..)).then_some(this)
    }

    /// What `Self::name` means where the type of the block has nothing of that name in sight.
    pub(super) fn of_self(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        this: Val,
        (name, want): (u64, Want),
        found: Option<Found>,
    ) -> Option<Found> {
        if !matches!(found, None | Some(Found { thing: Thing::External, .. })) {
            return found;
        }
        // A type from outside has the types that the block says; methods it may have of its own.
        let mut outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
        let block = outer.find(|index| at.symbols[*index].kind == SymbolKind::Impl);
        let own = block.and_then(|block| declared(at, ScopeId::of_symbol(block), name, want));
        if let Some(index) = own.filter(|index| at.symbols[*index].kind == SymbolKind::TypeAlias) {
            return Some(Found { thing: Thing::Sym(at.sym(index)), imported: false });
        }
        // `Self::new` that is handed on: a field of that name is not there.
        if want == Want::Any && found.is_none() {
            return self.member_of_value(this, name, Want::Callable, at);
        }
        found
    }

    /// The struct or variant that a pattern names, with the type arguments of the value that it is compared with.
    pub(super) fn matched_type(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        named: ExprId,
        value: ExprId,
    ) -> Val {
        let ty = self.eval_open_type(at, scope, named);
        let (What::Sym(sym), Some(value)) = (ty.what, at.items(value).next()) else { return ty };
        match self.eval(at, scope, value).what {
            What::InstanceOfApply(Some(whole), args) if self.is_part_of(sym, whole) => {
                Val { what: What::Apply(Some(sym), args), ..ty }
            }
            _ => ty,
        }
    }

    /// Whether a type is another one, or one of its variants.
    pub(super) fn is_part_of(&self, sym: SymRef, whole: SymRef) -> bool {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let is_variant = symbol.kind == SymbolKind::Variant;
        sym == whole || is_variant && symbol.parent.symbol().is_some_and(|index| surface.sym(index) == whole)
    }

    /// What a function of an `impl` block that gives `Self` makes: the type with what its arguments tell of the
    /// parameters of the block.
    pub(super) fn made_by(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        sym: SymRef,
    ) -> Option<Val> {
        let surface = self.world.surface(sym.file);
        let this = self.open_self(surface, ScopeId::of_symbol(sym.index as usize))?;
        let value = self.instance_of(this);
        Some(self.instantiated(value, at, scope, callee, sym))
    }

    /// A value of a type parameter for which only the `where` clause of the function at hand says what it has.
    pub(super) fn bounded_here(&mut self, at: &'w Surface, scope: ScopeId, value: Val) -> Option<Val> {
        let (What::InstanceOfParam(number) | What::Param(number)) = value.what else { return None };
        let Parameter { owner, index, bound } = self.parameters[number as usize];
        if at.family() != Family::Rust || owner.file != at.file || bound.what != What::Unknown {
            return None;
        }
        let declared = at.symbols[owner.index as usize].type_params?;
        let Expr::Parameter(name, _) = at.whole_expr(at.items(declared).nth(index as usize)?) else {
            return None;
        };
        let outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
        for function in outer.take_while(|index| *index != owner.index as usize) {
            let Some(bounds) = at.symbols[function].receiver else { continue };
            for item in at.items(bounds) {
                if let Expr::Parameter(bounded, bound) = at.whole_expr(item)
                    && bounded == name
                {
                    let bound = self.eval_type(at, ScopeId::of_symbol(function), bound);
                    let is_type = matches!(value.what, What::Param(_));
                    return Some(if is_type { bound } else { self.instance_of(bound) });
                }
            }
        }
        None
    }

    /// `attempt!(x)`: a macro of the repository that gives what its argument holds.
    fn unwrapped_by_macro(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        args: ExprId,
    ) -> Option<Val> {
        let Expr::Name(name) = at.expr(callee) else { return None };
        let name = at.names.get(name).strip_suffix('!')?;
        let found = self.lexical(at, scope, hash_name(name), Want::Macro)?;
        let Thing::Sym(sym) = found.thing else { return None };
        let surface = self.world.surface(sym.file);
        let ty = surface.symbols[sym.index as usize].ty?;
        let Expr::Element(_) = surface.expr(ty) else { return None };
        let value = self.eval(at, scope, at.items(args).next()?);
        let What::InstanceOfApply(_, args) = value.what else { return None };
        let held = self.arguments[args.element as usize];
        Some(self.instance_of(held))
    }

    /// `Some(x)`, `Mutex::new(x)`: what a constructor from outside makes holds what it is given.
    pub(super) fn held_by_outside(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Option<Val> {
        let Expr::With(inner, args) = at.whole_expr(callee) else { return None };
        if let Some(unwrapped) = self.unwrapped_by_macro(at, scope, inner, args) {
            return Some(unwrapped);
        }
        let is_constructor = match at.expr(inner) {
            Expr::Name(name) => matches!(at.names.get(name), "Some" | "Ok"),
            Expr::Member(ty, name) => {
                at.names.get(name) == "new" && self.eval(at, scope, ty).what == What::External
            }
            _ => false,
        };
        let arg = at.items(args).next().filter(|_| is_constructor && at.items(args).count() == 1)?;
        let value = self.eval(at, scope, arg);
        let held = self.type_of_argument(value);
        if matches!(held.what, What::Unknown | What::External) {
            return None;
        }
        let args = self.args(held, &[held]);
        Some(Val { what: What::InstanceOfApply(None, args), imported: value.imported })
    }

    /// A pointer from outside has the methods of what it points to.
    pub(super) fn through_pointer(&mut self, args: Args, name: u64, at: &'w Surface) -> Option<Found> {
        // The bounds of a parameter may name it: `T: Add<T> + Mul<T>` leads back to itself by many ways.
        if rules::is_library_method(name) || self.depth >= MAX_DEPTH || self.pointers >= MAX_POINTERS {
            return None;
        }
        self.depth += 1;
        self.pointers += 1;
        let held = self.arguments[args.element as usize];
        let held = self.instance_of(held);
        let found = self.member_of_value(held, name, Want::Callable, at);
        self.pointers -= 1;
        self.depth -= 1;
        found.filter(|found| found.thing != Thing::External)
    }
}

/// A function that is called on its type says by its arguments what stands for the parameters of its block.
pub(super) fn open_block(surface: &Surface, sym: SymRef, bindings: &mut Bindings) {
    let parent = surface.symbols[sym.index as usize].parent.symbol();
    let block = parent.filter(|index| surface.symbols[*index].kind == SymbolKind::Impl);
    let Some(index) = block.filter(|_| matches!(bindings.receiver.what, What::Sym(_))) else { return };
    if let Some(list) = surface.symbols[index].type_params {
        let count = surface.items(list).count();
        bindings.block = Some((surface.sym(index), SmallVec::from_elem(UNKNOWN, count)));
    }
}
