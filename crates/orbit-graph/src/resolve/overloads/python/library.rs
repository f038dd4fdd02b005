//! Types of Python's own library that literals are of, or that are known not to be theirs.

use super::Takes;

/// Abstract classes that all of these are of.
const COLLECTION: [&str; 4] = ["Iterable", "Collection", "Container", "Sized"];
const SEQUENCE: [&str; 2] = ["Sequence", "Reversible"];

/// Each class with those that it is one of, apart from the abstract ones.
const CLASSES: [(&str, &[&str]); 15] = [
    ("bool", &["int", "float", "complex"]),
    ("int", &["float", "complex"]),
    ("float", &["complex"]),
    ("complex", &[]),
    ("str", &[]),
    ("bytes", &[]),
    ("list", &["List", "MutableSequence"]),
    ("dict", &["Dict", "Mapping", "MutableMapping", "Reversible"]),
    ("set", &["Set", "AbstractSet", "MutableSet"]),
    ("datetime", &["date"]),
    ("date", &[]),
    ("time", &[]),
    ("timedelta", &[]),
    ("Decimal", &[]),
    ("Fraction", &[]),
];

/// Whether a name is one of those whose values are known. `Set` is the class of `typing` and the abstract one.
pub(super) fn is_known(name: &str) -> bool {
    let is_of_class = |(class, others): &(&str, &[&str])| *class == name || others.contains(&name);
    CLASSES.iter().any(is_of_class) || COLLECTION.contains(&name) || SEQUENCE.contains(&name)
}

/// Whether a name is one of the classes.
pub(super) fn is_class(name: &str) -> bool {
    CLASSES.iter().any(|(class, _)| *class == name)
}

/// Whether a value of a class is one of a type that has a name.
pub(super) fn is_of(class: &str, wanted: &str) -> Takes {
    let own = CLASSES.iter().find(|(name, _)| *name == class);
    let is_collection = matches!(class, "str" | "bytes" | "list" | "dict" | "set");
    let is_sequence = matches!(class, "str" | "bytes" | "list");
    let is_of = class == wanted
        || own.is_some_and(|(_, others)| others.contains(&wanted))
        || is_collection && COLLECTION.contains(&wanted)
        || is_sequence && SEQUENCE.contains(&wanted);
    match (is_of, is_known(wanted)) {
        (true, _) => Takes::Yes,
        (false, true) => Takes::No,
        (false, false) => Takes::Perhaps,
    }
}
