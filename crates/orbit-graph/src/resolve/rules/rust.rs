//! Rust: a module tree per crate, `use` paths, closed inline modules.

use super::{PLAIN, Rules, Targets};
use crate::layout::{Layout, directory, join, normalize};
use crate::resolve::key::{Key, hash_name};
use crate::resolve::surface::Surface;
use orbit_extract::{Family, ImportKind, NameId, RawImport, ScopeId, SymbolKind};
use smallvec::{SmallVec, smallvec};
use std::sync::LazyLock;

pub(super) const RULES: Rules = Rules { closed_modules: true, ..PLAIN };

pub(super) fn import_targets(
    surface: &Surface,
    layout: &Layout,
    import: &RawImport,
    module: &str,
) -> Targets {
    let here = enclosing_module(surface, import.scope);
    if import.kind == ImportKind::ModuleDecl {
        let mut targets: Targets = SmallVec::new();
        for path in module_files(surface, import) {
            let module = layout.module_of(layout.followed(&path), surface.lang, None);
            let key = Key::root(Family::Rust).parts(module.split("::"));
            if !targets.contains(&key) {
                targets.push(key);
            }
        }
        let below = here.part(hash_name(module));
        if import.symbol.is_none() && !targets.contains(&below) {
            targets.push(below);
        }
        return targets;
    }
    let mut parts = module.split("::").filter(|part| !part.is_empty()).peekable();
    match parts.peek().copied() {
        Some("crate") => smallvec![surface.crate_key.parts(parts.skip(1))],
        Some("self") => smallvec![here.parts(parts.skip(1))],
        Some("super") => {
            let levels = module.split("::").take_while(|part| *part == "super").count();
            smallvec![ancestor_module(surface, import.scope, levels).parts(parts.skip(levels))]
        }
        _ => {
            let root = Key::root(Family::Rust);
            let parts: Vec<&str> = parts.collect();
            let each = [here, root, surface.crate_key].map(|base| base.parts(parts.iter().copied()));
            each.into_iter().collect()
        }
    }
}

/// The files that can be the body of a `mod x;`, or the one that its `#[path]` names.
pub(crate) fn module_files(surface: &Surface, import: &RawImport) -> Vec<String> {
    let stem = surface.path.strip_suffix(".rs").unwrap_or(&surface.path);
    let (dir, file) = (directory(&surface.path), stem.rsplit('/').next().unwrap_or(stem));
    let mut inline = Vec::new();
    let mut at = import.scope;
    while let Some(symbol) = at.symbol().map(|index| &surface.symbols[index]) {
        if symbol.kind == SymbolKind::Module {
            inline.push(surface.names.get(symbol.local).rsplit("::").next().unwrap_or_default());
        }
        at = symbol.parent;
    }
    inline.reverse();
    // A file called `mod.rs` and the root of a target have their modules beside them, others in a directory
    // of their own name. Which files are roots the path alone does not tell.
    let is_beside = file == "mod" || surface.module_parts.len() == 1;
    let is_below = file != "mod" && !matches!(file, "lib" | "main");
    let homes = [is_beside.then_some(dir), is_below.then_some(stem)];
    let homes =
        homes.into_iter().flatten().map(|home| inline.iter().fold(home.to_owned(), |a, b| join(&a, b)));
    if let Some(path) = import.symbol.map(|path| surface.names.get(path)) {
        let homes: Vec<String> = if inline.is_empty() { vec![dir.to_owned()] } else { homes.collect() };
        return homes.iter().map(|home| normalize(&join(home, path))).collect();
    }
    let name = surface.names.get(import.module);
    let name = name.strip_prefix("r#").unwrap_or(name);
    homes
        .flat_map(|home| [join(&home, &format!("{name}.rs")), join(&home, &format!("{name}/mod.rs"))])
        .collect()
}

/// How many inline modules a scope stands in.
pub(crate) fn inline_depth(surface: &Surface, scope: ScopeId) -> usize {
    let mut at = scope;
    let mut depth = 0;
    while let Some(symbol) = at.symbol().map(|index| &surface.symbols[index]) {
        depth += usize::from(symbol.kind == SymbolKind::Module);
        at = symbol.parent;
    }
    depth
}

/// The module a scope stands in: the innermost inline module, else the file's.
pub(crate) fn enclosing_module(surface: &Surface, scope: ScopeId) -> Key {
    ancestor_module(surface, scope, 0)
}

/// The module `levels` above the one a scope stands in.
pub(crate) fn ancestor_module(surface: &Surface, scope: ScopeId, levels: usize) -> Key {
    let mut left = levels;
    let mut at = scope;
    while let Some(symbol) = at.symbol().map(|index| &surface.symbols[index]) {
        if symbol.kind == SymbolKind::Module {
            if left == 0 {
                return symbol.key;
            }
            left -= 1;
        }
        at = symbol.parent;
    }
    let kept = surface.module_parts.len().saturating_sub(left).max(1);
    surface.module_parts.iter().take(kept).fold(Key::root(Family::Rust), |key, part| key.part(*part))
}

/// Whether a name means a crate that comes with the compiler.
pub(crate) fn is_standard_crate(name: u64) -> bool {
    static NAMES: LazyLock<[u64; 3]> = LazyLock::new(|| ["std", "core", "alloc"].map(hash_name));
    NAMES.contains(&name)
}

/// Whether a name is one of the variants that are there without an import.
pub(crate) fn is_prelude_variant(surface: &Surface, name: NameId) -> bool {
    surface.family() == Family::Rust && matches!(surface.names.get(name), "Some" | "None" | "Ok" | "Err")
}

/// Whether a macro has the name of one that is there without an import.
pub(crate) fn is_standard_macro(name: u64) -> bool {
    static NAMES: LazyLock<[u64; 26]> = LazyLock::new(|| {
        [
            "assert",
            "assert_eq",
            "assert_ne",
            "cfg",
            "column",
            "concat",
            "dbg",
            "debug_assert",
            "debug_assert_eq",
            "debug_assert_ne",
            "env",
            "eprint",
            "eprintln",
            "file",
            "format",
            "include_str",
            "line",
            "matches",
            "panic",
            "print",
            "println",
            "todo",
            "unreachable",
            "vec",
            "write",
            "writeln",
        ]
        .map(hash_name)
    });
    NAMES.contains(&name)
}

/// Whether the names that a file's modules see by their place in the text include those of `outer`: the same
/// file, or a module further out.
pub(crate) fn reaches(outer: &Surface, inner: &Surface) -> bool {
    outer.file == inner.file || inner.module_parts.starts_with(&outer.module_parts)
}
