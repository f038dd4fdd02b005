//! C and C++: one global namespace, of which a file sees what it includes.

use super::{Members, PLAIN, Rules, Targets, path_key, path_tails};
use crate::layout::{directory, join, normalize};
use crate::resolve::key::Key;
use crate::resolve::surface::Surface;
use orbit_extract::{Family, ImportKind, RawImport};
use smallvec::smallvec;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, includes: true, rooted_paths: true, ..PLAIN };

pub(super) fn module_keys(surface: &Surface) -> Targets {
    path_tails(Key::root(Family::Native), &surface.path)
}

pub(super) fn import_targets(surface: &Surface, import: &RawImport, module: &str) -> Targets {
    let root = Key::root(Family::Native);
    if import.kind != ImportKind::File {
        return smallvec![root.parts(module.split("::").filter(|part| !part.is_empty()))];
    }
    if let Some(system) = module.strip_prefix('<') {
        smallvec![path_key(root, system.trim_end_matches('>'))]
    } else {
        let beside = normalize(&join(directory(&surface.path), module));
        smallvec![
            path_key(root, &beside),
            path_key(root, module.trim_start_matches("./").trim_start_matches("../"))
        ]
    }
}
