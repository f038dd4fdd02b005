//! Files that import each other can be loaded as long as none of them needs another one while it is loaded.
//!
//! An import that only the compiler reads does not load anything. Where a move makes files load each other in a new way,
//! none of those in the circle may use what it has from another of them before all are loaded.

use super::file::{File, Part};
use super::refuse;
use crate::error::RefactorError;
use crate::moves::Subject;
use crate::plan::FileChange;
use crate::worktree::Worktree;
use orbit_extract::{Clause, ClauseKind, Lang, ScopeId};
use orbit_graph::{Facts, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Files that new specifiers lead to, by the file that has them and the specifier.
pub(super) type Leads = BTreeMap<(String, String), String>;

/// Refuses a plan after which files could not be loaded.
pub(super) fn check(
    subject: &Subject<'_>,
    worktree: &Worktree,
    leads: &Leads,
    changes: &[FileChange],
) -> Result<(), RefactorError> {
    let mut world = World { facts: subject.facts, worktree, leads, changes, files: BTreeMap::new() };
    for change in changes {
        let known: BTreeSet<String> = subject
            .facts
            .imports_of(&change.path)?
            .into_iter()
            .filter_map(|import| import.resolved)
            .collect();
        for to in world.edges(&change.path)? {
            let is_new = !known.contains(&to) && to != change.path;
            if is_new && world.may_reach(&to, &change.path)? {
                world.check_circle(&change.path)?;
            }
        }
    }
    Ok(())
}

/// The names that a file needs while it is loaded: those of statements that run, and of the definitions that these name.
pub(super) fn eager(file: &File) -> BTreeSet<String> {
    let lang = Lang::of_path(&file.path).unwrap_or(Lang::JavaScript);
    let Ok(own) = orbit_extract::extract(&file.path, lang, file.text.as_bytes()) else {
        return BTreeSet::new();
    };
    let outer: Vec<_> = own
        .symbols
        .iter()
        .filter(|symbol| symbol.parent == ScopeId::FILE)
        .map(|symbol| (own.names.get(symbol.name), symbol.span))
        .collect();
    let mut found: BTreeSet<String> =
        file.names.iter().filter(|name| name.is_eager).map(|name| file.slice(name.span).to_owned()).collect();
    let mut open: Vec<String> = found.iter().cloned().collect();
    while let Some(name) = open.pop() {
        for (_, span) in outer.iter().filter(|(own, _)| *own == name) {
            let inside =
                file.names.iter().filter(|used| span.start <= used.span.start && used.span.end <= span.end);
            for used in inside.filter(|used| !used.is_type) {
                let word = file.slice(used.span).to_owned();
                if found.insert(word.clone()) {
                    open.push(word);
                }
            }
        }
    }
    found
}

struct World<'w> {
    facts: &'w Facts<'w>,
    worktree: &'w Worktree,
    leads: &'w Leads,
    changes: &'w [FileChange],
    files: BTreeMap<String, Rc<File>>,
}

