//! Macros that stand where no grammar expects a word: `SQLITE_API int f(void)`, `class EXPORT Foo {`,
//! `BOOL WINAPI f()`, `Q_OBJECT` on a line of its own. They are told by their neighbours and their capitals.

use super::declarations::precedes_member;
use super::tokens::{Token, TokenKind, Tokens};

/// At least two characters, all capitals, digits and underscores.
pub(in super::super) fn is_upper_word(word: &[u8]) -> bool {
    word.len() > 1
        && word.iter().any(u8::is_ascii_uppercase)
        && word.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
}

/// Whether the word in front of the window is one of those macros.
pub(super) fn is_attribute(tokens: &Tokens<'_>, before: Token, window: [Token; 4]) -> bool {
    let [token, next, third, fourth] = window;
    let previous = tokens.text(before);
    if is_upper_word(tokens.text(token))
        && (opens_or_closes(tokens, before, token, next) || is_pointer_attribute(tokens, before, window))
    {
        return true;
    }
    if next.kind != TokenKind::Word {
        let word = tokens.text(token);
        let is_suffix = before.kind == TokenKind::Punct(b')')
            && [&b"NOEXCEPT"[..], b"NOTHROW", b"OVERRIDE", b"FINAL"]
                .iter()
                .any(|ending| word.ends_with(ending));
        return is_upper_word(word) && (is_suffix || is_function_suffix(previous, before, next));
    }
    if matches!(previous, b"class" | b"struct" | b"union") {
        let opens = |token: Token| {
            matches!(token.kind, TokenKind::Punct(b'{' | b':')) || tokens.text(token) == b"final"
        };
        // `class EXPORT ALIGNED Foo {`
        let is_first = is_upper_word(tokens.text(next)) && third.kind == TokenKind::Word && opens(fourth);
        return is_upper_word(tokens.text(token))
            && (is_first || opens(third) || (previous == b"class" && third.kind == TokenKind::Punct(b';')));
    }
    if is_upper_word(tokens.text(token))
        && (precedes_qualified(tokens, before, window) || precedes_member(tokens, before, window))
    {
        return true;
    }
    let is_bound = matches!(before.kind, TokenKind::Punct(b'.') | TokenKind::Arrow | TokenKind::Path)
        || matches!(
            previous,
            b"enum" | b"typename" | b"goto" | b"operator" | b"new" | b"namespace" | b"using"
        );
    if is_bound || !is_plain(tokens, token) {
        return false;
    }
    precedes_declaration(tokens, window)
        || (is_upper_word(tokens.text(token)) && precedes_type(tokens, before, window))
}

/// A macro that opens or closes a region, alone on its line: `LIB_BEGIN_NAMESPACE`, `G_END_DECLS`; or any macro
/// alone on its line before a call of another one.
fn opens_or_closes(tokens: &Tokens<'_>, before: Token, token: Token, next: Token) -> bool {
    let at_start = matches!(before.kind, TokenKind::End | TokenKind::Punct(b';' | b'}' | b'{'));
    if !at_start || !tokens.is_alone(token) {
        return false;
    }
    let mut words = tokens.text(token).split(|b| *b == b'_');
    let is_region = words.any(|word| matches!(word, b"BEGIN" | b"END" | b"OPEN" | b"CLOSE"));
    is_region || next.kind == TokenKind::Word && is_upper_word(tokens.text(next)) && tokens.is_called(next)
}

/// `EXPORT ns::Foo bar()`, `INLINE Foo::Foo()`, `INLINE Foo<T>::~Foo()`: a type before these would be one too many.
fn precedes_qualified(tokens: &Tokens<'_>, before: Token, [_, next, third, _]: [Token; 4]) -> bool {
    let at_start = matches!(before.kind, TokenKind::End | TokenKind::Punct(b';' | b'}' | b'{' | b'>' | b':'))
        || starts_declaration(tokens.text(before));
    if !at_start || !is_plain(tokens, next) || !matches!(third.kind, TokenKind::Path | TokenKind::Punct(b'<'))
    {
        return false;
    }
    match tokens.behind_qualified(next) {
        Some((_, behind)) if behind.kind == TokenKind::Word => {
            let word = tokens.text(behind);
            word == b"operator" || !is_keyword(word)
        }
        Some((is_constructor, behind)) => is_constructor && behind.kind == TokenKind::Punct(b'('),
        None => false,
    }
}

/// `typedef int (CALL *name)(void);`
fn is_pointer_attribute(tokens: &Tokens<'_>, before: Token, [_, next, third, fourth]: [Token; 4]) -> bool {
    before.kind == TokenKind::Punct(b'(')
        && next.kind == TokenKind::Punct(b'*')
        && third.kind == TokenKind::Word
        && fourth.kind == TokenKind::Punct(b')')
        && tokens.behind_parens(before).is_some_and(|(_, next)| next.kind == TokenKind::Punct(b'('))
}

