//! What an expression is: a type, a module, a value of some type. Intra-procedural and bounded; what is not
//! written down stays unknown.

use super::functions;
use super::infer::type_of_value;
use super::key::Key;
use super::lookup::{Found, Resolver, Thing, Want};
use super::rules;
use super::surface::{Surface, SymFact, SymRef};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

pub(super) const MAX_DEPTH: u32 = 24;

/// The supertypes of a type, and whether an import led to each.
pub(crate) type Supers = SmallVec<[(SymRef, bool); 2]>;

/// What is known of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Val {
    pub(super) what: What,
    pub(super) imported: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Unknown,
    External,
    Module(Key),
    /// The symbol itself: a type, a function.
    Sym(SymRef),
    /// A value of the type.
    Instance(SymRef),
    /// A generic type with its arguments, and a value of one.
    Apply(Option<SymRef>, Args),
    InstanceOfApply(Option<SymRef>, Args),
    /// A type parameter (an index into `parameters`), and a value of its type.
    Param(u32),
    InstanceOfParam(u32),
    /// A tuple type, and a value of one: the first of its parts in `arguments`, and their number.
    Tuple(u32, u32),
    InstanceOfTuple(u32, u32),
    /// A function by its signature (an index into `signatures`): the type, and a value of it.
    Callable(u32),
    /// An object by its members (the `params` of a signature): the type, and a value of it.
    Shape(u32),
    /// The type whose value is a class itself: the class is in `arguments`.
    Class(u32),
    /// One of several, and all of several at once, types or values: the first in `arguments`, and their number.
    Union(u32, u32),
    Intersection(u32, u32),
}

/// The arguments of a generic type: `arguments[element]` is the one that stands for what it holds, and the `count`
/// behind it are all of them in order. A `count` of 0 says that only the element is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Args {
    pub(super) element: u32,
    pub(super) count: u32,
}

pub(super) const UNKNOWN: Val = Val { what: What::Unknown, imported: false };
pub(super) const EXTERNAL: Val = Val { what: What::External, imported: true };
/// Given by something outside the repository, which may hand out what it got from here: `ContextVar.get()`.
pub(super) const GIVEN: Val = Val { what: What::External, imported: false };

impl<'w, W: World> Resolver<'w, W> {
    /// The thing that `base.name` is.
    pub(crate) fn member_of(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        base: ExprId,
        name: u64,
        want: Want,
    ) -> Option<Found> {
        let want = if at.is_tag(base) { Want::Scope } else { want };
        if let Some(found) = self.member_of_super(at, scope, base, name, want) {
            return Some(found);
        }
        let value = self.eval(at, scope, base);
        if value == UNKNOWN
            && at.family() == Family::Jvm
            && let Some(package) = self.package(at, base)
        {
            return self.module_member(package, name, want, at, 0);
        }
        if value == UNKNOWN && at.family() == Family::Ruby {
            return self.below_outside(at, base, name, want);
        }
        let found = self.member_of_value(value, name, want, at);
        if found.is_none() && at.family() == Family::Go {
            return self.key_of_literal(at, scope, base, value, (name, want));
        }
        let is_called = want == Want::Callable || at.family() != Family::Ruby;
        let found = found.or_else(|| self.constructor(value, name, at).filter(|_| is_called));
        let found = match at.expr(base) {
            Expr::This if at.family() == Family::Rust => {
                self.of_self(at, scope, value, (name, want), found)?
            }
            _ => found?,
        };
        Some(if at.file == self.own_file() { self.of_trait_in_scope(scope, found) } else { found })
    }

