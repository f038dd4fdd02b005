//! Type parameters, and what stands for them where a generic type or function is used.
//!
//! An expression inside a generic declaration is evaluated once, with its type parameters left open
//! ([`What::Param`]). Where a member is reached through a receiver, or a function is called, what stands for each
//! parameter is put in: from the receiver's type arguments, through the supertypes that lead to the declaration;
//! from the type arguments written at the call; else from the types of the arguments. What stays open is its bound.

use super::functions::Signature;
use super::lookup::{Found, Resolver, Thing};
use super::surface::{Surface, SymRef};
use super::types::{Args, MAX_DEPTH, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, NameId, ScopeId, SymbolKind};
use smallvec::SmallVec;

/// How deep types are nested into each other, and how many supertypes lie between a type and a declaration.
pub(super) const MAX_NESTING: u32 = 8;

/// How many type arguments are kept while one file is resolved; beyond it, parameters stand for their bounds.
const MAX_ARGUMENTS: usize = 1 << 18;

/// A type parameter of a declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(super) owner: SymRef,
    pub(super) index: u32,
    /// As a type.
    pub(super) bound: Val,
}

/// What stands for the type parameters in a place.
pub(super) struct Bindings {
    /// The function that is called, and what stands for its own parameters.
    pub(super) callee: Option<SymRef>,
    pub(super) inferred: SmallVec<[Val; 4]>,
    /// What a member is reached through: a value, or a type.
    pub(super) receiver: Val,
    /// The `impl` block whose function is called on its type, and what stands for the parameters of the block.
    pub(super) block: Option<(SymRef, SmallVec<[Val; 4]>)>,
}

