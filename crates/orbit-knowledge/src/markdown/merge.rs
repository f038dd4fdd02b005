//! Three versions of a file to one: what one side changed is taken, what both added is kept, and what both changed
//! differently is a conflict. The sides can be swapped without changing the result.

use super::document::Document;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Merges two texts that were made of one; without a common one, of nothing. The path says which of two different things
/// is wanted. `Err` names what both changed.
pub fn merge_knowledge(
    base: Option<&str>,
    ours: &str,
    theirs: &str,
    path: Option<&str>,
) -> Result<String, Vec<String>> {
    if ours == theirs || base == Some(theirs) {
        return Ok(ours.to_owned());
    }
    if base == Some(ours) {
        return Ok(theirs.to_owned());
    }
    let read = |text: &str| Document::read("file", text).map_err(|why| vec![why]);
    let (whole_ours, whole_theirs) = (ours, theirs);
    let (ours, theirs) = (read(ours)?, read(theirs)?);
    // Git takes a new thing for a deleted one under another name: each side has its own, and nothing is merged.
    if let (Ok(one), Ok(other)) = (ours.text("id"), theirs.text("id"))
        && one != other
    {
        let is_theirs = path.is_some_and(|path| path.contains(other.get(..8).unwrap_or(&other)));
        return Ok(if is_theirs { whole_theirs } else { whole_ours }.to_owned());
    }
    let base = base.map(read).transpose()?;
    Merge { base: base.as_ref(), ours: &ours, theirs: &theirs, conflicts: Vec::new() }.run()
}

struct Merge<'m> {
    base: Option<&'m Document>,
    ours: &'m Document,
    theirs: &'m Document,
    conflicts: Vec<String>,
}

impl Merge<'_> {
    fn run(mut self) -> Result<String, Vec<String>> {
        let mut text = "---\n".to_owned();
        for key in
            self.ours.keys.iter().chain(self.theirs.keys.iter().filter(|key| !self.ours.keys.contains(key)))
        {
            if self.ours.lists.contains_key(key) || self.theirs.lists.contains_key(key) {
                let _ = writeln!(text, "{key}:");
                for value in self.list(key) {
                    let _ = writeln!(text, "  - {value}");
                }
            } else {
                let _ = writeln!(text, "{key}: {}", self.value(key));
            }
        }
        text.push_str("---\n");
        let prose = self.prose();
        if !prose.is_empty() {
            text.push_str(&prose);
            text.push('\n');
        }
        if self.conflicts.is_empty() { Ok(text) } else { Err(self.conflicts) }
    }

    /// A value: of the side that changed it. Versions and times only grow.
    fn value(&mut self, key: &str) -> Value {
        let of = |document: &Document| document.values.get(key).cloned().unwrap_or(Value::Null);
        let (ours, theirs) = (of(self.ours), of(self.theirs));
        let base = self.base.map(of);
        if ours == theirs || base.as_ref() == Some(&theirs) {
            return ours;
        }
        if base.as_ref() == Some(&ours) {
            return theirs;
        }
        let time = |document: &Document| document.values.get("updatedAt").map(Value::to_string);
        match key {
            "version" => ours.as_i64().max(theirs.as_i64()).into(),
            "updatedAt" => ours.as_str().max(theirs.as_str()).into(),
            "createdAt" => ours.as_str().min(theirs.as_str()).into(),
            // Where it stands is what was said last; the history has both.
            "lastTaskId" | "createdByTaskId" | "status" | "isHeld" | "blockedReason" => {
                let ours_first =
                    (time(self.ours), ours.to_string()) >= (time(self.theirs), theirs.to_string());
                if ours_first { ours } else { theirs }
            }
            // Nothing in common but the id: two exports of one thing, of which one is older.
            _ if base.is_none() => {
                let newest = |document: &Document| {
                    (document.values.get("version").and_then(Value::as_i64), time(document))
                };
                let (one, other) =
                    ((newest(self.ours), ours.to_string()), (newest(self.theirs), theirs.to_string()));
                if one >= other { ours } else { theirs }
            }
            _ => {
                self.conflicts.push(format!("both changed `{key}`"));
                ours
            }
        }
    }

    /// A list: entries that either side removed are gone, those that either added are there.
    fn list(&mut self, key: &str) -> Vec<Value> {
        let none = Vec::new();
        let of = |document: &'_ Document| document.lists.get(key).cloned().unwrap_or_default();
        let (ours, theirs) = (of(self.ours), of(self.theirs));
        let base = self.base.map_or(none, of);
        let mut merged: Vec<Value> =
            base.iter().filter(|entry| ours.contains(entry) && theirs.contains(entry)).cloned().collect();
        let is_new = |entry: &&Value| !base.contains(entry);
        let mut added: Vec<Value> = ours.iter().chain(&theirs).filter(is_new).cloned().collect();
        let when =
            |entry: &Value| entry["createdAt"].as_str().or_else(|| entry["at"].as_str()).map(str::to_owned);
        // One side's order is its own; of two sides' nobody's.
        if ours.iter().any(|entry| is_new(&entry)) && theirs.iter().any(|entry| is_new(&entry)) {
            added.sort_by_key(|entry| (when(entry), entry.to_string()));
        }
        added.dedup();
        merged.extend(added);
        match key {
            "changelog" | "comments" | "history" => merged.sort_by_key(when),
            "sections" => merged.sort_by_key(|entry| (entry["ordinal"].as_i64(), when(entry))),
            _ => {}
        }
        let id = |entry: &Value| entry["id"].as_str().map(str::to_owned);
        if self.base.is_none() {
            let newest = |entry: &Value| {
                (entry["version"].as_i64(), entry["modifiedAt"].to_string(), entry.to_string())
            };
            let all = merged.clone();
            merged.retain(|entry| {
                id(entry).is_none()
                    || all.iter().all(|other| id(other) != id(entry) || newest(other) <= newest(entry))
            });
        }
        let mut ids: Vec<String> = merged.iter().filter_map(id).collect();
        ids.sort();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            self.conflicts.push(format!("both changed the same entry of `{key}`"));
        }
        merged
    }

    /// The text: what stands before the appended entries, and all entries that neither side took out, by their time.
    fn prose(&mut self) -> String {
        let (ours, theirs) = (&self.ours.prose, &self.theirs.prose);
        let base = self.base.map_or("", |base| &base.prose);
        let (base_head, base_entries) = entries(base);
        let ((our_head, our_entries), (their_head, their_entries)) = (entries(ours), entries(theirs));
        let head = self.head(base_head, our_head, their_head);
        let stays = |entry: &&str| {
            let is_new = !base_entries.contains(entry);
            is_new || our_entries.contains(entry) && their_entries.contains(entry)
        };
        let mut kept: Vec<&str> = our_entries.iter().chain(&their_entries).copied().filter(stays).collect();
        kept.sort_unstable();
        kept.dedup();
        let parts = std::iter::once(head.as_str()).chain(kept).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n\n")
    }

    fn head(&mut self, base: &str, ours: &str, theirs: &str) -> String {
        if ours == theirs || self.base.is_some() && base == theirs {
            return ours.to_owned();
        }
        if self.base.is_some() && base == ours {
            return theirs.to_owned();
        }
        if let (Some(ours), Some(theirs)) = (ours.strip_prefix(base), theirs.strip_prefix(base)) {
            let mut added = [ours.trim_matches('\n'), theirs.trim_matches('\n')];
            added.sort_unstable();
            let parts = std::iter::once(base).chain(added).filter(|part| !part.is_empty());
            return parts.collect::<Vec<_>>().join("\n\n");
        }
        by_lines(base, ours, theirs).unwrap_or_else(|| {
            self.conflicts.push("both changed the same lines of the text".into());
            ours.to_owned()
        })
    }
}

