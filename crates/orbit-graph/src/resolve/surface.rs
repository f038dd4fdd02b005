//! What one file shows to the resolver, with every name turned into its hash.

use super::key::{Key, hash_name};
use super::rules;
use crate::facts::{DecodedSurface, DecodedSymbol};
use crate::layout::Layout;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::{
    Expr, ExprId, Family, ImportKind, Lang, NameId, RawImport, RawRelation, ScopeId, SymbolKind,
};
use smallvec::SmallVec;

/// A symbol of the repository: file, and index among the file's symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SymRef {
    pub(crate) file: u32,
    pub(crate) index: u32,
}

/// A symbol as the resolver sees it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no facts")]
pub(crate) struct SymFact {
    pub(crate) name: u64,
    /// Qualified inside the file.
    pub(crate) local: NameId,
    pub(crate) key: Key,
    /// The type a definition outside of its type's body belongs to: `void Foo::bar() {}`.
    pub(crate) owner: Option<Key>,
    pub(crate) slot: u32,
    pub(crate) kind: SymbolKind,
    pub(crate) parent: ScopeId,
    pub(crate) ty: Option<ExprId>,
    pub(crate) params: Option<ExprId>,
    /// The type parameters it declares, as a list of `Parameter`.
    pub(crate) type_params: Option<ExprId>,
    pub(crate) decorators: Option<ExprId>,
    pub(crate) receiver: Option<ExprId>,
    pub(crate) inactive: bool,
    pub(crate) is_virtual: bool,
    /// Declared without a body.
    pub(crate) bodiless: bool,
    pub(crate) exported: bool,
    pub(crate) overload: u16,
}

/// An import with the modules it can mean, most likely first.
#[derive(Clone, Debug)]
pub(crate) struct ImportFact {
    pub(crate) raw: RawImport,
    pub(crate) targets: SmallVec<[Key; 2]>,
    pub(crate) symbol: Option<u64>,
    pub(crate) binds: Option<u64>,
    /// A usual build leaves it out.
    pub(crate) left_out: bool,
}

/// One file's surface.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) file: u32,
    pub(crate) path: Box<str>,
    pub(crate) lang: Lang,
    pub(crate) names: orbit_extract::Names,
    pub(crate) hashes: Vec<u64>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) symbols: Vec<SymFact>,
    pub(crate) imports: Vec<ImportFact>,
    pub(crate) relations: Vec<RawRelation>,
    /// The types that a file of C or C++ declares without their members.
    pub(crate) announced: Vec<u64>,
    /// The key that top-level symbols hang under.
    pub(crate) container: Key,
    /// Hashes of the parts of the module path.
    pub(crate) module_parts: SmallVec<[u64; 6]>,
    /// The crate, for Rust.
    pub(crate) crate_key: Key,
    /// What a crate's dependencies are called in it, where not by their own name.
    renames: SmallVec<[(u64, u64); 2]>,
    /// The namespaces that the project of a C# file opens in all its files.
    pub(crate) usings: Vec<Key>,
    /// Keys that this file answers to as a module.
    pub(crate) modules: SmallVec<[Key; 2]>,
    declared: HashMap<(ScopeId, u64), u32, FixedState>,
}

impl Surface {
    pub(crate) fn new(
        file: u32,
        path: &str,
        module: &str,
        layout: &Layout,
        decoded: DecodedSurface,
    ) -> Surface {
        let DecodedSurface { lang, package, names, exprs, symbols, imports, relations, announced } = decoded;
        let family = lang.family();
        let hashes: Vec<u64> = names.iter().map(hash_name).collect();
        let module_parts: SmallVec<[u64; 6]> = rules::module_parts(family, module).map(hash_name).collect();
        let root = Key::root(family);
        let container = module_parts.iter().fold(root, |key, part| key.part(*part));
        let crate_key = module_parts.first().map_or(root, |part| root.part(*part));
        let mut surface = Surface {
            file,
            path: path.into(),
            lang,
            announced: announced.iter().map(|name| hashes[name.0 as usize]).collect(),
            hashes,
            exprs,
            symbols: Vec::with_capacity(symbols.len()),
            imports: Vec::with_capacity(imports.len()),
            relations,
            container,
            module_parts,
            crate_key,
            renames: match family {
                Family::Rust => layout.renamed_crates(path),
                _ => SmallVec::new(),
            },
            usings: match family {
                Family::CSharp => rules::project_usings(layout, path),
                _ => Vec::new(),
            },
            modules: SmallVec::new(),
            declared: HashMap::with_capacity_and_hasher(symbols.len(), FixedState::with_seed(3)),
            names,
        };
        for mut symbol in symbols {
            symbol.inactive |= surface.is_left_out(layout, symbol.condition);
            surface.add(symbol);
        }
        let package = package.map(|package| surface.hash(package));
        surface.modules = rules::module_keys(&surface, (module, package), &imports);
        for import in imports {
            let targets = rules::import_targets(&surface, layout, &import);
            let hash = |name: NameId| surface.hashes[name.0 as usize];
            let fact = ImportFact {
                symbol: import.symbol.map(hash),
                binds: import.binds.map(hash),
                left_out: surface.is_left_out(layout, import.condition),
                targets,
                raw: import,
            };
            surface.imports.push(fact);
        }
        surface.unbind_left_out();
        surface
    }

