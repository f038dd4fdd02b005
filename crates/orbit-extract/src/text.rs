//! Text rules shared by all languages: which strings are worth keeping, and one-line signatures. Neither ever holds
//! what looks like a secret.

use crate::secrets;

const MIN_STRING: usize = 6;
const MAX_STRING: usize = 2_000;
const MAX_SIGNATURE: usize = 240;

/// Whether a literal is worth finding later: long enough, more than punctuation, more than a format
/// string's placeholders, and nothing that looks like a secret.
pub(crate) fn is_notable_string(value: &str) -> bool {
    value.len() >= MIN_STRING
        && value.len() <= MAX_STRING
        && value.chars().any(char::is_alphanumeric)
        && !is_bare_format(value)
        && !secrets::looks_secret(value)
}

/// Only placeholders and punctuation: `{}: {}`, `%s=%d`, `${a}/${b}`, `#{x}`.
fn is_bare_format(value: &str) -> bool {
    let mut depth = 0u32;
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '%' => {
                while chars
                    .next_if(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '#' | '*'))
                    .is_some()
                {}
                chars.next();
            }
            '\\' => {
                chars.next();
            }
            c if depth == 0 && c.is_alphanumeric() => return false,
            _ => {}
        }
    }
    true
}

/// White space folded to single blanks, secrets left out, cut at a character boundary.
pub(crate) fn one_line(text: &str) -> Box<str> {
    let text = &secrets::redacted(text);
    let mut out = String::with_capacity(text.len().min(MAX_SIGNATURE));
    for word in text.split_ascii_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MAX_SIGNATURE {
            out.truncate(out.floor_char_boundary(MAX_SIGNATURE));
            out.push('…');
            break;
        }
    }
    out.into_boxed_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_worth_keeping() {
        for kept in ["hello world", "/api/users/{id}", "user %s not found", "scheduler tick failed"] {
            assert!(is_notable_string(kept), "{kept}");
        }
        for dropped in ["short", "------", "{} {} {}", "%s: %05.2f", "{user_name}", "\\n\\t\\n\\t"] {
            assert!(!is_notable_string(dropped), "{dropped}");
        }
    }

    #[test]
    fn signatures_fit_one_line() {
        assert_eq!(&*one_line("fn  a(\n    b: u8,\n) -> C"), "fn a( b: u8, ) -> C");
        assert!(one_line(&"ä ".repeat(400)).len() < 260);
    }
}
