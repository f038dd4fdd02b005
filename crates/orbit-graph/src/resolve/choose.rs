//! One of several: the nearest of equal names, and in C the one that the includes declare.

use super::key::{Key, Topic};
use super::lookup::{Found, Resolver, Thing, Want};
use super::rules;
use super::suits::{rank, suits};
use super::surface::{Surface, SymRef};
use super::world::World;
use crate::layout::is_header;
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use orbit_extract::{Family, ImportKind, Lang, ScopeId, SymbolKind};
use smallvec::SmallVec;
use std::rc::Rc;

impl<'w, W: World> Resolver<'w, W> {
    // ── choosing ────────────────────────────────────────────────────────────────────────────────────

    /// One of several symbols of the same qualified name: of a kind that suits and rather fits, in the
    /// nearest file.
    pub(super) fn pick(&self, candidates: &[SymRef], want: Want, from: &Surface) -> Option<SymRef> {
        let suitable = candidates.iter().copied().filter(|sym| {
            let surface = self.world.surface(sym.file);
            surface.family() == from.family()
                && !is_java_value(surface, surface.symbols[sym.index as usize].kind, want)
                && suits(surface.family(), surface.symbols[sym.index as usize].kind, want)
        });
        let mut best: Option<((u8, u8, usize), SymRef)> = None;
        for sym in suitable {
            let surface = self.world.surface(sym.file);
            let is_fit = rank(surface, &surface.symbols[sym.index as usize], want);
            let seen = rules::source_rank(surface, from);
            // A name of hundreds of definitions is looked up often: paths are compared only where they decide.
            if best.is_some_and(|(most, _)| (is_fit, seen) < (most.0, most.1)) {
                continue;
            }
            let shared =
                if surface.file == from.file { usize::MAX } else { shared_prefix(&surface.path, &from.path) };
            if best.is_none_or(|(most, _)| (is_fit, seen, shared) > most) {
                best = Some(((is_fit, seen, shared), sym));
            }
        }
        best.map(|(_, sym)| sym)
    }

    pub(super) fn nearest(&self, files: impl Iterator<Item = u32>, from: &Surface) -> Option<u32> {
        let mut best: Option<(usize, u32)> = None;
        for file in files {
            let shared = shared_prefix(&self.world.surface(file).path, &from.path);
            if best.is_none_or(|(most, _)| shared > most) {
                best = Some((shared, file));
            }
        }
        best.map(|(_, file)| file)
    }

