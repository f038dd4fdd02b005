//! Which headers called `.h` are of C++.

use super::repair;

/// Whether a header has what no C has, but for what it keeps under `#ifdef __cplusplus`: a class, namespace, template or
/// member of a class at the start of a line, a header of C++, a base, or a section of a class.
pub(super) fn looks_like_cpp(source: &str) -> bool {
    // How many conditionals are open since the one about C++.
    let mut guarded = 0u32;
    source.lines().any(|text| {
        if let Some(directive) = text.trim_start().strip_prefix('#').map(str::trim_start) {
            match () {
                () if directive.starts_with("if") && (guarded > 0 || directive.contains("__cplusplus")) => {
                    guarded += 1;
                }
                () if directive.starts_with("endif") => guarded = guarded.saturating_sub(1),
                () => {}
            }
            return guarded == 0 && includes_standard_cpp(directive);
        }
        if guarded == 0 && has_class_part(text) || is_qualified_function(text) {
            return true;
        }
        if let Some(rest) = text.strip_prefix("template") {
            return rest.trim_start().starts_with('<');
        }
        let Some(rest) = text.strip_prefix("class ").or_else(|| text.strip_prefix("namespace ")) else {
            return false;
        };
        let (word, behind) = split_word(rest.trim());
        // Not a line of prose in a comment.
        behind.is_empty()
            || behind.starts_with(['{', ';', ':', '<', '('])
            || behind.starts_with("final")
            || [word, split_word(behind).0].iter().any(|word| repair::is_upper_word(word.as_bytes()))
    })
}

/// `include <string>`: headers of the C library end in `.h`.
fn includes_standard_cpp(directive: &str) -> bool {
    let name = directive.strip_prefix("include").map(str::trim_start).and_then(|name| name.strip_prefix('<'));
    let name = name.and_then(|name| name.split_once('>')).map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
}

/// `struct Foo : public Base {`, `private:`, `virtual ~Foo();`
fn has_class_part(text: &str) -> bool {
    let trimmed = text.trim();
    if matches!(trimmed, "public:" | "private:" | "protected:") || trimmed.starts_with("virtual ~") {
        return true;
    }
    let Some(rest) = text.strip_prefix("struct ") else { return false };
    let behind = split_word(rest.trim()).1;
    behind.starts_with(':') && !behind.starts_with("::") && behind.ends_with('{')
}

/// `INLINE void ns::Foo::bar(…`, not a line of prose.
fn is_qualified_function(text: &str) -> bool {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return false;
    }
    let Some((head, _)) = text.split_once('(') else { return false };
    let name = head.rsplit(|c: char| c.is_whitespace() || c == '*' || c == '&').next().unwrap_or("");
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '~' | '<' | '>' | ':');
    name.contains("::") && name.chars().all(is_word) && !head.contains(['.', ',', '"', '\''])
}

fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}
