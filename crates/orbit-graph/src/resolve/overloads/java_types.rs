//! Types of Java as far as choosing a method needs them: what a value is declared as, and what can be given where
//! what is asked for.

use super::java::Phase;
use super::library;
use super::{Candidates, MAX_TYPES, UNFIT};
use crate::resolve::lookup::{Found, Resolver, Thing, Want};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::{MAX_DEPTH, What};
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, NameId, ScopeId, SymbolKind};

/// A type as far as choosing a method needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ty<'w> {
    /// How many times an array.
    pub(super) dimensions: u8,
    pub(super) base: Base<'w>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base<'w> {
    Unknown,
    Null,
    Primitive(&'w str),
    Repository(SymRef),
    /// A type of the Java library, or of nobody knows where, by its simple name.
    Outside(&'w str),
    /// A type of another library, by package and name.
    Foreign(&'w str, &'w str),
    /// A lambda expression, by the number of its parameters, or a method reference.
    Function(Option<u8>),
}

pub(super) const UNKNOWN: Ty<'static> = Ty { dimensions: 0, base: Base::Unknown };

/// Whether something holds, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holds {
    No,
    Maybe,
    Yes,
}

impl Holds {
    pub(super) fn of(holds: bool) -> Holds {
        if holds { Holds::Yes } else { Holds::No }
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// Whether a value of one type can be given where another is asked for.
    pub(super) fn assignable(&mut self, given: Ty<'w>, wanted: Ty<'w>, phase: Phase) -> Holds {
        let is_plain = |ty: Ty<'w>| ty.dimensions == 0;
        match (given.base, wanted.base) {
            (Base::Unknown, _) | (_, Base::Unknown) if given == wanted => Holds::Yes,
            (Base::Unknown, _) | (_, Base::Unknown) => Holds::Maybe,
            (Base::Null, Base::Primitive(_)) if is_plain(given) => Holds::of(!is_plain(wanted)),
            (Base::Null, _) if is_plain(given) => Holds::Yes,
            (Base::Function(arity), _) if is_plain(given) => self.takes_function(arity, wanted),
            (Base::Primitive(from), Base::Primitive(to)) if is_plain(given) && is_plain(wanted) => {
                Holds::of(library::widens(from, to))
            }
            (Base::Primitive(from), _) if is_plain(given) => match library::boxed(from) {
                Some(boxed) if phase != Phase::Strict => {
                    self.is_subtype(Ty { dimensions: 0, base: Base::Outside(boxed) }, wanted)
                }
                _ => Holds::No,
            },
            (base, Base::Primitive(to)) if is_plain(wanted) => match base {
                Base::Outside(name) if phase != Phase::Strict && is_plain(given) => {
                    Holds::of(library::unboxed(name).is_some_and(|from| library::widens(from, to)))
                }
                _ => Holds::No,
            },
            _ => self.is_subtype(given, wanted),
        }
    }

    /// Whether a type of objects is another one or derives from it.
    fn is_subtype(&mut self, given: Ty<'w>, wanted: Ty<'w>) -> Holds {
        if given == wanted || wanted == (Ty { dimensions: 0, base: Base::Outside("Object") }) {
            return Holds::Yes;
        }
        match (given.dimensions, wanted.dimensions) {
            (0, 0) => {}
            (0, _) => return Holds::No,
            (_, 0) => {
                let holds = matches!(wanted.base, Base::Outside("Cloneable" | "Serializable"));
                return Holds::of(holds);
            }
            (from, to) => {
                let given = Ty { dimensions: from - 1, ..given };
                let wanted = Ty { dimensions: to - 1, ..wanted };
                let is_primitive = |ty: Ty<'w>| ty.dimensions == 0 && matches!(ty.base, Base::Primitive(_));
                return if is_primitive(given) || is_primitive(wanted) {
                    Holds::of(given == wanted)
                } else {
                    self.assignable(given, wanted, Phase::Strict)
                };
            }
        }
        match (given.base, wanted.base) {
            (Base::Repository(given), Base::Repository(wanted)) => {
                Holds::of(self.distance(given, wanted) != UNFIT)
            }
            (Base::Repository(given), Base::Outside(wanted)) => self.derives_outside(given, wanted),
            (Base::Outside(given), Base::Outside(wanted)) => library_holds(given, wanted),
            (Base::Foreign(..), Base::Outside(wanted)) if library::is_final(wanted) => Holds::No,
            (Base::Outside(given), Base::Foreign(..)) => {
                Holds::of(!library::is_known(given)).min(Holds::Maybe)
            }
            (Base::Repository(_) | Base::Foreign(..), Base::Outside(_) | Base::Foreign(..)) => Holds::Maybe,
            // What comes from outside does not derive from a type of the repository.
            _ => Holds::No,
        }
    }

    /// Whether a type of the repository derives from one outside of it.
    fn derives_outside(&mut self, given: SymRef, wanted: &str) -> Holds {
        let world = self.world;
        let (mut open, mut seen) = (Candidates::from_elem(given, 1), Candidates::new());
        let mut holds = Holds::No;
        while let Some(ty) = open.pop() {
            if seen.contains(&ty) || seen.len() > MAX_TYPES {
                continue;
            }
            seen.push(ty);
            let surface = world.surface(ty.file);
            let kind = surface.symbols[ty.index as usize].kind;
            if kind == SymbolKind::Enum && matches!(wanted, "Enum" | "Comparable" | "Serializable") {
                return Holds::Yes;
            }
            let owner = ScopeId::of_symbol(ty.index as usize);
            for relation in surface.relations.iter().filter(|relation| relation.owner == owner) {
                match self.type_named(surface, relation.scope, relation.to).base {
                    Base::Repository(parent) => open.push(parent),
                    Base::Outside(name) => holds = holds.max(library_holds(name, wanted)),
                    Base::Foreign(..) if library::is_final(wanted) => {}
                    _ => holds = holds.max(Holds::Maybe),
                }
            }
        }
        holds
    }

    /// Whether a lambda with so many parameters, or a method reference, can be given: only interfaces with one
    /// abstract method take one.
    fn takes_function(&mut self, arity: Option<u8>, wanted: Ty<'w>) -> Holds {
        if wanted.dimensions > 0 {
            return Holds::No;
        }
        let wanted = match wanted.base {
            Base::Outside(name) => match library::function_arity(name) {
                Some(wanted) => Some(wanted),
                None if library::is_known(name) => return Holds::No,
                None => return Holds::Maybe,
            },
            Base::Repository(sym) => {
                let surface = self.world.surface(sym.file);
                if surface.symbols[sym.index as usize].kind != SymbolKind::Interface {
                    return Holds::No;
                }
                self.abstract_arity(sym)
            }
            Base::Foreign(..) => return Holds::Maybe,
            _ => return Holds::No,
        };
        match (arity, wanted) {
            (Some(arity), Some(wanted)) => Holds::of(arity == wanted),
            (None, Some(_)) => Holds::Yes,
            _ => Holds::Maybe,
        }
    }

    /// How many parameters the one method of an interface has that no body is written for.
    fn abstract_arity(&mut self, interface: SymRef) -> Option<u8> {
        let surface = self.world.surface(interface.file);
        let owner = ScopeId::of_symbol(interface.index as usize);
        let mut methods = surface
            .symbols
            .iter()
            .filter(|symbol| symbol.parent == owner && symbol.kind == SymbolKind::Method && symbol.bodiless);
        match (methods.next(), methods.next()) {
            (Some(method), None) => Some(surface.items(method.params?).count() as u8),
            (None, _) => {
                let supers = self.supers(interface);
                let mut arities = supers.iter().map(|(parent, _)| *parent).collect::<Candidates>();
                arities.retain(|parent| *parent != interface);
                if let [parent] = arities.as_slice() { self.abstract_arity(*parent) } else { None }
            }
            _ => None,
        }
    }

    /// The type that a type expression names.
    pub(super) fn type_named(&mut self, at: &'w Surface, scope: ScopeId, ty: ExprId) -> Ty<'w> {
        let plain = |base| Ty { dimensions: 0, base };
        match at.whole_expr(ty) {
            Expr::Primitive(name) => plain(named(at.names.get(name))),
            Expr::Parameter(_, bound) if at.expr(bound) == Expr::Unknown => plain(Base::Outside("Object")),
            Expr::Parameter(_, inner) | Expr::Generic(inner, _) | Expr::Instance(inner) => {
                self.type_named(at, scope, inner)
            }
            Expr::Apply(base, element) if at.expr(base) == Expr::Builtin => {
                let element = self.type_named(at, scope, element);
                Ty { dimensions: element.dimensions + 1, ..element }
            }
            Expr::Apply(base, _) => self.type_named(at, scope, base),
            Expr::Name(name) | Expr::Member(_, name) => match self.type_of(at, scope, ty) {
                Some(Found { thing: Thing::Sym(sym), .. }) => plain(Base::Repository(sym)),
                Some(Found { thing: Thing::Opaque, .. }) => UNKNOWN,
                _ => plain(outside(at, name)),
            },
            _ => UNKNOWN,
        }
    }

    /// The type of a value.
    pub(super) fn static_type(&mut self, at: &'w Surface, scope: ScopeId, value: ExprId) -> Ty<'w> {
        if self.depth >= MAX_DEPTH {
            return UNKNOWN;
        }
        self.depth += 1;
        let ty = match at.whole_expr(value) {
            Expr::Primitive(_) | Expr::Instance(_) | Expr::Apply(..) => self.type_named(at, scope, value),
            Expr::This => match self.this_type(at, scope) {
                Some(Found { thing: Thing::Sym(sym), .. }) => {
                    Ty { dimensions: 0, base: Base::Repository(sym) }
                }
                _ => UNKNOWN,
            },
            Expr::Element(whole) => match self.static_type(at, scope, whole) {
                Ty { dimensions: 0, .. } => self.evaluated(at, scope, value),
                array => Ty { dimensions: array.dimensions - 1, ..array },
            },
            Expr::Member(whole, name)
                if at.names.get(name) == "length" && self.static_type(at, scope, whole).dimensions > 0 =>
            {
                Ty { dimensions: 0, base: Base::Primitive("int") }
            }
            Expr::Name(_) | Expr::Member(..) => match self.thing_of(at, scope, value, Want::Any) {
                Some(Found { thing: Thing::Sym(sym), .. }) => self.declared_type(at, scope, value, sym),
                _ => self.library_type(at, scope, value),
            },
            Expr::Call(callee) => match self.callee_of(at, scope, callee) {
                Some(Found { thing: Thing::Sym(sym), .. }) => self.declared_type(at, scope, value, sym),
                _ => self.library_type(at, scope, callee),
            },
            _ => UNKNOWN,
        };
        self.depth -= 1;
        ty
    }

    /// The type that a variable or the result of a method is declared with, with type arguments put in.
    fn declared_type(&mut self, at: &'w Surface, scope: ScopeId, value: ExprId, sym: SymRef) -> Ty<'w> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let Some(ty) = symbol.ty else { return UNKNOWN };
        let inner =
            if symbol.kind.is_callable() { ScopeId::of_symbol(sym.index as usize) } else { symbol.parent };
        if symbol.kind.is_type() {
            UNKNOWN
        } else if has_parameter(surface, ty) {
            self.evaluated(at, scope, value)
        } else {
            self.type_named(surface, inner, ty)
        }
    }

    /// What the evaluation of an expression says of its type.
    fn evaluated(&mut self, at: &'w Surface, scope: ScopeId, value: ExprId) -> Ty<'w> {
        match self.eval(at, scope, value).what {
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => {
                Ty { dimensions: 0, base: Base::Repository(sym) }
            }
            _ => UNKNOWN,
        }
    }

    /// What is known of a member of the Java library, reached through a value or a class.
    fn library_type(&mut self, at: &'w Surface, scope: ScopeId, member: ExprId) -> Ty<'w> {
        let Expr::Member(base, name) = at.expr(member) else { return UNKNOWN };
        let class = match (self.static_type(at, scope, base), at.expr(base)) {
            (Ty { dimensions: 0, base: Base::Outside(class) }, _) => class,
            (_, Expr::Name(class)) => at.names.get(class),
            _ => "",
        };
        let Some(name) = library::member(class, at.names.get(name)) else { return UNKNOWN };
        match name.strip_suffix("[]") {
            Some(element) => Ty { dimensions: 1, base: named(element) },
            None => Ty { dimensions: 0, base: named(name) },
        }
    }
}

/// A type from outside of the repository, as the imports of a file tell.
fn outside(at: &Surface, name: NameId) -> Base<'_> {
    let hash = at.hash(name);
    let import = at.imports.iter().find(|import| import.binds == Some(hash));
    let package = import.map(|import| at.names.get(import.raw.module));
    match package.filter(|package| !library::is_package(package)) {
        Some(package) => Base::Foreign(package, at.names.get(name)),
        None => Base::Outside(at.names.get(name)),
    }
}

/// Whether a type is a type parameter or an array of one.
fn has_parameter(surface: &Surface, ty: ExprId) -> bool {
    match surface.whole_expr(ty) {
        Expr::Parameter(..) => true,
        Expr::Instance(inner) => has_parameter(surface, inner),
        Expr::Apply(base, element) if surface.expr(base) == Expr::Builtin => has_parameter(surface, element),
        _ => false,
    }
}

/// A built-in type by its name, or what stands for `null`, a lambda or a method reference.
fn named(name: &str) -> Base<'_> {
    match name {
        "null" => Base::Null,
        "::" => Base::Function(None),
        _ if library::boxed(name).is_some() => Base::Primitive(name),
        _ => match name.strip_suffix("->").map(str::parse) {
            Some(arity) => Base::Function(arity.ok()),
            None => Base::Outside(name),
        },
    }
}

fn library_holds(given: &str, wanted: &str) -> Holds {
    match library::derives(given, wanted) {
        Some(holds) => Holds::of(holds),
        None => Holds::Maybe,
    }
}
