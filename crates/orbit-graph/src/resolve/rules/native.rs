//! C and C++: one global namespace, of which a file sees what it includes.

use super::{Members, PLAIN, Rules, Targets, path_key, path_tails};
use crate::layout::{directory, join, normalize};
use crate::resolve::key::{Key, hash_name};
use crate::resolve::lookup::Thing;
use crate::resolve::surface::Surface;
use orbit_extract::{Family, ImportKind, RawImport};
use smallvec::smallvec;
use std::sync::LazyLock;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, includes: true, rooted_paths: true, ..PLAIN };

static GLOBAL: LazyLock<u64> = LazyLock::new(|| hash_name("::"));
static STANDARD: LazyLock<u64> = LazyLock::new(|| hash_name("std"));

/// What `::` and `std` mean wherever they stand. A repository adds specialisations to `std`, and nothing that is
/// meant by a name in it.
pub(crate) fn outer_namespace(name: u64) -> Option<Thing> {
    match name {
        _ if name == *GLOBAL => Some(Thing::Module(Key::root(Family::Native))),
        _ if name == *STANDARD => Some(Thing::External),
        _ => None,
    }
}

/// Whether a module is `std`.
pub(crate) fn is_standard_namespace(module: Key) -> bool {
    module == Key::root(Family::Native).part(*STANDARD)
}

pub(super) fn module_keys(surface: &Surface, imports: &[RawImport]) -> Targets {
    let root = Key::root(Family::Native);
    let mut keys = path_tails(root, &surface.path);
    // A namespace that a macro opens is another name for what is round it.
    let opened =
        imports.iter().filter(|import| import.kind == ImportKind::Glob).filter_map(|import| import.symbol);
    for name in opened {
        let key = root.parts(surface.names.get(name).split("::"));
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
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
