//! Macros among declarations that are told by the place they stand in: before a constructor, behind a function,
//! on lines of their own, in the head of a template; and arguments that are not expressions.

use super::attributes::{is_plain, is_upper_word, starts_declaration};
use super::surroundings::Surroundings;
use super::tokens::{Token, TokenKind, Tokens};

/// The range of a macro, with its arguments, that no grammar has a place for. What must go with it is added to
/// `ranges`.
pub(super) fn misplaced_macro(
    tokens: &Tokens<'_>,
    around: &Surroundings<'_>,
    before: Token,
    window: [Token; 4],
    ranges: &mut Vec<(usize, usize)>,
) -> Option<(usize, usize)> {
    let [token, next, third, _] = window;
    let word = tokens.text(token);
    if word == b"__extension__" || word == b"extern" {
        // `__extension__ typedef …`, `extern template class Foo<int>;`
        let is_before = match word {
            b"extern" => tokens.text(next) == b"template" && third.kind != TokenKind::Punct(b'<'),
            _ => starts_declaration(tokens.text(next)),
        };
        return (around.is_declarative() && is_before).then_some((token.start, token.end));
    }
    let alone = Some((token.start, token.end));
    if !is_upper_word(word) {
        return precedes_function(tokens, around, before, window).then_some((token.start, token.end));
    }
    let is_conditional = tokens.text(before) == b"if" && next.kind == TokenKind::Punct(b'(');
    let is_operator = at_start(before) && tokens.text(next) == b"operator";
    if is_conditional || is_operator || around.is_declarative() && precedes_const(tokens, before, window) {
        return alone; // `if CONSTEXPR (…)`, `DEPRECATED operator Foo()`
    }
    if precedes_constructor(tokens, around, before, window) || precedes_applied(tokens, before, window) {
        return alone;
    }
    if around.is_body() && at_start(before) && next.kind == TokenKind::Punct(b'{') {
        return alone; // `TRY { … }`
    }
    if around.is_declarative() && ends_function(tokens, before) {
        match next.kind {
            TokenKind::Punct(b';' | b'=') => return alone,
            TokenKind::Punct(b'(') => {
                let (end, behind) = tokens.behind_parens(next)?;
                let is_end = matches!(behind.kind, TokenKind::Punct(b';' | b'{' | b'='));
                return is_end.then_some((token.start, end));
            }
            _ => {}
        }
    }
    if around.is_in_record() && stands_for_members(tokens, before, token, next) {
        return alone;
    }
    if next.kind == TokenKind::Punct(b'(') {
        return called_macro(tokens, around, before, (token, next), ranges);
    }
    None
}

/// The same for a macro with arguments.
fn called_macro(
    tokens: &Tokens<'_>,
    around: &Surroundings<'_>,
    before: Token,
    (token, open): (Token, Token),
    ranges: &mut Vec<(usize, usize)>,
) -> Option<(usize, usize)> {
    if tokens.text(before) == b"typedef" {
        // `typedef TYPE_OF(x) Name;`: the name of the macro reads like a type.
        let (end, behind) = tokens.behind_parens(open)?;
        ranges.extend((behind.kind == TokenKind::Word).then_some((open.start, end)));
        return None;
    }
    let is_wrapper = at_start(before) && wraps_function(tokens, open, ranges)
        || (at_start(before) || is_storage(tokens.text(before))) && wraps_result(tokens, open, ranges);
    if around.is_declarative() && is_wrapper {
        return Some((token.start, token.end));
    }
    if around.in_template_head() {
        return template_parameter(tokens, before, token, open, ranges);
    }
    if at_start(before) { statement_like(tokens, around, token, open) } else { None }
}

fn at_start(before: Token) -> bool {
    matches!(before.kind, TokenKind::End | TokenKind::Punct(b';' | b'}' | b'{' | b':'))
}

/// Behind what may be the parameters of a function.
fn ends_function(tokens: &Tokens<'_>, before: Token) -> bool {
    before.kind == TokenKind::Punct(b')')
        || matches!(tokens.text(before), b"const" | b"override" | b"noexcept" | b"final")
}

