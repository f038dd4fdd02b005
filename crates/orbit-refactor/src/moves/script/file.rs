//! A file of TypeScript or JavaScript as a move sees it: its text, its clauses, its free names, where its imports lead.

use super::refuse;
use super::specifiers::{Written, like};
use crate::error::RefactorError;
use orbit_extract::{Clause, ClauseKind, Clauses, Family, FreeName, Lang, Span, clauses, free_names};
use orbit_graph::{Facts, ImportFacts};
use std::collections::BTreeSet;

pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) clauses: Clauses,
    pub(super) names: Vec<FreeName>,
    pub(super) imports: Vec<ImportFacts>,
}

/// A name that a clause binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Default,
    Whole,
    Item(usize),
}

/// How a file writes its imports.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) quote: char,
    pub(super) end: &'static str,
    /// An import of the project's own files to write others like, with the file it leads to.
    pub(super) model: Option<(String, String)>,
}

impl File {
    pub(super) fn of(facts: &Facts<'_>, path: &str, text: String) -> Result<File, RefactorError> {
        let lang = Lang::of_path(path).unwrap_or(Lang::JavaScript);
        let unreadable =
            |error: orbit_extract::ExtractError| refuse("unreadable", format!("{path}: {}", error.as_str()));
        Ok(File {
            path: path.to_owned(),
            clauses: clauses(path, lang, text.as_bytes()).map_err(unreadable)?,
            names: free_names(path, lang, text.as_bytes()).map_err(unreadable)?,
            imports: facts.imports_of(path)?,
            text,
        })
    }

    pub(super) fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(super) fn is_typed(&self) -> bool {
        Lang::of_path(&self.path) != Some(Lang::JavaScript)
    }

    /// The file that a module specifier of this file leads to.
    pub(super) fn leads_to(&self, module: &str) -> Option<&str> {
        let mut same = self.imports.iter().filter(|import| import.module == module);
        same.find_map(|import| import.resolved.as_deref())
    }

    pub(super) fn module(&self, clause: &Clause) -> Option<&str> {
        clause.module.map(|module| self.slice(module))
    }

    /// The file that a clause leads to.
    pub(super) fn source(&self, clause: &Clause) -> Option<&str> {
        self.leads_to(self.module(clause)?)
    }

    /// The part of an import that binds a name, with the number of its clause.
    pub(super) fn binding(&self, name: &str) -> Option<(usize, Part)> {
        let imports = self.clauses.all.iter().enumerate();
        imports.filter(|(_, clause)| clause.kind == ClauseKind::Import).find_map(|(at, clause)| {
            let is = |span: Option<Span>| span.is_some_and(|span| self.slice(span) == name);
            let item = || clause.items.iter().position(|item| is(Some(item.bound())));
            match () {
                () if is(clause.default) => Some((at, Part::Default)),
                () if is(clause.whole) => Some((at, Part::Whole)),
                () => item().map(|item| (at, Part::Item(item))),
            }
        })
    }

    /// The parts that a clause has.
    pub(super) fn parts(clause: &Clause) -> BTreeSet<Part> {
        let items = (0..clause.items.len()).map(Part::Item);
        let others = [clause.default.map(|_| Part::Default), clause.whole.map(|_| Part::Whole)];
        items.chain(others.into_iter().flatten()).collect()
    }

    /// Whether a free name is this word.
    pub(super) fn is(&self, name: &FreeName, word: &str) -> bool {
        self.slice(name.span) == word
    }

    /// Whether the file says something in elements of JSX between two bytes.
    pub(super) fn has_elements(&self, span: (u32, u32)) -> bool {
        let text = &self.text[span.0 as usize..span.1 as usize];
        let is_able = [".tsx", ".jsx", ".js"].iter().any(|end| self.path.ends_with(end));
        is_able && (text.contains("</") || text.contains("/>"))
    }

    /// How the file writes its imports; what it does not show comes from the other files, in their order, and from an
    /// import somewhere near.
    pub(super) fn style(&self, others: &[&File], near: Option<&(String, String)>) -> Style {
        let files = || std::iter::once(self).chain(others.iter().copied());
        let first = files().find_map(|file| {
            let clause = file.clauses.all.iter().find(|clause| clause.module.is_some())?;
            let quote = file.text[..clause.module?.start as usize].chars().next_back()?;
            Some((quote, file.slice(clause.span).ends_with(';')))
        });
        let (quote, has_end) = first.unwrap_or_else(|| habits(files().map(|file| file.text.as_str())));
        let model = files().find_map(File::model).or_else(|| near.cloned());
        Style { quote, end: if has_end { ";" } else { "" }, model }
    }

    /// An import of one of the project's files, a relative one if there is any.
    fn model(&self) -> Option<(String, String)> {
        let own = self.clauses.all.iter().filter_map(|clause| {
            let (module, source) = (self.module(clause)?, self.source(clause)?);
            Some((module.to_owned(), source.to_owned()))
        });
        let mut own: Vec<(String, String)> = own.collect();
        own.sort_by_key(|(module, _)| !module.starts_with('.'));
        own.into_iter().next()
    }
}

/// A relative import of the file nearest to a path that has one, with the file it leads to.
pub(super) fn near(facts: &Facts<'_>, path: &str) -> Result<Option<(String, String)>, RefactorError> {
    let is_script = |path: &str| Lang::of_path(path) == Some(Lang::JavaScript);
    let mut files: Vec<String> = facts.files()?.into_iter().map(|file| file.path).collect();
    files.retain(|file| Lang::of_path(file).is_some_and(|lang| lang.family() == Family::Script));
    let shared = |file: &str| file.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
    files.sort_by_key(|file| (is_script(file) != is_script(path), std::cmp::Reverse(shared(file))));
    for file in files {
        let mut own = facts.imports_of(&file)?.into_iter().filter(|import| import.module.starts_with('.'));
        let found = own.find_map(|import| Some((import.module, import.resolved?)));
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Quotes and ends of statements as texts have them.
fn habits<'t>(texts: impl Iterator<Item = &'t str>) -> (char, bool) {
    let (mut single, mut double, mut ends, mut lines) = (0, 0, 0, 0);
    for text in texts {
        single += text.matches('\'').count();
        double += text.matches('"').count();
        ends += text.lines().filter(|line| line.trim_end().ends_with(';')).count();
        lines += text.lines().filter(|line| line.trim_end().ends_with([')', '\'', '"', ']'])).count();
    }
    (if single > double { '\'' } else { '"' }, ends >= lines)
}

impl Style {
    /// How a file names another one.
    pub(super) fn specifier(&self, user: &str, path: &str) -> String {
        if let Some((module, source)) = &self.model {
            return like(user, module, source, path);
        }
        let is_script = [".js", ".mjs", ".cjs"].iter().any(|end| path.ends_with(end));
        let written = if is_script { Written::Own } else { Written::Bare };
        written.relative(user, path)
    }

    /// A whole statement.
    pub(super) fn line(&self, head: &str, list: &str, module: &str) -> String {
        let Style { quote, end, .. } = self;
        format!("{head} {list} from {quote}{module}{quote}{end}\n")
    }
}
