//! Built-in types as Kotlin and C# tell overloads apart by them.

use super::{BOXED, Fit, POSSIBLE, SAME, SUPERTYPE, UNFIT};

/// Types of the standard library that no type of a repository can be.
pub(super) fn is_final_outsider(name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    matches!(
        name,
        "String" | "Class" | "string" | "bool" | "decimal" | "Int" | "Char" | "ByteArray" | "CharArray"
    ) || BOXES.iter().any(|(_, boxed)| *boxed == name)
}

const BOXES: [(&str, &str); 8] = [
    ("boolean", "Boolean"),
    ("byte", "Byte"),
    ("char", "Character"),
    ("double", "Double"),
    ("float", "Float"),
    ("int", "Integer"),
    ("long", "Long"),
    ("short", "Short"),
];

/// Final classes of the Java library with all that they are besides objects.
const CLOSED: [(&str, &[&str]); 2] = [
    ("String", &["CharSequence", "Comparable", "Serializable", "Any"]),
    ("Class", &["Type", "AnnotatedElement", "GenericDeclaration", "Serializable", "Any"]),
];

/// The numeric types in the order they widen; a `char` widens to `int`.
const NUMBERS: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

/// How well a value of a built-in type fits a parameter whose type has this name.
pub(super) fn fit_primitive(given: &str, wanted: Option<&str>) -> Fit {
    let Some(wanted) = wanted else { return POSSIBLE };
    if given == wanted {
        return SAME;
    }
    if let Some((_, supertypes)) = CLOSED.iter().find(|(name, _)| *name == given) {
        return if supertypes.contains(&wanted) {
            SUPERTYPE
        } else if wanted == "Object" {
            POSSIBLE
        } else {
            UNFIT
        };
    }
    let rank = |name: &str| NUMBERS.iter().position(|number| *number == name);
    let from = if given == "char" { rank("int") } else { rank(given) };
    let is_primitive = |name: &str| {
        matches!(name, "bool" | "uint" | "ulong" | "Int" | "Long" | "Double" | "Float" | "Boolean" | "Char")
            || BOXES.iter().any(|(primitive, _)| *primitive == name)
    };
    match (from, rank(wanted)) {
        (Some(from), Some(to)) if from <= to && wanted != "byte" => SUPERTYPE - (to - from) as Fit,
        _ if BOXES.contains(&(given, wanted)) => BOXED,
        _ if is_primitive(wanted) => UNFIT,
        _ if is_final_outsider(Some(wanted)) => UNFIT,
        _ if matches!(wanted, "Number") && from.is_none() => UNFIT,
        _ => POSSIBLE,
    }
}
