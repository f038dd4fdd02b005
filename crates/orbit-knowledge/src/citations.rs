//! Lines that a text cites: `src/shop.py:42`, `src/shop.py:42-50`.

/// A line that is cited, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The whole of it.
    pub label: String,
    /// Before the first colon.
    pub path: String,
    /// The first line, from 1.
    pub line: u32,
    /// The last line; the first unless a range is cited.
    pub last: u32,
}

/// Everything that a text cites, each once, in order. Whether there is such a file is for others to tell.
pub fn citations(text: &str) -> Vec<Citation> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_./-+@".contains(letter);
    let mut found: Vec<Citation> = Vec::new();
    for (colon, _) in text.match_indices(':') {
        let begin = text[..colon]
            .rfind(|letter| !is_part(letter))
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let path = text[begin..colon].trim_start_matches("./");
        let rest = &text[colon + 1..];
        let Some((line, rest)) = number(rest) else { continue };
        let range = rest.strip_prefix('-').and_then(number);
        let (last, after) = range.map_or((line, rest), |(last, rest)| (last.max(line), rest));
        // `a.py:12:3` cites a column, too; `1.2:30` and a time are not paths.
        let is_path =
            path.contains(['.', '/']) && path.contains(char::is_alphabetic) && !path.starts_with('/');
        if !is_path || line == 0 || after.starts_with(char::is_alphanumeric) {
            continue;
        }
        let label = text[colon - path.len()..text.len() - after.len()].to_owned();
        if !found.iter().any(|known| known.label == label) {
            found.push(Citation { label, path: path.to_owned(), line, last });
        }
    }
    found
}

/// The number that a text begins with, and what follows it.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = citations(text)
            .iter()
            .map(|it| format!("{}={}:{}-{}", it.label, it.path, it.line, it.last))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn paths_with_lines_are_citations() {
        check("see src/shop.py:42.", &["src/shop.py:42=src/shop.py:42-42"]);
        check("(`./a.rs:3-9`), a.rs:3-9", &["a.rs:3-9=a.rs:3-9"]);
        check("a.py:12:3 and Größe/é.go:7", &["a.py:12=a.py:12-12", "Größe/é.go:7=Größe/é.go:7-7"]);
        check("lib/x:5", &["lib/x:5=lib/x:5-5"]);
    }

    #[test]
    fn other_colons_are_not() {
        for text in
            ["at 12:30", "1.2:3", "http://localhost:8080", "a.py:", "a.py:0", "a.py:3rd", "::1", "é:1"]
        {
            check(text, &[]);
        }
    }
}
