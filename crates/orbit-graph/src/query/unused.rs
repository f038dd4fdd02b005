//! Definitions that nothing reaches.
//!
//! What is reached is followed from what runs or is offered by itself: code outside of definitions, entry points, and what is
//! exported. So a function that only unused ones call is unused as well. Nothing here is a proof: what is called through
//! a name that nobody could follow is graded apart.

mod reach;
mod sources;

use super::symbol::Symbol;
use super::{Reader, freshness, symbol, target};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use crate::store::file_of_row;
use orbit_extract::{Family, SymbolKind};
use reach::{Definitions, Row, Side};
use serde::Serialize;
use sources::Sources;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What is known about a definition that no code reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnusedGrade {
    /// Nothing in the repository uses it, and nobody else can.
    Unused,
    /// Only tests use it.
    OnlyTests,
    /// A use that could not be followed has its name, its name stands elsewhere in the text of files, or something may call it
    /// that the index does not see: a decorator, a supertype from elsewhere, whoever gets the object that it belongs to.
    PerhapsUsed,
    /// Nothing in the repository uses it, but others may.
    Exported,
}

/// What to list.
#[derive(Clone, Copy, Debug)]
pub struct UnusedOptions {
    /// Only definitions of this grade; all when there is none.
    pub grade: Option<UnusedGrade>,
    /// Only definitions of this kind.
    pub kind: Option<SymbolKind>,
    /// At most this many.
    pub limit: usize,
}

