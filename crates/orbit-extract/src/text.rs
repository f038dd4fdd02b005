//! Text rules shared by all languages: which strings are worth keeping, and one-line signatures.

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
        && !looks_secret(value)
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

/// Private keys, well-known token prefixes, and long random-looking words.
fn looks_secret(value: &str) -> bool {
    const PREFIXES: [&str; 16] = [
        "sk-",
        "sk_live_",
        "sk_test_",
        "rk_live_",
        "ghp_",
        "gho_",
        "ghs_",
        "ghu_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "xoxp-",
        "AKIA",
        "ASIA",
        "AIza",
        "eyJhbGciOi",
    ];
    if value.contains("PRIVATE KEY-----") {
        return true;
    }
    value.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ',' | ';')).any(|word| {
        (word.len() >= 16 && PREFIXES.iter().any(|prefix| word.starts_with(prefix))) || is_random_word(word)
    })
}

/// At least 32 characters of a key alphabet that mix digits with letters of both cases, or pure hex.
fn is_random_word(word: &str) -> bool {
    if word.len() < 32
        || !word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_'))
    {
        return false;
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let upper = word.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = word.bytes().filter(u8::is_ascii_lowercase).count();
    let hex = word.bytes().all(|b| b.is_ascii_hexdigit());
    (hex && digits >= 6) || (digits >= 4 && upper >= 4 && lower >= 4)
}

/// White space folded to single blanks, cut at a character boundary.
pub(crate) fn one_line(text: &str) -> Box<str> {
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
    fn secrets_are_dropped() {
        for secret in [
            "-----BEGIN RSA PRIVATE KEY-----",
            "ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "token=AKIAIOSFODNN7EXAMPLE",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "wJalrXUtnFEMI0K7MDENG1bPxRfiCY2EXAMPLEKEY3",
        ] {
            assert!(!is_notable_string(secret), "{secret}");
        }
        assert!(is_notable_string("a/very/long/path/without/any/secret/in/it/at/all"));
    }

    #[test]
    fn signatures_fit_one_line() {
        assert_eq!(&*one_line("fn  a(\n    b: u8,\n) -> C"), "fn a( b: u8, ) -> C");
        assert!(one_line(&"ä ".repeat(400)).len() < 260);
    }
}
