//! What must hold before a plan is applied, and what must still hold after.

use crate::buffer::Buffer;
use crate::edit::map;
use crate::error::{RefactorError, Refusal};
use crate::plan::{Entry, FileChange, Plan};
use crate::worktree::{Worktree, hash};
use orbit_extract::{Lang, RefKind, SymbolAddress};
use orbit_graph::{Facts, SymbolFacts, SymbolKind, UseFacts};
use std::collections::BTreeMap;
use std::fs;

/// The files are what they were when the plan was made, may be written, and hold nobody else's work.
pub(crate) fn files(
    worktree: &Worktree,
    buffer: &Buffer,
    plan: &Plan,
    allow_dirty: bool,
) -> Result<(), RefactorError> {
    let mut changed = Vec::new();
    let mut read_only = Vec::new();
    for file in &plan.files {
        let full = worktree.locate(&file.path)?;
        let now = worktree.read(&file.path)?;
        if now != file.before {
            changed.push(file.path.clone());
        }
        if fs::metadata(&full).is_ok_and(|metadata| metadata.permissions().readonly()) {
            read_only.push(file.path.clone());
        }
    }
    if !changed.is_empty() {
        let message = "files changed since the refactoring was planned";
        return Err(Refusal::new("changed", message).places(changed).hint("plan it again").into());
    }
    if !read_only.is_empty() {
        return Err(Refusal::new("read_only", "files cannot be written").places(read_only).into());
    }
    if allow_dirty {
        return Ok(());
    }
    let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    let mut dirty = worktree.dirty(&paths);
    dirty.retain(|path| {
        let now = plan
            .files
            .iter()
            .find(|file| file.path == *path)
            .and_then(|file| file.before.as_deref())
            .map(hash);
        !buffer.left(path, now.as_deref())
    });
    if dirty.is_empty() {
        return Ok(());
    }
    let refusal = Refusal::new("dirty", "files have changes that are not committed")
        .places(dirty.into_iter().collect());
    Err(refusal.hint("commit or stash them, or pass --allow-dirty").into())
}

/// No file that could be parsed before cannot be parsed now.
pub(crate) fn syntax(plan: &Plan) -> Result<(), RefactorError> {
    let broken = |path: &str, bytes: Option<&Vec<u8>>| {
        let (Some(lang), Some(bytes)) = (Lang::of_path(path), bytes) else { return false };
        orbit_extract::extract(path, lang, bytes).map_or(true, |file| file.has_errors)
    };
    let bad = plan.files.iter().filter(|file| file.after.is_some());
    let bad = bad
        .filter(|file| broken(&file.path, file.after.as_ref()) && !broken(&file.path, file.before.as_ref()));
    let bad: Vec<String> = bad.map(|file| file.path.clone()).collect();
    if bad.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("syntax", "the result would not parse").places(bad).into())
}

/// References that resolve now, and where each of them will stand.
pub(crate) struct Expectations {
    expected: Vec<Expected>,
    /// What moves from where to where, and how many uses it has outside of itself, imports aside.
    arrivals: Vec<(SymbolAddress, SymbolAddress, usize)>,
}

struct Expected {
    file: String,
    line: u32,
    name: String,
    /// Where the reference will be.
    start: u32,
    /// The file that it leads to.
    target: String,
    /// Where the definition will begin: before or behind what is written right in front of it.
    starts: (u32, u32),
}

impl Expectations {
    /// What a plan of edits must keep. References inside of text that is replaced as a whole are left out.
    pub(crate) fn of(facts: &Facts<'_>, plan: &Plan) -> Result<Expectations, RefactorError> {
        let changes: BTreeMap<&str, &FileChange> =
            plan.files.iter().map(|file| (file.path.as_str(), file)).collect();
        let place = |path: &str, at: u32| match changes.get(path) {
            Some(file) if file.after.is_none() || file.before.is_none() => None,
            Some(file) => map(&file.edits, at),
            None => Some(at),
        };
        let mut targets: BTreeMap<i64, Option<SymbolFacts>> = BTreeMap::new();
        let mut expected = Vec::new();
        for file in &plan.files {
            for row in facts.uses_in(&file.path)? {
                let Some(id) = row.target else { continue };
                // Taken out, or said in other words.
                let is_rewritten = file.edits.iter().any(|edit| {
                    let covers = edit.span.0 <= row.span.0 && row.span.1 <= edit.span.1;
                    covers && (edit.span != row.span || edit.text.is_empty() || edit.text.contains(": "))
                });
                if is_rewritten {
                    continue;
                }
                let target = match targets.get(&id) {
                    Some(target) => target.clone(),
                    None => targets.entry(id).or_insert(facts.by_id(id)?).clone(),
                };
                let Some(target) = target else { continue };
                let is_gone = changes.get(target.path.as_str()).is_some_and(|file| {
                    file.edits.iter().any(|edit| edit.span.0 <= target.span.0 && target.span.1 <= edit.span.1)
                });
                if is_gone {
                    continue;
                }
                if let (Some(start), Some(to)) =
                    (place(&file.path, row.span.0), place(&target.path, target.span.0))
                {
                    let edits = changes.get(target.path.as_str()).map_or(&[][..], |file| &file.edits);
                    let added = edits.iter().filter(|edit| edit.span == (target.span.0, target.span.0));
                    let added: usize = added.map(|edit| edit.text.len()).sum();
                    expected.push(Expected {
                        file: file.path.clone(),
                        line: row.line,
                        name: row.name,
                        start,
                        target: target.path,
                        starts: (to - added as u32, to),
                    });
                }
            }
        }
        Ok(Expectations { expected, arrivals: arrivals(facts, plan)? })
    }

