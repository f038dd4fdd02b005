//! What becomes of the clauses of one file: parts go, others come, and all of it is written at once.

use super::file::{File, Part, Style};
use crate::draft::Draft;
use crate::edit::Edit;
use orbit_extract::{Clause, ClauseKind, Span};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct Changes {
    /// Parts that go, by clause.
    removed: BTreeMap<usize, BTreeSet<Part>>,
    /// What comes: heads (`import`, `export type` …) and modules to what stands in the brackets.
    added: BTreeMap<(String, String), BTreeSet<String>>,
    /// Whole statements that come.
    lines: BTreeSet<String>,
    /// Statements that come behind others.
    behind: Vec<(Span, String)>,
    /// Nothing else is left in the file.
    pub(super) is_alone: bool,
    /// Files that new specifiers lead to.
    pub(super) leads: BTreeMap<String, String>,
}

impl Changes {
    pub(super) fn remove(&mut self, clause: usize, part: Part) {
        self.removed.entry(clause).or_default().insert(part);
    }

    pub(super) fn add(&mut self, head: &str, item: impl Into<String>, module: &str) {
        self.added.entry((head.to_owned(), module.to_owned())).or_default().insert(item.into());
    }

    pub(super) fn add_line(&mut self, line: String) {
        self.lines.insert(line);
    }

    /// Adds a statement on the line behind another one.
    pub(super) fn add_behind(&mut self, span: Span, line: String) {
        self.behind.push((span, line));
    }

    /// Whether nothing of a clause is left.
    pub(super) fn empties(&self, file: &File, at: usize) -> bool {
        let clause = &file.clauses.all[at];
        self.removed.get(&at).is_some_and(|parts| !parts.is_empty() && *parts == File::parts(clause))
    }

    pub(super) fn adds(&self) -> bool {
        !self.added.is_empty() || !self.lines.is_empty() || !self.behind.is_empty()
    }

    /// Writes it all down.
    pub(super) fn write(mut self, file: &File, style: &Style, draft: &mut Draft) {
        self.turn(file, draft);
        self.join(file, draft);
        for (at, parts) in &self.removed {
            let clause = &file.clauses.all[*at];
            if self.empties(file, *at) {
                draft.edit(&file.path, Edit::new(clause.span.start, self.end(file, *at) as u32, ""));
            } else {
                for edit in without(clause, parts) {
                    draft.edit(&file.path, edit);
                }
            }
        }
        for (span, line) in &self.behind {
            let at = line_end(&file.text, span.end as usize);
            let gap = if file.text[..at].ends_with('\n') { "" } else { "\n" };
            draft.edit(&file.path, Edit::new(at as u32, at as u32, format!("{gap}{line}")));
        }
        for word in ["import", "export"] {
            let mut lines = Vec::new();
            for ((head, module), items) in self.added.iter().filter(|((head, _), _)| head.starts_with(word)) {
                let items: Vec<&str> = items.iter().map(String::as_str).collect();
                lines.push(style.line(head, &format!("{{ {} }}", items.join(", ")), module));
            }
            lines.extend(self.lines.iter().filter(|line| line.starts_with(word)).cloned());
            if !lines.is_empty() {
                self.place(file, word, &lines.concat(), draft);
            }
        }
    }

    /// Where a clause ends that goes as a whole: with the blank lines behind it, where nothing stands before it.
    fn end(&self, file: &File, at: usize) -> usize {
        let clause = &file.clauses.all[at];
        let end = line_end(&file.text, clause.span.end as usize);
        let earlier = file.clauses.all[..at].iter().enumerate();
        let first =
            earlier.filter(|(at, _)| self.empties(file, *at)).map(|(_, clause)| clause.span.start).next();
        let start = first.unwrap_or(clause.span.start) as usize;
        let is_first = file.text[..start].trim().is_empty() && (0..at).all(|at| self.empties(file, at));
        let rest = &file.text[end..];
        let blank = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
        if is_first && !self.adds() { end + blank } else { end }
    }

