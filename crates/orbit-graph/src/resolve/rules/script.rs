//! JavaScript and TypeScript: modules are files; specifiers are relative paths, workspace packages, or what
//! `tsconfig.json` maps.

use super::{PLAIN, Rules, Targets};
use crate::layout::{Layout, directory, join, normalize, script_module};
use crate::resolve::key::{Key, hash_name};
use crate::resolve::surface::Surface;
use orbit_extract::Family;
use smallvec::smallvec;

pub(super) const RULES: Rules = PLAIN;

pub(super) fn module_keys(surface: &Surface, module: &str) -> Targets {
    let mut keys: Targets = smallvec![surface.container];
    if module.rsplit('/').next() == Some("index") {
        keys.push(key(directory(module)));
    }
    keys
}

pub(super) fn import_targets(surface: &Surface, layout: &Layout, module: &str) -> Targets {
    if module.is_empty() {
        return smallvec![surface.container];
    }
    let module = module.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or(module);
    if module.starts_with('.') {
        return [normalize(&join(directory(&surface.path), module))]
            .iter()
            .flat_map(|path| spellings(path))
            .collect();
    }
    let found = layout.script_specifier(&surface.path, module);
    found.iter().flat_map(|path| spellings(path)).collect()
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
