//! What the choice of a method must know of the Java library: how its types derive from each other.

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

/// Types with the types that they directly derive from, besides `Object`. A type that is not here may derive from
/// anything.
const TYPES: &[(&str, &[&str])] = &[
    ("AbstractCollection", &["Collection"]),
    ("AbstractList", &["AbstractCollection", "List"]),
    ("AbstractMap", &["Map"]),
    ("AbstractSet", &["AbstractCollection", "Set"]),
    ("AnnotatedElement", &[]),
    ("Annotation", &[]),
    ("Appendable", &[]),
    ("ArrayDeque", &["AbstractCollection", "Deque"]),
    ("ArrayList", &["AbstractList", "List", "RandomAccess", "Serializable"]),
    ("AutoCloseable", &[]),
    ("BiConsumer", &[]),
    ("BiFunction", &[]),
    ("BiPredicate", &[]),
    ("BigDecimal", &["Number", "Comparable"]),
    ("BigInteger", &["Number", "Comparable"]),
    ("BinaryOperator", &["BiFunction"]),
    ("BlockingQueue", &["Queue"]),
    ("Boolean", &["Comparable", "Serializable"]),
    ("BufferedReader", &["Reader"]),
    ("Byte", &["Number", "Comparable"]),
    ("ByteArrayInputStream", &["InputStream"]),
    ("ByteArrayOutputStream", &["OutputStream"]),
    ("Calendar", &["Comparable", "Serializable", "Cloneable"]),
    ("Callable", &[]),
    ("CharBuffer", &["CharSequence", "Appendable", "Comparable", "Readable"]),
    ("CharSequence", &[]),
    ("Character", &["Comparable", "Serializable"]),
    ("Charset", &["Comparable"]),
    ("Class", &["Type", "AnnotatedElement", "GenericDeclaration", "Serializable"]),
    ("ClassLoader", &[]),
    ("ClassNotFoundException", &["Exception"]),
    ("Cloneable", &[]),
    ("Closeable", &["AutoCloseable"]),
    ("Collection", &["Iterable"]),
    ("Comparable", &[]),
    ("Comparator", &[]),
    ("ConcurrentHashMap", &["AbstractMap", "ConcurrentMap", "Serializable"]),
    ("ConcurrentMap", &["Map"]),
    ("Constructor", &["Executable"]),
    ("Consumer", &[]),
    ("Date", &["Comparable", "Serializable", "Cloneable"]),
    ("DateFormat", &["Format"]),
    ("Deque", &["Queue"]),
    ("Double", &["Number", "Comparable"]),
    ("Duration", &["Comparable", "Serializable"]),
    ("Enum", &["Comparable", "Serializable"]),
    ("EnumMap", &["AbstractMap", "Cloneable", "Serializable"]),
    ("EnumSet", &["AbstractSet", "Cloneable", "Serializable"]),
    ("Enumeration", &[]),
    ("Error", &["Throwable"]),
    ("Exception", &["Throwable"]),
    ("Executable", &["AnnotatedElement", "Member", "GenericDeclaration"]),
    ("Field", &["AnnotatedElement", "Member"]),
    ("File", &["Comparable", "Serializable"]),
    ("FileInputStream", &["InputStream"]),
    ("FileOutputStream", &["OutputStream"]),
    ("Float", &["Number", "Comparable"]),
    ("Format", &["Serializable", "Cloneable"]),
    ("Function", &[]),
    ("GenericArrayType", &["Type"]),
    ("GenericDeclaration", &["AnnotatedElement"]),
    ("GregorianCalendar", &["Calendar"]),
    ("HashMap", &["AbstractMap", "Serializable", "Cloneable"]),
    ("HashSet", &["AbstractSet", "Serializable", "Cloneable"]),
    ("IOException", &["Exception"]),
    ("IllegalArgumentException", &["RuntimeException"]),
    ("IllegalStateException", &["RuntimeException"]),
    ("IndexOutOfBoundsException", &["RuntimeException"]),
    ("InputStream", &["Closeable"]),
    ("InputStreamReader", &["Reader"]),
    ("Instant", &["Comparable", "Serializable"]),
    ("IntStream", &["AutoCloseable"]),
    ("Integer", &["Number", "Comparable"]),
    ("Iterable", &[]),
    ("Iterator", &[]),
    ("LinkedHashMap", &["HashMap"]),
    ("LinkedHashSet", &["HashSet"]),
    ("LinkedList", &["AbstractList", "Deque", "Serializable", "Cloneable"]),
    ("List", &["Collection"]),
    ("ListIterator", &["Iterator"]),
    ("LocalDate", &["Comparable", "Serializable"]),
    ("LocalDateTime", &["Comparable", "Serializable"]),
    ("LocalTime", &["Comparable", "Serializable"]),
    ("Locale", &["Serializable", "Cloneable"]),
    ("Long", &["Number", "Comparable"]),
    ("Map", &[]),
    ("MatchResult", &[]),
    ("Matcher", &["MatchResult"]),
    ("Member", &[]),
    ("Method", &["Executable"]),
    ("NavigableMap", &["SortedMap"]),
    ("NavigableSet", &["SortedSet"]),
    ("NullPointerException", &["RuntimeException"]),
    ("Number", &["Serializable"]),
    ("NumberFormat", &["Format"]),
    ("Object", &[]),
    ("Optional", &[]),
    ("OutputStream", &["Closeable"]),
    ("ParameterizedType", &["Type"]),
    ("Path", &["Comparable", "Iterable"]),
    ("Pattern", &["Serializable"]),
    ("Predicate", &[]),
    ("PrintStream", &["OutputStream", "Appendable"]),
    ("PrintWriter", &["Writer"]),
    ("PriorityQueue", &["AbstractCollection", "Queue", "Serializable"]),
    ("Properties", &["Map", "Serializable", "Cloneable"]),
    ("Queue", &["Collection"]),
    ("Random", &["Serializable"]),
    ("RandomAccess", &[]),
    ("Readable", &[]),
    ("Reader", &["Closeable", "Readable"]),
    ("Runnable", &[]),
    ("RuntimeException", &["Exception"]),
    ("Serializable", &[]),
    ("Set", &["Collection"]),
    ("Short", &["Number", "Comparable"]),
    ("SimpleDateFormat", &["DateFormat"]),
    ("SortedMap", &["Map"]),
    ("SortedSet", &["Set"]),
    ("Stack", &["Vector"]),
    ("StackTraceElement", &["Serializable"]),
    ("Stream", &["AutoCloseable"]),
    ("String", &["CharSequence", "Comparable", "Serializable"]),
    ("StringBuffer", &["CharSequence", "Appendable", "Comparable", "Serializable"]),
    ("StringBuilder", &["CharSequence", "Appendable", "Comparable", "Serializable"]),
    ("StringReader", &["Reader"]),
    ("StringWriter", &["Writer"]),
    ("Supplier", &[]),
    ("Thread", &["Runnable"]),
    ("Throwable", &["Serializable"]),
    ("TimeZone", &["Serializable", "Cloneable"]),
    ("TreeMap", &["AbstractMap", "NavigableMap", "Serializable", "Cloneable"]),
    ("TreeSet", &["AbstractSet", "NavigableSet", "Serializable", "Cloneable"]),
    ("Type", &[]),
    ("TypeVariable", &["Type", "AnnotatedElement"]),
    ("URI", &["Comparable", "Serializable"]),
    ("URL", &["Serializable"]),
    ("UUID", &["Comparable", "Serializable"]),
    ("UnaryOperator", &["Function"]),
    ("UnsupportedOperationException", &["RuntimeException"]),
    ("Vector", &["AbstractList", "RandomAccess", "Serializable", "Cloneable"]),
    ("Void", &[]),
    ("WildcardType", &["Type"]),
    ("Writer", &["Appendable", "Closeable"]),
];

