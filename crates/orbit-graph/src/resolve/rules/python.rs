//! Python: dotted modules, relative imports, names of a class body visible only there.

use super::{Members, PLAIN, Rules, Targets};
use crate::layout::{Layout, directory};
use crate::resolve::key::Key;
use crate::resolve::surface::{ImportFact, Surface};
use orbit_extract::{Family, ImportKind, RawImport};

pub(super) const RULES: Rules = Rules { members: Members::InBody, ..PLAIN };

/// What a method of a built-in collection gives of what the collection holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Itself,
    /// A value, an element.
    Element,
    Keys,
    Values,
    Pairs,
    Pair,
}

pub(crate) fn held_by(method: &str) -> Option<Held> {
    Some(match method {
        "copy" | "union" | "intersection" | "difference" | "__iter__" => Held::Itself,
        "get" | "pop" | "setdefault" | "popleft" | "get_nowait" | "result" | "__getitem__" | "__next__" => {
            Held::Element
        }
        "keys" => Held::Keys,
        "values" => Held::Values,
        "items" => Held::Pairs,
        "popitem" => Held::Pair,
        _ => return None,
    })
}

/// The file's module, and what it is called from further out: directories without an `__init__.py` are packages too.
pub(super) fn module_keys(surface: &Surface) -> Targets {
    let mut keys: Targets = std::iter::once(surface.container).collect();
    let stem = surface.path.strip_suffix(".pyi").or_else(|| surface.path.strip_suffix(".py"));
    let stem = stem.unwrap_or(&surface.path);
    let stem = stem.strip_suffix("__init__").map_or(stem, |dir| dir.trim_end_matches('/'));
    let parts: Vec<&str> = stem.split('/').filter(|part| !part.is_empty()).collect();
    let outside = parts.len().saturating_sub(surface.module_parts.len());
    for start in (0..outside).rev() {
        keys.push(Key::root(Family::Python).parts(parts[start..].iter().copied()));
    }
    keys
}

/// The module that an import which binds `target` loads: `import a.b` binds `a` and loads `a.b`.
pub(super) fn imported_module(surface: &Surface, import: &ImportFact, target: Key) -> Key {
    let module = surface.names.get(import.raw.module);
    match module.split_once('.') {
        Some((first, rest))
            if import.raw.kind == ImportKind::Module
                && import.raw.binds.is_some_and(|binds| surface.names.get(binds) == first) =>
        {
            target.parts(rest.split('.'))
        }
        _ => target,
    }
}

pub(super) fn import_targets(
    surface: &Surface,
    layout: &Layout,
    import: &RawImport,
    module: &str,
) -> Targets {
    let root = Key::root(Family::Python);
    let level = module.bytes().take_while(|byte| *byte == b'.').count();
    let name = &module[level..];
    if level > 0 {
        let file = surface.path.rsplit('/').next().unwrap_or(&surface.path);
        let is_package = matches!(file, "__init__.py" | "__init__.pyi");
        let up = level - usize::from(is_package);
        let kept = surface.module_parts.len().saturating_sub(up);
        let base = surface.module_parts[..kept].iter().fold(root, |key, part| key.part(*part));
        return std::iter::once(base.parts(name.split('.').filter(|part| !part.is_empty()))).collect();
    }
    // `import a.b` binds `a`: what is behind it is reached as an attribute.
    let first = name.split('.').next().unwrap_or(name);
    let binds_first = import.kind == ImportKind::Module
        && import.binds.is_some_and(|binds| surface.names.get(binds) == first);
    let name = if binds_first { first } else { name };
    let mut targets: Targets = std::iter::once(root.parts(name.split('.'))).collect();
    // Outside of packages a script's own directory is searched as well.
    if !layout.is_python_package(directory(&surface.path)) && surface.module_parts.len() > 1 {
        let kept = surface.module_parts.len() - 1;
        let beside = surface.module_parts[..kept].iter().fold(root, |key, part| key.part(*part));
        targets.push(beside.parts(name.split('.')));
    }
    targets
}
