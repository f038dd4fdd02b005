//! What C++ tells overloads apart by: built-in types, type parameters, and whether the object is constant.

use super::native_types::{Indirection, Written};
use super::{BOXED, CallPlace, Candidates, Fit, Fits, POSSIBLE, SAME, SUPERTYPE, UNFIT, takes};
use crate::resolve::key::Digest;
use crate::resolve::lookup::{Resolver, Thing, Want};
use crate::resolve::rules;
use crate::resolve::surface::{Surface, SymFact, SymRef};
use crate::resolve::world::World;
use hashbrown::HashSet;
use orbit_extract::{Expr, ExprId, Family, ScopeId, SymbolKind};

/// A type parameter takes any argument as it is: better than a conversion, not better than the very type.
const DEDUCED: Fit = SAME - 1;

/// One of any number of type parameters is worth less than one that stands alone.
const PACKED: Fit = DEDUCED - 1;

/// The very type but for a `const` behind a pointer.
const QUALIFIED: Fit = PACKED - 1;

/// A template with a constraint that speaks of classes alone rarely takes a built-in value.
const UNLIKELY: Fit = POSSIBLE - 1;

/// What the parameter takes is not known: it may take the argument as it is, or not at all. No other fit but the very
/// type is known to be better, and none to be worse.
const OPEN: Fit = Fit::MAX;

/// Whether a fit is at least as good as another one.
pub(super) fn at_least(a: Fit, b: Fit) -> bool {
    match (a, b) {
        _ if a == b => true,
        (SAME, OPEN) => true,
        (OPEN, _) | (_, OPEN) => false,
        _ => a >= b,
    }
}

/// How well a value of a built-in type fits a parameter of one.
fn fit_primitive(given: &str, wanted: &str) -> Fit {
    let is_zero = given == "0";
    let given = if is_zero { "int" } else { given };
    let plain = |name: &'_ str| name.trim_start_matches("const ").len();
    match (given.ends_with('*'), wanted.ends_with('*')) {
        _ if given == wanted => SAME,
        (false, true) if is_zero || given == "nullptr_t" => BOXED,
        (true, true) if given[given.len() - plain(given)..] == wanted[wanted.len() - plain(wanted)..] => {
            // What is pointed to may become constant, never the other way.
            if given.starts_with("const ") { UNFIT } else { QUALIFIED }
        }
        // Any pointer is one to `void`, or a truth.
        (true, true) if wanted == "const void*" => BOXED,
        (true, true) if wanted == "void*" && !given.starts_with("const ") => BOXED,
        (true, false) if wanted == "bool" => POSSIBLE,
        (true, _) | (_, true) => UNFIT,
        (false, false) if matches!(given, "nullptr_t" | "lambda") || wanted == "void" => UNFIT,
        (false, false) if is_promoted(given, wanted) => SUPERTYPE,
        (false, false) => BOXED,
    }
}

/// The conversions that come before others.
fn is_promoted(given: &str, wanted: &str) -> bool {
    matches!(
        (given, wanted),
        ("char" | "bool" | "short" | "signed char" | "unsigned char" | "unsigned short", "int")
            | ("float", "double")
    )
}