/// `void f() NOEXCEPT {`, `void f() const NOEXCEPT;`
fn is_function_suffix(previous: &[u8], before: Token, next: Token) -> bool {
    match next.kind {
        TokenKind::Punct(b'{') => {
            before.kind == TokenKind::Punct(b')') || matches!(previous, b"const" | b"noexcept" | b"override")
        }
        TokenKind::Punct(b';' | b'=') => matches!(previous, b"const" | b"noexcept" | b"override"),
        _ => false,
    }
}

/// The end of an attribute macro with arguments: `DEPRECATED("…") void f();`, `namespace std VISIBLE(default) {`.
pub(super) fn attribute_call_end(
    tokens: &Tokens<'_>,
    earlier: Token,
    before: Token,
    window: [Token; 4],
) -> Option<usize> {
    let [token, next, ..] = window;
    if let Some(end) = trailing_call_end(tokens, earlier, before, token, next) {
        return Some(end);
    }
    if let Some(end) = type_attribute_end(tokens, before, token, next) {
        return Some(end);
    }
    let in_namespace = matches!(tokens.text(earlier), b"namespace" | b"enum");
    let at_start = matches!(before.kind, TokenKind::End | TokenKind::Punct(b';' | b'}' | b'{' | b'>' | b':'));
    if next.kind != TokenKind::Punct(b'(')
        || !(in_namespace || at_start)
        || !is_upper_word(tokens.text(token))
    {
        return None;
    }
    let (end, follower) = tokens.behind_parens(next)?;
    let is_attribute = if in_namespace {
        follower.kind == TokenKind::Punct(b'{')
    } else {
        follower.kind == TokenKind::Word && starts_declaration(tokens.text(follower))
    };
    is_attribute.then_some(end)
}

/// `class VISIBLE("default") Foo {`
fn type_attribute_end(tokens: &Tokens<'_>, before: Token, token: Token, next: Token) -> Option<usize> {
    let is_type = matches!(tokens.text(before), b"class" | b"struct" | b"union" | b"enum");
    if !is_type || next.kind != TokenKind::Punct(b'(') || !is_upper_word(tokens.text(token)) {
        return None;
    }
    let (end, follower) = tokens.behind_parens(next)?;
    (follower.kind == TokenKind::Word).then_some(end)
}

/// `Foo* name GUARDED_BY(mutex);`, `void f() REQUIRES(mutex);`
fn trailing_call_end(
    tokens: &Tokens<'_>,
    earlier: Token,
    before: Token,
    token: Token,
    next: Token,
) -> Option<usize> {
    let word = tokens.text(token);
    if next.kind != TokenKind::Punct(b'(') || !is_upper_word(word) {
        return None;
    }
    let name = tokens.text(before);
    let is_typed = matches!(earlier.kind, TokenKind::Punct(b'*' | b'&' | b'>'))
        || earlier.kind == TokenKind::Word && !is_specifier(tokens.text(earlier));
    let behind_name = is_typed
        && is_plain(tokens, before)
        && name.first().is_some_and(u8::is_ascii_lowercase)
        && !name.ends_with(b"_t");
    let behind_function = is_thread_annotation(word)
        && (before.kind == TokenKind::Punct(b')') || matches!(name, b"const" | b"override" | b"noexcept"));
    if !behind_name && !behind_function {
        return None;
    }
    let (end, follower) = tokens.behind_parens(next)?;
    match follower.kind {
        TokenKind::Punct(b';' | b'=') => Some(end),
        TokenKind::Punct(b'{') if behind_function => Some(end),
        _ => None,
    }
}

/// What is written behind a function for the analysis of locks.
fn is_thread_annotation(word: &[u8]) -> bool {
    let end = word.iter().rposition(|b| *b != b'_').map_or(0, |at| at + 1);
    let word = &word[..end];
    [
        &b"GUARDED_BY"[..],
        b"REQUIRES",
        b"EXCLUDES",
        b"ACQUIRE",
        b"RELEASE",
        b"LOCKS_REQUIRED",
        b"LOCKS_EXCLUDED",
        b"LOCK_REQUIRED",
        b"LOCK_EXCLUDED",
        b"EXCLUSIVE_LOCK",
        b"SHARED_LOCK",
        b"LOCK_FUNCTION",
        b"LOCK_RETURNED",
    ]
    .iter()
    .any(|ending| word.ends_with(ending))
}

/// Plain words up to one that begins a declaration or a type: none of them can be a type itself.
fn precedes_declaration(tokens: &Tokens<'_>, window: [Token; 4]) -> bool {
    for token in &window[1..] {
        if token.kind == TokenKind::Word && starts_declaration(tokens.text(*token)) {
            return true;
        }
        if !is_plain(tokens, *token) {
            return false;
        }
    }
    false
}

