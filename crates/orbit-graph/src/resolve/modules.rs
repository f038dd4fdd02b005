//! What modules hold and hand on, and what imports bind.

use super::key::{Key, Topic};
use super::lookup::{Found, MAX_DEPTH, Resolver, Thing, Want};
use super::names;
use super::rules;
use super::surface::{ImportFact, Surface, SymRef};
use super::world::World;
use orbit_extract::{Family, ImportKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    // ── imports and modules ─────────────────────────────────────────────────────────────────────────

    /// What an import binds. `None` when its module is here but the name is not.
    pub(crate) fn import(
        &mut self,
        at: &'w Surface,
        import: &ImportFact,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        if depth > MAX_DEPTH {
            return None;
        }
        if at.family() == Family::Rust {
            return self.rust_import(at, import, want, depth);
        }
        let imported = true;
        match import.raw.kind {
            ImportKind::Symbol if at.is_local_export(import) => {
                let found = self.lexical(at, import.raw.scope, import.symbol?, want)?;
                Some(Found { imported, ..found })
            }
            ImportKind::Symbol => {
                let symbol = import.symbol?;
                // Only scripts import types and values apart.
                let want = if at.family() == Family::Script { want } else { Want::Any };
                for target in &import.targets {
                    if let Some(found) = self.module_member(*target, symbol, want, at, depth + 1) {
                        return Some(Found { imported, ..found });
                    }
                }
                if let Some(found) = self.member_of_whole(at, &import.targets, symbol, want, depth) {
                    return Some(found);
                }
                if symbol == *names::DEFAULT {
                    let module = import.targets.iter().find(|target| !self.modules(**target).is_empty());
                    return module.map(|module| Found { thing: Thing::Module(*module), imported });
                }
                let is_external = rules::may_be_external(at, &import.raw) && !self.is_known(&import.targets);
                is_external.then_some(Found { thing: Thing::External, imported: true })
            }
            ImportKind::Module | ImportKind::ModuleDecl => self.import_module(at, import, want, depth),
            ImportKind::Glob | ImportKind::File => None,
        }
    }

    /// What the import of a whole module binds: the module, or what it exports as a whole.
    fn import_module(
        &mut self,
        at: &'w Surface,
        import: &ImportFact,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        let imported = true;
        for target in &import.targets {
            let whole = rules::imported_module(at, import, *target);
            if !self.modules(*target).is_empty() || !self.modules(whole).is_empty() {
                if at.family() == Family::Script
                    && let Some(found @ Found { thing: Thing::Sym(_) | Thing::Module(_), .. }) =
                        self.module_member(*target, *names::WHOLE, want, at, depth + 1)
                {
                    return Some(Found { imported, ..found });
                }
                return Some(Found { thing: Thing::Module(*target), imported });
            }
            let candidates = self.defs(*target);
            if at.family() == Family::Script
                && !candidates.is_empty()
                && let Some(found @ Found { thing: Thing::Sym(_), .. }) =
                    self.module_member(*target, *names::WHOLE, want, at, depth + 1)
            {
                return Some(Found { imported, ..found });
            }
            if let Some(sym) = self.pick(&candidates, Want::Any, at) {
                return Some(Found { thing: Thing::Sym(sym), imported });
            }
        }
        rules::may_be_external(at, &import.raw).then_some(Found { thing: Thing::External, imported: true })
    }

    fn is_known(&mut self, targets: &[Key]) -> bool {
        targets.iter().any(|target| !self.modules(*target).is_empty() || !self.defs(*target).is_empty())
    }

    /// The modules whose names a glob import brings in. A relative `using` of C# means the innermost namespace.
    pub(super) fn opened_by(&mut self, import: &ImportFact) -> SmallVec<[Key; 2]> {
        if self.own.family() != Family::CSharp || import.targets.len() < 2 {
            return import.targets.clone();
        }
        let found = import.targets.iter().find(|target| self.is_known(&[**target]));
        found.into_iter().copied().collect()
    }

    /// The file that an import of a whole module or file leads to.
    pub(crate) fn import_file(&mut self, import: &ImportFact) -> Option<u32> {
        let own = self.own;
        import
            .targets
            .iter()
            .find_map(|target| self.module_file(rules::imported_module(own, import, *target)))
    }

    /// The file that a module is, seen from the own file.
    pub(crate) fn module_file(&mut self, module: Key) -> Option<u32> {
        let files = self.modules(module);
        self.nearest(files.iter().copied(), self.own)
    }

    /// A name of a module: defined there, handed on by it, or a module below it.
    pub(super) fn module_member(
        &mut self,
        module: Key,
        name: u64,
        want: Want,
        from: &'w Surface,
        depth: u32,
    ) -> Option<Found> {
        let asked = (module, name, want, from.file);
        if let Some(known) = self.module_members.get(&asked) {
            return *known;
        }
        self.module_members.insert(asked, None);
        let found = self.find_module_member(module, name, want, from, depth);
        self.module_members.insert(asked, found);
        found
    }

    /// A directory stands for its `index` file, whose names hang under the file's own path.
    pub(super) fn of_index(
        &mut self,
        files: &[u32],
        module: Key,
        name: u64,
        want: Want,
        from: &'w Surface,
    ) -> Option<Found> {
        for file in files {
            let surface = self.world.surface(*file);
            if rules::is_known_as(surface, module) {
                let key = surface.container.part(name);
                let mut candidates = self.defs(key);
                self.take_added(key, &mut candidates);
                if let Some(sym) = self.pick(&candidates, want, from) {
                    return Some(Found { thing: Thing::Sym(sym), imported: true });
                }
            }
        }
        None
    }

    /// The files of a module. Where a script and a directory share a name, the script is meant.
    fn module_files(&mut self, module: Key, from: &Surface) -> SmallVec<[u32; 2]> {
        let mut files = self.modules(module);
        if from.family() == Family::Script && files.len() > 1 {
            let is_own = |file: &u32| self.world.surface(*file).container == module;
            if files.iter().any(is_own) {
                files.retain(|file| self.world.surface(*file).container == module);
            }
            files.sort_by_key(|file| !rules::has_format_of(self.world.surface(*file), from));
        }
        files
    }

    fn find_module_member(
        &mut self,
        module: Key,
        name: u64,
        want: Want,
        from: &'w Surface,
        depth: u32,
    ) -> Option<Found> {
        if depth > MAX_DEPTH {
            return None;
        }
        if from.family() == Family::Rust {
            return self.rust_module_member(module, name, want, from, depth);
        }
        let mut candidates = self.defs(module.part(name));
        let is_native = from.family() == Family::Native;
        if is_native && let Some(found) = self.of_namespace(module, from, &mut candidates, want) {
            return Some(found);
        }
        let added = self.take_added(module.part(name), &mut candidates);
        if rules::reads_declarations(from)
            && let Some(found) = self.of_declaration_file(module, name, &candidates, want, (from, depth))
        {
            return Some(found);
        }
        if self.are_stand_ins(&candidates, from)
            && let Some(found) = self.stood_in_for(module, name, want, (from, depth))
        {
            return Some(found);
        }
        if let Some(sym) = self.pick(&candidates, want, from) {
            return Some(Found { thing: Thing::Sym(sym), imported: true });
        }
        self.lookups.extend([module.part(name).about(Topic::Export), module.about(Topic::ExportGlob)]);
        let files = self.module_files(module, from);
        if let Some(found) = self.of_index(&files, module, name, want, from) {
            return Some(found);
        }
        if let Some(found) = self.handed_on_by(&files, module, name, want, depth) {
            return Some(found);
        }
        if let Some(found) = self.handed_on_whole(&files, module, name, want, (from, depth)) {
            return Some(found);
        }
        if from.family() == Family::Script
            && let Some(found) = self.exported_by_declared(module, name, want, (from, depth))
        {
            return Some(found);
        }
        // What is added to is declared elsewhere; that is meant where it is known.
        if !added.is_empty()
            && let Some(found) = self.member_of_whole(from, &[module], name, want, depth)
        {
            return Some(found);
        }
        let added = self.pick(&added, want, from).map(Thing::Sym);
        let below = module.part(name);
        let thing = added.or_else(|| (!self.modules(below).is_empty()).then_some(Thing::Module(below)))?;
        Some(Found { thing, imported: true })
    }

    /// What a module of Python imports under a name that it also binds otherwise.
    fn stood_in_for(
        &mut self,
        module: Key,
        name: u64,
        want: Want,
        (from, depth): (&'w Surface, u32),
    ) -> Option<Found> {
        self.lookups.insert(module.part(name).about(Topic::Export));
        let files = self.module_files(module, from);
        self.handed_on_by(&files, module, name, want, depth)
    }

    /// Whether names of a Python module only stand in for what an import may not find.
    fn are_stand_ins(&self, candidates: &[SymRef], from: &Surface) -> bool {
        let is_inactive = |sym: &SymRef| self.world.surface(sym.file).symbols[sym.index as usize].inactive;
        from.family() == Family::Python && !candidates.is_empty() && candidates.iter().all(is_inactive)
    }

    /// What files of a module hand on under a name.
    pub(super) fn handed_on_by(
        &mut self,
        files: &[u32],
        module: Key,
        name: u64,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        for file in files {
            let surface = self.world.surface(*file);
            let is_meant = |import: &&ImportFact| import.binds == Some(name);
            for import in surface.imports.iter().filter(is_meant) {
                if surface.hands_on(import, module)
                    && let Some(found) = self.import(surface, import, want, depth + 1)
                {
                    return Some(found);
                }
            }
        }
        None
    }

    /// What files of a module hand on with all else that another module has.
    pub(super) fn handed_on_whole(
        &mut self,
        files: &[u32],
        module: Key,
        name: u64,
        want: Want,
        (from, depth): (&'w Surface, u32),
    ) -> Option<Found> {
        let is_native = from.family() == Family::Native;
        for file in files {
            let surface = self.world.surface(*file);
            let opened = |import: &&ImportFact| !is_native || surface.hands_on(import, module);
            let globs = surface.imports.iter().filter(|import| import.raw.kind == ImportKind::Glob);
            for import in globs.filter(|import| import.raw.reexport).filter(opened) {
                for target in import.targets.iter().filter(|target| **target != module) {
                    // What C++ sees depends on what the file that asks includes.
                    let from = if is_native { from } else { surface };
                    let found = self.module_member(*target, name, want, from, depth + 2);
                    if let Some(Found { thing: Thing::Sym(_) | Thing::Module(_), .. }) = found {
                        return found;
                    }
                }
            }
        }
        None
    }

    /// What a name in a namespace of C++ means when that is decided at once; else leaves the candidates that a file
    /// can see.
    fn of_namespace(
        &mut self,
        module: Key,
        from: &'w Surface,
        candidates: &mut SmallVec<[SymRef; 2]>,
        want: Want,
    ) -> Option<Found> {
        if rules::is_standard_namespace(module) {
            return Some(Found { thing: Thing::External, imported: true });
        }
        if module == Key::root(Family::Native) {
            let found = self.included(from, candidates, want);
            candidates.clear();
            return found.map(|found| Found { imported: true, ..found });
        }
        if candidates.len() > 1 {
            self.prefer_visible(from, candidates);
        }
        None
    }

    /// The files whose `global using` directives count in a file: those in a directory above it.
    pub(super) fn files_with_global_usings(&mut self, at: &'w Surface) -> SmallVec<[u32; 2]> {
        let mut files = SmallVec::new();
        for key in rules::global_using_keys(&at.path) {
            files.extend(self.modules(key));
        }
        files
    }
}
