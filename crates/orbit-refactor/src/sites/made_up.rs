//! Names that a Python program puts together while it runs: `getattr(self, "visit_" + kind)`.

use orbit_graph::FileFacts;

/// Calls that reach things by names.
const BY_NAME: [&str; 6] = ["getattr(", "setattr(", "delattr(", "hasattr(", "globals()", "methodcaller("];
/// Fixed letters that say something about a name.
const LEAST: usize = 3;

/// Where files may put together a name like this one, as `file:line`.
pub(super) fn places(files: &[(FileFacts, Vec<u8>)], name: &str) -> Vec<String> {
    let lines = files.iter().flat_map(|(file, bytes)| {
        let lines = made_up(&String::from_utf8_lossy(bytes), name);
        lines.into_iter().map(|line| format!("{}:{line}", file.path))
    });
    lines.collect()
}

/// The lines of a file where a name like this one may be put together.
fn made_up(text: &str, name: &str) -> Vec<u32> {
    if !BY_NAME.iter().any(|call| text.contains(call)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, end, next)) = literal(text, at) {
        let content = &text[start..end];
        let (before, after) =
            (text[..start - 1].trim_end_matches([' ', 'f', 'F', 'r']), text[next..].trim_start());
        let fits = |head: &str, tail: &str| {
            let is_name = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_name(head)
                && is_name(tail)
                && head.len() + tail.len() >= LEAST
                && name.len() > head.len() + tail.len()
                && name.starts_with(head)
                && name.ends_with(tail)
        };
        let joined =
            after.starts_with('+') && fits(content, "") || before.ends_with('+') && fits("", content);
        let formatted = content.split_once("%s").is_some_and(|(head, tail)| fits(head, tail));
        let placed = content.split_once('{').zip(content.rsplit_once('}'));
        let placed = placed.is_some_and(|((head, _), (_, tail))| fits(head, tail));
        if joined || formatted || placed {
            found.push(text[..start].matches('\n').count() as u32 + 1);
        }
        at = next;
    }
    found
}

/// The next string of one line: where its text begins and ends, and where to go on. Comments are passed over.
fn literal(text: &str, from: usize) -> Option<(usize, usize, usize)> {
    let mut at = from;
    loop {
        let begin = at + text[at..].find(['"', '\'', '#'])?;
        let rest = &text[begin..];
        if rest.starts_with('#') {
            at = begin + rest.find('\n')?;
            continue;
        }
        if let Some(quote) = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote)) {
            at = begin + 6 + rest[3..].find(quote)?;
            continue;
        }
        let quote = rest.chars().next()?;
        let mut is_escaped = false;
        let end = rest[1..].char_indices().find(|(_, c)| {
            let is_end = !is_escaped && (*c == quote || *c == '\n');
            is_escaped = *c == '\\' && !is_escaped;
            is_end
        })?;
        let end = begin + 1 + end.0;
        return Some((begin + 1, end, end + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::made_up;

    #[test]
    fn names_are_put_together_in_several_ways() {
        let file = |code: &str| format!("'''A \"quote\".'''\nx = 'it\\'s'  # don't\ngetattr(self, {code})\n");
        for code in ["'visit_' + kind", "f\"visit_{kind}\"", "'visit_%s' % kind", "\"visit_{}\".format(kind)"]
        {
            assert_eq!(made_up(&file(code), "visit_name"), [3], "{code}");
            assert_eq!(made_up(&file(code), "leave_name"), [0; 0], "{code}");
            assert_eq!(made_up(&file(code), "visit_"), [0; 0], "{code}");
        }
        assert_eq!(made_up(&file("kind + '_names'"), "all_names"), [3]);
        assert_eq!(made_up("x = 'visit_' + y", "visit_name"), [0; 0], "nothing is reached by a name");
    }
}
