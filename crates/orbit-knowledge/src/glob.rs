//! Globs over relative paths with `/`: `*` and `?` stay within a segment, `**` crosses segments and may be
//! nothing, `[..]` is a class, `{a,b}` a choice. `**/x` also matches `x`; `dir/**` matches what is below `dir`.

pub(crate) mod index;
pub(crate) mod overlap;

use crate::error::KnowledgeError;
use globset::{GlobBuilder, GlobMatcher};

/// Most globs of an atom.
pub const PATTERNS: usize = 20;
/// Most characters of a glob.
pub const PATTERN_CHARS: usize = 512;

/// A compiled glob.
pub(crate) struct Glob(GlobMatcher);

impl Glob {
    /// Compiles what [`check`] accepts; `None` for anything else.
    pub(crate) fn new(pattern: &str) -> Option<Glob> {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build().ok()?;
        Some(Glob(glob.compile_matcher()))
    }

    /// Whether the path lies in it. A leading `./` does not count.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        self.0.is_match(path)
    }
}

/// Several globs: a path lies in them when it lies in one. What does not compile matches nothing.
pub struct Globs(Vec<Glob>);

impl Globs {
    /// Compiles them.
    pub fn new(patterns: &[String]) -> Globs {
        Globs(patterns.iter().filter_map(|pattern| Glob::new(pattern)).collect())
    }

    /// Whether a path lies in one.
    pub fn matches(&self, path: &str) -> bool {
        self.0.iter().any(|glob| glob.matches(path))
    }
}

/// Refuses what is not a glob relative to the repository's root.
pub(crate) fn check(field: &'static str, pattern: &str) -> Result<(), KnowledgeError> {
    let refuse = |why: &str| Err(KnowledgeError::validation(field, format!("pattern `{pattern}` {why}")));
    let count = pattern.chars().count();
    if pattern.trim().is_empty() {
        return refuse("is empty");
    }
    if count > PATTERN_CHARS {
        let why = format!("a pattern has {count} characters, {PATTERN_CHARS} are allowed");
        return Err(KnowledgeError::validation(field, why));
    }
    if pattern.starts_with('/') || pattern.starts_with('\\') || has_drive(pattern) {
        return refuse("must be relative to the repository's root");
    }
    if pattern.starts_with('!') {
        return refuse("must not be negated");
    }
    if pattern.split('/').any(|segment| segment == "..") {
        return refuse("must not contain `..` segments");
    }
    if pattern.contains(['\0', '\n', '\r']) {
        return refuse("must not contain control characters");
    }
    if Glob::new(pattern).is_none() {
        return refuse("is not a valid glob");
    }
    Ok(())
}

fn has_drive(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching() {
        for (pattern, path, is_match) in [
            ("src/pages/checkout/**", "src/pages/checkout/a.ts", true),
            ("src/pages/checkout/**", "src/pages/checkout/a/b/c.ts", true),
            ("src/pages/checkout/**", "src/pages/checkout", false),
            ("src/pages/checkout/**", "src/pages/checkout-old/a.ts", false),
            ("src/components/checkout-*.tsx", "src/components/checkout-form.tsx", true),
            ("src/components/checkout-*.tsx", "src/components/checkout-a/b.tsx", false),
            ("src/shared/email-client.ts", "src/shared/email-client.ts", true),
            ("src/*", "src/a/b", false),
            ("**/*.ts", "index.ts", true),
            ("**/x", "x", true),
            ("**/x", "a/b/x", true),
            ("a/**/b", "a/b", true),
            ("a/?.rs", "a/b.rs", true),
            ("a/?.rs", "a/bc.rs", false),
            ("a/[a-c].rs", "a/b.rs", true),
            ("a/[!a-c].rs", "a/b.rs", false),
            ("a/{b,c/**}.rs", "a/b.rs", true),
            ("src/*", "src/.env", true),
            ("./src/*", "src/a", true),
            ("src/*", "./src/a", true),
            ("docs/Ü*.md", "docs/Übersicht.md", true),
            ("SRC/*", "src/a", false),
        ] {
            check("paths", pattern).unwrap();
            assert_eq!(Glob::new(pattern).unwrap().matches(path), is_match, "{pattern} {path}");
        }
    }

    #[test]
    fn bad_globs_are_refused() {
        for pattern in
            ["", " ", "/src", "!src", "a/../b", "..", "a[", "a{b", "C:/x", "C:\\x", "a\nb", "[b-a]"]
        {
            assert!(check("paths", pattern).is_err(), "{pattern:?}");
        }
        check("paths", "a..b/c...d").unwrap();
        check("paths", &"ä".repeat(512)).unwrap();
        assert!(check("paths", &"a".repeat(513)).is_err());
    }
}