    /// Leaves the members that stand in the body of this very class of C++, of those that have its name: a template
    /// and its specialisations, twins under conditions. `false` when they are those of several specialisations, of
    /// which the arguments choose one.
    pub(super) fn leave_own_members(&self, ty: SymRef, candidates: &mut SmallVec<[SymRef; 2]>) -> bool {
        let world = self.world;
        let own = ScopeId::of_symbol(ty.index as usize);
        let parent = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize].parent;
        let is_own = |sym: &SymRef| sym.file == ty.file && parent(sym) == own;
        if candidates.iter().any(is_own) {
            // Definitions outside of the body count as well.
            let is_type = |sym: &SymRef| {
                let parent = parent(sym).symbol();
                parent.is_some_and(|index| world.surface(sym.file).symbols[index].kind.is_type())
            };
            candidates.retain(|sym| is_own(sym) || !is_type(sym));
            return true;
        }
        // A class in an unnamed namespace of another file is another one.
        candidates.retain(|sym| {
            let owner = parent(sym).symbol().map(|index| world.surface(sym.file).symbols[index]);
            let is_hidden = owner.is_some_and(|owner| owner.kind.is_type() && !owner.exported);
            sym.file == ty.file || !is_hidden
        });
        let specialized = candidates.iter().filter_map(|sym| {
            let owner = world.surface(sym.file).symbols[parent(sym).symbol()?];
            (owner.kind.is_type() && owner.params.is_some()).then_some((sym.file, parent(sym)))
        });
        let mut owners: SmallVec<[(u32, ScopeId); 4]> = specialized.collect();
        owners.dedup();
        owners.len() < 2
    }

    /// The declarations that a type is made of. In C++ what shares its name are specialisations, each with bases of
    /// its own.
    pub(super) fn parts_of(&mut self, ty: SymRef, key: Key) -> SmallVec<[SymRef; 2]> {
        let mut parts = self.defs(key);
        if self.world.surface(ty.file).family() == Family::Native {
            parts.retain(|part| *part == ty);
        }
        parts
    }

    // ── includes ────────────────────────────────────────────────────────────────────────────────────

    /// Of symbols in the global namespace, the one that the file's includes declare; a declaration leads to
    /// the definition when there is just one.
    pub(super) fn included(&mut self, at: &'w Surface, candidates: &[SymRef], want: Want) -> Option<Found> {
        let family = at.family();
        let world = self.world;
        let suitable: SmallVec<[SymRef; 4]> = candidates
            .iter()
            .copied()
            .filter(|sym| suits(family, world.surface(sym.file).symbols[sym.index as usize].kind, want))
            .collect();
        if suitable.is_empty() {
            return None;
        }
        let fact = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let rank = |sym: &SymRef| rank(world.surface(sym.file), &fact(sym), want);
        let is_active = |sym: &SymRef| rank(sym) > 2;
        let own = suitable.iter().find(|sym| sym.file == at.file && is_active(sym));
        let is_alone = suitable.iter().all(|sym| rank(sym) < 4);
        if let Some(own) = own.filter(|own| is_alone || rank(own) == 4) {
            return Some(Found { thing: Thing::Sym(*own), imported: false });
        }
        let visible = self.visible_from(at);
        let seen =
            || suitable.iter().copied().filter(|sym| visible.contains(&sym.file) || sym.file == at.file);
        let is_left = |sym: &SymRef| {
            let at_home = sym.file == at.file && rules::is_left_out_whole(at);
            at_home || !rules::stands_in(world.surface(sym.file), &fact(sym))
        };
        let aliased = seen().find(|sym| rank(sym) == 4).or(own.copied());
        let declared = aliased.or_else(|| seen().find(is_active)).or_else(|| {
            let mut left: SmallVec<[SymRef; 4]> = seen().filter(is_left).collect();
            left.sort_by_key(|sym| std::cmp::Reverse(rank(sym)));
            left.first().copied()
        });
        let Some(declared) = declared else {
            let found = self.announced(at, &visible, &suitable)?;
            return Some(Found { thing: Thing::Sym(found), imported: false });
        };
        // The preprocessor comes before the language: a macro hides the function of its name.
        let is_macro = |sym: &SymRef| fact(sym).kind == SymbolKind::Macro && is_active(sym);
        let is_hidden = aliased.is_none() && fact(&declared).kind.is_callable();
        let declared = seen().find(|sym| is_hidden && is_macro(sym)).unwrap_or(declared);
        let target = self.definition_of(declared, &suitable, want);
        Some(Found { thing: Thing::Sym(target), imported: false })
    }

    /// The one definition of what a header declares, or the declaration.
    fn definition_of(&mut self, declared: SymRef, candidates: &[SymRef], want: Want) -> SymRef {
        let world = self.world;
        let fact = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let is_header = |sym: &SymRef| is_header(&world.surface(sym.file).path);
        let is_definition = |sym: &SymRef| {
            let it = fact(sym);
            !is_header(sym) && it.exported && !it.bodiless && it.kind != SymbolKind::Macro
        };
        let is_defined = match fact(&declared).kind {
            SymbolKind::Macro | SymbolKind::TypeAlias | SymbolKind::Variant => true,
            kind => kind.is_callable() && !fact(&declared).bodiless,
        };
        if !is_header(&declared) || is_defined {
            return declared;
        }
        let mut definitions: SmallVec<[SymRef; 4]> = candidates
            .iter()
            .copied()
            .filter(|sym| is_definition(sym) && self.are_one([declared, *sym].into_iter()))
            .collect();
        self.leave_linked(declared, &mut definitions);
        definitions.retain(|sym| rank(world.surface(sym.file), &fact(sym), want) > 2);
        if let [definition] = definitions[..] { definition } else { declared }
    }

    /// Of several definitions, those in files that see the declaration: another program of the repository may have a
    /// function of the same name.
    fn leave_linked(&mut self, declared: SymRef, definitions: &mut SmallVec<[SymRef; 4]>) {
        if definitions.len() < 2 {
            return;
        }
        let mut linked: SmallVec<[SymRef; 4]> = SmallVec::new();
        for definition in definitions.iter() {
            let surface = self.world.surface(definition.file);
            if self.visible_from(surface).contains(&declared.file) {
                linked.push(*definition);
            }
        }
        if !linked.is_empty() {
            *definitions = linked;
        }
    }

    /// The one definition of a type that a file, or what it includes, only declares.
    fn announced(
        &self,
        at: &Surface,
        visible: &HashSet<u32, FixedState>,
        candidates: &[SymRef],
    ) -> Option<SymRef> {
        let fact = |sym: &SymRef| self.world.surface(sym.file).symbols[sym.index as usize];
        let mut types = candidates.iter().filter(|sym| fact(sym).kind.is_type() && !fact(sym).bodiless);
        let (first, second) = (types.next()?, types.next());
        let name = fact(first).name;
        let is_announced = at.announced.contains(&name)
            || visible.iter().any(|file| self.world.surface(*file).announced.contains(&name));
        (second.is_none() && is_announced).then_some(*first)
    }

    /// Leaves the candidates that a file's includes show, if there are any.
    pub(super) fn prefer_visible(&mut self, at: &'w Surface, candidates: &mut SmallVec<[SymRef; 2]>) {
        let visible = self.visible_from(at);
        let is_visible = |sym: &SymRef| visible.contains(&sym.file) || sym.file == at.file;
        if candidates.iter().any(is_visible) {
            candidates.retain(|sym| is_visible(sym));
        }
    }

    /// The files that a file includes, directly or not.
    fn visible_from(&mut self, at: &'w Surface) -> Rc<HashSet<u32, FixedState>> {
        if let Some(known) = self.visible.get(&at.file) {
            return Rc::clone(known);
        }
        let mut visible = HashSet::<u32, FixedState>::default();
        let mut open = vec![at];
        while let Some(surface) = open.pop() {
            if surface.file != self.own.file {
                self.lookups.insert(surface.file_key().about(Topic::Includes));
            }
            for import in surface.imports.iter().filter(|import| import.raw.kind == ImportKind::File) {
                let file = import.targets.iter().find_map(|target| {
                    let files = self.modules(*target);
                    self.nearest(files.iter().copied(), surface)
                });
                if let Some(file) = file.filter(|file| visible.insert(*file)) {
                    open.push(self.world.surface(file));
                }
            }
        }
        let visible = Rc::new(visible);
        self.visible.insert(at.file, Rc::clone(&visible));
        visible
    }
}

/// How many leading directories two paths share.
fn shared_prefix(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut same, mut shared) = (0, 0);
    for (byte, _) in a.iter().zip(b).take_while(|(a, b)| a == b) {
        same += 1;
        shared += usize::from(*byte == b'/');
    }
    let ends_here = |path: &[u8]| path.get(same).is_none_or(|byte| *byte == b'/');
    shared + usize::from(ends_here(a) && ends_here(b))
}

/// Whether a symbol is a value where Java calls something: its methods have names of their own.
fn is_java_value(at: &Surface, kind: SymbolKind, want: Want) -> bool {
    want == Want::Callable && at.lang == Lang::Java && !kind.is_callable() && !kind.is_type()
}

#[cfg(test)]
mod tests {
    use super::shared_prefix;

    #[test]
    fn paths_share_whole_directories() {
        let paths =
            ["", "a", "a/", "a/b", "a/b/c", "a/b/d", "a/bc", "a/bc/d", "b/a", "ä/b", "ä/c", "/a", "a//b"];
        for a in paths {
            for b in paths {
                let parts = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
                assert_eq!(shared_prefix(a, b), parts, "{a:?} {b:?}");
            }
        }
    }
}
