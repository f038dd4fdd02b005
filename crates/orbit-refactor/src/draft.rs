//! Files of a plan while it is made: edits are gathered, then every file is written out once.

use crate::edit::{self, Edit};
use crate::error::{RefactorError, Refusal};
use crate::plan::FileChange;
use crate::worktree::Worktree;
use orbit_extract::{Lang, SymbolAddress};
use std::collections::BTreeMap;

/// Edits by file.
#[derive(Clone, Default)]
pub(crate) struct Draft {
    files: BTreeMap<String, (Option<Vec<u8>>, Vec<Edit>)>,
}

impl Draft {
    /// The present text of a file; empty for a new one.
    pub(crate) fn text(&mut self, worktree: &Worktree, path: &str) -> Result<String, RefactorError> {
        if !self.files.contains_key(path) {
            self.files.insert(path.to_owned(), (worktree.read(path)?, Vec::new()));
        }
        let bytes = self.files[path].0.clone().unwrap_or_default();
        String::from_utf8(bytes)
            .map_err(|_| Refusal::new("unreadable", format!("{path} is not UTF-8")).into())
    }

    /// Adds an edit of a file that was read.
    pub(crate) fn edit(&mut self, path: &str, edit: Edit) {
        if let Some((_, edits)) = self.files.get_mut(path) {
            edits.push(edit);
        }
    }

    /// Adds text before whatever else is put at the same place of a file that was read.
    pub(crate) fn insert_first(&mut self, path: &str, at: u32, text: &str) {
        let Some((_, edits)) = self.files.get_mut(path) else { return };
        match edits.iter_mut().find(|edit| edit.span == (at, at)) {
            Some(edit) => edit.text.insert_str(0, text),
            None => edits.push(Edit::new(at, at, text)),
        }
    }

    /// Adds text behind whatever else is put at the same place of a file that was read.
    pub(crate) fn insert_last(&mut self, path: &str, at: u32, text: &str) {
        let Some((_, edits)) = self.files.get_mut(path) else { return };
        match edits.iter_mut().find(|edit| edit.span == (at, at)) {
            Some(edit) => edit.text.push_str(text),
            None => edits.push(Edit::new(at, at, text)),
        }
    }

    /// Takes out what is put at a place of a file.
    pub(crate) fn take_inserted(&mut self, path: &str, at: u32) -> String {
        let Some((_, edits)) = self.files.get_mut(path) else { return String::new() };
        let found = edits.iter().position(|edit| edit.span == (at, at));
        found.map(|found| edits.remove(found).text).unwrap_or_default()
    }

    /// Every file that changes.
    pub(crate) fn finish(self) -> Result<Vec<FileChange>, RefactorError> {
        let mut changes = Vec::new();
        for (path, (before, mut edits)) in self.files {
            if edits.is_empty() {
                continue;
            }
            let after = edit::apply(&path, before.as_deref().unwrap_or_default(), &mut edits)?;
            if before.is_none() {
                edits.clear();
            }
            changes.push(FileChange { path, before, after: Some(after), edits });
        }
        Ok(changes)
    }
}

/// The symbol of a name and kind in a text, when exactly one has them.
pub(crate) fn find(
    path: &str,
    bytes: &[u8],
    name: &str,
    kind: Option<&str>,
) -> Result<SymbolAddress, RefactorError> {
    let Some(lang) = Lang::of_path(path) else {
        return Err(Refusal::new("unsupported", format!("{path} is not a source file")).into());
    };
    let file = orbit_extract::extract(path, lang, bytes);
    let file = file.map_err(|error| Refusal::new("unreadable", format!("{path}: {}", error.as_str())))?;
    let fits = file.symbols.iter().filter(|symbol| {
        let is_named = file.names.get(symbol.local) == name || file.names.get(symbol.name) == name;
        is_named && kind.is_none_or(|kind| symbol.kind.as_str() == kind)
    });
    let found: Vec<SymbolAddress> = fits.map(|symbol| file.address(path, symbol)).collect();
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => {
            let kind = kind.unwrap_or("symbol");
            Err(Refusal::new("not_defined", format!("the text defines no {kind} `{name}`")).into())
        }
        _ => Err(Refusal::new("taken", format!("{path} would have several symbols `{name}`")).into()),
    }
}
