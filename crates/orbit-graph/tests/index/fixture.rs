//! Files as text: a line `==> path`, and what the file holds below it. The tests of other crates read them with this, too.
//!
//! A file ends with one line end, however many blank lines follow it in the text; nothing below its path is an empty file.
//! What else a file may end with is said in a last line: `\ no line end`, `\ and a blank line`.

/// What a file without a last line end is told by.
pub(crate) const NO_LINE_END: &str = "\\ no line end";
/// What each blank line at the end of a file is told by.
pub(crate) const BLANK_LINE: &str = "\\ and a blank line";

/// Paths and what the files hold, in the order of the text. What stands before the first path is passed over.
pub(crate) fn files(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("==> ") {
            found.push((path.trim_end().to_owned(), String::new()));
        } else if let Some((_, text)) = found.last_mut() {
            text.push_str(line);
        }
    }
    for (_, text) in &mut found {
        *text = ended(text);
    }
    found
}

fn ended(text: &str) -> String {
    let mut lines = text.trim_end_matches('\n').to_owned();
    let mut blank = String::new();
    while let Some(rest) = lines.strip_suffix(BLANK_LINE) {
        blank.push('\n');
        lines = rest.trim_end_matches('\n').to_owned();
    }
    match lines.strip_suffix(NO_LINE_END) {
        Some(rest) => rest.trim_end_matches('\n').to_owned(),
        None if lines.is_empty() => blank,
        None => format!("{lines}\n{blank}"),
    }
}

#[test]
fn files_end_as_they_say() {
    let text =
        "about\n==> a/b.py\nx\n\n\n==> c.py\n==> d.py\ny\n\\ no line end\n==> e.py\nz\n\\ and a blank line\n";
    let expected = [("a/b.py", "x\n"), ("c.py", ""), ("d.py", "y"), ("e.py", "z\n\n")];
    assert_eq!(files(text), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
}
