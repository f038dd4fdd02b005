//! Documents that name a symbol and are no part of the index, such as reStructuredText. Most are for people; the examples
//! of those that code reads are run.

use crate::by_path;
use crate::error::RefactorError;
use crate::sites::Scene;
use crate::worktree::Worktree;
use orbit_extract::{Family, Lang};
use orbit_graph::Facts;
use std::collections::BTreeSet;

/// Endings of documents that the index does not read.
const ENDINGS: [&str; 5] = [".rst", ".txt", ".adoc", ".ipynb", ".rdoc"];
/// Documents above this size are data.
const LARGEST: u64 = 1 << 20;

/// A line of a document that names a symbol.
pub(crate) struct Mention {
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The code that reads the document, where this line is an example in it.
    pub(crate) reader: Option<String>,
}

/// Where documents name the symbols of a scene.
pub(crate) fn mentions(
    facts: &Facts<'_>,
    worktree: &Worktree,
    scene: &Scene,
) -> Result<Vec<Mention>, RefactorError> {
    let name = scene.group[0].name.as_str();
    let mut texts: Vec<(String, String, bool)> = Vec::new();
    for path in listed(worktree, &ENDINGS) {
        let is_small = worktree.root.join(&path).metadata().is_ok_and(|data| data.len() <= LARGEST);
        if let Some(text) = is_small.then(|| worktree.read_text(&path).ok()).flatten() {
            texts.push((path, text, false));
        }
    }
    let is_prose = |path: &str| Lang::of_path(path).is_none_or(|lang| lang.family() == Family::Prose);
    let known = scene.files.iter().filter(|file| is_prose(&file.path));
    texts.extend(known.map(|file| (file.path.clone(), file.text.clone(), true)));
    texts.retain(|(_, text, _)| lines(text, name).next().is_some());
    let paths: BTreeSet<&str> = texts.iter().map(|(path, ..)| path.as_str()).collect();
    let readers = by_path::readers(facts, worktree, &paths)?;
    let is_member = scene.group.iter().all(|symbol| scene.is_member(symbol));
    let mut found = Vec::new();
    for (path, text, is_listed) in &texts {
        let reader = readers.iter().find(|reader| reader.runs && reader.path == *path);
        for (line, is_example) in lines(text, name) {
            let is_example = is_example && (!is_member || is_used_as_member(text, line, name));
            let reader = reader.filter(|_| is_example).map(|reader| reader.place.clone());
            // What the index knows is in the review already.
            if reader.is_some() || !is_listed {
                found.push(Mention { file: path.clone(), line, reader });
            }
        }
    }
    Ok(found)
}

/// Where the settings of a Python package name something by its module, `shop = "shop.cli:main"`, as file and line: what is
/// installed starts there.
pub(crate) fn entry_points(worktree: &Worktree, module: &str, name: &str) -> Vec<(String, u32)> {
    let point = format!("{module}:{name}");
    let mut found = Vec::new();
    for path in listed(worktree, &["pyproject.toml", ".cfg", ".ini", "setup.py", "entry_points.txt"]) {
        let text = worktree.read_text(&path).unwrap_or_default();
        let lines = text.lines().zip(1..).filter(|(line, _)| has_word(line, &point));
        found.extend(lines.map(|(_, number)| (path.clone(), number)));
    }
    found
}

/// The files of a worktree whose paths end in one of some texts; none outside of git.
fn listed(worktree: &Worktree, endings: &[&str]) -> Vec<String> {
    let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let Ok(listed) = worktree.git(&args) else { return Vec::new() };
    let is_document = |path: &&str| endings.iter().any(|ending| path.ends_with(ending));
    listed.split('\0').filter(is_document).map(str::to_owned).collect()
}

/// The lines of a document that have a word, and whether each is part of an example: fenced, indented, or behind a prompt.
fn lines<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = (u32, bool)> + 't {
    let mut is_fenced = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            is_fenced = !is_fenced;
        }
        let is_example = is_fenced || line.starts_with(['\t', ' ']) || bare.starts_with(">>>");
        has_word(line, word).then_some((at as u32 + 1, is_example))
    })
}

/// Whether a line has a word behind a `.` or `::`, as a key, or as something that is called.
fn is_used_as_member(text: &str, line: u32, word: &str) -> bool {
    let line = text.lines().nth(line as usize - 1).unwrap_or("");
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], line[at + word.len()..].trim_start());
        before.ends_with(['.', ':']) || after.starts_with([':', '(', '='])
    })
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(is_part)
            && !line[at + word.len()..].chars().next().is_some_and(is_part)
    })
}
