//! Functions that are called like members of a type that does not have them: Kotlin and C# extensions.

use super::key::{Key, Topic};
use super::lookup::{Found, Resolver, Thing, Want};
use super::overloads::CallPlace;
use super::rules;
use super::surface::{Surface, SymRef};
use super::types::{UNKNOWN, Val, What, expr_text};
use super::world::World;
use orbit_extract::{ExprId, Family, ImportKind, Lang, RawRef, RefKind, ScopeId, SymbolKind};
use smallvec::SmallVec;

/// A call of something that may be an extension.
pub(super) struct Call<'w> {
    pub(super) place: CallPlace<'w>,
    pub(super) base: ExprId,
    pub(super) name: u64,
    /// With the type arguments that are written.
    pub(super) args: Option<ExprId>,
    /// It is no call: a property is meant.
    pub(super) is_read: bool,
}

impl<'w, W: World> Resolver<'w, W> {
    /// Leaves out a function of Kotlin that is an extension of a type from outside and is called without a receiver,
    /// where no code round it belongs to such a type.
    pub(crate) fn unless_receiver_is_missing(&mut self, row: &RawRef, found: Option<Found>) -> Option<Found> {
        let (Some(Found { thing: Thing::Sym(sym), .. }), None, RefKind::Call) = (found, row.base, row.kind)
        else {
            return found;
        };
        let surface = self.world.surface(sym.file);
        let symbol = surface.symbols[sym.index as usize];
        let Some(receiver) = symbol.receiver.filter(|_| surface.lang == Lang::Kotlin) else { return found };
        if let Some(sym) = self.of_implicit_receiver(row.scope, symbol.key) {
            return found.map(|found| Found { thing: Thing::Sym(sym), ..found });
        }
        let ty = self.eval_type(surface, ScopeId::of_symbol(sym.index as usize), receiver);
        if matches!(ty.what, What::Sym(_) | What::Apply(Some(_), _)) {
            return found; // a lambda round the call may have such a receiver
        }
        let wanted = expr_text(surface, receiver);
        let own = self.own;
        let mut here = row.scope;
        while let Some(symbol) = here.symbol().map(|index| own.symbols[index]) {
            let is_it = symbol.receiver.is_some_and(|given| expr_text(own, given) == wanted);
            let derives =
                symbol.kind.is_type() && own.relations.iter().any(|relation| relation.owner == here);
            if is_it || derives {
                return found;
            }
            here = symbol.parent;
        }
        None
    }

    /// Of several extensions of one name the one for what `this` is: the receiver of the function round the call, or
    /// the class.
    fn of_implicit_receiver(&mut self, scope: ScopeId, key: Key) -> Option<SymRef> {
        let (own, world) = (self.own, self.world);
        let candidates = self.defs(key);
        if candidates.len() < 2 {
            return None;
        }
        let mut here = scope;
        while let Some(symbol) = here.symbol().map(|index| own.symbols[index]) {
            let this = match symbol.receiver {
                Some(receiver) => expr_text(own, receiver),
                None if symbol.kind.is_type() => {
                    let path = own.names.get(symbol.local);
                    path.rsplit('.').next().unwrap_or(path).to_owned()
                }
                None => String::new(),
            };
            let is_for_this = |sym: &SymRef| {
                let surface = world.surface(sym.file);
                let receiver = surface.symbols[sym.index as usize].receiver;
                receiver.is_some_and(|receiver| expr_text(surface, receiver) == this)
            };
            let fitting: SmallVec<[SymRef; 2]> = candidates.iter().copied().filter(is_for_this).collect();
            if !fitting.is_empty() && fitting.len() < candidates.len() {
                return self.pick(&fitting, Want::Callable, own);
            }
            here = symbol.parent;
        }
        None
    }

    /// What a member access means where the receiver's type, which must be known, has no such member.
    pub(crate) fn or_extension(&mut self, row: &RawRef, found: Option<Found>) -> Option<Found> {
        if self.own.lang == Lang::Rust {
            return self.or_trait_method(row, found);
        }
        let is_read = row.kind == RefKind::Value && self.own.lang == Lang::Kotlin;
        let Some(base) = row.base.filter(|_| is_read || row.kind == RefKind::Call) else { return found };
        let own = self.own;
        let call = Call { place: (own, row.scope), base, name: own.hash(row.name), args: row.args, is_read };
        self.or_extension_of(call, found)
    }

