//! The imports of one Go file: what each is called there, who needs it, taking one out and putting one in.

use super::refuse;
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::RefactorError;
use orbit_extract::{Clauses, Lang, Span, clauses, free_names};
use orbit_graph::Facts;
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: String,
    /// What it is called in its file.
    pub(super) name: String,
    /// As written: a name of its own, and the path.
    text: String,
    clause: usize,
    item: usize,
}

pub(super) struct Imports {
    pub(super) package: Option<String>,
    /// All names of a package are names of the file.
    pub(super) is_dotted: bool,
    clauses: Clauses,
    all: Vec<Import>,
    /// Free names and whether a `.` follows.
    names: Vec<(Span, String, bool)>,
}

impl Imports {
    pub(super) fn of(facts: &Facts<'_>, path: &str, text: &str) -> Result<Imports, RefactorError> {
        let unreadable =
            |error: orbit_extract::ExtractError| refuse("unreadable", format!("{path}: {}", error.as_str()));
        let clauses = clauses(path, Lang::Go, text.as_bytes()).map_err(unreadable)?;
        let slice = |span: Span| text[span.start as usize..span.end as usize].to_owned();
        let names = free_names(path, Lang::Go, text.as_bytes()).map_err(unreadable)?;
        let names: Vec<(Span, String, bool)> = names
            .into_iter()
            .map(|name| (name.span, slice(name.span), text[name.span.end as usize..].starts_with('.')))
            .collect();
        let used: BTreeSet<&str> = names
            .iter()
            .filter(|(_, _, is_qualifier)| *is_qualifier)
            .map(|(_, name, _)| name.as_str())
            .collect();
        let mut found = Imports {
            package: clauses.package.map(slice),
            is_dotted: false,
            clauses: Clauses::default(),
            all: Vec::new(),
            names: Vec::new(),
        };
        for (number, clause) in clauses.all.iter().enumerate() {
            for (place, item) in clause.items.iter().enumerate() {
                let alias = item.alias.map(slice);
                let path = slice(item.name);
                let name = match alias.as_deref() {
                    Some(".") => {
                        found.is_dotted = true;
                        continue;
                    }
                    Some("_") => continue,
                    Some(alias) => alias.to_owned(),
                    None => named(facts, &path, &used)?,
                };
                found.all.push(Import { path, name, text: slice(item.span), clause: number, item: place });
            }
        }
        (found.clauses, found.names) = (clauses, names);
        Ok(found)
    }

    pub(super) fn bound(&self, name: &str) -> Option<&Import> {
        self.all.iter().find(|import| import.name == name)
    }

    /// The imports that a part of the file needs.
    pub(super) fn needed(&self, within: impl Fn(u32) -> bool) -> Result<Vec<Import>, RefactorError> {
        let inside = self.names.iter().filter(|(span, _, _)| within(span.start));
        let words: BTreeSet<&str> = inside.map(|(_, name, _)| name.as_str()).collect();
        if words.contains("C") && self.bound("C").is_some() {
            return Err(refuse("unsupported", "it uses C, which belongs to its file"));
        }
        Ok(self.all.iter().filter(|import| words.contains(import.name.as_str())).cloned().collect())
    }

    pub(super) fn is_needed(&self, name: &str, within: impl Fn(u32) -> bool) -> bool {
        self.names.iter().any(|(span, used, _)| used == name && within(span.start))
    }

    /// Takes imports out, with their statements where nothing is left of those.
    pub(super) fn take_out(&self, path: &str, text: &str, imports: &[&Import], draft: &mut Draft) {
        for (number, clause) in self.clauses.all.iter().enumerate() {
            let gone: BTreeSet<usize> =
                imports.iter().filter(|import| import.clause == number).map(|import| import.item).collect();
            if !gone.is_empty() && gone.len() == clause.items.len() {
                let end = line_end(text, clause.span.end as usize);
                let is_blank_before = text[..clause.span.start as usize].ends_with("\n\n");
                let start = clause.span.start - u32::from(is_blank_before);
                draft.edit(path, Edit::new(start, end as u32, ""));
                continue;
            }
            for item in gone {
                let span = clause.items[item].span;
                let (start, end) = (line_start(text, span.start as usize), line_end(text, span.end as usize));
                draft.edit(path, Edit::new(start as u32, end as u32, ""));
            }
        }
    }

