//! What looks like a secret, so that no index serves it.

use std::borrow::Cow;

/// What stands for a secret.
const MASK: &str = "…";

/// How tokens of well-known services begin.
const PREFIXES: [&str; 24] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "whsec_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "npm_",
    "pypi-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "hf_",
    "SG.",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJhbGciOi",
];

/// The last words of a name that holds a secret.
const SECRET_NAMES: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "secret_key",
    "private_key",
    "access_key",
    "credentials",
];

/// Private keys, tokens of well-known services, long random-looking words, and passwords in URLs.
pub(crate) fn looks_secret(value: &str) -> bool {
    value.contains("PRIVATE KEY-----") || words(value).any(is_secret_word) || url_password(value).is_some()
}

/// Whether a string is the value of a name such as `DB_PASSWORD`: `before` is what stands before it on its line.
pub(crate) fn is_named_secret(before: &str, value: &str) -> bool {
    let before = before.trim_end();
    let assigned = [":=", "=>", "=", ":"].iter().find_map(|sign| before.strip_suffix(sign));
    let Some(assigned) = assigned else { return false };
    // A type may stand between the name and the value: `password: str = "…"`.
    let name = assigned.trim_end().trim_end_matches(['"', '\'', ']', '`']);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let start =
        name.rfind(|c| !is_part(c)).map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    let typed = name[..start].trim_end().strip_suffix(':').and_then(|rest| {
        let rest = rest.trim_end();
        rest.rfind(|c| !is_part(c)).map_or(Some(rest), |at| rest.get(at + 1..))
    });
    (is_secret_name(&name[start..]) || typed.is_some_and(is_secret_name)) && could_be_secret(value)
}

/// `db_password`, `dbPassword` and `DB-PASSWORD` end with the same word.
fn is_secret_name(name: &str) -> bool {
    let mut words = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for letter in name.chars() {
        if was_lower && letter.is_uppercase() {
            words.push('_');
        }
        was_lower = letter.is_lowercase();
        words.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
    }
    let is_end = |wanted: &&str| {
        words.strip_suffix(*wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    SECRET_NAMES.iter().any(is_end)
}

/// Texts for people, placeholders, paths and the names of fields are not secrets.
fn could_be_secret(value: &str) -> bool {
    let is_plain_word = value.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '-' | '.'));
    let is_name = is_plain_word && SECRET_NAMES.iter().any(|name| value.to_lowercase().contains(name));
    !value.contains(char::is_whitespace) && !value.contains(['{', '<', '$', '/']) && !is_name
}

/// A piece of source with what looks like a secret replaced.
pub(crate) fn redacted(text: &str) -> Cow<'_, str> {
    let quotes = ['"', '\'', '`'];
    if !text.contains(quotes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut done = 0;
    let mut rest = 0;
    while let Some(open) = text[rest..].find(quotes).map(|at| rest + at) {
        let quote = &text[open..=open];
        let Some(close) = text[open + 1..].find(quote).map(|at| open + 1 + at) else { break };
        let value = &text[open + 1..close];
        if looks_secret(value) || value.len() >= 4 && is_named_secret(&text[..open], value) {
            out.push_str(&text[done..=open]);
            out.push_str(MASK);
            done = close;
        }
        rest = close + 1;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ',' | ';' | ':' | '@' | '&' | '?')
    })
}

fn is_secret_word(word: &str) -> bool {
    (word.len() >= 16 && PREFIXES.iter().any(|prefix| word.starts_with(prefix))) || is_random_word(word)
}

/// The password of `scheme://user:password@host`, unless it is a placeholder.
fn url_password(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let authority = rest.split(['/', '?', '#', ' ']).next()?;
    let (user, _) = authority.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    let is_placeholder = password.is_empty() || password.starts_with(['{', '$', '<', '%', '*']);
    (!is_placeholder).then_some(password)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_look() {
        for secret in [
            "-----BEGIN RSA PRIVATE KEY-----",
            "ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "token=AKIAIOSFODNN7EXAMPLE",
            "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "wJalrXUtnFEMI0K7MDENG1bPxRfiCY2EXAMPLEKEY3",
            "postgres://admin:s3cr3t@db.example.com:5432/app",
        ] {
            assert!(looks_secret(secret), "{secret}");
        }
        for plain in [
            "a/very/long/path/without/any/secret/in/it/at/all",
            "https://user@example.com/path",
            "postgres://{user}:{password}@host/db",
            "http://localhost:8080/a@b",
        ] {
            assert!(!looks_secret(plain), "{plain}");
        }
    }

    #[test]
    fn a_name_tells_what_its_value_is() {
        for (before, value) in [
            ("DB_PASSWORD = ", "hunter2"),
            ("  password: str = ", "hunter2"),
            ("const apiToken = ", "abc123"),
            ("    \"api_key\": ", "abc123"),
            ("secretKey:", "tiger"),
            ("os.environ['AUTH_TOKEN'] = ", "abc123"),
        ] {
            assert!(is_named_secret(before, value), "{before}{value}");
        }
        for (before, value) in [
            ("password_label = ", "hunter2"),
            ("PASSWORD = ", "Enter your password"),
            ("password = ", "password"),
            ("token = ", "{token}"),
            ("return ", "hunter2"),
            ("tokenizer = ", "simple"),
            ("x == ", "hunter2"),
        ] {
            assert!(!is_named_secret(before, value), "{before}{value}");
        }
    }

    #[test]
    fn signatures_keep_all_but_the_secret() {
        assert_eq!(redacted("STRIPE = \"sk_live_4eC39HqLyjWDarjtT1zdp7dc\""), "STRIPE = \"…\"");
        assert_eq!(redacted("def f(password=\"hunter2\", n=1)"), "def f(password=\"…\", n=1)");
        assert_eq!(redacted("def f(name=\"plain\", it\'s)"), "def f(name=\"plain\", it\'s)");
        assert_eq!(redacted("let c = \'\"\'"), "let c = \'\"\'");
    }
}
