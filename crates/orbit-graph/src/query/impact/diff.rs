//! From a git diff to the symbols it touches.

use super::Start;
use super::removed::{self, OldFile};
use crate::error::GraphError;
use crate::query::Reader;
use crate::query::symbol::{self, Symbol};
use crate::store::stored::Stored;
use orbit_extract::{Lang, SymbolKind};
use orbit_git::Git;
use rusqlite::params;
use std::collections::BTreeSet;

/// What a repository without commits is compared with; git knows it everywhere.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// A file that a diff changes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Change {
    path: String,
    /// The blob it was before; `None` when it is new.
    before: Option<String>,
    /// 1-based lines of the old side that are gone or changed.
    removed: BTreeSet<u32>,
    /// 1-based lines of the new side that are new or changed; the line before a pure deletion.
    added: BTreeSet<u32>,
}

/// The innermost symbols that a diff touches, those it removes, and the places that are in no symbol, files that are not
/// indexed included. `range` is
/// what `git diff` takes, or `worktree` for everything not committed.
pub(crate) fn changed_symbols(
    reader: &Reader<'_>,
    range: &str,
) -> Result<(Vec<Start>, Vec<String>), GraphError> {
    let mut changes = parse_diff(&git_diff(reader, range)?);
    let old = old_files(reader, &changes);
    if range == "worktree" {
        let untracked = untracked(reader)?;
        changes.extend(untracked.into_iter().map(|path| Change { path, ..Change::default() }));
    }
    let removed = removed::removed(reader, &old)?;
    let (mut symbols, mut unmapped) = (Vec::<Symbol>::new(), Vec::new());
    for change in &changes {
        if Lang::of_path(&change.path).is_none() {
            // Nobody knows who reads it.
            unmapped.push(change.path.clone());
            continue;
        }
        if change.added.is_empty() && change.removed.is_empty() {
            let tail = "AND s.parent IS NULL ORDER BY s.id";
            let mut all = symbol::select_in_file(reader.connection, tail, [&change.path])?;
            if all.is_empty() {
                unmapped.push(change.path.clone());
            }
            symbols.append(&mut all);
            continue;
        }
        for line in &change.added {
            match innermost(reader, &change.path, *line)? {
                Some(symbol) if symbols.iter().any(|known| known.id == symbol.id) => {}
                Some(symbol) => symbols.push(symbol),
                None => unmapped.push(format!("{}:{line}", change.path)),
            }
        }
    }
    // What stands beside a removed definition is not changed by that.
    unmapped.retain(|place| !removed.explains(place));
    unmapped.dedup();
    let removed = removed.symbols.into_iter().map(Start::Removed);
    Ok((symbols.into_iter().map(Start::Here).chain(removed).collect(), unmapped))
}

/// What the files that lost or changed lines were before.
fn old_files(reader: &Reader<'_>, changes: &[Change]) -> Vec<OldFile> {
    let mut files = Vec::new();
    for change in changes.iter().filter(|change| !change.removed.is_empty()) {
        let (Some(lang), Some(blob)) = (Lang::of_path(&change.path), &change.before) else { continue };
        // A blob that a shallow or partial clone does not have is as good as none.
        let Ok(text) = git(reader, &["cat-file", "blob", blob]) else { continue };
        let (path, removed) = (change.path.clone(), change.removed.clone());
        files.push(OldFile { path, lang, text, removed });
    }
    files
}

fn innermost(reader: &Reader<'_>, path: &str, line: u32) -> Result<Option<Symbol>, GraphError> {
    let tail = "AND s.line <= ?2 AND s.end_line >= ?2 AND s.kind NOT IN (?3, ?4)
                ORDER BY s.end_line - s.line, s.span_start DESC LIMIT 1";
    let skipped = (Stored(SymbolKind::Impl), Stored(SymbolKind::Heading));
    Ok(symbol::select_in_file(reader.connection, tail, params![path, line, skipped.0, skipped.1])?.pop())
}

