//! From a git diff to the symbols it touches.

use super::ChangedLines;
use crate::error::GraphError;
use crate::query::Reader;
use crate::query::symbol::{self, Symbol};
use orbit_extract::{Lang, SymbolKind};
use rusqlite::params;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

/// What a repository without commits is compared with; git knows it everywhere.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// The innermost symbols that a diff touches, and the places that are in no symbol. `range` is what
/// `git diff` takes, or `worktree` for everything not committed.
pub(crate) fn changed_symbols(
    reader: &Reader<'_>,
    range: &str,
) -> Result<(Vec<Symbol>, Vec<String>), GraphError> {
    let mut changed = parse_diff(&git_diff(reader, range)?);
    if range == "worktree" {
        for path in untracked(reader)? {
            changed.push((path, BTreeSet::new()));
        }
    }
    let (mut symbols, mut unmapped) = (Vec::<Symbol>::new(), Vec::new());
    for (path, lines) in changed {
        if lines.is_empty() {
            let tail = "AND s.parent IS NULL ORDER BY s.id";
            let mut all = symbol::select_in_file(reader.connection, tail, [&path])?;
            if all.is_empty() && Lang::of_path(&path).is_some() {
                unmapped.push(path.clone());
            }
            symbols.append(&mut all);
            continue;
        }
        for line in lines {
            match innermost(reader, &path, line)? {
                Some(symbol) if symbols.iter().any(|known| known.id == symbol.id) => {}
                Some(symbol) => symbols.push(symbol),
                None if Lang::of_path(&path).is_some() => unmapped.push(format!("{path}:{line}")),
                None => {}
            }
        }
    }
    unmapped.dedup();
    Ok((symbols, unmapped))
}

fn innermost(reader: &Reader<'_>, path: &str, line: u32) -> Result<Option<Symbol>, GraphError> {
    let tail = "AND s.line <= ?2 AND s.end_line >= ?2 AND s.kind NOT IN (?3, ?4)
                ORDER BY s.end_line - s.line, s.span_start DESC LIMIT 1";
    let skipped = (SymbolKind::Impl as u8, SymbolKind::Heading as u8);
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
    git(reader, &["diff", "--no-color", "--no-ext-diff", "--no-renames", "--unified=0", range, "--"])
}

fn untracked(reader: &Reader<'_>) -> Result<Vec<String>, GraphError> {
    let text = git(reader, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn git(reader: &Reader<'_>, arguments: &[&str]) -> Result<String, GraphError> {
    let output = Command::new("git")
        .args(["-c", "core.quotepath=off"])
        .args(arguments)
        .current_dir(reader.root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| GraphError::Git(format!("cannot run git: {error}")))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(GraphError::Git(message.lines().next().unwrap_or("git failed").to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Changed lines on the new side; a pure deletion counts as the line before it. A file that is gone has no
/// lines. The bodies of hunks are passed over by their counts: a changed line may look like a header.
fn parse_diff(text: &str) -> ChangedLines {
    let mut changed: ChangedLines = Vec::new();
    let mut old = "";
    let mut body = 0;
    for line in text.lines() {
        if body > 0 {
            body -= u32::from(!line.starts_with('\\')); // "\ No newline at end of file" is not counted
        } else if let Some(path) = line.strip_prefix("--- ") {
            old = path.strip_prefix("a/").unwrap_or(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.strip_prefix("b/").unwrap_or(path);
            let path = if path == "/dev/null" { old } else { path };
            changed.push((path.trim_end_matches('\t').to_owned(), BTreeSet::new()));
        } else if let Some(hunk) = line.strip_prefix("@@ ") {
            let (removed, added) = (side(hunk, '-'), side(hunk, '+'));
            body = removed.1 + added.1;
            if let Some((_, lines)) = changed.last_mut().filter(|_| added.0 > 0) {
                lines.extend(added.0..added.0 + added.1.max(1));
            }
        }
    }
    changed
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
        assert_eq!(changed[0], ("x.rs".into(), [2, 3, 4, 12].into()));
        assert_eq!(changed[1], ("y.rs".into(), BTreeSet::new()));
    }

    #[test]
    fn changed_lines_that_look_like_headers_are_no_headers() {
        let diff = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a/other.rs\n-- b\n+++ b/other.rs\n+x\n\\ No newline at end of file\n@@ -9 +9 @@\n-a\n+b\n";
        assert_eq!(parse_diff(diff), [("q.sql".to_owned(), BTreeSet::from([1, 2, 9]))]);
    }
}
