//! What modules of scripts export as a whole: `module.exports = value`, `export = value`.

use super::key::{Key, Topic};
use super::lookup::{Found, Resolver, Thing, Want};
use super::names;
use super::surface::{Surface, SymRef};
use super::world::World;
use orbit_extract::{Family, ScopeId};

impl<'w, W: World> Resolver<'w, W> {
    /// `exports` and `module.exports` in the module that has them: the module, or what it exports as a whole.
    pub(super) fn own_exports(&mut self, at: &'w Surface, name: u64, want: Want) -> Found {
        if name == *names::MODULE_EXPORTS {
            let whole = self.module_member(at.container, *names::WHOLE, want, at, 0);
            if let Some(found @ Found { thing: Thing::Sym(_), .. }) = whole {
                return Found { imported: false, ..found };
            }
        }
        Found { thing: Thing::Module(at.container), imported: false }
    }

    /// A member of what a module of CommonJS exports as a whole: `export = f` with a namespace `f`,
    /// `module.exports = object`.
    pub(super) fn member_of_whole(
        &mut self,
        at: &'w Surface,
        targets: &[Key],
        symbol: u64,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        let is_script = at.family() == Family::Script;
        for target in targets.iter().filter(|_| is_script) {
            let whole = self.module_member(*target, *names::WHOLE, Want::Prefix, at, depth + 1);
            if let Some(found @ Found { thing: Thing::Sym(_) | Thing::Module(_), .. }) = whole {
                let value = self.value_of(found);
                let member = self.member_of_value(value, symbol, want, at)?;
                let is_known = matches!(member.thing, Thing::Sym(_) | Thing::Module(_));
                return is_known.then_some(Found { imported: true, ..member });
            }
        }
        None
    }

    /// `module.exports = f; module.exports.name = …`: what a module has besides is a member of what it exports as a
    /// whole.
    pub(super) fn beside_whole(
        &mut self,
        sym: SymRef,
        name: u64,
        want: Want,
        at: &'w Surface,
    ) -> Option<Found> {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let is_whole = surface
            .imports
            .iter()
            .any(|import| import.binds == Some(*names::WHOLE) && import.symbol == Some(symbol.name));
        if symbol.parent != ScopeId::FILE || !is_whole {
            return None;
        }
        self.lookups.insert(surface.container.part(*names::WHOLE).about(Topic::Export));
        let found = self.module_member(surface.container, name, want, at, 0)?;
        matches!(found.thing, Thing::Sym(_)).then_some(found)
    }
}
