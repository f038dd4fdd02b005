//! Python: dotted modules, relative imports, names of a class body visible only there.

use super::{Members, PLAIN, Rules, Targets};
use crate::layout::{Layout, directory};
use crate::resolve::key::Key;
use crate::resolve::surface::Surface;
use orbit_extract::{Family, ImportKind, RawImport};

pub(super) const RULES: Rules = Rules { members: Members::InBody, ..PLAIN };

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
        let is_package = surface.path.ends_with("/__init__.py") || &*surface.path == "__init__.py";
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
