//! Files that a program reads by their paths: source that a generator copies, documents whose examples a test runs. What
//! stands in them is more than what is imported from them.

use crate::error::RefactorError;
use crate::worktree::Worktree;
use orbit_extract::{Family, Lang};
use orbit_graph::Facts;
use std::collections::BTreeSet;

/// Names that many files have: alone they point at none of them.
const COMMON: &str = "__init__.py __main__.py setup.py conftest.py mod.rs lib.rs main.rs build.rs index.ts index.js \
     index.tsx index.jsx index.mjs main.go doc.go main.py README.md README.rst CHANGELOG.md";

/// A string in code that ends in the path of a file.
pub(crate) struct Reader {
    /// The file whose path it is.
    pub(crate) path: String,
    /// Where the string stands, as `file:line`.
    pub(crate) place: String,
    /// Whether what is read may be run as code: Python runs any text, Rust the examples of what is documentation.
    pub(crate) runs: bool,
}

/// Where strings in code name one of some files by its path.
pub(crate) fn readers(
    facts: &Facts<'_>,
    worktree: &Worktree,
    paths: &BTreeSet<&str>,
) -> Result<Vec<Reader>, RefactorError> {
    let mut found = Vec::new();
    if paths.is_empty() {
        return Ok(found);
    }
    let finders: Vec<_> = paths
        .iter()
        .map(|path| (*path, memchr::memmem::Finder::new(path.rsplit('/').next().unwrap_or(path))))
        .collect();
    for file in facts.files()?.into_iter().filter(|file| file.lang.family() != Family::Prose) {
        let Some(bytes) = worktree.read(&file.path)? else { continue };
        for (path, finder) in &finders {
            let named = finder.find_iter(&bytes).find(|at| names(&bytes, *at, path, (&file.path, file.lang)));
            let line = |at: usize| 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count();
            let start = |at: usize| memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |start| start + 1);
            let is_doc = |at: usize| memchr::memmem::find(&bytes[start(at)..at], b"doc").is_some();
            found.extend(named.map(|at| Reader {
                path: (*path).to_owned(),
                place: format!("{}:{}", file.path, line(at)),
                runs: file.lang == Lang::Python || file.lang == Lang::Rust && is_doc(at),
            }));
        }
    }
    Ok(found)
}

/// Whether the last part of a path, found in a file, ends a string that is a path to it, and no import.
fn names(bytes: &[u8], at: usize, path: &str, (reader, lang): (&str, Lang)) -> bool {
    let last = path.rsplit('/').next().unwrap_or(path);
    let Some(quote) = bytes.get(at + last.len()).filter(|byte| b"\"'`".contains(byte)) else { return false };
    let line = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |at| at + 1);
    let Some(open) = memchr::memrchr(*quote, &bytes[line..at]).map(|open| line + open) else { return false };
    let Ok(written) = std::str::from_utf8(&bytes[open + 1..at + last.len()]) else { return false };
    let Ok(before) = std::str::from_utf8(&bytes[line..open]) else { return false };
    let is_import = match lang.family() {
        Family::Script => ["import", "from", "require", "mock"].iter().any(|word| before.contains(word)),
        Family::Rust => before.contains("path"),
        Family::Native => before.trim_start().starts_with('#'),
        _ => false,
    };
    let mut plain = written;
    while let Some(rest) = ["./", "../", "/"].iter().find_map(|lead| plain.strip_prefix(lead)) {
        plain = rest;
    }
    // `../x` means one file: from the file that says so, or from the root.
    let is_its = if written.starts_with('.') {
        plain == path || resolve(reader, written) == path
    } else {
        path.strip_suffix(plain).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let points = plain != last || plain != written || !crate::rules::lists(COMMON, last);
    !is_import && is_its && points && !(lang == Lang::Python && in_long_string(&bytes[..open]))
}

/// A relative path as the file that holds it means it.
fn resolve(from: &str, written: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in written.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a text of Python ends inside of a string of several lines: what is quoted there was printed.
fn in_long_string(before: &[u8]) -> bool {
    [&b"\"\"\""[..], b"'''"].iter().any(|quotes| memchr::memmem::find_iter(before, quotes).count() % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::names;
    use orbit_extract::Lang;

    #[test]
    fn paths_are_told_from_imports_and_from_other_files() {
        let is_named = |lang: Lang, text: &str, path: &str| {
            let last = path.rsplit('/').next().unwrap();
            let at = text.find(last).unwrap();
            names(text.as_bytes(), at, path, ("src/reader", lang))
        };
        let cases = [
            (Lang::Python, "FILES = ['tools/one.py', 'two.py']", "p/tools/one.py", true),
            (Lang::Python, "FILES = ['tools/one.py', 'two.py']", "p/two.py", true),
            (Lang::Python, "FILES = ['tools/one.py']", "p/other/one.py", false),
            (Lang::Python, "path = here + '/../../docs/snippets.rst'", "docs/snippets.rst", true),
            (Lang::Python, "see = 'about one.py'", "p/one.py", false),
            (Lang::Python, "OUT = \"\"\"\nFile \"one.py\", line 3", "p/one.py", false),
            (Lang::Python, "if name == '__init__.py':", "p/__init__.py", false),
            (Lang::Rust, "#![doc = include_str!(\"../README.md\")]", "README.md", true),
            (Lang::Rust, "#![doc = include_str!(\"../README.md\")]", "fuzz/README.md", false),
            (Lang::Rust, "#[path = \"one.rs\"]", "src/one.rs", false),
            (Lang::TypeScript, "import { a } from './one.js'", "src/one.js", false),
        ];
        for (lang, text, path, expected) in cases {
            assert_eq!(is_named(lang, text, path), expected, "{path} in {text}");
        }
    }
}
