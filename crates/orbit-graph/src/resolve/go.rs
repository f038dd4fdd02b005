//! Go: what named types are made of, what loops go through, members of types without a name, and what generic
//! functions of the library give.

mod inference;

use super::generics::{Bindings, MAX_NESTING};
use super::infer::type_of_value;
use super::lookup::{Found, Resolver, Thing, Want};
use super::rules::{self, GoGives};
use super::surface::{Surface, SymRef};
use super::types::{Args, EXTERNAL, GIVEN, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ImportKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// A value as what its type is made of: `type Items []Item` is a slice, `type Make func() Item` a function.
    pub(super) fn underlying(&mut self, value: Val) -> Val {
        let mut value = value;
        for _ in 0..MAX_NESTING {
            let (What::Instance(sym) | What::InstanceOfApply(Some(sym), _)) = value.what else { break };
            let Some(ty) = self.made_of(sym, value) else { break };
            let next = self.instance_of(ty);
            value = Val { imported: value.imported || next.imported, ..next };
        }
        value
    }

    /// What a defined type is made of, as a type; `None` for structs and interfaces.
    pub(super) fn made_of(&mut self, sym: SymRef, receiver: Val) -> Option<Val> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let is_defined = surface.family() == Family::Go && symbol.kind == SymbolKind::TypeAlias;
        let ty = symbol.ty.filter(|_| is_defined)?;
        let ty = self.eval_head(surface, symbol.parent, sym, ty);
        Some(self.put_in(ty, &Bindings::of(receiver), 0))
    }

    /// A value of a generic type with its arguments, that holds what it is made of.
    pub(super) fn instance_of_defined(&mut self, sym: SymRef, args: Args, imported: bool) -> Option<Val> {
        let ty = Val { what: What::Apply(Some(sym), args), imported };
        let made_of = self.made_of(sym, ty)?;
        let args = match made_of.what {
            What::Apply(_, inner) => {
                let element = self.arguments[inner.element as usize];
                let all = self.all_args(args);
                self.args(element, &all)
            }
            _ => args,
        };
        Some(Val { what: What::InstanceOfApply(Some(sym), args), imported })
    }

    /// The package that a file imports without a name of its own for it, by the name that the package declares.
    pub(super) fn package_called(&mut self, at: &'w Surface, name: u64) -> Option<Found> {
        let imports = at.imports.iter().filter(|import| import.raw.kind == ImportKind::Module);
        let unnamed = imports.filter(|import| {
            let (path, binds) = (at.names.get(import.raw.module), import.raw.binds);
            let ends = path.rsplit('/').take(2);
            binds.is_some_and(|binds| ends.into_iter().any(|part| part.starts_with(at.names.get(binds))))
        });
        let mut packages = unnamed.flat_map(|import| import.targets.iter().copied());
        let package =
            packages.find(|package| !self.modules(rules::named_package(*package, name)).is_empty())?;
        Some(Found { thing: Thing::Module(package), imported: true })
    }

    // ── loops and elements ──────────────────────────────────────────────────────────────────────────

    /// What is kept under a key, what a channel carries, what an iterator gives second.
    pub(super) fn kept(&mut self, value: Val) -> Val {
        let value = self.underlying(value);
        match value.what {
            What::InstanceOfApply(None, args) => {
                let element = self.arguments[args.element as usize];
                self.instance_of(element)
            }
            What::Callable(_) | What::Sym(_) => self.yielded(value, 1),
            What::External => GIVEN,
            _ => UNKNOWN,
        }
    }

    /// What `range` gives first: the keys of what has some, else what is given one by one.
    pub(super) fn ranged(&mut self, value: Val) -> Val {
        let value = self.underlying(value);
        match value.what {
            What::InstanceOfApply(None, args) => {
                let first = self.all_args(args).first().copied().filter(|_| args.count == 2);
                let first = first.unwrap_or(self.arguments[args.element as usize]);
                self.instance_of(first)
            }
            What::Callable(_) | What::Sym(_) => self.yielded(value, 0),
            What::External => GIVEN,
            _ => UNKNOWN,
        }
    }

    /// `func(yield func(K, V) bool)`: what an iterator gives.
    fn yielded(&mut self, iterator: Val, place: usize) -> Val {
        let given = |resolver: &mut Self, function: Val, place: usize| {
            let signatures = resolver.signatures_of(function, 0);
            match signatures[..] {
                [signature] => resolver.parameter_of(&signature, place),
                _ => UNKNOWN,
            }
        };
        let takes = given(self, iterator, 0);
        given(self, takes, place)
    }

    /// A key of a literal, `Table{First: x}`, whose type is named: what the name means, where the type has no fields.
    pub(super) fn key_of_literal(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        base: ExprId,
        value: Val,
        (name, want): (u64, Want),
    ) -> Option<Found> {
        if !matches!(at.whole_expr(base), Expr::With(..)) || at.file != self.own_file() {
            return None;
        }
        let value = self.underlying(value);
        if !matches!(value.what, What::InstanceOfApply(None, _) | What::External) {
            return None;
        }
        self.plain_name(scope, name, want)
    }

    // ── calls ───────────────────────────────────────────────────────────────────────────────────────

    /// What calling a value gives that no name of the repository is: a parameter, an element, the result of a call.
    pub(super) fn result_of_function(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let value = self.eval_open(at, scope, callee);
        if value.what == What::External { GIVEN } else { self.result_of_callable(value) }
    }

    /// What a call with type arguments gives that is a conversion, or a call of an element, in truth.
    pub(super) fn instantiated_otherwise(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        found: Found,
    ) -> Option<Val> {
        let Thing::Sym(sym) = found.thing else { return None };
        let written = written_types(at, callee)?;
        let kind = self.world.surface(sym.file).symbols[sym.index as usize].kind;
        if kind.is_type() {
            let all: SmallVec<[Val; 4]> =
                at.items(written).map(|ty| self.eval_open_type(at, scope, ty)).collect();
            let args = self.args(*all.last()?, &all);
            return Some(
                self.instance_of(Val { what: What::Apply(Some(sym), args), imported: found.imported }),
            );
        }
        if kind.is_callable() {
            return None;
        }
        let whole = self.eval_open(at, scope, callee);
        let function = self.kept(whole);
        Some(self.result_of_callable(function))
    }

    /// What a generic function or type of the library gives.
    pub(super) fn given_by_go_library(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Expr::Member(base, name) = at.expr(callee) else {
            return if let Expr::Name(_) = at.expr(callee) {
                UNKNOWN
            } else {
                self.result_of_function(at, scope, callee)
            };
        };
        let function = at.names.get(name);
        let package = match at.expr(base) {
            Expr::Name(package) => at
                .imports
                .iter()
                .find(|import| import.raw.binds == Some(package))
                .map(|import| import.raw.module),
            _ => None,
        };
        let Some(package) = package else {
            let value = self.eval(at, scope, base);
            return match value.what {
                What::InstanceOfApply(None, args) if rules::is_load_of_pointer(function) => {
                    let element = self.arguments[args.element as usize];
                    if args.count == 1 { self.instance_of(element) } else { UNKNOWN }
                }
                _ => UNKNOWN,
            };
        };
        let made = rules::go_gives(at.names.get(package), function);
        let (Some(made), Expr::With(_, given)) = (made, at.whole_expr(callee)) else { return UNKNOWN };
        let Some(first) = at.items(given).next() else { return UNKNOWN };
        let first = self.eval_open(at, scope, first);
        match made {
            GoGives::Same => first,
            GoGives::Kept => self.kept(first),
            GoGives::EachKept => {
                let part = self.kept(first);
                self.given_one_by_one(part)
            }
            GoGives::EachKey => {
                let part = self.ranged(first);
                self.given_one_by_one(part)
            }
            GoGives::SliceOfKeys => {
                let part = self.ranged(first);
                self.slice_of(part)
            }
            GoGives::SliceOfKept => {
                let part = self.kept(first);
                self.slice_of(part)
            }
        }
    }

    /// An iterator of values like this one.
    fn given_one_by_one(&mut self, part: Val) -> Val {
        let ty = type_of_value(part);
        if ty.what == What::Unknown {
            return UNKNOWN;
        }
        let args = self.args(ty, &[ty]);
        Val { what: What::InstanceOfApply(None, args), imported: ty.imported }
    }

    /// A slice of values like this one.
    fn slice_of(&mut self, part: Val) -> Val {
        let ty = type_of_value(part);
        if ty.what == What::Unknown {
            return UNKNOWN;
        }
        let args = self.args(ty, &[EXTERNAL, ty]);
        Val { what: What::InstanceOfApply(None, args), imported: ty.imported }
    }

    // ── types without a name ────────────────────────────────────────────────────────────────────────

    /// A member of a struct or interface that is written in place: its own, or of what it embeds.
    pub(super) fn member_of_anonymous(
        &mut self,
        number: u32,
        name: u64,
        want: Want,
        at: &'w Surface,
    ) -> Option<Found> {
        let signature = self.signatures[number as usize];
        let surface = self.world.surface(signature.file);
        let parts: SmallVec<[ExprId; 4]> = surface.items(signature.params?).collect();
        let (first, embedded) = parts.split_first()?;
        let Expr::Object(path) = surface.whole_expr(*first) else { return None };
        let What::Module(key) = Self::object(surface, surface.names.get(path)).what else { return None };
        let candidates = self.defs(key.part(name));
        if let Some(sym) = self.pick(&candidates, want, surface) {
            return Some(Found { thing: Thing::Sym(sym), imported: false });
        }
        embedded.iter().find_map(|part| {
            let value = self.eval_open(surface, signature.scope, *part);
            let value = self.seen_by(value, &signature);
            let found = self.member_of_value(value, name, want, at);
            found.filter(|found| found.thing != Thing::External)
        })
    }
}

/// The type arguments that are written at a call.
fn written_types(at: &Surface, callee: ExprId) -> Option<ExprId> {
    let mut rest = callee;
    loop {
        match at.whole_expr(rest) {
            Expr::With(inner, _) | Expr::Giving(inner, _) => rest = inner,
            Expr::Generic(_, types) => return Some(types),
            _ => return None,
        }
    }
}
