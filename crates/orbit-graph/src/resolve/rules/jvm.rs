//! Java and Kotlin: packages by name, members of a class visible everywhere inside it.

use super::{Members, PLAIN, Rules, Targets};
use crate::resolve::key::Key;
use orbit_extract::Family;
use smallvec::smallvec;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, rooted_paths: true, ..PLAIN };

pub(super) fn import_targets(module: &str) -> Targets {
    smallvec![Key::root(Family::Jvm).parts(module.split('.'))]
}
