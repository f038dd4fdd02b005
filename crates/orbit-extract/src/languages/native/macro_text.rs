//! The text of a macro, which is not syntax yet.

use super::Native;
use super::repair::is_upper_word;
use crate::builder::line;
use crate::text::is_notable_string;
use crate::{Expr, ExprId, RawRef, RawString, RefKind, ScopeId, Span};
use tree_sitter::Node;

/// Keywords and built-in types, which a macro's text may hold anywhere, in order.
const RESERVED: &[&str] = &[
    "NULL",
    "_Pragma",
    "_Static_assert",
    "__VA_ARGS__",
    "__asm__",
    "__attribute__",
    "__declspec",
    "__extension__",
    "__inline",
    "__inline__",
    "__restrict",
    "__volatile__",
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "defined",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "restrict",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

impl Native<'_> {
    /// The uses in a macro's text, which is not syntax yet: words before `(` are called, others are values.
    pub(super) fn macro_text(&mut self, value: Node<'_>) {
        let text = self.b.text(value);
        let (start, mut row) = (value.start_byte(), line(value));
        let mut counted = 0;
        for piece in Pieces::of(text) {
            row += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..piece.start]).count() as u32;
            counted = piece.start;
            let word = &text[piece.start..piece.end];
            if piece.is_string {
                if is_notable_string(word) {
                    let scope = self.b.scope();
                    self.b.file.strings.push(RawString { value: word.into(), line: row, scope });
                }
                continue;
            }
            let name = self.b.intern(word);
            if RESERVED.binary_search(&word).is_ok() || (self.b.local(name).is_some() && !piece.is_member) {
                continue;
            }
            let span = Span { start: (start + piece.start) as u32, end: (start + piece.end) as u32 };
            let kind = if piece.is_called { RefKind::Call } else { RefKind::Value };
            let base =
                if piece.is_member { Some(self.b.unknown()) } else { self.piece_scope(text, piece.start) };
            self.b.reference_at(span, row, kind, base);
        }
    }

    /// The scopes before a word as an expression: `a::b` of `a::b::word`.
    fn piece_scope(&mut self, text: &str, at: usize) -> Option<ExprId> {
        let before = text[..at].trim_end().strip_suffix("::")?;
        let start =
            before.rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').map_or(0, |at| at + 1);
        let path = before.get(start..).filter(|path| !path.is_empty() && path.is_ascii());
        let mut scope = None;
        for part in path.unwrap_or("").split("::") {
            let name = self.b.intern(if part.is_empty() { "::" } else { part });
            scope = Some(match scope {
                Some(scope) if !part.is_empty() => self.b.member(scope, name),
                Some(_) => self.b.unknown(),
                // `>::word`, `)::word`
                None if part.is_empty() && start > 0 && before.len() == start => self.b.unknown(),
                None => self.b.expr(Expr::Name(name)),
            });
        }
        scope
    }

    /// The uses of macros that no grammar has a place for, `EXPORT` or `GUARDED_BY(mutex)`, with their arguments.
    pub(super) fn repaired_macros(&mut self, ranges: &[(usize, usize)]) {
        let mut found = Vec::new();
        for (start, end) in ranges {
            let text = &self.b.source[*start..*end];
            // In what conditionals leave out there may be prose.
            if !text.split('(').next().is_some_and(|word| is_upper_word(word.trim_end().as_bytes())) {
                continue;
            }
            let scope = self.scope_at(*start as u32);
            let row = memchr::memchr_iter(b'\n', &self.b.source.as_bytes()[..*start]).count() as u32 + 1;
            for piece in Pieces::of(text).filter(|piece| !piece.is_string && !piece.is_member) {
                let word = &text[piece.start..piece.end];
                if RESERVED.binary_search(&word).is_ok() {
                    continue;
                }
                let row = row + memchr::memchr_iter(b'\n', &text.as_bytes()[..piece.start]).count() as u32;
                let span = Span { start: (start + piece.start) as u32, end: (start + piece.end) as u32 };
                let kind = if piece.is_called { RefKind::Call } else { RefKind::Value };
                let name = self.b.intern(word);
                let base = self.piece_scope(text, piece.start);
                found.push(RawRef::new(span, row, name, kind, base, scope));
            }
        }
        self.b.file.refs.extend(found);
        self.b.file.refs.sort_by_key(|row| row.span.start);
    }

    /// The innermost symbol round a place.
    fn scope_at(&self, at: u32) -> ScopeId {
        let symbols = &self.b.file.symbols;
        let behind = symbols.partition_point(|symbol| symbol.span.start <= at);
        let mut scope = behind.checked_sub(1).map_or(ScopeId::FILE, ScopeId::of_symbol);
        while let Some(index) = scope.symbol().filter(|index| symbols[*index].span.end <= at) {
            scope = symbols[index].parent;
        }
        scope
    }
}

/// A word or the inside of a string, by its place in the text.
struct Piece {
    start: usize,
    end: usize,
    is_string: bool,
    is_called: bool,
    /// Behind `.` or `->`.
    is_member: bool,
}

/// The words and strings of a macro's text.
struct Pieces<'s> {
    text: &'s str,
    at: usize,
    is_member: bool,
}

impl<'s> Pieces<'s> {
    fn of(text: &'s str) -> Pieces<'s> {
        Pieces { text, at: 0, is_member: false }
    }

    fn end_of(&self, is_part: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        self.at + rest.iter().position(|b| !is_part(*b)).unwrap_or(rest.len())
    }

    fn quoted(&mut self, quote: u8) -> (usize, usize) {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        while end < bytes.len() && bytes[end] != quote {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(bytes.len());
        self.at = end + 1;
        (start.min(end), end)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let was_member = self.is_member;
            match byte {
                b'"' => {
                    let (start, end) = self.quoted(b'"');
                    if self.text.is_char_boundary(end) {
                        return Some(Piece {
                            start,
                            end,
                            is_string: true,
                            is_called: false,
                            is_member: false,
                        });
                    }
                }
                b'\'' => {
                    self.quoted(b'\'');
                }
                b'/' if bytes[self.at..].starts_with(b"/*") => {
                    let rest = &bytes[self.at..];
                    self.at += memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2);
                }
                b if b.is_ascii_digit() => self.at = self.end_of(is_word_byte),
                b if is_word_byte(b) => {
                    let start = self.at;
                    self.at = self.end_of(is_word_byte);
                    let behind = self.text[self.at..].trim_start_matches([' ', '\t', '\\', '\r', '\n']);
                    self.is_member = false;
                    let (end, is_called) = (self.at, behind.starts_with('('));
                    return Some(Piece { start, end, is_string: false, is_called, is_member: was_member });
                }
                b => {
                    self.at += 1;
                    if !b.is_ascii_whitespace() && b != b'\\' {
                        self.is_member =
                            b == b'.' || (b == b'>' && self.at >= 2 && bytes[self.at - 2] == b'-');
                    }
                }
            }
        }
        None
    }
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// A signature without the closing parentheses of a macro that is not a part of it.
pub(super) fn balanced(signature: &str) -> Box<str> {
    let mut depth = 0u32;
    let is_kept = |letter: &char| match letter {
        '(' => {
            depth += 1;
            true
        }
        ')' if depth == 0 => false,
        ')' => {
            depth -= 1;
            true
        }
        _ => true,
    };
    signature.chars().filter(is_kept).collect::<String>().into()
}
