//! Java and Kotlin: packages by name, members of a class visible everywhere inside it.

use super::{Members, PLAIN, Rules, Targets};
use crate::resolve::key::Key;
use crate::resolve::surface::Surface;
use orbit_extract::{Family, Lang};
use smallvec::smallvec;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, rooted_paths: true, ..PLAIN };

pub(super) fn import_targets(module: &str) -> Targets {
    let root = Key::root(Family::Jvm);
    let mut targets: Targets = smallvec![root.parts(module.split('.'))];
    // What a companion object of Kotlin declares are members of the class round it.
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    if let Some((class, companion)) = module.rsplit_once('.')
        && is_type(companion)
        && is_type(class.rsplit('.').next().unwrap_or(class))
    {
        targets.push(root.parts(class.split('.')));
    }
    targets
}

/// How well code of one source set of a Kotlin project sees that of another: its own platform's best, then what is
/// common to all (`src/jvmTest` sees `src/jvmMain` and `src/commonMain`).
pub(super) fn source_set_rank(surface: &Surface, from: &Surface) -> u8 {
    if surface.lang != Lang::Kotlin {
        return 0;
    }
    match (platform(&surface.path), platform(&from.path)) {
        (Some(given), Some(own)) if given == own => 2,
        (Some("common"), Some(_)) => 1,
        _ => 0,
    }
}

/// `jvm` of `lib/src/jvmTest/kotlin/A.kt`.
fn platform(path: &str) -> Option<&str> {
    let (_, set) = path.rsplit_once("src/")?;
    let set = set.split('/').next()?;
    set.strip_suffix("Main").or_else(|| set.strip_suffix("Test"))
}

/// What a method of a collection gives, in terms of the collection's type arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// The last argument: an element, the value of a map.
    Element,
    /// The first argument: the key of an entry.
    First,
    /// Something that holds the same elements; of a map, its values.
    Whole,
    /// The keys of a map.
    Keys,
    /// The entries of a map.
    Entries,
}

/// Methods of Java's collections, iterators, streams and references whose names are theirs alone.
pub(crate) fn collection_method(name: &str) -> Option<Gives> {
    Some(match name {
        "get" | "next" | "previous" | "first" | "last" | "getFirst" | "getLast" | "peek" | "poll" | "pop"
        | "element" | "removeFirst" | "removeLast" | "pollFirst" | "pollLast" | "peekFirst" | "peekLast"
        | "orElse" | "orElseThrow" | "orElseGet" | "nextElement" | "elementAt" | "firstElement"
        | "lastElement" | "take" | "getValue" | "getOrDefault" | "computeIfAbsent" => Gives::Element,
        "getKey" => Gives::First,
        "iterator" | "listIterator" | "stream" | "parallelStream" | "subList" | "filter" | "sorted"
        | "limit" | "skip" | "distinct" | "findFirst" | "findAny" | "values" | "descendingIterator"
        | "toList" => Gives::Whole,
        "keySet" => Gives::Keys,
        "entrySet" => Gives::Entries,
        _ => return None,
    })
}

/// Methods of Java's collections, maps, streams, references and futures that hand to a lambda what they hold.
pub(crate) fn gives_elements(name: &str) -> bool {
    matches!(
        name,
        "forEach"
            | "forEachOrdered"
            | "map"
            | "mapToInt"
            | "mapToLong"
            | "mapToDouble"
            | "mapToObj"
            | "flatMap"
            | "filter"
            | "anyMatch"
            | "allMatch"
            | "noneMatch"
            | "peek"
            | "removeIf"
            | "ifPresent"
            | "ifPresentOrElse"
            | "takeWhile"
            | "dropWhile"
            | "sort"
            | "sorted"
            | "max"
            | "min"
            | "reduce"
            | "replaceAll"
            | "compute"
            | "computeIfAbsent"
            | "computeIfPresent"
            | "merge"
            | "thenAccept"
            | "thenApply"
            | "thenCompose"
    )
}
