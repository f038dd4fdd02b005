//! What calls give.

use super::infer::type_of_value;
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::rules::{self, GivenByStandard};
use super::surface::{Surface, SymRef};
use super::types::{EXTERNAL, GIVEN, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// What calling an expression gives.
    pub(super) fn call_result(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        if let Some(given) = self.result_of_instance(at, scope, callee) {
            return given;
        }
        let Some(found) = self.callee_of(at, scope, callee) else {
            return match at.family() {
                Family::Script => self.result_of_unnamed(at, scope, callee),
                Family::Python if let Some(given) = self.given_by_a_signature(at, scope, callee) => given,
                Family::Rust if let Some(made) = self.made_by_any(at, scope, callee) => made,
                _ if let Some(given) = self.given_by_trait(at, scope, callee, None) => given,
                _ => self.passed_on(at, scope, callee),
            };
        };
        let sym = match found.thing {
            Thing::Sym(sym) => sym,
            Thing::External if let Some(given) = self.given_by_trait(at, scope, callee, Some(found)) => {
                return given;
            }
            Thing::External => {
                let passed = match at.family() {
                    Family::Script => self.given_by_globals(at, scope, callee),
                    _ => self.passed_on(at, scope, callee),
                };
                return if passed == UNKNOWN { given_by(at, callee) } else { passed };
            }
            _ => return UNKNOWN,
        };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        if at.family() == Family::Go
            && let Some(value) = self.instantiated_otherwise(at, scope, callee, found)
        {
            return value;
        }
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Test
                if symbol.ty.is_some_and(|ty| is_this(surface, ty)) =>
            {
                self.receiver(at, scope, callee, surface, sym)
            }
            _ => {
                let result = self.result_of(found);
                self.instantiated(result, at, scope, callee, sym)
            }
        }
    }

    /// What calling a value gives of which only the type is written.
    fn result_of_instance(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Option<Val> {
        if let (Family::Python, Expr::Instance(_)) = (at.family(), at.expr(callee)) {
            let value = self.eval(at, scope, callee);
            return Some(self.result_of_calling(value));
        }
        // `InstanceType<X>`: what the class makes that `X` is the type of.
        if let (Family::Script, Expr::Instance(_)) = (at.family(), at.expr(callee))
            && let value @ Val { what: What::Sym(_) | What::Apply(Some(_), _), .. } =
                self.eval(at, scope, callee)
        {
            return Some(self.instance_of(value));
        }
        if let (Family::Native, Expr::Instance(_) | Expr::Call(_) | Expr::Element(_)) =
            (at.family(), at.expr(callee))
        {
            let value = self.eval(at, scope, callee);
            if let Some(given) = self.operated(value, "operator()") {
                return Some(given);
            }
        }
        if let (Family::Go, Expr::Instance(_) | Expr::Function(..)) = (at.family(), at.expr(callee)) {
            return Some(self.result_of_function(at, scope, callee));
        }
        None
    }

    /// `Rule::from(x)`, `price + 1`: whichever of several implementations of a trait is meant, all of them make the type,
    /// or give a value of one type.
    fn made_by_any(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Option<Val> {
        let Expr::Member(base, name) = at.expr(callee) else { return None };
        let base = self.eval(at, scope, base);
        let (What::Sym(ty) | What::Apply(Some(ty), _) | What::Instance(ty)) = base.what else { return None };
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        let members = self.impl_members(ty, type_name, at.hash(name));
        let makes_self = |sym: &SymRef| {
            let surface = self.world.surface(sym.file);
            let made = surface.symbols[sym.index as usize].ty;
            made.is_some_and(|made| is_this(surface, made))
        };
        if !matches!(base.what, What::Instance(_)) {
            let is_made = !members.is_empty() && members.iter().all(makes_self);
            return is_made.then(|| self.instance_of(base));
        }
        let mut given = members
            .into_iter()
            .map(|sym| self.result_of(Found { thing: Thing::Sym(sym), imported: base.imported }));
        let first = given.next().filter(|given| matches!(given.what, What::Instance(_)))?;
        given.all(|other| other.what == first.what).then_some(first)
    }

    /// Whether a function is called on a type that makes values of the type, whichever implementation is meant.
    pub(super) fn makes_type(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> bool {
        let Expr::Member(base, _) = at.expr(callee) else { return false };
        let is_type = matches!(self.eval(at, scope, base).what, What::Sym(_) | What::Apply(..));
        is_type && self.made_by_any(at, scope, callee).is_some()
    }

    /// What calling a value of Python gives: a class makes a value of its own.
    fn result_of_calling(&mut self, value: Val) -> Val {
        match value.what {
            What::Sym(_) | What::Apply(..) => self.instance_of(value),
            What::Union(first, count) => {
                let parts: SmallVec<[Val; 4]> =
                    self.parts(first, count).into_iter().map(|part| self.result_of_calling(part)).collect();
                self.one_of(&parts)
            }
            _ => self.result_of_call_method(value),
        }
    }

    /// What calling a value of a Python class gives: what its `__call__` does.
    pub(super) fn result_of_call_method(&mut self, value: Val) -> Val {
        let (What::Instance(ty) | What::InstanceOfApply(Some(ty), _)) = value.what else {
            return if value.what == What::External { GIVEN } else { UNKNOWN };
        };
        match self.member_of_type(ty, *names::CALL, Want::Callable) {
            Some(found) => {
                let result = self.result_of(found);
                self.seen_through(result, value)
            }
            None => UNKNOWN,
        }
    }

    /// What calling a named thing gives, whatever it is called on.
    pub(super) fn result_of(&mut self, found: Found) -> Val {
        let Thing::Sym(sym) = found.thing else { return UNKNOWN };
        let sym = self.declared_in_class(sym);
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match symbol.kind {
            kind if kind.is_type() => self.instance(found),
            SymbolKind::Constructor => match symbol.parent.symbol() {
                Some(owner) => Val { what: What::Instance(surface.sym(owner)), imported: found.imported },
                None => UNKNOWN,
            },
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Test => match symbol.ty {
                Some(ty) => {
                    let value = self.eval_open(surface, ScopeId::of_symbol(sym.index as usize), ty);
                    Val { imported: found.imported || value.imported, ..value }
                }
                None => UNKNOWN,
            },
            SymbolKind::Variant => self.value_of(found),
            SymbolKind::Const
            | SymbolKind::Static
            | SymbolKind::Variable
            | SymbolKind::Field
            | SymbolKind::Property => self.result_of_value(found, surface, sym),
            _ => UNKNOWN,
        }
    }

    /// The declaration in its class of a method of C++ that is defined outside: there the parameters of a template are
    /// known.
    fn declared_in_class(&mut self, sym: SymRef) -> SymRef {
        let world = self.world;
        let fact = |sym: SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let symbol = fact(sym);
        let is_outside = symbol.owner.is_some() && symbol.kind == SymbolKind::Method;
        if !is_outside || world.surface(sym.file).family() != Family::Native {
            return sym;
        }
        let is_inside = |other: &SymRef| fact(*other).owner.is_none();
        let same = self.siblings(sym).into_iter().filter(is_inside);
        let mut same = same.filter(|other| self.are_one([sym, *other].into_iter()));
        same.next().unwrap_or(sym)
    }

    /// A method that returns `Self` gives what it was called on.
    fn receiver(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        surface: &'w Surface,
        sym: SymRef,
    ) -> Val {
        if let Expr::Member(base, _) = at.expr(callee) {
            let base = self.eval(at, scope, base);
            match base.what {
                What::Instance(_) | What::InstanceOfApply(..) => return base,
                What::Apply(..) => return self.instance_of(base),
                What::Sym(_) if let Some(value) = self.made_by(at, scope, callee, sym) => {
                    return Val { imported: base.imported || value.imported, ..value };
                }
                What::Sym(ty) => {
                    return self.instance(Found { thing: Thing::Sym(ty), imported: base.imported });
                }
                _ => {}
            }
        }
        let this = self.this_type(surface, ScopeId::of_symbol(sym.index as usize));
        this.map_or(UNKNOWN, |found| self.instance(found))
    }

    /// `pointer.get()`, `items.front()`: methods of smart pointers and containers of C++.
    fn given_by_standard(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Expr::Member(base, name) = at.expr(callee) else { return UNKNOWN };
        let Some(given) = rules::given_by_standard(at.names.get(name)) else { return UNKNOWN };
        let value = self.eval(at, scope, base);
        match (given, value.what) {
            (GivenByStandard::Itself, What::Instance(_) | What::InstanceOfApply(Some(_), _)) => value,
            (GivenByStandard::Element, What::InstanceOfApply(None, args)) => {
                let element = self.arguments[args.element as usize];
                self.instance_of(element)
            }
            _ => UNKNOWN,
        }
    }

    /// `x.clone()`, `x.unwrap()`: methods of the standard library that hand on what they were called on.
    pub(super) fn passed_through(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        if let (Family::Python, Expr::Member(base, name)) = (at.family(), at.expr(callee)) {
            return self.out_of_collection(at, scope, base, at.names.get(name));
        }
        if at.family() == Family::Native {
            return self.given_by_standard(at, scope, callee);
        }
        if at.family() != Family::Rust {
            return UNKNOWN;
        }
        if let Some(held) = self.held_by_outside(at, scope, callee) {
            return held;
        }
        let Expr::Member(base, name) = at.expr(callee) else { return UNKNOWN };
        let name = at.names.get(name);
        if name == "await" {
            let value = self.eval(at, scope, base);
            return self.awaited(value);
        }
        if matches!(name, "unwrap_err" | "expect_err") {
            let value = self.eval(at, scope, base);
            return self.error_of(value);
        }
        if name == "err" {
            let value = self.eval(at, scope, base);
            return self.option_of_error(value);
        }
        if let Some(ty) = written_result(at, callee) {
            let ty = self.eval_type(at, scope, ty);
            return self.instance_of(ty);
        }
        let Some(unwraps) = rules::passes_through(name) else { return UNKNOWN };
        let value = self.eval(at, scope, base);
        match (unwraps, value.what) {
            (false, What::Instance(sym) | What::InstanceOfApply(Some(sym), _)) if rules::is_adapter(name) => {
                let item = self.associated(sym, *names::ITEM, value);
                let item = type_of_value(item);
                let args = self.args(item, &[item]);
                Val { what: What::InstanceOfApply(None, args), imported: value.imported }
            }
            (false, _) => value,
            (true, What::InstanceOfApply(_, args)) => {
                let element = self.arguments[args.element as usize];
                self.instance_of(element)
            }
            _ => UNKNOWN,
        }
    }
}

pub(super) fn is_this(surface: &Surface, ty: ExprId) -> bool {
    match surface.expr(ty) {
        Expr::This => true,
        Expr::Instance(inner) => surface.expr(inner) == Expr::This,
        _ => false,
    }
}

/// The type that is written at a call of Rust which gives a value of it: `items.collect::<Set>()`.
pub(super) fn written_result(at: &Surface, callee: ExprId) -> Option<ExprId> {
    let Expr::Member(_, name) = at.expr(callee) else { return None };
    let mut rest = callee;
    while rules::gives_written_type(at.names.get(name)) {
        rest = match at.whole_expr(rest) {
            Expr::With(inner, _) | Expr::Giving(inner, _) => inner,
            Expr::Generic(_, types) => return at.items(types).next(),
            _ => return None,
        };
    }
    None
}

/// What a call of something outside the repository gives. A class is told by its name in all languages: calling it
/// makes one of its own.
fn given_by(at: &Surface, callee: ExprId) -> Val {
    let name = match at.whole_expr(callee) {
        Expr::With(named, _) | Expr::Giving(named, _) => at.whole_expr(named),
        expr => expr,
    };
    match name {
        Expr::Name(name) | Expr::Member(_, name) if at.names.get(name).starts_with(char::is_uppercase) => {
            EXTERNAL
        }
        _ => GIVEN,
    }
}
