//! `move`: a definition goes to another file, with what belongs to it, and every import and path follows.
//!
//! ```text
//! Subject (what is cut, what it needs, who uses it) ─language─▶ edits ─▶ Plan
//! ```
//!
//! One file per language says how imports are written; what cannot be followed for sure is refused.

mod go;
mod python;
mod rust;
mod script;
pub(crate) mod statement;

use crate::by_path;
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::layout;
use crate::plan::{Entry, Plan};
use crate::unread;
use crate::worktree::Worktree;
use orbit_extract::{Family, Lang, Place, Spelling, SymbolAddress, spellings};
use orbit_graph::{Facts, ImportFacts, Selector, SymbolFacts, SymbolKind, UseFacts};
use std::collections::BTreeSet;

/// A definition on its way.
pub(crate) struct Subject<'f> {
    pub(crate) facts: &'f Facts<'f>,
    pub(crate) symbol: SymbolFacts,
    /// All of it: overloads, merged declarations, impls.
    pub(crate) pieces: Vec<SymbolFacts>,
    /// All symbols of the old file, outer ones before inner ones.
    pub(crate) symbols: Vec<SymbolFacts>,
    /// The bytes that are cut, in source order.
    pub(crate) extents: Vec<(u32, u32)>,
    pub(crate) text: String,
    pub(crate) target: String,
    pub(crate) target_text: String,
}

/// A name that the definition needs where it goes.
pub(crate) enum Need {
    /// Imported where it comes from.
    Import(ImportFacts),
    /// Defined where it comes from, and stays there.
    Stays(SymbolFacts),
}

/// The text that goes, and where it has to stand in the target: at its end, unless something is said.
pub(crate) struct Moved {
    pub(crate) text: String,
    pub(crate) at: Option<u32>,
}

impl From<String> for Moved {
    fn from(text: String) -> Moved {
        Moved { text, at: None }
    }
}

/// A name, and what it is.
pub(crate) type Needed = (String, Need);

/// Plans a move.
pub(crate) fn plan(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selector: &Selector,
    target: &str,
) -> Result<Plan, RefactorError> {
    let symbol = facts.symbol(selector)?;
    check(facts, &symbol, target)?;
    check_unread(facts, worktree, &symbol)?;
    let mut draft = Draft::default();
    let text = draft.text(worktree, &symbol.path)?;
    let target_text = draft.text(worktree, target)?;
    let pieces = pieces(facts, &symbol)?;
    let mut extents: Vec<(u32, u32)> =
        pieces.iter().map(|piece| layout::extent(&text, symbol.lang, piece.span)).collect();
    extents.sort_unstable();
    extents.dedup();
    if extents.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return Err(Refusal::new("unsupported", "its parts cannot be told apart in the file").into());
    }
    let (symbols, target_path) = (facts.of_file(&symbol.path)?, target.to_owned());
    let is_piece = |other: &SymbolFacts| pieces.iter().any(|piece| piece.id == other.id);
    let overlaps = |span: (u32, u32)| extents.iter().any(|extent| extent.0 < span.1 && span.0 < extent.1);
    let other =
        symbols.iter().find(|other| other.parent.is_none() && !is_piece(other) && overlaps(other.span));
    if let Some(other) = other {
        let message = format!("its statement defines `{}`, too", other.name);
        return Err(Refusal::new("unsupported", message).into());
    }
    let subject = Subject { facts, symbol, pieces, symbols, extents, text, target: target_path, target_text };
    let moved = match subject.symbol.lang.family() {
        Family::Python => python::edits(&subject, worktree, &mut draft)?.into(),
        Family::Script => script::edits(&subject, worktree, &mut draft)?,
        Family::Rust => rust::edits(&subject, worktree, &mut draft)?.into(),
        Family::Go => go::edits(&subject, &mut draft)?,
        _ => return Err(unsupported(subject.symbol.lang)),
    };
    check_readers(&subject, worktree)?;
    place(&subject, &mut draft, &moved);
    let entries = subject.pieces.iter().filter(|piece| piece.kind != SymbolKind::Impl).map(|piece| {
        let pre = piece.address();
        Entry::Move { post: SymbolAddress { path: target.to_owned(), ..pre.clone() }, pre }
    });
    let title = format!("move {} to {target}", subject.symbol.selector());
    let entries = entries.collect();
    Ok(Plan {
        title,
        subject: subject.symbol.selector(),
        files: draft.finish()?,
        entries,
        review: Vec::new(),
    })
}