    /// Puts imports where those of their kind stand.
    pub(super) fn put_in(&self, path: &str, text: &str, added: &[Import], draft: &mut Draft) {
        if added.is_empty() {
            return;
        }
        let grouped =
            self.clauses.all.iter().find(|clause| clause.list.is_some() && !clause.items.is_empty());
        let Some(clause) = grouped else {
            let last = self.clauses.all.iter().map(|clause| clause.span.end as usize).max();
            let at = last.map_or(self.clauses.head as usize, |end| line_end(text, end));
            let gap = if last.is_some() { "" } else { "\n" };
            draft.insert_first(
                path,
                at as u32,
                &format!("{gap}{}", statement(added).trim_start_matches('\n')),
            );
            return;
        };
        let slice = |span: Span| &text[span.start as usize..span.end as usize];
        for import in added {
            let same = clause.items.iter().filter(|item| is_own(slice(item.name)) == is_own(&import.path));
            let same: Vec<_> = same.collect();
            let before = same.iter().rev().find(|item| slice(item.name) < import.path.as_str());
            let line = format!("\t{}\n", import.text);
            let (at, line) = match (before, same.first()) {
                (Some(item), _) => (line_end(text, item.span.end as usize), line),
                (None, Some(first)) => (line_start(text, first.span.start as usize), line),
                (None, None) => {
                    let last = clause.items.last().map_or(clause.span.end, |item| item.span.end);
                    (line_end(text, last as usize), format!("\n{line}"))
                }
            };
            draft.insert_last(path, at as u32, &line);
        }
    }
}

/// Import statements for a file that has none.
pub(super) fn statement(added: &[Import]) -> String {
    match added {
        [] => String::new(),
        [one] => format!("\nimport {}\n", one.text),
        several => {
            let lines: Vec<String> = several.iter().map(|import| format!("\t{}\n", import.text)).collect();
            let lines = lines.concat();
            format!("\nimport (\n{lines})\n")
        }
    }
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |at| at + 1)
}

/// Whether a path is one of the standard library: its first part names no host.
fn is_own(path: &str) -> bool {
    !path.split('/').next().unwrap_or("").contains('.')
}

/// What an import without a name of its own is called: as its package says, where that is of this repository, else the
/// usual form of its path that the file uses.
fn named(facts: &Facts<'_>, path: &str, used: &BTreeSet<&str>) -> Result<String, RefactorError> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let last = match &parts[..] {
        [.., name, version] if is_version(version) => name,
        [.., name] => name,
        [] => path,
    };
    let bare = last.rsplit_once(".v").filter(|(_, tail)| tail.bytes().all(|b| b.is_ascii_digit()));
    let last = bare.map_or(last, |(name, _)| name);
    let strip = |text: &str| {
        let text = text.strip_prefix("go-").or(text.strip_suffix("-go")).or(text.strip_suffix(".go"));
        text.map(str::to_owned)
    };
    let mut forms = vec![last.to_owned(), parts.last().copied().unwrap_or(path).to_owned()];
    forms.extend(strip(last));
    forms.extend(last.rsplit_once('-').map(|(_, tail)| tail.to_owned()));
    forms.push(last.replace(['-', '.'], ""));
    forms.push(last.replace(['-', '.'], "_"));
    if let Some(name) = forms.iter().find(|form| used.contains(form.as_str())) {
        return Ok(name.clone());
    }
    // A package of this repository may be called as it likes.
    let tail = format!("/{}", parts.last().copied().unwrap_or(path));
    for file in facts.files()?.into_iter().filter(|file| file.lang == Lang::Go) {
        let dir = file.path.rsplit_once('/').map_or("", |(dir, _)| dir);
        if format!("/{dir}").ends_with(&tail) && path.ends_with(dir) {
            let name = file.module.rsplit(['/', '.']).next().unwrap_or(&file.module);
            if used.contains(name) {
                return Ok(name.to_owned());
            }
        }
    }
    Err(refuse("unsupported", format!("the name of the package \"{path}\" is not known")))
}