/// What a text begins with, and the entries that were appended to it, each with the line that says when.
fn entries(text: &str) -> (&str, Vec<&str>) {
    let is_mark = |at: &usize| {
        let line = text[*at..].lines().next().unwrap_or_default();
        (*at == 0 || text[..*at].ends_with('\n')) && line.ends_with("]---")
    };
    let starts: Vec<usize> = text.match_indices("---[").map(|(at, _)| at).filter(is_mark).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let entries = starts.iter().zip(ends).map(|(from, to)| text[*from..to].trim_matches('\n')).collect();
    (text[..starts.first().copied().unwrap_or(text.len())].trim_matches('\n'), entries)
}

/// Which lines of `base` an edit replaces, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk<'l> {
    from: usize,
    to: usize,
    lines: Vec<&'l str>,
}

/// The edits of both sides on one text; `None` when they touch each other.
fn by_lines(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let lines: Vec<&str> = base.split('\n').collect();
    let mut hunks: BTreeMap<(usize, usize), Hunk<'_>> = BTreeMap::new();
    for hunk in changes(&lines, ours).into_iter().chain(changes(&lines, theirs)) {
        if let Some(same) = hunks.get(&(hunk.from, hunk.to)) {
            if *same != hunk {
                return None;
            }
            continue;
        }
        hunks.insert((hunk.from, hunk.to), hunk);
    }
    let mut out: Vec<&str> = Vec::new();
    let mut at = 0;
    for (place, hunk) in hunks.values().enumerate() {
        // Edits side by side may mean each other: a line must lie between them.
        if hunk.from < at || place > 0 && hunk.from == at {
            return None;
        }
        out.extend(&lines[at..hunk.from]);
        out.extend(&hunk.lines);
        at = hunk.to;
    }
    out.extend(&lines[at..]);
    Some(out.join("\n"))
}