/// `EXPORT Foo bar`, `EXPORT Foo *bar`, `BOOL WINAPI bar`, `* WSD bar`.
fn precedes_type(tokens: &Tokens<'_>, before: Token, [token, next, third, fourth]: [Token; 4]) -> bool {
    if is_calling_convention(tokens.text(token)) {
        return before.kind != TokenKind::End;
    }
    // `Foo EXPORT bar(…)`: between a type and a function's name.
    if third.kind == TokenKind::Punct(b'(') && is_plain(tokens, next) && is_type_before(tokens, before) {
        return true;
    }
    if !is_plain(tokens, next) || is_calling_convention(tokens.text(next)) {
        return false;
    }
    match third.kind {
        _ if before.kind == TokenKind::Punct(b'*') => true,
        // But not `TYPE name UNUSED;`.
        TokenKind::Word => {
            !is_upper_word(tokens.text(third))
                || matches!(fourth.kind, TokenKind::Punct(b'(') | TokenKind::Word)
                || is_upper_word(tokens.text(next))
        }
        TokenKind::Punct(b'*' | b'&') => true,
        _ => false,
    }
}

/// A word that ends a type: a name, or a built-in type.
fn is_type_before(tokens: &Tokens<'_>, before: Token) -> bool {
    let text = tokens.text(before);
    let is_builtin = matches!(
        text,
        b"void" | b"int" | b"char" | b"short" | b"long" | b"float" | b"double" | b"bool" | b"size_t"
    );
    is_builtin || is_plain(tokens, before) && !is_specifier(text) && !is_upper_word(text)
}

/// `type name UNUSED;`, `(Foo *name MORE_PARAMETERS)`
pub(super) fn is_trailing_attribute(
    tokens: &Tokens<'_>,
    earlier: Token,
    before: Token,
    token: Token,
    next: Token,
) -> bool {
    // Behind a pointer's name and before the end of the parameters, no other word can stand.
    let ends_parameters = earlier.kind == TokenKind::Punct(b'*') && next.kind == TokenKind::Punct(b')');
    let is_macro = is_upper_word(tokens.text(token)) || ends_parameters && is_plain(tokens, token);
    if !is_macro || !matches!(next.kind, TokenKind::Punct(b';' | b'=' | b',' | b')')) {
        return false;
    }
    let (ty, name) = (tokens.text(earlier), tokens.text(before));
    let is_typed = earlier.kind == TokenKind::Punct(b'*') || (is_plain(tokens, earlier) && !is_specifier(ty));
    is_typed
        && is_plain(tokens, before)
        && name.first().is_some_and(u8::is_ascii_lowercase)
        && !name.ends_with(b"_t")
}

/// A name, as far as one can tell: no keyword and no built-in type.
pub(super) fn is_plain(tokens: &Tokens<'_>, token: Token) -> bool {
    let text = tokens.text(token);
    token.kind == TokenKind::Word && !starts_declaration(text) && !is_keyword(text)
}

/// Words behind which a type's name follows, not a variable's.
fn is_specifier(word: &[u8]) -> bool {
    matches!(word, b"register" | b"thread_local" | b"mutable" | b"_Atomic" | b"__thread" | b"__extension__")
}

/// Words that begin a declaration or a type, so that a word before them is not a type itself.
pub(super) fn starts_declaration(word: &[u8]) -> bool {
    matches!(
        word,
        b"static"
            | b"extern"
            | b"inline"
            | b"virtual"
            | b"explicit"
            | b"friend"
            | b"constexpr"
            | b"typedef"
            | b"using"
            | b"template"
            | b"namespace"
            | b"class"
            | b"struct"
            | b"union"
            | b"enum"
            | b"public"
            | b"private"
            | b"protected"
            | b"void"
            | b"int"
            | b"char"
            | b"short"
            | b"long"
            | b"float"
            | b"double"
            | b"bool"
            | b"unsigned"
            | b"signed"
            | b"auto"
            | b"size_t"
            | b"__inline"
            | b"__forceinline"
    )
}

/// Other words that are not names.
fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"const"
            | b"volatile"
            | b"operator"
            | b"final"
            | b"override"
            | b"noexcept"
            | b"if"
            | b"else"
            | b"for"
            | b"while"
            | b"do"
            | b"switch"
            | b"case"
            | b"default"
            | b"return"
            | b"goto"
            | b"break"
            | b"continue"
            | b"sizeof"
            | b"try"
            | b"catch"
            | b"throw"
            | b"new"
            | b"delete"
            | b"and"
            | b"or"
            | b"not"
            | b"this"
            | b"restrict"
            | b"__restrict"
            | b"__attribute__"
            | b"requires"
            | b"typename"
            | b"export"
            | b"import"
            | b"module"
            | b"co_return"
            | b"co_yield"
            | b"co_await"
            | b"consteval"
            | b"constinit"
            | b"register"
            | b"mutable"
            | b"thread_local"
            | b"__extension__"
            | b"asm"
            | b"__asm__"
    )
}

fn is_calling_convention(word: &[u8]) -> bool {
    matches!(
        word,
        b"WINAPI"
            | b"CALLBACK"
            | b"APIENTRY"
            | b"PASCAL"
            | b"CDECL"
            | b"STDCALL"
            | b"NTAPI"
            | b"WSAAPI"
            | b"STDMETHODCALLTYPE"
            | b"STDAPICALLTYPE"
            | b"SQLITE_CDECL"
            | b"SQLITE_STDCALL"
            | b"APIENTRYP"
    )
}
