//! What is known of Java's library where a file only names it: packages written out, and what methods of its
//! collections give.

use super::key::Key;
use super::lookup::{Found, Resolver, Thing};
use super::names;
use super::rules::{self, Gives};
use super::surface::{Surface, SymRef};
use super::types::{Args, GIVEN, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{Expr, ExprId, Family, Lang, ScopeId};
use smallvec::SmallVec;

/// How many supertypes are looked at.
const MAX_TYPES: usize = 16;

impl<'w, W: World> Resolver<'w, W> {
    /// The package that a dotted name means which means nothing else.
    pub(super) fn package(&mut self, at: &Surface, expr: ExprId) -> Option<Key> {
        let mut names: SmallVec<[u64; 6]> = SmallVec::new();
        let mut rest = expr;
        loop {
            match at.expr(rest) {
                Expr::Member(base, name) => {
                    names.push(at.hash(name));
                    rest = base;
                }
                Expr::Name(name) | Expr::Implied(name, _) => {
                    names.push(at.hash(name));
                    break;
                }
                _ => return None,
            }
        }
        let key = names.iter().rev().fold(Key::root(Family::Jvm), |key, name| key.part(*name));
        (!self.modules(key).is_empty()).then_some(key)
    }

    /// What a method of a library gives that is known from what it is called on.
    pub(super) fn passed_on(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        match at.lang {
            Lang::Java => self.of_collection(at, scope, callee),
            Lang::CSharp => self.of_container(at, scope, callee),
            Lang::Go => self.given_by_go_library(at, scope, callee),
            Lang::Python if let Some(made) = self.allocated(at, scope, callee) => made,
            _ => self.passed_through(at, scope, callee),
        }
    }

    /// `Shop.__new__(Shop)`, `super().__new__(cls)`: a new object of the class that is given, where no class of the
    /// repository says otherwise.
    fn allocated(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Option<Val> {
        let Expr::Member(_, name) = at.expr(callee) else { return None };
        let Expr::With(_, args) = at.whole_expr(callee) else { return None };
        let class = at.items(args).next().filter(|_| at.hash(name) == *names::ALLOCATE)?;
        let class = self.eval_type(at, scope, class);
        Some(self.instance_of(class))
    }

    /// `provider.GetRequiredService<Foo>()`: containers of services, which are not of the repository, give one of the
    /// type that is written.
    fn of_container(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Expr::Member(base, name) = at.expr(callee) else { return UNKNOWN };
        if let Some(gives) = rules::sequence_method(at.names.get(name)) {
            return self.of_sequence(at, scope, base, gives);
        }
        if !rules::gives_service(at.names.get(name)) {
            return UNKNOWN;
        }
        let mut rest = callee;
        loop {
            rest = match at.whole_expr(rest) {
                Expr::With(inner, _) => inner,
                Expr::Generic(_, types) => {
                    let Some(ty) = at.items(types).next() else { return UNKNOWN };
                    let ty = self.eval_open_type(at, scope, ty);
                    return self.instance_of(ty);
                }
                _ => return UNKNOWN,
            };
        }
    }

    /// What a method of a sequence of C# gives. Those of a dictionary hold pairs, which are not followed.
    fn of_sequence(&mut self, at: &'w Surface, scope: ScopeId, base: ExprId, gives: Gives) -> Val {
        let whole = self.eval(at, scope, base);
        match whole.what {
            What::InstanceOfApply(None, args) if args.count < 2 => match gives {
                Gives::Element => {
                    let element = self.arguments[args.element as usize];
                    self.instance_of(element)
                }
                _ => whole,
            },
            _ => UNKNOWN,
        }
    }

    /// What a lambda gets from a method of the library that it is given to.
    pub(super) fn given_by_library_call(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        function: ExprId,
        place: usize,
    ) -> Option<Val> {
        match at.lang {
            Lang::Java => self.given_by_library_method(at, scope, function, place),
            Lang::CSharp if place == 0 => self.given_by_sequence(at, scope, function),
            _ => None,
        }
    }

    /// What a lambda of C# gets from the method of a sequence that it is given to.
    fn given_by_sequence(&mut self, at: &'w Surface, scope: ScopeId, function: ExprId) -> Option<Val> {
        let Expr::Expects(callee, 0) = at.expr(function) else { return None };
        let Expr::Member(base, name) = at.expr(callee) else { return None };
        if !rules::asks_each(at.names.get(name)) || self.callee_of(at, scope, callee).is_some() {
            return None;
        }
        let element = self.of_sequence(at, scope, base, Gives::Element);
        (element != UNKNOWN).then_some(element)
    }

    /// What a method of a collection, map or the like gives that comes from outside of the repository.
    pub(super) fn of_collection(&mut self, at: &'w Surface, scope: ScopeId, callee: ExprId) -> Val {
        let Expr::Member(base, name) = at.expr(callee) else { return UNKNOWN };
        let Some(gives) = rules::collection_method(at.names.get(name)) else { return UNKNOWN };
        let value = self.eval(at, scope, base);
        let args = match value.what {
            What::InstanceOfApply(None, args) => Some(args),
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => self.outside_args(sym),
            What::External => return GIVEN,
            _ => None,
        };
        let Some(args) = args else { return UNKNOWN };
        let all = self.all_args(args);
        let element = self.arguments[args.element as usize];
        let whole = |args| Val { what: What::InstanceOfApply(None, args), imported: value.imported };
        match (gives, all.first()) {
            (Gives::Element, _) => self.instance_of(element),
            (Gives::First, Some(first)) => self.instance_of(*first),
            (Gives::Whole, _) => {
                let args = self.args(element, &[element]);
                whole(args)
            }
            (Gives::Keys, Some(first)) => {
                let args = self.args(*first, &[*first]);
                whole(args)
            }
            (Gives::Entries, _) => {
                let entry = Val { what: What::Apply(None, args), imported: value.imported };
                let args = self.args(entry, &[entry]);
                whole(args)
            }
            _ => UNKNOWN,
        }
    }

    /// `items.forEach(item -> …)`: what a method of a collection, map, stream or the like hands to the lambda that it is
    /// given. `None` where the method is one of the repository.
    fn given_by_library_method(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        function: ExprId,
        place: usize,
    ) -> Option<Val> {
        let Expr::Expects(callee, _) = at.expr(function) else { return None };
        let Expr::Member(base, name) = at.expr(callee) else { return None };
        if let Some(Found { thing: Thing::Sym(_), .. }) = self.callee_of(at, scope, callee) {
            return None;
        }
        let value = self.eval(at, scope, base);
        let args = match value.what {
            What::InstanceOfApply(None, args) => Some(args),
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => self.outside_args(sym),
            What::External => return Some(GIVEN),
            _ => None,
        };
        let name = at.names.get(name);
        let Some(args) = args.filter(|_| rules::gives_elements(name)) else { return Some(UNKNOWN) };
        // `map.merge(key, value, (old, new) -> …)`
        let place = if name == "merge" { 1 } else { place };
        Some(self.given_by_function_type(args, place))
    }

    /// What the parameter at a place gets of a function that is known by its type arguments alone: `BiFunction<A, B, C>`
    /// gets an `A` and a `B`, `Comparator<A>` two of the same.
    pub(super) fn given_by_function_type(&mut self, args: Args, place: usize) -> Val {
        let all = self.all_args(args);
        let given = if let [only] = all.as_slice() { Some(*only) } else { all.get(place).copied() };
        given.map_or(UNKNOWN, |given| self.instance_of(given))
    }

    /// The type arguments of the nearest supertype from outside of the repository that has some.
    fn outside_args(&mut self, ty: SymRef) -> Option<Args> {
        let (mut open, mut seen) = (vec![ty], Vec::new());
        while let Some(ty) = open.pop() {
            if seen.contains(&ty) || seen.len() > MAX_TYPES {
                continue;
            }
            seen.push(ty);
            for parent in self.generic_supers(ty).iter() {
                match parent.what {
                    What::Apply(None, args) => return Some(args),
                    What::Apply(Some(sym), _) | What::Sym(sym) => open.push(sym),
                    _ => {}
                }
            }
        }
        None
    }
}
