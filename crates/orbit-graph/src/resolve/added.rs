//! What a script declares for others: `declare module "m"` adds to that module, `declare global` and a declaration file
//! that is not a module to what is visible everywhere; a declaration file beside a script says what that holds.

use super::key::{Key, Topic};
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::rules;
use super::surface::{Surface, SymFact, SymRef};
use super::world::World;
use orbit_extract::{Family, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl Surface {
    /// Symbols under the keys that they have elsewhere.
    pub(super) fn added_definitions(&self) -> impl Iterator<Item = (Key, SymRef)> {
        rules::added_scopes(self).flat_map(move |(scope, keys)| {
            let block = scope.symbol().map(|index| (index, self.names.get(self.symbols[index].local)));
            let own = block.and_then(|(index, name)| Some((rules::ambient_module(name)?, self.sym(index))));
            let start = block.map_or(0, |(_, name)| name.len() + 1);
            let inside = self.symbols.iter().enumerate().filter(move |(index, symbol)| {
                self.is_inside(symbol, scope) && !self.is_global_block(symbol) && !self.is_empty(*index)
            });
            let members = inside.flat_map(move |(index, symbol)| {
                let path = self.names.get(symbol.local).get(start..).unwrap_or("");
                let key = move |target: Key| target.parts(path.split(self.lang.separator()));
                keys.clone().into_iter().map(move |target| (key(target), self.sym(index)))
            });
            own.into_iter().chain(members)
        })
    }

    fn is_inside(&self, symbol: &SymFact, scope: ScopeId) -> bool {
        let outer = |scope: &ScopeId| Some(self.symbols[scope.symbol()?].parent);
        std::iter::successors(Some(symbol.parent), outer).any(|parent| parent == scope)
    }

    /// Whether a symbol is an interface that only says that there is one of its name.
    fn is_empty(&self, index: usize) -> bool {
        let owner = ScopeId::of_symbol(index);
        self.symbols[index].kind == SymbolKind::Interface
            && !self.has_members(index)
            && !self.relations.iter().any(|relation| relation.owner == owner)
    }

    /// Whether a symbol is `declare global {…}`, which nothing can name.
    pub(super) fn is_global_block(&self, symbol: &SymFact) -> bool {
        let is_script_module = symbol.kind == SymbolKind::Module && self.family() == Family::Script;
        is_script_module && self.names.get(symbol.local) == "global"
    }
}

impl<'w, W: World> Resolver<'w, W> {
    /// What `declare module "m" {…}` exports besides what it declares: `export = f`, `export { a }`.
    pub(super) fn exported_by_declared(
        &mut self,
        module: Key,
        name: u64,
        want: Want,
        (from, depth): (&'w Surface, u32),
    ) -> Option<Found> {
        for block in self.defs(module) {
            let symbol = self.world.surface(block.file).symbols[block.index as usize];
            if symbol.kind == SymbolKind::Module
                && symbol.key != module
                && let Some(found) = self.module_member(symbol.key, name, want, from, depth + 1)
            {
                return Some(found);
            }
        }
        None
    }

    /// A name of a script that has a declaration file beside it: to TypeScript that file says what the module holds.
    pub(super) fn of_declaration_file(
        &mut self,
        module: Key,
        name: u64,
        candidates: &[SymRef],
        want: Want,
        (from, depth): (&'w Surface, u32),
    ) -> Option<Found> {
        let mut files = self.modules(module);
        let world = self.world;
        let is_declaration = |file: u32| rules::is_declaration_file(world.surface(file));
        let count = files.len();
        files.retain(|file| is_declaration(*file));
        if files.is_empty() || files.len() == count {
            return None;
        }
        let declared: SmallVec<[SymRef; 2]> =
            candidates.iter().copied().filter(|sym| is_declaration(sym.file)).collect();
        if let Some(sym) = self.pick(&declared, want, from) {
            return Some(Found { thing: Thing::Sym(sym), imported: true });
        }
        let indexed = self.of_index(&files, module, name, want, from);
        let is_declared = |found: &Found| matches!(found.thing, Thing::Sym(sym) if is_declaration(sym.file));
        if let Some(found) = indexed.filter(is_declared) {
            return Some(found);
        }
        self.lookups.extend([module.part(name).about(Topic::Export), module.about(Topic::ExportGlob)]);
        let handed = self.handed_on_by(&files, module, name, want, depth);
        let handed = handed.filter(|found| matches!(found.thing, Thing::Sym(_) | Thing::Module(_)));
        if handed.is_some() || name == *names::WHOLE || name == *names::DEFAULT {
            return handed;
        }
        let handed = self.handed_on_whole(&files, module, name, want, (from, depth));
        handed.or_else(|| self.member_of_whole(from, &[module], name, want, depth))
    }

    /// Takes out of the symbols with a key those that a script of another module declares for it. They come last: what
    /// they add to may be handed on by the module.
    pub(super) fn take_added(
        &self,
        key: Key,
        candidates: &mut SmallVec<[SymRef; 2]>,
    ) -> SmallVec<[SymRef; 2]> {
        let world = self.world;
        let is_added = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            surface.family() == Family::Script && surface.symbols[sym.index as usize].key != key
        };
        let added = candidates.iter().copied().filter(is_added).collect();
        candidates.retain(|sym| !is_added(sym));
        added
    }
}
