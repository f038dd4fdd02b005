//! What must still hold after a plan was applied: every reference leads where it led.
//!
//! ```text
//! index before ─Expectations::of─▶ references, and where each will stand ─(files are written)─▶ check against the index after
//! ```
//!
//! Looked at are all references in files that change, references elsewhere to what those files define, references inside
//! of what moves, and uses of it.

use crate::edit::map;
use crate::error::{RefactorError, Refusal};
use crate::plan::{Entry, FileChange, Plan};
use orbit_extract::{Lang, RefKind, SymbolAddress};
use orbit_graph::{Confidence, Facts, SymbolFacts, SymbolKind, UseFacts};
use std::collections::BTreeMap;

/// Most lost references that are listed.
const MOST: usize = 50;

/// References that resolve now, and where each of them will stand.
pub(crate) struct Expectations {
    expected: Vec<Expected>,
    /// What moves from where to where, and how many uses it has outside of itself, imports aside.
    arrivals: Vec<(SymbolAddress, SymbolAddress, usize)>,
    /// What moves by where it will be, and how often it names each definition outside of itself.
    carried: Vec<Carried>,
}

/// What moves by where it will be, and how often it names each definition outside of itself.
type Carried = (SymbolAddress, Vec<(Definition, usize)>);

struct Expected {
    file: String,
    line: u32,
    /// Where the reference will be.
    start: u32,
    to: Definition,
}

/// A definition by where it will be.
#[derive(Clone)]
struct Definition {
    name: String,
    file: String,
    /// Where it will begin: before or behind what is written right in front of it.
    starts: (u32, u32),
}

impl Definition {
    fn is(&self, symbol: &SymbolFacts) -> bool {
        let (from, to) = self.starts;
        symbol.path == self.file && (from..=to).contains(&symbol.span.0)
    }
}

/// A plan's changes, by file.
struct Changes<'p> {
    files: BTreeMap<&'p str, &'p FileChange>,
}

impl Changes<'_> {
    /// Where a byte of a file will be.
    fn place(&self, path: &str, at: u32) -> Option<u32> {
        match self.files.get(path) {
            Some(file) if file.after.is_none() || file.before.is_none() => None,
            Some(file) => map(&file.edits, at),
            None => Some(at),
        }
    }

    /// Where a definition will be; `None` when it goes, or its file does.
    fn definition(&self, symbol: &SymbolFacts, name: &str) -> Option<Definition> {
        let edits = self.files.get(symbol.path.as_str()).map_or(&[][..], |file| &file.edits);
        if edits.iter().any(|edit| edit.span.0 <= symbol.span.0 && symbol.span.1 <= edit.span.1) {
            return None;
        }
        let to = self.place(&symbol.path, symbol.span.0)?;
        let added = edits.iter().filter(|edit| edit.span == (symbol.span.0, symbol.span.0));
        let added: usize = added.map(|edit| edit.text.len()).sum();
        Some(Definition { name: name.to_owned(), file: symbol.path.clone(), starts: (to - added as u32, to) })
    }

    /// Whether a reference is taken out, or said in other words.
    fn is_rewritten(&self, row: &UseFacts) -> bool {
        self.files.get(row.file.as_str()).is_some_and(|file| {
            file.edits.iter().any(|edit| {
                let covers = edit.span.0 <= row.span.0 && row.span.1 <= edit.span.1;
                covers && (edit.span != row.span || edit.text.is_empty() || edit.text.contains(": "))
            })
        })
    }
}

impl Expectations {
    /// What a plan of edits must keep. References inside of text that is replaced as a whole are left out.
    pub(crate) fn of(facts: &Facts<'_>, plan: &Plan) -> Result<Expectations, RefactorError> {
        let changes = Changes { files: plan.files.iter().map(|file| (file.path.as_str(), file)).collect() };
        let mut rows = Vec::new();
        for file in &plan.files {
            rows.extend(facts.uses_in(&file.path)?);
            for symbol in facts.of_file(&file.path)? {
                let elsewhere = facts.uses_of(symbol.id)?.into_iter();
                rows.extend(elsewhere.filter(|row| {
                    !changes.files.contains_key(row.file.as_str()) && row.confidence < Confidence::Dispatch
                }));
            }
        }
        let mut symbols = Symbols { facts, known: BTreeMap::new() };
        let mut expected = Vec::new();
        for row in rows {
            let Some(id) = row.target.filter(|_| !changes.is_rewritten(&row)) else { continue };
            let Some(target) = symbols.get(id)? else { continue };
            if let (Some(start), Some(to)) =
                (changes.place(&row.file, row.span.0), changes.definition(&target, &row.name))
            {
                expected.push(Expected { file: row.file, line: row.line, start, to });
            }
        }
        let carried = carried(&mut symbols, &changes, plan)?;
        Ok(Expectations { expected, arrivals: arrivals(facts, plan)?, carried })
    }