fn git_diff(reader: &Reader<'_>, range: &str) -> Result<String, GraphError> {
    let range = match range {
        "worktree" if git(reader, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_err() => EMPTY_TREE,
        "worktree" => "HEAD",
        other => other,
    };
    if range.starts_with('-') {
        return Err(GraphError::bad_selector(range, "a revision range does not start with `-`"));
    }
    git(
        reader,
        &["diff", "--no-color", "--no-ext-diff", "--no-renames", "--full-index", "--unified=0", range, "--"],
    )
}

fn untracked(reader: &Reader<'_>) -> Result<Vec<String>, GraphError> {
    let text = git(reader, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn git(reader: &Reader<'_>, arguments: &[&str]) -> Result<String, GraphError> {
    let arguments = [&["-c", "core.quotepath=off"], arguments].concat();
    Git::at(reader.root).text(&arguments).map_err(|error| {
        let message = error.to_string();
        GraphError::Git(message.lines().next().unwrap_or("git failed").to_owned())
    })
}

/// The changed lines of each file. The bodies of hunks are passed over by their counts: a changed line may look like
/// a header.
fn parse_diff(text: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let (mut old, mut before) = ("", None);
    let mut body = 0;
    for line in text.lines() {
        if body > 0 {
            body -= u32::from(!line.starts_with('\\')); // "\ No newline at end of file" is not counted
        } else if let Some(blobs) = line.strip_prefix("index ") {
            before = blobs.split("..").next().filter(|blob| blob.contains(|digit| digit != '0'));
        } else if let Some(files) =
            line.strip_prefix("Binary files ").and_then(|rest| rest.strip_suffix(" differ"))
        {
            let new = files.rsplit_once(" and b/").map(|(_, path)| path);
            let path = new.or_else(|| files.strip_prefix("a/")?.strip_suffix(" and /dev/null"));
            let path = path.unwrap_or(files).to_owned();
            changes.push(Change { path, ..Change::default() });
        } else if let Some(path) = line.strip_prefix("--- ") {
            old = path.strip_prefix("a/").unwrap_or(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.strip_prefix("b/").unwrap_or(path);
            let path = if path == "/dev/null" { old } else { path };
            let path = path.trim_end_matches('\t').to_owned();
            changes.push(Change { path, before: before.take().map(str::to_owned), ..Change::default() });
        } else if let (Some(hunk), Some(change)) = (line.strip_prefix("@@ "), changes.last_mut()) {
            let (removed, added) = (side(hunk, '-'), side(hunk, '+'));
            body = removed.1 + added.1;
            change.removed.extend(removed.0..removed.0 + removed.1);
            if added.0 > 0 {
                change.added.extend(added.0..added.0 + added.1.max(1));
            }
        }
    }
    changes
}

/// First line and number of lines of one side of a hunk.
fn side(hunk: &str, sign: char) -> (u32, u32) {
    let range = hunk.split(' ').find_map(|part| part.strip_prefix(sign)).unwrap_or("0,0");
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    (start.parse().unwrap_or(0), count.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_become_lines_of_the_new_side() {
        let diff = "--- a/x.rs\n+++ b/x.rs\n@@ -1,0 +2,3 @@ fn a\n+1\n+2\n+3\n@@ -9,2 +12,0 @@\n-a\n-b\n--- a/y.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let changed = parse_diff(diff);
        assert_eq!((changed[0].path.as_str(), &changed[0].added), ("x.rs", &[2, 3, 4, 12].into()));
        assert_eq!(changed[0].removed, [9, 10].into());
        assert_eq!((changed[1].path.as_str(), &changed[1].removed), ("y.rs", &[1].into()));
        assert!(changed[1].added.is_empty());
    }

    #[test]
    fn binary_files_are_changed_as_a_whole() {
        let diff = "diff --git a/x.png b/x.png\nindex 11..22 100644\nBinary files a/x.png and b/x.png differ\n\
                    diff --git a/y.png b/y.png\nBinary files a/y.png and /dev/null differ\n\
                    diff --git a/z.png b/z.png\nBinary files /dev/null and b/z.png differ\n";
        let changed: Vec<String> = parse_diff(diff).into_iter().map(|change| change.path).collect();
        assert_eq!(changed, ["x.png", "y.png", "z.png"]);
    }

    #[test]
    fn changed_lines_that_look_like_headers_are_not_headers() {
        let diff = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a/other.rs\n-- b\n+++ b/other.rs\n+x\n\\ No newline at end of file\n@@ -9 +9 @@\n-a\n+b\n";
        let changed = parse_diff(diff);
        assert_eq!(changed.len(), 1);
        assert_eq!((changed[0].path.as_str(), &changed[0].added), ("q.sql", &[1, 2, 9].into()));
    }
}