/// How well a value of a type from outside fits a parameter of another one.
fn fit_outside(given: &str, wanted: &str) -> Fit {
    let is_stream = matches!(wanted, "ostream" | "istream" | "iostream" | "ios");
    match () {
        () if is_stream && given.ends_with("stream") => SUPERTYPE,
        () if rules::is_text(given) && rules::is_text(wanted) => POSSIBLE,
        () if rules::is_closed_class(given) && rules::is_closed_class(wanted) => UNFIT,
        () => POSSIBLE,
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// How well an argument fits the type of a parameter.
    pub(super) fn fit_native(
        &mut self,
        (own, scope): CallPlace<'w>,
        arg: ExprId,
        surface: &'w Surface,
        candidate: SymRef,
        param: ExprId,
    ) -> Fit {
        let given = self.written_of(own, scope, arg, 0);
        let fit = self.fit_parameter(&given, surface, candidate, param, true);
        let takes_moved = surface.pointer_mark(param).is_some_and(|(_, mark)| mark == "&&");
        let is_moved = own.pointer_mark(arg).is_some_and(|(_, mark)| mark == "&&");
        match own.whole_expr(arg) {
            // What has a name is not moved from.
            Expr::Instance(_) | Expr::Name(_) | Expr::Member(..) if takes_moved => UNFIT,
            _ if is_moved && !takes_moved && fit == SAME => QUALIFIED,
            _ => fit,
        }
    }

    fn fit_parameter(
        &mut self,
        given: &Written<'w>,
        surface: &'w Surface,
        candidate: SymRef,
        param: ExprId,
        converts: bool,
    ) -> Fit {
        match (surface.pointer_mark(param), given) {
            (Some((_, "class")), Written::Primitive(_)) => return UNLIKELY,
            (Some((_, "class" | "builtin")), _) => return OPEN,
            (_, Written::Unknown) => return POSSIBLE,
            _ => {}
        }
        match surface.whole_expr(param) {
            Expr::Unknown => return POSSIBLE,
            Expr::Parameter(..) if is_packed(surface, candidate, param) => return PACKED,
            Expr::Parameter(..) => return DEDUCED,
            _ => {}
        }
        let inner = ScopeId::of_symbol(candidate.index as usize);
        let wanted = self.written_as(surface, inner, param, 0);
        self.fit_types(given, &wanted, converts)
    }

    /// How well a value of one type fits where another one is asked for; `converts` allows constructors.
    fn fit_types(&mut self, given: &Written<'w>, wanted: &Written<'w>, converts: bool) -> Fit {
        match (given, wanted) {
            (Written::Unknown, _) => POSSIBLE,
            (_, Written::Unknown) => POSSIBLE,
            (Written::Primitive(given), Written::Primitive(wanted)) => fit_primitive(given, wanted),
            // A second constructor on the way is one too many.
            (Written::Primitive(_), Written::Outside(wanted, _))
                if !converts && rules::is_closed_class(wanted) =>
            {
                UNFIT
            }
            (Written::Primitive(given), Written::Outside(wanted, _)) => match given.as_ref() {
                "char*" | "const char*" if rules::is_text(wanted) => POSSIBLE,
                "wchar_t*" | "const wchar_t*" if matches!(*wanted, "wstring" | "wstring_view") => POSSIBLE,
                "lambda" if *wanted == "function" => POSSIBLE,
                _ if rules::is_closed_class(wanted) => UNFIT,
                _ => POSSIBLE,
            },
            (Written::Primitive(name), Written::Class(_, pointers))
                if matches!(name.as_ref(), "0" | "nullptr_t") && *pointers != Indirection::NONE =>
            {
                BOXED
            }
            (Written::Primitive(_), Written::Class(_, Indirection::Pointers(1..))) => UNFIT,
            (Written::Primitive(_) | Written::Outside(..), Written::Class(wanted, _)) if converts => {
                self.conversion_to(*wanted, given)
            }
            (Written::Primitive(_) | Written::Outside(..), Written::Class(..)) => UNFIT,
            (Written::Outside(given, _), Written::Primitive(_)) => {
                if rules::is_closed_class(given) {
                    UNFIT
                } else {
                    POSSIBLE
                }
            }
            (Written::Outside(one, _), Written::Outside(other, _)) if one == other => {
                self.fit_elements(given, wanted)
            }
            (Written::Outside(given, _), Written::Outside(wanted, _)) => fit_outside(given, wanted),
            (Written::Class(class, pointers), _) => self.fit_class((*class, *pointers), wanted),
        }
    }

    fn is_same_class(&self, a: SymRef, b: SymRef) -> bool {
        let key = |sym: SymRef| self.world.surface(sym.file).symbols[sym.index as usize].key;
        a == b || key(a) == key(b)
    }

    /// How well a value of a class or enumeration, or a pointer to one, fits a type.
    fn fit_class(&mut self, (given, pointers): (SymRef, Indirection), wanted: &Written<'w>) -> Fit {
        match (pointers, wanted) {
            (_, Written::Unknown) => POSSIBLE,
            (_, Written::Primitive(wanted)) => self.fit_builtin((given, pointers), wanted),
            (Indirection::Pointers(1..), Written::Outside(name, _)) if rules::is_closed_class(name) => UNFIT,
            (_, Written::Outside(..)) => POSSIBLE,
            (_, Written::Class(_, other)) if is_other_indirection(pointers, *other) => UNFIT,
            (_, Written::Class(wanted, other)) => match (pointers, *other) {
                (Indirection::Pointers(1..), Indirection::NONE) if self.is_same_class(given, *wanted) => {
                    UNFIT
                }
                _ if self.is_same_class(given, *wanted) => SAME,
                // Constructors and operators convert.
                _ => self.distance(given, *wanted).max(POSSIBLE),
            },
        }
    }

    /// The same for a built-in type.
    fn fit_builtin(&self, (given, pointers): (SymRef, Indirection), wanted: &str) -> Fit {
        let symbol = self.world.surface(given.file).symbols[given.index as usize];
        // The type of a scoped enumeration is kept, and it converts to nothing.
        let is_plain_enum = symbol.kind == SymbolKind::Enum && symbol.ty.is_none();
        match wanted {
            "int" if is_plain_enum => SUPERTYPE,
            _ if is_plain_enum && !wanted.ends_with('*') => BOXED,
            _ if symbol.kind == SymbolKind::Enum => UNFIT,
            "void*" | "const void*" if pointers != Indirection::NONE => BOXED,
            "bool" => POSSIBLE,
            _ => UNFIT,
        }
    }

    /// How well containers of one name fit each other: what they hold must be the same.
    fn fit_elements(&mut self, given: &Written<'w>, wanted: &Written<'w>) -> Fit {
        let held = |resolver: &mut Self, ty: &Written<'w>| resolver.element_as(ty.clone(), 0);
        let (Some(given), Some(wanted)) = (held(self, given), held(self, wanted)) else { return SAME };
        let is_other = given.is_other(&wanted);
        if is_other { UNFIT } else { SAME }
    }

    /// Whether a value becomes one of a class by a constructor that takes it alone.
    fn conversion_to(&mut self, ty: SymRef, given: &Written<'w>) -> Fit {
        let world = self.world;
        let symbol = world.surface(ty.file).symbols[ty.index as usize];
        let constructors = self.defs(symbol.key.part(symbol.name));
        let converts = constructors.into_iter().any(|constructor| {
            let surface = world.surface(constructor.file);
            let params = surface.symbols[constructor.index as usize].params;
            let Some(params) = params.filter(|params| takes(surface, *params, 1)) else { return false };
            let Some(param) = super::parameter(surface, params, 0) else { return false };
            self.fit_parameter(given, surface, constructor, param, false) != UNFIT
        });
        if converts { POSSIBLE } else { UNFIT }
    }

    /// Whether a type parameter that stands for several arguments would have to be different types.
    pub(super) fn is_contradiction(
        &mut self,
        (own, scope): CallPlace<'w>,
        args: &[ExprId],
        surface: &Surface,
        params: ExprId,
    ) -> bool {
        let plain: Vec<(ExprId, ExprId)> = surface
            .items(params)
            .zip(args.iter().copied())
            .filter(|(param, _)| matches!(surface.whole_expr(*param), Expr::Parameter(..)))
            .collect();
        plain.iter().enumerate().any(|(at, (param, arg))| {
            plain[..at].iter().filter(|(other, _)| other == param).any(|(_, before)| {
                let (one, other) =
                    (self.written_of(own, scope, *arg, 0), self.written_of(own, scope, *before, 0));
                one.is_other(&other)
            })
        })
    }

    /// The candidates without those that declare what an earlier one does: a prototype and its definition are one.
    pub(super) fn one_of_each(&self, fits: &Fits) -> Fits {
        let mut left = Fits::new();
        for (sym, each) in fits {
            let surface = self.world.surface(sym.file);
            let is_known = surface.family() == Family::Native
                && left.iter().any(|(other, _)| self.are_one([*sym, *other].into_iter()));
            if !is_known {
                left.push((*sym, each.clone()));
            }
        }
        left
    }

    /// Of candidates that take the arguments equally well, a function that is not a template.
    pub(super) fn plain_function(&self, fits: &Fits) -> Option<SymRef> {
        let is_best =
            |each: &[Fit]| fits.iter().all(|(_, less)| each.iter().zip(less).all(|(a, b)| at_least(*a, *b)));
        let is_plain = |sym: &SymRef| {
            let surface = self.world.surface(sym.file);
            let symbol = surface.symbols[sym.index as usize];
            surface.family() == Family::Native && symbol.type_params.is_none()
        };
        let mut plain = fits.iter().filter(|(sym, each)| is_plain(sym) && is_best(each));
        match (plain.next(), plain.next()) {
            (Some((sym, _)), None) => Some(*sym),
            _ => None,
        }
    }

    /// Whether what a member function of C++ is called on is constant, as far as its type is written.
    pub(super) fn is_const_object(&mut self, at: &'w Surface, scope: ScopeId, base: Option<ExprId>) -> bool {
        let in_const = |at: &Surface| {
            let mut outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
            outer
                .find(|index| at.symbols[*index].kind == SymbolKind::Method)
                .is_some_and(|index| is_const_member(&at.symbols[index]))
        };
        let Some(base) = base else { return in_const(at) };
        let world = self.world;
        let is_const_symbol = |sym: SymRef| {
            let surface = world.surface(sym.file);
            surface.symbols[sym.index as usize].ty.is_some_and(|ty| surface.is_const(ty))
        };
        let base = match at.whole_expr(base) {
            Expr::Generic(inner, mark) if matches!(at.whole_expr(mark), Expr::Primitive(_)) => inner,
            _ => base,
        };
        match at.whole_expr(base) {
            Expr::This => in_const(at),
            Expr::Instance(_) => at.is_const(base),
            Expr::Call(callee) => match self.callee_of(at, scope, callee).map(|found| found.thing) {
                Some(Thing::Sym(sym)) => is_const_symbol(sym),
                _ => false,
            },
            Expr::Name(_) | Expr::Member(..) => {
                match self.thing_of(at, scope, base, Want::Prefix).map(|found| found.thing) {
                    Some(Thing::Sym(sym)) => is_const_symbol(sym),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Of member functions that differ in `const` alone, leaves the one that the object asks for.
    pub(super) fn leave_by_const(&self, is_const: bool, candidates: &mut Candidates) {
        let world = self.world;
        let fact = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let shape = |sym: &SymRef| (is_const_member(&fact(sym)), self.shape(*sym));
        if !candidates.iter().any(|sym| is_const_member(&fact(sym)) != is_const) {
            return;
        }
        let wanted: HashSet<u64> = candidates
            .iter()
            .map(shape)
            .filter(|(own, _)| *own == is_const)
            .map(|(_, shape)| shape.0)
            .collect();
        candidates.retain(|sym| {
            let (own, shape) = shape(sym);
            own == is_const || !wanted.contains(&shape.0)
        });
    }
}

/// Whether a parameter takes any number of arguments.
fn is_packed(surface: &Surface, candidate: SymRef, param: ExprId) -> bool {
    let params = surface.symbols[candidate.index as usize].params;
    let mut packs = params.into_iter().flat_map(|params| surface.items(params));
    packs.any(|it| matches!(surface.whole_expr(it), Expr::Rest(inner) if inner == param))
}

/// Whether a list of parameters of C++ ends in `...` that takes anything at all, worse than any other.
pub(super) fn is_last_resort(surface: &Surface, param: ExprId) -> bool {
    match surface.whole_expr(param) {
        Expr::Rest(inner) => surface.family() != Family::Native || surface.whole_expr(inner) == Expr::Builtin,
        _ => false,
    }
}

/// A member function of C++ that leaves its object as it is.
pub(super) fn is_const_member(symbol: &SymFact) -> bool {
    symbol.receiver.is_some()
}

/// What a parameter of C++ is, as far as a prototype and its definition write it the same: without namespaces,
/// default values and names of type parameters.
pub(super) fn parameter_digest(surface: &Surface, ty: ExprId, depth: u32) -> Digest {
    if depth > 16 {
        return Digest::new();
    }
    let inner = |ty: ExprId| parameter_digest(surface, ty, depth + 1).0;
    match surface.whole_expr(ty) {
        Expr::Defaulted(ty) | Expr::Instance(ty) => parameter_digest(surface, ty, depth + 1),
        Expr::Rest(ty) => Digest(18).add(inner(ty)),
        Expr::Name(name) | Expr::Member(_, name) => Digest(5).add(surface.hash(name)),
        Expr::Primitive(name) => Digest(11).add(surface.hash(name)),
        Expr::Generic(..) if let Some((inner_ty, mark)) = surface.pointer_mark(ty) => {
            Digest(20).add(inner(inner_ty)).add(mark.len() as u64)
        }
        Expr::Generic(base, _) if surface.is_const(ty) => Digest(21).add(inner(base)),
        Expr::Generic(base, list) => {
            surface.items(list).fold(Digest(22).add(inner(base)), |digest, item| digest.add(inner(item)))
        }
        Expr::Apply(base, _) => parameter_digest(surface, base, depth + 1),
        _ => Digest(1),
    }
}

/// Whether nothing converts one into the other. A value of a class may be constructed from a pointer.
fn is_other_indirection(given: Indirection, wanted: Indirection) -> bool {
    let is_known = given != Indirection::Unknown && wanted != Indirection::Unknown;
    is_known && given != wanted && (wanted != Indirection::NONE || given == Indirection::SmartPointer)
}