/// Interfaces that lambdas are given for, with the number of their parameters.
const FUNCTIONS: &[(&str, u8)] = &[
    ("BiConsumer", 2),
    ("BiFunction", 2),
    ("BiPredicate", 2),
    ("BinaryOperator", 2),
    ("BooleanSupplier", 0),
    ("Callable", 0),
    ("Comparator", 2),
    ("Consumer", 1),
    ("DoubleSupplier", 0),
    ("Function", 1),
    ("IntBinaryOperator", 2),
    ("IntConsumer", 1),
    ("IntFunction", 1),
    ("IntPredicate", 1),
    ("IntSupplier", 0),
    ("IntUnaryOperator", 1),
    ("LongConsumer", 1),
    ("LongFunction", 1),
    ("LongSupplier", 0),
    ("Predicate", 1),
    ("Runnable", 0),
    ("Supplier", 0),
    ("ToDoubleFunction", 1),
    ("ToIntFunction", 1),
    ("ToLongFunction", 1),
    ("UnaryOperator", 1),
];

/// The numeric types in the order they widen; a `char` widens to `int`.
const NUMBERS: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

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

fn parents(name: &str) -> Option<&'static [&'static str]> {
    TYPES.binary_search_by_key(&name, |(known, _)| known).ok().map(|at| TYPES[at].1)
}

pub(super) fn is_known(name: &str) -> bool {
    parents(name).is_some()
}

/// Whether nothing derives from a class.
pub(super) fn is_final(name: &str) -> bool {
    unboxed(name).is_some()
        || matches!(
            name,
            "Class"
                | "Constructor"
                | "Duration"
                | "Field"
                | "Instant"
                | "Locale"
                | "LocalDate"
                | "Method"
                | "Pattern"
                | "String"
                | "StringBuffer"
                | "StringBuilder"
                | "URI"
                | "URL"
                | "UUID"
                | "Void"
        )
}