/// `void INLINE Foo::bar()`: behind the type, before the name of a member.
pub(super) fn precedes_member(tokens: &Tokens<'_>, before: Token, [_, next, third, _]: [Token; 4]) -> bool {
    let is_type = match before.kind {
        TokenKind::Word => is_plain(tokens, before) || is_builtin(tokens.text(before)),
        TokenKind::Punct(b'>' | b'*' | b'&') => true,
        _ => false,
    };
    is_type
        && is_plain(tokens, next)
        && matches!(third.kind, TokenKind::Path | TokenKind::Punct(b'<'))
        && tokens.behind_qualified(next).is_some_and(|(_, behind)| behind.kind == TokenKind::Punct(b'('))
}

fn is_builtin(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"bool"
            | b"char"
            | b"int"
            | b"long"
            | b"short"
            | b"unsigned"
            | b"float"
            | b"double"
            | b"auto"
    )
}

/// `NODISCARD const Foo &bar()`, not `TYPE const bar`.
fn precedes_const(tokens: &Tokens<'_>, before: Token, [_, next, third, fourth]: [Token; 4]) -> bool {
    let is_first = at_start(before)
        || before.kind == TokenKind::Punct(b'>')
        || before.kind == TokenKind::Word && starts_declaration(tokens.text(before));
    is_first
        && tokens.text(next) == b"const"
        && third.kind == TokenKind::Word
        && matches!(fourth.kind, TokenKind::Word | TokenKind::Path | TokenKind::Punct(b'*' | b'&' | b'<'))
}

/// `MACRO Foo(…)` in the class `Foo`: a type before its constructor would be one too many.
fn precedes_constructor(
    tokens: &Tokens<'_>,
    around: &Surroundings<'_>,
    before: Token,
    [_, next, third, _]: [Token; 4],
) -> bool {
    let is_first = at_start(before)
        || before.kind == TokenKind::Punct(b'>')
        || before.kind == TokenKind::Word && starts_declaration(tokens.text(before));
    is_first
        && next.kind == TokenKind::Word
        && third.kind == TokenKind::Punct(b'(')
        && around.is_in_class(tokens.text(next))
}

/// `internal always_inline uint64_t f(…)`: of three names before a function's parameters, the first is not a type.
fn precedes_function(
    tokens: &Tokens<'_>,
    around: &Surroundings<'_>,
    before: Token,
    window: [Token; 4],
) -> bool {
    let [token, next, third, fourth] = window;
    let is_name = |token: Token| is_plain(tokens, token) && !is_upper_word(tokens.text(token));
    let is_open = |token: Token| token.kind == TokenKind::Punct(b'(');
    let is_first = at_start(before) || tokens.text(before) == b"static";
    around.is_declarative()
        && is_first
        && [token, next, third].into_iter().all(is_name)
        && (is_open(fourth) || is_name(fourth) && tokens.is_called(fourth))
}

/// `class MACRO Foo<T> {`, `template class MACRO ns::Foo<int>;`
fn precedes_applied(tokens: &Tokens<'_>, before: Token, [_, next, third, _]: [Token; 4]) -> bool {
    matches!(tokens.text(before), b"class" | b"struct" | b"union")
        && next.kind == TokenKind::Word
        && matches!(third.kind, TokenKind::Punct(b'<') | TokenKind::Path)
}

/// `struct Foo { FOO_FIELDS };`: a macro for members, alone on its line and without a semicolon.
fn stands_for_members(tokens: &Tokens<'_>, before: Token, token: Token, next: Token) -> bool {
    let is_last = next.kind == TokenKind::Punct(b'}');
    let is_before_another = is_upper_word(tokens.text(next)) && tokens.is_alone(next);
    at_start(before) && tokens.is_alone(token) && (is_last || is_before_another)
}

