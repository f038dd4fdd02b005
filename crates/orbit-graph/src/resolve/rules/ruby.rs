//! Ruby: constants are global and looked up through the enclosing modules; files are only loaded.

use super::{Members, PLAIN, Rules, Targets, path_key, path_tails};
use crate::layout::{directory, join, normalize};
use crate::resolve::key::Key;
use crate::resolve::surface::Surface;
use orbit_extract::{Family, ImportKind, RawImport};
use smallvec::smallvec;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, rooted_paths: true, ..PLAIN };

pub(super) fn module_keys(surface: &Surface, imports: &[RawImport]) -> Targets {
    let path = surface.path.strip_suffix(".rb").unwrap_or(&surface.path);
    let mut keys = path_tails(Key::root(Family::Ruby), path);
    if imports.iter().any(|import| import.kind == ImportKind::Glob) {
        keys.push(included_everywhere());
    }
    keys
}

/// The files that include a module outside of any class, so that all code sees its constants.
pub(crate) fn included_everywhere() -> Key {
    path_key(Key::root(Family::Ruby), "\0include")
}

pub(super) fn import_targets(surface: &Surface, import: &RawImport, module: &str) -> Targets {
    let root = Key::root(Family::Ruby);
    if import.kind == ImportKind::Glob {
        return smallvec![root.parts(module.split("::"))];
    }
    let bare = module.strip_suffix(".rb").unwrap_or(module);
    if bare.starts_with("./") || bare.starts_with("../") {
        return smallvec![path_key(root, &normalize(&join(directory(&surface.path), bare)))];
    }
    smallvec![path_key(root, bare)]
}
