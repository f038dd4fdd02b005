//! What the choice of a method must know of the Java library: how its types derive from each other, and what their
//! members give. `library/types.txt` holds its declarations.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Primitive types and the classes that hold them.
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

/// The numeric types in the order they widen; a `char` widens to `int`.
const NUMBERS: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

/// The packages whose types are in the table; elsewhere a type may have the name of one of them.
const PACKAGES: [&str; 22] = [
    "java.io",
    "java.lang",
    "java.lang.annotation",
    "java.lang.reflect",
    "java.math",
    "java.net",
    "java.nio",
    "java.nio.channels",
    "java.nio.charset",
    "java.nio.file",
    "java.nio.file.attribute",
    "java.security",
    "java.text",
    "java.time",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.util.concurrent.locks",
    "java.util.function",
    "java.util.regex",
    "java.util.stream",
    "java.util.zip",
];

static TYPES: LazyLock<HashMap<&'static str, Type>> =
    LazyLock::new(|| read(include_str!("library/types.txt")));

/// A type of the library.
#[derive(Debug, Default)]
struct Type {
    is_final: bool,
    /// How many parameters a lambda has that is given for it.
    arity: Option<u8>,
    parents: Vec<&'static str>,
    /// Members by name, with what they give; `None` where overloads differ.
    members: HashMap<&'static str, Option<&'static str>>,
}

/// Reads the table: a type begins at the start of a line, and lines that begin with a space go on with it.
fn read(table: &'static str) -> HashMap<&'static str, Type> {
    let mut types: HashMap<&str, Type> = HashMap::new();
    let (mut name, mut gives, mut is_parent) = ("", None, false);
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        if !line.starts_with(' ') {
            let head = words.next().unwrap_or("");
            let (head, arity) =
                head.split_once('/').map_or((head, None), |(head, arity)| (head, arity.parse().ok()));
            name = head.trim_end_matches('!');
            let is_final = head.ends_with('!');
            types.insert(name, Type { is_final, arity, ..Type::default() });
            (gives, is_parent) = (None, false);
        }
        let Some(of) = types.get_mut(name) else { continue };
        for word in words {
            match word {
                "<" => is_parent = true,
                "|" => is_parent = false,
                _ if let Some(ty) = word.strip_suffix(':') => gives = Some(ty).filter(|ty| *ty != "?"),
                _ if is_parent => of.parents.push(word),
                _ => drop(of.members.insert(word, gives)),
            }
        }
    }
    types
}

pub(super) fn boxed(primitive: &str) -> Option<&'static str> {
    BOXES.iter().find(|(name, _)| *name == primitive).map(|(_, boxed)| *boxed)
}

pub(super) fn unboxed(class: &str) -> Option<&'static str> {
    BOXES.iter().find(|(_, boxed)| *boxed == class).map(|(name, _)| *name)
}

/// Whether a value of one primitive type can stand where another is asked for.
pub(super) fn widens(from: &str, to: &str) -> bool {
    let rank = |name: &str| NUMBERS.iter().position(|number| *number == name);
    let least = if from == "char" { rank("int") } else { rank(from) };
    from == to || matches!((least, rank(to)), (Some(from), Some(to)) if from <= to)
}

/// Whether types of a package are known by their simple names.
pub(super) fn is_package(package: &str) -> bool {
    PACKAGES.contains(&package)
}

pub(super) fn is_known(name: &str) -> bool {
    TYPES.contains_key(name)
}

/// Whether nothing derives from a class.
pub(super) fn is_final(name: &str) -> bool {
    TYPES.get(name).is_some_and(|ty| ty.is_final)
}

/// Whether a type of the library is another one or derives from it; `None` when that is not known.
pub(super) fn derives(given: &str, wanted: &str) -> Option<bool> {
    if given == wanted || wanted == "Object" {
        return Some(true);
    }
    if is_final(wanted) {
        return Some(false);
    }
    let ty = TYPES.get(given)?;
    Some(ty.parents.iter().any(|parent| derives(parent, wanted).unwrap_or(false)))
}

/// How many parameters a lambda has that is given for this interface.
pub(super) fn function_arity(name: &str) -> Option<u8> {
    TYPES.get(name)?.arity
}

/// What a member of a class gives when it is called or read: its own or an inherited one, or one that every object has.
pub(super) fn member(class: &str, name: &str) -> Option<&'static str> {
    match (class, name) {
        (_, "toString") => Some("String"),
        (_, "hashCode") => Some("int"),
        (_, "equals") => Some("boolean"),
        (_, "getClass") => Some("Class"),
        _ => declared(class, name)?.gives,
    }
}

/// A member that is declared, whether or not it is known what it gives.
struct Declared {
    gives: Option<&'static str>,
}

/// What a class or one that it derives from declares.
fn declared(class: &str, name: &str) -> Option<Declared> {
    let ty = TYPES.get(class)?;
    let own = ty.members.get(name).map(|gives| Declared { gives: *gives });
    own.or_else(|| ty.parents.iter().find_map(|parent| declared(parent, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_derive_through_others() {
        assert_eq!(derives("ArrayList", "Iterable"), Some(true));
        assert_eq!(derives("Integer", "Serializable"), Some(true));
        assert_eq!(derives("RandomAccessFile", "InputStream"), Some(false));
        assert_eq!(derives("String", "Number"), Some(false));
        assert_eq!(derives("Unheard", "Number"), None);
        assert!(widens("char", "long") && !widens("long", "int") && !widens("char", "short"));
        assert!(is_final("String") && !is_final("Number"));
        assert_eq!((function_arity("BinaryOperator"), function_arity("List")), (Some(2), None));
    }

    #[test]
    fn members_give_what_their_declarations_say() {
        for (class, name, gives) in [
            ("String", "getBytes", Some("byte[]")),
            ("RandomAccessFile", "getChannel", Some("FileChannel")),
            ("ArrayList", "size", Some("int")),
            ("ByteArrayInputStream", "readAllBytes", Some("byte[]")),
            ("Integer", "MAX_VALUE", Some("int")),
            ("Anything", "toString", Some("String")),
            // `position()` is a number, `position(1)` the buffer.
            ("ByteBuffer", "position", None),
            // A type parameter.
            ("List", "get", None),
            ("Unheard", "size", None),
        ] {
            assert_eq!(member(class, name), gives, "{class}.{name}");
        }
    }

    #[test]
    fn every_type_that_is_named_by_another_is_in_the_table() {
        let absent = TYPES.values().flat_map(|ty| &ty.parents).filter(|parent| !is_known(parent));
        let mut absent: Vec<_> = absent.collect();
        absent.sort_unstable();
        absent.dedup();
        assert_eq!(absent, Vec::<&&str>::new());
    }
}