/// `UNUSED(static void f(int x)) {`, `EXPORT(int f(int x));`: a function whose whole head is the argument of a macro.
/// The parentheses go with the macro.
fn wraps_function(tokens: &Tokens<'_>, open: Token, ranges: &mut Vec<(usize, usize)>) -> bool {
    let inside = tokens.inside_parens(open);
    let Some((end, behind)) = tokens.behind_parens(open) else { return false };
    let first = inside.iter().position(|token| token.kind == TokenKind::Punct(b'('));
    let Some(first) = first.filter(|first| *first >= 2) else { return false };
    let (name, ty) = (inside[first - 1], inside[first - 2]);
    let is_head = inside[..first]
        .iter()
        .all(|token| matches!(token.kind, TokenKind::Word | TokenKind::Punct(b'*' | b'&') | TokenKind::Path));
    let is_named =
        name.kind == TokenKind::Word && matches!(ty.kind, TokenKind::Word | TokenKind::Punct(b'*' | b'&'));
    // The parameters end where the macro does.
    let is_whole = tokens.behind_parens(inside[first]).is_some_and(|(_, last)| last.end == end);
    let is_found = is_head && is_named && is_whole && matches!(behind.kind, TokenKind::Punct(b'{' | b';'));
    if is_found {
        ranges.extend([(open.start, open.end), (end - 1, end)]);
    }
    is_found
}

fn is_storage(word: &[u8]) -> bool {
    matches!(word, b"static" | b"extern" | b"inline")
}

/// `EXPORT(const char *) name(void);`: the type of a function's result is the argument of a macro, on the same line or on
/// one before the name. The parentheses go with the macro, the type stays.
fn wraps_result(tokens: &Tokens<'_>, open: Token, ranges: &mut Vec<(usize, usize)>) -> bool {
    let Some((end, name)) = tokens.behind_parens(open) else { return false };
    let inside = tokens.inside_parens(open);
    let Some((_, ty)) = inside.split_last().filter(|(_, ty)| !ty.is_empty()) else { return false };
    let is_type = ty.iter().all(|token| {
        matches!(token.kind, TokenKind::Word | TokenKind::Path | TokenKind::Punct(b'*' | b'&' | b'<' | b'>'))
    });
    // A word alone may be anything: `MODULE(gpl)` on a line of its own before the call of another macro.
    let is_surely = |token: &Token| {
        let word = tokens.text(*token);
        token.kind == TokenKind::Punct(b'*')
            || is_type_word(word)
            || word == b"const"
            || word.ends_with(b"_t")
    };
    let is_function = is_plain(tokens, name) && !is_upper_word(tokens.text(name)) && {
        let parameters = Some(tokens.next_after(name)).filter(|next| next.kind == TokenKind::Punct(b'('));
        let behind = parameters.and_then(|open| tokens.behind_parens(open)).map(|(_, behind)| behind.kind);
        match behind {
            Some(TokenKind::Punct(b'{')) => true,
            Some(TokenKind::Punct(b';')) => ty.iter().any(is_surely),
            _ => false,
        }
    };
    if is_type && is_function {
        ranges.extend([(open.start, open.end), (end - 1, end)]);
    }
    is_type && is_function
}

/// `template <typename T, ENABLE_IF(…)>`: the parameter goes with the comma before it.
fn template_parameter(
    tokens: &Tokens<'_>,
    before: Token,
    token: Token,
    open: Token,
    ranges: &mut Vec<(usize, usize)>,
) -> Option<(usize, usize)> {
    let (end, behind) = tokens.behind_parens(open)?;
    let comma = match (before.kind, behind.kind) {
        (TokenKind::Punct(b','), TokenKind::Punct(b',' | b'>')) => before,
        (TokenKind::Punct(b'<'), TokenKind::Punct(b',')) => behind,
        _ => return None,
    };
    ranges.push((comma.start, comma.end));
    Some((token.start, end))
}