    /// The same for an expression. Extensions are those that the own file sees.
    pub(super) fn or_extension_of(&mut self, call: Call<'w>, found: Option<Found>) -> Option<Found> {
        let (at, scope) = call.place;
        let own = self.own;
        let has_extensions = matches!(at.lang, Lang::Kotlin | Lang::CSharp) && at.file == own.file;
        let is_open = matches!(found, None | Some(Found { thing: Thing::External, .. }));
        if !has_extensions || !is_open {
            return found;
        }
        let value = self.eval(own, scope, call.base);
        // A type that is written and found nowhere comes from outside.
        let is_unknown = value.what == What::Unknown && !self.has_written_type(call.place, call.base);
        if is_unknown || matches!(value.what, What::Module(_) | What::Sym(_)) {
            return found;
        }
        let mut most = 1; // 0 does not fit
        let mut best: SmallVec<[SymRef; 4]> = SmallVec::new();
        for candidate in self.visible_extensions(scope, &call) {
            let fit = self.receiver_fit(value, (call.place, call.base), candidate);
            if fit > most {
                best.clear();
                most = fit;
            }
            if fit == most {
                best.push(candidate);
            }
        }
        let is_one = best.windows(2).all(|pair| self.are_for_one_type(pair[0], pair[1]));
        let sym = match (best.first(), call.args) {
            // Overloads are told apart by their arguments, later; of the platforms' own the nearest is meant.
            (Some(_), _) if is_one => self.pick(&best, Want::Callable, own),
            (_, Some(args)) => self.one_taking(call.place, args, &best),
            _ => None,
        };
        match sym {
            Some(sym) => Some(Found { thing: Thing::Sym(sym), imported: sym.file != own.file }),
            None => found,
        }
    }

    /// Whether two extensions are overloads, or one of Kotlin for several platforms.
    fn are_for_one_type(&self, a: SymRef, b: SymRef) -> bool {
        let receiver = |sym: SymRef| {
            let surface = self.world.surface(sym.file);
            let receiver = surface.symbols[sym.index as usize].receiver;
            receiver.map(|receiver| expr_text(surface, receiver))
        };
        let is_kotlin = self.own.lang == Lang::Kotlin;
        self.key_of(a) == self.key_of(b) && (!is_kotlin || receiver(a) == receiver(b))
    }

    fn key_of(&self, sym: SymRef) -> Key {
        self.world.surface(sym.file).symbols[sym.index as usize].key
    }

    /// What an extension property holds.
    pub(super) fn extension_value(&mut self, place: CallPlace<'w>, base: ExprId, name: u64) -> Val {
        let call = Call { place, base, name, args: None, is_read: true };
        self.or_extension_of(call, None).map_or(UNKNOWN, |found| self.value_of(found))
    }