impl World<'_> {
    /// A file as it will be.
    fn file(&mut self, path: &str) -> Result<Rc<File>, RefactorError> {
        if let Some(file) = self.files.get(path) {
            return Ok(Rc::clone(file));
        }
        let change = self.changes.iter().find(|change| change.path == path);
        let bytes = match change.and_then(|change| change.after.clone()) {
            Some(bytes) => bytes,
            None => self.worktree.read(path)?.unwrap_or_default(),
        };
        let text =
            String::from_utf8(bytes).map_err(|_| refuse("unreadable", format!("{path} is not UTF-8")))?;
        let file = Rc::new(File::of(self.facts, path, text)?);
        self.files.insert(path.to_owned(), Rc::clone(&file));
        Ok(file)
    }

    fn source(&self, file: &File, clause: &Clause) -> Option<String> {
        let module = file.module(clause)?.to_owned();
        let new = self.leads.get(&(file.path.clone(), module.clone())).cloned();
        new.or_else(|| file.leads_to(&module).map(str::to_owned))
    }

    /// The files that a file loads.
    fn edges(&mut self, path: &str) -> Result<BTreeSet<String>, RefactorError> {
        if Lang::of_path(path).is_none() {
            return Ok(BTreeSet::new());
        }
        let file = self.file(path)?;
        let mut found = BTreeSet::new();
        for clause in file.clauses.all.iter().filter(|clause| !is_erased(&file, clause)) {
            let Some(source) = self.source(&file, clause) else { continue };
            let mut has_values = File::parts(clause).is_empty() || !file.is_typed();
            for part in File::parts(clause) {
                has_values = has_values || !self.is_type(&file, clause, part, &source)?;
            }
            found.extend(has_values.then_some(source));
        }
        Ok(found)
    }

    /// Whether a name that a clause takes is an interface or an alias of a type where it is defined: nothing is there when
    /// the program runs, not even for an `export { Name }` that hands it on.
    fn is_type(&self, file: &File, clause: &Clause, part: Part, source: &str) -> Result<bool, RefactorError> {
        let Part::Item(item) = part else { return Ok(false) };
        let name = file.slice(clause.items[item].name);
        let change = self.changes.iter().find(|change| change.path == source);
        let text = match change.and_then(|change| change.after.as_deref()) {
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            None => String::from_utf8_lossy(&self.worktree.read(source)?.unwrap_or_default()).into_owned(),
        };
        let lang = Lang::of_path(source).unwrap_or(Lang::TypeScript);
        let Ok(own) = orbit_extract::extract(source, lang, text.as_bytes()) else { return Ok(false) };
        let own_symbols = own.symbols.iter().filter(|symbol| symbol.parent == ScopeId::FILE);
        let mut named = own_symbols.filter(|symbol| own.names.get(symbol.name) == name).peekable();
        let is_there = named.peek().is_some();
        Ok(is_there
            && named.all(|symbol| matches!(symbol.kind, SymbolKind::Interface | SymbolKind::TypeAlias)))
    }

    /// Whether a file may load another, as far as the index knows and the plan says.
    fn may_reach(&self, from: &str, to: &str) -> Result<bool, RefactorError> {
        let mut seen = BTreeSet::from([from.to_owned()]);
        let mut open = vec![from.to_owned()];
        while let Some(file) = open.pop() {
            let known = self.facts.imports_of(&file)?.into_iter().filter_map(|import| import.resolved);
            let new = self.leads.iter().filter(|((user, _), _)| *user == file).map(|(_, to)| to.clone());
            for next in known.chain(new) {
                if next == to {
                    return Ok(true);
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Ok(from == to)
    }

    /// Refuses the circle round a file when something in it is needed too early.
    fn check_circle(&mut self, start: &str) -> Result<(), RefactorError> {
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut open = vec![start.to_owned()];
        while let Some(path) = open.pop() {
            if edges.contains_key(&path) {
                continue;
            }
            let next = self.edges(&path)?;
            open.extend(next.iter().cloned());
            edges.insert(path, next);
        }
        let mut circle = BTreeSet::from([start.to_owned()]);
        loop {
            let more =
                edges.iter().filter(|(path, next)| !circle.contains(*path) && !next.is_disjoint(&circle));
            let more: Vec<String> = more.map(|(path, _)| path.clone()).collect();
            if more.is_empty() {
                break;
            }
            circle.extend(more);
        }
        if circle.len() < 2 {
            return Ok(());
        }
        for path in &circle {
            let file = self.file(path)?;
            let needed = eager(&file);
            for clause in file.clauses.all.iter().filter(|clause| clause.kind == ClauseKind::Import) {
                let Some(source) = self.source(&file, clause).filter(|source| circle.contains(source)) else {
                    continue;
                };
                for part in File::parts(clause) {
                    let name = bound(&file, clause, part);
                    if !needed.contains(name) || self.is_type(&file, clause, part, &source)? {
                        continue;
                    }
                    let message =
                        format!("{path} would need `{name}` of {source} while the two load each other");
                    return Err(refuse("circular_import", message));
                }
            }
        }
        Ok(())
    }
}

fn bound<'f>(file: &'f File, clause: &Clause, part: Part) -> &'f str {
    let span = match part {
        Part::Default => clause.default,
        Part::Whole => clause.whole,
        Part::Item(item) => Some(clause.items[item].bound()),
    };
    span.map_or("", |span| file.slice(span))
}

/// Whether only the compiler reads a clause.
fn is_erased(file: &File, clause: &Clause) -> bool {
    let parts = File::parts(clause);
    if clause.is_marked || clause.kind == ClauseKind::Export {
        return true;
    }
    if parts.is_empty() || !file.is_typed() {
        return false;
    }
    let is_type = |part: &Part| {
        let is_marked = matches!(part, Part::Item(item) if clause.items[*item].is_type);
        let name = bound(file, clause, *part);
        let is_used = || file.names.iter().any(|used| !used.is_type && file.is(used, name));
        is_marked || clause.kind == ClauseKind::Import && !is_used()
    };
    parts.iter().all(is_type)
}
