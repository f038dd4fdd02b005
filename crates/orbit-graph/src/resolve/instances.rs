//! Values of types.

use super::generics::{Bindings, MAX_NESTING};
use super::key::Key;
use super::lookup::{Found, Resolver, Thing, Want};
use super::surface::{Surface, SymRef};
use super::types::{EXTERNAL, MAX_DEPTH, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, Lang, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// A value of a type; aliases are followed.
    pub(super) fn instance_of(&mut self, ty: Val) -> Val {
        let imported = ty.imported;
        match ty.what {
            What::Sym(sym) => self.instance(Found { thing: Thing::Sym(sym), imported }),
            What::Apply(Some(sym), args) if self.is_of_go(sym) => {
                let value = self.instance_of_defined(sym, args, imported);
                value.unwrap_or(Val { what: What::InstanceOfApply(Some(sym), args), imported })
            }
            What::Apply(Some(sym), args) => match self.aliased_type(sym, ty) {
                Some(aliased) => {
                    self.expanding.push(sym);
                    let value = self.instance_of(aliased);
                    self.expanding.pop();
                    value
                }
                None => Val { what: What::InstanceOfApply(Some(sym), args), imported },
            },
            What::Apply(None, args) => Val { what: What::InstanceOfApply(None, args), imported },
            What::Param(parameter) => Val { what: What::InstanceOfParam(parameter), imported },
            What::Tuple(first, count) => Val { what: What::InstanceOfTuple(first, count), imported },
            What::Union(first, count) => {
                let parts: SmallVec<[Val; 4]> =
                    self.parts(first, count).into_iter().map(|part| self.instance_of(part)).collect();
                let value = self.one_of(&parts);
                Val { imported: imported || value.imported, ..value }
            }
            What::Intersection(first, count) => {
                let parts: SmallVec<[Val; 4]> =
                    self.parts(first, count).into_iter().map(|part| self.instance_of(part)).collect();
                let first = self.arguments.len() as u32;
                self.arguments.extend_from_slice(&parts);
                Val { what: What::Intersection(first, count), imported }
            }
            What::Callable(_) | What::Shape(_) | What::External => ty,
            What::Class(class) => self.arguments[class as usize],
            _ => UNKNOWN,
        }
    }

    /// The type whose value is a class.
    pub(super) fn class_of(&mut self, class: Val) -> Val {
        match class.what {
            What::Sym(_) | What::Apply(Some(_), _) | What::Param(_) | What::Union(..) => {
                self.arguments.push(class);
                let at = self.arguments.len() as u32 - 1;
                Val { what: What::Class(at), imported: class.imported }
            }
            What::External => EXTERNAL,
            _ => UNKNOWN,
        }
    }

    /// `type[Foo]`, `typeof x`.
    pub(super) fn class_type(&mut self, at: &'w Surface, scope: ScopeId, named: ExprId) -> Val {
        if at.family() != Family::Script {
            let class = self.eval_open_type(at, scope, named);
            return self.class_of(class);
        }
        let value = self.eval_open(at, scope, named);
        self.type_of_given(value)
    }

    /// The type of a value that is handed on; of a class, the type that it is the value of.
    pub(super) fn type_of_given(&mut self, value: Val) -> Val {
        let What::Sym(sym) = value.what else { return self.type_of_argument(value) };
        let surface = self.world.surface(sym.file);
        let is_class = surface.symbols[sym.index as usize].kind == SymbolKind::Class;
        if is_class && matches!(surface.family(), Family::Script | Family::Python) {
            return self.class_of(value);
        }
        self.type_of_argument(value)
    }

    /// The type that an alias with these type arguments stands for.
    pub(super) fn aliased_type(&mut self, alias: SymRef, ty: Val) -> Option<Val> {
        let surface = self.world.surface(alias.file);
        let symbol = surface.symbols[alias.index as usize];
        if symbol.kind != SymbolKind::TypeAlias || symbol.type_params.is_none() || self.depth >= MAX_DEPTH {
            return None;
        }
        // An alias may stand for itself with other arguments, in a branch of a conditional type.
        let is_open = self.expanding.len() < MAX_NESTING as usize && !self.expanding.contains(&alias);
        let aliased = symbol.ty.filter(|_| is_open && !surface.has_members(alias.index as usize))?;
        self.depth += 1;
        let aliased = self.eval_head(surface, symbol.parent, alias, aliased);
        let bindings = Bindings::of(ty);
        let aliased = self.put_in(aliased, &bindings, 0);
        self.depth -= 1;
        let is_known = match aliased.what {
            What::Unknown | What::Module(_) => false,
            // `type Index<T> = T;` is what it is given, perhaps a parameter of who gives it.
            What::Param(number) => {
                let is_given = self.parameters[number as usize].owner != alias;
                surface.family() == Family::Rust && is_given
            }
            _ => true,
        };
        is_known.then_some(Val { imported: ty.imported || aliased.imported, ..aliased })
    }

    pub(super) fn type_list(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId) -> (u32, u32) {
        let parts: Vec<Val> = at.items(list).map(|part| self.eval_open_type(at, scope, part)).collect();
        let first = self.arguments.len() as u32;
        self.arguments.extend(&parts);
        (first, parts.len() as u32)
    }

    pub(super) fn instance(&mut self, found: Found) -> Val {
        let Thing::Sym(sym) = found.thing else { return UNKNOWN };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        match (symbol.kind, symbol.ty) {
            (SymbolKind::TypeAlias, Some(ty)) => {
                let aliased = self.eval_type(surface, symbol.parent, ty);
                match aliased.what {
                    // `typedef struct X X;` names the struct of the same name.
                    What::Sym(next) if next == sym => self.namesake(sym, symbol.key, found.imported),
                    // `type A B` of Go is a type of its own that holds what B holds.
                    What::Apply(None, args) if surface.family() == Family::Go => {
                        Val { what: What::InstanceOfApply(Some(sym), args), imported: found.imported }
                    }
                    _ if surface.family() == Family::Go => {
                        Val { what: What::Instance(sym), imported: found.imported }
                    }
                    // `type A = B & { c(): void }` has members of its own.
                    _ if surface.has_members(sym.index as usize) => {
                        Val { what: What::Instance(sym), imported: found.imported }
                    }
                    What::Sym(_)
                    | What::Apply(..)
                    | What::Tuple(..)
                    | What::Union(..)
                    | What::Intersection(..)
                    | What::Class(_)
                        if self.depth < MAX_DEPTH =>
                    {
                        self.depth += 1;
                        let value =
                            self.instance_of(Val { imported: found.imported || aliased.imported, ..aliased });
                        self.depth -= 1;
                        value
                    }
                    What::External => EXTERNAL,
                    _ => Val { what: What::Instance(sym), imported: found.imported },
                }
            }
            // What a function of a script makes when it is called with `new`.
            (SymbolKind::Function, _) if surface.family() == Family::Script => {
                Val { what: What::Instance(sym), imported: found.imported }
            }
            (kind, _) if kind.is_type() || matches!(kind, SymbolKind::Variant | SymbolKind::Module) => {
                Val { what: What::Instance(sym), imported: found.imported }
            }
            _ => UNKNOWN,
        }
    }

    /// What has no symbol: a member of an object of a script that no symbol holds, and in C++ `entry.second`, where an entry
    /// of a map stands for the value in it; and the extensions of Kotlin, which are no members.
    pub(super) fn entry_value(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        match at.expr(expr) {
            Expr::Member(base, name) if at.family() == Family::Native && at.names.get(name) == "second" => {
                self.eval(at, scope, base)
            }
            Expr::Member(base, name) if at.lang == Lang::Kotlin => {
                self.extension_value((at, scope), base, at.hash(name))
            }
            Expr::Member(base, name) if at.family() == Family::Script => {
                let value = self.eval(at, scope, base);
                self.part_of_shape(value, at.hash(name), 0)
            }
            _ => UNKNOWN,
        }
    }

    fn namesake(&mut self, alias: SymRef, key: Key, imported: bool) -> Val {
        let world = self.world;
        let is_other_type = |sym: &SymRef| {
            let kind = world.surface(sym.file).symbols[sym.index as usize].kind;
            *sym != alias && kind.is_type() && kind != SymbolKind::TypeAlias
        };
        let others: SmallVec<[SymRef; 2]> = self.defs(key).into_iter().filter(is_other_type).collect();
        match self.pick(&others, Want::Type, world.surface(alias.file)) {
            Some(sym) => Val { what: What::Instance(sym), imported },
            None => UNKNOWN,
        }
    }
}
