//! The keys that the definitions of a file are found under.

use super::key::{Key, hash_name};
use super::rules;
use super::surface::{Surface, SymFact, SymRef};
use crate::facts::DecodedSymbol;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::{Expr, ExprId, Family, ImportKind, RelationKind, ScopeId, SymbolKind};

impl Surface {
    /// Symbols in the order of their definition, for building the table of definitions. Impl members are
    /// listed under their type's name; a crate's macros once more under the crate.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (Key, SymRef)> {
        let own = self.symbols.iter().enumerate().map(|(index, symbol)| (symbol.key, self.sym(index)));
        own.chain(self.extra_definitions())
    }

    /// Further keys that symbols are found under: a crate's macros, extension functions, C's enumerators.
    pub(crate) fn extra_definitions(&self) -> impl Iterator<Item = (Key, SymRef)> {
        let is_rust = self.family() == Family::Rust;
        let traits = if is_rust { self.implemented_traits() } else { HashMap::default() };
        let extra = self.symbols.iter().enumerate().filter_map(move |(index, symbol)| {
            let key = match symbol.kind {
                SymbolKind::Macro if is_rust => Key::macros_of(self.crate_key).part(symbol.name),
                SymbolKind::Method if is_rust => self.method_key(symbol, &traits)?,
                SymbolKind::TypeAlias if is_rust => Key::aliases_of(self.last_name(symbol.ty?)?),
                _ if self.is_fixture(symbol) => Key::fixtures().part(symbol.name),
                _ if symbol.receiver.is_some()
                    && !matches!(
                        self.family(),
                        Family::Ruby | Family::Rust | Family::Native | Family::Go
                    ) =>
                {
                    Key::extensions(self.family()).part(symbol.name)
                }
                _ => self.leaked(symbol)?.1,
            };
            Some((key, self.sym(index)))
        });
        extra.chain(self.declared_files()).chain(self.added_definitions())
    }

    /// The traits of the `impl` blocks of Rust; `None` for those of the standard library.
    fn implemented_traits(&self) -> HashMap<ScopeId, Option<u64>, FixedState> {
        let impls = self.relations.iter().filter(|relation| relation.kind == RelationKind::Impl);
        let named = impls.map(|relation| {
            let name = match self.base_of(relation.to) {
                Expr::Name(name) | Expr::Member(_, name) => Some(name),
                _ => None,
            };
            let own = name.filter(|name| !rules::is_library_trait(self.names.get(*name)));
            (relation.owner, own.map(|name| self.hash(name)))
        });
        named.collect()
    }

    fn base_of(&self, ty: ExprId) -> Expr {
        match self.expr(ty) {
            Expr::Apply(base, _) => self.expr(base),
            other => other,
        }
    }

    /// The key that a method is found under whatever it is called on: of a trait, of an implementation of one, or of
    /// a type itself.
    fn method_key(
        &self,
        symbol: &SymFact,
        traits: &HashMap<ScopeId, Option<u64>, FixedState>,
    ) -> Option<Key> {
        let methods = Key::extensions(Family::Rust);
        if self.symbols[symbol.parent.symbol()?].kind == SymbolKind::Trait {
            return Some(methods.part(symbol.name));
        }
        match traits.get(&symbol.parent) {
            Some(name) => name.map(|name| methods.part(name).part(symbol.name)),
            None => Some(Key::inherent_methods().part(symbol.name)),
        }
    }

    /// The `mod x;` of Rust under the files that can be their bodies.
    fn declared_files(&self) -> impl Iterator<Item = (Key, SymRef)> {
        let declarations = self.imports.iter().filter(|import| import.raw.kind == ImportKind::ModuleDecl);
        declarations.flat_map(move |import| {
            let index = import.binds.and_then(|name| self.declared(import.raw.scope, name));
            let paths = rules::module_files(self, &import.raw);
            paths
                .into_iter()
                .filter_map(move |path| Some((Key::module_file(&path), self.sym(index? as usize))))
        })
    }

    /// Whether a Python function is decorated as a test fixture.
    fn is_fixture(&self, symbol: &SymFact) -> bool {
        let (Some(decorators), Family::Python) = (symbol.decorators, self.family()) else { return false };
        self.items(decorators).any(|decorator| {
            let callee = if let Expr::Call(callee) = self.expr(decorator) { callee } else { decorator };
            matches!(self.expr(callee), Expr::Name(name) | Expr::Member(_, name) if self.names.get(name) == "fixture")
        })
    }

    /// The name that a symbol is found under: for `impl<T: Bound> Trait for T` that of the bound, whose
    /// implementors have the members of the trait.
    pub(super) fn name_in_key(&self, symbol: &DecodedSymbol, name: u64) -> u64 {
        match symbol.ty.filter(|_| symbol.kind == SymbolKind::Impl && self.family() == Family::Rust) {
            Some(ty) => self.last_name(ty).unwrap_or(name),
            None => name,
        }
    }

    /// The key that a symbol hangs under.
    pub(super) fn key_of(&self, symbol: &DecodedSymbol, path: &str, name: u64) -> Key {
        let (kind, parent) = (symbol.kind, symbol.parent);
        let is_member = self.is_script_member(kind) && !path.contains('.');
        if parent == ScopeId::FILE && is_member && !symbol.exported {
            // A member of an object that nothing names is not a name of the module, unlike one of `module.exports`.
            return self.container.parts(["\0object", path]);
        }
        if self.lang.family() == Family::CSharp {
            let container = parent.symbol().map_or(self.container, |index| self.symbols[index].key);
            return match kind {
                SymbolKind::Module => self.container.parts(path.split('.')),
                _ => container.part(name),
            };
        }
        if let (Family::Go, Some(parent)) = (self.lang.family(), parent.symbol()) {
            let is_again = || path.rsplit('.').next().is_some_and(|last| hash_name(last) != name);
            if self.symbols[parent].kind.is_type() || is_again() {
                return self.symbols[parent].key.part(name);
            }
        }
        if self.lang.family() != Family::Rust {
            return self.container.parts(path.split(self.lang.separator()));
        }
        match parent.symbol().map(|index| &self.symbols[index]) {
            None if kind == SymbolKind::Impl => Key::impl_of(name),
            None => self.container.part(name),
            Some(_) if kind == SymbolKind::Impl => Key::impl_of(name),
            Some(parent) => parent.key.part(name),
        }
    }

    /// The key of the path before a symbol's own name, where no enclosing symbol has it.
    pub(super) fn owner_of(&self, parent: ScopeId, path: &str, name: &str) -> Option<Key> {
        let encloses = parent.symbol().is_some_and(|index| self.symbols[index].kind != SymbolKind::Module);
        if encloses || path.len() == name.len() || self.lang.family() == Family::Rust {
            return None;
        }
        let owner = path.strip_suffix(name)?.strip_suffix(self.lang.separator())?;
        let key = self.container.parts(owner.split(self.lang.separator()));
        let is_parent = parent.symbol().is_some_and(|index| self.symbols[index].key == key);
        (!is_parent).then_some(key)
    }
}