    /// The extensions of a name that the own file sees.
    fn visible_extensions(&mut self, scope: ScopeId, call: &Call<'w>) -> SmallVec<[SymRef; 4]> {
        let (own, name) = (self.own, call.name);
        let mut all = self.defs(Key::extensions(own.family()).part(name));
        let world = self.world;
        all.retain(|sym| {
            let kind = world.surface(sym.file).symbols[sym.index as usize].kind;
            (kind == SymbolKind::Property) == call.is_read
        });
        if all.is_empty() {
            return SmallVec::new();
        }
        if own.lang == Lang::Kotlin {
            let want = if call.is_read { Want::Any } else { Want::Callable };
            // Of several imports of one name each may be meant.
            let imports = own.imports.iter().filter(|import| import.binds == Some(name));
            let keys: SmallVec<[Key; 4]> = imports
                .filter_map(|import| import.symbol.map(|symbol| (symbol, &import.targets)))
                .flat_map(|(symbol, targets)| targets.iter().map(move |target| target.part(symbol)))
                .collect();
            let imported: SmallVec<[SymRef; 4]> =
                all.iter().copied().filter(|sym| keys.contains(&self.key_of(*sym))).collect();
            if !imported.is_empty() {
                return imported;
            }
            // A member of the same name, which has no receiver to be called on, hides none.
            for scope in [scope, ScopeId::FILE] {
                let seen = self.plain_name(scope, name, want);
                let Some(Found { thing: Thing::Sym(seen), .. }) = seen else { continue };
                let key = self.key_of(seen);
                let same: SmallVec<[SymRef; 4]> =
                    all.iter().copied().filter(|sym| self.key_of(*sym) == key).collect();
                if !same.is_empty() {
                    return same;
                }
            }
            return SmallVec::new();
        }
        let spaces = self.open_namespaces(scope);
        let is_seen = |sym: &SymRef| {
            let surface = world.surface(sym.file);
            let is_accessible = sym.file == own.file || surface.symbols[sym.index as usize].exported;
            is_accessible && namespace_of(surface, *sym).is_none_or(|key| spaces.contains(&key))
        };
        all.into_iter().filter(is_seen).collect()
    }

    /// The namespaces whose members a scope of the own file sees without naming them.
    fn open_namespaces(&mut self, scope: ScopeId) -> SmallVec<[Key; 8]> {
        let own = self.own;
        let mut keys: SmallVec<[Key; 8]> = SmallVec::new();
        let mut here = Some(scope);
        while let Some(at) = here {
            for import in
                own.imports.iter().filter(|it| it.raw.kind == ImportKind::Glob && it.raw.scope == at)
            {
                keys.extend(self.opened_by(import));
            }
            let symbol = at.symbol().map(|index| own.symbols[index]);
            if let Some(symbol) = symbol.filter(|symbol| symbol.kind == SymbolKind::Module) {
                keys.extend(rules::namespace_and_outer(own, &symbol));
            }
            here = symbol.map(|symbol| symbol.parent);
        }
        for file in self.files_with_global_usings(own) {
            let surface = self.world.surface(file);
            self.lookups.insert(surface.file_key().about(Topic::LexicalGlob));
            let globs =
                surface.imports.iter().filter(|it| it.raw.reexport && it.raw.kind == ImportKind::Glob);
            for import in globs {
                keys.extend(self.opened_by(import));
            }
        }
        keys.extend(own.usings.iter().copied());
        keys
    }

    /// How well a value fits what an extension is for; 0 when it does not.
    fn receiver_fit(&mut self, value: Val, (place, base): (CallPlace<'w>, ExprId), extension: SymRef) -> u8 {
        let surface = self.world.surface(extension.file);
        let symbol = surface.symbols[extension.index as usize];
        let Some(receiver) = symbol.receiver else { return 0 };
        let ty = self.eval_type(surface, ScopeId::of_symbol(extension.index as usize), receiver);
        // An alias is what it stands for.
        let wanted = match self.instance_of(ty).what {
            What::Instance(sym) | What::InstanceOfApply(Some(sym), _) => Some(sym),
            _ => None,
        };
        match (value.what, wanted) {
            (What::Instance(given) | What::InstanceOfApply(Some(given), _), Some(wanted)) => {
                if self.is_same_type(given, wanted) { 20 } else { self.distance(given, wanted) }
            }
            (What::Instance(given) | What::InstanceOfApply(Some(given), _), None) => {
                u8::from(!self.cannot_be(given, surface, receiver))
            }
            // Of a type from outside nothing is known but that it is none of the repository.
            (_, Some(_)) => 0,
            (_, None) => self.fit_named(place, base, surface, receiver).unwrap_or(1),
        }
    }
}

fn namespace_of(surface: &Surface, sym: SymRef) -> Option<Key> {
    debug_assert!(surface.family() == Family::CSharp, "Kotlin sees extensions by their names");
    let mut at = surface.symbols[sym.index as usize].parent;
    while let Some(index) = at.symbol() {
        let symbol = surface.symbols[index];
        if symbol.kind == SymbolKind::Module {
            return Some(symbol.key);
        }
        at = symbol.parent;
    }
    None
}
