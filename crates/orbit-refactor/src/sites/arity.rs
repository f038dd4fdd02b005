//! How many arguments a call passes and how many parameters a function takes: in Rust they must agree.

use orbit_graph::SymbolFacts;

/// The arguments of the call whose name ends at `end`; `None` when that cannot be told.
pub(crate) fn arguments(text: &str, end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let rest = match rest.trim_start().strip_prefix("::<") {
        Some(generic) => &generic[closing(generic, '<', '>')? + 1..],
        None => rest,
    };
    let inside = rest.trim_start().strip_prefix('(')?;
    count(inside)
}

/// The parameters of a function, a receiver included, and whether it has one.
pub(crate) fn parameters(symbol: &SymbolFacts) -> Option<(usize, bool)> {
    let signature = symbol.signature.as_deref()?;
    let after = &signature[signature.find(&format!("fn {}", symbol.name))? + 3 + symbol.name.len()..];
    let after = match after.strip_prefix('<') {
        Some(generic) => &generic[closing(generic, '<', '>')? + 1..],
        None => after,
    };
    let inside = after.trim_start().strip_prefix('(')?;
    let first = inside.split([',', ')']).next().unwrap_or("").trim();
    let first = first.split(':').next().unwrap_or("").trim();
    let has_receiver = first.rsplit([' ', '&']).next() == Some("self");
    Some((count(inside)?, has_receiver))
}

/// The least and the most arguments that a signature of any language takes at a call, a receiver aside.
pub(crate) fn takes(signature: &str, name: &str) -> Option<(usize, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = signature.match_indices(name).map(|(at, _)| (at, at + name.len()));
    let (_, end) = found.find(|(start, end)| {
        !signature[..*start].ends_with(is_word) && !signature[*end..].starts_with(is_word)
    })?;
    let after = &signature[end..];
    let inside = &after[after.find('(')? + 1..];
    let all = count(inside)?;
    let end = inside.len();
    let list = &inside[..end.min(inside.rfind(')').unwrap_or(end))];
    let parts: Vec<&str> = list.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_receiver = |part: &&&str| {
        let name = part.split(':').next().unwrap_or("").trim();
        ["self", "&self", "&mut self", "mut self", "cls", "this"].contains(&name)
    };
    let receivers = parts.iter().take(1).filter(is_receiver).count();
    let is_open =
        parts.iter().any(|part| part.starts_with('*') || part.contains("...") || part.starts_with("vararg "));
    let optional = parts.iter().filter(|part| part.contains('=') || part.contains('?')).count();
    let most = if is_open { usize::MAX } else { all - receivers };
    Some(((all - receivers).saturating_sub(optional + usize::from(is_open)), most))
}

/// Where what was opened before `text` is closed.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close && !(c == '>' && before == '-') {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
        before = c;
    }
    None
}

/// The parts of a list that commas separate, up to the bracket that closes it.
fn count(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut parts, mut is_filled, mut at) = (0, 0, false, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at += skip_string(&bytes[at..])?,
            b'\'' => at += skip_char(&bytes[at..]),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += memchr::memchr(b'\n', &bytes[at..])?;
                continue;
            }
            b'|' if depth == 0 && !is_filled => at += memchr::memchr(b'|', &bytes[at + 1..])? + 1,
            b'(' | b'[' | b'{' => depth += 1,
            b'<' if is_generic(bytes, at) => depth += 1,
            b'>' if depth > 0 && is_generic_end(bytes, at) => depth -= 1,
            b')' | b']' | b'}' if depth == 0 => return Some(parts + usize::from(is_filled)),
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts += usize::from(is_filled);
                is_filled = false;
                at += 1;
                continue;
            }
            _ => {}
        }
        is_filled |= !byte.is_ascii_whitespace();
        at += 1;
    }
    None
}

/// `<` behind a name or `::` without a space before it: no comparison that rustfmt would write.
fn is_generic(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].last().copied().unwrap_or(b' ');
    before.is_ascii_alphanumeric()
        || matches!(before, b':' | b'_' | b'<' | b'&' | b'(')
        || before == b' ' && bytes.get(at + 1).is_some_and(u8::is_ascii_uppercase)
}

fn is_generic_end(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].last().copied().unwrap_or(b' ');
    !matches!(before, b'-' | b'=' | b' ')
}

fn skip_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    while *bytes.get(at)? != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

/// A character literal; a lifetime is passed over as it is.
fn skip_char(bytes: &[u8]) -> usize {
    match bytes {
        [b'\'', b'\\', ..] => memchr::memchr(b'\'', &bytes[2..]).map_or(0, |at| at + 2),
        [b'\'', _, b'\'', ..] => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_say_what_they_take() {
        for (text, expected) in [
            ("fn f(&self, a: u32)", (1, 1)),
            ("def f(self, a, b=1)", (1, 2)),
            ("function f(a: string, b?: number)", (1, 2)),
            ("def f(*args)", (0, usize::MAX)),
            ("int f(int a, int... more)", (1, usize::MAX)),
            ("func f(xs ...int)", (0, usize::MAX)),
            ("fn f()", (0, 0)),
        ] {
            assert_eq!(takes(text, "f"), Some(expected), "{text}");
        }
    }

    #[test]
    fn arguments_are_counted() {
        for (text, expected) in [
            ("f()", 0),
            ("f(a)", 1),
            ("f(a, b(c, d), [e, f])", 3),
            ("f(|a, b| a + b, \"x, y\", ',')", 3),
            ("f::<A, B>(a,\n  b, // c, d\n)", 2),
            ("f(Vec::<A, B>::new(), x < y)", 2),
        ] {
            assert_eq!(arguments(text, 1), Some(expected), "{text}");
        }
    }
}
