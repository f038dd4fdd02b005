//! What a script declares for others: `declare module "m"` adds to that module, `declare global` and a declaration file
//! that is no module to what is visible everywhere.

use super::key::Key;
use super::rules;
use super::surface::{Surface, SymFact, SymRef};
use orbit_extract::{Family, ScopeId, SymbolKind};

impl Surface {
    /// Symbols under the keys that they have elsewhere.
    pub(super) fn added_definitions(&self) -> impl Iterator<Item = (Key, SymRef)> {
        rules::added_scopes(self).flat_map(move |(scope, keys)| {
            let block = scope.symbol().map(|index| (index, self.names.get(self.symbols[index].path)));
            let own = block.and_then(|(index, name)| Some((rules::ambient_module(name)?, self.sym(index))));
            let start = block.map_or(0, |(_, name)| name.len() + 1);
            let inside = self.symbols.iter().enumerate().filter(move |(index, symbol)| {
                self.is_inside(symbol, scope) && !self.is_global_block(symbol) && !self.is_empty(*index)
            });
            let members = inside.flat_map(move |(index, symbol)| {
                let path = self.names.get(symbol.path).get(start..).unwrap_or("");
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
        is_script_module && self.names.get(symbol.path) == "global"
    }
}