/// How a text differs from lines, by the longest lines that both have in common.
fn changes<'l>(base: &[&'l str], text: &'l str) -> Vec<Hunk<'l>> {
    let new: Vec<&str> = text.split('\n').collect();
    let (rows, columns) = (base.len(), new.len());
    let mut common = vec![0_u32; (rows + 1) * (columns + 1)];
    let at = |row: usize, column: usize| row * (columns + 1) + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            common[at(row, column)] = if base[row] == new[column] {
                common[at(row + 1, column + 1)] + 1
            } else {
                common[at(row + 1, column)].max(common[at(row, column + 1)])
            };
        }
    }
    let mut hunks: Vec<Hunk<'l>> = Vec::new();
    let (mut row, mut column) = (0, 0);
    let mut open: Option<Hunk<'l>> = None;
    while row < rows || column < columns {
        if row < rows && column < columns && base[row] == new[column] {
            hunks.extend(open.take());
            (row, column) = (row + 1, column + 1);
            continue;
        }
        let hunk = open.get_or_insert(Hunk { from: row, to: row, lines: Vec::new() });
        let takes_new =
            column < columns && (row == rows || common[at(row, column + 1)] >= common[at(row + 1, column)]);
        if takes_new {
            hunk.lines.push(new[column]);
            column += 1;
        } else {
            row += 1;
            hunk.to = row;
        }
    }
    hunks.extend(open);
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u32, at: &str, paths: &[&str], prose: &str) -> String {
        let paths: Vec<String> = paths.iter().map(|path| format!("  - \"{path}\"\n")).collect();
        let paths = paths.concat();
        format!(
            "---\nkind: \"atom\"\nname: \"A\"\nversion: {version}\nupdatedAt: \"{at}\"\npaths:\n{paths}---\n{prose}\n"
        )
    }

    #[track_caller]
    fn both(base: &str, ours: &str, theirs: &str) -> Result<String, Vec<String>> {
        let (one, other) = (
            merge_knowledge(Some(base), ours, theirs, None),
            merge_knowledge(Some(base), theirs, ours, None),
        );
        assert_eq!(one.is_ok(), other.is_ok());
        if one.is_ok() {
            assert_eq!(one, other, "the sides can be swapped");
        }
        one
    }

    #[test]
    fn two_appends_are_both_kept() {
        let base = file(1, "1", &["a"], "base");
        let ours = file(2, "2", &["a", "b"], "base\n\nours");
        let theirs = file(2, "3", &["a", "c"], "base\n\nits");
        assert_eq!(both(&base, &ours, &theirs), Ok(file(2, "3", &["a", "b", "c"], "base\n\nits\n\nours")));
    }

    #[test]
    fn entries_that_both_have_are_kept_once() {
        let entry = |time: u32| format!("\n\n---[{time} task:t]---\nsaid at {time}");
        let text =
            |times: &[u32]| format!("base{}", times.iter().map(|time| entry(*time)).collect::<String>());
        let base = file(1, "1", &[], &text(&[1, 2]));
        let ours = file(3, "2", &[], &text(&[1, 2, 3, 5]));
        let theirs = file(3, "3", &[], &text(&[1, 3, 4]));
        assert_eq!(both(&base, &ours, &theirs), Ok(file(3, "3", &[], &text(&[1, 3, 4, 5]))));
    }

    #[test]
    fn of_two_that_were_added_the_newer_is_taken() {
        let section = |version: u32| format!("sections:\n  - {{\"id\":\"s\",\"version\":{version}}}\n---");
        let (ours, theirs) = (file(3, "2", &["a"], ""), file(2, "9", &["a"], "").replace("\"A\"", "\"Old\""));
        let both_ways = |one: &str, other: &str| {
            let merged = merge_knowledge(None, one, other, None);
            assert_eq!(merged, merge_knowledge(None, other, one, None));
            merged
        };
        assert_eq!(both_ways(&ours, &theirs), Ok(file(3, "9", &["a"], "").trim_end().to_owned() + "\n"));
        let [one, other] = [1, 2].map(|version| format!("---\nversion: 1\n{}\n", section(version)));
        assert_eq!(both_ways(&one, &other), Ok(other));
    }

    #[test]
    fn edits_of_other_lines_are_both_taken_and_of_the_same_are_not() {
        let base = file(1, "1", &["a", "b"], "one\ntwo\nthree\nfour");
        let ours = file(2, "2", &["b"], "ONE\ntwo\nthree\nfour");
        let theirs = file(2, "3", &["a", "b"], "one\ntwo\nthree\nFOUR\nfive");
        assert_eq!(both(&base, &ours, &theirs), Ok(file(2, "3", &["b"], "ONE\ntwo\nthree\nFOUR\nfive")));
        let other = file(2, "3", &["a", "b"], "1\ntwo\nthree\nfour");
        assert_eq!(
            both(&base, &ours, &other),
            Err(vec!["both changed the same lines of the text".to_owned()])
        );
        let named = ours.replace("\"A\"", "\"B\"");
        let else_named = theirs.replace("\"A\"", "\"C\"");
        assert!(both(&base, &named, &else_named).is_err());
    }
}
