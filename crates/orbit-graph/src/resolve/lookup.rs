//! What a name means where it stands: scopes, then imports, then the module, then globs.

use super::functions::Signature;
use super::generics::Parameter;
use super::key::{Key, Topic};
use super::mro::Order;
use super::names;
use super::rules::{self, Members};
use super::suits::{declared, holds_members};
use super::surface::{ImportFact, Surface, SymRef};
use super::types::{Supers, Val};
use super::world::World;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use orbit_extract::{ExprId, Family, ImportKind, Lang, NameId, ScopeId, SymbolKind};
use smallvec::SmallVec;
use std::rc::Rc;

pub(super) const MAX_DEPTH: u32 = 20;

/// What kind of thing is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Want {
    Type,
    Callable,
    Macro,
    Any,
    /// What stands before a member: in Rust no function, for others anything.
    Prefix,
    /// What stands before `::` in C++.
    Scope,
}

/// What a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Sym(SymRef),
    Module(Key),
    /// Comes from outside the repository.
    External,
    /// Bound here, to something nobody can follow.
    Opaque,
}

/// A thing, and whether an import or a written-out path led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) thing: Thing,
    pub(crate) imported: bool,
}

/// Resolves the names of one file against the world and remembers what it asked.
pub(crate) struct Resolver<'w, W> {
    pub(super) world: &'w W,
    pub(super) own: &'w Surface,
    pub(super) lookups: HashSet<u32, FixedState>,
    names: HashMap<(ScopeId, u64, Want), Option<Found>, FixedState>,
    /// Members of modules and types that were looked for; one that is being looked for counts as absent, so
    /// that modules and types which lead to each other are gone through once.
    pub(super) module_members: HashMap<(Key, u64, Want, u32), Option<Found>, FixedState>,
    pub(super) type_members: HashMap<(SymRef, u64, Want), Option<Found>, FixedState>,
    /// The order of lookup of classes of Python; none of one whose order is being made.
    pub(super) orders: HashMap<SymRef, Option<Order>, FixedState>,
    pub(super) values: HashMap<(u32, ScopeId, ExprId), Val, FixedState>,
    pub(super) arguments: Vec<Val>,
    pub(super) parameters: Vec<Parameter>,
    /// The aliases whose types are being put in for them.
    pub(super) expanding: Vec<SymRef>,
    /// The function types that were met, and what calls said of type parameters in them.
    pub(super) signatures: Vec<Signature>,
    pub(super) inferred: Vec<(SymRef, SmallVec<[Val; 4]>)>,
    /// The declaration whose head is being read: its type parameters are in scope, its members are not.
    pub(super) head: Option<SymRef>,
    /// The supertypes of a type with their type arguments.
    pub(super) generic_supers: HashMap<SymRef, Rc<[Val]>, FixedState>,
    pub(super) supers: HashMap<SymRef, Supers, FixedState>,
    pub(super) impl_types: HashMap<SymRef, Option<SymRef>, FixedState>,
    /// The files each file sees through its includes.
    pub(super) visible: HashMap<u32, Rc<HashSet<u32, FixedState>>, FixedState>,
    /// Imports of Rust that are being followed, and what the paths of imports lead to.
    pub(super) open_imports: SmallVec<[(u32, u32); 8]>,
    pub(super) opened: HashMap<(u32, ScopeId, NameId), Option<Found>, FixedState>,
    pub(super) depth: u32,
    /// The pointers from outside that are being followed.
    pub(super) pointers: u32,
}

