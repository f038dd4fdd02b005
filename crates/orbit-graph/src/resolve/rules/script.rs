//! JavaScript and TypeScript: modules are files; specifiers are relative paths, workspace packages, or what
//! `tsconfig.json` maps.

use super::{PLAIN, Rules, Targets};
use crate::layout::{Layout, directory, join, normalize, script_module};
use crate::resolve::key::{Key, hash_name};
use crate::resolve::surface::Surface;
use orbit_extract::{Family, ImportKind, Lang, ScopeId};
use smallvec::smallvec;

pub(super) const RULES: Rules = PLAIN;

pub(super) fn module_keys(surface: &Surface, module: &str) -> Targets {
    let mut keys: Targets = smallvec![surface.container];
    if module.rsplit('/').next() == Some("index") {
        keys.push(key(directory(module)));
    }
    keys
}

/// What a method of a collection or promise gives of what it is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandedOn {
    /// The same: `filter`, `catch`.
    Whole,
    /// One element: `at`, `pop`, `get` of a map.
    Element,
    /// The values of a map.
    Values,
}

/// What a method of the standard collections and promises hands on.
pub(crate) fn handed_on(method: &str) -> Option<HandedOn> {
    Some(match method {
        "filter" | "slice" | "concat" | "reverse" | "sort" | "splice" | "toSorted" | "toReversed"
        | "toSpliced" | "with" | "fill" | "catch" | "finally" | "entries" => HandedOn::Whole,
        "at" | "pop" | "shift" | "find" | "findLast" | "get" => HandedOn::Element,
        "values" => HandedOn::Values,
        _ => return None,
    })
}

/// What a function of the environment makes of its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MadeOf {
    /// A list of the same: `Array.from`.
    Whole,
    /// A list of the values, and of the pairs of keys and values, of an object used as a map.
    Values,
    Entries,
    /// A promise of what all promises hold.
    Awaited,
}

/// What a function of `Array`, `Object` or `Promise` makes of its argument.
pub(crate) fn made_of(object: &str, function: &str) -> Option<MadeOf> {
    Some(match (object, function) {
        ("Array", "from") => MadeOf::Whole,
        ("Object", "values") => MadeOf::Values,
        ("Object", "entries") => MadeOf::Entries,
        ("Promise", "all") => MadeOf::Awaited,
        _ => return None,
    })
}

/// Whether a method of the standard collections and promises gives its callback an element as this parameter.
pub(crate) fn gives_element(method: &str, place: usize) -> bool {
    match method {
        "map" | "forEach" | "filter" | "find" | "findLast" | "findIndex" | "findLastIndex" | "some"
        | "every" | "flatMap" | "then" => place == 0,
        "sort" | "toSorted" => place < 2,
        "reduce" | "reduceRight" => place == 1,
        _ => false,
    }
}

/// Whether a file only declares what a script beside it, or a package, has.
pub(crate) fn is_declaration_file(surface: &Surface) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| surface.path.ends_with(ending))
}

/// Whether a file is for importers of this format: `x.d.cts` declares `x.cjs`, and `x.d.ts` declares `x.js`.
pub(crate) fn has_format_of(surface: &Surface, from: &Surface) -> bool {
    let is_common = |path: &str| matches!(path.rsplit('.').next(), Some("cts" | "cjs"));
    is_common(&surface.path) == is_common(&from.path)
}

/// Whether imports of a file lead to declaration files: those of TypeScript do, while JavaScript runs the scripts.
pub(crate) fn reads_declarations(surface: &Surface) -> bool {
    surface.family() == Family::Script && surface.lang != Lang::JavaScript
}

/// Whether a file is the `index` of the directory that a module key means.
pub(super) fn is_index_of(surface: &Surface, module: Key) -> bool {
    surface.container != module
        && script_module(&surface.path).rsplit('/').next() == Some("index")
        && key(directory(&surface.path)) == module
}

pub(super) fn import_targets(surface: &Surface, layout: &Layout, module: &str) -> Targets {
    if module.is_empty() {
        return smallvec![surface.container];
    }
    let module = module.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or(module);
    if module.starts_with('.') {
        let path = normalize(&join(directory(&surface.path), module));
        let mut found = layout.script_directory(&path);
        found.push(path);
        return found.iter().flat_map(|path| spellings(path)).collect();
    }
    let found = layout.script_specifier(&surface.path, module);
    let mut keys: Targets = found.iter().flat_map(|path| spellings(path)).collect();
    keys.push(ambient(module));
    keys
}

/// The key of a package that `declare module "m"` declares.
pub(crate) fn ambient_module(specifier: &str) -> Option<Key> {
    names_package(specifier).then(|| ambient(specifier))
}

fn ambient(module: &str) -> Key {
    Key::root(Family::Script).parts(["\0ambient", module])
}

/// What is visible everywhere without import.
pub(crate) fn globals() -> Key {
    Key::root(Family::Script).parts(["\0global"])
}

/// The scopes of a file whose names belong elsewhere too, and the keys that they hang under there: `declare module "m"`
/// adds to that module, `declare global` and a declaration file that is not a module to what is visible everywhere.
pub(crate) fn added_scopes(surface: &Surface) -> impl Iterator<Item = (ScopeId, Targets)> {
    let is_script = surface.family() == Family::Script;
    let globs = surface.imports.iter().filter(move |import| is_script && import.raw.kind == ImportKind::Glob);
    globs.filter_map(|import| {
        let keys = match (import.raw.reexport, import.raw.scope) {
            (true, _) if surface.names.get(import.raw.module).is_empty() => smallvec![globals()],
            (false, scope) if scope != ScopeId::FILE => import.targets.clone(),
            _ => return None,
        };
        Some((import.raw.scope, keys))
    })
}

/// Whether a specifier names a package: one that names a path, a `#name` or, as bundlers have it, `@/…` and `~/…`, means
/// something of the repository even where nobody can tell what.
pub(super) fn names_package(specifier: &str) -> bool {
    !specifier.starts_with(['.', '/', '#', '~']) && !specifier.starts_with("@/")
}

/// A path as written, and with the extension of a compiled file taken off.
fn spellings(path: &str) -> Targets {
    let mut keys: Targets = smallvec![key(path)];
    let bare = script_module(path);
    if bare != path {
        keys.push(key(bare));
    }
    keys
}

fn key(path: &str) -> Key {
    Key::root(Family::Script).part(hash_name(path))
}
