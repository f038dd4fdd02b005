//! What types of C++ are written as: of arguments and of parameters, with aliases followed to what they stand for.

use crate::resolve::lookup::{Found, Resolver, Thing, Want};
use crate::resolve::rules::{self, GivenType};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::What;
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, ScopeId, SymbolKind};
use std::borrow::Cow;

/// How many aliases, calls and variables lie between an argument and its type.
const MAX_STEPS: u32 = 12;

/// A type, as far as overloads are told apart by it.
#[derive(Clone, Debug)]
pub(super) enum Written<'w> {
    Unknown,
    /// A built-in type, with a `*` for each pointer.
    Primitive(Cow<'w, str>),
    /// A type from outside by its last name, and where it is written.
    Outside(&'w str, Option<(&'w Surface, ScopeId, ExprId)>),
    /// A class or enumeration of the repository, and what leads to it.
    Class(SymRef, Indirection),
}

/// What lies between a value and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indirection {
    Unknown,
    /// So many pointers; none for a value of the class.
    Pointers(u8),
    /// `std::unique_ptr`, `std::shared_ptr`.
    SmartPointer,
}

impl Indirection {
    pub(super) const NONE: Indirection = Indirection::Pointers(0);

    /// Behind so many pointers more. What points to a smart pointer is like nothing else that is told apart here.
    fn behind(self, more: usize) -> Indirection {
        match self {
            _ if more == 0 => self,
            Indirection::Pointers(count) => Indirection::Pointers(count.saturating_add(more as u8)),
            Indirection::SmartPointer | Indirection::Unknown => Indirection::Unknown,
        }
    }

    /// Of what it points to. An iterator is not a pointer, and gives what it stands for.
    fn followed(self) -> Indirection {
        match self {
            Indirection::Pointers(count) => Indirection::Pointers(count.saturating_sub(1)),
            Indirection::SmartPointer => Indirection::NONE,
            Indirection::Unknown => Indirection::Unknown,
        }
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// The type of a value.
    pub(super) fn written_of(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        value: ExprId,
        step: u32,
    ) -> Written<'w> {
        if step > MAX_STEPS {
            return Written::Unknown;
        }
        let next = step + 1;
        match at.whole_expr(value) {
            Expr::Unknown | Expr::Builtin => Written::Unknown,
            Expr::Primitive(name) => Written::Primitive(Cow::Borrowed(at.names.get(name))),
            Expr::Instance(ty) => self.written_as(at, scope, ty, next),
            Expr::This => match self.evaluated_as(at, scope, value) {
                Written::Class(sym, _) => Written::Class(sym, Indirection::Pointers(1)),
                ty => ty,
            },
            Expr::Generic(..) if let Some((inner, mark)) = at.pointer_mark(value) => {
                let ty = self.written_of(at, scope, inner, next);
                match mark {
                    "&&" => ty,
                    "&" => address(ty),
                    _ => pointed(ty),
                }
            }
            Expr::Element(whole) => match self.written_of(at, scope, whole, next) {
                ty @ (Written::Primitive(_) | Written::Class(_, Indirection::Pointers(1..))) => pointed(ty),
                ty => self.element_as(ty, next).unwrap_or_else(|| self.evaluated_as(at, scope, value)),
            },
            Expr::Name(_) | Expr::Member(..) => self.written_at_declaration(at, scope, value, next),
            Expr::Call(callee) => self.written_result(at, scope, (value, callee), next),
            _ => self.evaluated_as(at, scope, value),
        }
    }

    /// Whether a value is known to be a plain pointer.
    pub(in crate::resolve) fn is_plain_pointer(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        value: ExprId,
    ) -> bool {
        matches!(self.written_of(at, scope, value, 0), Written::Class(_, Indirection::Pointers(1..)))
    }

