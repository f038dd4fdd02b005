//! Go: one package per directory, imported by its full path; everything in it is visible in all its files.

use super::{PLAIN, Rules, Targets};
use crate::resolve::key::{Key, hash_name};
use orbit_extract::Family;
use smallvec::smallvec;

pub(super) const RULES: Rules = Rules { shares_module: true, ..PLAIN };

pub(super) fn import_targets(module: &str) -> Targets {
    smallvec![Key::root(Family::Go).part(hash_name(module))]
}
