//! Where definitions stand in a file: with what belongs to them, how they are cut out, and where new ones go.

use crate::edit::Edit;
use orbit_extract::{Family, Lang};

/// A definition with the comments, attributes and decorators right above it, in whole lines where it has them for itself.
pub(crate) fn extent(text: &str, lang: Lang, span: (u32, u32)) -> (u32, u32) {
    let (start, end) = (span.0 as usize, span.1 as usize);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    if !text[line_start..start].trim().is_empty() {
        return span; // something else stands before it on the line
    }
    let mut from = line_start;
    while from > 0 {
        let above = text[..from - 1].rfind('\n').map_or(0, |at| at + 1);
        let line = text[above..from].trim();
        if let Some(opened) = comment_above(text, from, lang) {
            from = opened;
        } else if belongs(line, lang) {
            from = above;
        } else if let Some(opened) = attribute_above(text, above, lang).filter(|_| line.ends_with([']', ')']))
        {
            from = opened;
        } else {
            break;
        }
    }
    let mut to = end;
    let rest = &text[to..];
    let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
    let behind = rest[..line_end].trim();
    if behind.is_empty()
        || behind == ";"
        || behind.starts_with("//")
        || (lang.family() == Family::Python && behind.starts_with('#'))
    {
        to += line_end;
    }
    (from as u32, to as u32)
}

/// Whether a line above a definition belongs to it.
fn belongs(line: &str, lang: Lang) -> bool {
    match lang.family() {
        Family::Python => line.starts_with('#') && !line.starts_with("#!") || line.starts_with('@'),
        Family::Rust => line.starts_with("//") && !line.starts_with("//!") || line.starts_with("#["),
        Family::Ruby => line.starts_with('#'),
        _ => {
            line.starts_with("//") || line.starts_with("/*") || line.starts_with('*') || line.starts_with('@')
        }
    }
}

/// Where a comment begins that ends on the line before a place and has its lines for itself.
fn comment_above(text: &str, at: usize, lang: Lang) -> Option<usize> {
    let before = text[..at].trim_end();
    let is_bracketed = !matches!(lang.family(), Family::Python | Family::Ruby) && before.ends_with("*/");
    if !is_bracketed || text[before.len()..at].matches('\n').count() != 1 {
        return None;
    }
    let open = before.rfind("/*")?;
    let line = text[..open].rfind('\n').map_or(0, |at| at + 1);
    // One that stands behind code belongs to that, and Rust has some that are about what is round them.
    let is_inner = lang.family() == Family::Rust && text[open..].starts_with("/*!");
    (text[line..open].trim().is_empty() && !is_inner).then_some(line)
}

/// Where an attribute or decorator over several lines begins that ends on the line at `above`.
fn attribute_above(text: &str, above: usize, lang: Lang) -> Option<usize> {
    let opens = match lang.family() {
        Family::Rust => "#[",
        Family::Python => "@",
        _ => return None,
    };
    let mut at = above;
    for _ in 0..40 {
        let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let line = text[at..line_end].trim();
        if line.starts_with(opens) {
            return Some(at);
        }
        let is_code = line.is_empty()
            || line.starts_with("def ")
            || line.starts_with("class ")
            || line.ends_with([';', '{', '}']);
        if is_code || at == 0 {
            return None;
        }
        at = text[..at - 1].rfind('\n').map_or(0, |start| start + 1);
    }
    None
}

/// Cuts a definition out, with the blank lines that only it needed.
pub(crate) fn cut(text: &str, extent: (u32, u32)) -> Edit {
    let (start, mut end) = (extent.0 as usize, extent.1 as usize);
    while let Some(line) =
        text[end..].find('\n').map(|at| &text[end..=end + at]).filter(|line| line.trim().is_empty())
    {
        end += line.len();
    }
    let mut from = start;
    if end >= text.len() {
        // Nothing follows: the blank lines before it go instead.
        from = text[..start].trim_end().len();
        from += text[from..start].find('\n').map_or(0, |at| at + 1);
    }
    Edit::new(from as u32, end as u32, "")
}

/// Puts a definition at the end of a file, before the tests of a Rust file.
pub(crate) fn append(text: &str, lang: Lang, definition: &str) -> Edit {
    let definition = definition.trim_matches('\n').trim_end();
    let gap = if lang.family() == Family::Python { "\n\n\n" } else { "\n\n" };
    let tests = (lang.family() == Family::Rust).then(|| text.find("\n#[cfg(test)]\nmod ")).flatten();
    if let Some(at) = tests {
        let before = text[..at].trim_end().len();
        return Edit::new(before as u32, at as u32 + 1, format!("{gap}{definition}\n\n"));
    }
    let end = text.trim_end().len();
    let gap = if end == 0 { "" } else { gap };
    Edit::new(end as u32, text.len() as u32, format!("{gap}{definition}\n"))
}

/// Text with every line indented, blank ones left alone, after taking away what all lines share.
pub(crate) fn indented(text: &str, indent: &str) -> String {
    let lines: Vec<&str> = text.trim_matches('\n').lines().collect();
    let shared = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines = lines.iter().map(|line| {
        if line.trim().is_empty() {
            String::new()
        } else {
            format!("{indent}{}", line.get(shared..).unwrap_or(line))
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_above_a_definition_belongs_to_it() {
        let text = "use a;\n\n/// Doc.\n#[derive(\n    Debug,\n)]\n// note\nfn f() {}\n\nfn g() {}\n";
        let at = text.find("fn f").unwrap() as u32;
        let found = extent(text, Lang::Rust, (at, at + 9));
        assert_eq!(
            &text[found.0 as usize..found.1 as usize],
            "/// Doc.\n#[derive(\n    Debug,\n)]\n// note\nfn f() {}\n"
        );
        let cut = cut(text, found);
        assert_eq!(&text[cut.span.0 as usize..cut.span.1 as usize].lines().count(), &7);
    }

    #[test]
    fn a_comment_between_brackets_belongs_to_what_follows_as_a_whole() {
        let text = "const a = 1; /* a */\n/**\nOf f.\n\nMore.\n*/\nfunction f() {}\n";
        let at = text.find("function").unwrap() as u32;
        let found = extent(text, Lang::TypeScript, (at, at + 15));
        assert_eq!(&text[found.0 as usize..], "/**\nOf f.\n\nMore.\n*/\nfunction f() {}\n");
    }

    #[test]
    fn definitions_go_before_tests() {
        let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {}\n";
        let mut edits = vec![append(text, Lang::Rust, "fn b() {}\n")];
        let new = crate::edit::apply("x", text.as_bytes(), &mut edits).unwrap();
        assert_eq!(String::from_utf8(new).unwrap(), "fn a() {}\n\nfn b() {}\n\n#[cfg(test)]\nmod tests {}\n");
    }
}
