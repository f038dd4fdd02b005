//! Types of Rust that the repository does not declare, as far as they are written down.

use super::borrows::{Layer, Layers};
use super::key::hash_name;
use super::lookup::{MAX_DEPTH, Resolver, Thing, Want};
use super::rules::{self, LibraryResult, LibraryType};
use super::surface::{Surface, SymRef};
use super::types::What;
use super::world::World;
use orbit_extract::{Expr, ExprId, RawRef, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// The type of a value, where it comes from outside of the repository and is written down.
    pub(super) fn outside_type(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        expr: ExprId,
        depth: u32,
    ) -> Option<Outside> {
        if depth > 6 {
            return None;
        }
        if let Some((inner, mark)) = at.pointer_mark(expr) {
            return match mark {
                "[_]" => Some(Outside::Array(written_element(at, inner))),
                "vec" => Some(Outside::Named { name: hash_name("Vec"), element: written_element(at, inner) }),
                "[..]" => self.part_of(at, scope, inner, depth),
                _ => self.outside_type(at, scope, inner, depth),
            };
        }
        match at.expr(expr) {
            Expr::Primitive(name) => Some(Outside::named(at.hash(name))),
            Expr::Instance(ty) => self.outside_type_of(at, scope, ty),
            Expr::Apply(..) => self.outside_type_of(at, scope, expr),
            Expr::Values(parts) => Some(Outside::Tuple(at.items(parts).count())),
            Expr::Name(name) if is_primitive(at.names.get(name)) => Some(Outside::named(at.hash(name))),
            Expr::This => {
                let mut outer =
                    std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
                let block = outer.find(|index| at.symbols[*index].kind == SymbolKind::Impl)?;
                self.outside_type_of(at, ScopeId::of_symbol(block), at.symbols[block].ty?)
            }
            Expr::Member(base, name)
                if let Expr::Primitive(number) | Expr::Name(number) = at.expr(base)
                    && is_primitive(at.names.get(number)) =>
            {
                let ty = type_of_constant(at.names.get(number), at.names.get(name))?;
                Some(Outside::named(hash_name(ty)))
            }
            Expr::Name(_) | Expr::Member(..) => {
                let Thing::Sym(sym) = self.thing_of(at, scope, expr, Want::Prefix)?.thing else {
                    return None;
                };
                self.outside_type_of_symbol(sym, depth)
            }
            Expr::Call(callee) => {
                if let Some(Thing::Sym(sym)) = self.callee_of(at, scope, callee).map(|found| found.thing) {
                    return self.outside_type_of_symbol(sym, depth);
                }
                let Expr::Member(base, name) = at.expr(callee) else { return None };
                self.made_by_library(at, scope, base, at.names.get(name), depth)
            }
            _ => None,
        }
    }

    /// `list[1..]`: a part of a list is a slice, one of a text a text.
    fn part_of(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId, depth: u32) -> Option<Outside> {
        if at.expr(list) == Expr::Builtin {
            return Some(Outside::Slice(None));
        }
        let Expr::Element(whole) = at.expr(written_items(at, list)?) else { return None };
        match self.outside_type(at, scope, whole, depth + 1)? {
            Outside::Slice(element) | Outside::Array(element) => Some(Outside::Slice(element)),
            whole => {
                whole.dereferenced().or(Some(whole).filter(|it| it.library_type() == Some(LibraryType::Text)))
            }
        }
    }

    /// What a function or method of strings and vectors gives: `String::from(x)`, `text.as_bytes()`.
    fn made_by_library(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        base: ExprId,
        name: &str,
        depth: u32,
    ) -> Option<Outside> {
        if matches!(name, "new" | "from" | "with_capacity" | "from_iter" | "default") {
            let made = self.outside_type_of(at, scope, base)?;
            let is_made = match made.library_type() {
                Some(LibraryType::String | LibraryType::Vector) => true,
                Some(LibraryType::Integer | LibraryType::Float) => name == "from",
                _ => false,
            };
            return Some(made).filter(|_| is_made);
        }
        let value = self.outside_type(at, scope, base, depth + 1)?;
        rules::library_result(value.library_type()?, name).map(|given| match given {
            LibraryResult::Same => value,
            LibraryResult::Text => Outside::named(hash_name("str")),
            LibraryResult::String => Outside::named(hash_name("String")),
            LibraryResult::Bytes => Outside::Slice(Some(hash_name("u8"))),
            LibraryResult::Vector => {
                let element = match value {
                    Outside::Slice(element) | Outside::Array(element) | Outside::Named { element, .. } => {
                        element
                    }
                    Outside::Tuple(_) => None,
                };
                Outside::Named { name: hash_name("Vec"), element }
            }
        })
    }

    fn outside_type_of_symbol(&mut self, sym: SymRef, depth: u32) -> Option<Outside> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        if symbol.kind.is_type() || symbol.kind == SymbolKind::Variant {
            return None;
        }
        self.outside_type(surface, ScopeId::of_symbol(sym.index as usize), symbol.ty?, depth + 1)
    }

    /// A type from outside of the repository, as it is written.
    fn outside_type_of(&mut self, at: &'w Surface, scope: ScopeId, ty: ExprId) -> Option<Outside> {
        match at.expr(ty) {
            Expr::Primitive(name) => Some(Outside::named(at.hash(name))),
            Expr::Apply(base, element) if at.expr(base) == Expr::Builtin => {
                let element = element_name(at, element);
                Some(if is_array(at, base) { Outside::Array(element) } else { Outside::Slice(element) })
            }
            Expr::Apply(base, element) => {
                let Outside::Named { name, .. } = self.outside_type_of(at, scope, base)? else { return None };
                Some(Outside::Named { name, element: element_name(at, element) })
            }
            Expr::Instance(base) => self.outside_type_of(at, scope, base),
            Expr::Tuple(parts) => Some(Outside::Tuple(at.items(parts).count())),
            Expr::Builtin => Some(Outside::Tuple(0)),
            Expr::Name(name) | Expr::Member(_, name) => {
                match self.type_of(at, scope, ty).map(|found| found.thing) {
                    Some(Thing::External) => Some(Outside::named(at.hash(name))),
                    Some(Thing::Sym(sym)) => self.outside_alias(sym),
                    None if is_prelude(at.names.get(name)) => Some(Outside::named(at.hash(name))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What an alias stands for.
    fn outside_alias(&mut self, sym: SymRef) -> Option<Outside> {
        let at = self.world.surface(sym.file);
        let alias = at.symbols[sym.index as usize];
        let is_plain = alias.kind == SymbolKind::TypeAlias && alias.type_params.is_none();
        let ty = alias.ty.filter(|_| is_plain && self.depth < MAX_DEPTH)?;
        self.depth += 1;
        let meant = self.outside_type_of(at, alias.parent, ty);
        self.depth -= 1;
        meant
    }

    /// `Value::from(x)` where a type has many implementations of `From`: the one for the type of the argument.
    pub(super) fn conversion(&mut self, row: &RawRef, base: ExprId, args: ExprId) -> Option<SymRef> {
        let own = self.own;
        let ty = self.eval_type(own, row.scope, base);
        let (What::Sym(ty) | What::Apply(Some(ty), _)) = ty.what else { return None };
        let type_name = self.world.surface(ty.file).symbols[ty.index as usize].name;
        let members = self.impl_members(ty, type_name, own.hash(row.name));
        if !self.is_one_of_many(&members) {
            return None;
        }
        self.converting(row.scope, args, &members)
    }

    /// Of the functions of several `impl From<X>` blocks the one that takes the argument of a call in the own file.
    pub(super) fn converting(&mut self, scope: ScopeId, args: ExprId, members: &[SymRef]) -> Option<SymRef> {
        let own = self.own;
        let argument = own.items(args).next()?;
        let layers = self.layers(own, scope, argument, 0);
        let given = match self.eval(own, scope, argument).what {
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => Given::Here(sym),
            _ => Given::Outside {
                ty: self.outside_type(own, scope, argument, 0)?,
                is_literal: own.items(args).nth(1).is_some(),
            },
        };
        let mut taking = SmallVec::<[SymRef; 2]>::new();
        for member in members.iter().copied() {
            if self.converts(member, given, layers.as_ref())? {
                taking.push(member);
            }
        }
        if let [only] = taking[..] { Some(only) } else { None }
    }

    /// Whether a method of an `impl From<X>` block is the one for a type; `None` where that cannot be told.
    fn converts(&mut self, member: SymRef, given: Given, layers: Option<&Layers>) -> Option<bool> {
        let at = self.world.surface(member.file);
        let symbol = at.symbols[member.index as usize];
        if symbol.inactive {
            return Some(false);
        }
        let relation = at.relations.iter().find(|relation| relation.owner == symbol.parent)?;
        let Expr::Apply(_, from) = at.expr(relation.to) else { return Some(false) };
        if matches!(at.expr(from), Expr::Parameter(..)) {
            return Some(false);
        }
        // A pointer of the standard library is kept as a type where it is converted.
        let held = match at.expr(from) {
            Expr::Apply(pointer, held) if at.last_name(pointer).is_some_and(rules::is_pointer) => Some(held),
            _ => None,
        };
        let wanted = self.layers_of_type(at, relation.scope, held.unwrap_or(from), 0);
        let wanted: Option<Layers> =
            wanted.map(|layers| held.map(|_| Layer::Owning).into_iter().chain(layers).collect());
        let is_known = match (layers, wanted) {
            (Some(given), Some(wanted)) if *given != wanted => return Some(false),
            (Some(_), Some(_)) => true,
            _ => false,
        };
        let from = if is_known { held.unwrap_or(from) } else { from };
        let here = match self.eval_type(at, relation.scope, from).what {
            What::Sym(sym) | What::Apply(Some(sym), _) => Some(sym),
            _ => None,
        };
        match given {
            Given::Here(sym) => Some(here == Some(sym)),
            Given::Outside { .. } if here.is_some() => Some(false),
            Given::Outside { ty, is_literal } => {
                // What a pointer of the standard library leads to looks like the pointer where it is a value.
                if let Some(held) = held.filter(|_| !is_known) {
                    let held = self.outside_type_of(at, relation.scope, held);
                    let is_alike = held.is_some_and(|held| held.is_same(ty));
                    return if is_alike && !is_literal { None } else { Some(false) };
                }
                Some(self.outside_type_of(at, relation.scope, from).is_some_and(|wanted| wanted.is_same(ty)))
            }
        }
    }
}

/// A type that the repository does not declare.
#[derive(Clone, Copy)]
pub(super) enum Outside {
    /// By its name, with the name of its last type argument.
    Named { name: u64, element: Option<u64> },
    /// A slice, by the name of what it holds.
    Slice(Option<u64>),
    /// An array, likewise.
    Array(Option<u64>),
    /// A tuple, by the number of its parts.
    Tuple(usize),
}

impl Outside {
    pub(super) fn named(name: u64) -> Outside {
        Outside::Named { name, element: None }
    }

    /// Whether an `impl` block is for this type.
    pub(super) fn is_of(self, at: &Surface, block: usize) -> bool {
        let block = at.symbols[block];
        match (self, block.ty.map(|ty| at.expr(ty))) {
            (Outside::Tuple(count), Some(Expr::Tuple(parts))) => at.items(parts).count() == count,
            (Outside::Slice(held) | Outside::Array(held), Some(Expr::Apply(base, element)))
                if at.expr(base) == Expr::Builtin =>
            {
                if is_array(at, base) != matches!(self, Outside::Array(_)) {
                    return false;
                }
                matches!(at.expr(element), Expr::Parameter(..) | Expr::Unknown)
                    || element_name(at, element) == held
            }
            (Outside::Named { name, .. }, ty) => block.name == name && !matches!(ty, Some(Expr::Tuple(_))),
            _ => false,
        }
    }

    pub(super) fn library_type(self) -> Option<LibraryType> {
        match self {
            Outside::Named { name, .. } => LibraryType::called(name),
            Outside::Slice(_) | Outside::Array(_) => Some(LibraryType::Slice),
            Outside::Tuple(_) => None,
        }
    }

    /// What it dereferences to, whose methods it has as well.
    pub(super) fn dereferenced(self) -> Option<Outside> {
        let (name, element) = match self {
            Outside::Named { name, element } => (name, element),
            Outside::Array(element) => return Some(Outside::Slice(element)),
            Outside::Slice(_) | Outside::Tuple(_) => return None,
        };
        match LibraryType::called(name)? {
            LibraryType::String => Some(Outside::named(hash_name("str"))),
            LibraryType::Vector => Some(Outside::Slice(element)),
            _ => None,
        }
    }

    /// Whether two types are one, as far as their names tell.
    fn is_same(self, other: Outside) -> bool {
        match (self, other) {
            (Outside::Named { name, element }, Outside::Named { name: other, element: held }) => {
                name == other && (element == held || element.is_none() || held.is_none())
            }
            (Outside::Slice(element), Outside::Slice(held))
            | (Outside::Array(element), Outside::Array(held)) => {
                element == held || element.is_none() || held.is_none()
            }
            (Outside::Tuple(count), Outside::Tuple(other)) => count == other,
            _ => false,
        }
    }
}

/// What a conversion is given.
#[derive(Clone, Copy)]
enum Given {
    /// A value of a type of the repository.
    Here(SymRef),
    /// A value of a type from outside, perhaps written in place.
    Outside { ty: Outside, is_literal: bool },
}

/// What the elements of a collection are called.
fn element_name(at: &Surface, element: ExprId) -> Option<u64> {
    match at.expr(element) {
        _ if matches!(at.whole_expr(element), Expr::Parameter(..)) => None,
        Expr::Primitive(name) => Some(at.hash(name)),
        Expr::Instance(ty) => element_name(at, ty),
        _ => at.last_name(element),
    }
}

/// Whether what a list type is made from stands for an array.
fn is_array(at: &Surface, list: ExprId) -> bool {
    at.pointer_mark(list).is_some_and(|(_, mark)| mark == "[_]")
}

/// The first of the elements that are written in place, where they tell their type.
fn written_items(at: &Surface, list: ExprId) -> Option<ExprId> {
    let Expr::Call(callee) = at.expr(list) else { return None };
    let Expr::With(_, items) = at.whole_expr(callee) else { return None };
    at.items(items).next()
}

/// What their type is called.
fn written_element(at: &Surface, list: ExprId) -> Option<u64> {
    match at.expr(written_items(at, list)?) {
        Expr::Primitive(name) => Some(at.hash(name)),
        Expr::Instance(ty) => element_name(at, ty),
        _ => None,
    }
}

/// The type of a constant that a type of numbers has.
fn type_of_constant<'a>(number: &'a str, name: &str) -> Option<&'a str> {
    match name {
        "MAX" | "MIN" | "EPSILON" | "INFINITY" | "NEG_INFINITY" | "NAN" | "MIN_POSITIVE" => Some(number),
        "BITS" | "RADIX" | "DIGITS" | "MANTISSA_DIGITS" => Some("u32"),
        _ => None,
    }
}

/// Types that are there without an import.
pub(super) fn is_prelude(name: &str) -> bool {
    matches!(name, "String" | "Vec" | "Option" | "Result" | "Box") || is_primitive(name)
}

pub(super) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "char"
            | "str"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "f32"
            | "f64"
    )
}