/// Refuses what files that could not be read may use.
fn check_unread(facts: &Facts<'_>, worktree: &Worktree, symbol: &SymbolFacts) -> Result<(), RefactorError> {
    let unread = unread::places(facts, worktree, symbol.lang, &symbol.name)?.into_iter();
    let unread = unread
        .filter(|place| place.is_ours)
        .map(|place| format!("{}:{}: the file was not read ({})", place.file, place.line, place.reason));
    let unread: Vec<String> = unread.collect();
    if !unread.is_empty() {
        let message = format!("files that may use `{}` could not be read", symbol.name);
        return Err(Refusal::new("unreadable", message).places(unread).into());
    }
    Ok(())
}

/// Refuses files that code names by their paths.
fn check_readers(subject: &Subject<'_>, worktree: &Worktree) -> Result<(), RefactorError> {
    let paths = BTreeSet::from([subject.symbol.path.as_str(), subject.target.as_str()]);
    let readers = by_path::readers(subject.facts, worktree, &paths)?;
    if let Some(first) = readers.first() {
        let message = format!("code names {} by its path, and may depend on what stands in it", first.path);
        let places = readers.iter().map(|reader| format!("{}: {}", reader.place, reader.path)).collect();
        return Err(Refusal::new("read_by_path", message).places(places).into());
    }
    Ok(())
}

/// Cuts the definition out, and puts its text into the target.
fn place(subject: &Subject<'_>, draft: &mut Draft, moved: &Moved) {
    let mut done = 0;
    for extent in &subject.extents {
        let mut cut = layout::cut(&subject.text, *extent);
        cut.span.0 = cut.span.0.max(done); // the blank lines between two pieces go once
        done = cut.span.1;
        draft.edit(&subject.symbol.path, cut);
    }
    let (path, text) = (&subject.target, &subject.target_text);
    if let Some(at) = moved.at {
        draft.insert_last(path, at, &format!("\n{}\n", moved.text));
        return;
    }
    let mut append = layout::append(text, subject.symbol.lang, &moved.text);
    if append.span.1 as usize == text.len() {
        // Imports that are put at the end of a file without definitions stand before the first one.
        let imports = draft.take_inserted(path, text.len() as u32);
        if !imports.is_empty() {
            let whole = format!("{text}{imports}");
            let behind = layout::append(&whole, subject.symbol.lang, &moved.text);
            let kept = &whole[append.span.0 as usize..behind.span.0 as usize];
            append.text = format!("{kept}{}", behind.text);
        }
    }
    draft.edit(path, append);
}

fn unsupported(lang: Lang) -> RefactorError {
    let message = format!("moving between files is not supported for {}", lang.as_str());
    Refusal::new("unsupported", message)
        .hint("move the text yourself; the history follows a unique body")
        .into()
}

/// What can be moved at all, and where to.
fn check(facts: &Facts<'_>, symbol: &SymbolFacts, target: &str) -> Result<(), RefactorError> {
    let refuse = |code, message: String| Err(RefactorError::from(Refusal::new(code, message)));
    if symbol.path == target {
        return refuse("same_file", format!("it is in {target} already"));
    }
    let movable = symbol.kind.is_type()
        || matches!(
            symbol.kind,
            SymbolKind::Function
                | SymbolKind::Const
                | SymbolKind::Static
                | SymbolKind::Variable
                | SymbolKind::Test
        );
    if symbol.parent.is_some() || !movable {
        return refuse(
            "unsupported",
            "only functions, types and constants that stand alone in a file can be moved".into(),
        );
    }
    if Lang::of_path(target).is_none_or(|lang| lang.family() != symbol.lang.family()) {
        return refuse("unsupported", format!("{target} is not a {} file", symbol.lang.title()));
    }
    let taken = facts
        .of_file(target)?
        .into_iter()
        .find(|other| other.parent.is_none() && other.name == symbol.name && other.kind != SymbolKind::Impl);
    if let Some(taken) = taken {
        let refusal = Refusal::new("taken", format!("{target} has `{}` already", symbol.name));
        return Err(refusal.places(vec![taken.selector()]).into());
    }
    Ok(())
}

