//! What Python's protocols and built-in collections give: iteration, subscripts, `with`, test fixtures.

use super::calls::is_this;
use super::infer::type_of_value;
use super::key::{Key, hash_name};
use super::lookup::{Found, Resolver, Thing, Want};
use super::rules::{self, Held};
use super::surface::{Surface, SymRef};
use super::types::{Args, GIVEN, UNKNOWN, Val, What};
use super::world::World;
use orbit_extract::{ExprId, Family, NameId, ScopeId};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// A collection of these things, the last of which are its values.
    pub(super) fn collection(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId) -> Val {
        let held: SmallVec<[Val; 2]> = at.items(list).map(|item| self.eval(at, scope, item)).collect();
        let types: SmallVec<[Val; 2]> = held.into_iter().map(type_of_value).collect();
        self.collection_of(&types)
    }

    fn collection_of(&mut self, types: &[Val]) -> Val {
        let element = types.last().copied().unwrap_or(UNKNOWN);
        let args = self.args(element, types);
        Val { what: What::InstanceOfApply(None, args), imported: element.imported }
    }

    /// A tuple of values.
    pub(super) fn tuple_of_values(&mut self, at: &'w Surface, scope: ScopeId, list: ExprId) -> Val {
        let parts: SmallVec<[Val; 4]> = at.items(list).map(|item| self.eval(at, scope, item)).collect();
        let types: SmallVec<[Val; 4]> = parts.into_iter().map(type_of_value).collect();
        self.tuple_of(&types)
    }

    fn tuple_of(&mut self, types: &[Val]) -> Val {
        let first = self.arguments.len() as u32;
        self.arguments.extend_from_slice(types);
        Val { what: What::InstanceOfTuple(first, types.len() as u32), imported: false }
    }

    /// What a loop over an expression gives.
    pub(super) fn each(&mut self, at: &'w Surface, scope: ScopeId, whole: ExprId) -> Val {
        let value = self.eval(at, scope, whole);
        if at.family() == Family::Go { self.ranged(value) } else { self.each_of(value) }
    }

    fn each_of(&mut self, value: Val) -> Val {
        match value.what {
            What::External => GIVEN,
            // A mapping is gone through by its keys.
            What::InstanceOfApply(None, args) => self.first_argument(args),
            What::InstanceOfTuple(first, count) => {
                let parts = &self.arguments[first as usize..(first + count) as usize];
                match parts.split_first() {
                    Some((part, rest)) if rest.iter().all(|other| other == part) => self.instance_of(*part),
                    _ => UNKNOWN,
                }
            }
            What::Instance(_) | What::InstanceOfApply(Some(_), _) => {
                let iterator = self
                    .result_of_method(value, "__iter__")
                    .or_else(|| self.result_of_method(value, "__aiter__"));
                match iterator.map(|iterator| (iterator, iterator.what)) {
                    Some((_, What::InstanceOfApply(None, args))) => self.first_argument(args),
                    Some((_, What::External)) => GIVEN,
                    Some((iterator, What::Instance(_) | What::InstanceOfApply(Some(_), _))) => self
                        .result_of_method(iterator, "__next__")
                        .or_else(|| self.result_of_method(iterator, "__anext__"))
                        .unwrap_or(UNKNOWN),
                    Some(_) => UNKNOWN,
                    None => self.result_of_method(value, "__getitem__").unwrap_or(UNKNOWN),
                }
            }
            _ => UNKNOWN,
        }
    }

    fn first_argument(&mut self, args: Args) -> Val {
        let place = if args.count > 0 { args.element + 1 } else { args.element };
        let first = self.arguments[place as usize];
        self.instance_of(first)
    }

    fn last_argument(&mut self, args: Args) -> Val {
        let last = self.arguments[(args.element + args.count) as usize];
        self.instance_of(last)
    }

    /// What a subscript of a value gives; a class with type arguments is the class.
    pub(super) fn subscript(&mut self, value: Val) -> Val {
        match value.what {
            What::Sym(_) => value,
            What::Instance(_) | What::InstanceOfApply(Some(_), _) => {
                self.result_of_method(value, "__getitem__").unwrap_or(UNKNOWN)
            }
            _ => UNKNOWN,
        }
    }

    /// What a `with` statement binds: what the manager's `__enter__` gives, or what a generator function that is
    /// one yields.
    pub(super) fn entered(&mut self, at: &'w Surface, scope: ScopeId, manager: ExprId) -> Val {
        let value = self.eval(at, scope, manager);
        match value.what {
            What::External => GIVEN,
            What::InstanceOfApply(None, args) => self.first_argument(args),
            _ => self
                .result_of_method(value, "__enter__")
                .or_else(|| self.result_of_method(value, "__aenter__"))
                .unwrap_or(UNKNOWN),
        }
    }

    /// What calling a method of a value gives; `None` when its type does not have it.
    pub(super) fn result_of_method(&mut self, value: Val, name: &str) -> Option<Val> {
        let (What::Instance(ty) | What::InstanceOfApply(Some(ty), _)) = value.what else { return None };
        let found = self.member_of_type(ty, hash_name(name), Want::Callable)?;
        let Thing::Sym(sym) = found.thing else { return Some(UNKNOWN) };
        let surface = self.world.surface(sym.file);
        if surface.symbols[sym.index as usize].ty.is_some_and(|ty| is_this(surface, ty)) {
            return Some(value);
        }
        let result = self.result_of(Found { imported: found.imported || value.imported, ..found });
        let result = self.seen_through(result, value);
        Some(self.closed(result))
    }

    /// What a method of a built-in collection gives of what the collection holds.
    pub(super) fn out_of_collection(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        base: ExprId,
        name: &str,
    ) -> Val {
        let Some(held) = rules::held_by(name) else { return UNKNOWN };
        let value = self.eval(at, scope, base);
        let What::InstanceOfApply(None, args) = value.what else { return UNKNOWN };
        match held {
            Held::Itself => value,
            Held::Element => self.last_argument(args),
            Held::Keys | Held::Values => {
                let given =
                    if held == Held::Keys { self.first_argument(args) } else { self.last_argument(args) };
                self.collection_of(&[type_of_value(given)])
            }
            Held::Pairs | Held::Pair => {
                let (key, item) = (self.first_argument(args), self.last_argument(args));
                let pair = self.tuple_of(&[type_of_value(key), type_of_value(item)]);
                if held == Held::Pair { pair } else { self.collection_of(&[type_of_value(pair)]) }
            }
        }
    }

    /// What the fixture gives that a parameter of a test is named after: one of the same file, of the nearest
    /// `conftest.py` above, else the only one there is.
    pub(super) fn fixture(&mut self, at: &'w Surface, name: NameId) -> Val {
        let candidates = self.defs(Key::fixtures().part(at.hash(name)));
        let world = self.world;
        let rank = |sym: &SymRef| {
            let path = &*world.surface(sym.file).path;
            let dir = path.strip_suffix("conftest.py");
            match dir {
                _ if sym.file == at.file => Some(usize::MAX),
                Some(dir) if at.path.starts_with(dir) => Some(dir.len() + 1),
                Some(_) => None,
                None => Some(0),
            }
        };
        let mut ranked: SmallVec<[(usize, SymRef); 2]> =
            candidates.iter().filter_map(|sym| Some((rank(sym)?, *sym))).collect();
        ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        let sym = match ranked[..] {
            [(_, only)] => only,
            [(best, sym), (next, _), ..] if best > next => sym,
            _ => return UNKNOWN,
        };
        let found = Found { thing: Thing::Sym(sym), imported: sym.file != at.file };
        let result = self.result_of(found);
        self.closed(result)
    }
}