/// Whether a type of the library is another one or derives from it; `None` when that is not known.
pub(super) fn derives(given: &str, wanted: &str) -> Option<bool> {
    if given == wanted || wanted == "Object" {
        return Some(true);
    }
    if is_final(wanted) {
        return Some(false);
    }
    let direct = parents(given)?;
    Some(direct.iter().any(|parent| derives(parent, wanted).unwrap_or(false)))
}

/// How many parameters a lambda has that is given for this interface.
pub(super) fn function_arity(name: &str) -> Option<u8> {
    FUNCTIONS.binary_search_by_key(&name, |(known, _)| known).ok().map(|at| FUNCTIONS[at].1)
}

/// What a method gives: one that every object has, one of a class of the library, or a static one.
pub(super) fn result(class: &str, method: &str) -> Option<&'static str> {
    let own_boxed = || BOXES.iter().find(|(_, boxed)| *boxed == class).map(|(_, boxed)| *boxed);
    match (class, method) {
        (_, "toString")
        | (
            "String",
            "valueOf" | "format" | "join" | "trim" | "strip" | "substring" | "concat" | "intern" | "repeat"
            | "toLowerCase" | "toUpperCase" | "replace" | "replaceAll" | "replaceFirst",
        )
        | ("Class", "getName" | "getSimpleName" | "getCanonicalName" | "getTypeName")
        | ("StringBuilder" | "StringBuffer", "substring") => Some("String"),
        (_, "hashCode" | "intValue")
        | (
            "String" | "StringBuilder" | "StringBuffer" | "CharSequence",
            "length" | "indexOf" | "lastIndexOf",
        )
        | ("List" | "ArrayList" | "Set" | "HashSet" | "Map" | "HashMap" | "Collection", "size")
        | ("Integer", "parseInt") => Some("int"),
        (_, "equals")
        | ("String", "isEmpty" | "contains" | "startsWith" | "endsWith" | "matches" | "equalsIgnoreCase") => {
            Some("boolean")
        }
        (_, "getClass") => Some("Class"),
        ("String" | "StringBuilder" | "StringBuffer" | "CharSequence", "charAt") => Some("char"),
        ("String", "toCharArray") => Some("char[]"),
        ("String", "getBytes") => Some("byte[]"),
        ("String", "split") => Some("String[]"),
        ("String" | "StringBuilder" | "StringBuffer", "subSequence") => Some("CharSequence"),
        ("StringBuilder", "append" | "insert" | "reverse") => Some("StringBuilder"),
        ("StringBuffer", "append" | "insert" | "reverse") => Some("StringBuffer"),
        (_, "valueOf") => own_boxed(),
        (_, "longValue") | ("Long", "parseLong") | ("System", "currentTimeMillis" | "nanoTime") => {
            Some("long")
        }
        (_, "doubleValue") | ("Double", "parseDouble") => Some("double"),
        (_, "floatValue") | ("Float", "parseFloat") => Some("float"),
        ("Locale", "getDefault" | "forLanguageTag") => Some("Locale"),
        ("Calendar", "getInstance") => Some("Calendar"),
        ("Calendar" | "GregorianCalendar", "getTime") => Some("Date"),
        ("TimeZone", "getTimeZone" | "getDefault") => Some("TimeZone"),
        ("Pattern", "compile") => Some("Pattern"),
        ("Arrays", "asList") | ("Collections", "emptyList" | "singletonList") => Some("List"),
        ("Collections", "emptyMap" | "singletonMap") => Some("Map"),
        ("Iterable" | "Collection" | "List" | "Set", "iterator") => Some("Iterator"),
        _ => None,
    }
}

/// The type of a constant of a class of the library.
pub(super) fn constant(class: &str, name: &str) -> Option<&'static str> {
    match (class, name) {
        (_, "TYPE") => unboxed(class).map(|_| "Class"),
        (_, "MIN_VALUE" | "MAX_VALUE" | "NaN" | "POSITIVE_INFINITY" | "NEGATIVE_INFINITY" | "MIN_NORMAL") => {
            unboxed(class)
        }
        ("Boolean", "TRUE" | "FALSE") => Some("Boolean"),
        ("Locale", _) => Some("Locale"),
        ("BigDecimal", _) => Some("BigDecimal"),
        ("BigInteger", _) => Some("BigInteger"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(TYPES.is_sorted_by_key(|(name, _)| *name));
        assert!(FUNCTIONS.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn types_derive_through_others() {
        assert_eq!(derives("ArrayList", "Iterable"), Some(true));
        assert_eq!(derives("Integer", "Serializable"), Some(true));
        assert_eq!(derives("String", "Number"), Some(false));
        assert_eq!(derives("Unheard", "Number"), None);
        assert!(widens("char", "long") && !widens("long", "int") && !widens("char", "short"));
    }
}