/// A macro called on lines of its own, without a semicolon, before the next declaration; or one that stands for a
/// handler, `CATCH(...) {`.
fn statement_like(
    tokens: &Tokens<'_>,
    around: &Surroundings<'_>,
    token: Token,
    open: Token,
) -> Option<(usize, usize)> {
    let (end, behind) = tokens.behind_parens(open)?;
    if around.is_body() {
        let takes_all = tokens.between(open.end, end - 1).trim_ascii() == b"...";
        let is_handler = takes_all && behind.kind == TokenKind::Punct(b'{');
        let is_last =
            behind.kind == TokenKind::Punct(b'}') && tokens.between(end, behind.start).contains(&b'\n');
        return (is_handler || is_last).then_some((token.start, end));
    }
    if around.is_declarative() && behind.kind == TokenKind::Punct(b';') {
        let inside = tokens.inside_parens(open);
        let has_type = inside.iter().any(|token| is_type_word(tokens.text(*token)));
        let has_value = inside.iter().any(|token| token.kind == TokenKind::Literal);
        return (has_type && has_value).then_some((token.start, end)); // neither a call nor a declaration
    }
    let is_next = matches!(behind.kind, TokenKind::Word | TokenKind::End | TokenKind::Punct(b'}' | b'~'));
    let is_apart = is_next && tokens.between(end, behind.start).contains(&b'\n');
    (around.is_declarative() && is_apart).then_some((token.start, end))
}

/// Arguments of a macro that are not expressions, each with a comma beside it: `CHECK(a, ==, b)`, `DEFINE(void, )`, and the
/// built-in types behind the title of a test, `TEST_CASE_TEMPLATE("title", T, int, long) {`.
pub(super) fn odd_arguments(
    tokens: &Tokens<'_>,
    token: Token,
    open: Token,
    ranges: &mut Vec<(usize, usize)>,
) {
    if open.kind != TokenKind::Punct(b'(') || !is_upper_word(tokens.text(token)) {
        return;
    }
    let inside = tokens.inside_parens(open);
    let is_titled = inside.first().is_some_and(|first| first.kind == TokenKind::Literal)
        && tokens.behind_parens(open).is_some_and(|(_, behind)| behind.kind == TokenKind::Punct(b'{'));
    let mut comma: Option<Token> = None;
    let (mut depth, mut is_odd, mut first) = (0u32, true, true);
    for inner in inside {
        match inner.kind {
            TokenKind::Punct(b',' | b')') if depth == 0 => {
                let is_last = inner.kind == TokenKind::Punct(b')');
                match comma {
                    Some(comma) if is_odd => ranges.push((comma.start, inner.start)),
                    None if is_odd && !is_last && first => ranges.push((open.end, inner.end)),
                    _ => {}
                }
                (comma, is_odd, first) = (Some(inner), true, false);
            }
            TokenKind::Punct(b'(' | b'[' | b'{') => (depth, is_odd) = (depth + 1, false),
            TokenKind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            TokenKind::Word if is_titled && is_builtin_type(tokens.text(inner)) => {}
            TokenKind::Word | TokenKind::Literal => is_odd = false,
            TokenKind::Punct(b'.') => is_odd = false, // `...`
            _ => {}
        }
    }
}

/// A word that grammars take for a type wherever it stands.
fn is_builtin_type(word: &[u8]) -> bool {
    let is_fixed = |prefix: &[u8]| {
        let digits = word.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(b"_t"));
        digits.is_some_and(|digits| matches!(digits, b"8" | b"16" | b"32" | b"64" | b"ptr"))
    };
    is_type_word(word)
        || [b"int".as_slice(), b"uint", b"char"].into_iter().any(is_fixed)
        || matches!(word, b"size_t" | b"ssize_t" | b"ptrdiff_t" | b"nullptr_t" | b"max_align_t" | b"wchar_t")
}

/// A word that only a type has.
fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"unsigned"
            | b"signed"
            | b"long"
            | b"short"
            | b"int"
            | b"char"
            | b"void"
            | b"float"
            | b"double"
            | b"bool"
    )
}
