//! Names in lists, and the statements round them: taking one name out, or changing where it comes from.

use crate::edit::Edit;

/// Takes one item out of a list between brackets or behind a keyword, with its comma. `None` when nothing would be left.
pub(crate) fn without(text: &str, list: (usize, usize), item: (usize, usize)) -> Option<Edit> {
    let inside = &text[list.0..list.1];
    let others = inside.split(',').filter(|part| !part.trim().is_empty()).count();
    if others < 2 {
        return None;
    }
    let end = text[item.1..list.1].find(',').map(|at| item.1 + at + 1);
    let (mut from, to) = match end {
        Some(end) => (item.0, end),
        None => (text[list.0..item.0].rfind(',').map_or(list.0, |at| list.0 + at), item.1),
    };
    // A line of its own goes as a whole.
    if end.is_some() {
        let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
        if text[line..from].trim().is_empty()
            && text[to..].trim_start_matches([' ', '\t']).starts_with('\n')
            && line > list.0
        {
            from = line.saturating_sub(1);
            return Some(Edit::new(from as u32, to as u32, ""));
        }
        let spaces = text[to..list.1].len() - text[to..list.1].trim_start_matches([' ', '\t']).len();
        return Some(Edit::new(from as u32, (to + spaces) as u32, ""));
    }
    Some(Edit::new(from as u32, to as u32, ""))
}

/// The whole item round a name: from the comma, bracket or list start before it to the one behind it, trimmed.
pub(crate) fn item(text: &str, list: (usize, usize), at: usize) -> (usize, usize) {
    let start = text[list.0..at].rfind(',').map_or(list.0, |comma| list.0 + comma + 1);
    let end = text[at..list.1].find(',').map_or(list.1, |comma| at + comma);
    let piece = &text[start..end];
    let lead = piece.len() - piece.trim_start().len();
    (start + lead, start + lead + piece.trim().len())
}

/// Takes whole Python statements out, line ends included; a block that nothing else is left in gets `pass`. They are in
/// source order.
pub(crate) fn without_statements(text: &str, statements: &[(usize, usize)]) -> Vec<Edit> {
    let goes = |at: usize| statements.iter().any(|(start, end)| *start <= at && at < *end);
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            lines.push((at, line));
        }
        at += line.len();
    }
    let lead = |line: &str| line.len() - line.trim_start().len();
    let edit = |(start, end): &(usize, usize)| {
        let indent = indent(text, *start);
        let stays = || lines.iter().filter(|(at, _)| !goes(*at));
        let before = stays().take_while(|(at, _)| at < start).last();
        let after = stays().find(|(at, _)| at >= end);
        let opens = before.is_some_and(|(_, line)| {
            let code = line.split(" #").next().unwrap_or("").trim_end();
            lead(line) < indent.len() && code.ends_with(':')
        });
        let closes = after.is_none_or(|(_, line)| lead(line) < indent.len());
        // Of several in a row the first one leaves the word behind.
        let is_first = !lines
            .iter()
            .any(|(at, _)| goes(*at) && at < start && before.is_some_and(|(before, _)| before < at));
        let is_empty = opens && closes && is_first && !indent.is_empty();
        let rest = if is_empty { format!("{indent}pass\n") } else { String::new() };
        Edit::new(*start as u32, *end as u32, rest)
    };
    statements.iter().map(edit).collect()
}

/// The line that begins at or before a place.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// What a line is indented by.
pub(crate) fn indent(text: &str, line: usize) -> &str {
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(text: &str, name: &str) -> Option<String> {
        let list = (text.find('{').unwrap() + 1, text.rfind('}').unwrap());
        let edit = without(text, list, item(text, list, text.find(name).unwrap()))?;
        let new = crate::edit::apply("x", text.as_bytes(), &mut vec![edit]).unwrap();
        Some(String::from_utf8(new).unwrap())
    }

    #[test]
    fn a_block_never_becomes_empty() {
        let out = |text: &str, gone: &[&str]| {
            let spans: Vec<(usize, usize)> = gone
                .iter()
                .map(|line| (text.find(line).unwrap(), text.find(line).unwrap() + line.len()))
                .collect();
            let mut edits = without_statements(text, &spans);
            String::from_utf8(crate::edit::apply("x", text.as_bytes(), &mut edits).unwrap()).unwrap()
        };
        let text = "if TYPE_CHECKING:  # types\n    from a import b\n    import c\n\nx = 1\n";
        let (first, second) = ("    from a import b\n", "    import c\n");
        assert_eq!(out(text, &[first, second]), "if TYPE_CHECKING:  # types\n    pass\n\nx = 1\n");
        assert_eq!(out(text, &[first]), "if TYPE_CHECKING:  # types\n    import c\n\nx = 1\n");
        assert_eq!(out("import a\nx = 1\n", &["import a\n"]), "x = 1\n");
    }

    #[test]
    fn one_name_is_taken_out() {
        assert_eq!(take("{ a, b, c }", "b").as_deref(), Some("{ a, c }"));
        assert_eq!(take("{ a, b }", "b").as_deref(), Some("{ a }"));
        assert_eq!(take("{ a, b }", "a").as_deref(), Some("{ b }"));
        assert_eq!(take("{\n  a,\n  b,\n}", "b").as_deref(), Some("{\n  a,\n}"));
        assert_eq!(take("{ a }", "a"), None);
    }
}
