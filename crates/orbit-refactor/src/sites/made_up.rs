//! Names that a program puts together while it runs, `getattr(self, "visit_" + kind)` or `this[`on${kind}`]()`, and those
//! that Python makes of others, `_Class__attribute`.

use super::{defines, pasted};
use orbit_extract::{Family, Lang};
use orbit_graph::FileFacts;

/// Calls that reach things by names.
const BY_NAME: [&str; 6] = ["getattr(", "setattr(", "delattr(", "hasattr(", "globals()", "methodcaller("];
/// Fixed letters that say something about a name.
const LEAST: usize = 3;

/// Where a program may put a name together, as `file:line`.
pub(super) fn places(files: &[(FileFacts, Vec<u8>)], lang: Lang, name: &str) -> Vec<String> {
    let find: fn(&str, &str) -> Vec<u32> = match lang.family() {
        Family::Python => in_python,
        Family::Script => in_script,
        Family::Native => return [pasted::places(files, name), defines::given(files, name)].concat(),
        _ => return Vec::new(),
    };
    let lines =
        files.iter().filter(|(file, _)| file.lang.family() == lang.family()).flat_map(|(file, bytes)| {
            let lines = find(&String::from_utf8_lossy(bytes), name);
            lines.into_iter().map(|line| format!("{}:{line}", file.path))
        });
    lines.collect()
}

/// The lines of a Python file where a name like this one is put together, by the program or by Python itself.
fn in_python(text: &str, name: &str) -> Vec<u32> {
    let mut found = mangled(text, name);
    if BY_NAME.iter().any(|call| text.contains(call)) {
        found.extend(made_up(text, name, Some('#')));
    }
    found
}

/// The lines of a script where a name like this one may be put together.
fn in_script(text: &str, name: &str) -> Vec<u32> {
    let is_key = |text: &str| text.trim_end().ends_with('[');
    let reaches =
        text.contains("](") || text.match_indices(['"', '\'', '`']).any(|(at, _)| is_key(&text[..at]));
    if reaches { made_up(text, name, None) } else { Vec::new() }
}

/// The lines that name a private attribute of a class from outside of it: `item._Shop__count` is `__count` of `Shop`.
fn mangled(text: &str, name: &str) -> Vec<u32> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split(|c| !is_word(c)).filter_map(|word| {
            let word = word.strip_prefix('_').filter(|rest| !rest.starts_with('_'))?;
            word.split_once("__").filter(|(_, attribute)| !attribute.is_empty() && !attribute.ends_with("__"))
        });
        let is_its = |(class, attribute): (&str, &str)| {
            class == name.trim_start_matches('_') || name.strip_prefix("__") == Some(attribute)
        };
        found.extend(words.any(is_its).then_some(number));
    }
    found
}

/// The lines of a file where strings, or parts of them, are put together to a name like this one.
fn made_up(text: &str, name: &str, comment: Option<char>) -> Vec<u32> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((start, end, next)) = literal(text, at, comment) {
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
        let opening = content.split_once("${").or_else(|| content.split_once('{'));
        let placed = opening.zip(content.rsplit_once('}'));
        let placed = placed.is_some_and(|((head, _), (_, tail))| fits(head, tail));
        if joined || formatted || placed {
            found.push(text[..start].matches('\n').count() as u32 + 1);
        }
        at = next;
    }
    found
}

/// The next string of one line: where its text begins and ends, and where to go on. Comments are passed over.
fn literal(text: &str, from: usize, comment: Option<char>) -> Option<(usize, usize, usize)> {
    let mut at = from;
    loop {
        let starts = |c: char| matches!(c, '"' | '\'') || Some(c) == comment || c == '`' && comment.is_none();
        let begin = at + text[at..].find(starts)?;
        let rest = &text[begin..];
        if comment.is_some_and(|sign| rest.starts_with(sign)) {
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
    use super::{in_python, in_script, mangled};

    #[test]
    fn names_are_put_together_in_several_ways() {
        let file = |code: &str| format!("'''A \"quote\".'''\nx = 'it\\'s'  # don't\ngetattr(self, {code})\n");
        for code in ["'visit_' + kind", "f\"visit_{kind}\"", "'visit_%s' % kind", "\"visit_{}\".format(kind)"]
        {
            assert_eq!(in_python(&file(code), "visit_name"), [3], "{code}");
            assert_eq!(in_python(&file(code), "leave_name"), [0; 0], "{code}");
            assert_eq!(in_python(&file(code), "visit_"), [0; 0], "{code}");
        }
        assert_eq!(in_python(&file("kind + '_names'"), "all_names"), [3]);
        assert_eq!(in_python("x = 'visit_' + y", "visit_name"), [0; 0], "nothing is reached by a name");
    }

    #[test]
    fn keys_of_scripts_are_put_together() {
        for code in ["this['parse' + kind]()", "this[`parse${kind}`]()", "const f = `parse${kind}`; api[f]()"]
        {
            assert_eq!(in_script(code, "parseOne"), [1], "{code}");
            assert_eq!(in_script(code, "readOne"), [0; 0], "{code}");
        }
        assert_eq!(in_script("show('parse' + kind)", "parseOne"), [0; 0], "nothing is reached by a name");
    }

    #[test]
    fn private_attributes_have_the_name_of_their_class() {
        for name in ["Shop", "_Shop", "__count"] {
            assert_eq!(mangled("x = 1\nitem._Shop__count", name), [2], "{name}");
        }
        assert_eq!(mangled("item._Shop__count, item.__init__, item.__count", "__total"), [0; 0]);
        assert_eq!(mangled("self.__Shop__count", "Shop"), [0; 0]);
    }
}