    /// What the evaluation of an expression tells of its type.
    fn evaluated_as(&mut self, at: &'w Surface, scope: ScopeId, value: ExprId) -> Written<'w> {
        match self.eval(at, scope, value).what {
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => {
                Written::Class(sym, Indirection::Unknown)
            }
            _ => Written::Unknown,
        }
    }

    /// The type of what a container from outside holds.
    pub(super) fn element_as(&mut self, ty: Written<'w>, step: u32) -> Option<Written<'w>> {
        let Written::Outside(_, Some((surface, scope, ty))) = ty else { return None };
        let mut ty = ty;
        while let Expr::Generic(inner, _) = surface.whole_expr(ty) {
            ty = inner;
        }
        match surface.whole_expr(ty) {
            Expr::Apply(_, element) => Some(self.written_as(surface, scope, element, step)),
            _ => None,
        }
    }

    /// The type that the declaration of a variable or member says.
    fn written_at_declaration(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        value: ExprId,
        step: u32,
    ) -> Written<'w> {
        let found = self.thing_of(at, scope, value, Want::Prefix).map(|found| found.thing);
        let Some(Thing::Sym(sym)) = found else { return self.evaluated_as(at, scope, value) };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match (symbol.kind, symbol.ty) {
            (SymbolKind::Variant, _) => match symbol.parent.symbol() {
                Some(parent) if surface.symbols[parent].kind == SymbolKind::Enum => {
                    Written::Class(surface.sym(parent), Indirection::NONE)
                }
                _ => Written::Unknown,
            },
            (SymbolKind::Const | SymbolKind::Static | SymbolKind::Variable | SymbolKind::Field, Some(ty)) => {
                match self.written_of(surface, symbol.parent, ty, step) {
                    Written::Unknown => self.evaluated_as(at, scope, value),
                    ty => ty,
                }
            }
            _ => self.evaluated_as(at, scope, value),
        }
    }

    /// The type that a call gives.
    fn written_result(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        (value, callee): (ExprId, ExprId),
        step: u32,
    ) -> Written<'w> {
        let found = self.callee_of(at, scope, callee).map(|found| found.thing);
        let Some(Thing::Sym(sym)) = found else {
            return match self.evaluated_as(at, scope, value) {
                Written::Unknown => self.given_by_library(at, scope, callee, step),
                ty => ty,
            };
        };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        if symbol.kind == SymbolKind::Macro {
            return match at.whole_expr(callee) {
                Expr::With(_, args) if self.hands_on(surface, sym) => match at.items(args).next() {
                    Some(argument) => self.written_of(at, scope, argument, step),
                    None => Written::Unknown,
                },
                _ => Written::Unknown,
            };
        }
        if symbol.kind == SymbolKind::Constructor || symbol.kind.is_type() {
            return match self.evaluated_as(at, scope, value) {
                Written::Class(sym, _) => Written::Class(sym, Indirection::NONE),
                ty => ty,
            };
        }
        let ty = symbol.ty.filter(|_| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method));
        match ty.map(|ty| self.written_of(surface, ScopeId::of_symbol(sym.index as usize), ty, step)) {
            Some(ty @ (Written::Primitive(_) | Written::Outside(..))) => ty,
            // The evaluation knows what stands for type parameters.
            Some(Written::Class(_, pointers)) => match self.evaluated_as(at, scope, value) {
                Written::Class(sym, _) => Written::Class(sym, pointers),
                ty => ty,
            },
            _ => self.evaluated_as(at, scope, value),
        }
    }

    /// Whether a macro stands for its argument, by itself or through other macros.
    fn hands_on(&mut self, surface: &'w Surface, sym: SymRef) -> bool {
        let (mut surface, mut sym) = (surface, sym);
        for _ in 0..MAX_STEPS {
            let ty = surface.symbols[sym.index as usize].ty;
            match ty.map(|ty| surface.whole_expr(ty)) {
                Some(Expr::Builtin) => return true,
                Some(Expr::Name(other)) => {
                    let found = self.lexical(surface, ScopeId::FILE, surface.hash(other), Want::Any);
                    let Some(Found { thing: Thing::Sym(next), .. }) = found else { return false };
                    (surface, sym) = (self.world.surface(next.file), next);
                    if surface.symbols[sym.index as usize].kind != SymbolKind::Macro {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// What a function of the standard library gives: `text.c_str()`, `items.size()`, `std::to_string(n)`.
    fn given_by_library(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        step: u32,
    ) -> Written<'w> {
        let Expr::Member(base, name) = at.expr(callee) else { return Written::Unknown };
        match rules::type_given_by_standard(at.names.get(name)) {
            Some(GivenType::Builtin(name)) => Written::Primitive(Cow::Borrowed(name)),
            Some(GivenType::Outside(name)) => Written::Outside(name, None),
            Some(GivenType::Element) => {
                let whole = self.written_of(at, scope, base, step);
                self.element_as(whole, step).unwrap_or(Written::Unknown)
            }
            // `std::string(text)`
            None if rules::is_closed_class(at.names.get(name)) => Written::Outside(at.names.get(name), None),
            None => Written::Unknown,
        }
    }

    /// The type that a type expression stands for.
    pub(super) fn written_as(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        ty: ExprId,
        step: u32,
    ) -> Written<'w> {
        if step > MAX_STEPS {
            return Written::Unknown;
        }
        match at.whole_expr(ty) {
            Expr::Primitive(name) => Written::Primitive(Cow::Borrowed(at.names.get(name))),
            Expr::Generic(inner, _) => {
                let pointed = self.written_as(at, scope, inner, step + 1);
                match (at.pointer_mark(ty), pointed) {
                    (Some((_, "&&")), ty) => ty,
                    (Some((_, "^")), Written::Class(sym, _)) => {
                        Written::Class(sym, Indirection::SmartPointer)
                    }
                    (Some((_, "?")), Written::Class(sym, _)) => Written::Class(sym, Indirection::Unknown),
                    (Some((_, mark)), Written::Class(sym, pointers)) => {
                        Written::Class(sym, pointers.behind(stars(mark).len()))
                    }
                    // An alias of a built-in type.
                    (Some((_, mark)), Written::Primitive(name)) => {
                        let is_const = mark.starts_with("const ") && !name.ends_with('*');
                        let name = format!("{}{name}{}", if is_const { "const " } else { "" }, stars(mark));
                        Written::Primitive(Cow::Owned(name))
                    }
                    (Some(_), Written::Outside(..)) => Written::Unknown,
                    (_, pointed) => pointed,
                }
            }
            Expr::Instance(inner) => self.written_as(at, scope, inner, step + 1),
            Expr::Name(name) | Expr::Member(_, name) => {
                self.named(at, scope, (ty, ty), at.names.get(name), step)
            }
            Expr::Apply(base, _) => match at.expr(base) {
                Expr::Name(name) | Expr::Member(_, name) => {
                    self.named(at, scope, (base, ty), at.names.get(name), step)
                }
                _ => Written::Unknown,
            },
            Expr::This => self.evaluated_as(at, scope, ty),
            _ => Written::Unknown,
        }
    }

    fn named(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        (named, whole): (ExprId, ExprId),
        name: &'w str,
        step: u32,
    ) -> Written<'w> {
        let outside = || Written::Outside(name, Some((at, scope, whole)));
        match self.type_of(at, scope, named) {
            Some(Found { thing: Thing::Sym(sym), .. }) => {
                let surface = self.world.surface(sym.file);
                let symbol = surface.symbols[sym.index as usize];
                match (symbol.kind, symbol.ty) {
                    (SymbolKind::TypeAlias, Some(ty)) if symbol.type_params.is_none() => {
                        match self.written_as(surface, symbol.parent, ty, step + 1) {
                            // What an alias says of plain pointers is not kept.
                            Written::Class(sym, Indirection::Pointers(_)) => {
                                Written::Class(sym, Indirection::Unknown)
                            }
                            ty => ty,
                        }
                    }
                    // `#define CHAR char`
                    (SymbolKind::Macro, Some(ty)) if let Expr::Primitive(name) = surface.whole_expr(ty) => {
                        Written::Primitive(Cow::Borrowed(surface.names.get(name)))
                    }
                    (SymbolKind::TypeAlias, _) => Written::Unknown,
                    (kind, _) if kind.is_type() => Written::Class(sym, Indirection::NONE),
                    _ => Written::Unknown,
                }
            }
            Some(Found { thing: Thing::External, .. }) | None => outside(),
            _ => Written::Unknown,
        }
    }
}

/// The pointers that a mark stands for.
fn stars(mark: &str) -> &str {
    mark.trim_start_matches("const ")
}

fn pointed(ty: Written<'_>) -> Written<'_> {
    match ty {
        Written::Primitive(name) => match name.strip_suffix('*') {
            Some(inner) if inner.ends_with('*') => Written::Primitive(Cow::Owned(inner.to_owned())),
            Some(inner) => Written::Primitive(Cow::Owned(inner.trim_start_matches("const ").to_owned())),
            None => Written::Unknown,
        },
        Written::Class(sym, pointers) => Written::Class(sym, pointers.followed()),
        Written::Unknown | Written::Outside(..) => Written::Unknown,
    }
}

fn address(ty: Written<'_>) -> Written<'_> {
    match ty {
        Written::Primitive(name) => Written::Primitive(Cow::Owned(format!("{name}*"))),
        Written::Class(sym, pointers) => Written::Class(sym, pointers.behind(1)),
        Written::Unknown | Written::Outside(..) => Written::Unknown,
    }
}

impl Written<'_> {
    /// Whether two types are known to be different ones.
    pub(super) fn is_other(&self, other: &Written<'_>) -> bool {
        match (self, other) {
            (Written::Unknown, _) | (_, Written::Unknown) => false,
            (Written::Primitive(one), Written::Primitive(other)) => one != other,
            (Written::Class(one, _), Written::Class(other, _)) => one != other,
            (Written::Outside(one, _), Written::Outside(other, _)) => one != other,
            // A name from outside may be another one for a built-in type.
            (Written::Outside(name, _), Written::Primitive(_))
            | (Written::Primitive(_), Written::Outside(name, _)) => rules::is_closed_class(name),
            _ => true,
        }
    }
}
