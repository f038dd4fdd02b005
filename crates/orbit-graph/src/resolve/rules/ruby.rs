//! Ruby: constants are global and looked up through the enclosing modules; files are only loaded.

use super::{Members, PLAIN, Rules, Targets, path_key, path_tails};
use crate::layout::{directory, join, normalize};
use crate::resolve::key::Key;
use crate::resolve::surface::Surface;
use orbit_extract::Family;
use smallvec::smallvec;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, rooted_paths: true, ..PLAIN };

pub(super) fn module_keys(surface: &Surface) -> Targets {
    let path = surface.path.strip_suffix(".rb").unwrap_or(&surface.path);
    path_tails(Key::root(Family::Ruby), path)
}

pub(super) fn import_targets(surface: &Surface, module: &str) -> Targets {
    let root = Key::root(Family::Ruby);
    let bare = module.strip_suffix(".rb").unwrap_or(module);
    if bare.starts_with("./") || bare.starts_with("../") {
        return smallvec![path_key(root, &normalize(&join(directory(&surface.path), bare)))];
    }
    smallvec![path_key(root, bare)]
}