    /// Whether the features of a usual build leave out what depends on them.
    fn is_left_out(&self, layout: &Layout, condition: Option<NameId>) -> bool {
        let Some(condition) = condition.map(|name| self.names.get(name)) else { return false };
        if condition == orbit_extract::NEVER {
            return true;
        }
        let Some(features) = layout.features_of(&self.path) else { return false };
        !orbit_extract::holds_with_features(condition, &|name| features.contains(name))
    }

    /// Of imports that bind one name in one scope, those that a usual build leaves out bind nothing.
    fn unbind_left_out(&mut self) {
        for index in 0..self.imports.len() {
            let ImportFact { raw, binds, left_out, .. } = &self.imports[index];
            if raw.kind == ImportKind::ModuleDecl || !left_out {
                continue;
            }
            let is_twin = |(other, it): (usize, &ImportFact)| {
                other != index
                    && it.binds.is_some()
                    && it.binds == *binds
                    && it.raw.scope == raw.scope
                    && it.raw.kind != ImportKind::ModuleDecl
            };
            if self.imports.iter().enumerate().any(is_twin) {
                self.imports[index].binds = None;
            }
        }
    }

    /// Adds a symbol, whose parent is there already.
    fn add(&mut self, symbol: DecodedSymbol) {
        let path = self.names.get(symbol.local);
        let name = self.lookup_name(&symbol);
        let fact = SymFact {
            name,
            local: symbol.local,
            key: self.key_of(&symbol, path, self.name_in_key(&symbol, name)),
            owner: self.owner_of(symbol.parent, path, self.names.get(symbol.name)),
            slot: symbol.slot,
            kind: symbol.kind,
            parent: symbol.parent,
            ty: symbol.ty,
            params: symbol.params,
            type_params: symbol.type_params,
            decorators: symbol.decorators,
            receiver: symbol.receiver,
            inactive: symbol.inactive,
            is_virtual: symbol.is_virtual,
            bodiless: symbol.bodiless,
            exported: symbol.exported,
            overload: symbol.overload,
        };
        let index = self.symbols.len() as u32;
        // Impl blocks are not names, and the first of several definitions stands for all of them.
        // A method defined outside of its type's body is not a name of the scope it stands in.
        // Members of object literals are not names either.
        let is_name = fact.kind != SymbolKind::Impl && !self.is_global_block(&fact);
        // Nor are those of Go's types, which may stand in the scope of a function.
        let is_member = matches!(fact.kind, SymbolKind::Field | SymbolKind::Method);
        let is_name = is_name && !(is_member && self.family() == Family::Go);
        if is_name && fact.owner.is_none() && !self.is_script_member(fact.kind) {
            // A name of its own is one wherever it stands.
            let scope = if symbol.known_as.is_some() { ScopeId::FILE } else { fact.parent };
            self.declared.entry((scope, fact.name)).or_insert(index);
        }
        self.symbols.push(fact);
        // C's enumerators are names of the scope round their enum.
        if let Some((scope, _)) = self.leaked(&fact) {
            self.declared.entry((scope, fact.name)).or_insert(index);
        }
    }

    /// What a symbol is looked up by: its name, for a generic type of C# with the number of its type parameters.
    fn lookup_name(&self, symbol: &DecodedSymbol) -> u64 {
        if let Some(name) = symbol.known_as {
            return self.hashes[name.0 as usize];
        }
        let generic = symbol.type_params.filter(|_| self.family() == Family::CSharp && symbol.kind.is_type());
        // Blocks of a function of Go may declare a name again.
        let is_member = matches!(symbol.kind, SymbolKind::Field | SymbolKind::Method);
        let is_local = self.family() == Family::Go && symbol.parent != ScopeId::FILE && !is_member;
        let number = (is_local && symbol.overload > 0).then(|| usize::from(symbol.overload) + 1);
        match generic.map(|list| self.items(list).count()).or(number) {
            Some(number) => hash_name(&format!("{}`{number}", self.names.get(symbol.name))),
            None => self.hashes[symbol.name.0 as usize],
        }
    }