/// A symbol with everything of its file that must stay with it.
fn pieces(facts: &Facts<'_>, symbol: &SymbolFacts) -> Result<Vec<SymbolFacts>, RefactorError> {
    let mut found = facts.of_file(&symbol.path)?;
    found.retain(|other| {
        let is_same = other.unnumbered() == symbol.unnumbered() && other.parent.is_none();
        let is_impl = other.kind == SymbolKind::Impl
            && other.parent.is_none()
            && other.name == symbol.name
            && symbol.kind.is_type();
        // Methods of Go stand beside their type.
        let is_method = other.kind == SymbolKind::Method
            && symbol.lang == Lang::Go
            && symbol.kind.is_type()
            && other.local.strip_prefix(symbol.unnumbered()).is_some_and(|rest| rest.starts_with('.'))
            && !(symbol.span.0 <= other.span.0 && other.span.1 <= symbol.span.1);
        is_same || is_impl || is_method
    });
    Ok(found)
}

impl Subject<'_> {
    pub(crate) fn name(&self) -> &str {
        &self.symbol.name
    }

    /// Whether a byte of the old file goes.
    pub(crate) fn goes(&self, at: u32) -> bool {
        self.extents.iter().any(|extent| extent.0 <= at && at < extent.1)
    }

    /// The text that goes, with edits made in it.
    pub(crate) fn moved_text(&self, edits: &[Edit]) -> Result<String, RefactorError> {
        let mut parts = Vec::new();
        for (start, end) in &self.extents {
            let inside = edits.iter().filter(|edit| *start <= edit.span.0 && edit.span.1 <= *end);
            let mut inside: Vec<Edit> = inside
                .map(|edit| Edit::new(edit.span.0 - start, edit.span.1 - start, edit.text.clone()))
                .collect();
            let piece = &self.text[*start as usize..*end as usize];
            let bytes = crate::edit::apply(&self.symbol.path, piece.as_bytes(), &mut inside)?;
            parts.push(String::from_utf8_lossy(&bytes).trim_matches('\n').trim_end().to_owned());
        }
        let gap = if self.symbol.lang.family() == Family::Python { "\n\n\n" } else { "\n\n" };
        Ok(parts.join(gap))
    }

    /// The outermost function that goes and is round a place.
    pub(crate) fn function_at(&self, at: u32) -> Option<(u32, u32)> {
        let mut round = self.symbols.iter().filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
        round.find(|symbol| symbol.kind.is_callable()).map(|symbol| symbol.span)
    }

    /// Uses of the definition outside of itself.
    pub(crate) fn uses(&self) -> Result<Vec<UseFacts>, RefactorError> {
        let mut found = Vec::new();
        for piece in &self.pieces {
            found.extend(self.facts.uses_of(piece.id)?);
        }
        found.retain(|row| !(row.file == self.symbol.path && self.goes(row.span.0)));
        found.sort_by(|a, b| (&a.file, a.span).cmp(&(&b.file, b.span)));
        found.dedup_by(|a, b| a.file == b.file && a.span == b.span);
        Ok(found)
    }

    /// Where names stand in the old file.
    pub(crate) fn spelled(&self, words: &[&str]) -> Result<Vec<Spelling>, RefactorError> {
        let found = spellings(&self.symbol.path, self.symbol.lang, self.text.as_bytes(), words);
        found.map_err(|error| {
            Refusal::new("unreadable", format!("{}: {}", self.symbol.path, error.as_str())).into()
        })
    }

    /// Whether an import is one of the whole file: not of a function or an inner module, and not of what goes.
    pub(crate) fn is_of_file(&self, import: &ImportFacts) -> bool {
        let lines: Vec<&str> = self.text.split_inclusive('\n').take(import.line as usize).collect();
        let at: usize = lines.iter().take(import.line as usize - 1).map(|line| line.len()).sum();
        let starts = |line: &&&str| {
            let code = line.trim_start();
            ["use ", "pub ", "pub(", "import", "from ", "export", "extern ", "const ", "mod "]
                .iter()
                .any(|word| code.starts_with(word))
        };
        let first = lines.iter().rev().find(starts);
        // Python imports under a condition are looked at later.
        let is_outer = first.is_none_or(|line| !line.starts_with([' ', '\t']))
            || self.symbol.lang.family() == Family::Python;
        is_outer && !self.goes(at as u32)
    }

    /// What the definition needs, by the name it has there, and imports that nothing else in the old file needs.
    pub(crate) fn needs(&self) -> Result<(Vec<Needed>, Vec<ImportFacts>), RefactorError> {
        let mut imports = self.facts.imports_of(&self.symbol.path)?;
        imports.retain(|import| self.is_of_file(import));
        let own = self.facts.of_file(&self.symbol.path)?;
        let own: Vec<SymbolFacts> = own
            .into_iter()
            .filter(|symbol| symbol.parent.is_none() && symbol.kind != SymbolKind::Impl)
            .collect();
        let mut names: BTreeSet<String> = imports.iter().filter_map(binding).collect();
        names.extend(own.iter().map(|symbol| symbol.name.clone()));
        names.remove(self.name());
        let words: Vec<&str> = names.iter().map(String::as_str).collect();
        let spelled = self.spelled(&words)?;
        // `Debug` in `#[derive(Debug)]` is a macro, whatever type has that name.
        let is_type = |word: usize| {
            own.iter().find(|symbol| symbol.name == words[word]).is_some_and(|symbol| {
                symbol.kind.is_type() && !matches!(symbol.kind, SymbolKind::Trait | SymbolKind::Class)
            })
        };
        let is_code = |spelling: &&Spelling| {
            // What stands behind a `::` is found through what stands before it.
            let is_path =
                spelling.place == Place::Path && !spelling.in_import && self.goes(spelling.span.start);
            !matches!(
                spelling.place,
                Place::Comment | Place::Text | Place::Label | Place::Member | Place::Key
            ) && !is_path
                && (!spelling.in_import || spelling.place == Place::Plain && self.goes(spelling.span.start))
                && !(spelling.in_attribute && is_type(spelling.word))
        };
        let inside: BTreeSet<usize> =
            spelled.iter().filter(is_code).filter(|s| self.goes(s.span.start)).map(|s| s.word).collect();
        let outside: BTreeSet<usize> =
            spelled.iter().filter(is_code).filter(|s| !self.goes(s.span.start)).map(|s| s.word).collect();
        // Types are named in strings too.
        let quoted: BTreeSet<usize> =
            spelled.iter().filter(|s| s.place == Place::Text).map(|s| s.word).collect();
        let mut needs = Vec::new();
        let mut unneeded = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let import = imports.iter().find(|import| binding(import).as_deref() == Some(word));
            let defined = own.iter().find(|symbol| symbol.name == *word);
            let is_quoted = quoted.contains(&at)
                && spelled.iter().any(|s| s.word == at && s.place == Place::Text && self.goes(s.span.start));
            if inside.contains(&at) || is_quoted {
                match (defined, import) {
                    (Some(symbol), _) => needs.push(((*word).to_owned(), Need::Stays(symbol.clone()))),
                    (None, Some(import)) => needs.push(((*word).to_owned(), Need::Import(import.clone()))),
                    (None, None) => {}
                }
                if defined.is_none() && !outside.contains(&at) && !quoted.contains(&at) {
                    unneeded.extend(import.cloned());
                }
            }
        }
        Ok((needs, unneeded))
    }
}

/// What an import is called in its file.
pub(crate) fn binding(import: &ImportFacts) -> Option<String> {
    import.alias.clone().or_else(|| import.symbol.clone()).or_else(|| {
        let first = import.module.split('.').find(|part| !part.is_empty())?;
        Some(first.to_owned())
    })
}
