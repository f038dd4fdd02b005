//! Go: one package per directory, imported by its full path; everything in it is visible in all its files.

use super::{PLAIN, Rules, Targets};
use crate::resolve::key::{Key, hash_name};
use crate::resolve::surface::Surface;
use orbit_extract::Family;
use smallvec::smallvec;

pub(super) const RULES: Rules = Rules { shares_module: true, ..PLAIN };

/// The package, and the package under the name that its files declare.
pub(super) fn module_keys(surface: &Surface, package: Option<u64>) -> Targets {
    let named = package.map(|name| named_package(surface.container, name));
    std::iter::once(surface.container).chain(named).collect()
}

/// A package that files import by its path and call by the name that it declares.
pub(crate) fn named_package(package: Key, name: u64) -> Key {
    package.parts(["\0package"]).part(name)
}

pub(super) fn import_targets(module: &str) -> Targets {
    smallvec![Key::root(Family::Go).part(hash_name(module))]
}

/// What a generic function of the library gives, in terms of its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoGives {
    /// The same: a function that is run once, a copy of a slice.
    Same,
    /// One of what it keeps.
    Kept,
    /// An iterator over what it keeps, over its keys.
    EachKept,
    EachKey,
    /// A slice of its keys, or of what an iterator gives; of what it keeps.
    SliceOfKeys,
    SliceOfKept,
}

/// What a generic function of a package of the library gives.
pub(crate) fn go_gives(package: &str, function: &str) -> Option<GoGives> {
    Some(match (package, function) {
        ("sync", "OnceFunc" | "OnceValue" | "OnceValues") | ("cmp", "Or") => GoGives::Same,
        (
            "slices" | "golang.org/x/exp/slices",
            "All" | "Backward" | "Clip" | "Clone" | "Compact" | "CompactFunc" | "Delete" | "DeleteFunc"
            | "Grow" | "Concat" | "Insert" | "Repeat" | "Replace",
        )
        | ("maps" | "golang.org/x/exp/maps", "All" | "Clone" | "Collect") => GoGives::Same,
        ("slices" | "golang.org/x/exp/slices", "Max" | "MaxFunc" | "Min" | "MinFunc") => GoGives::Kept,
        ("slices" | "maps", "Values") => GoGives::EachKept,
        ("maps", "Keys") => GoGives::EachKey,
        ("slices", "Collect" | "Sorted" | "SortedFunc" | "SortedStableFunc") => GoGives::SliceOfKeys,
        ("golang.org/x/exp/maps", "Keys") => GoGives::SliceOfKeys,
        ("golang.org/x/exp/maps", "Values") => GoGives::SliceOfKept,
        _ => return None,
    })
}

/// Whether a method of `atomic.Pointer[T]` gives the pointer.
pub(crate) fn is_load_of_pointer(method: &str) -> bool {
    matches!(method, "Load" | "Swap")
}