    /// Every reference leads where it led.
    pub(crate) fn check(&self, facts: &Facts<'_>) -> Result<(), RefactorError> {
        let mut rows: BTreeMap<&str, BTreeMap<u32, Vec<i64>>> = BTreeMap::new();
        let mut lost = Vec::new();
        let mut symbols = Symbols { facts, known: BTreeMap::new() };
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
                is_kept |= symbols.get(*id)?.is_some_and(|symbol| expected.to.is(&symbol));
            }
            if !is_kept {
                let Definition { name, file, .. } = &expected.to;
                lost.push(format!(
                    "{}:{}: `{name}` no longer leads to its definition in {file}",
                    expected.file, expected.line
                ));
            }
        }
        self.check_moved(&mut symbols, &mut lost)?;
        if lost.is_empty() {
            return Ok(());
        }
        lost.truncate(MOST);
        Err(Refusal::new("unresolved_after", "references would no longer lead where they do")
            .places(lost)
            .into())
    }

    /// What moved is used as it was, and uses what it did.
    fn check_moved(&self, symbols: &mut Symbols<'_>, lost: &mut Vec<String>) -> Result<(), RefactorError> {
        let facts = symbols.facts;
        for (pre, at, uses) in &self.arrivals {
            let now = uses_at(facts, at, &pre.path)?.unwrap_or(0);
            if now < *uses {
                let (path, gone, name) = (&at.path, uses - now, &at.local);
                lost.push(format!("{path}: {gone} of {uses} uses of `{name}` lead nowhere"));
            }
        }
        for (at, needed) in &self.carried {
            let own = facts.of_file(&at.path)?;
            let moved = own.iter().filter(|symbol| symbol.local == at.local && symbol.kind == at.kind);
            let spans: Vec<(u32, u32)> = moved.map(|symbol| symbol.span).collect();
            let mut rows = facts.uses_in(&at.path)?;
            rows.retain(|row| spans.iter().any(|span| span.0 <= row.span.0 && row.span.1 <= span.1));
            for (definition, count) in needed {
                let mut now = 0;
                for id in rows.iter().filter_map(|row| row.target) {
                    now += usize::from(symbols.get(id)?.is_some_and(|symbol| definition.is(&symbol)));
                }
                if now < *count {
                    let Definition { name, file, .. } = definition;
                    lost.push(format!(
                        "{}: `{name}` in `{}` no longer leads to its definition in {file}",
                        at.path, at.local
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Symbols by row, each read once.
struct Symbols<'f> {
    facts: &'f Facts<'f>,
    known: BTreeMap<i64, Option<SymbolFacts>>,
}

impl Symbols<'_> {
    fn get(&mut self, id: i64) -> Result<Option<SymbolFacts>, RefactorError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let found = self.facts.by_id(id)?;
        self.known.insert(id, found.clone());
        Ok(found)
    }
}

/// What the symbols that a plan moves name outside of themselves, by where they will be.
fn carried(
    symbols: &mut Symbols<'_>,
    changes: &Changes<'_>,
    plan: &Plan,
) -> Result<Vec<Carried>, RefactorError> {
    let facts = symbols.facts;
    let mut found = Vec::new();
    for entry in &plan.entries {
        let Entry::Move { pre, post } = entry else { continue };
        let own = facts.of_file(&pre.path)?;
        let spans = own.iter().filter(|symbol| symbol.local == pre.local && symbol.kind == pre.kind);
        let spans: Vec<(u32, u32)> = spans.map(|symbol| symbol.span).collect();
        let mut needed: BTreeMap<i64, (Definition, usize)> = BTreeMap::new();
        for row in facts.uses_in(&pre.path)? {
            let is_inside = spans.iter().any(|span| span.0 <= row.span.0 && row.span.1 <= span.1);
            let is_sure = row.confidence < Confidence::Dispatch && row.kind != RefKind::Use;
            let Some(id) = row.target.filter(|_| is_inside && is_sure) else { continue };
            let Some(definition) = symbols.get(id)?.and_then(|symbol| changes.definition(&symbol, &row.name))
            else {
                continue;
            };
            needed.entry(id).or_insert((definition, 0)).1 += 1;
        }
        found.push((post.clone(), needed.into_values().collect()));
    }
    Ok(found)
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