    /// Every reference leads where it led.
    pub(crate) fn check(&self, facts: &Facts<'_>) -> Result<(), RefactorError> {
        let mut rows: BTreeMap<&str, BTreeMap<u32, Vec<i64>>> = BTreeMap::new();
        let mut lost = Vec::new();
        let mut symbols: BTreeMap<i64, Option<(String, u32)>> = BTreeMap::new();
        for expected in &self.expected {
            if !rows.contains_key(expected.file.as_str()) {
                let mut found: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
                for row in facts.uses_in(&expected.file)? {
                    found.entry(row.span.0).or_default().extend(row.target);
                }
                rows.insert(&expected.file, found);
            }
            let targets = rows[expected.file.as_str()].get(&expected.start).into_iter().flatten();
            let mut is_kept = false;
            for id in targets {
                if !symbols.contains_key(id) {
                    symbols.insert(*id, facts.by_id(*id)?.map(|symbol| (symbol.path, symbol.span.0)));
                }
                is_kept |= symbols[id].as_ref().is_some_and(|(path, start)| {
                    let (from, to) = expected.starts;
                    *path == expected.target && (from..=to).contains(start)
                });
            }
            if !is_kept {
                lost.push(format!(
                    "{}:{}: `{}` no longer leads to its definition in {}",
                    expected.file, expected.line, expected.name, expected.target
                ));
            }
        }
        for (pre, at, uses) in &self.arrivals {
            let now = uses_at(facts, at, &pre.path)?.unwrap_or(0);
            if now < *uses {
                lost.push(format!(
                    "{}: {} of {uses} uses of `{}` lead nowhere",
                    at.path,
                    uses - now,
                    at.local
                ));
            }
        }
        if lost.is_empty() {
            return Ok(());
        }
        lost.truncate(50);
        Err(Refusal::new("unresolved_after", "references would no longer lead where they do")
            .places(lost)
            .into())
    }
}

/// The symbols that a plan moves to other files.
fn arrivals(
    facts: &Facts<'_>,
    plan: &Plan,
) -> Result<Vec<(SymbolAddress, SymbolAddress, usize)>, RefactorError> {
    let mut found = Vec::new();
    for entry in &plan.entries {
        if let Entry::Move { pre, post } = entry
            && let Some(uses) = uses_at(facts, pre, &pre.path)?
        {
            found.push((pre.clone(), post.clone(), uses));
        }
    }
    Ok(found)
}

/// How many uses the symbol at an address has outside of itself, imports aside. Inner modules of the Rust file that it
/// leaves have all names of that file, imported ones too; these are not followed by the index, and not counted.
fn uses_at(facts: &Facts<'_>, at: &SymbolAddress, left: &str) -> Result<Option<usize>, RefactorError> {
    let symbols = facts.of_file(&at.path)?;
    let Some(symbol) = symbols.iter().find(|symbol| symbol.local == at.local && symbol.kind == at.kind)
    else {
        return Ok(None);
    };
    // Parts of the same definition, such as its impls, go with it.
    let own: Vec<(u32, u32)> = symbols
        .iter()
        .filter(|other| other.name == symbol.name && other.parent.is_none())
        .map(|other| other.span)
        .collect();
    let is_own = |row: &UseFacts| {
        row.file == at.path && own.iter().any(|span| span.0 <= row.span.0 && row.span.1 <= span.1)
    };
    let is_rust = symbol.lang == Lang::Rust;
    let mut inner = if is_rust { facts.of_file(left)? } else { Vec::new() };
    inner.retain(|module| module.kind == SymbolKind::Module);
    let is_inner = |row: &UseFacts| {
        row.file == left
            && inner.iter().any(|module| module.span.0 <= row.span.0 && row.span.1 <= module.span.1)
    };
    let uses = facts.uses_of(symbol.id)?.into_iter();
    let uses = uses.filter(|row| row.kind != RefKind::Use && !is_own(row) && !is_inner(row));
    Ok(Some(uses.count()))
}