/// One definition.
#[derive(Clone, Debug, Serialize)]
pub struct UnusedDefinition {
    /// Canonical.
    pub selector: String,
    /// Its kind.
    pub kind: &'static str,
    /// Where it is defined.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// How sure it is that nothing uses it.
    pub grade: UnusedGrade,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Unused {
    /// By file and line.
    pub definitions: Vec<UnusedDefinition>,
    /// How many there are of what was asked for.
    pub total: usize,
    /// Whether `definitions` lists fewer.
    pub truncated: bool,
    /// How many there are of each grade.
    pub grades: BTreeMap<UnusedGrade, usize>,
    /// Definitions that were looked at. Tests and entry points are not among them.
    pub looked_at: usize,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

pub(crate) fn unused(
    reader: &Reader<'_>,
    scope: Option<&Selector>,
    options: &UnusedOptions,
) -> Result<Unused, GraphError> {
    let path = scope.map(place).transpose()?.filter(|path| path != ".");
    let definitions = Definitions::read(reader.connection)?;
    let graded = definitions.grade(&Sources::below(reader.root));
    let is_inside = |file: &str| {
        path.as_deref().is_none_or(|path| {
            file == path || file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    if let (Some(path), false) = (&path, definitions.paths().any(is_inside)) {
        return Err(target::not_found(reader.connection, &Selector::File(path.clone()))?);
    }
    let mut answer = Unused {
        definitions: Vec::new(),
        total: 0,
        truncated: false,
        grades: BTreeMap::new(),
        looked_at: 0,
        stale: Vec::new(),
    };
    let mut listed = Vec::new();
    for (row, grade) in graded.iter().filter(|(row, _)| is_inside(definitions.path(row))) {
        if options.kind.is_some_and(|kind| kind != row.kind) {
            continue;
        }
        answer.looked_at += 1;
        let Some(grade) = *grade else { continue };
        *answer.grades.entry(grade).or_default() += 1;
        if options.grade.is_none_or(|wanted| wanted == grade) {
            listed.push((definitions.path(row), row.line, row.id, grade));
        }
    }
    listed.sort_unstable();
    answer.total = listed.len();
    for (_, _, id, grade) in listed.into_iter().take(options.limit) {
        let found = symbol::select(reader.connection, "WHERE s.id = ?1", [id])?;
        answer.definitions.extend(found.iter().map(|symbol| definition(symbol, grade)));
    }
    answer.truncated = answer.definitions.len() < answer.total;
    let files = answer.definitions.iter().map(|row| row.file.as_str());
    answer.stale = freshness::stale_among(reader.connection, reader.root, files)?;
    Ok(answer)
}

fn place(selector: &Selector) -> Result<String, GraphError> {
    match selector {
        Selector::File(path) | Selector::Dir(path) => Ok(path.clone()),
        Selector::Loose(text) => normalize(text).map_err(|reason| GraphError::bad_selector(text, reason)),
        other => Err(GraphError::bad_selector(&other.to_string(), "unused takes a file or a directory")),
    }
}

fn definition(symbol: &Symbol, grade: UnusedGrade) -> UnusedDefinition {
    UnusedDefinition {
        selector: symbol.selector(),
        kind: symbol.address.kind.as_str(),
        file: symbol.address.path.clone(),
        line: symbol.line,
        grade,
    }
}

impl Definitions {
    /// Every definition that can be unused, with its grade unless code reaches it.
    fn grade(&self, sources: &Sources<'_>) -> Vec<(Row, Option<UnusedGrade>)> {
        // What may be called from elsewhere also reaches what it uses, so it is found before anything else is called unused.
        let from_code = self.reached(Side::Code, &HashSet::new());
        let mut perhaps: HashSet<i64> = self
            .rows
            .values()
            .filter(|row| !from_code.contains(&row.id) && self.may_be_called(row, sources))
            .map(|row| row.id)
            .collect();
        perhaps.extend(self.named_elsewhere(&perhaps, sources));
        let from_code = self.reached(Side::Code, &perhaps);
        let from_tests = self.reached(Side::Tests, &perhaps);
        let mut graded = Vec::new();
        for row in self.rows.values().filter(|row| row.can_be_unused()) {
            let is_used = if row.is_exported {
                self.is_used_by(row, Side::Code)
            } else {
                from_code.contains(&row.id) && !perhaps.contains(&row.id)
            };
            let by_tests = if row.is_exported {
                self.is_used_by(row, Side::Tests)
            } else {
                from_tests.contains(&row.id) && !perhaps.contains(&row.id)
            };
            let grade = match () {
                () if is_used => None,
                () if by_tests => Some(UnusedGrade::OnlyTests),
                () if perhaps.contains(&row.id) || self.may_be_called(row, sources) => {
                    Some(UnusedGrade::PerhapsUsed)
                }
                () if row.is_exported => Some(UnusedGrade::Exported),
                () => Some(UnusedGrade::Unused),
            };
            graded.push((*row, grade));
        }
        graded
    }

    /// Definitions that nothing reaches, whose names stand in other files of their language.
    fn named_elsewhere(&self, perhaps: &HashSet<i64>, sources: &Sources<'_>) -> Vec<i64> {
        let (from_code, from_tests) = (self.reached(Side::Code, perhaps), self.reached(Side::Tests, perhaps));
        let is_open =
            |row: &&Row| row.can_be_unused() && !from_code.contains(&row.id) && !from_tests.contains(&row.id);
        let open: Vec<&Row> = self.rows.values().filter(is_open).collect();
        let word = |row: &Row| (row.lang.family(), self.names.get(&row.id).map_or("", String::as_str));
        let words: BTreeSet<(Family, &str)> = open.iter().map(|row| word(row)).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let mut files: BTreeMap<(Family, &str), BTreeSet<u32>> = BTreeMap::new();
        for (family, name, file) in sources.files_with(&self.files(), &words) {
            files.entry((family, name)).or_default().insert(file);
        }
        let is_elsewhere = |row: &&&Row| {
            files.get(&word(row)).is_some_and(|files| files.iter().any(|file| *file != file_of_row(row.id)))
        };
        open.iter().filter(is_elsewhere).map(|row| row.id).collect()
    }

    /// Whether a use that could not be followed has this name, or something may call it that the index does not see: a
    /// decorator, a supertype from elsewhere, whoever gets the object that a script makes.
    fn may_be_called(&self, row: &Row, sources: &Sources<'_>) -> bool {
        let name = self.names.get(&row.id).map_or("", String::as_str);
        if self.unresolved.contains(name) {
            return true;
        }
        let parent = row.parent.and_then(|parent| self.rows.get(&parent));
        let is_of_object = row.kind == SymbolKind::Method
            && row.lang.family() == Family::Script
            && parent.is_none_or(|parent| !parent.kind.is_type());
        if is_of_object || parent.is_some_and(|parent| self.has_unknown_supertype.contains(&parent.id)) {
            return true;
        }
        let known = self.named_in_file.get(&row.id).copied().unwrap_or(0);
        row.can_be_unused()
            && (sources.is_handed_on(row, self.path(row))
                || !row.is_exported && sources.count(row, self.path(row), name) > known)
    }
}
