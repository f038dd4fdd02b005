//! Symbols by what is written above them, or in Python below: read from the files, because the index has no comments.

use super::files::File;
use super::words::words_of;
use super::{Finder, Found, symbols};
use crate::error::GraphError;
use crate::query::symbol::{Symbol, is_test, select_in_file};
use crate::store::stored::Stored;
use orbit_extract::{Family, Lang, SymbolKind, may_say};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::Path;

impl Finder<'_> {
    /// Symbols whose documentation, together with their names and the paths of their files, has all words: those that
    /// say the least besides come first, code before tests.
    pub(super) fn documented(&self, words: &[String]) -> Result<Found, GraphError> {
        if words.is_empty() {
            return Ok(Found::default());
        }
        let saying = self.files_saying(words)?;
        let mut files: Vec<&File> = self.files()?.iter().filter(|file| saying.contains(&file.id)).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let root = self.root;
        let texts: Vec<(&File, String)> =
            files.par_iter().filter_map(|file| Some((*file, text_with(root, file, words)?))).collect();
        let mut ranked: Vec<(bool, usize, Symbol)> = Vec::new();
        for (file, text) in &texts {
            let lines: Vec<&str> = text.lines().collect();
            for symbol in select_in_file(self.connection, "ORDER BY s.span_start, s.id", [&file.path])? {
                let Some(documentation) = documentation(&lines, &symbol).filter(|_| self.wants(&symbol))
                else {
                    continue;
                };
                let written = words_of(&documentation);
                let named = words_of(&format!("{} {}", file.path, symbol.qualified));
                let has =
                    |word: &String| written.iter().chain(&named).any(|part| part.starts_with(word.as_str()));
                if words.iter().all(has) {
                    ranked.push((is_test(&file.path, symbol.address.kind), written.len(), symbol));
                }
            }
        }
        ranked.sort_by_key(|(is_test, length, _)| (*is_test, *length));
        let total = ranked.len();
        let shown = ranked.into_iter().take(self.query.limit);
        let matches = shown.map(|(is_test, length, symbol)| symbols::found(symbol, score(is_test, length)));
        Ok(Found { matches: matches.collect(), total })
    }

    /// The files of code that may have all words in what they say or in their paths. Others need not be read.
    fn files_saying(&self, words: &[String]) -> Result<HashSet<i64>, GraphError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.id, f.path, f.lang, t.signature FROM text_rows t JOIN file_rows f ON f.id = t.file",
        )?;
        let mut rows = statement.query([])?;
        let mut found = HashSet::new();
        while let Some(row) = rows.next()? {
            let Stored(lang): Stored<Lang> = row.get(2)?;
            let (path, signature) =
                (row.get_ref(1)?.as_str().unwrap_or(""), row.get_ref(3)?.as_blob().unwrap_or(&[]));
            let may_have =
                |word: &String| may_say(signature, word) || path.to_lowercase().contains(word.as_str());
            if lang.family() != Family::Prose && words.iter().all(may_have) {
                found.insert(row.get(0)?);
            }
        }
        Ok(found)
    }

    fn wants(&self, symbol: &Symbol) -> bool {
        match self.query.symbol_kind {
            Some(kind) => symbol.address.kind == kind,
            None => symbol.address.kind != SymbolKind::Impl,
        }
    }
}

/// The text of a file, if it and the file's path have all words.
fn text_with(root: &Path, file: &File, words: &[String]) -> Option<String> {
    let text = std::fs::read_to_string(root.join(&file.path)).ok()?;
    let (lower, path) = (text.to_lowercase(), file.path.to_lowercase());
    let has = |word: &String| lower.contains(word.as_str()) || path.contains(word.as_str());
    words.iter().all(has).then_some(text)
}

/// Below every score of a name; less for tests and for long texts.
fn score(is_test: bool, length: usize) -> f64 {
    let most = if is_test { 9.0 } else { 30.0 };
    most - (length.min(200) as f64) / 25.0
}

/// What is written about a symbol.
fn documentation(lines: &[&str], symbol: &Symbol) -> Option<String> {
    let at = (symbol.line as usize).checked_sub(1).filter(|at| *at < lines.len())?;
    let end = (symbol.end_line as usize).clamp(at + 1, lines.len());
    let mut text = above(&lines[..at], symbol.lang).join("\n");
    if symbol.lang == Lang::Python
        && let Some(inside) = docstring(&lines[at..end].join("\n"))
    {
        text.push('\n');
        text.push_str(inside);
    }
    (!text.trim().is_empty()).then_some(text)
}

/// The comment that ends where the definition begins; attributes and decorators may stand between.
fn above<'l>(lines: &[&'l str], lang: Lang) -> Vec<&'l str> {
    let marks: &[&str] = match lang {
        Lang::Python | Lang::Ruby => &["#"],
        _ => &["//", "/*", "*"],
    };
    let mut found = Vec::new();
    let mut is_inside = false;
    for line in lines.iter().rev() {
        let trimmed = line.trim();
        let is_comment = is_inside || marks.iter().any(|mark| trimmed.starts_with(mark));
        if is_comment || trimmed.ends_with("*/") {
            is_inside = (is_inside || trimmed.ends_with("*/")) && !trimmed.contains("/*");
            found.push(*line);
        } else if !["#[", "@", "["].iter().any(|mark| trimmed.starts_with(mark)) {
            break;
        }
    }
    found.reverse();
    found
}

/// The string that a body begins with.
fn docstring(definition: &str) -> Option<&str> {
    let (start, quote) = ["\"\"\"", "'''"]
        .iter()
        .filter_map(|quote| Some((definition.find(quote)?, *quote)))
        .min_by_key(|(start, _)| *start)?;
    let header = definition[..start].trim_end_matches(['r', 'R', 'u', 'U']);
    // The colon of the header may have a comment behind it, and comments below it, but no definition inside.
    let code = |line: &str| line.split('#').next().map_or(String::new(), |code| code.trim().to_owned());
    let mut lines = header.lines().map(code).skip_while(|line| !line.ends_with(':'));
    let is_first = lines.next().is_some() && lines.all(|line| line.is_empty());
    let text = &definition[start + quote.len()..];
    is_first.then(|| text.split(quote).next().unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_where_the_definition_begins() {
        let rust = ["fn a() {}", "/// Sends it.", "/// Twice.", "#[inline]"];
        assert_eq!(above(&rust, Lang::Rust), ["/// Sends it.", "/// Twice."]);
        let block = ["int a;", "/* Sends", "   it. */"];
        assert_eq!(above(&block, Lang::C), ["/* Sends", "   it. */"]);
        assert_eq!(above(&["# far away", ""], Lang::Python), Vec::<&str>::new());
    }

    #[test]
    fn a_docstring_is_the_first_statement() {
        assert_eq!(docstring("def a(b):\n    \"\"\"Sends it.\"\"\"\n"), Some("Sends it."));
        assert_eq!(docstring("def a(b):  # why\n    r'''Sends it.'''\n"), Some("Sends it."));
        assert_eq!(docstring("class A:\n    def a(b):\n        \"\"\"Sends it.\"\"\"\n"), None);
        assert_eq!(docstring("def a(b):\n    return \"\"\"Sends it.\"\"\"\n"), None);
    }
}
