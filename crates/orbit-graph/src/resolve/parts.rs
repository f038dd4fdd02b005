//! What a part of a value is: of a tuple, of what a constructor holds, of a variable that is called, of the
//! types that a Rust type names in its traits.

use super::key::Key;
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::surface::{Surface, SymRef};
use super::types::{GIVEN, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};

impl<'w, W: World> Resolver<'w, W> {
    /// The tuple type with these parts.
    pub(super) fn tuple(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId) -> Val {
        let parts: Vec<Val> = at.items(list).map(|part| self.eval_open_type(at, scope, part)).collect();
        let first = self.arguments.len() as u32;
        self.arguments.extend(&parts);
        Val { what: What::Tuple(first, parts.len() as u32), imported: false }
    }

    /// One element of a collection, what an iterator yields, what a promise holds.
    pub(super) fn element(&mut self, at: &'w Surface, scope: ScopeId, whole: ExprId) -> Val {
        let value = self.eval(at, scope, whole);
        if let Some(given) = self.subscripted(at, scope, whole, value) {
            return given;
        }
        match value {
            value if at.family() == Family::Go => self.kept(value),
            value @ Val {
                what: What::Sym(_) | What::Instance(_) | What::InstanceOfApply(Some(_), _), ..
            } if at.family() == Family::Python => self.subscript(value),
            Val { what: What::InstanceOfApply(_, args), .. } => {
                let element = self.arguments[args.element as usize];
                self.instance_of(element)
            }
            Val { what: What::External, .. } => GIVEN,
            // `await import('m')` is the module.
            value @ Val { what: What::Module(_), .. } if at.family() == Family::Script => value,
            // Pointers are dropped, so indexing one gives what it points to.
            value @ Val { what: What::Instance(_), .. } if at.family() == Family::Native => value,
            value @ Val { what: What::Instance(sym), .. } if at.family() == Family::Rust => {
                self.associated(sym, *names::ITEM, value)
            }
            _ => UNKNOWN,
        }
    }

    /// The part of a tuple, or of what a tuple struct or variant holds, at a place.
    pub(super) fn position(&mut self, at: &'w Surface, scope: ScopeId, whole: ExprId, place: usize) -> Val {
        if matches!(at.expr(whole), Expr::Name(_) | Expr::Member(..))
            && let Some(found) = self.thing_of(at, scope, whole, Want::Any)
            && let Thing::Sym(sym) = found.thing
            && let Some(part) = {
                let whole = self.compared_with(at, scope, whole);
                self.declared_part(sym, place, Val { imported: found.imported, ..whole })
            }
        {
            return part;
        }
        let value = self.eval(at, scope, whole);
        match value.what {
            What::InstanceOfTuple(first, count) if place < count as usize => {
                let part = self.arguments[first as usize + place];
                self.instance_of(part)
            }
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => {
                self.declared_part(sym, place, value).unwrap_or(UNKNOWN)
            }
            What::InstanceOfApply(None, args) if at.family() == Family::Script => self.held(args, false),
            // What goes through a dictionary gets its keys.
            What::InstanceOfApply(None, args) if at.family() == Family::Python && args.count == 1 => {
                let element = self.arguments[args.element as usize];
                self.instance_of(element)
            }
            What::External => GIVEN,
            _ => UNKNOWN,
        }
    }

    /// The value that a pattern of Rust is compared with.
    fn compared_with(&mut self, at: &'w Surface, scope: ScopeId, pattern: ExprId) -> Val {
        match at.whole_expr(pattern) {
            Expr::With(_, value) => {
                at.items(value).next().map_or(UNKNOWN, |value| self.eval(at, scope, value))
            }
            _ => UNKNOWN,
        }
    }