    /// Puts statements behind those of their kind, or where the first one may stand.
    fn place(&self, file: &File, word: &str, text: &str, draft: &mut Draft) {
        let kind = |clause: &&Clause| match word {
            "export" => clause.kind == ClauseKind::Reexport,
            _ => clause.kind == ClauseKind::Import,
        };
        let imports = |clause: &&Clause| clause.kind == ClauseKind::Import;
        let last = |is: &dyn Fn(&&Clause) -> bool| {
            file.clauses.all.iter().filter(is).map(|clause| clause.span.end).max()
        };
        if let Some(end) = last(&kind).or_else(|| last(&imports)) {
            let at = line_end(&file.text, end as usize);
            let gap = if file.text[..at].ends_with('\n') { "" } else { "\n" };
            draft.insert_first(&file.path, at as u32, &format!("{gap}{text}"));
            return;
        }
        let at = file.clauses.head;
        let is_alone = self.is_alone || file.text[at as usize..].trim().is_empty();
        let gap = if is_alone { "" } else { "\n" };
        draft.insert_first(&file.path, at, &format!("{text}{gap}"));
    }

    /// A clause that loses all it has, all of which comes again from another module, only gets another module.
    fn turn(&mut self, file: &File, draft: &mut Draft) {
        let whole: Vec<usize> = self.removed.keys().copied().filter(|at| self.empties(file, *at)).collect();
        for at in whole {
            let clause = &file.clauses.all[at];
            let items: BTreeSet<String> =
                clause.items.iter().map(|item| file.slice(item.span).to_owned()).collect();
            let head = head(clause);
            let again =
                self.added.iter().find(|((other, _), added)| *other == head && items.is_subset(added));
            let key = again.filter(|_| !items.is_empty()).map(|(key, _)| key.clone());
            let (Some(key), Some(module)) = (key, clause.module) else { continue };
            draft.edit(&file.path, Edit::new(module.start, module.end, key.1.clone()));
            self.removed.remove(&at);
            if let Some(added) = self.added.get_mut(&key) {
                added.retain(|item| !items.contains(item));
                if added.is_empty() {
                    self.added.remove(&key);
                }
            }
        }
    }

    /// What comes from a module that a clause takes from already goes into its brackets.
    fn join(&mut self, file: &File, draft: &mut Draft) {
        for (at, clause) in file.clauses.all.iter().enumerate() {
            let (Some(module), Some(last)) = (file.module(clause), clause.items.last()) else { continue };
            if self.removed.contains_key(&at) {
                continue;
            }
            let key = (head(clause), module.to_owned());
            let Some(items) = self.added.remove(&key) else { continue };
            let items: Vec<String> = items.into_iter().collect();
            let start = clause.items.first().map_or(last.span.start, |first| first.span.start) as usize;
            let gap = match file.text[..start].rfind('\n') {
                Some(line) if line as u32 > clause.span.start && file.text[line..start].trim().is_empty() => {
                    &file.text[line..start]
                }
                _ => " ",
            };
            let text: Vec<String> = items.iter().map(|item| format!(",{gap}{item}")).collect();
            let text = text.concat();
            draft.edit(&file.path, Edit::new(last.span.end, last.span.end, text));
        }
    }
}

/// The words before the brackets.
pub(super) fn head(clause: &Clause) -> String {
    let word = if clause.kind == ClauseKind::Import { "import" } else { "export" };
    if clause.is_marked { format!("{word} type") } else { word.to_owned() }
}

/// Takes parts out of a clause that keeps others.
fn without(clause: &Clause, parts: &BTreeSet<Part>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let goes = |item: usize| parts.contains(&Part::Item(item));
    let count = clause.items.len();
    if count > 0 && (0..count).all(goes) {
        // Only the default export is left.
        if let (Some(default), Some(list)) = (clause.default, clause.list) {
            edits.push(Edit::new(default.end, list.end + 1, ""));
        }
        return edits;
    }
    let mut at = 0;
    while at < count {
        if !goes(at) {
            at += 1;
            continue;
        }
        let first = at;
        while at < count && goes(at) {
            at += 1;
        }
        let (start, end) = if at < count {
            (clause.items[first].span.start, clause.items[at].span.start)
        } else {
            (clause.items[first - 1].span.end, clause.items[at - 1].span.end)
        };
        edits.push(Edit::new(start, end, ""));
    }
    if let (true, Some(default), Some(list)) = (parts.contains(&Part::Default), clause.default, clause.list) {
        edits.push(Edit::new(default.start, list.start - 1, ""));
    }
    edits
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}
