//! Reading the *Context Files* section of a task: paths as people and agents write them.

use crate::model::Section;

/// The paths of the first section whose title has "context files" in it, each once, in order. `None` without such a
/// section or without a path in it.
pub(crate) fn paths_of(sections: &[Section]) -> Option<Vec<String>> {
    let section = sections.iter().find(|section| section.title.to_lowercase().contains("context files"))?;
    Some(paths(&section.content)).filter(|paths| !paths.is_empty())
}

/// Takes paths by line or comma, out of bullets, backticks, links to a line and notes in parentheses. What is no
/// path is skipped.
pub(crate) fn paths(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            continue;
        }
        for item in line.split(',') {
            let path = path(item);
            if let Some(path) = path.filter(|path| !found.contains(path)) {
                found.push(path);
            }
        }
    }
    found
}

fn path(item: &str) -> Option<String> {
    let item = without_bullet(item.trim());
    if item.starts_with('#') || item.starts_with("//") {
        return None;
    }
    let item = match item.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((quoted, _)) => quoted.trim(),
        None => without_note(item.trim_matches('`')),
    };
    let item = without_line(item);
    let item = item.strip_prefix("./").unwrap_or(item).trim();
    let is_path =
        !item.is_empty() && !item.ends_with(':') && !item.contains("://") && item != "." && item != "-";
    is_path.then(|| item.to_owned())
}

/// `- a`, `* a`, `+ a`, `1. a`, `- [x] a`: the `a`.
fn without_bullet(item: &str) -> &str {
    let mut rest = item;
    for bullet in ["- ", "* ", "+ ", "• "] {
        rest = rest.strip_prefix(bullet).unwrap_or(rest).trim_start();
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        let after = &rest[digits..];
        rest = after.strip_prefix(". ").or_else(|| after.strip_prefix(") ")).unwrap_or(rest).trim_start();
    }
    for checkbox in ["[ ] ", "[x] ", "[X] "] {
        rest = rest.strip_prefix(checkbox).unwrap_or(rest).trim_start();
    }
    rest
}

/// `path (note)`, `path - note`, `path — note`: the path. A parenthesis without a space before it belongs to the path.
fn without_note(item: &str) -> &str {
    let notes = [" (", " - ", " – ", " — ", " # ", " // ", ": "];
    let cut = notes.iter().filter_map(|note| item.find(note)).min();
    cut.map_or(item, |at| &item[..at]).trim()
}

/// `path:12`, `path:12:3`, `path:12-30`, `path#L12`: the path.
fn without_line(item: &str) -> &str {
    let item = match item.rsplit_once("#L") {
        Some((path, line)) if is_line(line) => path,
        _ => item,
    };
    match item.split_once(':') {
        Some((path, place)) if !path.is_empty() && is_line(place) => path,
        _ => item,
    }
}

fn is_line(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '-' | 'L'))
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn lines_commas_and_both() {
        assert_eq!(paths("a.ts\nb.ts"), ["a.ts", "b.ts"]);
        assert_eq!(paths("a.ts, b.ts,c.ts"), ["a.ts", "b.ts", "c.ts"]);
        assert_eq!(paths("a.ts, b.ts\n\n  c.ts  \n,,\n"), ["a.ts", "b.ts", "c.ts"]);
        assert_eq!(paths(" \n\t\n"), [""; 0]);
        assert_eq!(paths("# heading\n// note\na.ts"), ["a.ts"]);
        assert_eq!(paths("a.ts\na.ts"), ["a.ts"]);
    }

    #[test]
    fn markup_is_taken_off() {
        for (text, path) in [
            ("- src/a.ts", "src/a.ts"),
            ("* `src/a.ts`", "src/a.ts"),
            ("`src/a.ts` the entry", "src/a.ts"),
            ("1. src/a.ts", "src/a.ts"),
            ("- [x] src/a.ts", "src/a.ts"),
            ("src/a.ts:12", "src/a.ts"),
            ("src/a.ts:12:3", "src/a.ts"),
            ("src/a.ts:12-30", "src/a.ts"),
            ("src/a.ts#L12-L30", "src/a.ts"),
            ("src/a.ts (the entry)", "src/a.ts"),
            ("src/a.ts - the entry", "src/a.ts"),
            ("src/a.ts: the entry", "src/a.ts"),
            ("./src/a.ts", "src/a.ts"),
            ("- `./src/a.ts:7` (new)", "src/a.ts"),
            ("src/[id]/page(1).tsx", "src/[id]/page(1).tsx"),
            ("src/my file.ts", "src/my file.ts"),
            ("2024/report.md", "2024/report.md"),
        ] {
            assert_eq!(paths(text), [path], "{text}");
        }
    }

    #[test]
    fn what_is_not_a_path_is_skipped() {
        for text in ["```ts", "Files to change:", "https://example.org/a.ts", "-", "."] {
            assert_eq!(paths(text), [""; 0], "{text}");
        }
    }
}