    /// What a struct or variant declares at a place, with what is open in it told by `whole`.
    fn declared_part(&mut self, sym: SymRef, place: usize, whole: Val) -> Option<Val> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        if !matches!(symbol.kind, SymbolKind::Struct | SymbolKind::Variant) {
            return None;
        }
        let ty = surface.items(symbol.params?).nth(place)?;
        let ty = self.eval_open_type(surface, ScopeId::of_symbol(sym.index as usize), ty);
        let value = self.instance_of(ty);
        let value = self.seen_through(value, whole);
        Some(Val { imported: whole.imported || value.imported, ..value })
    }

    /// What calling the function gives that a variable, field or property holds.
    pub(super) fn result_of_value(&mut self, found: Found, surface: &'w Surface, sym: SymRef) -> Val {
        let symbol = surface.symbols[sym.index as usize];
        if let Some(ty) = symbol.ty
            && let Expr::Returns(result) | Expr::Function(_, result) = surface.expr(ty)
        {
            let value = match surface.family() {
                // What is open in it is told by what the field is read from.
                Family::Go => self.eval_open(surface, symbol.parent, result),
                _ => self.eval(surface, symbol.parent, result),
            };
            return Val { imported: found.imported || value.imported, ..value };
        }
        let value = self.value_of(found);
        match value.what {
            // An attribute of Ruby is called to be read.
            _ if surface.family() == Family::Ruby => value,
            What::Sym(callee) if callee != sym => {
                let callee = Found { thing: Thing::Sym(callee), imported: value.imported };
                self.result_of(callee)
            }
            What::Instance(_) if surface.family() == Family::Python => self.result_of_call_method(value),
            _ if surface.family() == Family::Native => self.operated(value, "operator()").unwrap_or(UNKNOWN),
            What::External => GIVEN,
            _ if matches!(surface.family(), Family::Script | Family::Go) => self.result_of_callable(value),
            _ => UNKNOWN,
        }
    }

    /// What the name of a decorated function means: what the outermost of its decorators that says so gives,
    /// else the function. Overloads of a decorator must agree.
    pub(super) fn decorated(
        &mut self,
        function: Found,
        at: &'w Surface,
        scope: ScopeId,
        decorators: ExprId,
    ) -> Val {
        let imported = function.imported;
        let exprs: Vec<ExprId> = at.items(decorators).collect();
        for decorator in exprs {
            let callee = if let Expr::Call(callee) = at.expr(decorator) { callee } else { decorator };
            let found = self.thing_of(at, scope, callee, Want::Callable);
            let Some(Found { thing: Thing::Sym(callee), imported: by_import }) = found else { continue };
            if let Some(value) = self.agreed_result(callee) {
                return Val { imported: imported || by_import || value.imported, ..value };
            }
        }
        match function.thing {
            Thing::Sym(sym) => Val { what: What::Sym(sym), imported },
            _ => UNKNOWN,
        }
    }

    /// The one type of the repository that the overloads of a function give, at once or when what they give
    /// is called.
    fn agreed_result(&mut self, callee: SymRef) -> Option<Val> {
        let mut agreed: Option<Val> = None;
        for sym in self.siblings(callee) {
            let surface = self.world.surface(sym.file);
            let Some(ty) = surface.symbols[sym.index as usize].ty else { continue };
            let ty = if let Expr::Returns(result) = surface.expr(ty) { result } else { ty };
            let value = self.eval(surface, ScopeId::of_symbol(sym.index as usize), ty);
            match (value.what, agreed) {
                (What::Instance(ty), Some(Val { what: What::Instance(before), .. })) if ty != before => {
                    return None;
                }
                (What::Instance(_), _) => agreed = Some(value),
                _ => {}
            }
        }
        agreed
    }

    /// What `.await` gives: the output of a type that is or becomes a future. Results of `async` functions and
    /// boxed futures are known by what they give in the end.
    pub(super) fn awaited(&mut self, value: Val) -> Val {
        let (What::Instance(ty) | What::InstanceOfApply(Some(ty), _)) = value.what else { return value };
        let Some(output) = self.future_member(ty, *names::OUTPUT) else { return value };
        let surface = self.world.surface(output.file);
        let symbol = surface.symbols[output.index as usize];
        let Some(aliased) = symbol.ty else { return value };
        let output = self.eval_open_type(surface, symbol.parent, aliased);
        let output = self.instance_of(output);
        let output = self.seen_through(output, value);
        Val { imported: value.imported || output.imported, ..output }
    }

    /// The function that `.await` runs: `poll` of the future that a value is or becomes.
    pub(crate) fn polled(&mut self, at: &'w Surface, scope: ScopeId, future: ExprId) -> Option<Found> {
        let mut value = self.eval(at, scope, future);
        for _ in 0..2 {
            let (What::Instance(ty) | What::InstanceOfApply(Some(ty), _)) = value.what else { return None };
            if let Some(poll) = self.future_member(ty, *names::POLL) {
                return Some(Found { thing: Thing::Sym(poll), imported: value.imported });
            }
            value = self.associated(ty, *names::INTO_FUTURE, value);
        }
        None
    }

    /// A member of the `impl` block that makes a type a future, or something that becomes one.
    fn future_member(&mut self, ty: SymRef, name: u64) -> Option<SymRef> {
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        self.defs(Key::impl_of(type_name).part(name)).into_iter().find(|candidate| {
            let surface = self.world.surface(candidate.file);
            let Some(block) = surface.symbols[candidate.index as usize].parent.symbol() else { return false };
            let owner = ScopeId::of_symbol(block);
            let is_future = |name| name == *names::FUTURE || name == *names::INTO_FUTURE;
            let mut traits = surface.relations.iter().filter(|relation| relation.owner == owner);
            traits.any(|relation| surface.last_name(relation.to).is_some_and(is_future))
                && self.impl_type(surface, block) == Some(ty)
        })
    }

    /// A value of the type that an `impl` block of a Rust type gives this name: `type Item = …`. What is open in
    /// it is told by the value whose type it is.
    pub(super) fn associated(&mut self, ty: SymRef, name: u64, value: Val) -> Val {
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        for candidate in self.defs(Key::impl_of(type_name).part(name)) {
            let surface = self.world.surface(candidate.file);
            let symbol = surface.symbols[candidate.index as usize];
            let (Some(block), Some(aliased)) = (symbol.parent.symbol(), symbol.ty) else { continue };
            if symbol.kind == SymbolKind::TypeAlias && self.impl_type(surface, block) == Some(ty) {
                let aliased = self.eval_open_type(surface, symbol.parent, aliased);
                let found = self.instance_of(aliased);
                let found = self.seen_through(found, value);
                return Val { imported: value.imported || found.imported, ..found };
            }
        }
        UNKNOWN
    }

    /// What a value of a generic type dereferences to.
    pub(super) fn dereferenced(&mut self, value: Val) -> Option<Val> {
        let What::InstanceOfApply(Some(ty), _) = value.what else { return None };
        let target = self.associated(ty, *names::TARGET, value);
        let is_same = matches!(target.what, What::Unknown | What::External) || target.what == value.what;
        (!is_same).then_some(target)
    }
}
