//! Words that never name anything in a language, and are too frequent to look at where they stand.

use crate::Family;

/// Whether a word is reserved in the languages of a family.
pub(super) fn is_reserved(family: Family, word: &str) -> bool {
    let reserved: &[&str] = match family {
        Family::Python => &PYTHON,
        Family::Rust => &RUST,
        Family::Script => &SCRIPT,
        Family::Ruby => &RUBY,
        Family::Go => &GO,
        Family::Jvm | Family::CSharp => &JAVA_LIKE,
        Family::Native => &NATIVE,
        Family::Prose => &[],
    };
    reserved.contains(&word)
}

/// In the order of how often they are met.
const PYTHON: [&str; 36] = [
    "self", "def", "if", "in", "return", "None", "import", "from", "class", "for", "not", "True", "and",
    "False", "is", "else", "with", "as", "or", "try", "except", "raise", "pass", "elif", "lambda", "yield",
    "assert", "while", "finally", "break", "continue", "async", "await", "del", "global", "nonlocal",
];

/// In the order of how often they are met.
const RUST: [&str; 37] = [
    "self", "let", "fn", "pub", "mut", "use", "impl", "if", "for", "Self", "match", "crate", "super",
    "return", "else", "as", "in", "mod", "struct", "enum", "trait", "where", "async", "await", "move",
    "unsafe", "const", "static", "dyn", "ref", "loop", "while", "break", "continue", "extern", "true",
    "false",
];

/// In the order of how often they are met.
const SCRIPT: [&str; 24] = [
    "const",
    "return",
    "if",
    "this",
    "function",
    "else",
    "let",
    "var",
    "new",
    "typeof",
    "null",
    "true",
    "false",
    "for",
    "while",
    "export",
    "throw",
    "instanceof",
    "extends",
    "switch",
    "case",
    "break",
    "continue",
    "void",
];

/// In the order of how often they are met.
const RUBY: [&str; 26] = [
    "end", "def", "do", "if", "self", "class", "module", "nil", "true", "false", "unless", "else", "elsif",
    "when", "return", "and", "or", "not", "then", "case", "begin", "rescue", "ensure", "yield", "while",
    "until",
];

/// In the order of how often they are met.
const GO: [&str; 24] = [
    "func",
    "return",
    "if",
    "nil",
    "for",
    "range",
    "struct",
    "var",
    "type",
    "const",
    "else",
    "case",
    "package",
    "import",
    "map",
    "interface",
    "switch",
    "default",
    "defer",
    "go",
    "chan",
    "select",
    "break",
    "continue",
];

/// In the order of how often they are met.
const JAVA_LIKE: [&str; 23] = [
    "public",
    "return",
    "if",
    "new",
    "null",
    "this",
    "final",
    "private",
    "static",
    "void",
    "class",
    "import",
    "else",
    "for",
    "true",
    "false",
    "while",
    "throw",
    "break",
    "continue",
    "protected",
    "super",
    "using",
];

/// In the order of how often they are met.
const NATIVE: [&str; 18] = [
    "const",
    "return",
    "if",
    "else",
    "for",
    "while",
    "static",
    "void",
    "struct",
    "typedef",
    "break",
    "continue",
    "sizeof",
    "inline",
    "extern",
    "case",
    "switch",
    "static_cast",
];