    /// The thing an expression names; `None` for values without a name.
    pub(crate) fn thing_of(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        expr: ExprId,
        want: Want,
    ) -> Option<Found> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = match at.expr(expr) {
            Expr::Name(name) if at.file == self.own_file() => self.plain_name(scope, at.hash(name), want),
            Expr::Name(name) => self.lexical(at, scope, at.hash(name), want),
            Expr::Member(base, name) => self.member_of(at, scope, base, at.hash(name), want),
            Expr::This => self.this_type(at, scope),
            Expr::Implied(name, list) => self.implied((at, scope), at.hash(name), list, want),
            Expr::Own(index) => Some(Found { thing: Thing::Sym(at.sym(index as usize)), imported: false }),
            Expr::Apply(base, _) => self.thing_of(at, scope, base, want),
            Expr::Instance(ty) => self.thing_of(at, scope, ty, want),
            _ => None,
        };
        self.depth -= 1;
        found
    }

    /// The type an expression names.
    pub(crate) fn type_of(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Option<Found> {
        self.thing_of(at, scope, expr, Want::Type)
    }

    /// What an expression is; a value of a type parameter is one of its bound.
    pub(super) fn eval(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        let value = self.eval_open(at, scope, expr);
        match self.bounded_here(at, scope, value) {
            Some(bounded) => bounded,
            None => self.closed(value),
        }
    }

    /// What an expression is, with type parameters left open.
    pub(super) fn eval_open(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        if let Some(known) = self.values.get(&(at.file, scope, expr)) {
            return *known;
        }
        if self.depth >= MAX_DEPTH {
            return UNKNOWN;
        }
        self.eval_spine(at, scope, expr);
        self.depth += 1;
        let value = match at.expr(expr) {
            _ if let Some(given) = self.indirect(at, scope, expr) => given,
            Expr::Unknown => UNKNOWN,
            Expr::Builtin | Expr::Primitive(_) => EXTERNAL,
            Expr::This => match self.open_self(at, scope) {
                Some(this) => self.instance_of(this),
                None => self.this_type(at, scope).map_or(UNKNOWN, |found| self.instance(found)),
            },
            Expr::Super => self.super_of(at, scope),
            Expr::Implied(name, list) if at.names.get(name) == "this" => self.implied_this((at, scope), list),
            Expr::Name(_) | Expr::Member(..) | Expr::Implied(..) => {
                let want = if at.is_scope(expr) { Want::Scope } else { Want::Prefix };
                match self.thing_of(at, scope, expr, want) {
                    Some(found) => {
                        let value = self.value_of(found);
                        self.seen_from(value, at, scope, expr)
                    }
                    None if functions::is_global(at, at.expr(expr)) => EXTERNAL,
                    None => self.entry_value(at, scope, expr),
                }
            }
            Expr::Call(callee) => self.call_result(at, scope, callee),
            Expr::Instance(_) | Expr::Union(_) if at.family() == Family::Ruby => self.made(at, scope, expr),
            Expr::Instance(ty) => {
                let ty = self.eval_open_type(at, scope, ty);
                self.instance_of(ty)
            }
            Expr::Element(whole) => self.element(at, scope, whole),
            Expr::Position(whole, place) => self.position(at, scope, whole, place as usize),
            Expr::Apply(..) | Expr::Tuple(_) | Expr::Union(_) | Expr::Intersection(_) => {
                self.eval_open_type(at, scope, expr)
            }
            Expr::Function(..) => self.function_type(at, scope, expr),
            special => self.eval_special(at, scope, special),
        };
        self.depth -= 1;
        self.values.insert((at.file, scope, expr), value);
        value
    }

    /// What an expression is that only some languages have.
    fn eval_special(&mut self, at: &'w Surface, scope: ScopeId, expr: Expr) -> Val {
        match expr {
            Expr::Shape(members) => self.object_with(at, scope, members),
            Expr::Expects(callee, place) => self.expected(at, scope, callee, place as usize),
            Expr::Receives(function, place) => self.received(at, scope, function, place as usize),
            Expr::Object(path) => Self::object(at, at.names.get(path)),
            Expr::Holds(list) if at.family() == Family::Script => self.list_of(at, scope, list),
            Expr::Holds(list) => self.collection(at, scope, list),
            Expr::Values(list) => self.tuple_of_values(at, scope, list),
            Expr::Each(whole) => self.each(at, scope, whole),
            Expr::Enter(manager) => self.entered(at, scope, manager),
            Expr::Fixture(name) => self.fixture(at, name),
            _ => UNKNOWN,
        }
    }

    /// `let Made = Foo; new Made()`: the class that a variable of a script holds.
    fn held_class(&mut self, found: Found) -> Option<Val> {
        let Thing::Sym(sym) = found.thing else { return None };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let is_variable =
            matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Const | SymbolKind::Property);
        if surface.family() != Family::Script || !is_variable || symbol.ty.is_none() {
            return None;
        }
        let held = self.value_of(found);
        match held.what {
            What::Sym(class) if class != sym => Some(held),
            _ => None,
        }
    }

    /// `std::vector<Node>::iterator`: an iterator of C++ stands for what it leads to, as what `begin` gives does.
    fn iterated(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Option<Val> {
        let Expr::Member(base, name) = at.expr(expr) else { return None };
        if at.family() != Family::Native || !rules::names_element(at.names.get(name)) {
            return None;
        }
        let mut container = self.eval_open_type(at, scope, base);
        if let What::Sym(alias) = container.what {
            let surface = self.world.surface(alias.file);
            let SymFact { kind, ty, parent, .. } = surface.symbols[alias.index as usize];
            let aliased = ty.filter(|_| kind == SymbolKind::TypeAlias)?;
            container = self.eval_open_type(surface, parent, aliased);
        }
        match container.what {
            What::Apply(None, args) => Some(self.arguments[args.element as usize]),
            _ => None,
        }
    }

    /// Evaluates a chain of calls from its start, so that its length is not limited by the depth.
    fn eval_spine(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) {
        let mut spine: SmallVec<[ExprId; 8]> = SmallVec::new();
        let mut rest = expr;
        while let Expr::Call(inner)
        | Expr::Element(inner)
        | Expr::Member(inner, _)
        | Expr::Position(inner, _) = at.expr(rest)
        {
            rest = inner;
            if matches!(at.expr(rest), Expr::Call(_) | Expr::Element(_)) {
                if self.values.contains_key(&(at.file, scope, rest)) {
                    break;
                }
                spine.push(rest);
            }
        }
        // One link is what the evaluation itself does.
        for link in spine.into_iter().skip(1).rev() {
            self.eval(at, scope, link);
        }
    }

    /// The type that an expression names; a type parameter is its bound.
    pub(super) fn eval_type(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        let ty = self.eval_open_type(at, scope, expr);
        match self.bounded_here(at, scope, ty) {
            Some(bounded) => bounded,
            None => self.closed(ty),
        }
    }

    /// The type that an expression names, with type parameters left open.
    pub(super) fn eval_open_type(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        if self.depth >= MAX_DEPTH {
            return UNKNOWN;
        }
        self.depth += 1;
        let value = match at.whole_expr(expr) {
            Expr::Builtin | Expr::Primitive(_) => EXTERNAL,
            Expr::Tuple(list) => self.tuple(at, scope, list),
            Expr::Apply(base, element) => self.applied(at, scope, base, element),
            Expr::Instance(inner) => self.eval_open_type(at, scope, inner),
            Expr::Generic(inner, _) if at.is_qualified(expr) => self.eval_open_type(at, scope, inner),
            Expr::Function(..) => self.function_type(at, scope, expr),
            Expr::Shape(members) => self.object_with(at, scope, members),
            Expr::Union(list) => {
                let (first, count) = self.type_list(at, scope, list);
                Val { what: What::Union(first, count), imported: false }
            }
            Expr::Intersection(list) => {
                let (first, count) = self.type_list(at, scope, list);
                Val { what: What::Intersection(first, count), imported: false }
            }
            Expr::Call(_)
            | Expr::Element(_)
            | Expr::Position(..)
            | Expr::Receives(..)
            | Expr::Object(_)
            | Expr::Holds(_)
                if at.family() == Family::Script =>
            {
                let value = self.eval_open(at, scope, expr);
                type_of_value(value)
            }
            Expr::Parameter(name, bound) => self.type_parameter(at, scope, name, bound),
            Expr::Class(named) => self.class_type(at, scope, named),
            Expr::This if let Some(this) = self.open_self(at, scope) => this,
            Expr::With(named, value) => self.matched_type(at, scope, named, value),
            Expr::Member(..) if let Some(element) = self.iterated(at, scope, expr) => element,
            _ => match self.type_of(at, scope, expr) {
                Some(found @ Found { thing: Thing::Sym(sym), imported }) => {
                    self.held_class(found).unwrap_or(Val { what: What::Sym(sym), imported })
                }
                Some(Found { thing: Thing::External, imported }) => Val { what: What::External, imported },
                Some(Found { thing: Thing::Module(key), imported }) => {
                    Val { what: What::Module(key), imported }
                }
                _ => UNKNOWN,
            },
        };
        self.depth -= 1;
        value
    }

    /// What a named thing is as an expression: a variable is its value, a type or function itself.
    pub(super) fn value_of(&mut self, found: Found) -> Val {
        let imported = found.imported;
        let sym = match found.thing {
            Thing::External => return Val { what: What::External, imported },
            Thing::Opaque => return UNKNOWN,
            Thing::Module(key) => return Val { what: What::Module(key), imported },
            Thing::Sym(sym) => sym,
        };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match symbol.kind {
            SymbolKind::Module => Val { what: What::Module(self.module_key(sym)), imported },
            SymbolKind::Const
            | SymbolKind::Static
            | SymbolKind::Variable
            | SymbolKind::Field
            | SymbolKind::Property
            | SymbolKind::Variant => match symbol.ty {
                Some(ty) => {
                    let value = self.eval_open(surface, symbol.parent, ty);
                    Val { imported: imported || value.imported, ..value }
                }
                // The members of an object literal, or of an object type, hang under what holds it.
                None if surface.family() == Family::Script => Val { what: What::Sym(sym), imported },
                None => UNKNOWN,
            },
            _ => match symbol.decorators {
                Some(decorators) => self.decorated(found, surface, symbol.parent, decorators),
                None => Val { what: What::Sym(sym), imported },
            },
        }
    }
}

/// An expression as a person would write it, generics left out.
pub(super) fn expr_text(surface: &Surface, expr: ExprId) -> String {
    match surface.expr(expr) {
        Expr::Name(name) | Expr::Implied(name, _) => surface.names.as_written(name).to_owned(),
        Expr::Member(base, name) => {
            format!(
                "{}{}{}",
                expr_text(surface, base),
                surface.lang.separator(),
                surface.names.as_written(name)
            )
        }
        Expr::Apply(base, _) | Expr::Instance(base) => expr_text(surface, base),
        _ => String::from("?"),
    }
}
