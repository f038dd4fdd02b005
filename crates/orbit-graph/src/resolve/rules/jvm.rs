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