    /// Whether a symbol is a member, which scripts never see without a receiver.
    pub(super) fn is_script_member(&self, kind: SymbolKind) -> bool {
        let is_member = matches!(kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Field);
        is_member && self.lang.family() == Family::Script
    }

    /// The last name of a path.
    pub(crate) fn last_name(&self, path: ExprId) -> Option<u64> {
        match self.expr(path) {
            Expr::Name(name) | Expr::Member(_, name) => Some(self.hash(name)),
            Expr::Apply(base, _) => self.last_name(base),
            _ => None,
        }
    }

    pub(crate) fn family(&self) -> Family {
        self.lang.family()
    }

    /// Whether a symbol has members that are symbols; they stand right behind it.
    pub(crate) fn has_members(&self, index: usize) -> bool {
        self.symbols.get(index + 1).is_some_and(|next| next.parent == ScopeId::of_symbol(index))
    }

    pub(crate) fn sym(&self, index: usize) -> SymRef {
        SymRef { file: self.file, index: index as u32 }
    }

    /// The symbol declared under this name directly in a scope of this file.
    pub(crate) fn declared(&self, scope: ScopeId, name: u64) -> Option<u32> {
        self.declared.get(&(scope, name)).copied()
    }

    /// An expression with generics left out: a type parameter is its bound, a generic its base, a callee
    /// comes without its arguments.
    pub(crate) fn expr(&self, id: ExprId) -> Expr {
        let mut expr = self.whole_expr(id);
        // An expression only points at earlier ones, so this ends.
        while let Expr::Parameter(_, inner)
        | Expr::Generic(inner, _)
        | Expr::With(inner, _)
        | Expr::Giving(inner, _) = expr
        {
            expr = self.whole_expr(inner);
        }
        expr
    }

    /// An expression as it was extracted.
    pub(crate) fn whole_expr(&self, id: ExprId) -> Expr {
        self.exprs.get(id.0 as usize).copied().unwrap_or(Expr::Unknown)
    }

    /// The items of a list.
    pub(crate) fn items(&self, list: ExprId) -> impl Iterator<Item = ExprId> {
        let mut rest = list;
        std::iter::from_fn(move || match self.expr(rest) {
            Expr::List(first, next) => {
                rest = next;
                Some(first)
            }
            _ => None,
        })
    }

    pub(crate) fn hash(&self, name: NameId) -> u64 {
        self.hashes[name.0 as usize]
    }

    /// Whether an import is none: `export { x }` hands on what `x` means in this file.
    pub(crate) fn is_local_export(&self, import: &ImportFact) -> bool {
        import.raw.reexport && self.names.get(import.raw.module).is_empty() && self.family() == Family::Script
    }

    /// Whether an import of Rust is written in `module`: the file itself, or one of its inline modules.
    pub(crate) fn is_written_in(&self, import: &ImportFact, module: Key) -> bool {
        let scope = import.raw.scope.symbol().map(|index| &self.symbols[index]);
        scope.map_or(self.container == module, |symbol| {
            symbol.kind == SymbolKind::Module && symbol.key == module
        })
    }

    /// Whether an import is a re-export of `module`: the file itself, or one of its inline modules.
    pub(crate) fn hands_on(&self, import: &ImportFact, module: Key) -> bool {
        if !import.raw.reexport {
            return false;
        }
        let mut at = import.raw.scope;
        while let Some(symbol) = at.symbol().map(|index| &self.symbols[index]) {
            if symbol.kind == SymbolKind::Module {
                return symbol.key == module;
            }
            at = symbol.parent;
        }
        !self.symbols.iter().any(|symbol| symbol.kind == SymbolKind::Module && symbol.key == module)
    }

    /// The name of the crate that is called `name` here.
    pub(crate) fn renamed(&self, name: u64) -> u64 {
        self.renames.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, own)| *own)
    }

    /// The key of this file for questions about its inside.
    pub(crate) fn file_key(&self) -> Key {
        file_key(&self.path)
    }

    /// The scope round a C enum, which its enumerators are visible in, and their key there.
    pub(super) fn leaked(&self, symbol: &SymFact) -> Option<(ScopeId, Key)> {
        if symbol.kind != SymbolKind::Variant || self.family() != Family::Native {
            return None;
        }
        let parent = &self.symbols[symbol.parent.symbol()?];
        if parent.ty.is_some() {
            return None; // `enum class`
        }
        let container = parent.parent.symbol().map_or(self.container, |index| self.symbols[index].key);
        Some((parent.parent, container.part(symbol.name)))
    }
}

/// The key of a file by its path.
pub(crate) fn file_key(path: &str) -> Key {
    Key(super::key::mix(hash_name(path) ^ 0x6669_6c65))
}
