//! TypeScript and JavaScript: clauses follow the definition, written as their files write them.
//!
//! ```text
//! Files (clauses, free names) ─needs, users─▶ Changes per file ─write─▶ edits ─circles?─▶ done
//! ```

mod changes;
mod circles;
mod file;
mod needs;
mod specifiers;
mod users;

use super::{Moved, Subject};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use changes::Changes;
use file::File;
use orbit_extract::ClauseKind;
use orbit_graph::{SymbolFacts, SymbolKind};
use std::collections::BTreeMap;

/// A move while its edits are gathered.
struct Work<'s> {
    subject: &'s Subject<'s>,
    worktree: &'s Worktree,
    old: File,
    target: File,
    /// Other files that change.
    files: BTreeMap<String, File>,
    changes: BTreeMap<String, Changes>,
    /// Definitions of the old file that must be exported.
    exported: Vec<Edit>,
    /// An import of the project to write others like where a file has none.
    near: Option<(String, String)>,
    /// The old file goes on to export the definition.
    hands_on: bool,
    /// Others take the definition by its name.
    is_imported: bool,
}

pub(super) fn edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<Moved, RefactorError> {
    let mut work = Work {
        subject,
        worktree,
        old: File::of(subject.facts, &subject.symbol.path, subject.text.clone())?,
        target: File::of(subject.facts, &subject.target, subject.target_text.clone())?,
        files: BTreeMap::new(),
        changes: BTreeMap::new(),
        exported: Vec::new(),
        near: file::near(subject.facts, &subject.target)?,
        hands_on: false,
        is_imported: false,
    };
    work.check()?;
    let at = work.place()?;
    work.needs()?;
    work.users()?;
    work.old();
    let text = work.moved()?;
    let leads = work.write(draft)?;
    let moved = Moved { text, at };
    let mut whole = draft.clone();
    super::place(subject, &mut whole, &moved);
    circles::check(subject, worktree, &leads, &whole.finish()?)?;
    Ok(moved)
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// Whether a constant is part of a pattern: `const { keys: getKeys } = Object`.
fn is_taken_apart(subject: &Subject<'_>, piece: &SymbolFacts) -> bool {
    let text = &subject.text[piece.span.0 as usize..piece.span.1 as usize];
    let head = &subject.text[..piece.span.0 as usize];
    let line = head.rsplit('\n').next().unwrap_or("");
    let mut code = text;
    while let Some(rest) =
        ["export ", "declare ", "const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word))
    {
        code = rest;
    }
    let is_variable = matches!(piece.kind, SymbolKind::Const | SymbolKind::Variable);
    is_variable && (!code.starts_with(&piece.name) || line.contains(['{', '[']))
}

/// Words that a definition can begin with.
const WORDS: [&str; 11] =
    ["function", "class", "interface", "type", "const", "let", "var", "enum", "async", "abstract", "declare"];

fn export_word(text: &str, symbol: &SymbolFacts) -> Result<Edit, RefactorError> {
    let rest = &text[symbol.span.0 as usize..];
    if !WORDS.iter().any(|word| rest.starts_with(word)) {
        return Err(refuse("unsupported", format!("`{}` cannot be exported where it stands", symbol.name)));
    }
    Ok(Edit::new(symbol.span.0, symbol.span.0, "export "))
}

fn is_type(symbol: &SymbolFacts) -> bool {
    matches!(symbol.kind, SymbolKind::Interface | SymbolKind::TypeAlias)
}

impl Work<'_> {
    /// Refuses what cannot be said in another file.
    fn check(&self) -> Result<(), RefactorError> {
        let (subject, old, target) = (self.subject, &self.old, &self.target);
        if subject.target.ends_with(".d.ts") {
            return Err(refuse("unsupported", format!("{} only declares things", subject.target)));
        }
        for file in [old, target].into_iter().filter(|file| !file.text.trim().is_empty()) {
            if !file.clauses.is_module {
                let message =
                    format!("{} neither imports nor exports anything: it is not a module", file.path);
                return Err(refuse("unsupported", message));
            }
        }
        if subject.pieces.iter().any(|piece| self.text_of(piece).starts_with("export default")) {
            return Err(refuse("unsupported", "it is the default export of its file"));
        }
        if subject.pieces.iter().any(|piece| is_taken_apart(subject, piece)) {
            return Err(refuse("unsupported", "it is taken out of a value together with its statement"));
        }
        let again = old
            .names
            .iter()
            .find(|name| name.is_assigned && old.is(name, subject.name()) && !subject.goes(name.span.start));
        if let Some(name) = again {
            let message = format!("{}:{}: `{}` gets another value", old.path, name.line, subject.name());
            return Err(refuse("unsupported", message));
        }
        let has_elements = subject.extents.iter().any(|extent| old.has_elements(*extent));
        if has_elements && pragma(&old.text) != pragma(&target.text) && !target.text.is_empty() {
            return Err(refuse("unsupported", "elements mean something else in the other file: `@jsx`"));
        }
        self.check_capture()
    }

    /// Refuses a name that stands for something from outside in the target.
    fn check_capture(&self) -> Result<(), RefactorError> {
        let (name, target) = (self.subject.name(), &self.target);
        let is_named = target.names.iter().any(|used| target.is(used, name));
        if is_named && target.binding(name).is_none() {
            let message = format!("`{name}` means something else in {}", target.path);
            return Err(refuse("taken", message));
        }
        Ok(())
    }

    fn text_of(&self, symbol: &SymbolFacts) -> &str {
        &self.old.text[symbol.span.0 as usize..symbol.span.1 as usize]
    }

    /// Whether the file exports a definition by its own name, where it stands or in a list.
    fn is_exported(&self, symbol: &SymbolFacts) -> bool {
        self.text_of(symbol).starts_with("export ") || self.listed(&symbol.name).is_some()
    }

    /// The item of the old file's own exports that has a name, with the number of its clause.
    fn listed(&self, name: &str) -> Option<(usize, usize)> {
        let clauses = self.old.clauses.all.iter().enumerate();
        clauses.filter(|(_, clause)| clause.kind == ClauseKind::Export).find_map(|(at, clause)| {
            let is =
                |item: &orbit_extract::ClauseItem| item.alias.is_none() && self.old.slice(item.name) == name;
            Some((at, clause.items.iter().position(is)?))
        })
    }

    /// Whether nothing but a type of the old file has this name.
    fn is_type_only(&self, name: &str) -> bool {
        let mut same =
            self.subject.symbols.iter().filter(|symbol| symbol.parent.is_none() && symbol.name == name);
        self.old.is_typed() && same.all(is_type)
    }

    fn changes(&mut self, path: &str) -> &mut Changes {
        self.changes.entry(path.to_owned()).or_default()
    }

    /// Where the definition has to stand in the target: at the end, unless it is needed there while the file is loaded.
    fn place(&self) -> Result<Option<u32>, RefactorError> {
        let (subject, target) = (self.subject, &self.target);
        let is_early = |piece: &SymbolFacts| {
            let text = self.text_of(piece).trim_start_matches("export ");
            is_type(piece) || text.starts_with("function") || text.starts_with("async function")
        };
        let eager = circles::eager(target);
        if subject.pieces.iter().all(is_early) || !eager.contains(subject.name()) {
            return Ok(None);
        }
        let own = subject.facts.of_file(&target.path)?;
        let needs = |name: &str| own.iter().any(|symbol| symbol.parent.is_none() && symbol.name == name);
        let inside = self.old.names.iter().filter(|name| subject.goes(name.span.start) && !name.is_type);
        if inside.into_iter().any(|name| needs(self.old.slice(name.span))) {
            let message = format!("{} needs it while it is loaded, before what it needs itself", target.path);
            return Err(refuse("circular_import", message));
        }
        let imports = target.clauses.all.iter().filter(|clause| clause.kind == ClauseKind::Import);
        let end = imports.map(|clause| clause.span.end as usize).max();
        let line = |at: usize| target.text[at..].find('\n').map_or(target.text.len(), |end| at + end + 1);
        Ok(Some(end.map_or(target.clauses.head, |end| line(end) as u32)))
    }

    /// The old file: takes the definition from where it is now if it needs it, and hands it on if others look there.
    fn old(&mut self) {
        let (subject, name) = (self.subject, self.subject.name().to_owned());
        let listed = self.listed(&name);
        if let Some((clause, item)) = listed {
            self.changes(&subject.symbol.path).remove(clause, file::Part::Item(item));
            self.is_imported = true;
        }
        let item = listed.map(|(clause, item)| self.old.clauses.all[clause].items[item].name);
        let rest = self.old.names.iter().filter(|used| {
            self.old.is(used, &name) && !subject.goes(used.span.start) && Some(used.span) != item
        });
        let rest: Vec<bool> = rest.map(|used| used.is_type).collect();
        let is_type = self.is_type_only(&name);
        let style = self.old.style(&[&self.target], self.near.as_ref());
        let module = style.specifier(&subject.symbol.path, &subject.target);
        let (old, target) = (subject.symbol.path.clone(), subject.target.clone());
        let typed =
            |is_type: bool, word: &str| if is_type { format!("{word} type") } else { word.to_owned() };
        let is_erased = self.old.is_typed() && rest.iter().all(|is_type| *is_type);
        let hands_on = self.hands_on;
        if !rest.is_empty() || hands_on {
            self.is_imported = true;
            let changes = self.changes(&old);
            changes.leads.insert(module.clone(), target);
            if !rest.is_empty() {
                changes.add(&typed(is_type || is_erased, "import"), &name, &module);
            }
            if hands_on {
                changes.add(&typed(is_type, "export"), &name, &module);
            }
        }
        self.keep_module();
        let mut rest = subject.text.clone();
        for extent in subject.extents.iter().rev() {
            rest.replace_range(extent.0 as usize..extent.1 as usize, "");
        }
        self.changes(&old).is_alone = rest.trim().is_empty();
    }

    /// A file that nothing is left of that makes it a module still has to be one.
    fn keep_module(&mut self) {
        let (subject, old) = (self.subject, &self.old);
        let changes = self.changes.get(&old.path);
        let is_left = |at: usize| !changes.is_some_and(|changes| changes.empties(old, at));
        let exports = |symbol: &SymbolFacts| {
            symbol.parent.is_none()
                && !subject.goes(symbol.span.0)
                && self.text_of(symbol).starts_with("export")
        };
        let is_module = (0..old.clauses.all.len()).any(is_left)
            || changes.is_some_and(Changes::adds)
            || !self.exported.is_empty()
            || subject.symbols.iter().any(exports);
        if !is_module {
            let end = if old.text.contains(';') { ";" } else { "" };
            self.changes(&subject.symbol.path).add_line(format!("export {{}}{end}\n"));
        }
    }

    /// The text that goes, exported where others need it.
    fn moved(&self) -> Result<String, RefactorError> {
        let subject = self.subject;
        let unseen = subject.pieces.iter().filter(|piece| !self.text_of(piece).starts_with("export "));
        let words: Result<Vec<Edit>, RefactorError> =
            unseen.filter(|_| self.is_imported).map(|piece| export_word(&subject.text, piece)).collect();
        subject.moved_text(&words?)
    }

    /// Writes all changes down; gives the files that new specifiers lead to, by the file that has them.
    fn write(self, draft: &mut Draft) -> Result<circles::Leads, RefactorError> {
        for edit in &self.exported {
            draft.edit(&self.old.path, edit.clone());
        }
        let mut leads = BTreeMap::new();
        for (path, changes) in self.changes {
            for (module, to) in &changes.leads {
                leads.insert((path.clone(), module.clone()), to.clone());
            }
            let (file, others) = match path {
                path if path == self.old.path => (&self.old, [&self.target]),
                path if path == self.target.path => (&self.target, [&self.old]),
                path => (&self.files[&path], [&self.old]),
            };
            draft.text(self.worktree, &file.path)?;
            changes.write(file, &file.style(&others, self.near.as_ref()), draft);
        }
        Ok(leads)
    }
}

/// What a file says of how elements are made.
fn pragma(text: &str) -> Option<&str> {
    let at = text.find("@jsx")?;
    text[at..].lines().next().map(|line| line.trim_end_matches("*/").trim())
}
