//! Paths of Rust, one part after the other: what `use` binds, what a glob opens, and which module a file is
//! when another file than the one beside it declares it.
//!
//! A name lives in up to three namespaces (types and modules, values, macros), and an import binds it in
//! every one that it exists in. What is private is seen by the module it stands in and by all below.

use super::key::{Key, Topic, hash_name};
use super::lookup::{Found, MAX_DEPTH, Resolver, Thing, Want};
use super::names;
use super::rules;
use super::surface::{ImportFact, Surface, SymRef};
use super::world::World;
use orbit_extract::{Family, ImportKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

impl<'w, W: World> Resolver<'w, W> {
    /// What a `use`, `extern crate` or `mod x;` binds in a namespace.
    pub(super) fn rust_import(
        &mut self,
        at: &'w Surface,
        import: &ImportFact,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        let place = (at.file, import.raw.span.start);
        if self.open_imports.contains(&place) || depth > MAX_DEPTH {
            return None;
        }
        if import.raw.kind == ImportKind::ModuleDecl {
            let module = import.targets.iter().copied().find(|target| !self.modules(*target).is_empty())?;
            return Some(Found { thing: Thing::Module(module), imported: true })
                .filter(|_| !matches!(want, Want::Callable | Want::Macro));
        }
        self.open_imports.push(place);
        let found = match import.symbol {
            Some(symbol) => self.imported_member(at, import, symbol, want, depth),
            None => self.path_head(at, import, hash_name(at.names.get(import.raw.module)), want),
        };
        self.open_imports.pop();
        found.map(|found| Found { imported: true, ..found })
    }

    fn imported_member(
        &mut self,
        at: &'w Surface,
        import: &ImportFact,
        symbol: u64,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        for target in &import.targets {
            if let Some(found) = self.module_member(*target, symbol, want, at, depth + 1) {
                return Some(found);
            }
        }
        match self.opened(at, import)?.thing {
            Thing::Module(module) if import.targets.contains(&module) => None,
            thing => self.member_of_thing(at, thing, symbol, want),
        }
    }

    /// The module, type or trait that the path of an import names before its last part.
    pub(super) fn opened(&mut self, at: &'w Surface, import: &ImportFact) -> Option<Found> {
        let asked = (at.file, import.raw.scope, import.raw.module);
        if let Some(known) = self.opened.get(&asked) {
            return *known;
        }
        self.opened.insert(asked, None);
        let path = at.names.get(import.raw.module);
        let mut parts = path.split("::").filter(|part| !part.is_empty()).map(hash_name).peekable();
        let mut found = None;
        if let Some(head) = parts.next() {
            found = self.path_head(at, import, head, Want::Prefix);
        }
        let mut levels = 1;
        for part in parts {
            if part == *names::SUPER && found.is_some() {
                levels += 1;
                let module = self.ancestor(at, import.raw.scope, levels);
                found = Some(Found { thing: Thing::Module(module), imported: true });
                continue;
            }
            found = found.and_then(|found| self.member_of_thing(at, found.thing, part, Want::Prefix));
        }
        self.opened.insert(asked, found);
        found
    }

    /// The first part of a path: a name in scope, or a crate. What is neither comes from outside.
    fn path_head(&mut self, at: &'w Surface, import: &ImportFact, name: u64, want: Want) -> Option<Found> {
        if name == *names::SELF && import.raw.symbol.is_none() && import.raw.kind == ImportKind::Module {
            // `extern crate self as name`
            return Some(Found { thing: Thing::Module(self.crate_root(at)), imported: true });
        }
        let found = self.lexical(at, import.raw.scope, name, want);
        if found.is_some() {
            return found;
        }
        // Before the edition of 2018, paths of imports start at the root of the crate.
        let root = self.crate_root(at);
        let found = self.module_member(root, name, want, at, 1);
        found.or(Some(Found { thing: Thing::External, imported: true }))
    }

    fn member_of_thing(&mut self, at: &'w Surface, thing: Thing, name: u64, want: Want) -> Option<Found> {
        let value = self.value_of(Found { thing, imported: true });
        self.member_of_value(value, name, want, at)
    }

    /// What a glob import of Rust brings in under a name.
    pub(super) fn through_opened(
        &mut self,
        at: &'w Surface,
        import: &ImportFact,
        name: u64,
        want: Want,
        depth: u32,
    ) -> Option<Found> {
        let place = (at.file, import.raw.span.start);
        if self.open_imports.contains(&place) {
            return None;
        }
        self.open_imports.push(place);
        let opened = self.opened(at, import);
        let found = match opened.map(|found| found.thing) {
            Some(Thing::Module(module)) => self.module_member(module, name, want, at, depth),
            // Of an enum a glob opens the variants alone.
            Some(thing @ Thing::Sym(opened)) => {
                let kind = |sym: SymRef| self.world.surface(sym.file).symbols[sym.index as usize].kind;
                let is_enum = kind(opened) == SymbolKind::Enum;
                let is_variant = |found: &Found| matches!(found.thing, Thing::Sym(sym) if kind(sym) == SymbolKind::Variant);
                let found = self.member_of_thing(at, thing, name, want);
                found.filter(|found| !is_enum || is_variant(found))
            }
            _ => None,
        };
        self.open_imports.pop();
        found.filter(|found| matches!(found.thing, Thing::Sym(_) | Thing::Module(_)))
    }

    /// A method that a type has from a trait is only called where that trait is in scope: not where its name
    /// means another one.
    pub(super) fn of_trait_in_scope(&mut self, scope: ScopeId, found: Found) -> Found {
        let Thing::Sym(sym) = found.thing else { return found };
        let surface = self.world.surface(sym.file);
        let parent = surface.symbols[sym.index as usize].parent.symbol();
        let Some(parent) = parent.filter(|_| surface.family() == Family::Rust) else { return found };
        if surface.symbols[parent].kind != SymbolKind::Trait {
            return found;
        }
        let named = self.plain_name(scope, surface.symbols[parent].name, Want::Type);
        let is_ours = match named.map(|found| found.thing) {
            Some(Thing::Sym(other)) => other == surface.sym(parent) || !self.is_trait(other),
            Some(Thing::External | Thing::Opaque) => false,
            Some(Thing::Module(_)) | None => true,
        };
        if is_ours { found } else { Found { thing: Thing::External, imported: true } }
    }

    pub(super) fn is_trait(&self, sym: SymRef) -> bool {
        self.world.surface(sym.file).symbols[sym.index as usize].kind == SymbolKind::Trait
    }

    /// A name of a module of Rust: defined there, imported by it, or a module below it. Who does not stand in the
    /// module sees what is public.
    pub(super) fn rust_module_member(
        &mut self,
        module: Key,
        name: u64,
        want: Want,
        from: &'w Surface,
        depth: u32,
    ) -> Option<Found> {
        let world = self.world;
        let fact = |sym: &SymRef| world.surface(sym.file).symbols[sym.index as usize];
        let sees_private = sees_private(from, module);
        let mut visible: SmallVec<[SymRef; 2]> = SmallVec::new();
        let mut hidden: SmallVec<[SymRef; 2]> = SmallVec::new();
        let mut all = self.defs(module.part(name));
        let is_hidden_module = |sym: &SymRef| fact(sym).kind == SymbolKind::Module && !fact(sym).exported;
        let hides_module = !sees_private && all.iter().any(is_hidden_module);
        if want == Want::Macro {
            all.extend(self.defs(Key::macros_of(module).part(name)));
        }
        for sym in all {
            let is_own = sees_private && fact(&sym).key == module.part(name);
            if is_own || fact(&sym).exported { visible.push(sym) } else { hidden.push(sym) }
        }
        let picked = self.pick(&visible, want, from);
        if let Some(sym) = picked.filter(|sym| !fact(sym).inactive) {
            return Some(Found { thing: Thing::Sym(sym), imported: true });
        }
        if let Some(found) = self.through_uses_of(module, name, want, sees_private, depth) {
            return Some(found);
        }
        if let Some(sym) = picked {
            return Some(Found { thing: Thing::Sym(sym), imported: true });
        }
        // Another macro may make public what is written as its argument; a module it may not.
        hidden.retain(|sym| fact(sym).kind != SymbolKind::Module);
        if let Some(sym) = self.pick(&hidden, want, from) {
            return Some(Found { thing: Thing::Sym(sym), imported: true });
        }
        let below = module.part(name);
        let is_module =
            !hides_module && !matches!(want, Want::Callable | Want::Macro) && !self.modules(below).is_empty();
        is_module.then_some(Found { thing: Thing::Module(below), imported: true })
    }

    /// What the imports of a module bind a name to, for those who see all of them or the public ones.
    fn through_uses_of(
        &mut self,
        module: Key,
        name: u64,
        want: Want,
        sees_private: bool,
        depth: u32,
    ) -> Option<Found> {
        self.lookups.insert(module.part(name).about(Topic::Export));
        self.lookups.insert(module.about(Topic::ExportGlob));
        let files = self.modules(module);
        let is_seen = |surface: &Surface, import: &ImportFact| {
            (sees_private || import.raw.reexport) && surface.is_written_in(import, module)
        };
        let is_named =
            |import: &&ImportFact| import.raw.kind != ImportKind::ModuleDecl && import.binds == Some(name);
        for file in &files {
            let surface = self.world.surface(*file);
            if sees_private {
                self.ask_inside(surface, name);
            }
            let named = surface.imports.iter().filter(is_named).filter(|import| !import.left_out);
            for import in named.filter(|import| is_seen(surface, import)) {
                if let Some(found) = self.rust_import(surface, import, want, depth + 1) {
                    return Some(found);
                }
            }
        }
        for file in &files {
            let surface = self.world.surface(*file);
            let globs = surface.imports.iter().filter(|import| import.raw.kind == ImportKind::Glob);
            for import in globs.filter(|import| is_seen(surface, import)) {
                let found = self.through_opened(surface, import, name, want, depth + 2);
                if found.is_some() {
                    return found;
                }
            }
        }
        for file in &files {
            let surface = self.world.surface(*file);
            let named = surface.imports.iter().filter(is_named).filter(|import| import.left_out);
            for import in named.filter(|import| is_seen(surface, import)) {
                if let Some(found) = self.rust_import(surface, import, want, depth + 1) {
                    return Some(found);
                }
            }
        }
        None
    }

    // ── the module tree ─────────────────────────────────────────────────────────────────────────────

    /// The key that the names of a module symbol hang under: its own, or for `mod x;` that of the file.
    pub(super) fn module_key(&mut self, sym: SymRef) -> Key {
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        if surface.family() != Family::Rust {
            return symbol.key;
        }
        let mut declarations = surface.imports.iter().filter(|import| {
            import.raw.kind == ImportKind::ModuleDecl
                && import.raw.scope == symbol.parent
                && import.binds == Some(symbol.name)
        });
        // Twins under contrary conditions may be kept in different files.
        let first = declarations.next();
        let twin = usize::from(symbol.overload).checked_sub(1).and_then(|others| declarations.nth(others));
        let targets = twin.or(first).map(|import| import.targets.clone()).unwrap_or_default();
        targets.into_iter().find(|target| !self.modules(*target).is_empty()).unwrap_or(symbol.key)
    }

    /// The root of the crate that a file belongs to, by who declares it.
    pub(super) fn crate_root(&mut self, at: &'w Surface) -> Key {
        let mut file = at;
        for _ in 0..MAX_DEPTH {
            match self.declarer(file) {
                Some(parent) if parent.file != file.file => file = self.world.surface(parent.file),
                _ => break,
            }
        }
        file.crate_key
    }

    /// The module `levels` above the one that a scope stands in.
    pub(super) fn ancestor(&mut self, at: &'w Surface, scope: ScopeId, levels: usize) -> Key {
        let (mut at, mut scope, mut levels) = (at, scope, levels);
        for _ in 0..MAX_DEPTH {
            let inline = rules::inline_depth(at, scope);
            if levels <= inline {
                break;
            }
            let Some(parent) = self.declarer(at) else { break };
            levels -= inline + 1;
            at = self.world.surface(parent.file);
            scope = at.symbols[parent.index as usize].parent;
        }
        rules::ancestor_module(at, scope, levels)
    }

    /// A macro of a module that the root of the crate declares but other targets share: `#[macro_use] mod common;`.
    pub(super) fn macro_of_shared_module(&mut self, at: &'w Surface, name: u64) -> Option<SymRef> {
        let root = self.crate_root(at);
        for file in self.modules(root) {
            let surface = self.world.surface(file);
            let declarations =
                surface.imports.iter().filter(|import| import.raw.kind == ImportKind::ModuleDecl);
            for import in declarations {
                for target in &import.targets {
                    let candidates = self.defs(Key::macros_of(*target).part(name));
                    if let Some(sym) = self.pick(&candidates, Want::Macro, at) {
                        return Some(sym);
                    }
                }
            }
        }
        None
    }

    /// The `mod x;` that a file is the body of.
    fn declarer(&mut self, at: &Surface) -> Option<SymRef> {
        let candidates = self.defs(Key::module_file(&at.path));
        let world = self.world;
        let is_elsewhere = |sym: &&SymRef| sym.file != at.file;
        let own = candidates.iter().find(|sym| {
            sym.file != at.file && world.surface(sym.file).symbols[sym.index as usize].key == at.container
        });
        own.or_else(|| candidates.iter().find(is_elsewhere)).copied()
    }
}

/// Whether a file sees what is private in a module: it stands in it or below.
fn sees_private(at: &Surface, module: Key) -> bool {
    let mut key = Key::root(Family::Rust);
    for part in &at.module_parts {
        key = key.part(*part);
        if key == module {
            return true;
        }
    }
    at.symbols.iter().any(|symbol| symbol.kind == SymbolKind::Module && symbol.key == module)
}