impl<'w, W: World> Resolver<'w, W> {
    pub(crate) fn new(world: &'w W, own: &'w Surface) -> Resolver<'w, W> {
        Resolver {
            world,
            own,
            lookups: HashSet::default(),
            names: HashMap::default(),
            module_members: HashMap::default(),
            type_members: HashMap::default(),
            orders: HashMap::default(),
            values: HashMap::default(),
            arguments: Vec::new(),
            parameters: Vec::new(),
            expanding: Vec::new(),
            signatures: Vec::new(),
            inferred: Vec::new(),
            head: None,
            generic_supers: HashMap::default(),
            supers: HashMap::default(),
            impl_types: HashMap::default(),
            visible: HashMap::default(),
            open_imports: SmallVec::new(),
            opened: HashMap::default(),
            depth: 0,
            pointers: 0,
        }
    }

    pub(crate) fn into_lookups(self) -> Vec<u32> {
        let mut lookups: Vec<u32> = self.lookups.into_iter().collect();
        lookups.sort_unstable();
        lookups
    }

    pub(super) fn own_file(&self) -> u32 {
        self.own.file
    }

    /// A plain name of the file itself.
    pub(crate) fn plain_name(&mut self, scope: ScopeId, name: u64, want: Want) -> Option<Found> {
        if let Some(known) = self.names.get(&(scope, name, want)) {
            return *known;
        }
        let found = self.lexical(self.own, scope, name, want);
        self.names.insert((scope, name, want), found);
        found
    }

    // ── questions to the world ──────────────────────────────────────────────────────────────────────

    pub(super) fn defs(&mut self, key: Key) -> SmallVec<[SymRef; 2]> {
        self.lookups.insert(key.about(Topic::Defs));
        self.world.defs(key)
    }

    pub(super) fn modules(&mut self, key: Key) -> SmallVec<[u32; 2]> {
        self.lookups.insert(key.about(Topic::Module));
        self.world.modules(key)
    }

    pub(super) fn ask_supers(&mut self, key: Key) {
        self.lookups.insert(key.about(Topic::Supers));
    }

    /// Looking at names inside another file makes this one depend on them.
    pub(super) fn ask_inside(&mut self, surface: &Surface, name: u64) {
        if surface.file != self.own.file {
            self.lookups.insert(surface.file_key().part(name).about(Topic::Lexical));
            self.lookups.insert(surface.file_key().about(Topic::LexicalGlob));
        }
    }

    // ── scopes ──────────────────────────────────────────────────────────────────────────────────────

    /// What `name` means in a scope of a file.
    pub(super) fn lexical(
        &mut self,
        at: &'w Surface,
        scope: ScopeId,
        name: u64,
        want: Want,
    ) -> Option<Found> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        if at.family() == Family::Native
            && let Some(thing) = rules::outer_namespace(name)
        {
            return Some(Found { thing, imported: true });
        }
        self.depth += 1;
        self.ask_inside(at, name);
        let found = self.climb(at, scope, name, want);
        let found = found.filter(|found| !self.is_of_outer_class(at, scope, name, *found));
        let found = found.or_else(|| self.outermost(at, scope, name, want));
        self.depth -= 1;
        found
    }

    fn climb(&mut self, at: &'w Surface, scope: ScopeId, name: u64, want: Want) -> Option<Found> {
        let rules = rules::of(at.family());
        // Inside of its own text, the name of a macro means what it would without the macro.
        let own_macro = scope.symbol().filter(|index| {
            at.symbols[*index].kind == SymbolKind::Macro && at.symbols[*index].name == name && rules.includes
        });
        let mut here = scope;
        loop {
            let symbol = here.symbol().map(|index| at.symbols[index]);
            let is_type = symbol.is_some_and(|symbol| holds_members(at.family(), symbol.kind));
            let sees_declared = !is_type || rules.members == Members::InBody && here == scope;
            let hides = |index: &usize| {
                let symbol = &at.symbols[*index];
                let is_declaration = symbol.bodiless && symbol.kind.is_type();
                // A type of another file may have the same name as what is behind `struct`.
                let is_tag = matches!(symbol.kind, SymbolKind::Struct | SymbolKind::Union | SymbolKind::Enum);
                rules.includes && (here == ScopeId::FILE && (symbol.inactive || is_tag) || is_declaration)
            };
            if sees_declared
                && let Some(index) = declared(at, here, name, want).filter(|index| !hides(index))
                && own_macro != Some(index)
            {
                // What a usual build of Rust leaves out, and what stands in for a missing package of Python, gives way
                // to what an import binds.
                if matches!(at.family(), Family::Rust | Family::Python)
                    && at.symbols[index].inactive
                    && let Some(found) = self.through_imports(at, here, (name, want), false)
                {
                    return Some(found);
                }
                return Some(Found { thing: Thing::Sym(at.sym(index)), imported: false });
            }
            if let Some(found) = self.through_imports(at, here, (name, want), false) {
                return Some(found);
            }
            if let Some(found) = self.through_type(at, here, name, want) {
                return Some(found);
            }
            let is_module = symbol.is_none_or(|symbol| symbol.kind == SymbolKind::Module);
            let own_macro = own_macro.map(|index| at.sym(index));
            if is_module && let Some(found) = self.through_module(at, here, (name, want), own_macro) {
                return Some(found);
            }
            if let Some(found) = self.through_globs(at, here, name, want) {
                return Some(found);
            }
            if let Some(found) = self.through_imports(at, here, (name, want), true) {
                return Some(found);
            }
            here = match symbol {
                Some(symbol) if rules.closed_modules && symbol.kind == SymbolKind::Module => return None,
                Some(symbol) => symbol.parent,
                None => return None,
            };
        }
    }

    /// What the imports written in a scope bind a name to: those of a usual build, or those that it leaves out.
    fn through_imports(
        &mut self,
        at: &'w Surface,
        here: ScopeId,
        (name, want): (u64, Want),
        left_out: bool,
    ) -> Option<Found> {
        let opaque = Some(Found { thing: Thing::Opaque, imported: true });
        let mut is_bound = false;
        // A `mod x;` of Rust is a symbol already.
        let is_symbol = |import: &&ImportFact| import.raw.kind == ImportKind::ModuleDecl;
        for import in at.imports.iter().filter(|import| !is_symbol(import)).filter(|import| {
            import.raw.scope == here
                && import.binds == Some(name)
                && import.left_out == left_out
                && !at.is_local_export(import)
        }) {
            let found = self.import(at, import, want, 0);
            if found.is_some() || at.family() != Family::Rust {
                // `using Base::f;` in a class brings in what it inherits anyway.
                let is_class = here.symbol().is_some_and(|index| at.symbols[index].kind.is_type());
                return found.or(opaque.filter(|_| at.family() != Family::Native || !is_class));
            }
            // Of Rust's namespaces an import may bind another one than is asked for.
            is_bound |= [Want::Any, Want::Type, Want::Macro]
                .into_iter()
                .all(|other| self.import(at, import, other, 0).is_none());
        }
        if is_bound && self.open_imports.is_empty() { opaque } else { None }
    }

    /// Names of the same module in other files, where the language shares them, but for one symbol.
    fn through_module(
        &mut self,
        at: &'w Surface,
        here: ScopeId,
        (name, want): (u64, Want),
        without: Option<SymRef>,
    ) -> Option<Found> {
        let rules = rules::of(at.family());
        if !rules.shares_module {
            return None;
        }
        let symbol = here.symbol().map(|index| at.symbols[index]);
        let container = symbol.map_or(at.container, |symbol| symbol.key);
        let mut candidates = self.defs(container.part(name));
        candidates.retain(|sym| Some(*sym) != without);
        // `namespace A.B` sees the names of `A` too.
        for outer in symbol.iter().flat_map(|symbol| rules::namespace_and_outer(at, symbol)).skip(1) {
            if candidates.is_empty() {
                candidates = self.defs(outer.part(name));
            }
        }
        if rules.includes && here == ScopeId::FILE {
            return self.included(at, &candidates, want);
        }
        if let Some(picked) = self.pick(&candidates, want, at) {
            return Some(Found { thing: Thing::Sym(picked), imported: false });
        }
        // What another file brings into a namespace of C++ by `using`.
        let found = rules.includes.then(|| self.module_member(container, name, want, at, 0)).flatten();
        found.filter(|found| matches!(found.thing, Thing::Sym(_)))
    }

    fn through_globs(&mut self, at: &'w Surface, here: ScopeId, name: u64, want: Want) -> Option<Found> {
        // What Ruby includes outside of any class comes last.
        let globs = at.imports.iter().filter(|_| at.family() != Family::Ruby);
        for import in globs.filter(|it| it.raw.kind == ImportKind::Glob && it.raw.scope == here) {
            if let Some(found) = self.through_glob(at, import, name, want) {
                return Some(found);
            }
        }
        if here == ScopeId::FILE && at.family() == Family::CSharp {
            for file in self.files_with_global_usings(at) {
                let surface = self.world.surface(file);
                self.ask_inside(surface, name);
                let globs = surface.imports.iter().filter(|import| import.raw.kind == ImportKind::Glob);
                for import in globs.filter(|import| import.raw.reexport) {
                    if let Some(found) = self.through_glob(at, import, name, want) {
                        return Some(found);
                    }
                }
            }
            return self.through_targets(&at.usings, at, name, want);
        }
        None
    }

    fn through_glob(&mut self, at: &'w Surface, import: &ImportFact, name: u64, want: Want) -> Option<Found> {
        if at.family() == Family::Rust {
            let found = self.through_opened(at, import, name, want, 0)?;
            return Some(Found { imported: true, ..found });
        }
        let targets = self.opened_by(import);
        self.through_targets(&targets, at, name, want)
    }

    /// The first of several modules that has a name.
    fn through_targets(&mut self, targets: &[Key], at: &'w Surface, name: u64, want: Want) -> Option<Found> {
        for target in targets {
            let found = self.module_member(*target, name, want, at, 0);
            if let Some(Found { thing: thing @ (Thing::Sym(_) | Thing::Module(_)), .. }) = found {
                return Some(Found { thing, imported: true });
            }
        }
        None
    }

    /// What lies beyond the file: crates, packages, macros of the crate.
    fn outermost(&mut self, at: &'w Surface, scope: ScopeId, name: u64, want: Want) -> Option<Found> {
        let root = Key::root(at.family());
        if at.family() == Family::Rust {
            if want == Want::Macro {
                let mut candidates = self.defs(Key::macros_of(at.crate_key).part(name));
                if rules::is_standard_macro(name) {
                    candidates.retain(|sym| rules::reaches(self.world.surface(sym.file), at));
                }
                let picked = self.pick(&candidates, want, at);
                let picked = picked.or_else(|| self.macro_of_shared_module(at, name))?;
                return Some(Found { thing: Thing::Sym(picked), imported: false });
            }
            let special = match name {
                _ if name == *names::CRATE => Some(self.crate_root(at)),
                _ if name == *names::SELF => Some(rules::enclosing_module(at, scope)),
                _ if name == *names::SUPER => Some(self.ancestor(at, scope, 1)),
                _ => None,
            };
            if let Some(module) = special {
                return Some(Found { thing: Thing::Module(module), imported: true });
            }
        }
        if at.lang == Lang::JavaScript && (name == *names::EXPORTS || name == *names::MODULE_EXPORTS) {
            return Some(self.own_exports(at, name, want));
        }
        if at.family() == Family::Script {
            let candidates = self.defs(rules::globals().part(name));
            // A global interface adds to the value of its name, which the environment declares.
            let picked =
                self.pick(&candidates, want, at).or_else(|| self.pick(&candidates, Want::Type, at))?;
            return Some(Found { thing: Thing::Sym(picked), imported: false });
        }
        if let Some(found) = self.included_constant(at, name) {
            return Some(found);
        }
        if at.family() == Family::Go && matches!(want, Want::Prefix | Want::Any) {
            return self.package_called(at, name);
        }
        let reaches_root = rules::of(at.family()).rooted_paths || at.family() == Family::Rust;
        let module = root.part(at.renamed(name));
        if reaches_root && want != Want::Callable && !self.modules(module).is_empty() {
            return Some(Found { thing: Thing::Module(module), imported: true });
        }
        let is_outside = at.family() == Family::Rust && rules::is_standard_crate(name);
        is_outside.then_some(Found { thing: Thing::External, imported: true })
    }
}