impl Bindings {
    /// What a receiver says alone.
    pub(super) fn of(receiver: Val) -> Bindings {
        Bindings { callee: None, inferred: SmallVec::new(), receiver, block: None }
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// The type parameter that a name means in a scope; its bound when no declaration round it has it.
    pub(super) fn type_parameter(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        name: NameId,
        bound: ExprId,
    ) -> Val {
        let head = self.head.filter(|head| head.file == at.file).map(|head| head.index as usize);
        let outer = std::iter::successors(scope.symbol(), |index| at.symbols[*index].parent.symbol());
        for index in head.into_iter().chain(outer) {
            let Some(list) = at.symbols[index].type_params else { continue };
            // The declaration's own bound: what a function says of it besides counts in the function alone.
            let bound_in = |(place, item)| match at.whole_expr(item) {
                Expr::Parameter(other, bound) if other == name => Some((place, bound)),
                _ => None,
            };
            if let Some((place, declared)) = at.items(list).enumerate().find_map(bound_in) {
                return self.parameter(at, at.sym(index), scope, place as u32, declared);
            }
        }
        self.eval_open_type(at, scope, bound)
    }

    fn parameter(
        &mut self,
        at: &'w Surface,
        owner: SymRef,
        scope: ScopeId,
        index: u32,
        bound: ExprId,
    ) -> Val {
        let known = self.parameters.iter().position(|known| known.owner == owner && known.index == index);
        let number = known.unwrap_or_else(|| {
            // Known before its bound is looked at, which may name it.
            self.parameters.push(Parameter { owner, index, bound: UNKNOWN });
            let number = self.parameters.len() - 1;
            let declared = self.bound_by_receiver(at, owner, index);
            let bound = declared.unwrap_or_else(|| self.eval_open_type(at, scope, bound));
            self.parameters[number].bound = bound;
            number
        });
        Val { what: What::Param(number as u32), imported: false }
    }

    /// A generic type with its arguments.
    pub(super) fn applied(&mut self, at: &'w Surface, scope: ScopeId, base: ExprId, element: ExprId) -> Val {
        let list = if let Expr::Generic(_, list) = at.whole_expr(base) { Some(list) } else { None };
        let base = self.eval_type(at, scope, base);
        let element = self.eval_open_type(at, scope, element);
        let mut all: SmallVec<[Val; 4]> = SmallVec::new();
        match list {
            Some(list) => all.extend(at.items(list).map(|item| self.eval_open_type(at, scope, item))),
            None => all.push(element),
        }
        let args = self.args(element, &all);
        let sym = if let What::Sym(sym) = base.what { Some(sym) } else { None };
        Val { what: What::Apply(sym, args), imported: base.imported }
    }

    pub(super) fn args(&mut self, element: Val, all: &[Val]) -> Args {
        let at = self.arguments.len() as u32;
        self.arguments.push(element);
        self.arguments.extend_from_slice(all);
        Args { element: at, count: all.len() as u32 }
    }

    pub(super) fn all_args(&self, args: Args) -> SmallVec<[Val; 4]> {
        let first = args.element as usize + 1;
        self.arguments[first..first + args.count as usize].iter().copied().collect()
    }

    /// A value with what is still open at its outside replaced by its bound.
    pub(super) fn closed(&mut self, value: Val) -> Val {
        let mut value = value;
        for _ in 0..MAX_NESTING {
            value = match value.what {
                // What a template is given by default says nothing of its own code.
                What::Param(number) | What::InstanceOfParam(number) if self.is_of_template(number) => {
                    return UNKNOWN;
                }
                What::Param(number) => self.parameters[number as usize].bound,
                What::InstanceOfParam(number) => {
                    let bound = self.parameters[number as usize].bound;
                    self.instance_of(bound)
                }
                _ => return value,
            };
        }
        UNKNOWN
    }

    pub(super) fn is_open(&self, value: Val, depth: u32) -> bool {
        if depth > MAX_NESTING {
            return false;
        }
        let any = |first: u32, count: u32| {
            (first..first + count).any(|at| self.is_open(self.arguments[at as usize], depth + 1))
        };
        match value.what {
            What::Param(_) | What::InstanceOfParam(_) => true,
            What::Class(class) => any(class, 1),
            What::Apply(_, args) | What::InstanceOfApply(_, args) => any(args.element, args.count + 1),
            What::Tuple(first, count)
            | What::InstanceOfTuple(first, count)
            | What::Union(first, count)
            | What::Intersection(first, count) => any(first, count),
            // What its parameters are is looked at when they are asked for.
            What::Callable(number) | What::Shape(number) => {
                self.signatures[number as usize].receiver.what == What::Unknown
            }
            _ => false,
        }
    }

    /// The value that a name or member has where it is used: what its declaration leaves open is taken from
    /// the receiver.
    pub(super) fn seen_from(&mut self, value: Val, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        if !self.is_open(value, 0) {
            return value;
        }
        let receiver = self.receiver_of(at, scope, expr);
        self.put_in(value, &Bindings::of(receiver), 0)
    }

    /// A value with what its declaration leaves open taken from a receiver.
    pub(super) fn seen_through(&mut self, value: Val, receiver: Val) -> Val {
        if !self.is_open(value, 0) {
            return value;
        }
        self.put_in(value, &Bindings::of(receiver), 0)
    }

    /// The result of a call where it stands.
    pub(super) fn instantiated(
        &mut self,
        result: Val,
        at: &'w Surface,
        scope: ScopeId,
        callee: ExprId,
        sym: SymRef,
    ) -> Val {
        if !self.is_open(result, 0) {
            return result;
        }
        let receiver = self.receiver_of(at, scope, callee);
        let mut bindings = Bindings { callee: Some(sym), ..Bindings::of(receiver) };
        self.infer(at, scope, callee, sym, &mut bindings);
        self.put_in(result, &bindings, 0)
    }

    /// What stands before the last name of an expression, or the type that its code belongs to.
    fn receiver_of(&mut self, at: &'w Surface, scope: ScopeId, expr: ExprId) -> Val {
        match at.expr(expr) {
            Expr::Member(base, _) => self.eval(at, scope, base),
            Expr::Apply(base, _) => self.receiver_of(at, scope, base),
            _ => match self.this_type(at, scope) {
                Some(Found { thing: Thing::Sym(sym), imported }) => {
                    Val { what: What::Instance(sym), imported }
                }
                _ => UNKNOWN,
            },
        }
    }

    /// Puts what stands for type parameters into a value or type.
    pub(super) fn put_in(&mut self, value: Val, bindings: &Bindings, depth: u32) -> Val {
        // Templates that contain themselves grow with every step.
        if depth > MAX_NESTING || self.arguments.len() > MAX_ARGUMENTS || !self.is_open(value, 0) {
            return value;
        }
        let imported = value.imported;
        match value.what {
            What::Param(number) => self.bound_to(number, bindings, depth).unwrap_or(value),
            What::InstanceOfParam(number) => match self.bound_to(number, bindings, depth) {
                Some(ty) => self.instance_of(ty),
                None => value,
            },
            What::Apply(sym, args) => {
                Val { what: What::Apply(sym, self.put_in_args(args, bindings, depth)), imported }
            }
            What::InstanceOfApply(sym, args) => {
                Val { what: What::InstanceOfApply(sym, self.put_in_args(args, bindings, depth)), imported }
            }
            What::Class(class) => {
                Val { what: What::Class(self.put_in_parts(class, 1, bindings, depth)), imported }
            }
            What::Tuple(first, count) => {
                Val { what: What::Tuple(self.put_in_parts(first, count, bindings, depth), count), imported }
            }
            What::InstanceOfTuple(first, count) => {
                let first = self.put_in_parts(first, count, bindings, depth);
                Val { what: What::InstanceOfTuple(first, count), imported }
            }
            What::Union(first, count) => {
                let first = self.put_in_parts(first, count, bindings, depth);
                Val { what: What::Union(first, count), imported }
            }
            What::Intersection(first, count) => {
                let first = self.put_in_parts(first, count, bindings, depth);
                Val { what: What::Intersection(first, count), imported }
            }
            What::Callable(number) | What::Shape(number) => {
                let signature = self.signatures[number as usize];
                let family = self.world.surface(signature.file).family();
                let bound = match signature.bound {
                    None if matches!(family, Family::Script | Family::Go) => self.keep_inferred(bindings),
                    bound => bound,
                };
                let signature = Signature { receiver: bindings.receiver, bound, ..signature };
                let is_shape = matches!(value.what, What::Shape(_));
                let value = if is_shape { self.shape_of(signature) } else { self.callable(signature) };
                Val { imported, ..value }
            }
            _ => value,
        }
    }

    fn put_in_args(&mut self, args: Args, bindings: &Bindings, depth: u32) -> Args {
        let element = self.put_in_parts(args.element, args.count + 1, bindings, depth);
        Args { element, count: args.count }
    }

    fn put_in_parts(&mut self, first: u32, count: u32, bindings: &Bindings, depth: u32) -> u32 {
        let parts: SmallVec<[Val; 4]> =
            self.arguments[first as usize..(first + count) as usize].iter().copied().collect();
        let parts: SmallVec<[Val; 4]> =
            parts.into_iter().map(|part| self.put_in(part, bindings, depth + 1)).collect();
        let at = self.arguments.len() as u32;
        self.arguments.extend_from_slice(&parts);
        at
    }

    /// The type that stands for a parameter.
    fn bound_to(&mut self, number: u32, bindings: &Bindings, depth: u32) -> Option<Val> {
        let Parameter { owner, index, bound } = self.parameters[number as usize];
        let found = if bindings.callee == Some(owner) {
            bindings.inferred.get(index as usize).copied()
        } else if let Some((_, inferred)) = bindings.block.as_ref().filter(|(block, _)| *block == owner) {
            inferred.get(index as usize).copied()
        } else {
            self.argument_of(bindings.receiver, owner, index, depth)
        };
        let is_known = |found: &Val| found.what != What::Unknown && found.what != What::Param(number);
        let is_default = self.is_of_template(number) && found.is_none();
        found.filter(is_known).or_else(|| {
            let is_said = matches!(bindings.receiver.what, What::Apply(..) | What::InstanceOfApply(..));
            (is_default && is_said).then(|| self.put_in(bound, bindings, depth + 1)).filter(is_known)
        })
    }

    /// The type argument that a receiver has for a parameter of a type or `impl` block that it belongs to.
    fn argument_of(&mut self, receiver: Val, owner: SymRef, index: u32, depth: u32) -> Option<Val> {
        if depth > MAX_NESTING || self.depth >= MAX_DEPTH {
            return None;
        }
        let (sym, args) = match receiver.what {
            What::Apply(Some(sym), args) | What::InstanceOfApply(Some(sym), args) => (sym, Some(args)),
            What::Sym(sym) | What::Instance(sym) => (sym, None),
            _ => return None,
        };
        if self.is_same_type(sym, owner) || self.is_part_of(sym, owner) {
            return self.all_args(args?).get(index as usize).copied();
        }
        let surface = self.world.surface(owner.file);
        let block = surface.symbols[owner.index as usize];
        if block.kind == SymbolKind::Impl {
            let scope = ScopeId::of_symbol(owner.index as usize);
            let pattern = self.eval_open_type(surface, scope, block.ty?);
            let ty = match receiver.what {
                What::InstanceOfApply(sym, args) => Val { what: What::Apply(sym, args), ..receiver },
                _ => receiver,
            };
            let count = surface.items(block.type_params?).count();
            let mut found: SmallVec<[Val; 4]> = SmallVec::from_elem(UNKNOWN, count);
            // What the type and the one that the block names have in common may lead back here.
            self.depth += 1;
            self.unify(pattern, ty, owner, &mut found, depth);
            self.depth -= 1;
            return found.get(index as usize).copied();
        }
        self.depth += 1;
        let supers = self.generic_supers(sym);
        let mut found = None;
        for parent in supers.iter() {
            let bindings = Bindings::of(receiver);
            let parent = self.put_in(*parent, &bindings, depth + 1);
            found = self.argument_of(parent, owner, index, depth + 1);
            if found.is_some() {
                break;
            }
        }
        self.depth -= 1;
        found
    }
}
